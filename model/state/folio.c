/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "folio.h"

/* Contpte blocks lie in one folio, so one entry of each block is enough to find it. */
static void break_blocks(struct pd_state *s, unsigned int head)
{
	unsigned int g;

	pd_for_each_granule(g, s->va_touched, PD_VA_WORDS) {
		lpte_t pte = s->pte[g * PD_GRANULE];

		if ((pte & LPTE_CONT) && pd_head(s, lpte_pfn(pte)) == head)
			pd_state_break_block(s, g * PD_GRANULE);
	}
}

void pd_state_split_folio(struct pd_state *s, unsigned int head)
{
	struct pd_folio folio = s->folio[head];
	unsigned int pages = 1u << folio.order;

	break_blocks(s, head);
	folio.order = 0;
	for (unsigned int i = 0; i < pages; i++) {
		s->folio[head + i] = folio;
		if (s->page[head + i].pinned)
			s->folio[head + i].flags |= PD_FOLIO_PINNED;
		s->page[head + i].pinned = false;
		s->page[head + i].offset = 0;
		pd_touch_pfn(s, head + i);
		folio.index++;
	}
}

/* Entries that map the page of @pfn, or will when its migration is over. */
static unsigned int entries_naming(const struct pd_state *s, unsigned int pfn)
{
	unsigned int nr = 0, g;

	pd_for_each_granule(g, s->va_touched, PD_VA_WORDS)
		for (unsigned int va = g * PD_GRANULE; va < (g + 1) * PD_GRANULE; va++)
			nr += (lpte_normal(s->pte[va]) || lpte_pfn_swap(s->pte[va])) &&
			      lpte_pfn(s->pte[va]) == pfn;
	return nr;
}

void pd_state_end_migration(struct pd_state *s, unsigned int va)
{
	lpte_t old = s->pte[va], pte = old & (LPTE_SOFT_DIRTY | LPTE_UFFD_WP);
	unsigned int pfn = lpte_pfn(old);
	struct pd_page *page = &s->page[pfn];
	bool alone = pd_folio_of(s, pfn)->type != PD_FOLIO_KSM && !page->other &&
		     entries_naming(s, pfn) == 1;
	bool exclusive = alone && lpte_kind(old) != LPTE_KIND_MIGRATION_READ;

	if (exclusive && lpte_kind(old) == LPTE_KIND_MIGRATION_WRITE && !(old & LPTE_UFFD_WP) &&
	    !(pd_state_vma(s, va)->flags & PD_VMA_RO))
		pte |= LPTE_WRITE;
	page->exclusive = exclusive;
	pd_state_set(s, va, lpte_make(LPTE_KIND_PRESENT, pfn) | pte);
}

unsigned int pd_state_swapcache(const struct pd_state *s, lpte_t pte)
{
	unsigned int pfn = lpte_pfn(pte);
	const struct pd_folio *folio;

	if (lpte_kind(pte) != LPTE_KIND_SWAP || lpte_type(pte) || pfn >= PD_ZERO_PFN)
		return PD_NR_PFN;
	folio = pd_folio_of(s, pfn);
	if (!(folio->flags & PD_FOLIO_SWAPCACHE) || folio->type != PD_FOLIO_ANON ||
	    s->page[pfn].mapped || s->page[pfn].other)
		return PD_NR_PFN;
	return pfn;
}
