/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clearing pages of a user. In the kernel the configuration picks among these forms; here the
 * folio that is being cleared says what the arch has, since that is an input.
 */
#ifndef PD_LINUX_HIGHMEM_H
#define PD_LINUX_HIGHMEM_H

#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/range.h>

#define SZ_8M			0x800000UL
#define SZ_32M			0x2000000UL
#define MAX_PAGE_ORDER		10
#define MAX_ORDER_NR_PAGES	(1UL << MAX_PAGE_ORDER)

/*
 * Pages that are cleared at once where the kernel is not preemptible: as the folio that is being
 * cleared has it, or else what the code says. An arch without clear_pages() is taken to be slow.
 */
#define PD_CLEARING_UNIT(otherwise)						\
	(pd_world->clearing->unit ? pd_world->clearing->unit :			\
	 pd_world->clearing->no_clear_pages ? 1 : (unsigned int)(otherwise))
#define PROCESS_PAGES_NON_PREEMPT_BATCH	PD_CLEARING_UNIT(SZ_32M / PAGE_SIZE)

static inline size_t folio_size(const struct folio *folio)
{
	return PAGE_SIZE << folio_order(folio);
}

/* ---- where pages are ---- */

static inline unsigned long pd_clearing_index(const struct page *page)
{
	return (unsigned long)(page - &pd_world->clearing->head->page);
}

static inline void *pd_clearing_kaddr(void)
{
	struct pd_clearing *c = pd_world->clearing;

	return c->memory ? (void *)c->memory : (void *)PD_CLEARING_KADDR;
}

static inline void *page_address(const struct page *page)
{
	return (char *)pd_clearing_kaddr() + pd_clearing_index(page) * PAGE_SIZE;
}

#define kmap_local_page(page)	page_address(page)
#define kunmap_local(addr)	((void)(addr))

/* ---- what an arch has ---- */

static inline void pd_clear_at(void *addr, unsigned long npages, unsigned long vaddr)
{
	unsigned long offset = (uintptr_t)addr - (uintptr_t)pd_clearing_kaddr();

	pd_clearing_pages(pd_world->clearing, offset / PAGE_SIZE, npages, vaddr);
}

static inline void clear_page(void *addr)
{
	pd_clear_at(addr, 1, 0);
}

static inline void clear_pages(void *addr, unsigned int npages)
{
	if (!pd_world->clearing->no_clear_pages) {
		pd_clear_at(addr, npages, 0);
		return;
	}
	for (unsigned int i = 0; i < npages; i++)
		clear_page((char *)addr + i * PAGE_SIZE);
}

/* An arch with cache colours clears through an alias of the user's address. */
static inline void clear_user_page(void *addr, unsigned long vaddr, struct page *page)
{
	(void)page;
	if (pd_world->clearing->arch_page || pd_world->clearing->highmem)
		pd_clear_at(addr, 1, vaddr);
	else
		clear_page(addr);
}

/* ---- what is common ---- */

static inline void clear_user_highpage(struct page *page, unsigned long vaddr)
{
	void *addr = kmap_local_page(page);

	clear_user_page(addr, vaddr, page);
	kunmap_local(addr);
}

static inline void clear_user_pages(void *addr, unsigned long vaddr, struct page *page,
				    unsigned int npages)
{
	if (!pd_world->clearing->arch_page) {
		clear_pages(addr, npages);
		return;
	}
	for (unsigned int i = 0; i < npages; i++)
		clear_user_page((char *)addr + i * PAGE_SIZE, vaddr + i * PAGE_SIZE, page + i);
}

static inline void clear_user_highpages(struct page *page, unsigned long vaddr,
					unsigned int npages)
{
	if (!pd_world->clearing->highmem) {
		clear_user_pages(page_address(page), vaddr, page, npages);
		return;
	}
	for (unsigned int i = 0; i < npages; i++)
		clear_user_highpage(page + i, vaddr + i * PAGE_SIZE);
}

#endif
