/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Making and freeing a judge, on the heap or wherever its user wants it.
 */
#include <stdlib.h>

#include "private.h"

static struct pd_state *new_state(const struct pd_memory *memory)
{
	struct pd_state *s = memory->get(memory->ctx, _Alignof(struct pd_state), sizeof(*s));

	if (s)
		pd_state_init(s);
	return s;
}

static bool new_plan(struct pd_plan *plan, const struct pd_memory *memory)
{
	plan->before = new_state(memory);
	plan->expected = new_state(memory);
	return plan->before && plan->expected;
}

static bool new_plans(struct pd_private *p, const struct pd_memory *memory)
{
	for (unsigned int i = 0; i < PD_MAX_OPS; i++)
		if (!new_plan(&p->shared[i], memory))
			return false;
	return new_plan(&p->own[0], memory) && new_plan(&p->own[1], memory) &&
	       new_plan(&p->raced, memory);
}

/* Frames that no scenario mentions are order-0 anonymous folios. */
static void default_pages(struct pd_judge *j)
{
	struct pd_private *p = j->private;

	pd_page_image(&p->unmentioned, j->world->memmap, j->s0, 0);
	for (unsigned int pfn = 0; pfn < PD_NR_PFN; pfn++)
		j->world->memmap[pfn] = p->unmentioned;
}

static bool fill(struct pd_judge *j, const struct pd_memory *memory)
{
	struct pd_private *p = memory->get(memory->ctx, _Alignof(struct pd_private), sizeof(*p));

	j->private = p;
	if (!p)
		return false;
	j->world = pd_world_new_in(memory);
	j->s0 = new_state(memory);
	j->got = new_state(memory);
	if (!j->world || !j->s0 || !j->got || !new_plans(p, memory))
		return false;
	default_pages(j);
	for (unsigned int i = 0; i < pd_nr_ops; i++)
		pd_masks_make(&p->masks[i], pd_ops[i]->rows);
	return true;
}

struct pd_judge *pd_judge_new_in(const struct pd_memory *memory)
{
	struct pd_judge *j = memory->get(memory->ctx, _Alignof(struct pd_judge), sizeof(*j));

	if (j && !fill(j, memory)) {
		if (memory == &pd_heap)
			pd_judge_free(j);
		return NULL;
	}
	return j;
}

struct pd_judge *pd_judge_new(void)
{
	return pd_judge_new_in(&pd_heap);
}

static void free_plan(struct pd_plan *plan)
{
	free(plan->before);
	free(plan->expected);
}

void pd_judge_free(struct pd_judge *j)
{
	struct pd_private *p = j ? j->private : NULL;

	if (p) {
		pd_world_free(j->world);
		for (unsigned int i = 0; i < PD_MAX_OPS; i++)
			free_plan(&p->shared[i]);
		free_plan(&p->own[0]);
		free_plan(&p->own[1]);
		free_plan(&p->raced);
		free(j->s0);
		free(j->got);
	}
	free(p);
	free(j);
}
