/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As it was up to v6.16: every entry of the block is read, each for young and for dirty.
 */
#include "caller.h"

#ifdef CONFIG_ARM64

static pte_t original_ptep_get(const pte_t *ptep, pte_t orig_pte)
{
	ptep = contpte_align_down(ptep);
	for (int i = 0; i < CONT_PTES; i++, ptep++) {
		pte_t pte = __ptep_get(ptep);

		if (pte_dirty(pte))
			orig_pte = pte_mkdirty(orig_pte);
		if (pte_young(pte))
			orig_pte = pte_mkyoung(orig_pte);
	}
	return orig_pte;
}

/* Gather into *@word; false when an entry does not belong with it any more. */
static bool original_gather(const pte_t *ptep, unsigned long index, pte_t *word)
{
	pgprot_t orig_prot = pte_pgprot(pte_mkold(pte_mkclean(*word)));
	unsigned long pfn = pte_pfn(*word) - index;
	pte_t orig_pte = *word;

	for (int i = 0; i < CONT_PTES; i++, ptep++, pfn++) {
		pte_t pte = __ptep_get(ptep);

		if (!contpte_is_consistent(pte, pfn, orig_prot))
			return false;
		if (pte_dirty(pte))
			orig_pte = pte_mkdirty(orig_pte);
		if (pte_young(pte))
			orig_pte = pte_mkyoung(orig_pte);
	}
	*word = orig_pte;
	return true;
}

static pte_t original_lockless(const pte_t *ptep)
{
	const pte_t *block = contpte_align_down(ptep);
	pte_t pte;

	do {
		pte = __ptep_get(ptep);
		if (!pte_valid_cont(pte))
			return pte;
	} while (!original_gather(block, (unsigned long)(ptep - block), &pte));
	return pte;
}

#endif

PD_CONTPTE_GET_IMPL("v6.16, before any early end of the loop",
		    original_ptep_get, original_lockless);
