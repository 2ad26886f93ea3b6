/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What other parts of the kernel do to folios: lock holders, splitting, migration, swap cache.
 *
 * They are not under test. Their changes are made behind the recorder, and with all the locks
 * and flushes that they need; model/state/folio.h says what they leave.
 */
#include <linux/huge_mm.h>
#include <linux/migrate.h>
#include <linux/pagemap.h>
#include <linux/swap.h>

#define pd_for_each_entry(entry, va)						\
	for ((va) = 0; (va) < PD_NR_VA; (va)++)					\
		if (((entry) = pd_world_entry(pd_world, (va))) && *(entry))

/* An entry changes without the operation having any part in it. */
static void pd_rewrite(unsigned int va, uint64_t *entry, pteval_t val)
{
	*entry = val;
	pd_world->pte_written[va / PD_GRANULE / 64] |= 1ULL << (va / PD_GRANULE % 64);
}

/* The page that an entry maps, PD_NR_PFN when it maps none. */
static unsigned long pd_mapped_pfn(pte_t pte)
{
	softleaf_t leaf = softleaf_from_pte(pte);

	if (pte_present(pte))
		return pte_special(pte) ? PD_NR_PFN : pte_pfn(pte);
	return softleaf_is_device_private(leaf) || softleaf_is_device_exclusive(leaf) ?
		       softleaf_to_pfn(leaf) : PD_NR_PFN;
}

/* ---- locks ---- */

bool folio_trylock(struct folio *folio)
{
	if (folio_test_locked(folio) || pd_folio_fails(PD_FAULT_TRYLOCK, folio))
		return false;
	folio->page.flags |= PD_PG_LOCKED;
	return true;
}

void folio_lock(struct folio *folio)
{
	VM_BUG_ON_FOLIO(folio_test_locked(folio), folio);
	while (pd_folio_fails(PD_FAULT_TRYLOCK, folio))
		;
	folio->page.flags |= PD_PG_LOCKED;
}

void folio_unlock(struct folio *folio)
{
	VM_BUG_ON_FOLIO(!folio_test_locked(folio), folio);
	folio->page.flags &= ~(unsigned long)PD_PG_LOCKED;
}

/* ---- splitting ---- */

static void pd_break_blocks(const struct folio *folio)
{
#ifdef CONFIG_ARM64
	unsigned long first = folio_pfn(folio), pages = (unsigned long)folio_nr_pages(folio);
	uint64_t *entry;
	unsigned int va;

	pd_for_each_entry(entry, va)
		if (pd_hw_valid(*entry) && pd_hw_cont(*entry) &&
		    pd_hw_pfn(*entry) - first < pages)
			pd_rewrite(va, entry, pte_val(pte_mknoncont(__pte(*entry))));
#else
	(void)folio;
#endif
}

/* References that neither mappings nor the caller of split_folio() account for. */
static int pd_extra_refs(const struct folio *folio)
{
	int refs = folio->page._refcount - 1;

	for (long i = 0; i < folio_nr_pages(folio); i++)
		refs -= (&folio->page)[i]._mapcount + 1;
	return refs;
}

/* Mappings of each page of @folio that are not in these tables. */
static void pd_other_mappings(const struct folio *folio, int *others)
{
	unsigned long pages = (unsigned long)folio_nr_pages(folio);
	uint64_t *entry;
	unsigned int va;

	for (unsigned long i = 0; i < pages; i++)
		others[i] = (&folio->page)[i]._mapcount + 1;
	pd_for_each_entry(entry, va) {
		unsigned long i = pd_mapped_pfn(__pte(*entry)) - folio_pfn(folio);

		if (i < pages)
			others[i]--;
	}
}

/* Page @i of @folio becomes a folio of its own; @head: the head before that. */
static void pd_split_page(struct folio *folio, unsigned int i, const struct page *head, bool shared)
{
	const unsigned long not_kept = PD_PG_LARGE | PD_PG_ANON_EXCLUSIVE | PD_PG_SHARED |
				       (i ? PD_PG_LOCKED : 0);
	struct page *page = &folio->page + i, old = *page;

	*page = *head;
	page->flags &= ~not_kept;
	page->flags |= old.flags & PD_PG_ANON_EXCLUSIVE;
	page->flags |= shared ? PD_PG_SHARED : 0;
	page->index = (u16)(head->index + i);
	page->order = 0;
	page->_mapcount = old._mapcount;
	page->_refcount = old._mapcount + 1 + !i;
}

int split_folio(struct folio *folio)
{
	unsigned int pages = (unsigned int)folio_nr_pages(folio);
	int others[1u << PD_MAX_ORDER] = { 0 };
	struct page head = folio->page;

	VM_BUG_ON_FOLIO(!folio_test_locked(folio), folio);
	if (pd_folio_fails(PD_FAULT_SPLIT, folio))
		return -EBUSY;
	if (folio_maybe_dma_pinned(folio) || pd_extra_refs(folio))
		return -EAGAIN;
	if (head.flags & PD_PG_SHARED)
		pd_other_mappings(folio, others);
	pd_break_blocks(folio);
	for (unsigned int i = 0; i < pages; i++)
		pd_split_page(folio, i, &head, others[i]);
	return 0;
}

/* ---- migration ---- */

/* Entries that map the page of @pfn, or will when its migration is over. */
static unsigned int pd_entries_naming(unsigned long pfn)
{
	unsigned int nr = 0, va;
	uint64_t *entry;

	pd_for_each_entry(entry, va) {
		pte_t pte = __pte(*entry);
		softleaf_t leaf = softleaf_from_pte(pte);

		if (pte_present(pte))
			nr += !pte_special(pte) && pte_pfn(pte) == pfn;
		else
			nr += !softleaf_is_swap(leaf) && !softleaf_is_marker(leaf) &&
			      softleaf_to_pfn(leaf) == pfn;
	}
	return nr;
}

/* Is the page behind a migration entry exclusive when it is mapped again? */
static bool pd_migrated_exclusive(softleaf_t leaf)
{
	const struct folio *folio = page_folio(pfn_to_page(softleaf_to_pfn(leaf)));

	return swp_type(leaf) != SWP_MIGRATION_READ && !folio_test_ksm(folio) &&
	       pfn_to_page(softleaf_to_pfn(leaf))->_mapcount == -1 &&
	       pd_entries_naming(softleaf_to_pfn(leaf)) == 1;
}

void migration_entry_wait(struct mm_struct *mm, pmd_t *pmd, unsigned long addr)
{
	unsigned int va = (unsigned int)((addr - PD_VA_BASE) >> PAGE_SHIFT);
	uint64_t *entry = (uint64_t *)pmd->pmd + pte_index(addr);
	softleaf_t leaf = softleaf_from_pte(__pte(*entry));
	struct page *page = pfn_to_page(softleaf_to_pfn(leaf));
	bool exclusive = pd_migrated_exclusive(leaf);
	struct vm_area_struct vma;
	pte_t pte;

	pd_vma_at(&vma, mm, addr);
	pte = pte_mkold(mk_pte(page, vma.vm_page_prot));
	if (pte_swp_soft_dirty(__pte(*entry)))
		pte = pte_mksoft_dirty(pte);
	if (pte_swp_uffd_wp(__pte(*entry)))
		pte = pte_mkuffd_wp(pte);
	else if (exclusive && swp_type(leaf) == SWP_MIGRATION_WRITE && (vma.vm_flags & VM_WRITE))
		pte = pte_mkwrite(pte, &vma);
	page->flags &= ~(unsigned long)PD_PG_ANON_EXCLUSIVE;
	page->flags |= exclusive ? PD_PG_ANON_EXCLUSIVE : 0;
	page->_mapcount++;
	folio_get(page_folio(page));
	pd_rewrite(va, entry, pte_val(pte));
}

/* ---- the swap cache ---- */

static struct folio *pd_swap_cache_folio(swp_entry_t entry)
{
	const unsigned long anon = PD_PG_ANON | PD_PG_SWAPCACHE;
	unsigned long pfn = swp_offset(entry);
	struct folio *folio;

	if (swp_type(entry) || pfn >= PD_ZERO_PFN)
		return NULL;
	folio = page_folio(pfn_to_page(pfn));
	if ((folio->page.flags & (anon | PD_PG_KSM | PD_PG_DEVICE)) != anon ||
	    pfn_to_page(pfn)->_mapcount != -1)
		return NULL;
	return folio;
}

bool swap_cache_has_folio(swp_entry_t entry)
{
	return pd_swap_cache_folio(entry);
}

struct folio *swap_cache_get_folio(swp_entry_t entry)
{
	struct folio *folio = pd_swap_cache_folio(entry);

	if (folio)
		folio_get(folio);
	return folio;
}
