/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff compare: the two, run on the same scenario.
 */
#include "harness/cli/compare/compare.h"

#include <string.h>

/* Everything that an operation leaves: entries, frames, counters, results, return value. */
static uint64_t fingerprint(const struct pd_judge *j, const struct pd_observed *step)
{
	const struct pd_state *s = step->state;
	const struct pd_world *w = j->world;
	unsigned int nr = w->results.nr < PD_MAX_RESULTS ? w->results.nr : PD_MAX_RESULTS;
	uint64_t print = pd_hash(&step->ret, sizeof(step->ret), step->diverged);
	unsigned int g;

	print = pd_hash(w->results.list, nr * sizeof(w->results.list[0]), print);
	print = pd_hash(w->counter, sizeof(w->counter), print);
	pd_for_each_granule(g, s->va_touched, PD_VA_WORDS)
		print = pd_hash(&s->pte[g * PD_GRANULE], PD_GRANULE * sizeof(lpte_t), print + g);
	pd_for_each_granule(g, s->pfn_touched, PD_PFN_WORDS)
		for (unsigned int i = g * PD_GRANULE; i < (g + 1) * PD_GRANULE; i++) {
			struct page page = w->memmap[i];

			/* An address of the one or the other memmap, without meaning. */
			page.compound_head = 0;
			print = pd_hash(&page, sizeof(page), print);
		}
	return print | 1;
}

static void keep(struct pd_side *side, const struct pd_judge *j, const struct pd_observed *step)
{
	pd_state_copy(&side->before, step->before);
	pd_state_copy(&side->after, step->state);
	memcpy(side->pages, j->world->memmap, sizeof(side->pages));
	memcpy(side->counter, j->world->counter, sizeof(side->counter));
	side->results = j->world->results;
	side->ret = step->ret;
	side->entry = step->entry;
	side->span = step->span;
	side->kept = true;
}

/* The process died in the step: there is nothing to see but where it started. */
static void keep_nothing(struct pd_side *side, const struct pd_divergence *d)
{
	pd_state_copy(&side->before, d->before);
	pd_state_copy(&side->after, d->before);
	side->results.nr = 0;
	side->ret = d->got_ret;
}

static void observe(struct pd_judge *j, const struct pd_observed *step)
{
	struct pd_side *side = j->user;

	side->print[step->step] = fingerprint(j, step);
	if (step->step == side->look)
		keep(side, j, step);
}

struct pd_side *pd_side_new(const char *name)
{
	struct pd_side *side = pd_shared(sizeof(*side));

	side->name = name;
	side->look = PD_MAX_OPS;
	pd_state_init(&side->before);
	pd_state_init(&side->after);
	side->j = pd_judge_open();
	side->j->user = side;
	side->j->observe = observe;
	return side;
}

void pd_side_free(struct pd_side *side)
{
	if (side)
		pd_judge_close(side->j);
}

static void run(struct pd_side *side, const struct scenario *sc, enum pd_arch arch)
{
	const struct pd_divergence *d = &side->j->divergence;

	memset(side->print, 0, sizeof(side->print));
	side->diverged = PD_MAX_OPS;
	side->entry = NULL;
	side->kept = false;
	side->sel.arch = 1u << arch;
	if (pd_judge_scenario(side->j, sc, &side->sel))
		return;
	side->diverged = d->step;
	side->entry = d->entry;
	side->row = d->first.row;
	side->relation = d->first.relation;
	memcpy(side->signature, d->signature, sizeof(side->signature));
	if (d->first.relation == PD_RELATION_CRASH)
		side->print[d->step] = pd_hash(strrchr(d->signature, '/'),
					       strlen(strrchr(d->signature, '/')), 0) | 1;
	if (d->step == side->look && !side->kept)
		keep_nothing(side, d);
}

unsigned int pd_sides_differ(struct pd_side *const side[2], const struct scenario *sc,
			     enum pd_arch arch)
{
	unsigned int step = 0;

	side[0]->look = side[1]->look = PD_MAX_OPS;
	run(side[0], sc, arch);
	run(side[1], sc, arch);
	while (step < PD_MAX_OPS && side[0]->print[step] == side[1]->print[step])
		step++;
	return step;
}

void pd_sides_look(struct pd_side *const side[2], const struct scenario *sc, enum pd_arch arch,
		   unsigned int step, bool strict)
{
	for (unsigned int i = 0; i < 2; i++) {
		side[i]->look = step;
		side[i]->j->strict = strict;
		run(side[i], sc, arch);
		side[i]->j->strict = false;
	}
}
