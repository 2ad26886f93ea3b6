/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mremap, one entry at a time.
 */
#include "args.h"

/* A context that did not ask for remap events stays behind, and its uffd-wp bits with it. */
static bool drops_uffd_wp(const struct pd_state *s, const struct mremap_args *a)
{
	return pd_state_vma(s, a->src)->flags & PD_VMA_UFFD_NO_REMAP;
}

/* Is the entry at page @i of the move in a table that is moved by its pointer? */
static bool in_whole_table(const struct pd_state *s, const struct mremap_args *a, uint32_t i)
{
	uint32_t first = (a->src + i) / PD_TABLE_PAGES * PD_TABLE_PAGES;

	return a->whole_table && !drops_uffd_wp(s, a) &&
	       a->src % PD_TABLE_PAGES == a->dst % PD_TABLE_PAGES &&
	       first >= a->src && first + PD_TABLE_PAGES <= a->src + a->pages;
}

static lpte_t moved(lpte_t pte, bool drop_uffd_wp)
{
	if (drop_uffd_wp) {
		if (lpte_kind(pte) == LPTE_KIND_MARKER && lpte_type(pte) == LPTE_MARKER_UFFD_WP)
			return 0;
		pte &= ~LPTE_UFFD_WP;
	}
	return pte | LPTE_SOFT_DIRTY;
}

struct pd_outcome mremap_reference(struct pd_state *s, const void *args)
{
	const struct mremap_args *a = args;
	struct pd_outcome outcome = { .ret = a->pages, .notify = true };
	bool drop_uffd_wp = drops_uffd_wp(s, a);

	for (uint32_t i = 0; i < a->pages; i++) {
		bool whole = in_whole_table(s, a, i);
		lpte_t pte = s->pte[a->src + i];

		if (lpte_none(pte))
			continue;
		if (!whole) {
			pd_state_break_block(s, a->src + i);
			pte = moved(pte & ~LPTE_CONT, drop_uffd_wp);
		}
		pd_state_set(s, a->src + i, 0);
		pd_state_set(s, a->dst + i, pte);
		outcome.changed++;
	}
	return outcome;
}
