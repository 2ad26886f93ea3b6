/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_MREMAP_ARGS_H
#define PD_MREMAP_ARGS_H

#include "model/state/outcome.h"
#include "model/state/state.h"

/**
 * struct mremap_args - move @pages pages from page @src to page @dst
 * @rmap_locks:		the caller takes the rmap locks (the VMA moved down, or was merged)
 * @whole_table:	a full table whose entries need no visit is moved by its pointer
 * @batch_cap:		0, or the longest batch that the scan may report
 */
struct mremap_args {
	uint32_t src, dst, pages;
	uint32_t rmap_locks, whole_table, batch_cap;
};

struct pd_outcome mremap_reference(struct pd_state *s, const void *args);

#endif
