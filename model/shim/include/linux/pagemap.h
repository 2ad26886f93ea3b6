/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks and references of folios.
 */
#ifndef PD_LINUX_PAGEMAP_H
#define PD_LINUX_PAGEMAP_H

#include <linux/mm.h>

static inline bool folio_test_locked(const struct folio *folio)
{
	return folio->page.flags & PD_PG_LOCKED;
}

/* Somebody else holds the lock as often as a fault of the scenario says. */
bool folio_trylock(struct folio *folio);

/* Waiting lets the holder finish: it holds the lock no more afterwards. */
void folio_lock(struct folio *folio);

void folio_unlock(struct folio *folio);

static inline void folio_get(struct folio *folio)
{
	folio->page._refcount++;
}

static inline void folio_put(struct folio *folio)
{
	VM_WARN_ON(folio->page._refcount <= 0);
	folio->page._refcount--;
}

#endif
