/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modification 1 of the review: one loop that ends once the result is young and dirty. A word that
 * is dirty by its own hardware bits may come out without the software bit (docs/divergences.md).
 */
#include "caller.h"

#ifdef CONFIG_ARM64

static pte_t modification1_ptep_get(const pte_t *ptep, pte_t orig_pte)
{
	ptep = contpte_align_down(ptep);
	for (int i = 0; i < CONT_PTES; i++, ptep++) {
		pte_t pte = __ptep_get(ptep);

		if (pte_dirty(pte)) {
			orig_pte = pte_mkdirty(orig_pte);
			if (pte_young(orig_pte))
				break;
		}
		if (pte_young(pte)) {
			orig_pte = pte_mkyoung(orig_pte);
			if (pte_dirty(orig_pte))
				break;
		}
	}
	return orig_pte;
}

#endif

PD_CONTPTE_GET_IMPL("review of v3, Modification 1", modification1_ptep_get, NULL);
