/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_MEMPOLICY_ARGS_H
#define PD_MEMPOLICY_ARGS_H

#include "model/state/outcome.h"
#include "model/state/state.h"

#define MEMPOLICY_NODES 4

/**
 * struct mempolicy_args - find the misplaced folios of pages [@va, @va + @pages)
 * @strict:	MPOL_MF_STRICT: alone, the first misplaced page ends the walk with -EIO
 * @move:	MPOL_MF_MOVE: queue folios that nobody else maps
 * @move_all:	MPOL_MF_MOVE_ALL: queue the others, too
 * @invert:	MPOL_MF_INVERT: misplaced is what is not on @node, the nodes of a policy, as mbind()
 *		asks; without it what is on them, as migrate_pages() asks of nodes to be emptied
 * @node:	the mask of nodes
 * @large:	0, or a frame of the large folio that the walk met last, in an earlier table
 * @batch_cap:	0, or the longest batch that the scan may report
 */
struct mempolicy_args {
	uint32_t va, pages;
	uint32_t strict, move, move_all, invert;
	uint32_t node[MEMPOLICY_NODES];
	uint32_t large, batch_cap;
};

#define MEMPOLICY_NONE PD_NR_PFN	/* no folio, no page */

/* Facts of a walk. */
enum {
	MEMPOLICY_QUEUED,	/* a: head of a folio on the list, b: its pages; in list order */
	MEMPOLICY_LARGE,	/* a: head of the large folio met last, or MEMPOLICY_NONE */
	MEMPOLICY_STOP,		/* a: the page that ended the walk, or MEMPOLICY_NONE */
	MEMPOLICY_ISOLATED,	/* a: 0 anonymous, 1 file list; b: pages that are off it */
	MEMPOLICY_FAILED,	/* a: what could not be queued; said only when 0 is returned */
	/* of the reference alone, for op.c */
	MEMPOLICY_FAILED_AT,	/* a: a page whose folio could not be queued */
};

/* mempolicy_migrates_to() - the node that queued folios go to; MEMPOLICY_NODES: nowhere. */
static inline uint32_t mempolicy_migrates_to(const struct mempolicy_args *a)
{
	uint32_t node = 0;

	while (node < MEMPOLICY_NODES && !a->node[node] == !!a->invert)
		node++;
	return node;
}

/* mempolicy_part_end() - where the part of the walk that begins at @va ends. */
uint32_t mempolicy_part_end(const struct pd_state *s, const struct mempolicy_args *a, uint32_t va);

struct pd_outcome mempolicy_reference(struct pd_state *s, const void *args);

#endif
