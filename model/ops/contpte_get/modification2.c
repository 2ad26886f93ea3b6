/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modification 2 of the review, which landed in v6.17: after the first entry that is one of young
 * and dirty, a loop of its own looks for the other. The entry found dirty is read again, since its
 * young bit has not been looked at; the one found young is not, since it has been seen to be clean.
 */
#include "caller.h"

#ifdef CONFIG_ARM64

static pte_t find_young(const pte_t *ptep, int i, pte_t orig_pte)
{
	for (; i < CONT_PTES; i++) {
		pte_t pte = __ptep_get(ptep + i);

		if (pte_young(pte))
			return pte_mkyoung(orig_pte);
	}
	return orig_pte;
}

static pte_t find_dirty(const pte_t *ptep, int i, pte_t orig_pte)
{
	for (; i < CONT_PTES; i++) {
		pte_t pte = __ptep_get(ptep + i);

		if (pte_dirty(pte))
			return pte_mkdirty(orig_pte);
	}
	return orig_pte;
}

static pte_t modification2_ptep_get(const pte_t *ptep, pte_t orig_pte)
{
	ptep = contpte_align_down(ptep);
	for (int i = 0; i < CONT_PTES; i++) {
		pte_t pte = __ptep_get(ptep + i);

		if (pte_dirty(pte))
			return find_young(ptep, i, pte_mkdirty(orig_pte));
		if (pte_young(pte))
			return find_dirty(ptep, i + 1, pte_mkyoung(orig_pte));
	}
	return orig_pte;
}

/*
 * The same without the lock. What was read is checked, what was not need not be: the rest of the
 * block gives nothing to the word but young and dirty.
 */
static bool modification2_gather(const pte_t *ptep, unsigned long index, pte_t *word)
{
	pgprot_t orig_prot = pte_pgprot(pte_mkold(pte_mkclean(*word)));
	unsigned long pfn = pte_pfn(*word) - index;
	bool dirty = false, young = false;

	for (int i = 0; i < CONT_PTES && !(dirty && young); i++) {
		pte_t pte = __ptep_get(ptep + i);

		if (!contpte_is_consistent(pte, pfn + (unsigned long)i, orig_prot))
			return false;
		if (!dirty && pte_dirty(pte)) {
			*word = pte_mkdirty(*word);
			dirty = true;
		}
		if (!young && pte_young(pte)) {
			*word = pte_mkyoung(*word);
			young = true;
		}
	}
	return true;
}

static pte_t modification2_lockless(const pte_t *ptep)
{
	const pte_t *block = contpte_align_down(ptep);
	pte_t pte;

	do {
		pte = __ptep_get(ptep);
		if (!pte_valid_cont(pte))
			return pte;
	} while (!modification2_gather(block, (unsigned long)(ptep - block), &pte));
	return pte;
}

#endif

PD_CONTPTE_GET_IMPL("v6.17, \"arm64/mm: Optimize loop to reduce redundant operations of "
		    "contpte_ptep_get\"",
		    modification2_ptep_get, modification2_lockless);
