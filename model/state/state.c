/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "state.h"

static void pd_default_vma(struct pd_state *s)
{
	s->vma[0] = (struct pd_vma){ .pages = PD_NR_VA };
	s->nr_vmas = 1;
}

void pd_state_init(struct pd_state *s)
{
	memset(s, 0, sizeof(*s));
	pd_default_vma(s);
}

PD_NO_COVERAGE void pd_state_clear(struct pd_state *s)
{
	unsigned int g;

	pd_for_each_granule(g, s->va_touched, PD_VA_WORDS)
		memset(&s->pte[g * PD_GRANULE], 0, PD_GRANULE * sizeof(s->pte[0]));
	pd_for_each_granule(g, s->pfn_touched, PD_PFN_WORDS) {
		memset(&s->page[g * PD_GRANULE], 0, PD_GRANULE * sizeof(s->page[0]));
		memset(&s->folio[g * PD_GRANULE], 0, PD_GRANULE * sizeof(s->folio[0]));
	}
	memset(s->va_touched, 0, sizeof(s->va_touched));
	memset(s->pfn_touched, 0, sizeof(s->pfn_touched));
	memset(s->counter, 0, sizeof(s->counter));
	s->nr_deferred = 0;
	s->bbml = false;
	s->faults.nr = 0;
	s->results.nr = 0;
	pd_default_vma(s);
}

void pd_state_copy(struct pd_state *to, const struct pd_state *from)
{
	unsigned int g;

	pd_state_clear(to);
	pd_for_each_granule(g, from->va_touched, PD_VA_WORDS)
		memcpy(&to->pte[g * PD_GRANULE], &from->pte[g * PD_GRANULE],
		       PD_GRANULE * sizeof(to->pte[0]));
	pd_for_each_granule(g, from->pfn_touched, PD_PFN_WORDS) {
		memcpy(&to->page[g * PD_GRANULE], &from->page[g * PD_GRANULE],
		       PD_GRANULE * sizeof(to->page[0]));
		memcpy(&to->folio[g * PD_GRANULE], &from->folio[g * PD_GRANULE],
		       PD_GRANULE * sizeof(to->folio[0]));
	}
	memcpy(to->va_touched, from->va_touched, sizeof(to->va_touched));
	memcpy(to->pfn_touched, from->pfn_touched, sizeof(to->pfn_touched));
	memcpy(to->vma, from->vma, from->nr_vmas * sizeof(to->vma[0]));
	to->nr_vmas = from->nr_vmas;
	memcpy(to->deferred, from->deferred, from->nr_deferred * sizeof(to->deferred[0]));
	to->nr_deferred = from->nr_deferred;
	memcpy(to->counter, from->counter, sizeof(to->counter));
	to->bbml = from->bbml;
	memcpy(to->faults.list, from->faults.list, from->faults.nr * sizeof(to->faults.list[0]));
	to->faults.nr = from->faults.nr;
	to->results.nr = 0;
}

const struct pd_vma *pd_state_vma(const struct pd_state *s, unsigned int va)
{
	const struct pd_vma *v = s->vma;

	while (va >= (unsigned int)v->start + v->pages)
		v++;
	return v;
}

/* The part of @v in [@start, @end), if any, appended to @to. */
static void pd_vma_keep(struct pd_vma *to, unsigned int *nr, const struct pd_vma *v,
			unsigned int start, unsigned int end)
{
	unsigned int first = v->start > start ? v->start : start;
	unsigned int v_end = (unsigned int)v->start + v->pages;
	unsigned int last = v_end < end ? v_end : end;

	if (first >= last)
		return;
	to[(*nr)++] = (struct pd_vma){
		.start = (uint16_t)first,
		.pages = (uint16_t)(last - first),
		.pgoff = (uint16_t)(v->pgoff + (first - v->start)),
		.flags = v->flags,
	};
}

bool pd_state_set_vma(struct pd_state *s, const struct pd_vma *vma)
{
	struct pd_vma to[PD_MAX_VMAS + 2];
	unsigned int end = (unsigned int)vma->start + vma->pages;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < s->nr_vmas; i++)
		pd_vma_keep(to, &nr, &s->vma[i], 0, vma->start);
	to[nr++] = *vma;
	for (unsigned int i = 0; i < s->nr_vmas; i++)
		pd_vma_keep(to, &nr, &s->vma[i], end, PD_NR_VA);
	if (nr > PD_MAX_VMAS)
		return false;
	memcpy(s->vma, to, nr * sizeof(to[0]));
	s->nr_vmas = nr;
	return true;
}

/* Add @sign times what @pte means for its page and for the counters. */
static void pd_account(struct pd_state *s, lpte_t pte, int sign)
{
	enum lpte_kind kind = lpte_kind(pte);
	unsigned int pfn = lpte_pfn(pte);

	if (kind == LPTE_KIND_SWAP) {
		s->counter[PD_COUNTER_SWAP] += sign;
		return;
	}
	if (!lpte_normal(pte) && !lpte_pfn_swap(pte)) {
		/* Dirty on a zero-page entry says that KSM put it there. */
		if (lpte_present(pte) && pfn == PD_ZERO_PFN && (pte & LPTE_DIRTY))
			s->counter[PD_COUNTER_KSM_ZERO] += sign;
		return;
	}
	if (pfn >= PD_NR_PFN || kind == LPTE_KIND_HWPOISON)
		return;
	if (pd_folio_of(s, pfn)->type == PD_FOLIO_FILE)
		s->counter[PD_COUNTER_FILE] += sign;
	else
		s->counter[PD_COUNTER_ANON] += sign;
	if (kind == LPTE_KIND_PRESENT || kind >= LPTE_KIND_DEVICE_PRIVATE_READ) {
		s->page[pfn].mapped = (uint16_t)(s->page[pfn].mapped + sign);
		pd_touch_pfn(s, pfn);
	}
}

void pd_state_set(struct pd_state *s, unsigned int va, lpte_t pte)
{
	pd_account(s, s->pte[va], -1);
	pd_account(s, pte, 1);
	s->pte[va] = pte;
	pd_touch_va(s, va);
}

void pd_state_break_block(struct pd_state *s, unsigned int va)
{
	unsigned int base = va / PD_GRANULE * PD_GRANULE;

	if (!(s->pte[va] & LPTE_CONT))
		return;
	for (unsigned int i = 0; i < PD_GRANULE; i++)
		s->pte[base + i] &= ~LPTE_CONT;
}

bool pd_state_folio_fails(struct pd_state *s, enum pd_fault_site site, unsigned int head)
{
	for (unsigned int i = 0; i < s->faults.nr; i++) {
		struct pd_fault *f = &s->faults.list[i];
		lpte_t pte = s->pte[f->va];

		if (f->site != site || !f->times || !lpte_normal(pte) ||
		    lpte_pfn(pte) >= PD_NR_PFN || pd_head(s, lpte_pfn(pte)) != head)
			continue;
		f->times--;
		return true;
	}
	return false;
}

unsigned int pd_state_linear(const struct pd_state *s, unsigned int va)
{
	const struct pd_vma *v = pd_state_vma(s, va);

	return v->pgoff + (va - v->start);
}
