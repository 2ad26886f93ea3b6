/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Isolation from the LRU lists.
 */
#include <linux/migrate.h>

/* Looking is no access of the operation: the table is read past the recorder. */
static bool pd_maps_folio(const struct pd_world *w, unsigned int va, const struct folio *folio)
{
	const uint64_t *entry = pd_world_entry(w, va);
	pte_t pte = __pte(entry ? *entry : 0);

	return pte_present(pte) && !pte_special(pte) && pte_pfn(pte) < PD_NR_PFN &&
	       page_folio(pte_page(pte)) == folio;
}

bool pd_folio_fails(enum pd_fault_site site, const struct folio *folio)
{
	struct pd_world *w = pd_world;

	for (unsigned int i = 0; i < w->faults.nr; i++) {
		struct pd_fault *f = &w->faults.list[i];

		if (f->site != site || !f->times || !pd_maps_folio(w, f->va, folio))
			continue;
		f->times--;
		return true;
	}
	return false;
}

bool folio_isolate_lru(struct folio *folio)
{
	if (!folio_test_lru(folio) || pd_folio_fails(PD_FAULT_ISOLATE, folio))
		return false;
	folio->page.flags &= ~(unsigned long)PD_PG_LRU;
	folio->page._refcount++;
	return true;
}

void folio_putback_lru(struct folio *folio)
{
	folio->page.flags |= PD_PG_LRU;
	folio->page._refcount--;
}

void node_stat_mod_folio(struct folio *folio, enum node_stat_item item, long nr)
{
	int32_t *counter = &pd_world->counter[item == NR_ISOLATED_FILE ? PD_COUNTER_ISOLATED_FILE :
									 PD_COUNTER_ISOLATED_ANON];

	(void)folio;
	*counter += (int32_t)nr;
}
