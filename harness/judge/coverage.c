/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "coverage.h"

#include <stdlib.h>

#include "step.h"

struct pd_coverage *pd_coverage_new(void)
{
	return calloc(1, sizeof(struct pd_coverage));
}

void pd_coverage_free(struct pd_coverage *c)
{
	if (!c)
		return;
	for (unsigned int i = 0; i < PD_MAX_IMPLS; i++)
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++)
			free(c->cells[i][arch]);
	free(c);
}

static struct pd_cells *pd_cells_of(struct pd_coverage *c, size_t i, unsigned int arch)
{
	if (!c->cells[i][arch])
		c->cells[i][arch] = calloc(1, sizeof(struct pd_cells));
	return c->cells[i][arch];
}

void pd_coverage_add(struct pd_coverage *to, const struct pd_coverage *from)
{
	for (unsigned int i = 0; i < pd_nr_impls; i++) {
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
			const uint64_t *add = (const uint64_t *)from->cells[i][arch];
			uint64_t *sum = add ? (uint64_t *)pd_cells_of(to, i, arch) : NULL;

			for (size_t k = 0; sum && k < sizeof(struct pd_cells) / sizeof(*sum); k++)
				sum[k] += add[k];
		}
	}
}

/* ---- entries ---- */

static unsigned int pd_cover_kind(const struct pd_state *s, lpte_t pte)
{
	if (lpte_kind(pte) == LPTE_KIND_MARKER)
		return PD_COVER_KIND_MARKERS + lpte_type(pte);
	if (!lpte_present(pte))
		return lpte_kind(pte);
	if (lpte_pfn(pte) == PD_ZERO_PFN)
		return PD_COVER_KIND_ZERO_PAGE;
	if (pte & LPTE_SPECIAL)
		return PD_COVER_KIND_SPECIAL;
	return PD_COVER_KIND_NORMAL + pd_folio_of(s, lpte_pfn(pte))->type;
}

static bool pd_has_folio(lpte_t pte)
{
	return lpte_normal(pte) || (lpte_pfn_swap(pte) && lpte_kind(pte) != LPTE_KIND_HWPOISON);
}

static bool pd_is_cut(const struct pd_step *st, unsigned int va)
{
	unsigned int block = pd_arch_cont(st->arch), base = va - va % block;

	return (st->before->pte[va] & LPTE_CONT) && lpte_present(st->before->pte[va]) &&
	       (base < st->span.src || base + block > st->span.src + st->span.pages);
}

static unsigned int pd_cover_places(const struct pd_step *st, unsigned int va)
{
	const struct pd_state *s = st->before;
	const struct pd_vma *vma = pd_state_vma(s, va);
	unsigned int places = 0, last = st->span.src + st->span.pages - 1;
	lpte_t pte = s->pte[va];

	places |= (unsigned int)(va == st->span.src) << PD_COVER_RANGE_FIRST;
	places |= (unsigned int)(va == last) << PD_COVER_RANGE_LAST;
	places |= (unsigned int)(va % PD_TABLE_PAGES == 0) << PD_COVER_TABLE_FIRST;
	places |= (unsigned int)((va + 1) % PD_TABLE_PAGES == 0) << PD_COVER_TABLE_LAST;
	places |= (unsigned int)((va == vma->start && va) ||
				 (va + 1 == (unsigned int)vma->start + vma->pages &&
				  va + 1 < PD_NR_VA)) << PD_COVER_VMA_EDGE;
	places |= (unsigned int)pd_is_cut(st, va) << PD_COVER_BLOCK_CUT;
	if (pd_has_folio(pte) && pd_folio_of(s, lpte_pfn(pte))->order) {
		unsigned int offset = s->page[lpte_pfn(pte)].offset;
		unsigned int end = (1u << pd_folio_of(s, lpte_pfn(pte))->order) - 1;

		places |= (unsigned int)(offset == 0) << PD_COVER_FOLIO_FIRST;
		places |= (unsigned int)(offset == end) << PD_COVER_FOLIO_LAST;
	}
	return places ? places : 1u << PD_COVER_INSIDE;
}

/* What holds for every entry of the step. */
static unsigned int pd_cover_around(const struct pd_step *st)
{
	return (unsigned int)st->before->bbml << PD_COVER_BBML |
	       (unsigned int)st->hw << PD_COVER_HW |
	       (unsigned int)(st->before->faults.nr > 0) << PD_COVER_FAULT |
	       (unsigned int)(st->before->nr_deferred > 0) << PD_COVER_DEFERRED;
}

static unsigned int pd_cover_flags(const struct pd_state *s, lpte_t pte)
{
	static const struct {
		lpte_t mask;
		enum pd_cover_flag flag;
	} bits[] = {
		{ LPTE_WRITE, PD_COVER_WRITE }, { LPTE_YOUNG, PD_COVER_YOUNG },
		{ LPTE_DIRTY, PD_COVER_DIRTY }, { LPTE_SOFT_DIRTY, PD_COVER_SOFT_DIRTY },
		{ LPTE_UFFD_WP, PD_COVER_UFFD_WP }, { LPTE_PROTNONE, PD_COVER_PROTNONE },
		{ LPTE_EXCLUSIVE, PD_COVER_EXCLUSIVE }, { LPTE_CONT, PD_COVER_CONT },
		{ LPTE_SWDIRTY, PD_COVER_SWDIRTY },
	};
	unsigned int flags = 0;

	for (unsigned int i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		flags |= (unsigned int)((pte & bits[i].mask) != 0) << bits[i].flag;
	if (!pd_has_folio(pte))
		return flags;
	flags |= (unsigned int)s->page[lpte_pfn(pte)].exclusive << PD_COVER_EXCLUSIVE;
	flags |= (unsigned int)((pd_folio_of(s, lpte_pfn(pte))->flags & PD_FOLIO_PINNED) != 0)
		 << PD_COVER_PINNED;
	return flags;
}

static void pd_cover_entry(struct pd_cells *cells, const struct pd_step *st, unsigned int va,
			   unsigned int around)
{
	const struct pd_state *s = st->before;
	lpte_t pte = s->pte[va] & pd_arch_mask(st->arch);
	unsigned int kind = pd_cover_kind(s, pte), order = PD_COVER_NO_ORDER;
	unsigned int places = pd_cover_places(st, va), flags = around | pd_cover_flags(s, pte);

	if (pd_has_folio(pte))
		order = pd_folio_of(s, lpte_pfn(pte))->order;
	if (!flags)
		flags = 1u << PD_COVER_PLAIN;
	for (unsigned int p = 0; p < PD_NR_COVER_PLACES; p++)
		for (unsigned int f = 0; f < PD_NR_COVER_FLAGS; f++)
			cells->entry[kind][order][p][f] += (places >> p) & (flags >> f) & 1;
}

/* ---- arguments ---- */

/* Flags and choices as they are, numbers by their highest bit. */
static unsigned int pd_cover_size(const struct pd_field *field, const struct pd_record *rec)
{
	struct pd_bits at = field->form == PD_FORM_RANGE ? field->more : field->at;
	unsigned int value = pd_record_get(rec, at);

	value += field->form == PD_FORM_RANGE || field->form == PD_FORM_TIMES;
	if (field->form == PD_FORM_FLAG || field->form == PD_FORM_ENUM)
		return value < PD_NR_COVER_SIZES ? value : PD_NR_COVER_SIZES - 1;
	return value ? 32u - (unsigned int)__builtin_clz(value) : 0;
}

static bool pd_is_covered(const struct pd_field *field)
{
	return field->form != PD_FORM_LITERAL && field->form != PD_FORM_PATTERN &&
	       (field->form == PD_FORM_RANGE || field->role == PD_ROLE_PLAIN);
}

static void pd_cover_arguments(struct pd_cells *cells, const struct pd_step *st,
			       enum pd_verdict verdict)
{
	const struct pd_field *field = st->op->kind.fields;
	struct pd_record rec = { .kind = st->op->kind.number };

	pd_op_record(st->op, st->args, &rec);
	for (unsigned int i = 0; field[i].form != PD_FORM_END && i < PD_MAX_COVER_FIELDS; i++)
		if (pd_is_covered(&field[i]))
			cells->argument[i][pd_cover_size(&field[i], &rec)][verdict]++;
}

void pd_coverage_step(struct pd_coverage *c, const struct pd_impl_entry *entry,
		      const struct pd_step *st, enum pd_verdict verdict)
{
	struct pd_cells *cells = pd_cells_of(c, (size_t)(entry - pd_impls), st->arch);
	unsigned int around = pd_cover_around(st);

	if (!cells)
		return;
	pd_cover_arguments(cells, st, verdict);
	for (unsigned int va = st->span.src; va < st->span.src + st->span.pages; va++)
		pd_cover_entry(cells, st, va, around);
}
