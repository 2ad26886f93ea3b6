/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_PTE_BATCH_ARGS_H
#define PD_PTE_BATCH_ARGS_H

#include "model/state/outcome.h"
#include "model/state/state.h"

/**
 * struct pte_batch_args - how many entries from page @va on, at most @max_nr, form a batch?
 * @respect_dirty, @respect_soft_dirty, @respect_write: these bits have to be equal in a batch
 * @merge_write, @merge_young_dirty: the caller's copy of the first entry takes them from the others
 */
struct pte_batch_args {
	uint32_t va, max_nr;
	uint32_t respect_dirty, respect_soft_dirty, respect_write;
	uint32_t merge_write, merge_young_dirty;
};

/* What the operation returns: the length, and bits of the copy of the first entry. */
#define PTE_BATCH_NR		0xffffL
#define PTE_BATCH_WRITE		(1L << 16)
#define PTE_BATCH_YOUNG		(1L << 17)
#define PTE_BATCH_DIRTY		(1L << 18)
#define PTE_BATCH_SOFT_DIRTY	(1L << 19)

/**
 * enum pte_batch_view - what a scan sees of the entries
 * @PTE_BATCH_LOGICAL:	what each says by itself
 * @PTE_BATCH_BLOCKS:	contpte blocks as one, where an arch has them; it has no soft-dirty
 * @PTE_BATCH_RAW:	the same, and whether a writable entry is dirty by hardware or by software
 */
enum pte_batch_view {
	PTE_BATCH_LOGICAL,
	PTE_BATCH_BLOCKS,
	PTE_BATCH_RAW,
};

/* pte_batch_scan() - the return value, for a scan that sees @view. */
long pte_batch_scan(const struct pd_state *s, const struct pte_batch_args *a,
		    enum pte_batch_view view);

struct pd_outcome pte_batch_reference(struct pd_state *s, const void *args);

#endif
