/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * move_present_ptes() of a kernel tree under our ioctl. Up to 6.17 it moved one page; in 6.18 it
 * was told which anon_vma the caller has locked.
 */
#include "model/ops/uffd_move/caller.h"

#include "pd/tree.h"

#include "group.inc"

static long tree_move(struct mm_struct *mm, struct vm_area_struct *dst_vma,
		      struct vm_area_struct *src_vma, unsigned long dst_addr,
		      unsigned long src_addr, pte_t *dst_pte, pte_t *src_pte, pte_t orig_dst_pte,
		      pte_t orig_src_pte, pmd_t *dst_pmd, pmd_t dst_pmdval, spinlock_t *dst_ptl,
		      spinlock_t *src_ptl, struct folio **first_src_folio, unsigned long len)
{
#if PD_TREE_HAVE_ANON_VMA
	return move_present_ptes(mm, dst_vma, src_vma, dst_addr, src_addr, dst_pte, src_pte,
				 orig_dst_pte, orig_src_pte, dst_pmd, dst_pmdval, dst_ptl, src_ptl,
				 first_src_folio, len, folio_anon_vma(*first_src_folio));
#elif PD_TREE_HAVE_BATCHED
	return move_present_ptes(mm, dst_vma, src_vma, dst_addr, src_addr, dst_pte, src_pte,
				 orig_dst_pte, orig_src_pte, dst_pmd, dst_pmdval, dst_ptl, src_ptl,
				 first_src_folio, len);
#else
	int err = move_present_pte(mm, dst_vma, src_vma, dst_addr, src_addr, dst_pte, src_pte,
				   orig_dst_pte, orig_src_pte,
#if PD_TREE_HAVE_PMDVAL
				   dst_pmd, dst_pmdval,
#endif
				   dst_ptl, src_ptl, *first_src_folio);

	(void)dst_pmd;
	(void)dst_pmdval;
	(void)len;
	return err ? err : (long)PAGE_SIZE;
#endif
}

static long run(const void *args)
{
	static const struct pd_uffd_form form = {
		.move_present_ptes = tree_move,
		.one_page = !PD_TREE_HAVE_BATCHED,
		.locks_anon_vma = !PD_TREE_HAVE_BATCHED || PD_TREE_HAVE_ANON_VMA,
	};

	return pd_uffd_move(args, &form);
}

const struct pd_impl impl = {
	.mirrors = PD_TREE_MIRRORS,
#if !PD_TREE_HAVE_BATCHED
	.never_batches = "one page at a time",
#endif
	.bind = pd_bind,
	.run = run,
};
