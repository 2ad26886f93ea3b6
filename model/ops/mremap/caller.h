/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loop around move_ptes(), one for all implementations: what move_page_tables() does.
 *
 * It cuts the range so that no call crosses a page table on either side, moves whole tables by
 * their pointer where that is allowed, and tries again when a table could not be mapped.
 */
#ifndef PD_MREMAP_CALLER_H
#define PD_MREMAP_CALLER_H

#include <internal.h>
#include <linux/mmu_notifier.h>

#include "args.h"

struct pagetable_move_control {
	struct vm_area_struct *old, *new;
	unsigned long old_addr, old_end, new_addr;
	bool need_rmap_locks;
};

typedef int (*move_ptes_fn)(struct pagetable_move_control *pmc, unsigned long extent,
			    pmd_t *old_pmd, pmd_t *new_pmd);

/* The rmap locks keep reclaim from missing a page on its way; nothing here runs beside us. */
static inline void take_rmap_locks(struct vm_area_struct *vma)
{
	(void)vma;
}

static inline void drop_rmap_locks(struct vm_area_struct *vma)
{
	(void)vma;
}

static inline unsigned long pd_mremap_extent(const struct pagetable_move_control *pmc)
{
	unsigned long old_end = pmd_addr_end(pmc->old_addr, pmc->old_end);
	unsigned long len = pmc->old_end - pmc->old_addr;
	unsigned long new_end = pmd_addr_end(pmc->new_addr, pmc->new_addr + len);

	return min(old_end - pmc->old_addr, new_end - pmc->new_addr);
}

/* Returns false when the entries have to be visited one by one. */
static inline bool pd_mremap_whole_table(struct pagetable_move_control *pmc, unsigned long extent,
					 pmd_t *old_pmd, pmd_t *new_pmd)
{
	if (extent != PMD_SIZE || vma_has_uffd_without_event_remap(pmc->old))
		return false;
	/* The destination was unmapped, its table freed: it is none here. */
	new_pmd->pmd = 0;
	pd_move_table(pmc->old, old_pmd, new_pmd);
	return true;
}

static inline long pd_mremap(const struct mremap_args *args, move_ptes_fn move_ptes)
{
	struct mm_struct mm = { .pd_world = pd_world };
	struct vm_area_struct old, new;
	struct mmu_notifier_range range;
	struct pagetable_move_control pmc = {
		.old = &old,
		.new = &new,
		.old_addr = pd_addr(args->src),
		.old_end = pd_addr(args->src + args->pages),
		.new_addr = pd_addr(args->dst),
		.need_rmap_locks = args->rmap_locks,
	};

	pd_vma_at(&old, &mm, pmc.old_addr);
	pd_vma_at(&new, &mm, pmc.new_addr);
	pd_world->batch_cap = args->batch_cap;
	mmu_notifier_range_init(&range, MMU_NOTIFY_UNMAP, 0, &mm, pmc.old_addr, pmc.old_end);
	mmu_notifier_invalidate_range_start(&range);
	while (pmc.old_addr < pmc.old_end) {
		unsigned long extent = pd_mremap_extent(&pmc);
		pmd_t *old_pmd = pd_pmd(pmc.old_addr), *new_pmd = pd_pmd(pmc.new_addr);

		if (!pmd_none(*old_pmd) &&
		    !(args->whole_table && pd_mremap_whole_table(&pmc, extent, old_pmd, new_pmd))) {
			pte_alloc(&mm, new_pmd);
			if (move_ptes(&pmc, extent, old_pmd, new_pmd) < 0)
				continue;
		}
		pmc.old_addr += extent;
		pmc.new_addr += extent;
	}
	mmu_notifier_invalidate_range_end(&range);
	return (long)args->pages;
}

#endif
