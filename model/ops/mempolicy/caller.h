/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk around queue_folios_pte_range(), and what mbind() and migrate_pages() do with the
 * folios that it queued: one for all implementations.
 */
#ifndef PD_MEMPOLICY_CALLER_H
#define PD_MEMPOLICY_CALLER_H

#include <internal.h>
#include <linux/mempolicy.h>
#include <linux/migrate.h>
#include <linux/pagewalk.h>

#include "args.h"

#define MPOL_MF_DISCONTIG_OK	(MPOL_MF_INTERNAL << 0)
#define MPOL_MF_INVERT		(MPOL_MF_INTERNAL << 1)

struct queue_pages {
	struct list_head *pagelist;
	unsigned long flags;
	nodemask_t *nmask;
	unsigned long start;
	unsigned long end;
	struct vm_area_struct *first;
	struct folio *large;		/* met last, of those that are large and misplaced */
	long nr_failed;
};

typedef int (*queue_ptes_fn)(pmd_t *pmd, unsigned long addr, unsigned long end,
			     struct mm_walk *walk);

static inline unsigned long pd_mempolicy_flags(const struct mempolicy_args *args)
{
	return (args->strict ? MPOL_MF_STRICT : 0) | (args->move ? MPOL_MF_MOVE : 0) |
	       (args->move_all ? MPOL_MF_MOVE_ALL : 0) | (args->invert ? MPOL_MF_INVERT : 0);
}

/* Only with a flag is there something to ask; only with STRICT where nothing can be moved. */
static inline bool pd_mempolicy_walks(struct vm_area_struct *vma, unsigned long flags)
{
	if (!vma_migratable(vma) && !(flags & MPOL_MF_STRICT))
		return false;
	return flags & (MPOL_MF_STRICT | MPOL_MF_MOVE | MPOL_MF_MOVE_ALL);
}

static inline int pd_mempolicy_vma(struct mm_walk *walk, unsigned long addr, unsigned long end,
				   queue_ptes_fn queue_ptes)
{
	unsigned long next;
	int err = 0;

	for (; addr != end && !err; addr = next) {
		pmd_t *pmd = pd_pmd(addr);

		next = pmd_addr_end(addr, end);
		if (pmd_none(*pmd))
			continue;
		do {
			walk->action = ACTION_SUBTREE;
			err = queue_ptes(pmd, addr, next, walk);
		} while (!err && walk->action == ACTION_AGAIN);
	}
	return err;
}

static inline int pd_mempolicy_walk(struct queue_pages *qp, queue_ptes_fn queue_ptes)
{
	struct mm_struct mm = { .pd_world = pd_world };
	struct vm_area_struct vma;
	struct mm_walk walk = { .mm = &mm, .vma = &vma, .private = qp };
	unsigned long addr, next;
	int err = 0;

	for (addr = qp->start; addr != qp->end && !err; addr = next) {
		pd_vma_at(&vma, &mm, addr);
		next = min(vma.vm_end, qp->end);
		if (pd_mempolicy_walks(&vma, qp->flags))
			err = pd_mempolicy_vma(&walk, addr, next, queue_ptes);
	}
	return err;
}

/*
 * Which page ended the walk is known from the last look-up of a folio: a misplaced one, and not
 * the large one that was known before. (A walk that ends because it met a page under migration
 * first goes through its table.)
 */
static inline unsigned int pd_mempolicy_stop(const struct queue_pages *qp,
					     const struct folio *known)
{
	const uint64_t *entry;
	struct folio *folio;

	if (pd_world->lookup >= PD_NR_VA)
		return MEMPOLICY_NONE;
	entry = pd_world_entry(pd_world, pd_world->lookup);
	if (!entry || !pte_present(__pte(*entry)) || pte_special(__pte(*entry)))
		return MEMPOLICY_NONE;
	folio = page_folio(pte_page(__pte(*entry)));
	if (folio == known || folio_is_zone_device(folio) || folio_test_reserved(folio) ||
	    node_isset(folio_nid(folio), *qp->nmask) != !(qp->flags & MPOL_MF_INVERT))
		return MEMPOLICY_NONE;
	return pd_world->lookup;
}

static inline void pd_mempolicy_say(const struct queue_pages *qp, const struct folio *known,
				    int err)
{
	const int32_t *counter = pd_world->counter;
	struct folio *folio;

	list_for_each_entry(folio, qp->pagelist, lru) {
		pd_raw_step(pd_world);	/* a list that never ends is noticed */
		pd_fact(MEMPOLICY_QUEUED, (u32)folio_pfn(folio), (u64)folio_nr_pages(folio));
	}
	pd_fact(MEMPOLICY_LARGE, qp->large ? (u32)folio_pfn(qp->large) : MEMPOLICY_NONE, 0);
	pd_fact(MEMPOLICY_STOP, err ? pd_mempolicy_stop(qp, known) : MEMPOLICY_NONE, 0);
	pd_fact(MEMPOLICY_ISOLATED, 0, (u64)counter[PD_COUNTER_ISOLATED_ANON]);
	pd_fact(MEMPOLICY_ISOLATED, 1, (u64)counter[PD_COUNTER_ISOLATED_FILE]);
	if (!err)
		pd_fact(MEMPOLICY_FAILED, (u32)qp->nr_failed, 0);
}

/*
 * Migrated or put back: see migrate() in reference.c. Isolation has one reference; a folio that
 * has more than that and its mappings is not migrated.
 */
static inline void pd_mempolicy_migrate(struct queue_pages *qp, unsigned int node)
{
	struct folio *folio, *next;

	list_for_each_entry_safe(folio, next, qp->pagelist, lru) {
		list_del(&folio->lru);
		node_stat_mod_folio(folio, NR_ISOLATED_ANON + folio_is_file_lru(folio),
				    -folio_nr_pages(folio));
		if (folio_ref_count(folio) == folio_mapcount(folio) + 1 && node < MAX_NUMNODES)
			folio->page.nid = node;
		folio_putback_lru(folio);
	}
}

static inline long pd_mempolicy(const struct mempolicy_args *args, queue_ptes_fn queue_ptes)
{
	LIST_HEAD(pagelist);
	nodemask_t nodes = { 0 };
	struct queue_pages qp = {
		.pagelist = &pagelist,
		.flags = pd_mempolicy_flags(args),
		.nmask = &nodes,
		.start = pd_addr(args->va),
		.end = pd_addr(args->va + args->pages),
		.large = args->large ? page_folio(pfn_to_page(args->large)) : NULL,
	};
	const struct folio *known = qp.large;
	int err;

	for (int node = 0; node < MAX_NUMNODES; node++)
		if (args->node[node])
			node_set(node, nodes);
	pd_world->batch_cap = args->batch_cap;
	pd_world->lookup = PD_NR_VA;
	err = pd_mempolicy_walk(&qp, queue_ptes);
	pd_mempolicy_say(&qp, known, err);
	pd_mempolicy_migrate(&qp, mempolicy_migrates_to(args));
	return err;
}

#endif
