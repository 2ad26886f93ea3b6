/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * move_ptes() as it was before batching: one entry at a time.
 */
#include "caller.h"

static pte_t move_soft_dirty_pte(pte_t pte)
{
	if (!pgtable_supports_soft_dirty())
		return pte;
	if (pte_present(pte))
		return pte_mksoft_dirty(pte);
	return is_swap_pte(pte) ? pte_swp_mksoft_dirty(pte) : pte;
}

/* The entry for the new place, or none when a marker stays behind with its context. */
static pte_t moved_pte(pte_t pte, bool need_clear_uffd_wp)
{
	pte = move_soft_dirty_pte(pte);
	if (!need_clear_uffd_wp)
		return pte;
	if (pte_marker_uffd_wp(pte))
		return __pte(0);
	return pte_present(pte) ? pte_clear_uffd_wp(pte) : pte_swp_clear_uffd_wp(pte);
}

static int move_ptes_v6_12(struct vm_area_struct *vma, pmd_t *old_pmd, unsigned long old_addr,
			   unsigned long old_end, struct vm_area_struct *new_vma, pmd_t *new_pmd,
			   unsigned long new_addr, bool need_rmap_locks)
{
	bool need_clear_uffd_wp = vma_has_uffd_without_event_remap(vma);
	struct mm_struct *mm = vma->vm_mm;
	unsigned long start = old_addr;
	spinlock_t *old_ptl, *new_ptl;
	bool force_flush = false;
	pte_t *old_pte, *new_pte;

	(void)new_vma;
	if (need_rmap_locks)
		take_rmap_locks(vma);
	old_pte = pte_offset_map_lock(mm, old_pmd, old_addr, &old_ptl);
	if (!old_pte)
		goto again;
	new_pte = pte_offset_map_nolock(mm, new_pmd, new_addr, &new_ptl);
	if (!new_pte) {
		pte_unmap_unlock(old_pte, old_ptl);
		goto again;
	}
	if (new_ptl != old_ptl)
		spin_lock_nested(new_ptl, SINGLE_DEPTH_NESTING);
	flush_tlb_batched_pending(mm);
	arch_enter_lazy_mmu_mode();
	for (; old_addr < old_end;
	     old_pte++, old_addr += PAGE_SIZE, new_pte++, new_addr += PAGE_SIZE) {
		pte_t pte;

		if (pte_none(ptep_get(old_pte)))
			continue;
		pte = ptep_get_and_clear(mm, old_addr, old_pte);
		/* Somebody may still reach the page here until the flush. */
		if (pte_present(pte))
			force_flush = true;
		pte = moved_pte(move_pte(pte, old_addr, new_addr), need_clear_uffd_wp);
		if (!pte_none(pte))
			set_pte_at(mm, new_addr, new_pte, pte);
	}
	arch_leave_lazy_mmu_mode();
	if (force_flush)
		flush_tlb_range(vma, start, old_end);
	if (new_ptl != old_ptl)
		spin_unlock(new_ptl);
	pte_unmap(new_pte - 1);
	pte_unmap_unlock(old_pte - 1, old_ptl);
	if (need_rmap_locks)
		drop_rmap_locks(vma);
	return 0;
again:
	if (need_rmap_locks)
		drop_rmap_locks(vma);
	return -EAGAIN;
}

static int move_ptes(struct pagetable_move_control *pmc, unsigned long extent, pmd_t *old_pmd,
		     pmd_t *new_pmd)
{
	return move_ptes_v6_12(pmc->old, old_pmd, pmc->old_addr, pmc->old_addr + extent, pmc->new,
			       new_pmd, pmc->new_addr, pmc->need_rmap_locks);
}

static long run(const void *args)
{
	return pd_mremap(args, move_ptes);
}

const struct pd_impl impl = {
	.mirrors = "v6.12, before batching",
	.never_batches = "one entry at a time",
	.bind = pd_bind,
	.run = run,
};
