/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_folios_pte_range() as it was before batching: one entry at a time.
 */
#include "queue.h"

static int queue_folios_pte_range(pmd_t *pmd, unsigned long addr, unsigned long end,
				  struct mm_walk *walk)
{
	struct vm_area_struct *vma = walk->vma;
	struct queue_pages *qp = walk->private;
	unsigned long flags = qp->flags;
	pte_t *pte, *mapped_pte;
	struct folio *folio;
	spinlock_t *ptl;
	pte_t ptent;

	mapped_pte = pte = pte_offset_map_lock(walk->mm, pmd, addr, &ptl);
	if (!pte) {
		walk->action = ACTION_AGAIN;
		return 0;
	}
	for (; addr != end; pte++, addr += PAGE_SIZE) {
		ptent = ptep_get(pte);
		if (pte_none(ptent))
			continue;
		if (!pte_present(ptent)) {
			if (is_migration_entry(pte_to_swp_entry(ptent)))
				qp->nr_failed++;
			continue;
		}
		folio = vm_normal_folio(vma, addr, ptent);
		if (!folio || folio_is_zone_device(folio))
			continue;
		if (folio_test_reserved(folio) || !queue_folio_required(folio, qp))
			continue;
		if (folio_test_large(folio)) {
			/* Isolated once, it would only fail from its second entry on. */
			if (folio == qp->large)
				continue;
			qp->large = folio;
		}
		if ((flags & (MPOL_MF_MOVE | MPOL_MF_MOVE_ALL)) && vma_migratable(vma) &&
		    migrate_folio_add(folio, qp->pagelist, flags))
			continue;
		qp->nr_failed++;
		if (strictly_unmovable(flags))
			break;
	}
	pte_unmap_unlock(mapped_pte, ptl);
	cond_resched();
	return qp->nr_failed && strictly_unmovable(flags) ? -EIO : 0;
}

static long run(const void *args)
{
	return pd_mempolicy(args, queue_folios_pte_range);
}

const struct pd_impl impl = {
	.mirrors = "v6.12, before batching",
	.never_batches = "one entry at a time",
	.bind = pd_bind,
	.run = run,
};
