/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As in v6.18: a batch of pages that belong to one anon_vma, up to the end of either table.
 */
#include "batched.h"
#include "clamp.h"

static long move_present_ptes(struct mm_struct *mm, struct vm_area_struct *dst_vma,
			      struct vm_area_struct *src_vma, unsigned long dst_addr,
			      unsigned long src_addr, pte_t *dst_pte, pte_t *src_pte,
			      pte_t orig_dst_pte, pte_t orig_src_pte, pmd_t *dst_pmd,
			      pmd_t dst_pmdval, spinlock_t *dst_ptl, spinlock_t *src_ptl,
			      struct folio **first_src_folio, unsigned long len)
{
	return move_present_batch(mm, dst_vma, src_vma, dst_addr, src_addr, dst_pte, src_pte,
				  orig_dst_pte, orig_src_pte, dst_pmd, dst_pmdval, dst_ptl,
				  src_ptl, first_src_folio, uffd_batch_end(dst_addr, src_addr, len),
				  joins_same_anon_vma);
}

static long run(const void *args)
{
	static const struct pd_uffd_form form = {
		.move_present_ptes = move_present_ptes,
		.locks_anon_vma = true,
	};

	return pd_uffd_move(args, &form);
}

const struct pd_impl impl = {
	.mirrors = "v6.18, \"userfaultfd: opportunistic TLB-flush batching for present pages in "
		   "MOVE\"",
	.bind = pd_bind,
	.run = run,
};
