/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scenario in the making, and values that are worth trying in it: near borders, near the size
 * of a block or a table, and patterns that differ within a folio.
 */
#include <string.h>

#include "harness/scenario/generate/generate.h"

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
