/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an operation produces beside the state: a list of facts in the order they happened, such
 * as the folios that were queued or the extents that were cleared. Each operation says in its
 * args.h what its facts mean.
 */
#ifndef PD_STATE_RESULTS_H
#define PD_STATE_RESULTS_H

#include <stdint.h>

#define PD_MAX_RESULTS 4096u

/**
 * struct pd_fact - one fact
 * @what:	kind of the fact, 0 to 31; contract rows pick kinds by bit
 * @a, @b:	what it says
 */
struct pd_fact {
	uint32_t what, a;
	uint64_t b;
};

/* @nr goes on counting when the list is full. */
struct pd_results {
	unsigned int nr;
	struct pd_fact list[PD_MAX_RESULTS];
};

static inline void pd_results_add(struct pd_results *r, uint32_t what, uint32_t a, uint64_t b)
{
	if (r->nr < PD_MAX_RESULTS)
		r->list[r->nr] = (struct pd_fact){ .what = what, .a = a, .b = b };
	r->nr++;
}

#endif
