/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The batch scan: a read-only walk over entries under the page-table lock.
 */
#include <internal.h>

/* What must be equal inside a batch, as the entry would be with the ignored bits clear. */
static pte_t pd_batch_norm(pte_t pte, fpb_t flags)
{
	pte = pte_mkold(pte);
	if (!(flags & FPB_RESPECT_DIRTY))
		pte = pte_mkclean(pte);
	if (!(flags & FPB_RESPECT_SOFT_DIRTY))
		pte = pte_clear_soft_dirty(pte);
	if (!(flags & FPB_RESPECT_WRITE))
		pte = pte_wrprotect(pte);
	return pte;
}

/* Pages of @folio from the page of @pte to its end, at most @max_nr. */
static unsigned int pd_batch_limit(const struct folio *folio, pte_t pte, unsigned int max_nr)
{
	unsigned long end = folio_pfn(folio) + (unsigned long)folio_nr_pages(folio);
	unsigned long left = end - pte_pfn(pte);

	if (pd_world->batch_cap)
		max_nr = min(max_nr, pd_world->batch_cap);
	return (unsigned int)min((unsigned long)max_nr, left);
}

struct pd_batch_any {
	bool write, young, dirty;
};

static unsigned int pd_batch_scan(struct folio *folio, pte_t *ptep, pte_t pte, unsigned int max_nr,
				  fpb_t flags, struct pd_batch_any *any)
{
	unsigned int limit = pd_batch_limit(folio, pte, max_nr);
	unsigned int nr = pte_batch_hint(ptep, pte);
	pte_t expected = pte_advance_pfn(pd_batch_norm(pte, flags), nr);

	while (nr < limit) {
		unsigned int step;

		pte = ptep_get(ptep + nr);
		if (!pte_same(pd_batch_norm(pte, flags), expected))
			break;
		any->write |= pte_write(pte);
		any->young |= pte_young(pte);
		any->dirty |= pte_dirty(pte);
		step = pte_batch_hint(ptep + nr, pte);
		expected = pte_advance_pfn(expected, step);
		nr += step;
	}
	nr = min(nr, limit);
	pd_world->work.batches++;
	if (nr > 1)
		pd_world->work.long_batches++;
	if (unlikely(pd_world->trace))
		pd_world_event(pd_world, PD_EVENT_BATCH,
			       pd_raw_va(pd_world, pd_raw_offset(pd_world, ptep)), nr, 0);
	return nr;
}

unsigned int folio_pte_batch_flags(struct folio *folio, struct vm_area_struct *vma, pte_t *ptep,
				   pte_t *ptentp, unsigned int max_nr, fpb_t flags)
{
	struct pd_batch_any any = { 0 };
	unsigned int nr = pd_batch_scan(folio, ptep, *ptentp, max_nr, flags, &any);

	if ((flags & FPB_MERGE_WRITE) && any.write)
		*ptentp = pte_mkwrite(*ptentp, vma);
	if ((flags & FPB_MERGE_YOUNG_DIRTY) && any.young)
		*ptentp = pte_mkyoung(*ptentp);
	if ((flags & FPB_MERGE_YOUNG_DIRTY) && any.dirty)
		*ptentp = pte_mkdirty(*ptentp);
	return nr;
}

int pd_folio_pte_batch_9(struct folio *folio, unsigned long addr, pte_t *ptep, pte_t pte,
			 int max_nr, fpb_t flags, bool *any_writable, bool *any_young,
			 bool *any_dirty)
{
	struct pd_batch_any any = { 0 };
	fpb_t respect = 0;
	unsigned int nr;

	(void)addr;
	if (!(flags & FPB_IGNORE_DIRTY))
		respect |= FPB_RESPECT_DIRTY;
	if (!(flags & FPB_IGNORE_SOFT_DIRTY))
		respect |= FPB_RESPECT_SOFT_DIRTY;
	nr = pd_batch_scan(folio, ptep, pte, (unsigned int)max_nr, respect, &any);
	if (any_writable)
		*any_writable = any.write;
	if (any_young)
		*any_young = any.young;
	if (any_dirty)
		*any_dirty = any.dirty;
	return (int)nr;
}
