/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The batch API of a kernel tree for arm64. Where a release has a call for one entry only, it is
 * made for each entry of the batch, as its callers did.
 */
#include "model/ops/contpte_api/caller.h"

#include <asm/tree.h>

#include "pd/tree.h"

#include "group.inc"

static pte_t tree_ptep_get(const pte_t *ptep)
{
	return ptep_get((pte_t *)ptep);
}

static bool tree_test_and_clear_young_ptes(struct vm_area_struct *vma, unsigned long addr,
					   pte_t *ptep, unsigned int nr)
{
#if PD_TREE_HAVE_YOUNG_BATCH
	return test_and_clear_young_ptes(vma, addr, ptep, nr);
#else
	bool young = false;

	for (unsigned int i = 0; i < nr; i++)
		young |= ptep_test_and_clear_young(vma, addr + i * PAGE_SIZE, ptep + i);
	return young;
#endif
}

static bool tree_ptep_set_access_flags(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				       pte_t entry, int dirty)
{
	return ptep_set_access_flags(vma, addr, ptep, entry, dirty);
}

static pte_t tree_modify_prot_start_ptes(struct vm_area_struct *vma, unsigned long addr,
					 pte_t *ptep, unsigned int nr)
{
#if PD_TREE_HAVE_PROT_BATCH
	return modify_prot_start_ptes(vma, addr, ptep, nr);
#else
	pte_t pte = ptep_modify_prot_start(vma, addr, ptep);

	for (unsigned int i = 1; i < nr; i++) {
		pte_t next = ptep_modify_prot_start(vma, addr + i * PAGE_SIZE, ptep + i);

		if (pte_dirty(next))
			pte = pte_mkdirty(pte);
		if (pte_young(next))
			pte = pte_mkyoung(pte);
	}
	return pte;
#endif
}

static void tree_modify_prot_commit_ptes(struct vm_area_struct *vma, unsigned long addr,
					 pte_t *ptep, pte_t old, pte_t pte, unsigned int nr)
{
#if PD_TREE_HAVE_PROT_BATCH
	modify_prot_commit_ptes(vma, addr, ptep, old, pte, nr);
#else
	for (unsigned int i = 0; i < nr; i++)
		ptep_modify_prot_commit(vma, addr + i * PAGE_SIZE, ptep + i,
					pte_advance_pfn(old, i), pte_advance_pfn(pte, i));
#endif
}

/* In the order of the members, since these are macros now. */
static const struct pd_contpte_api api = {
	tree_ptep_get,
	get_and_clear_full_ptes,
	clear_full_ptes,
	set_ptes,
	wrprotect_ptes,
	clear_young_dirty_ptes,
	tree_test_and_clear_young_ptes,
	tree_ptep_set_access_flags,
	tree_modify_prot_start_ptes,
	tree_modify_prot_commit_ptes,
};

static long run(const void *args)
{
	return pd_contpte_api(args, &api);
}

const struct pd_impl impl = {
	.mirrors = PD_TREE_MIRRORS,
	.bind = pd_bind,
	.run = run,
};
