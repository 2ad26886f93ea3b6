/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * move_present_ptes() in batches: neighbouring pages, each a small folio of its own, are moved
 * under one hold of the locks and flushed together. What the batched implementations share; how
 * far a batch may go, and what may join it, is their own business.
 */
#ifndef PD_UFFD_MOVE_BATCHED_H
#define PD_UFFD_MOVE_BATCHED_H

#include "caller.h"

/* May @folio, which is locked, join the batch that @first began? */
typedef bool (*uffd_joins_fn)(const struct folio *folio, const struct anon_vma *first);

static inline bool pages_stable(pte_t *dst_pte, pte_t *src_pte, pte_t orig_dst_pte,
				pte_t orig_src_pte, pmd_t *dst_pmd, pmd_t dst_pmdval)
{
	return pte_same(ptep_get(src_pte), orig_src_pte) &&
	       pte_same(ptep_get(dst_pte), orig_dst_pte) &&
	       pmd_same(dst_pmdval, pmdp_get_lockless(dst_pmd));
}

/*
 * The folio of the next page, locked, if it can be moved as it stands. Otherwise the batch ends
 * here without a word: the caller comes back to the page. The locks of the tables are held, so the
 * folio needs no reference.
 */
static inline struct folio *check_ptes_for_batched_move(struct vm_area_struct *src_vma,
							unsigned long src_addr, pte_t *src_pte,
							pte_t *dst_pte, uffd_joins_fn joins,
							const struct anon_vma *first)
{
	struct folio *folio;
	pte_t pte;

	if (!pte_none(ptep_get(dst_pte)))
		return NULL;
	pte = ptep_get(src_pte);
	if (!pte_present(pte) || is_zero_pfn(pte_pfn(pte)))
		return NULL;
	folio = vm_normal_folio(src_vma, src_addr, pte);
	if (!folio || !folio_trylock(folio))
		return NULL;
	if (PageAnonExclusive(&folio->page) && !folio_test_large(folio) && joins(folio, first))
		return folio;
	folio_unlock(folio);
	return NULL;
}

/* The entry of a moved page: made anew, and dirty when the old one was. */
static inline pte_t moved_pte(const struct folio *folio, struct vm_area_struct *dst_vma, pte_t old)
{
	pte_t pte = folio_mk_pte(folio, dst_vma->vm_page_prot);

	if (pgtable_supports_soft_dirty())
		pte = pte_mksoft_dirty(pte);
	if (pte_dirty(old))
		pte = pte_mkdirty(pte);
	return pte_mkwrite(pte, dst_vma);
}

/* Move one page. Return: -EBUSY when it got pinned meanwhile, and is where it was. */
static inline int move_page(struct mm_struct *mm, struct vm_area_struct *dst_vma,
			    unsigned long dst_addr, unsigned long src_addr, pte_t *dst_pte,
			    pte_t *src_pte, struct folio *folio)
{
	pte_t old = ptep_get_and_clear(mm, src_addr, src_pte);

	/* Whoever pinned the page since has seen the entry: it goes back. */
	if (folio_maybe_dma_pinned(folio)) {
		set_pte_at(mm, src_addr, src_pte, old);
		return -EBUSY;
	}
	folio_move_anon_rmap(folio, dst_vma);
	folio->index = linear_page_index(dst_vma, dst_addr);
	set_pte_at(mm, dst_addr, dst_pte, moved_pte(folio, dst_vma, old));
	return 0;
}

/* Move pages as long as they can be moved. Return: where the source's moved part ends. */
static inline unsigned long move_batch(struct mm_struct *mm, struct vm_area_struct *dst_vma,
				       struct vm_area_struct *src_vma, unsigned long dst_addr,
				       unsigned long src_addr, pte_t *dst_pte, pte_t *src_pte,
				       struct folio *folio, unsigned long src_end,
				       uffd_joins_fn joins, int *err)
{
	const struct anon_vma *first = folio_anon_vma(folio);

	do {
		*err = move_page(mm, dst_vma, dst_addr, src_addr, dst_pte, src_pte, folio);
		if (*err)
			break;
		src_addr += PAGE_SIZE;
		if (src_addr == src_end)
			break;
		dst_addr += PAGE_SIZE;
		dst_pte++;
		src_pte++;
		folio_unlock(folio);
		folio = check_ptes_for_batched_move(src_vma, src_addr, src_pte, dst_pte, joins,
						    first);
	} while (folio);
	if (folio)
		folio_unlock(folio);
	return src_addr;
}

/* @src_end: no page from there on is part of the batch. */
static inline long move_present_batch(struct mm_struct *mm, struct vm_area_struct *dst_vma,
				      struct vm_area_struct *src_vma, unsigned long dst_addr,
				      unsigned long src_addr, pte_t *dst_pte, pte_t *src_pte,
				      pte_t orig_dst_pte, pte_t orig_src_pte, pmd_t *dst_pmd,
				      pmd_t dst_pmdval, spinlock_t *dst_ptl, spinlock_t *src_ptl,
				      struct folio **first_src_folio, unsigned long src_end,
				      uffd_joins_fn joins)
{
	struct folio *folio = *first_src_folio;
	unsigned long src_start = src_addr;
	int err = 0;

	flush_cache_range(src_vma, src_addr, src_end);
	double_pt_lock(dst_ptl, src_ptl);
	if (!pages_stable(dst_pte, src_pte, orig_dst_pte, orig_src_pte, dst_pmd, dst_pmdval)) {
		err = -EAGAIN;
		goto out;
	}
	err = -EBUSY;
	if (folio_test_large(folio) || folio_maybe_dma_pinned(folio) ||
	    !PageAnonExclusive(&folio->page))
		goto out;
	/* From here on the entry's reference will do. */
	folio_put(folio);
	*first_src_folio = NULL;
	lazy_mmu_mode_enable();
	src_addr = move_batch(mm, dst_vma, src_vma, dst_addr, src_addr, dst_pte, src_pte, folio,
			      src_end, joins, &err);
	lazy_mmu_mode_disable();
	if (src_addr > src_start)
		flush_tlb_range(src_vma, src_start, src_addr);
out:
	double_pt_unlock(dst_ptl, src_ptl);
	return src_addr > src_start ? (long)(src_addr - src_start) : err;
}

/* One anon_vma is locked: what belongs to another has to wait for a batch of its own. */
static inline bool joins_same_anon_vma(const struct folio *folio, const struct anon_vma *first)
{
	return folio_anon_vma(folio) == first;
}

#endif
