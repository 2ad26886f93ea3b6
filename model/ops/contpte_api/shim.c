/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The batch API of the shim: on arm64 its contpte layer, elsewhere the generic forms.
 */
#include "caller.h"

static pte_t api_ptep_get(const pte_t *ptep)
{
	return ptep_get(ptep);
}

static pte_t api_get_and_clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
					 unsigned int nr, int full)
{
	return get_and_clear_full_ptes(mm, addr, ptep, nr, full);
}

static void api_clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				unsigned int nr, int full)
{
	clear_full_ptes(mm, addr, ptep, nr, full);
}

static void api_set_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte,
			 unsigned int nr)
{
	set_ptes(mm, addr, ptep, pte, nr);
}

static void api_wrprotect_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
			       unsigned int nr)
{
	wrprotect_ptes(mm, addr, ptep, nr);
}

static void api_clear_young_dirty_ptes(struct vm_area_struct *vma, unsigned long addr,
				       pte_t *ptep, unsigned int nr, cydp_t flags)
{
	clear_young_dirty_ptes(vma, addr, ptep, nr, flags);
}

static bool api_test_and_clear_young_ptes(struct vm_area_struct *vma, unsigned long addr,
					  pte_t *ptep, unsigned int nr)
{
	return test_and_clear_young_ptes(vma, addr, ptep, nr);
}

static bool api_ptep_set_access_flags(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				      pte_t entry, int dirty)
{
	return ptep_set_access_flags(vma, addr, ptep, entry, dirty);
}

static pte_t api_modify_prot_start_ptes(struct vm_area_struct *vma, unsigned long addr,
					pte_t *ptep, unsigned int nr)
{
	return modify_prot_start_ptes(vma, addr, ptep, nr);
}

static void api_modify_prot_commit_ptes(struct vm_area_struct *vma, unsigned long addr,
					pte_t *ptep, pte_t old, pte_t pte, unsigned int nr)
{
	modify_prot_commit_ptes(vma, addr, ptep, old, pte, nr);
}

static const struct pd_contpte_api api = {
	.ptep_get = api_ptep_get,
	.get_and_clear_full_ptes = api_get_and_clear_full_ptes,
	.clear_full_ptes = api_clear_full_ptes,
	.set_ptes = api_set_ptes,
	.wrprotect_ptes = api_wrprotect_ptes,
	.clear_young_dirty_ptes = api_clear_young_dirty_ptes,
	.test_and_clear_young_ptes = api_test_and_clear_young_ptes,
	.ptep_set_access_flags = api_ptep_set_access_flags,
	.modify_prot_start_ptes = api_modify_prot_start_ptes,
	.modify_prot_commit_ptes = api_modify_prot_commit_ptes,
};

static long run(const void *args)
{
	return pd_contpte_api(args, &api);
}

const struct pd_impl impl = {
	.mirrors = "v6.18, the batch API of the shim",
	.bind = pd_bind,
	.run = run,
};
