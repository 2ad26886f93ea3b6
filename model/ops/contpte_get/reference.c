/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading an entry: what it says, young and dirty if any entry of its contpte block is.
 */
#include "args.h"

static bool in_block(lpte_t pte)
{
	return lpte_accessible(pte) && (pte & LPTE_CONT);
}

static lpte_t gathered(const struct pd_state *s, uint32_t va)
{
	uint32_t base = va / PD_GRANULE * PD_GRANULE;
	lpte_t pte = s->pte[va];

	for (uint32_t i = 0; i < PD_GRANULE; i++)
		pte |= s->pte[base + i] & (LPTE_YOUNG | LPTE_DIRTY);
	/* Dirt that was gathered is noted by software, whatever hardware says as well. */
	if ((pte & LPTE_DIRTY) && (pte & LPTE_WRITE))
		pte |= LPTE_SWDIRTY;
	return pte;
}

struct pd_outcome contpte_get_reference(struct pd_state *s, const void *args)
{
	const struct contpte_get_args *a = args;
	struct pd_outcome outcome = { .ret = a->pages };

	for (uint32_t va = a->va; va < a->va + a->pages; va++) {
		bool block = in_block(s->pte[va]);

		pd_results_add(&s->results, CONTPTE_GET_WORD, va,
			       block ? gathered(s, va) : s->pte[va]);
		outcome.changed += block;
	}
	return outcome;
}
