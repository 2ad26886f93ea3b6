/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is a scenario 1-minimal? The steps of the minimizer are stated here once more, from the tables
 * of kinds alone, so that a hole in the search does not hide in the check.
 */
#ifndef PD_TESTS_MINIMAL_H
#define PD_TESTS_MINIMAL_H

#include "harness/scenario/scenario.h"

/**
 * struct pd_minimal - what a smaller scenario would have to show
 * @shows:	does @sc show it? Asked only of scenarios that need no repair
 * @tried:	scenarios that it was asked of
 * @smaller:	the one that it holds for, if any
 */
struct pd_minimal {
	bool (*shows)(void *ctx, const struct scenario *sc);
	void *ctx;
	unsigned long tried;
	struct scenario smaller;
};

/* pd_repaired() - @sc in the form that needs no repair. Return: the repairs that it took. */
unsigned int pd_repaired(const struct scenario *sc, struct scenario *fixed);

/**
 * pd_is_minimal() - does no removal of a record and no smaller value of a field show it?
 *
 * Each candidate is asked about in its repaired form, if that weighs less than @sc.
 */
bool pd_is_minimal(struct pd_minimal *m, const struct scenario *sc);

#endif
