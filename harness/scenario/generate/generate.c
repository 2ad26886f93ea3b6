/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The generator: new scenarios, with probability where bugs of batched page-table code live.
 *
 * A scenario has an arena, a range of pages that is filled piece by piece (pieces.c, mix.c)
 * and at which the operations are aimed (ops.c). What comes out mostly needs no repair: a fact
 * that pd_build() has to take back is probability lost. How often each feature occurs is counted
 * by histogram.c and held by tests/unit/test_generate.c.
 */
#include <string.h>

#include "harness/scenario/generate/generate.h"

#define ENOUGH_RECORDS	8u	/* of folios and entries: no new piece is begun */

/* Fill the arena; pieces may go over its end, so that a range can end in the middle of one. */
static void fill(struct pd_gen *g)
{
	unsigned int end = g->lo + g->extent, va = g->lo;

	while (va < end && g->nr[2] + g->nr[3] < ENOUGH_RECORDS) {
		va = pd_gen_piece(g, va, end - va);
		if (pd_chance(g->rng, 1, 12))
			va += 1 + pd_below(g->rng, 4);
	}
	g->hi = va < PD_NR_VA ? va : PD_NR_VA;
	g->hot_va = g->lo;
	g->hot_pages = g->hi - g->lo;
}

static void finish(const struct pd_gen *g, struct scenario *sc)
{
	sc->nr = 0;
	for (unsigned int class = 0; class < PD_NR_CLASSES; class++) {
		memcpy(&sc->rec[sc->nr], g->rec[class], g->nr[class] * sizeof(sc->rec[0]));
		sc->nr += g->nr[class];
	}
}

void pd_generate(struct scenario *sc, const struct pd_op *op, struct pd_rng *rng)
{
	static const uint16_t frames[] = { 0, 16, 16, 32, 64, 256, 496, 512, 512, 1024, 3584 };
	static const uint8_t steps[] = { 1, 1, 1, 2, 2, 3 };
	struct pd_gen g;

	pd_gen_init(&g, rng, PD_PICK(rng, frames));
	g.extent = pd_gen_extent(rng);
	g.lo = pd_gen_start(rng, g.extent);
	g.cont = pd_chance(rng, 13, 20);
	if (g.cont && pd_chance(rng, 1, 5))
		pd_record_set(pd_gen_add(&g, PD_KIND_CONFIG), PD_CONFIG_KNOB, PD_KNOB_BBML2);
	if (pd_chance(rng, 3, 20))
		pd_gen_vmas(&g);
	fill(&g);
	for (unsigned int left = PD_PICK(rng, steps); left; left--)
		pd_gen_op(&g, op ? op : pd_ops[pd_below(rng, pd_nr_ops)]);
	finish(&g, sc);
}
