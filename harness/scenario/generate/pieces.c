/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces of a layout: a folio or a few, how they are mapped, and what differs within them.
 */
#include "harness/scenario/generate/generate.h"

#define LAST_PFN	(PD_ZERO_PFN - 1u)

/* ---- folios ---- */

/* Frames for @count folios; every folio aligned to its size, no frame given twice in a row. */
static unsigned int alloc_frames(struct pd_gen *g, unsigned int order, unsigned int count)
{
	unsigned int size = 1u << order;
	unsigned int pfn = (g->pfn + size - 1) & ~(size - 1);

	if (pfn + count * size > LAST_PFN)
		pfn = 0;
	g->pfn = pfn + count * size;
	return pfn;
}

/* Facts about a folio that matter rarely, and not to every operation. */
static void folio_extras(struct pd_gen *g, struct pd_record *rec, struct pd_piece *p)
{
	const struct pd_bits flags[] = {
		PD_FOLIO_F_PINNED, PD_FOLIO_F_RESERVED, PD_FOLIO_F_SWAPCACHE, PD_FOLIO_F_NOLRU,
		PD_FOLIO_F_DIRTY,  PD_FOLIO_F_LAZYFREE, PD_FOLIO_F_MLOCKED,   PD_FOLIO_F_ACTIVE,
		PD_FOLIO_F_ANON_VMA, PD_FOLIO_F_REFS,
	};
	uint64_t r = pd_rng_next(g->rng);

	if (!(r & 7))
		pd_record_set(rec, PD_PICK(g->rng, flags), 1);
	if (!(r >> 3 & 3))
		pd_record_set(rec, PD_FOLIO_F_NID, (uint16_t)(r >> 6 & 3));
	if (!(r >> 8 & 15))
		pd_record_set(rec, PD_FOLIO_F_INDEX, (uint16_t)(r >> 12));
	if (!(r >> 22 & 15)) {
		pd_record_set(rec, PD_FOLIO_F_OTHER, (uint16_t)(1 + (r >> 26) % 3));
		p->alone = false;
	}
}

static void add_folio(struct pd_gen *g, struct pd_piece *p, unsigned int count)
{
	struct pd_record *rec;

	/* A frame without a record is such a folio; one with a record may have more to it. */
	if (p->order == 0 && p->type == PD_FOLIO_ANON && pd_chance(g->rng, 3, 4))
		return;
	rec = pd_gen_add(g, PD_KIND_FOLIO);
	pd_record_set(rec, PD_FOLIO_F_TYPE, (uint16_t)p->type);
	pd_record_set(rec, PD_FOLIO_F_ORDER, (uint16_t)p->order);
	pd_record_set(rec, PD_FOLIO_F_PFN, (uint16_t)p->pfn);
	pd_record_set(rec, PD_FOLIO_F_COUNT, (uint16_t)(count - 1));
	folio_extras(g, rec, p);
}

static enum pd_folio_type choose_type(struct pd_gen *g, const struct pd_piece *p)
{
	if (g->vma.file && pd_in_vma(&g->vma, p) && (g->vma.shared || pd_chance(g->rng, 1, 2)))
		return PD_FOLIO_FILE;
	if (p->order == 0 && pd_chance(g->rng, 1, 16))
		return PD_FOLIO_KSM;
	return pd_chance(g->rng, 1, 32) ? PD_FOLIO_DEVICE : PD_FOLIO_ANON;
}

/* How many folios of @order: a few, or as many as fill a large room. */
static unsigned int choose_count(struct pd_gen *g, unsigned int order, unsigned int room)
{
	unsigned int most = order < 3 ? 8u >> order : 2u;

	if (room > 128)
		most = room >> order;
	else
		most = 1 + pd_below(g->rng, most);
	return most ? most : 1;
}

/* Of large folios a part, so that they do not swamp a small arena: pages left out before it. */
static unsigned int cut_large(struct pd_gen *g, struct pd_piece *p, unsigned int room)
{
	unsigned int keep = room + 2 * PD_BLOCK, first;

	if (p->order < 6 || p->pages <= keep)
		return 0;
	first = pd_below(g->rng, p->pages - keep + 1);
	p->pages = keep;
	return p->cont ? first - first % PD_BLOCK : first;
}

static unsigned int choose_order(struct pd_gen *g, bool cont)
{
	static const uint8_t orders[] = { 0, 0, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 9 };
	static const uint8_t large[] = { 4, 4, 4, 5, 5, 5, 5, 9 };
	unsigned int order = cont ? PD_PICK(g->rng, large) : PD_PICK(g->rng, orders);

	return order == 9 && pd_chance(g->rng, 1, 4) ? 6 + pd_below(g->rng, 3) : order;
}

static void choose_folios(struct pd_gen *g, struct pd_piece *p, unsigned int room)
{
	unsigned int skew, first, count;

	p->cont = g->cont && pd_chance(g->rng, 4, 5);
	p->order = choose_order(g, p->cont);
	skew = p->cont ? p->va % PD_BLOCK : 0;
	count = choose_count(g, p->order, room) + (skew > 0);
	p->pages = (count << p->order) - skew;
	first = cut_large(g, p, room);
	p->type = choose_type(g, p);
	p->alone = p->type == PD_FOLIO_ANON || p->type == PD_FOLIO_DEVICE;
	p->pfn = alloc_frames(g, p->order, count);
	add_folio(g, p, count);
	p->pfn += skew + first;
}

/* ---- how the frames lie in the range ---- */

static void cut(struct pd_piece *p, unsigned int first, unsigned int pages)
{
	p->pfn += first;
	p->pages = pages ? pages : 1;
}

static void place_blocks(struct pd_gen *g, struct pd_piece *p)
{
	switch (pd_below(g->rng, 8)) {
	case 0:
		if (p->pages > 2 * PD_BLOCK)
			p->pages -= 1 + pd_below(g->rng, PD_BLOCK - 1);
		break;
	case 1:
		if (p->pages > 2 * PD_BLOCK)
			cut(p, PD_BLOCK, p->pages - PD_BLOCK);
		break;
	default:
		break;
	}
}

static void place_pages(struct pd_gen *g, struct pd_piece *p)
{
	unsigned int first = pd_below(g->rng, p->pages);
	static const uint8_t skews[] = { 1, 8 };
	unsigned int skew = PD_PICK(g->rng, skews);

	switch (pd_below(g->rng, 16)) {
	case 0:
		p->pages = first + 1;
		break;
	case 1:
	case 2:
		cut(p, first, p->pages - first);
		break;
	case 3:
		cut(p, first, 1 + pd_below(g->rng, p->pages - first));
		break;
	case 4:
		p->step = PD_STEP_DOWN;
		p->pfn += p->pages - 1;
		break;
	case 5:
		p->step = PD_STEP_STRIDE2;
		p->pages = (p->pages + 1) / 2;
		break;
	case 6:
	case 7:
		if (p->pages > skew)
			cut(p, skew, p->pages - skew);
		break;
	default:
		break;
	}
}

static void place(struct pd_gen *g, struct pd_piece *p)
{
	if (p->cont)
		place_blocks(g, p);
	else if (p->order)
		place_pages(g, p);
	if (p->pages > PD_NR_VA - p->va)
		p->pages = PD_NR_VA - p->va;
	p->twice = !p->cont && p->type != PD_FOLIO_KSM && pd_chance(g->rng, 1, 16) &&
		   p->va + 2 * p->pages <= PD_NR_VA;
	p->alone = p->alone && !p->twice;
}

/* ---- the entries ---- */

static struct pd_record *add_map(struct pd_gen *g, const struct pd_piece *p)
{
	struct pd_record *rec = pd_gen_add(g, PD_KIND_MAP);

	pd_record_set(rec, PD_MAP_F_VA, (uint16_t)p->va);
	pd_record_set(rec, PD_MAP_F_PAGES, (uint16_t)(p->pages - 1));
	pd_record_set(rec, PD_MAP_F_PFN, (uint16_t)p->pfn);
	pd_record_set(rec, PD_MAP_F_STEP, p->step);
	return rec;
}

/* One draw gives all flags; what needs another flag is only set with it. */
static void map_piece(struct pd_gen *g, struct pd_piece *p)
{
	uint64_t r = pd_rng_next(g->rng);
	bool protnone = !(r >> 8 & 15);
	bool uffd_wp = g->vma.uffd && pd_in_vma(&g->vma, p) && !(r >> 12 & 3);
	struct pd_record *rec = add_map(g, p);

	p->excl = p->alone && (r & 7);
	p->frozen = protnone || uffd_wp;
	p->write = pd_may_write(g, p) && !p->frozen && (r >> 3 & 3);
	p->dirty = r >> 5 & 1;
	pd_record_set(rec, PD_MAP_F_CONT, p->cont);
	pd_record_set(rec, PD_MAP_F_YOUNG, r >> 6 & 1);
	pd_record_set(rec, PD_MAP_F_DIRTY, p->dirty);
	pd_record_set(rec, PD_MAP_F_WRITE, p->write);
	pd_record_set(rec, PD_MAP_F_EXCL, p->excl);
	pd_record_set(rec, PD_MAP_F_SOFT_DIRTY, !(r >> 14 & 3));
	pd_record_set(rec, PD_MAP_F_UFFD_WP, uffd_wp);
	pd_record_set(rec, PD_MAP_F_PROTNONE, protnone);
	pd_record_set(rec, PD_MAP_F_SPECIAL, p->special);
	pd_record_set(rec, PD_MAP_F_SHARED, !p->excl && !p->special && !(r >> 16 & 7));
	pd_record_set(rec, PD_MAP_F_SWDIRTY, p->write && p->dirty && !(r >> 19 & 3));
	pd_record_set(rec, PD_MAP_F_PROT, (r >> 21 & 15) ? 0 : r >> 25 & 3);
	pd_gen_mark(g, p->va);
	pd_gen_mark(g, p->va + p->pages / 2);
	pd_gen_mark(g, p->va + p->pages);
	if (p->twice) {
		struct pd_record again = *rec;

		p->va += p->pages;
		pd_record_set(&again, PD_MAP_F_VA, (uint16_t)p->va);
		*pd_gen_add(g, PD_KIND_MAP) = again;
	}
}

/* ---- non-present entries ---- */

static const uint8_t np_kinds[] = {
	PD_NP_HOLE, PD_NP_HOLE, PD_NP_HOLE, PD_NP_SWAP, PD_NP_SWAP, PD_NP_SWAP,
	PD_NP_MIGRATION_READ, PD_NP_MIGRATION_READ_EXCL, PD_NP_MIGRATION_WRITE,
	PD_NP_DEVICE_PRIVATE_READ, PD_NP_DEVICE_PRIVATE_WRITE, PD_NP_DEVICE_EXCLUSIVE,
	PD_NP_HWPOISON, PD_NP_MARKER_POISON, PD_NP_MARKER_GUARD, PD_NP_DEFERRED, PD_NP_DEFERRED,
};

static unsigned int choose_np(struct pd_gen *g, bool uffd, bool pfnmap)
{
	static const uint8_t pfnmap_kinds[] = { PD_NP_HOLE, PD_NP_MARKER_GUARD, PD_NP_DEFERRED };

	if (pfnmap)
		return PD_PICK(g->rng, pfnmap_kinds);
	if (uffd && pd_chance(g->rng, 3, 4))
		return pd_chance(g->rng, 1, 2) ? PD_NP_MARKER_UFFD_WP : PD_NP_SWAP;
	return PD_PICK(g->rng, np_kinds);
}

/* The pages that were swapped out last are still in the swap cache. */
static void np_swapcache(struct pd_gen *g, struct pd_record *swap)
{
	unsigned int pages = pd_record_get(swap, PD_NP_F_PAGES) + 1u;
	unsigned int pfn = alloc_frames(g, 0, pages);
	struct pd_record *rec = pd_gen_add(g, PD_KIND_FOLIO);

	pd_record_set(rec, PD_FOLIO_F_PFN, (uint16_t)pfn);
	pd_record_set(rec, PD_FOLIO_F_COUNT, (uint16_t)(pages - 1));
	pd_record_set(rec, PD_FOLIO_F_SWAPCACHE, 1);
	pd_record_set(swap, PD_NP_F_OFFSET, (uint16_t)pfn);
	pd_record_set(swap, PD_NP_F_TYPE, 0);
}

static void np_swap(struct pd_gen *g, struct pd_record *rec, uint64_t r)
{
	static const uint16_t offsets[] = { 0, 1, 100, 504, 510, 511, 512, 1023 };

	pd_record_set(rec, PD_NP_F_OFFSET, PD_PICK(g->rng, offsets));
	pd_record_set(rec, PD_NP_F_TYPE, (r & 3) ? 0 : r >> 2 & 7);
	pd_record_set(rec, PD_NP_F_EXCL, r >> 5 & 1);
	if (!(r >> 12 & 7))
		np_swapcache(g, rec);
}

/* The second half of a run of slots goes on as the first did, but with other bits. */
static void np_split(struct pd_gen *g, struct pd_record *rec, bool uffd)
{
	unsigned int pages = pd_record_get(rec, PD_NP_F_PAGES) + 1u, half = pages / 2;
	struct pd_record *rest = pd_gen_add(g, PD_KIND_NONPRESENT);
	uint64_t r = pd_rng_next(g->rng);

	*rest = *rec;
	pd_record_set(rec, PD_NP_F_PAGES, (uint16_t)(half - 1));
	pd_record_set(rest, PD_NP_F_PAGES, (uint16_t)(pages - half - 1));
	pd_record_set(rest, PD_NP_F_VA, (uint16_t)(pd_record_get(rec, PD_NP_F_VA) + half));
	pd_record_set(rest, PD_NP_F_OFFSET, (uint16_t)(pd_record_get(rec, PD_NP_F_OFFSET) + half));
	pd_record_set(rest, PD_NP_F_EXCL, r & 1);
	pd_record_set(rest, PD_NP_F_SOFT_DIRTY, r >> 1 & 1);
	pd_record_set(rest, PD_NP_F_UFFD_WP, uffd && (r >> 2 & 1));
}

/* Non-present entries over pages that mapped (or could map) frames from @pfn on. */
static void add_np(struct pd_gen *g, unsigned int va, unsigned int pages, unsigned int pfn)
{
	bool inside = va >= g->vma.lo && va + pages <= g->vma.hi, uffd = g->vma.uffd && inside;
	unsigned int kind = choose_np(g, uffd, g->vma.pfnmap && inside);
	struct pd_record *rec = pd_gen_add(g, PD_KIND_NONPRESENT);
	uint64_t r = pd_rng_next(g->rng);

	pd_record_set(rec, PD_NP_F_KIND, (uint16_t)kind);
	pd_record_set(rec, PD_NP_F_VA, (uint16_t)va);
	pd_record_set(rec, PD_NP_F_PAGES, (uint16_t)(pages - 1));
	if (kind == PD_NP_SWAP)
		np_swap(g, rec, r);
	else if ((kind >= PD_NP_MIGRATION_READ && kind <= PD_NP_HWPOISON) || kind == PD_NP_DEFERRED)
		pd_record_set(rec, PD_NP_F_OFFSET, (uint16_t)pfn);
	if (kind >= PD_NP_SWAP && kind <= PD_NP_DEVICE_EXCLUSIVE) {
		pd_record_set(rec, PD_NP_F_SOFT_DIRTY, !(r >> 8 & 3));
		pd_record_set(rec, PD_NP_F_UFFD_WP, uffd && (r >> 6 & 1));
	}
	if (kind == PD_NP_SWAP && pages > 1 && (r >> 16 & 1))
		np_split(g, rec, uffd);
	pd_gen_mark(g, va);
	pd_gen_mark(g, va + pages);
}

/* ---- what lies over or between a piece's pages ---- */

static void add_hole(struct pd_gen *g, const struct pd_piece *p)
{
	unsigned int at = pd_chance(g->rng, 1, 2) ? p->pages / 2 : pd_below(g->rng, p->pages);
	unsigned int most = p->pages - at < 4 ? p->pages - at : 4;

	add_np(g, p->va + at, 1 + pd_below(g->rng, most), p->pfn + at);
}

/* A small folio over part of a larger one, as copy-on-write leaves it. */
static void add_cow(struct pd_gen *g, const struct pd_piece *p)
{
	struct pd_piece small = { .va = p->va + pd_below(g->rng, p->pages), .alone = true };
	unsigned int room = p->va + p->pages - small.va;

	small.order = pd_chance(g->rng, 2, 3) ? 0 : 1 + pd_below(g->rng, 2);
	small.pages = 1u << small.order;
	small.pfn = alloc_frames(g, small.order, 1);
	add_folio(g, &small, 1);
	if (small.pages > room)
		small.pages = room;
	map_piece(g, &small);
}

static void overlay(struct pd_gen *g, const struct pd_piece *p)
{
	bool uffd = g->vma.uffd && pd_in_vma(&g->vma, p);
	bool likely = uffd || (p->pages > 2 && !p->cont);

	if (!pd_chance(g->rng, likely ? 6 : 2, 15))
		return;
	if (p->type == PD_FOLIO_ANON && !uffd && pd_chance(g->rng, 2, 5))
		add_cow(g, p);
	else
		add_hole(g, p);
}

/* ---- pieces ---- */

static unsigned int piece_np(struct pd_gen *g, unsigned int va)
{
	unsigned int pages = 1 + pd_below(g->rng, pd_chance(g->rng, 1, 2) ? 4 : 20);

	if (pages > PD_NR_VA - va)
		pages = PD_NR_VA - va;
	add_np(g, va, pages, alloc_frames(g, 0, pages));
	return va + pages;
}

/* Zero pages: special, one frame for all; dirty means that KSM placed them. */
static unsigned int piece_zero(struct pd_gen *g, unsigned int va)
{
	struct pd_piece p = {
		.va = va, .pfn = PD_ZERO_PFN, .step = PD_STEP_SAME, .special = true,
	};

	p.pages = 1 + pd_below(g->rng, 8);
	if (p.pages > PD_NR_VA - va)
		p.pages = PD_NR_VA - va;
	map_piece(g, &p);
	return va + p.pages;
}

/* Frames of a driver's memory, where no other present entry can be. */
static unsigned int piece_special(struct pd_gen *g, unsigned int va)
{
	struct pd_piece p = { .va = va, .special = true };

	p.pages = 1 + pd_below(g->rng, 2 * PD_BLOCK);
	if (p.pages > g->vma.hi - va)
		p.pages = g->vma.hi - va;
	p.pfn = alloc_frames(g, 0, p.pages);
	map_piece(g, &p);
	pd_gen_mix(g, &p);
	if (pd_chance(g->rng, 1, 3))
		add_hole(g, &p);
	return va + p.pages;
}

static unsigned int piece_folios(struct pd_gen *g, unsigned int va, unsigned int room)
{
	static const uint8_t mixes[] = { 0, 0, 1, 1, 1, 2, 2, 3 };
	struct pd_piece p = { .va = va };

	choose_folios(g, &p, room);
	place(g, &p);
	map_piece(g, &p);
	for (unsigned int left = PD_PICK(g->rng, mixes); left; left--)
		pd_gen_mix(g, &p);
	overlay(g, &p);
	return p.va + p.pages;
}

unsigned int pd_gen_piece(struct pd_gen *g, unsigned int va, unsigned int room)
{
	if (va >= PD_NR_VA)
		return PD_NR_VA;
	if (g->vma.pfnmap && va >= g->vma.lo && va < g->vma.hi)
		return piece_special(g, va);
	if (room < 64) {
		unsigned int what = pd_below(g->rng, 32);

		if (what < 2)
			return piece_np(g, va);
		if (what == 2 && !g->vma.shared)
			return piece_zero(g, va);
	}
	return piece_folios(g, va, room);
}
