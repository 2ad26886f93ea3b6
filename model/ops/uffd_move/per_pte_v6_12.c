/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * move_present_pte() as it was before batching: one page, cleared and flushed at once.
 */
#include "caller.h"

static int move_present_pte(struct mm_struct *mm, struct vm_area_struct *dst_vma,
			    struct vm_area_struct *src_vma, unsigned long dst_addr,
			    unsigned long src_addr, pte_t *dst_pte, pte_t *src_pte,
			    pte_t orig_dst_pte, pte_t orig_src_pte, spinlock_t *dst_ptl,
			    spinlock_t *src_ptl, struct folio *src_folio)
{
	int err = -EAGAIN;

	double_pt_lock(dst_ptl, src_ptl);
	if (!pte_same(ptep_get(src_pte), orig_src_pte) ||
	    !pte_same(ptep_get(dst_pte), orig_dst_pte))
		goto out;
	err = -EBUSY;
	if (folio_test_large(src_folio) || folio_maybe_dma_pinned(src_folio) ||
	    !PageAnonExclusive(&src_folio->page))
		goto out;
	orig_src_pte = ptep_clear_flush(src_vma, src_addr, src_pte);
	/* Whoever pinned the page since has seen the entry: it goes back. */
	if (folio_maybe_dma_pinned(src_folio)) {
		set_pte_at(mm, src_addr, src_pte, orig_src_pte);
		goto out;
	}
	err = 0;
	folio_move_anon_rmap(src_folio, dst_vma);
	src_folio->index = linear_page_index(dst_vma, dst_addr);

	orig_dst_pte = mk_pte(&src_folio->page, dst_vma->vm_page_prot);
#ifdef CONFIG_MEM_SOFT_DIRTY
	orig_dst_pte = pte_mksoft_dirty(orig_dst_pte);
#endif
	if (pte_dirty(orig_src_pte))
		orig_dst_pte = pte_mkdirty(orig_dst_pte);
	set_pte_at(mm, dst_addr, dst_pte, pte_mkwrite(orig_dst_pte, dst_vma));
out:
	double_pt_unlock(dst_ptl, src_ptl);
	return err;
}

static long move_present_ptes(struct mm_struct *mm, struct vm_area_struct *dst_vma,
			      struct vm_area_struct *src_vma, unsigned long dst_addr,
			      unsigned long src_addr, pte_t *dst_pte, pte_t *src_pte,
			      pte_t orig_dst_pte, pte_t orig_src_pte, pmd_t *dst_pmd,
			      pmd_t dst_pmdval, spinlock_t *dst_ptl, spinlock_t *src_ptl,
			      struct folio **first_src_folio, unsigned long len)
{
	int err = move_present_pte(mm, dst_vma, src_vma, dst_addr, src_addr, dst_pte, src_pte,
				   orig_dst_pte, orig_src_pte, dst_ptl, src_ptl,
				   *first_src_folio);

	(void)dst_pmd;
	(void)dst_pmdval;
	(void)len;
	return err ? err : (long)PAGE_SIZE;
}

static long run(const void *args)
{
	static const struct pd_uffd_form form = {
		.move_present_ptes = move_present_ptes,
		.one_page = true,
		.locks_anon_vma = true,
	};

	return pd_uffd_move(args, &form);
}

const struct pd_impl impl = {
	.mirrors = "v6.12, before batching",
	.never_batches = "one page at a time",
	.bind = pd_bind,
	.run = run,
};
