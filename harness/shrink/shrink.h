/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The minimizer: from a scenario that shows something to the smallest one that still shows it.
 */
#ifndef PD_SHRINK_H
#define PD_SHRINK_H

#include "harness/scenario/scenario.h"

/**
 * struct pd_shrink - what to keep, and how far it got
 * @shows:	does @sc still show it? Asked only of scenarios that need no repair
 * @stop:	out of time, or somebody pressed Ctrl-C; the best so far is kept
 * @ctx:	for the two
 * @runs:	how often @shows was asked
 * @known:	candidates that had been asked about before
 * @rounds:	passes over the whole scenario, the last of which changed nothing
 * @done:	a fixed point was reached: no candidate is left that is smaller and shows it
 */
struct pd_shrink {
	bool (*shows)(void *ctx, const struct scenario *sc);
	bool (*stop)(void *ctx);
	void *ctx;
	uint64_t runs, known;
	unsigned int rounds;
	bool done;
};

/**
 * pd_shrink() - make @sc smaller, step by step, to a fixed point
 *
 * A step removes records or reduces a field; it is taken when the result weighs less
 * (pd_weight()) and still shows what is sought. @sc has to show it. The same input and answers
 * give the same result.
 *
 * Return: false when memory ran out, @sc is then unchanged.
 */
bool pd_shrink(struct pd_shrink *shrink, struct scenario *sc);

/**
 * pd_weight() - how large a scenario is to its reader
 *
 * Records weigh most, then flags, choices and pages, then where things are.
 */
uint64_t pd_weight(const struct scenario *sc);

/**
 * pd_reductions() - call @use with every scenario that is one step smaller than @sc
 *
 * The steps that pd_shrink() tries on single records and fields, so that a test can check by
 * itself that none of them is left. Ends early when @use returns true, and then returns true.
 */
bool pd_reductions(const struct scenario *sc, bool (*use)(void *ctx, const struct scenario *sc),
		   void *ctx);

#endif
