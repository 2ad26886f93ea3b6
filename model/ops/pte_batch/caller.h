/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every caller of the batch scan does: take the lock, read the entry, look its folio up.
 */
#ifndef PD_PTE_BATCH_CALLER_H
#define PD_PTE_BATCH_CALLER_H

#include <internal.h>

#include "args.h"

/**
 * struct pte_batch_at - where to scan
 * @pte:	copy of the first entry; takes what is merged
 */
struct pte_batch_at {
	struct vm_area_struct *vma;
	struct folio *folio;
	unsigned long addr;
	pte_t *ptep;
	pte_t pte;
};

typedef unsigned int (*pte_batch_fn)(const struct pte_batch_args *args, struct pte_batch_at *at);

static inline long pd_pte_batch_bits(pte_t pte)
{
	return (pte_write(pte) ? PTE_BATCH_WRITE : 0) | (pte_young(pte) ? PTE_BATCH_YOUNG : 0) |
	       (pte_dirty(pte) ? PTE_BATCH_DIRTY : 0) |
	       (pte_soft_dirty(pte) ? PTE_BATCH_SOFT_DIRTY : 0);
}

static inline long pd_pte_batch(const struct pte_batch_args *args, pte_batch_fn batch)
{
	struct mm_struct mm = { .pd_world = pd_world };
	struct vm_area_struct vma;
	struct pte_batch_at at = { .vma = &vma, .addr = pd_addr(args->va) };
	spinlock_t *ptl;
	long ret;

	pd_vma_at(&vma, &mm, at.addr);
	pd_world->batch_cap = 0;
	do
		at.ptep = pte_offset_map_lock(&mm, pd_pmd(at.addr), at.addr, &ptl);
	while (!at.ptep);
	at.pte = ptep_get(at.ptep);
	at.folio = vm_normal_folio(&vma, at.addr, at.pte);
	ret = (long)batch(args, &at);
	ret |= pd_pte_batch_bits(at.pte);
	pte_unmap_unlock(at.ptep, ptl);
	return ret;
}

#endif
