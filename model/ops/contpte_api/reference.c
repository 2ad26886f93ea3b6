/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls, one entry at a time.
 */
#include "args.h"

#define GATHERED (LPTE_YOUNG | LPTE_DIRTY)

/* What a call that takes entries away says of them: the first one, young and dirty if any is. */
static lpte_t collected(const struct pd_state *s, const struct contpte_api_args *a)
{
	lpte_t pte = s->pte[a->va];

	for (uint32_t i = 1; i < a->pages; i++)
		pte |= s->pte[a->va + i] & GATHERED;
	return pte;
}

static lpte_t new_entry(const struct contpte_api_args *a, uint32_t i)
{
	lpte_t pte = lpte_make(LPTE_KIND_PRESENT, a->pfn + i) | contpte_api_prot(a);

	pte |= a->young ? LPTE_YOUNG : 0;
	pte |= a->dirty ? LPTE_DIRTY : 0;
	pte |= a->write ? LPTE_WRITE : 0;
	return a->soft_dirty ? pte | LPTE_SOFT_DIRTY : pte;
}

static lpte_t cleared(lpte_t pte, const struct contpte_api_args *a)
{
	pte &= a->young ? ~LPTE_YOUNG : ~0ULL;
	return a->dirty ? pte & ~(LPTE_DIRTY | LPTE_SWDIRTY) : pte;
}

/* After a fault the entry is young; a write makes it dirty, to the soft-dirty tracker as well. */
static lpte_t accessed(lpte_t pte, const struct contpte_api_args *a)
{
	pte |= LPTE_YOUNG;
	pte |= a->dirty ? LPTE_DIRTY | LPTE_SOFT_DIRTY : 0;
	return a->write ? pte | LPTE_WRITE : pte;
}

static lpte_t protected(lpte_t pte, const struct contpte_api_args *a)
{
	pte &= ~(LPTE_PROT | LPTE_PROTNONE | LPTE_WRITE | LPTE_SWDIRTY);
	return pte | contpte_api_prot(a);
}

/* Entry @i of the range after the call. */
static lpte_t entry_after(lpte_t pte, const struct contpte_api_args *a, uint32_t i)
{
	switch ((enum contpte_api_call)a->call) {
	case CONTPTE_API_SET:
		return new_entry(a, i);
	case CONTPTE_API_WRPROTECT:
		return pte & ~(LPTE_WRITE | LPTE_SWDIRTY);
	case CONTPTE_API_CLEAR_YOUNG_DIRTY:
		return cleared(pte, a);
	case CONTPTE_API_TEST_YOUNG:
		return pte & ~LPTE_YOUNG;
	case CONTPTE_API_ACCESS_FLAGS:
		return accessed(pte, a);
	case CONTPTE_API_MODIFY_PROT:
		return protected(pte, a);
	default:
		return 0;
	}
}

static bool returns_entry(const struct contpte_api_args *a)
{
	return a->call == CONTPTE_API_GET_AND_CLEAR || a->call == CONTPTE_API_MODIFY_PROT;
}

/* Does the call change what the entries of a block have to agree in? */
static bool breaks_blocks(const struct contpte_api_args *a)
{
	return a->call != CONTPTE_API_CLEAR_YOUNG_DIRTY && a->call != CONTPTE_API_TEST_YOUNG &&
	       !(a->call == CONTPTE_API_ACCESS_FLAGS && !a->write);
}

struct pd_outcome contpte_api_reference(struct pd_state *s, const void *args)
{
	const struct contpte_api_args *a = args;
	struct pd_outcome outcome = { .changed = a->pages };
	lpte_t word = collected(s, a);

	if (returns_entry(a))
		pd_results_add(&s->results, CONTPTE_API_WORD, a->va, word);
	if (a->call == CONTPTE_API_TEST_YOUNG)
		outcome.ret = (word & LPTE_YOUNG) != 0;
	for (uint32_t i = 0; i < a->pages; i++) {
		if (breaks_blocks(a))
			pd_state_break_block(s, a->va + i);
		pd_state_set(s, a->va + i, entry_after(s->pte[a->va + i], a, i));
	}
	return outcome;
}
