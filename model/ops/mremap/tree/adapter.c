/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * move_ptes() of a kernel tree under our caller loop. Up to 6.15 it took eight arguments, since
 * then it takes what they describe in a struct.
 */
#include "model/ops/mremap/caller.h"

#include "pd/tree.h"

#include "group.inc"

static int tree_move_ptes(struct pagetable_move_control *pmc, unsigned long extent,
			  pmd_t *old_pmd, pmd_t *new_pmd)
{
#if PD_TREE_HAVE_PMC
	struct pd_tree_pagetable_move_control control = {
		.old = pmc->old,
		.new = pmc->new,
		.old_addr = pmc->old_addr,
		.old_end = pmc->old_end,
		.new_addr = pmc->new_addr,
		.need_rmap_locks = pmc->need_rmap_locks,
	};

	return move_ptes(&control, extent, old_pmd, new_pmd);
#else
	return move_ptes(pmc->old, old_pmd, pmc->old_addr, pmc->old_addr + extent, pmc->new,
			 new_pmd, pmc->new_addr, pmc->need_rmap_locks);
#endif
}

static long run(const void *args)
{
	return pd_mremap(args, tree_move_ptes);
}

const struct pd_impl impl = {
	.mirrors = PD_TREE_MIRRORS,
#if !PD_TREE_HAVE_BATCHED
	.never_batches = "one entry at a time",
#elif PD_TREE_HAVE_HINT_GATE && defined(CONFIG_X86)
	.never_batches = "x86 gives no batch hint",
#endif
	.bind = pd_bind,
	.run = run,
};
