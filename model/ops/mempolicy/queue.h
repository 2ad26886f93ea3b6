/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What queue_folios_pte_range() calls, the same in all releases that are told here.
 */
#ifndef PD_MEMPOLICY_QUEUE_H
#define PD_MEMPOLICY_QUEUE_H

#include "caller.h"

/* STRICT alone asks whether all is well: one misplaced page is answer enough. */
static inline bool strictly_unmovable(unsigned long flags)
{
	unsigned long all = MPOL_MF_STRICT | MPOL_MF_MOVE | MPOL_MF_MOVE_ALL;

	return (flags & all) == MPOL_MF_STRICT;
}

static inline bool queue_folio_required(struct folio *folio, struct queue_pages *qp)
{
	bool wanted = !(qp->flags & MPOL_MF_INVERT);

	return node_isset(folio_nid(folio), *qp->nmask) == wanted;
}

/* A folio that others map is spared unless all are asked for: that is no failure. */
static inline bool migrate_folio_add(struct folio *folio, struct list_head *foliolist,
				     unsigned long flags)
{
	if (!(flags & MPOL_MF_MOVE_ALL) && folio_maybe_mapped_shared(folio))
		return true;
	if (!folio_isolate_lru(folio))
		return false;
	list_add_tail(&folio->lru, foliolist);
	node_stat_mod_folio(folio, NR_ISOLATED_ANON + folio_is_file_lru(folio),
			    folio_nr_pages(folio));
	return true;
}

#endif
