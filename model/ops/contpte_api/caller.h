/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One call of the batch API, as its callers make it: under the page-table lock, on entries that
 * map consecutive pages of one folio, with rmap and counters kept right around it, and with the
 * flush that the call leaves to its caller.
 */
#ifndef PD_CONTPTE_API_CALLER_H
#define PD_CONTPTE_API_CALLER_H

#include <linux/mm.h>

#include "args.h"

/**
 * struct pd_contpte_api - the functions under test, by the kernel's names
 *
 * What an arch or a release has as macros is wrapped by the implementation.
 */
struct pd_contpte_api {
	pte_t (*ptep_get)(const pte_t *ptep);
	pte_t (*get_and_clear_full_ptes)(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
					 unsigned int nr, int full);
	void (*clear_full_ptes)(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				unsigned int nr, int full);
	void (*set_ptes)(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte,
			 unsigned int nr);
	void (*wrprotect_ptes)(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
			       unsigned int nr);
	void (*clear_young_dirty_ptes)(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				       unsigned int nr, cydp_t flags);
	bool (*test_and_clear_young_ptes)(struct vm_area_struct *vma, unsigned long addr,
					  pte_t *ptep, unsigned int nr);
	bool (*ptep_set_access_flags)(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				      pte_t entry, int dirty);
	pte_t (*modify_prot_start_ptes)(struct vm_area_struct *vma, unsigned long addr,
					pte_t *ptep, unsigned int nr);
	void (*modify_prot_commit_ptes)(struct vm_area_struct *vma, unsigned long addr,
					pte_t *ptep, pte_t old, pte_t pte, unsigned int nr);
};

/* Where the call works. */
struct pd_contpte_at {
	const struct contpte_api_args *args;
	struct vm_area_struct *vma;
	unsigned long addr;
	pte_t *ptep;
};

/* ---- entries ---- */

#define PD_PROT_EXEC(args)	((args)->prot & 1)
#define PD_PROT_ATTR(args)	((args)->prot & 2)

/* The protection that the arguments say, not writable. */
static inline pgprot_t pd_api_prot(const struct contpte_api_args *args)
{
	pteval_t prot;

#ifdef CONFIG_X86
	prot = args->protnone ? pgprot_val(PAGE_NONE) | _PAGE_NX : pgprot_val(PAGE_READONLY);
	if (!args->protnone && PD_PROT_EXEC(args))
		prot &= ~_PAGE_NX;
	if (PD_PROT_ATTR(args))
		prot |= _PAGE_PKEY_BIT0;
#else
	prot = pgprot_val(args->protnone ? PAGE_NONE :
			  PD_PROT_EXEC(args) ? PAGE_READONLY_EXEC : PAGE_READONLY);
	if (PD_PROT_ATTR(args))
		prot = (prot & ~PTE_ATTRINDX_MASK) | PTE_ATTRINDX(MT_NORMAL_TAGGED);
#endif
	return __pgprot(prot);
}

static inline pte_t pd_api_entry(const struct pd_contpte_at *at)
{
	const struct contpte_api_args *args = at->args;
	pte_t pte = pte_mkclean(pte_mkold(pfn_pte(args->pfn, pd_api_prot(args))));

	if (args->young)
		pte = pte_mkyoung(pte);
	if (args->write)
		pte = pte_mkwrite(pte, at->vma);
	if (args->dirty)
		pte = pte_mkdirty(pte);
	return args->soft_dirty ? pte_mksoft_dirty(pte) : pte_clear_soft_dirty(pte);
}

/* ---- rmap and counters ---- */

/* Pages from @pfn on are mapped @by times more. */
static inline void pd_api_map(unsigned long pfn, unsigned int nr, int by)
{
	struct folio *folio = page_folio(pfn_to_page(pfn));

	for (unsigned int i = 0; i < nr; i++)
		pfn_to_page(pfn + i)->_mapcount += by;
	folio->page._refcount += by * (int)nr;
	pd_world->counter[folio_test_anon(folio) ? PD_COUNTER_ANON : PD_COUNTER_FILE] +=
		by * (int)nr;
}

/* ---- the calls ---- */

static inline long pd_api_take(const struct pd_contpte_api *api, const struct pd_contpte_at *at)
{
	const struct contpte_api_args *args = at->args;
	struct mm_struct *mm = at->vma->vm_mm;
	unsigned long pfn = pte_pfn(api->ptep_get(at->ptep));

	if (args->call == CONTPTE_API_CLEAR)
		api->clear_full_ptes(mm, at->addr, at->ptep, args->pages, (int)args->full);
	else
		pd_fact(CONTPTE_API_WORD, args->va,
			pte_val(api->get_and_clear_full_ptes(mm, at->addr, at->ptep, args->pages,
							     (int)args->full)));
	pd_api_map(pfn, args->pages, -1);
	return 0;
}

static inline long pd_api_set(const struct pd_contpte_api *api, const struct pd_contpte_at *at)
{
	const struct contpte_api_args *args = at->args;

	/* What is none may have been unmapped by reclaim, and not be flushed yet. */
	flush_tlb_batched_pending(at->vma->vm_mm);
	api->set_ptes(at->vma->vm_mm, at->addr, at->ptep, pd_api_entry(at), args->pages);
	pd_api_map(args->pfn, args->pages, 1);
	return 0;
}

static inline long pd_api_clear_young_dirty(const struct pd_contpte_api *api,
					    const struct pd_contpte_at *at)
{
	cydp_t flags = (at->args->young ? CYDP_CLEAR_YOUNG : 0) |
		       (at->args->dirty ? CYDP_CLEAR_DIRTY : 0);

	api->clear_young_dirty_ptes(at->vma, at->addr, at->ptep, at->args->pages, flags);
	return 0;
}

/* The access is made again after the fault; hardware that keeps young itself notes it then. */
static inline void pd_api_access(const struct pd_contpte_at *at)
{
#ifdef CONFIG_X86
	pteval_t old = pd_raw_read(at->ptep);

	while (!pd_raw_cmpxchg(at->ptep, &old, pd_hw_access(old, false)))
		;
#else
	(void)at;
#endif
}

static inline long pd_api_access_flags(const struct pd_contpte_api *api,
				       const struct pd_contpte_at *at)
{
	pte_t entry = pte_mkyoung(api->ptep_get(at->ptep));
	bool changed;

	if (at->args->write)
		entry = pte_mkwrite(entry, at->vma);
	if (at->args->dirty)
		entry = pte_mkdirty(entry);
	changed = api->ptep_set_access_flags(at->vma, at->addr, at->ptep, entry,
					     (int)at->args->dirty);
	pd_api_access(at);
	return changed;
}

static inline long pd_api_modify_prot(const struct pd_contpte_api *api,
				      const struct pd_contpte_at *at)
{
	unsigned int nr = at->args->pages;
	pte_t old = api->modify_prot_start_ptes(at->vma, at->addr, at->ptep, nr);

	pd_fact(CONTPTE_API_WORD, at->args->va, pte_val(old));
	api->modify_prot_commit_ptes(at->vma, at->addr, at->ptep, old,
				     pte_modify(old, pd_api_prot(at->args)), nr);
	return 0;
}

static inline long pd_api_call(const struct pd_contpte_api *api, const struct pd_contpte_at *at)
{
	unsigned int nr = at->args->pages;

	switch ((enum contpte_api_call)at->args->call) {
	case CONTPTE_API_SET:
		return pd_api_set(api, at);
	case CONTPTE_API_WRPROTECT:
		api->wrprotect_ptes(at->vma->vm_mm, at->addr, at->ptep, nr);
		return 0;
	case CONTPTE_API_CLEAR_YOUNG_DIRTY:
		return pd_api_clear_young_dirty(api, at);
	case CONTPTE_API_TEST_YOUNG:
		return api->test_and_clear_young_ptes(at->vma, at->addr, at->ptep, nr);
	case CONTPTE_API_ACCESS_FLAGS:
		return pd_api_access_flags(api, at);
	case CONTPTE_API_MODIFY_PROT:
		return pd_api_modify_prot(api, at);
	default:
		return pd_api_take(api, at);
	}
}

/* ---- around them ---- */

/* One invalidation anywhere in a contpte block takes the translation of all of it. */
static inline void pd_api_flush(const struct pd_contpte_at *at)
{
	unsigned long end = at->addr + at->args->pages * PAGE_SIZE, start = at->addr;

#ifdef CONFIG_ARM64
	start = ALIGN_DOWN(start, CONT_PTE_SIZE);
	end = ALIGN(end, CONT_PTE_SIZE);
#endif
	flush_tlb_range(at->vma, start, end);
}

static inline long pd_contpte_api(const struct contpte_api_args *args,
				  const struct pd_contpte_api *api)
{
	struct mm_struct mm = { .pd_world = pd_world };
	unsigned long addr = pd_addr(args->va);
	pmd_t *pmd = pd_pmd(addr);
	struct vm_area_struct vma;
	struct pd_contpte_at at = { .args = args, .vma = &vma, .addr = addr };
	spinlock_t *ptl;
	long ret;

	pd_vma_at(&vma, &mm, addr);
	pte_alloc(&mm, pmd);
	do
		at.ptep = pte_offset_map_lock(&mm, pmd, addr, &ptl);
	while (!at.ptep);
	pd_world->work.batches++;
	pd_world->work.long_batches += args->pages > 1;
	ret = pd_api_call(api, &at);
	pd_api_flush(&at);
	pte_unmap_unlock(at.ptep, ptl);
	return ret;
}

#endif
