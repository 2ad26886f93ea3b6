/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_folios_pte_range() in batches as first posted: the batch is taken after the checks of the
 * folio, and the first entry fails before STRICT may end the walk, the others after it. Later
 * versions do both in one go: a walk that STRICT ends returns an error, and nobody sees the count.
 * The scan has the nine arguments of v6.9 to v6.16.
 */
#include "queue.h"

static int queue_folios_pte_range(pmd_t *pmd, unsigned long addr, unsigned long end,
				  struct mm_walk *walk)
{
	const fpb_t fpb_flags = FPB_IGNORE_DIRTY | FPB_IGNORE_SOFT_DIRTY;
	struct vm_area_struct *vma = walk->vma;
	struct queue_pages *qp = walk->private;
	unsigned long flags = qp->flags;
	pte_t *pte, *mapped_pte;
	struct folio *folio;
	int max_nr, nr;
	spinlock_t *ptl;
	pte_t ptent;

	mapped_pte = pte = pte_offset_map_lock(walk->mm, pmd, addr, &ptl);
	if (!pte) {
		walk->action = ACTION_AGAIN;
		return 0;
	}
	for (; addr != end; pte += nr, addr += nr * PAGE_SIZE) {
		nr = 1;
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
			max_nr = (end - addr) >> PAGE_SHIFT;
			if (max_nr != 1)
				nr = folio_pte_batch(folio, addr, pte, ptent, max_nr, fpb_flags,
						     NULL, NULL, NULL);
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
		qp->nr_failed += nr - 1;
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
	.mirrors = "\"mempolicy: Optimize queue_folios_pte_range by PTE batching\", v1 on the list",
	.bind = pd_bind,
	.run = run,
};
