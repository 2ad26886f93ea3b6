/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As in v6.18 but without the gate on the arch's hint, so that x86 batches too.
 */
#include "batched.h"

/* Entries from @ptep on, at most @max_nr, that may be moved as one. */
static unsigned int mremap_folio_pte_batch(struct vm_area_struct *vma, unsigned long addr,
					   pte_t *ptep, pte_t pte, unsigned int max_nr)
{
	struct folio *folio;

	if (max_nr == 1)
		return 1;
	folio = vm_normal_folio(vma, addr, pte);
	if (!folio || !folio_test_large(folio))
		return 1;
	return folio_pte_batch_flags(folio, NULL, ptep, &pte, max_nr, FPB_RESPECT_WRITE);
}

static int move_ptes(struct pagetable_move_control *pmc, unsigned long extent, pmd_t *old_pmd,
		     pmd_t *new_pmd)
{
	return move_ptes_batched(pmc, extent, old_pmd, new_pmd, mremap_folio_pte_batch);
}

static long run(const void *args)
{
	return pd_mremap(args, move_ptes);
}

const struct pd_impl impl = {
	.mirrors = "v6.18 without the hint gate",
	.bind = pd_bind,
	.run = run,
};
