/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages, folios, VMAs, and what the page-table code asks about them.
 */
#ifndef PD_LINUX_MM_H
#define PD_LINUX_MM_H

#include <linux/compiler.h>
#include <linux/mmdebug.h>
#include <linux/pgtable.h>
#include <linux/swapops.h>

/* ---- memmap ---- */

static inline unsigned long page_to_pfn(const struct page *page)
{
	return (unsigned long)(page - pd_world->memmap);
}

static inline struct page *pfn_to_page(unsigned long pfn)
{
	if (unlikely(pfn >= PD_NR_PFN)) {
		pd_warn("page frame beyond the memmap");
		pfn = 0;
	}
	return pd_world->memmap + pfn;
}

#define pte_page(pte) pfn_to_page(pte_pfn(pte))

static inline struct folio *pd_page_folio(const struct page *page)
{
	unsigned long head = page->compound_head;

	return (struct folio *)(head & 1 ? head - 1 : (unsigned long)page);
}
#define page_folio(page) pd_page_folio(page)

static inline struct page *folio_page(struct folio *folio, unsigned long n)
{
	return &folio->page + n;
}

static inline unsigned long folio_pfn(const struct folio *folio)
{
	return page_to_pfn(&folio->page);
}

static inline bool folio_test_large(const struct folio *folio)
{
	return folio->page.flags & PD_PG_LARGE;
}

static inline unsigned int folio_order(const struct folio *folio)
{
	return folio->page.order;
}

static inline long folio_nr_pages(const struct folio *folio)
{
	return 1L << folio->page.order;
}

static inline int folio_ref_count(const struct folio *folio)
{
	return folio->page._refcount;
}

/* Mappings of all its pages. */
static inline int folio_mapcount(const struct folio *folio)
{
	int mappings = 0;

	for (long i = 0; i < folio_nr_pages(folio); i++)
		mappings += (&folio->page)[i]._mapcount + 1;
	return mappings;
}

static inline unsigned long folio_page_idx(const struct folio *folio, const struct page *page)
{
	return (unsigned long)(page - &folio->page);
}

static inline bool folio_test_anon(const struct folio *folio)
{
	return folio->page.flags & PD_PG_ANON;
}

static inline bool folio_test_swapcache(const struct folio *folio)
{
	return folio->page.flags & PD_PG_SWAPCACHE;
}

static inline bool folio_test_ksm(const struct folio *folio)
{
	return folio->page.flags & PD_PG_KSM;
}

static inline bool PageAnonExclusive(const struct page *page)
{
	return page->flags & PD_PG_ANON_EXCLUSIVE;
}

static inline bool folio_is_zone_device(const struct folio *folio)
{
	return folio->page.flags & PD_PG_DEVICE;
}

static inline bool folio_test_reserved(const struct folio *folio)
{
	return folio->page.flags & PD_PG_RESERVED;
}

static inline int folio_nid(const struct folio *folio)
{
	return (int)folio->page.nid;
}

static inline bool folio_maybe_dma_pinned(const struct folio *folio)
{
	return folio->page.flags & PD_PG_PINNED;
}

static inline bool is_zero_pfn(unsigned long pfn)
{
	return pfn == PD_ZERO_PFN;
}

/* Is @p in a page table? Kernel code asks in three steps, for any address. */
static inline bool virt_addr_valid(const volatile void *p)
{
	return pd_raw_inside(pd_raw_offset(pd_world, (const pte_t *)p));
}
#define virt_to_page(p)		(p)
#define PageTable(p)		virt_addr_valid(p)

/* The page behind an entry, unless nobody may look at it (zero page, pfn mappings). */
static inline struct page *vm_normal_page(struct vm_area_struct *vma, unsigned long addr, pte_t pte)
{
	(void)vma;
	pd_world->lookup = (unsigned int)((addr - PD_VA_BASE) >> PAGE_SHIFT);
	pd_world->work.folio_lookups++;
	return unlikely(pte_special(pte)) ? NULL : pte_page(pte);
}

static inline struct folio *vm_normal_folio(struct vm_area_struct *vma, unsigned long addr,
					    pte_t pte)
{
	struct page *page = vm_normal_page(vma, addr, pte);

	return page ? page_folio(page) : NULL;
}

static inline unsigned long zero_pfn(unsigned long addr)
{
	(void)addr;
	return PD_ZERO_PFN;
}

static inline pte_t mk_pte(const struct page *page, pgprot_t prot)
{
	return pfn_pte(page_to_pfn(page), prot);
}

static inline pte_t folio_mk_pte(const struct folio *folio, pgprot_t prot)
{
	return mk_pte(&folio->page, prot);
}

/* ---- VMAs ---- */

/* pd_vma_at() - the VMA of @addr, made in @vma from the world's list. */
void pd_vma_at(struct vm_area_struct *vma, struct mm_struct *mm, unsigned long addr);

static inline unsigned long pd_addr(unsigned int va)
{
	return PD_VA_BASE + va * PAGE_SIZE;
}

/* pd_pmd() - the slot of @addr's page table. */
static inline pmd_t *pd_pmd(unsigned long addr)
{
	return (pmd_t *)&pd_world->pmd[(addr - PD_VA_BASE) >> PMD_SHIFT];
}

static inline bool vma_is_anonymous(const struct vm_area_struct *vma)
{
	return !(vma->pd_flags & PD_VMA_FILE);
}

/* Has a userfaultfd context that did not ask for remap events: such a move drops uffd-wp. */
static inline bool vma_has_uffd_without_event_remap(struct vm_area_struct *vma)
{
	return vma->pd_flags & PD_VMA_UFFD_NO_REMAP;
}

/* Registered for tracking reads and writes by protection: nothing here is. */
static inline bool userfaultfd_rwp(struct vm_area_struct *vma)
{
	(void)vma;
	return false;
}

/* Page indexes have 16 bits in this world. */
static inline unsigned long linear_page_index(const struct vm_area_struct *vma, unsigned long addr)
{
	return (u16)(((addr - vma->vm_start) >> PAGE_SHIFT) + vma->vm_pgoff);
}
#define linear_anon_page_index(vma, addr) linear_page_index(vma, addr)

/* ---- TLB ---- */

#define flush_tlb_range(vma, start, end)	((void)(vma), pd_tlb_flush(start, end))
#define flush_tlb_page(vma, addr)	((void)(vma), pd_tlb_flush(addr, (addr) + PAGE_SIZE))
#define flush_cache_range(vma, start, end)	((void)(vma), (void)(start), (void)(end))

/* Whoever takes a lock and believes "none" has to wait for flushes that reclaim put off. */
static inline void flush_tlb_batched_pending(struct mm_struct *mm)
{
	(void)mm;
	if (pd_world->deferred)
		pd_tlb_flush_all();
}

/* ---- rmap locks: held or not makes no difference here ---- */

#define cond_resched()	((void)0)
#define might_sleep()	((void)0)

#include <linux/compat.h>

#endif
