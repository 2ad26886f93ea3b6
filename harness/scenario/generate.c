/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The generator: new scenarios, with probability where bugs of batched page-table code live.
 *
 * A scenario has an arena, a range of pages that is filled piece by piece (generate_layout.c,
 * generate_mix.c) and at which the operations are aimed (generate_ops.c). What comes out mostly
 * needs no repair: a fact that pd_build() has to take back is probability lost. How often each
 * feature occurs is counted by histogram.c and held by tests/unit/test_generate.c.
 */
#include <string.h>

#include "generate.h"

#define ENOUGH_RECORDS	8u	/* of folios and entries: no new piece is begun */

void pd_gen_init(struct pd_gen *g, struct pd_rng *rng, unsigned int pfn)
{
	g->rng = rng;
	g->lo = g->hi = 0;
	g->extent = 1;
	g->pfn = pfn;
	g->cont = false;
	g->hot_va = g->hot_pages = 0;
	g->vma = (struct pd_gen_vma){ 0 };
	g->nr_marks = 0;
	memset(g->nr, 0, sizeof(g->nr));
}

struct pd_record *pd_gen_add(struct pd_gen *g, uint8_t kind)
{
	unsigned int class = pd_kind_class(kind);
	struct pd_record *rec = &g->spill;

	if (g->nr[class] < PD_GEN_RECORDS)
		rec = &g->rec[class][g->nr[class]++];
	*rec = (struct pd_record){ .kind = kind };
	return rec;
}

void pd_gen_mark(struct pd_gen *g, unsigned int va)
{
	if (g->nr_marks < PD_GEN_MARKS && va < PD_NR_VA)
		g->mark[g->nr_marks++] = (uint16_t)va;
}

unsigned int pd_gen_extent(struct pd_rng *rng)
{
	static const uint16_t narrow[] = {
		1, 2, 3, 7, 8, 12, 15, 15, 16, 16, 16, 17, 17, 24, 31, 31, 32, 32, 32, 33, 33,
		47, 48, 64,
	};
	static const uint16_t wide[] = { 511, 512, 512, 512, 513, 1024 };

	if (pd_chance(rng, 1, 40))
		return PD_PICK(rng, wide);
	if (pd_chance(rng, 1, 5))
		return 1 + pd_below(rng, 64);
	return PD_PICK(rng, narrow);
}

uint16_t pd_gen_pattern(struct pd_rng *rng)
{
	static const uint16_t fixed[] = {
		0x00ff, 0xff00, 0x00ff, 0xff00, 0x5555, 0xaaaa, 0x5555, 0xaaaa, 0x0001, 0x8000,
		0xfffe, 0x7fff, 0x3333, 0x000f, 0xf0f0,
	};

	switch (pd_below(rng, 4)) {
	case 0:
		return (uint16_t)pd_rng_next(rng);
	case 1:
		return (uint16_t)(1u << pd_below(rng, 16));
	default:
		return PD_PICK(rng, fixed);
	}
}

uint16_t pd_gen_number(struct pd_rng *rng, unsigned int width)
{
	static const uint16_t few[] = { 1, 1, 2, 2, 3, 4, 8, UINT16_MAX };
	uint16_t mask = (uint16_t)((1u << width) - 1u);

	switch (pd_below(rng, 8)) {
	case 0:
		return (uint16_t)pd_rng_next(rng) & mask;
	case 1:
	case 2:
		return PD_PICK(rng, few) & mask;
	default:
		return 0;
	}
}

uint16_t pd_gen_enum(struct pd_rng *rng, const struct pd_field *field)
{
	uint16_t mask = pd_bits_mask(field->at);

	for (unsigned int tries = 0; tries < 8; tries++) {
		uint16_t value = (uint16_t)pd_rng_next(rng) & mask;

		if (field->names[value])
			return value;
	}
	return 0;
}

unsigned int pd_gen_start(struct pd_rng *rng, unsigned int pages)
{
	unsigned int table = PD_TABLE * pd_below(rng, PD_NR_VA / PD_TABLE);
	unsigned int last = pages < PD_NR_VA ? PD_NR_VA - pages : 0;
	const unsigned int before[] = { 1, 8, 15, 16, 17, 32, pages / 2, pages };
	static const uint8_t skews[] = { 1, 4, 8, 8, 15 };
	unsigned int skew = PD_PICK(rng, skews), start;

	if (pages >= PD_TABLE - 1)
		start = table + PD_BLOCK * (pd_chance(rng, 1, 4) ? pd_below(rng, 3) : 0);
	else if (pd_chance(rng, 2, 5))
		start = table + PD_BLOCK * pd_below(rng, PD_TABLE / PD_BLOCK);
	else if (pd_chance(rng, 2, 5))
		start = table + PD_TABLE - PD_PICK(rng, before);
	else if (pd_chance(rng, 2, 5))
		start = table + PD_BLOCK * pd_below(rng, 31) + skew;
	else
		start = table + (pd_chance(rng, 2, 3) ? 0 : pd_below(rng, PD_TABLE));
	return start > last ? last : start;
}

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
