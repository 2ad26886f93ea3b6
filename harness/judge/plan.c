/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step as far as it does not depend on who performs it: arguments, the state before, and what
 * the reference says.
 */
#include <stdlib.h>
#include <string.h>

#include "step.h"

bool pd_plan_new(struct pd_plan *plan)
{
	plan->before = malloc(sizeof(*plan->before));
	plan->expected = malloc(sizeof(*plan->expected));
	if (!plan->before || !plan->expected)
		return false;
	pd_state_init(plan->before);
	pd_state_init(plan->expected);
	return true;
}

void pd_plan_free(struct pd_plan *plan)
{
	free(plan->before);
	free(plan->expected);
}

static void pd_mark_frame(uint64_t *map, unsigned int pfn)
{
	map[pfn / PD_GRANULE / 64] |= 1ULL << (pfn / PD_GRANULE % 64);
}

/*
 * pd_frames_changed() - the granules of frames that differ between two states
 *
 * With the granules of their heads, since what a head counts depends on all of its pages.
 */
void pd_frames_changed(uint64_t *map, const struct pd_state *a, const struct pd_state *b)
{
	uint64_t touched[PD_PFN_WORDS];
	unsigned int g;

	memset(map, 0, PD_PFN_WORDS * sizeof(*map));
	for (unsigned int i = 0; i < PD_PFN_WORDS; i++)
		touched[i] = a->pfn_touched[i] | b->pfn_touched[i];
	pd_for_each_granule(g, touched, PD_PFN_WORDS) {
		unsigned int base = g * PD_GRANULE;

		if (!memcmp(&a->page[base], &b->page[base], PD_GRANULE * sizeof(a->page[0])) &&
		    !memcmp(&a->folio[base], &b->folio[base], PD_GRANULE * sizeof(a->folio[0])))
			continue;
		for (unsigned int pfn = base; pfn < base + PD_GRANULE; pfn++) {
			pd_mark_frame(map, pfn);
			pd_mark_frame(map, pd_head(a, pfn));
			pd_mark_frame(map, pd_head(b, pfn));
		}
	}
}

/**
 * pd_plan_make() - plan an operation
 * @op, @rec:	the operation and its record
 * @bound:	records from here to @rec are bound to it
 * @from:	the state that it starts at
 */
void pd_plan_make(struct pd_plan *plan, const struct pd_op *op, const struct pd_record *rec,
		  const struct pd_record *bound, const struct pd_state *from)
{
	plan->made = true;
	for (unsigned int a = 0; a < PD_NR_ARCHES; a++) {
		plan->before_image[a].made = false;
		plan->image[a].made = false;
	}
	pd_op_args(op, rec, plan->args);
	plan->skip = op->fit(from, plan->args);
	if (plan->skip)
		return;
	pd_state_copy(plan->before, from);
	pd_faults_bound(&plan->before->faults, bound, rec);
	if (op->prepare)
		op->prepare(plan->before, plan->args);
	pd_state_copy(plan->expected, plan->before);
	plan->outcome = op->reference(plan->expected, plan->args);
	pd_frames_changed(plan->pages_changed, plan->before, plan->expected);
}
