/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The batch scan, one entry at a time.
 */
#include "args.h"

/*
 * The entry at @va. Where there are blocks, young and dirty belong to the block (and dirty is then
 * stated in software too), and being part of one is a bit like any other.
 */
static lpte_t entry(const struct pd_state *s, unsigned int va, enum pte_batch_view view)
{
	unsigned int base = va / PD_GRANULE * PD_GRANULE;
	lpte_t pte = s->pte[va];

	if (view == PTE_BATCH_LOGICAL)
		return pte & ~LPTE_ENCODING;
	pte &= ~LPTE_SOFT_DIRTY;
	for (unsigned int i = 0; (pte & LPTE_CONT) && i < PD_GRANULE; i++)
		pte |= s->pte[base + i] & (LPTE_YOUNG | LPTE_DIRTY);
	if (view == PTE_BATCH_BLOCKS)
		return pte & ~LPTE_SWDIRTY;
	if ((pte & LPTE_CONT) && (pte & LPTE_DIRTY) && (pte & LPTE_WRITE))
		pte |= LPTE_SWDIRTY;
	return pte;
}

/* What has to be equal in a batch; how dirty is encoded shows only while it is writable dirty. */
static lpte_t compared(lpte_t pte, const struct pte_batch_args *a)
{
	pte &= ~LPTE_YOUNG;
	if (!a->respect_dirty)
		pte &= ~(LPTE_DIRTY | LPTE_SWDIRTY);
	if (!a->respect_write)
		pte &= ~(LPTE_WRITE | LPTE_SWDIRTY);
	if (!a->respect_soft_dirty)
		pte &= ~LPTE_SOFT_DIRTY;
	return pte;
}

static long copied_bits(lpte_t pte)
{
	return (pte & LPTE_WRITE ? PTE_BATCH_WRITE : 0) | (pte & LPTE_YOUNG ? PTE_BATCH_YOUNG : 0) |
	       (pte & LPTE_DIRTY ? PTE_BATCH_DIRTY : 0) |
	       (pte & LPTE_SOFT_DIRTY ? PTE_BATCH_SOFT_DIRTY : 0);
}

long pte_batch_scan(const struct pd_state *s, const struct pte_batch_args *a,
		    enum pte_batch_view view)
{
	lpte_t first = entry(s, a->va, view), copy = first, merged = 0;
	unsigned int pfn = lpte_pfn(first), nr = 1;
	unsigned int end = pd_head(s, pfn) + (1u << pd_folio_of(s, pfn)->order);

	if (a->merge_write)
		merged |= LPTE_WRITE;
	if (a->merge_young_dirty)
		merged |= LPTE_YOUNG | LPTE_DIRTY;
	for (; nr < a->max_nr && pfn + nr < end; nr++) {
		lpte_t pte = entry(s, a->va + nr, view);

		if (compared(pte, a) != compared(first + ((lpte_t)nr << LPTE_PFN_SHIFT), a))
			break;
		copy |= pte & merged;
	}
	return (long)nr | copied_bits(copy);
}

struct pd_outcome pte_batch_reference(struct pd_state *s, const void *args)
{
	long ret = pte_batch_scan(s, args, PTE_BATCH_LOGICAL);
	unsigned int nr = (unsigned int)(ret & PTE_BATCH_NR);

	return (struct pd_outcome){ .ret = ret, .changed = nr > 1 ? nr : 0 };
}
