/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside the generator: what its files and the mutator share.
 */
#ifndef PD_GENERATE_H
#define PD_GENERATE_H

#include "harness/scenario/layout.h"

#define PD_GEN_RECORDS	32u	/* of one class */
#define PD_GEN_MARKS	24u
#define PD_BLOCK	16u	/* the contpte block that layouts are aimed at */
#define PD_TABLE	512u	/* and the page table */

#define PD_COUNT(array)		((unsigned int)(sizeof(array) / sizeof((array)[0])))
#define PD_PICK(rng, array)	((array)[pd_below(rng, PD_COUNT(array))])

/* The VMA that the scenario is about: pages [@lo, @hi); empty when there is none. */
struct pd_gen_vma {
	unsigned int lo, hi;
	bool ro, uffd, file, shared, pfnmap;
};

/**
 * struct pd_gen - a scenario in the making
 * @lo, @hi:	the arena: pages that layouts fill and operations are aimed at
 * @extent:	pages that the first operation is meant to work on
 * @pfn:	next frame that no folio has
 * @cont:	the scenario is about contpte blocks
 * @hot_va, @hot_pages: where the last operation left its pages
 * @mark:	pages at which something begins, ends or changes, for ends of ranges
 * @rec:	records by class, in the order in which they were added
 * @spill:	takes what is added to a full class
 */
struct pd_gen {
	struct pd_rng *rng;
	unsigned int lo, hi, extent, pfn;
	bool cont;
	unsigned int hot_va, hot_pages;
	struct pd_gen_vma vma;
	unsigned int nr_marks;
	uint16_t mark[PD_GEN_MARKS];
	unsigned int nr[PD_NR_CLASSES];
	struct pd_record rec[PD_NR_CLASSES][PD_GEN_RECORDS];
	struct pd_record spill;
};

/* pd_gen_init() - an empty scenario: no arena, no VMA, free frames from @pfn on. */
void pd_gen_init(struct pd_gen *g, struct pd_rng *rng, unsigned int pfn);

/* pd_gen_add() - append a zeroed record of @kind to its class. */
struct pd_record *pd_gen_add(struct pd_gen *g, uint8_t kind);

/* pd_gen_mark() - remember @va as a place where a range may well begin or end. */
void pd_gen_mark(struct pd_gen *g, unsigned int va);

/* pd_gen_extent() - a number of pages worth trying, from 1 to a few tables. */
unsigned int pd_gen_extent(struct pd_rng *rng);

/* pd_gen_pattern() - 16 bits as they differ within a folio: half, one, alternating, random. */
uint16_t pd_gen_pattern(struct pd_rng *rng);

/* pd_gen_number() - a value of @width bits: mostly zero or small, now and then the largest. */
uint16_t pd_gen_number(struct pd_rng *rng, unsigned int width);

/* pd_gen_enum() - a value that has a name. */
uint16_t pd_gen_enum(struct pd_rng *rng, const struct pd_field *field);

/* pd_gen_start() - where an arena of @pages pages begins, most often near a border. */
unsigned int pd_gen_start(struct pd_rng *rng, unsigned int pages);

/**
 * pd_gen_piece() - map something at @va: a folio or a few, zero pages or non-present entries
 * @room:	pages that are left to fill; a piece may well be longer
 *
 * Return: the page behind it.
 */
unsigned int pd_gen_piece(struct pd_gen *g, unsigned int va, unsigned int room);

/* pd_gen_op() - one operation, aimed at the arena, with what happens during it. */
void pd_gen_op(struct pd_gen *g, const struct pd_op *op);

/* pd_gen_vmas() - the scenario's VMA records, chosen before the arena is filled. */
void pd_gen_vmas(struct pd_gen *g);

/**
 * struct pd_piece - pages [@va, @va + @pages), mapped to frames from @pfn on
 * @step:	PD_STEP_*
 * @order:	of the folios
 * @type:	enum pd_folio_type
 * @cont:	contpte blocks are wanted, so what a block must agree in differs by block only
 * @alone:	its pages may be exclusive: anonymous or a device's, mapped once and nowhere else
 * @special:	entries without a struct page: zero pages, or any frames in a VM_PFNMAP mapping
 * @twice:	the same frames are mapped behind it a second time
 * @excl, @write, @dirty: how the map record has them
 * @frozen:	pages of it may no longer become writable
 */
struct pd_piece {
	unsigned int va, pages, pfn, order;
	uint16_t step;
	enum pd_folio_type type;
	bool cont, alone, special, twice;
	bool excl, write, dirty, frozen;
};

static inline bool pd_in_vma(const struct pd_gen_vma *vma, const struct pd_piece *p)
{
	return p->va >= vma->lo && p->va + p->pages <= vma->hi;
}

/* May pages of the piece be writable, as far as VMA and folio are concerned? */
static inline bool pd_may_write(const struct pd_gen *g, const struct pd_piece *p)
{
	const struct pd_gen_vma *vma = &g->vma;

	if (vma->ro && p->va < vma->hi && p->va + p->pages > vma->lo)
		return false;
	if (p->special)
		return p->pfn != PD_ZERO_PFN;
	if (p->type == PD_FOLIO_FILE)
		return vma->shared && pd_in_vma(vma, p);
	return p->excl;
}

/* pd_gen_mix() - let one field differ within the piece; what bars it is taken away first. */
void pd_gen_mix(struct pd_gen *g, struct pd_piece *p);

#endif
