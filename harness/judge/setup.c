/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Setting the world up: for a scenario, between its steps, for one operation.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/layout.h"
#include "private.h"

/* Raw accesses of one operation: a scan of the rest of the table for each entry stays below. */
#define PD_DEFAULT_BUDGET	1000000u

static int pd_hw_before(const void *a, const void *b)
{
	const struct pd_hw *x = a, *y = b;

	return x->step < y->step ? -1 : x->step > y->step;
}

static void pd_bind_hw(struct pd_world *w, const struct pd_record *rec)
{
	if (w->nr_hw == PD_MAX_HW)
		return;
	w->hw[w->nr_hw++] = (struct pd_hw){
		.what = (uint8_t)pd_record_get(rec, PD_HW_F_WHAT),
		.va = pd_record_get(rec, PD_HW_F_VA),
		.step = pd_record_get(rec, PD_HW_F_STEP),
		.pages = (uint16_t)(pd_record_get(rec, PD_HW_F_PAGES) + 1),
	};
}

static void pd_bind_records(struct pd_judge *j, const struct pd_action *action)
{
	struct pd_private *p = j->private;
	struct pd_world *w = j->world;

	for (const struct pd_record *rec = &p->sc->rec[action->bound]; rec < action->rec; rec++)
		if (rec->kind == PD_KIND_HW)
			pd_bind_hw(w, rec);
	if (w->nr_hw > 1)
		qsort(w->hw, w->nr_hw, sizeof(w->hw[0]), pd_hw_before);
}

/* pd_mark_used() - the granules in @map are no longer empty. */
void pd_mark_used(struct pd_world *w, const uint64_t *map)
{
	for (unsigned int i = 0; i < PD_VA_WORDS; i++)
		w->used[i] |= map[i];
}

/* The memmap's granules in @map as @s has them. */
static void pd_load_frames(struct pd_judge *j, const struct pd_state *s, const uint64_t *map)
{
	struct pd_private *p = j->private;
	unsigned int g;

	pd_for_each_granule(g, map, PD_PFN_WORDS) {
		pd_load_pages(j->world, s, g);
		memcpy(&p->pages[g * PD_GRANULE], &j->world->memmap[g * PD_GRANULE],
		       PD_GRANULE * sizeof(struct page));
	}
}

/* pd_load() - the world as the scenario starts, with what the operation's caller prepared. */
void pd_load(struct pd_judge *j, enum pd_arch arch, struct pd_plan *plan)
{
	struct pd_private *p = j->private;
	struct pd_world *w = j->world;

	pd_unload(w);
	w->arch = arch;
	w->bbml = plan->before->bbml;
	p->image = pd_image_of(&plan->before_image[arch], arch, plan->before, NULL, NULL);
	p->image_of = plan->before;
	pd_load_tables(w, plan->before, p->image);
	pd_mark_used(w, plan->before->va_touched);
	/* Another chain may begin with another operation, and finds these frames as they were. */
	for (unsigned int i = 0; i < PD_PFN_WORDS; i++)
		p->reload[i] |= plan->prepared[i];
	pd_load_frames(j, plan->before, p->reload);
	memcpy(p->reload, plan->prepared, sizeof(p->reload));
	memcpy(w->counter, plan->before->counter, sizeof(w->counter));
	pd_load_deferred(w, arch, plan->before);
}

/* Whoever unmapped a page, wherever it is, flushed it too. */
static void pd_unstale_gone(struct pd_world *w, const lpte_t *now, const lpte_t *then,
			    unsigned int base)
{
	for (unsigned int i = 0; i < PD_GRANULE && w->nr_stale; i++)
		if (lpte_none(now[i]) && !lpte_none(then[i]))
			pd_unstale(w, base + i, 1);
}

/*
 * pd_load_prepared() - what the operation's caller prepared
 *
 * Between steps nothing else has to be brought into the world: it is kept.
 */
void pd_load_prepared(struct pd_judge *j, enum pd_arch arch, const struct pd_op *op,
		      const struct pd_plan *plan)
{
	struct pd_private *p = j->private;
	struct pd_span span = op->span(plan->args);
	unsigned int g;

	if (!op->prepare)
		return;
	/* Whoever unmapped the destination, or anything else, flushed it too. */
	if (span.src != span.dst)
		pd_unstale(j->world, span.dst, span.pages);
	pd_for_each_granule(g, plan->before->va_touched, PD_VA_WORDS) {
		unsigned int base = g * PD_GRANULE;
		uint64_t *raw = pd_world_entry(j->world, base);

		if (!raw || !memcmp(&plan->before->pte[base], &p->current->pte[base],
				    PD_GRANULE * sizeof(lpte_t)))
			continue;
		for (unsigned int i = 0; i < PD_GRANULE; i++)
			raw[i] = pd_raw_encode(arch, plan->before->pte[base + i]);
		pd_unstale_gone(j->world, &plan->before->pte[base], &p->current->pte[base], base);
	}
	pd_load_frames(j, plan->before, plan->prepared);
	for (unsigned int i = 0; i < PD_PFN_WORDS; i++)
		p->reload[i] |= plan->prepared[i];
	memcpy(j->world->counter, plan->before->counter, sizeof(j->world->counter));
}

/* pd_arm() - everything about the operation to come: where, hardware, faults, budget. */
void pd_arm(struct pd_judge *j, const struct pd_action *action, const struct pd_plan *plan)
{
	struct pd_span span = action->op->span(plan->args);
	struct pd_world *w = j->world;

	pd_world_reset(w);
	pd_load_vmas(w, plan->before);
	w->owed = span;
	w->fresh = span;
	if (span.src == span.dst)
		w->fresh.pages = 0;
	w->trace = j->trace;
	w->budget = j->budget ? j->budget : PD_DEFAULT_BUDGET;
	w->stop = w->budget;
	pd_bind_records(j, action);
	w->faults = plan->before->faults;
	if (w->nr_hw && w->hw[0].step < w->stop)
		w->stop = w->hw[0].step;
}
