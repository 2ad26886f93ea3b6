/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step as far as it does not depend on who performs it: arguments, the state before, and what
 * the reference says.
 */
#include <string.h>

#include "step.h"

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
	memset(plan->prepared, 0, sizeof(plan->prepared));
	if (op->prepare) {
		op->prepare(plan->before, plan->args);
		pd_frames_changed(plan->prepared, from, plan->before);
	}
	pd_state_copy(plan->expected, plan->before);
	plan->outcome = op->reference(plan->expected, plan->args);
	pd_frames_changed(plan->pages_changed, plan->before, plan->expected);
}

/* Did the operation get to the page of an unpin after it? Then the page is no longer there. */
static bool pd_unpinned_in_time(const struct pd_world *w, const struct pd_folio *folio,
				unsigned int head, unsigned int va)
{
	const uint64_t *entry = pd_world_entry(w, va);

	return folio->order ? !(w->memmap[head].flags & PD_PG_LARGE) : !entry || !*entry;
}

/* Tell a state at the start of a step of a pin or unpin that happened during it. */
static void pd_foresee(struct pd_state *s, const struct pd_world *w, const struct pd_hw_pinned *pin)
{
	lpte_t pte = s->pte[pin->va];
	unsigned int pfn = lpte_pfn(pte), head;
	struct pd_folio *folio;

	/* The page of a migration entry is there again when the migration is over. */
	if (!(lpte_normal(pte) || lpte_pfn_swap(pte)) || pfn >= PD_NR_PFN)
		return;
	head = pd_head(s, pfn);
	folio = &s->folio[head];
	if (!pin->pin && pd_unpinned_in_time(w, folio, head, pin->va))
		folio->flags &= (uint8_t)~PD_FOLIO_PINNED;
	else if (pin->pin && folio->order && !pin->large)
		s->page[pfn].pinned = true;
	else if (pin->pin)
		folio->flags |= PD_FOLIO_PINNED;
	pd_touch_pfn(s, head);
}

/**
 * pd_plan_race() - a step again, with the pins that hardware made while it was performed
 *
 * A pin that found its page through the page's entry came before whatever the operation did to
 * that entry, so the operation has to have seen it: the reference is told of it at the start.
 * Where an operation has no use for pins, nothing else comes out.
 */
void pd_plan_race(struct pd_plan *raced, const struct pd_plan *plan, const struct pd_op *op,
		  const struct pd_world *w)
{
	for (unsigned int a = 0; a < PD_NR_ARCHES; a++)
		raced->image[a].made = false;
	pd_state_copy(raced->expected, plan->before);
	for (unsigned int i = 0; i < w->nr_pins; i++)
		pd_foresee(raced->expected, w, &w->pin[i]);
	raced->outcome = op->reference(raced->expected, plan->args);
	pd_frames_changed(raced->pages_changed, plan->before, raced->expected);
}
