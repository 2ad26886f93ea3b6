/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_STATE_OUTCOME_H
#define PD_STATE_OUTCOME_H

#include <stdbool.h>

/**
 * struct pd_outcome - what a reference says besides the state
 * @ret:	return value
 * @changed:	entries that the operation changed or queued; 0: the judgement is trivial
 * @notify:	a notifier start/end pair over the source range is owed
 */
struct pd_outcome {
	long ret;
	unsigned int changed;
	bool notify;
};

#endif
