/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting what scenarios contain. Printing the counts: histogram_print.c
 */
#include <stdlib.h>

#include "harness/scenario/generate/generate.h"
#include "histogram.h"

/* Smallest extent of each bucket: 1, 2, 3 to 14, 15, 16, 17, ... */
const uint16_t pd_histogram_extents[PD_NR_EXTENTS] = {
	1, 2, 3, 15, 16, 17, 18, 31, 32, 33, 34, 511, 512, 513,
};

/* Pages [@va, @va + @pages) map frames from @pfn on, all of the folio at @head. */
struct run {
	unsigned int va, pages, pfn, head, order;
};

struct pd_histogram *pd_histogram_new(void)
{
	struct pd_histogram *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->state = malloc(sizeof(*h->state));
	if (!h->state) {
		free(h);
		return NULL;
	}
	pd_state_init(h->state);
	return h;
}

void pd_histogram_free(struct pd_histogram *h)
{
	if (h)
		free(h->state);
	free(h);
}

static void count(struct pd_histogram *h, enum pd_feature feature)
{
	h->feature[feature]++;
}

/* ---- runs ---- */

static bool continues(const struct pd_state *s, const struct run *run, unsigned int va)
{
	lpte_t pte = s->pte[va];

	return lpte_normal(pte) && lpte_pfn(pte) == run->pfn + (va - run->va) &&
	       pd_head(s, lpte_pfn(pte)) == run->head;
}

/* The run that begins at page @va, which maps a frame. */
static struct run run_at(const struct pd_state *s, unsigned int va)
{
	struct run run = { .va = va, .pfn = lpte_pfn(s->pte[va]), .pages = 1 };

	run.head = pd_head(s, run.pfn);
	run.order = s->folio[run.head].order;
	while (va + run.pages < PD_NR_VA && continues(s, &run, va + run.pages))
		run.pages++;
	return run;
}

static void count_place(struct pd_histogram *h, const struct run *run)
{
	bool first = run->pfn == run->head;
	bool last = run->pfn + run->pages == run->head + (1u << run->order);

	if (first && last)
		count(h, PD_FEATURE_RUN_WHOLE);
	else if (first)
		count(h, PD_FEATURE_RUN_PREFIX);
	else if (last)
		count(h, PD_FEATURE_RUN_SUFFIX);
	else
		count(h, PD_FEATURE_RUN_MIDDLE);
}

static void count_borders(struct pd_histogram *h, const struct run *run)
{
	unsigned int end = run->va + run->pages, skew = (run->pfn - run->va) % PD_BLOCK;

	if (run->va / PD_TABLE != (end - 1) / PD_TABLE)
		count(h, PD_FEATURE_RUN_TABLE);
	if (pd_state_vma(h->state, run->va) != pd_state_vma(h->state, end - 1))
		count(h, PD_FEATURE_RUN_VMA);
	if (skew == 0)
		count(h, PD_FEATURE_RUN_SKEW_0);
	if (skew == 1 || skew == PD_BLOCK - 1)
		count(h, PD_FEATURE_RUN_SKEW_1);
	if (skew == 8)
		count(h, PD_FEATURE_RUN_SKEW_8);
	if (h->state->page[run->pfn].mapped > 1)
		count(h, PD_FEATURE_RUN_TWICE);
}

static bool has(const struct pd_state *s, unsigned int va, enum pd_mix_field field)
{
	static const lpte_t masks[PD_NR_MIX_FIELDS] = {
		[PD_MIX_WRITE] = LPTE_WRITE,	   [PD_MIX_YOUNG] = LPTE_YOUNG,
		[PD_MIX_DIRTY] = LPTE_DIRTY,	   [PD_MIX_SOFT_DIRTY] = LPTE_SOFT_DIRTY,
		[PD_MIX_UFFD_WP] = LPTE_UFFD_WP,   [PD_MIX_PROTNONE] = LPTE_PROTNONE,
	};

	if (field == PD_MIX_EXCLUSIVE)
		return s->page[lpte_pfn(s->pte[va])].exclusive;
	return s->pte[va] & masks[field];
}

/* How @field lies over @run: where it changes from one page to the next says it. */
static enum pd_mix mix_of(const struct pd_state *s, const struct run *run,
			  enum pd_mix_field field)
{
	unsigned int changes = 0, at = 0;

	for (unsigned int i = 1; i < run->pages; i++) {
		if (has(s, run->va + i, field) == has(s, run->va + i - 1, field))
			continue;
		changes++;
		at = i;
	}
	if (!changes)
		return has(s, run->va, field) ? PD_MIX_ALL_SET : PD_MIX_NONE_SET;
	if (changes == 1 && at == 1)
		return PD_MIX_FIRST;
	if (changes == 1 && at == run->pages - 1)
		return PD_MIX_LAST;
	if (changes == 1 && (at % 8 == 0 || at == (run->pages + 1) / 2))
		return PD_MIX_HALF;
	return changes == run->pages - 1 ? PD_MIX_ALTERNATING : PD_MIX_OTHER;
}

/* ---- a run and the one before it ---- */

/* Does @run go on where @before stopped, in the same folio, after something else? */
static bool resumes(const struct run *before, const struct run *run)
{
	return before->pages && before->head == run->head && run->order &&
	       before->va + before->pages < run->va &&
	       before->pfn + (run->va - before->va) == run->pfn;
}

static void count_between(struct pd_histogram *h, const struct run *before, const struct run *run)
{
	lpte_t pte = h->state->pte[before->va + before->pages];

	if (lpte_none(pte))
		count(h, PD_FEATURE_HOLE_BETWEEN);
	else if (!lpte_present(pte))
		count(h, PD_FEATURE_NP_BETWEEN);
	else if (run->order)
		count(h, PD_FEATURE_ABA);
}

static void count_neighbours(struct pd_histogram *h, const struct run *before,
			     const struct run *run)
{
	unsigned int last = before->pfn + before->pages - 1;

	if (!before->pages || before->va + before->pages != run->va)
		return;
	if (before->head != run->head) {
		if (last + 1 == run->pfn && before->order && run->order)
			count(h, PD_FEATURE_ADJACENT);
		return;
	}
	if (run->pfn + 1 == last)
		count(h, PD_FEATURE_REVERSED);
	if (run->pfn == last + 2)
		count(h, PD_FEATURE_STRIDE2);
}

static void count_run(struct pd_histogram *h, const struct run *run)
{
	h->order[run->order]++;
	count_borders(h, run);
	if (!run->order)
		return;
	count_place(h, run);
	if (run->pages > 1)
		for (unsigned int field = 0; field < PD_NR_MIX_FIELDS; field++)
			h->mix[field][mix_of(h->state, run, (enum pd_mix_field)field)]++;
}

/* Two runs back are kept: one of the folio, and one that lies between. */
static void count_runs(struct pd_histogram *h)
{
	const struct pd_state *s = h->state;
	struct run older = { 0 }, before = { 0 };

	for (unsigned int va = 0; va < PD_NR_VA; va++) {
		struct run run;

		if (!lpte_normal(s->pte[va]))
			continue;
		run = run_at(s, va);
		count_run(h, &run);
		count_neighbours(h, &before, &run);
		if (resumes(&before, &run))
			count_between(h, &before, &run);
		else if (resumes(&older, &run))
			count_between(h, &older, &run);
		older = before;
		before = run;
		va += run.pages - 1;
	}
}

/* ---- single entries and blocks ---- */

static void count_special(struct pd_histogram *h, lpte_t pte)
{
	if (lpte_pfn(pte) == PD_ZERO_PFN) {
		h->feature[PD_FEATURE_ZERO_PAGE]++;
		h->feature[PD_FEATURE_ZERO_PAGE_BARRED] += !!(pte & (LPTE_UFFD_WP | LPTE_PROTNONE));
	} else {
		h->feature[PD_FEATURE_SPECIAL]++;
		h->feature[PD_FEATURE_SPECIAL_WRITE] += !!(pte & LPTE_WRITE);
	}
}

static void count_present(struct pd_histogram *h, lpte_t pte)
{
	unsigned int type;

	h->feature[PD_FEATURE_SWDIRTY] += !!(pte & LPTE_SWDIRTY);
	if (!lpte_normal(pte)) {
		count_special(h, pte);
		return;
	}
	type = pd_folio_of(h->state, lpte_pfn(pte))->type;
	h->feature[PD_FEATURE_DEVICE_WRITE] += type == PD_FOLIO_DEVICE && (pte & LPTE_WRITE);
	h->feature[PD_FEATURE_FILE_UFFD_WP] += type == PD_FOLIO_FILE && (pte & LPTE_UFFD_WP);
}

static void count_entries(struct pd_histogram *h)
{
	for (unsigned int va = 0; va < PD_NR_VA; va++) {
		lpte_t pte = h->state->pte[va];

		if (lpte_none(pte))
			continue;
		if (lpte_kind(pte) == LPTE_KIND_MARKER)
			h->marker[lpte_type(pte)]++;
		h->kind[lpte_kind(pte)]++;
		if (lpte_present(pte)) {
			count_present(h, pte);
		} else {
			h->feature[PD_FEATURE_NP_UFFD_WP] += !!(pte & LPTE_UFFD_WP);
			h->feature[PD_FEATURE_NP_SOFT_DIRTY] += !!(pte & LPTE_SOFT_DIRTY);
		}
	}
}

static unsigned int in_block(const struct pd_state *s, unsigned int base, lpte_t mask)
{
	unsigned int set = 0;

	for (unsigned int i = 0; i < PD_BLOCK; i++)
		set += (s->pte[base + i] & mask) != 0;
	return set;
}

static bool is_block(const struct pd_state *s, unsigned int va)
{
	return lpte_present(s->pte[va]) && (s->pte[va] & LPTE_CONT);
}

static unsigned int count_blocks(struct pd_histogram *h)
{
	const struct pd_state *s = h->state;
	unsigned int blocks = 0;

	for (unsigned int va = 0; va < PD_NR_VA; va += PD_BLOCK) {
		if (!is_block(s, va))
			continue;
		blocks++;
		count(h, PD_FEATURE_BLOCK);
		if (pd_state_vma(s, va) != pd_state_vma(s, va + PD_BLOCK - 1))
			count(h, PD_FEATURE_BLOCK_VMA);
		if (in_block(s, va, LPTE_YOUNG) == 1)
			count(h, PD_FEATURE_BLOCK_ONE_YOUNG);
		if (in_block(s, va, LPTE_DIRTY) == 1)
			count(h, PD_FEATURE_BLOCK_ONE_DIRTY);
		if (va && is_block(s, va - 1) && ((s->pte[va] ^ s->pte[va - 1]) & LPTE_WRITE) &&
		    pd_head(s, lpte_pfn(s->pte[va])) == pd_head(s, lpte_pfn(s->pte[va - 1])))
			count(h, PD_FEATURE_BLOCK_WRITE_DIFFERS);
	}
	return blocks;
}

/* ---- operations ---- */

/* How a range begins at page @in, or ends with it; @out is the page beside it. */
static void count_edge(struct pd_histogram *h, uint64_t *edge, unsigned int in, unsigned int out)
{
	const struct pd_state *s = h->state;
	unsigned int border = in > out ? in : out;
	lpte_t pte = s->pte[in], beside = out < PD_NR_VA ? s->pte[out] : 0;
	bool same, block;
	unsigned int pfn = lpte_pfn(pte), size;

	edge[PD_EDGE_TABLE] += border % PD_TABLE == 0;
	edge[PD_EDGE_NEAR_TABLE] += (border + 1) % PD_TABLE == 0 || border % PD_TABLE == 1;
	edge[PD_EDGE_EMPTY] += lpte_none(pte);
	edge[PD_EDGE_NONPRESENT] += !lpte_none(pte) && !lpte_present(pte);
	if (!lpte_normal(pte))
		return;
	size = 1u << pd_folio_of(s, pfn)->order;
	same = lpte_normal(beside) && lpte_pfn(beside) == pfn + out - in &&
	       pd_head(s, lpte_pfn(beside)) == pd_head(s, pfn);
	block = pte & LPTE_CONT;
	edge[PD_EDGE_SMALL] += size == 1;
	edge[PD_EDGE_INSIDE] += same;
	edge[PD_EDGE_FOLIO] += size > 1 && s->page[pfn].offset == (in > out ? 0 : size - 1);
	edge[PD_EDGE_RUN] += !same && s->page[pfn].offset != (in > out ? 0 : size - 1);
	edge[PD_EDGE_BLOCK] += block && border % PD_BLOCK == 0;
	edge[PD_EDGE_IN_BLOCK] += block && border % PD_BLOCK != 0;
}

static enum pd_shift shift_of(const struct pd_span *span)
{
	unsigned int by = (span->dst - span->src) % PD_TABLE;

	switch (by) {
	case 0:
		return PD_SHIFT_0;
	case 1:
		return PD_SHIFT_1;
	case 8:
		return PD_SHIFT_8;
	case 16:
		return PD_SHIFT_16;
	default:
		return by % PD_BLOCK ? PD_SHIFT_OTHER : PD_SHIFT_BLOCKS;
	}
}

static void count_extent(struct pd_histogram *h, unsigned int pages)
{
	unsigned int i = PD_NR_EXTENTS - 1;

	while (i && pages < pd_histogram_extents[i])
		i--;
	h->extent[i]++;
}

static bool crosses(unsigned int va, unsigned int pages)
{
	return va / PD_TABLE != (va + pages - 1) / PD_TABLE;
}

static void count_span(struct pd_histogram *h, const struct pd_span *span)
{
	unsigned int end = span->src + span->pages;

	h->pages += span->pages;
	for (unsigned int va = span->src; va < end; va++)
		h->populated += !lpte_none(h->state->pte[va]);
	count_extent(h, span->pages);
	count_edge(h, h->edge[0], span->src, span->src - 1);
	count_edge(h, h->edge[1], end - 1, end);
	if (crosses(span->src, span->pages))
		count(h, PD_FEATURE_OP_SRC_TABLE);
	if (span->dst == span->src)
		return;
	h->shift[shift_of(span)]++;
	if (crosses(span->dst, span->pages))
		count(h, PD_FEATURE_OP_DST_TABLE);
	else if (span->dst / PD_TABLE == span->src / PD_TABLE)
		count(h, PD_FEATURE_OP_ONE_TABLE);
	if (span->pages >= PD_TABLE && span->src % PD_TABLE == 0 && span->dst % PD_TABLE == 0)
		count(h, PD_FEATURE_OP_WHOLE_TABLE);
}

/* One operation, seen on the state that it meets; the state goes on behind it. */
static void count_op(struct pd_histogram *h, const struct pd_op *op, const struct pd_record *rec)
{
	uint64_t args[PD_MAX_ARGS / sizeof(uint64_t)] = { 0 };
	struct pd_span span;

	pd_op_args(op, rec, args);
	if (op->fit(h->state, args))
		return;
	count(h, PD_FEATURE_OP_FITS);
	span = op->span(args);
	if (span.pages)
		count_span(h, &span);
	if (op->prepare)
		op->prepare(h->state, args);
	if (op->reference(h->state, args).changed)
		count(h, PD_FEATURE_OP_CHANGES);
}

static void count_records(struct pd_histogram *h, const struct scenario *sc)
{
	bool seen[UINT8_MAX + 1] = { false };
	unsigned int ops = 0, slots = PD_COUNT(h->steps);

	for (unsigned int i = 0; i < sc->nr; i++) {
		seen[sc->rec[i].kind] = true;
		ops += pd_op_by_kind(sc->rec[i].kind) != NULL;
		h->layout += pd_kind_class(sc->rec[i].kind) < pd_kind_class(PD_KIND_HW);
	}
	h->ops += ops;
	h->steps[ops < slots ? ops : slots - 1]++;
	h->feature[PD_FEATURE_VMA] += seen[PD_KIND_VMA];
	h->feature[PD_FEATURE_HW] += seen[PD_KIND_HW];
	h->feature[PD_FEATURE_FAULT] += seen[PD_KIND_FAULT];
}

void pd_histogram_add(struct pd_histogram *h, const struct scenario *sc)
{
	struct pd_repair repair = { 0 };

	h->scenarios++;
	count_records(h, sc);
	pd_state_clear(h->state);
	pd_build(sc, h->state, &repair);
	h->feature[PD_FEATURE_REPAIRED] += repair.count != 0;
	h->feature[PD_FEATURE_BBML] += h->state->bbml;
	h->feature[PD_FEATURE_DEFERRED] += h->state->nr_deferred != 0;
	count_runs(h);
	count_entries(h);
	h->feature[PD_FEATURE_CONT] += count_blocks(h) != 0;
	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_op *op = pd_op_by_kind(sc->rec[i].kind);

		if (op)
			count_op(h, op, &sc->rec[i]);
	}
}
