/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the adapters of kernel trees: what the shim's own functions do besides their work.
 */
#ifndef PD_SHIM_TREE_H
#define PD_SHIM_TREE_H

#include <linux/kconfig.h>
#include <linux/mm.h>

/* pd_tree_batch() - the batch @nr that the tree's scan found: counted, and cut as ours is. */
static inline unsigned int pd_tree_batch(unsigned int nr)
{
	struct pd_world *w = pd_world;

	if (w->batch_cap)
		nr = min(nr, w->batch_cap);
	w->work.batches++;
	w->work.long_batches += nr > 1;
	return nr;
}

#endif
