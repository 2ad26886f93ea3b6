/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * move_ptes() in batches: the loop that the batched implementations share. What may be moved as
 * one is their own business: each passes its mremap_folio_pte_batch().
 */
#ifndef PD_MREMAP_BATCHED_H
#define PD_MREMAP_BATCHED_H

#include "caller.h"

typedef unsigned int (*mremap_batch_fn)(struct vm_area_struct *vma, unsigned long addr,
					pte_t *ptep, pte_t pte, unsigned int max_nr);

static inline pte_t move_soft_dirty_pte(pte_t pte)
{
	if (pte_none(pte) || !pgtable_supports_soft_dirty())
		return pte;
	return pte_present(pte) ? pte_mksoft_dirty(pte) : pte_swp_mksoft_dirty(pte);
}

static inline pte_t clear_uffd_wp(pte_t pte)
{
	if (pte_is_uffd_wp_marker(pte))
		return __pte(0);
	return pte_present(pte) ? pte_clear_uffd_wp(pte) : pte_swp_clear_uffd_wp(pte);
}

static inline int move_ptes_batched(struct pagetable_move_control *pmc, unsigned long extent,
				    pmd_t *old_pmd, pmd_t *new_pmd, mremap_batch_fn batch)
{
	struct vm_area_struct *vma = pmc->old;
	bool need_clear_uffd_wp = vma_has_uffd_without_event_remap(vma);
	struct mm_struct *mm = vma->vm_mm;
	unsigned long old_addr = pmc->old_addr, new_addr = pmc->new_addr;
	unsigned long old_end = old_addr + extent;
	spinlock_t *old_ptl, *new_ptl;
	pte_t *old_ptep, *new_ptep;
	bool force_flush = false;
	unsigned int nr;
	pmd_t pmdval;
	int err = 0;

	if (pmc->need_rmap_locks)
		take_rmap_locks(vma);
	old_ptep = pte_offset_map_lock(mm, old_pmd, old_addr, &old_ptl);
	if (!old_ptep) {
		err = -EAGAIN;
		goto out;
	}
	new_ptep = pte_offset_map_rw_nolock(mm, new_pmd, new_addr, &pmdval, &new_ptl);
	if (!new_ptep) {
		pte_unmap_unlock(old_ptep, old_ptl);
		err = -EAGAIN;
		goto out;
	}
	if (new_ptl != old_ptl)
		spin_lock_nested(new_ptl, SINGLE_DEPTH_NESTING);
	flush_tlb_batched_pending(mm);
	lazy_mmu_mode_enable();
	for (; old_addr < old_end; old_ptep += nr, old_addr += nr * PAGE_SIZE,
				   new_ptep += nr, new_addr += nr * PAGE_SIZE) {
		unsigned int max_nr = (unsigned int)((old_end - old_addr) >> PAGE_SHIFT);
		pte_t pte = ptep_get(old_ptep);

		VM_WARN_ON_ONCE(!pte_none(*new_ptep));
		nr = 1;
		if (pte_none(pte))
			continue;
		/* A present page stays reachable here until the flush. */
		if (pte_present(pte)) {
			nr = batch(vma, old_addr, old_ptep, pte, max_nr);
			force_flush = true;
		}
		pte = get_and_clear_ptes(mm, old_addr, old_ptep, nr);
		pte = move_soft_dirty_pte(move_pte(pte, old_addr, new_addr));
		if (need_clear_uffd_wp)
			pte = clear_uffd_wp(pte);
		if (!pte_none(pte))
			set_ptes(mm, new_addr, new_ptep, pte, nr);
	}
	lazy_mmu_mode_disable();
	if (force_flush)
		flush_tlb_range(vma, old_end - extent, old_end);
	if (new_ptl != old_ptl)
		spin_unlock(new_ptl);
	pte_unmap(new_ptep - 1);
	pte_unmap_unlock(old_ptep - 1, old_ptl);
out:
	if (pmc->need_rmap_locks)
		drop_rmap_locks(vma);
	return err;
}

#endif
