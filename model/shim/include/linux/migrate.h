/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folios between LRU lists and private lists: isolation, and the way back.
 */
#ifndef PD_LINUX_MIGRATE_H
#define PD_LINUX_MIGRATE_H

#include <linux/list.h>
#include <linux/mm.h>

enum node_stat_item {
	NR_ISOLATED_ANON,
	NR_ISOLATED_FILE,
};

/* One machine, one set of counters: folios do not change their node while isolated. */
void node_stat_mod_folio(struct folio *folio, enum node_stat_item item, long nr);

static inline bool folio_test_swapbacked(const struct folio *folio)
{
	return folio->page.flags & PD_PG_SWAPBACKED;
}

static inline int folio_is_file_lru(const struct folio *folio)
{
	return !folio_test_swapbacked(folio);
}

static inline bool folio_test_lru(const struct folio *folio)
{
	return folio->page.flags & PD_PG_LRU;
}

/* pd_folio_fails() - does a fault at @site make this attempt on @folio fail? It counts. */
bool pd_folio_fails(enum pd_fault_site site, const struct folio *folio);

/* Off the LRU, with a reference; false when it is not on one, or a fault says so. */
bool folio_isolate_lru(struct folio *folio);

/* Back on the LRU; the reference is dropped. */
void folio_putback_lru(struct folio *folio);

/*
 * An estimate: the kernel cannot always tell who maps a large folio. What it finds out is an
 * input here, other mappings of any page; a small folio is simply mapped more than once.
 */
static inline bool folio_maybe_mapped_shared(struct folio *folio)
{
	if (!folio_test_large(folio))
		return folio_mapcount(folio) > 1;
	return folio->page.flags & PD_PG_SHARED;
}

/* up to 6.14 */
#define folio_likely_mapped_shared(folio) folio_maybe_mapped_shared(folio)

#endif
