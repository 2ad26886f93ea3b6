/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_folios_pte_range() of a kernel tree under our walk.
 */
#include "model/ops/mempolicy/caller.h"

#include "pd/tree.h"

/* Folios can be migrated (by the second name since 7.1 or so), huge pages are not mapped here. */
#define CONFIG_MIGRATION 1
#define CONFIG_NUMA_MIGRATION 1
#define queue_folios_pmd(...) ((void)0)

#include "group.inc"

static int tree_queue(pmd_t *pmd, unsigned long addr, unsigned long end, struct mm_walk *walk)
{
	struct queue_pages *qp = walk->private;
	struct pd_tree_queue_pages tree = {
		.pagelist = qp->pagelist,
		.flags = qp->flags,
		.nmask = qp->nmask,
		.start = qp->start,
		.end = qp->end,
		.first = qp->first,
		.large = qp->large,
		.nr_failed = qp->nr_failed,
	};
	int err;

	walk->private = &tree;
	err = queue_folios_pte_range(pmd, addr, end, walk);
	walk->private = qp;
	qp->large = tree.large;
	qp->nr_failed = tree.nr_failed;
	return err;
}

static long run(const void *args)
{
	return pd_mempolicy(args, tree_queue);
}

const struct pd_impl impl = {
	.mirrors = PD_TREE_MIRRORS,
#if !PD_TREE_HAVE_BATCHED
	.never_batches = "one entry at a time",
#endif
	.bind = pd_bind,
	.run = run,
};
