/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As posted in v3: once an entry is found that is one of young and dirty, a macro looks for the
 * other one from there on. Three loops in all, two of them behind the macro, which changes the
 * variables that it is given.
 */
#include "caller.h"

#ifdef CONFIG_ARM64

#define CHECK_CONTPTE_FLAG(start, ptep, word, flag)			\
	for (; (start) < CONT_PTES; (start)++, (ptep)++) {		\
		if (pte_##flag(__ptep_get(ptep))) {			\
			word = pte_mk##flag(word);			\
			break;						\
		}							\
	}

static pte_t posted_v3_ptep_get(const pte_t *ptep, pte_t orig_pte)
{
	ptep = contpte_align_down(ptep);
	for (int i = 0; i < CONT_PTES; i++, ptep++) {
		pte_t pte = __ptep_get(ptep);

		if (pte_dirty(pte)) {
			orig_pte = pte_mkdirty(orig_pte);
			CHECK_CONTPTE_FLAG(i, ptep, orig_pte, young);
			break;
		}
		if (pte_young(pte)) {
			orig_pte = pte_mkyoung(orig_pte);
			CHECK_CONTPTE_FLAG(i, ptep, orig_pte, dirty);
			break;
		}
	}
	return orig_pte;
}

#endif

PD_CONTPTE_GET_IMPL("posted v3, \"mm/contpte: Optimize loop to reduce redundant operations\"",
		    posted_v3_ptep_get, NULL);
