/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The world after an operation against the state that the reference left.
 *
 * Entries are compared raw first: equal words need no decoding. Where they differ, the judge's
 * decoder tells the fields apart, and the contract says which of them matter.
 */
#include <string.h>

#include "step.h"

static void mask_row(struct pd_masks *masks, const struct pd_row *row)
{
	if (row->subject != PD_SUBJECT_PTE)
		return;
	if (row->grade == PD_GRADE_EXACT)
		masks->exact[row->place] |= row->mask;
	else if (row->grade == PD_GRADE_OR)
		masks->or[row->place] |= row->mask;
	else if (row->grade == PD_GRADE_SUB)
		masks->sub[row->place] |= row->mask;
}

/* pd_masks_make() - the entry rows of a contract as masks, but those that do not always hold. */
void pd_masks_make(struct pd_masks *masks, const struct pd_row *rows)
{
	memset(masks, 0, sizeof(*masks));
	for (const struct pd_row *row = rows; row->field; row++) {
		if (row->when)
			masks->conditional = true;
		else
			mask_row(masks, row);
	}
}

/* pd_masks_add() - the rows that hold for a step with @args besides. */
void pd_masks_add(struct pd_masks *masks, const struct pd_row *rows, const void *args)
{
	for (const struct pd_row *row = rows; row->field; row++)
		if (row->when && row->when(args))
			mask_row(masks, row);
}

/* pd_row_holds() - is @row judged, and about steps like this one? */
bool pd_row_holds(const struct pd_step *st, const struct pd_row *row)
{
	return (!row->strict || st->strict) && (!row->when || row->when(st->args));
}

/* pd_hit() - @row is broken at @va (PD_NR_VA: at no page in particular). */
void pd_hit(struct pd_step *st, const struct pd_row *row, enum pd_relation relation,
	    unsigned int va, const char *text)
{
	struct pd_difference *hit = &st->hits[row - st->op->rows];

	if (!hit->row) {
		*hit = (struct pd_difference){ .row = row, .relation = relation, .va = va,
					       .pages = 1, .text = text };
		st->nr_hits++;
		return;
	}
	hit->pages++;
	if (va < hit->va) {
		hit->va = va;
		hit->relation = relation;
		hit->text = text;
	}
}

static bool cuts_block(unsigned int va, unsigned int first, unsigned int pages, unsigned int cont)
{
	unsigned int base = va / cont * cont;

	return base < first + pages && first < base + cont;
}

/* pd_place_of() - which of the contract's places page @va is in. */
enum pd_place pd_place_of(const struct pd_step *st, unsigned int va)
{
	const struct pd_span *span = &st->span;
	unsigned int cont = pd_arch_cont(st->arch);

	if (va - span->src < span->pages)
		return PD_PLACE_SRC;
	if (va - span->dst < span->pages)
		return PD_PLACE_DST;
	if (cont > 1 && (cuts_block(va, span->src, span->pages, cont) ||
			 cuts_block(va, span->dst, span->pages, cont)))
		return PD_PLACE_EDGE;
	return PD_PLACE_REST;
}

static enum pd_relation relation_of(lpte_t want, lpte_t got, lpte_t mask)
{
	if (mask == LPTE_KIND || (mask & LPTE_KIND & (want ^ got))) {
		if (lpte_none(want))
			return PD_RELATION_EXTRA;
		return lpte_none(got) ? PD_RELATION_MISSING : PD_RELATION_WRONG;
	}
	/* Of a number no bit is missing or extra. */
	if (mask & (LPTE_PFN | LPTE_TYPE))
		return PD_RELATION_WRONG;
	if (!(want & mask & ~got))
		return PD_RELATION_EXTRA;
	return got & mask & ~want ? PD_RELATION_WRONG : PD_RELATION_MISSING;
}

/* Find the rows that are broken at @va. Entries of two kinds differ in their kind only. */
static void hit_rows(struct pd_step *st, enum pd_place place, unsigned int va, lpte_t want,
		     lpte_t got, lpte_t broken)
{
	for (const struct pd_row *row = st->op->rows; row->field; row++) {
		lpte_t mask = row->mask & broken;

		if (row->subject != PD_SUBJECT_PTE || row->place != place || !mask ||
		    row->grade == PD_GRADE_DONT_CARE || !pd_row_holds(st, row))
			continue;
		pd_hit(st, row, relation_of(want, got, mask), va, NULL);
		if (mask & LPTE_KIND)
			return;
	}
}

/* The state as the implementation left it, begun as a copy of the expected one. */
static struct pd_state *got_state(struct pd_step *st)
{
	if (!st->got_differs) {
		pd_state_copy(st->got, st->expected);
		st->got_differs = true;
	}
	return st->got;
}

/* PD_GRADE_SUB: a block is treated as one, also where the range ends in the middle of it. */
static bool may_lose(const struct pd_step *st, enum pd_place place, unsigned int va)
{
	return place != PD_PLACE_EDGE || (st->before->pte[va] & LPTE_CONT);
}

/* What may be gained; soft-dirty, where it may be, comes with dirty: pte_mkdirty() sets both. */
static lpte_t may_gain(struct pd_step *st, enum pd_place place, unsigned int va)
{
	lpte_t bits = pd_ceiling_at(st, place, va);

	return bits & LPTE_DIRTY ? bits | LPTE_SOFT_DIRTY : bits;
}

static void compare_entry(struct pd_step *st, unsigned int va, lpte_t got)
{
	uint64_t arch = pd_arch_mask(st->arch);
	lpte_t want = st->expected->pte[va] & arch;
	lpte_t diff = want ^ got, or, sub, broken, gained;
	enum pd_place place;

	if (!diff)
		return;
	place = pd_place_of(st, va);
	or = st->masks->or[place];
	sub = st->masks->sub[place];
	broken = (diff & st->masks->exact[place]) | (want & ~got & or) | (got & ~want & sub);
	if (!may_lose(st, place, va))
		broken |= want & ~got & sub;
	gained = got & ~want & or;
	if (gained)
		broken |= gained & ~may_gain(st, place, va);
	/* What hardware set by itself is no business of the operation. */
	if (st->hw)
		broken &= ~(got & ~want & (LPTE_YOUNG | LPTE_DIRTY | or));
	if (broken)
		hit_rows(st, place, va, want, got, broken);
	got_state(st)->pte[va] = got | (st->expected->pte[va] & ~arch);
	pd_touch_va(st->got, va);
}

static const struct pd_row *row_of(const struct pd_step *st, enum pd_subject subject)
{
	for (const struct pd_row *row = st->op->rows; row->field; row++)
		if (row->subject == subject && pd_row_holds(st, row))
			return row;
	return NULL;
}

static void check_raw(struct pd_step *st, unsigned int va, uint64_t raw)
{
	const char *broken = pd_raw_broken(st->arch, raw);
	const struct pd_row *row = broken ? row_of(st, PD_SUBJECT_RAW) : NULL;

	if (row)
		pd_hit(st, row, PD_RELATION_WRONG, va, broken);
}

/* A contpte block: all or none, one frame after another, equal but for young and dirty. */
static void check_block(struct pd_step *st, unsigned int base, const lpte_t *pte)
{
	const lpte_t varies = LPTE_YOUNG | LPTE_DIRTY | LPTE_SWDIRTY;
	const struct pd_row *row = row_of(st, PD_SUBJECT_RAW);
	unsigned int cont = pd_arch_cont(st->arch);
	lpte_t any = 0;

	for (unsigned int i = 0; i < cont; i++)
		any |= pte[i];
	if (cont == 1 || !(any & LPTE_CONT) || !row)
		return;
	for (unsigned int i = 0; i < cont; i++) {
		lpte_t want = pte[0] + ((lpte_t)i << LPTE_PFN_SHIFT);

		if (((want ^ pte[i]) & ~varies) || lpte_pfn(pte[0]) % cont) {
			pd_hit(st, row, PD_RELATION_WRONG, base + i,
			       "a contpte block is not uniform");
			return;
		}
	}
}

static void compare_granule(struct pd_step *st, unsigned int g)
{
	static const uint64_t empty[PD_GRANULE];
	unsigned int base = g * PD_GRANULE;
	const uint64_t *raw = pd_world_entry(st->world, base);
	bool known = st->expected->va_touched[g / 64] >> (g % 64) & 1;
	lpte_t pte[PD_GRANULE];

	raw = raw ? raw : empty;
	if (!memcmp(raw, known ? &st->image->raw[base] : empty, sizeof(empty)))
		return;
	for (unsigned int i = 0; i < PD_GRANULE; i++) {
		pte[i] = pd_raw_decode(st->arch, raw[i]);
		check_raw(st, base + i, raw[i]);
		compare_entry(st, base + i, pte[i] & pd_arch_mask(st->arch));
	}
	check_block(st, base, pte);
}

static void compare_entries(struct pd_step *st)
{
	uint64_t map[PD_VA_WORDS];
	unsigned int g;

	for (unsigned int i = 0; i < PD_VA_WORDS; i++)
		map[i] = st->expected->va_touched[i] | st->world->pte_written[i];
	pd_for_each_granule(g, map, PD_VA_WORDS)
		compare_granule(st, g);
}

static uint64_t folio_rows(const struct page *want, const struct page *got)
{
	uint64_t rows = 0;

	rows |= want->index != got->index ? PD_FOLIO_ROW_INDEX : 0u;
	rows |= want->mapping != got->mapping ? PD_FOLIO_ROW_ANON_VMA : 0u;
	rows |= want->_refcount != got->_refcount ? PD_FOLIO_ROW_REFCOUNT : 0u;
	rows |= want->nid != got->nid ? PD_FOLIO_ROW_NODE : 0u;
	rows |= want->_mapcount != got->_mapcount ? PD_FOLIO_ROW_MAPCOUNT : 0u;
	rows |= (want->flags ^ got->flags) & PD_PG_ANON_EXCLUSIVE ? PD_FOLIO_ROW_EXCLUSIVE : 0u;
	rows |= (want->flags ^ got->flags) & ~(unsigned long)PD_PG_ANON_EXCLUSIVE ||
				want->compound_head != got->compound_head ?
			PD_FOLIO_ROW_FLAGS : 0u;
	return rows;
}

/* Pins come and go by themselves, like everything that hardware does; the next step has them. */
static void follow_pin(struct pd_step *st, struct page *want, unsigned int pfn,
		       const struct page *got)
{
	struct pd_folio *folio;

	if (!((want->flags ^ got->flags) & PD_PG_PINNED))
		return;
	want->flags ^= PD_PG_PINNED;
	folio = &got_state(st)->folio[pfn];
	folio->flags = (uint8_t)(folio->flags ^ PD_FOLIO_PINNED);
	pd_touch_pfn(st->got, pfn);
}

static void compare_page(struct pd_step *st, unsigned int pfn)
{
	const struct page *got = &st->world->memmap[pfn];
	struct page want;
	uint64_t rows;

	pd_page_image(&want, st->world->memmap, st->expected, pfn);
	if (st->hw)
		follow_pin(st, &want, pfn, got);
	rows = folio_rows(&want, got);
	if (!rows)
		return;
	for (const struct pd_row *row = st->op->rows; row->field; row++)
		if (row->subject == PD_SUBJECT_FOLIO && (row->mask & rows) &&
		    pd_row_holds(st, row))
			pd_hit(st, row, PD_RELATION_WRONG, PD_NR_VA, NULL);
}

static void compare_pages(struct pd_step *st)
{
	const size_t bytes = PD_GRANULE * sizeof(struct page);
	unsigned int g;

	pd_for_each_granule(g, st->expected->pfn_touched, PD_PFN_WORDS) {
		unsigned int base = g * PD_GRANULE;

		if (!(st->pages_changed[g / 64] >> (g % 64) & 1) &&
		    !memcmp(&st->world->memmap[base], &st->pages[base], bytes))
			continue;
		for (unsigned int i = 0; i < PD_GRANULE; i++)
			compare_page(st, base + i);
		memcpy(&st->pages[base], &st->world->memmap[base], bytes);
		st->pages_differ[g / 64] |= 1ULL << (g % 64);
	}
}

static void compare_counters(struct pd_step *st)
{
	uint64_t wrong = 0;

	for (unsigned int i = 0; i < PD_NR_COUNTERS; i++)
		if (st->world->counter[i] != st->expected->counter[i])
			wrong |= 1u << i;
	if (!wrong)
		return;
	for (const struct pd_row *row = st->op->rows; row->field; row++)
		if (row->subject == PD_SUBJECT_COUNTER && (row->mask & wrong) &&
		    pd_row_holds(st, row))
			pd_hit(st, row, PD_RELATION_WRONG, PD_NR_VA, NULL);
}

/* The first result of a kind in @mask at or after *@i; NULL at the end. */
static const struct pd_fact *next_result(const struct pd_results *r, uint64_t mask,
					   unsigned int *i)
{
	unsigned int nr = r->nr < PD_MAX_RESULTS ? r->nr : PD_MAX_RESULTS;

	while (*i < nr && !(mask >> r->list[*i].what & 1))
		++*i;
	return *i < nr ? &r->list[(*i)++] : NULL;
}

static bool same_results(const struct pd_results *want, const struct pd_results *got,
			 uint64_t mask, enum pd_relation *relation)
{
	const struct pd_fact *a, *b;
	unsigned int i = 0, k = 0;

	do {
		a = next_result(want, mask, &i);
		b = next_result(got, mask, &k);
		*relation = !a ? PD_RELATION_EXTRA : b ? PD_RELATION_WRONG : PD_RELATION_MISSING;
		if (!a != !b || (a && (a->what != b->what || a->a != b->a || a->b != b->b)))
			return false;
	} while (a);
	return true;
}

static void compare_row(struct pd_step *st, const struct pd_row *row)
{
	const struct pd_check check = {
		.before = st->before, .expected = st->expected, .args = st->args,
		.after = st->got_differs ? st->got : st->expected,
		.got = &st->world->results, .want_ret = st->outcome.ret, .got_ret = st->ret,
		.impl = st->impl, .arch = st->arch, .hw = st->hw,
		.holds = pd_arch_mask(st->arch), .decode = pd_raw_decode,
	};
	enum pd_relation relation = PD_RELATION_WRONG;
	const char *text = NULL;
	bool same;

	if (row->accepts) {
		text = row->accepts(&check);
		same = !text;
	} else if (row->subject == PD_SUBJECT_RETURN) {
		same = st->ret == st->outcome.ret;
	} else {
		same = same_results(&st->expected->results, check.got, row->mask, &relation);
	}
	if (!same)
		pd_hit(st, row, relation, PD_NR_VA, text);
}

/* Return value and results: what an operation says beside the state. */
static void compare_results(struct pd_step *st)
{
	for (const struct pd_row *row = st->op->rows; row->field; row++)
		if ((row->subject == PD_SUBJECT_RETURN || row->subject == PD_SUBJECT_RESULT) &&
		    pd_row_holds(st, row))
			compare_row(st, row);
}

/* Some entry of the folio of @pfn is dirty, or the folio itself. */
static bool folio_dirty(const struct pd_step *st, const struct pd_state *s, unsigned int pfn)
{
	unsigned int head = pd_head(s, pfn);
	unsigned int g;

	if (st->world->memmap[head].flags & PD_PG_DIRTY)
		return true;
	pd_for_each_granule(g, s->va_touched, PD_VA_WORDS)
		for (unsigned int va = g * PD_GRANULE; va < (g + 1) * PD_GRANULE; va++)
			if (lpte_normal(s->pte[va]) && (s->pte[va] & LPTE_DIRTY) &&
			    lpte_pfn(s->pte[va]) < PD_NR_PFN &&
			    pd_head(s, lpte_pfn(s->pte[va])) == head)
				return true;
	return false;
}

static void compare_hw(struct pd_step *st)
{
	const struct pd_state *s = st->got_differs ? st->got : st->expected;
	const struct pd_row *row = row_of(st, PD_SUBJECT_HW_DIRTY);

	for (unsigned int i = 0; i < st->world->nr_written && row; i++) {
		unsigned int pfn = st->world->written[i];

		/* Nobody writes back the zero page or what has no struct page. */
		if (pfn < PD_ZERO_PFN && !folio_dirty(st, s, pfn))
			pd_hit(st, row, PD_RELATION_MISSING, PD_NR_VA, NULL);
	}
}

/* pd_compare() - fill @st->hits; none when the implementation kept its contract. */
void pd_compare(struct pd_step *st)
{
	pd_compare_incidents(st);
	compare_entries(st);
	compare_pages(st);
	compare_counters(st);
	compare_results(st);
	compare_hw(st);
}
