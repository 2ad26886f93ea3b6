/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "legal.h"

/* Which folios and special entries a VMA may map. */
static bool pd_type_fits(const struct pd_vma *v, const struct pd_state *s, lpte_t pte)
{
	unsigned int type = pd_folio_of(s, lpte_pfn(pte))->type;

	if (v->flags & PD_VMA_PFNMAP)
		return false;
	if (v->flags & PD_VMA_SHARED)
		return type == PD_FOLIO_FILE && (v->flags & PD_VMA_FILE);
	return type != PD_FOLIO_FILE || (v->flags & PD_VMA_FILE);
}

static enum pd_rule pd_legal_nonpresent(const struct pd_state *s, const struct pd_vma *v,
					lpte_t pte)
{
	bool wp = v->flags & PD_VMA_UFFD_WP;

	if (lpte_kind(pte) >= LPTE_NR_KINDS)
		return PD_RULE_FRAME;
	if ((v->flags & PD_VMA_PFNMAP) && lpte_kind(pte) != LPTE_KIND_MARKER)
		return PD_RULE_VMA_TYPE;
	if ((pte & LPTE_UFFD_WP) && !wp)
		return PD_RULE_VMA_UFFD;
	if (lpte_kind(pte) == LPTE_KIND_MARKER)
		return lpte_type(pte) == LPTE_MARKER_UFFD_WP && !wp ? PD_RULE_VMA_UFFD :
								     PD_RULE_NONE;
	/* Slot 0 of a swap device is its header. */
	if (lpte_kind(pte) == LPTE_KIND_SWAP)
		return lpte_pfn(pte) ? PD_RULE_NONE : PD_RULE_FRAME;
	if (lpte_pfn(pte) >= PD_ZERO_PFN)
		return PD_RULE_FRAME;
	return pd_type_fits(v, s, pte) ? PD_RULE_NONE : PD_RULE_VMA_TYPE;
}

static enum pd_rule pd_legal_special(const struct pd_vma *v, lpte_t pte)
{
	bool zero = lpte_pfn(pte) == PD_ZERO_PFN;

	if (zero && (pte & LPTE_WRITE))
		return PD_RULE_ZERO_PAGE;
	if (!zero && !(v->flags & PD_VMA_PFNMAP))
		return PD_RULE_VMA_TYPE;
	if (zero && (v->flags & (PD_VMA_SHARED | PD_VMA_PFNMAP)))
		return PD_RULE_VMA_TYPE;
	return PD_RULE_NONE;
}

static enum pd_rule pd_legal_folio(const struct pd_state *s, const struct pd_vma *v, lpte_t pte)
{
	const struct pd_page *page = &s->page[lpte_pfn(pte)];
	unsigned int type = pd_folio_of(s, lpte_pfn(pte))->type;

	if (!pd_type_fits(v, s, pte))
		return PD_RULE_VMA_TYPE;
	if (page->exclusive && (type == PD_FOLIO_FILE || type == PD_FOLIO_KSM ||
				page->mapped + page->other > 1))
		return PD_RULE_EXCLUSIVE_ONCE;
	if (!(pte & LPTE_WRITE))
		return PD_RULE_NONE;
	if (type == PD_FOLIO_FILE)
		return v->flags & PD_VMA_SHARED ? PD_RULE_NONE : PD_RULE_SHARED_CLEAN_FILE;
	return page->exclusive ? PD_RULE_NONE : PD_RULE_WRITE_EXCLUSIVE;
}

enum pd_rule pd_legal_pte(const struct pd_state *s, unsigned int va)
{
	const struct pd_vma *v = pd_state_vma(s, va);
	lpte_t pte = s->pte[va];

	if (lpte_none(pte))
		return PD_RULE_NONE;
	if (!lpte_present(pte))
		return pd_legal_nonpresent(s, v, pte);
	if (lpte_pfn(pte) >= PD_NR_PFN || ((lpte_pfn(pte) == PD_ZERO_PFN) && lpte_normal(pte)))
		return PD_RULE_FRAME;
	if ((pte & LPTE_WRITE) && (v->flags & PD_VMA_RO))
		return PD_RULE_VMA_READ_ONLY;
	if ((pte & LPTE_UFFD_WP) && !(v->flags & PD_VMA_UFFD_WP))
		return PD_RULE_VMA_UFFD;
	if ((pte & LPTE_UFFD_WP) && (pte & LPTE_WRITE))
		return PD_RULE_UFFD_WRITE;
	if ((pte & LPTE_PROTNONE) && (pte & LPTE_WRITE))
		return PD_RULE_PROTNONE_WRITE;
	return lpte_normal(pte) ? pd_legal_folio(s, v, pte) : pd_legal_special(v, pte);
}

enum pd_rule pd_legal_block(const struct pd_state *s, unsigned int va, unsigned int cont)
{
	const lpte_t same = LPTE_KIND | LPTE_WRITE | LPTE_UFFD_WP | LPTE_PROT | LPTE_CONT |
			    LPTE_PROTNONE | LPTE_SPECIAL;
	unsigned int base = va & ~(cont - 1);
	lpte_t first = s->pte[base];
	unsigned int pfn = lpte_pfn(first);
	bool any = false;

	for (unsigned int i = 0; i < cont; i++)
		any |= (s->pte[base + i] & LPTE_CONT) != 0;
	if (!any)
		return PD_RULE_NONE;
	if (!lpte_accessible(first) || !lpte_normal(first) || pfn % cont || pfn + cont > PD_NR_PFN)
		return PD_RULE_BLOCK;
	for (unsigned int i = 0; i < cont; i++) {
		lpte_t pte = s->pte[base + i];

		if (((pte ^ first) & same) || !(pte & LPTE_CONT) || lpte_pfn(pte) != pfn + i ||
		    pd_head(s, pfn + i) != pd_head(s, pfn))
			return PD_RULE_BLOCK;
	}
	return PD_RULE_NONE;
}

enum pd_rule pd_legal(const struct pd_state *s, unsigned int cont, unsigned int *va)
{
	unsigned int g;

	pd_for_each_granule(g, s->va_touched, PD_VA_WORDS) {
		for (*va = g * PD_GRANULE; *va < (g + 1) * PD_GRANULE; (*va)++) {
			enum pd_rule rule = pd_legal_pte(s, *va);

			if (!rule && cont > 1 && *va % cont == 0)
				rule = pd_legal_block(s, *va, cont);
			if (rule)
				return rule;
		}
	}
	return PD_RULE_NONE;
}

static const char *const pd_rule_texts[PD_NR_RULES] = {
	[PD_RULE_NONE] = "legal",
	[PD_RULE_VMA_READ_ONLY] = "a writable entry needs a writable VMA",
	[PD_RULE_VMA_UFFD] = "uffd-wp bits and markers need a VMA registered for write-protection",
	[PD_RULE_VMA_TYPE] = "the VMA cannot map this kind of page",
	[PD_RULE_ZERO_PAGE] = "the zero page is never mapped writable",
	[PD_RULE_SHARED_CLEAN_FILE] = "a private mapping never maps page cache writable",
	[PD_RULE_WRITE_EXCLUSIVE] = "an anonymous page mapped writable is exclusive",
	[PD_RULE_EXCLUSIVE_ONCE] =
		"an exclusive page is anonymous, not KSM, and mapped at most once",
	[PD_RULE_UFFD_WRITE] = "a uffd-wp entry is not writable",
	[PD_RULE_PROTNONE_WRITE] = "a PROT_NONE entry is not writable",
	[PD_RULE_BLOCK] = "a contpte block is whole, valid, aligned, of one folio and uniform",
	[PD_RULE_FRAME] = "an entry names a frame or swap slot that exists",
};

const char *pd_rule_text(enum pd_rule rule)
{
	return pd_rule_texts[rule];
}
