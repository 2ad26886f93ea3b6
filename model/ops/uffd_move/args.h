/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_UFFD_MOVE_ARGS_H
#define PD_UFFD_MOVE_ARGS_H

#include "model/state/outcome.h"
#include "model/state/state.h"

/**
 * struct uffd_move_args - ioctl(UFFDIO_MOVE): move @pages pages from page @src to page @dst
 * @holes:	ALLOW_SRC_HOLES: what is none at the source counts as moved
 * @dontwake:	DONTWAKE: whoever waits for the destination goes on waiting
 * @batch_cap:	0, or the most pages that one call of the inner function may move
 */
struct uffd_move_args {
	uint32_t src, dst, pages;
	uint32_t holes, dontwake, batch_cap;
};

/* What the ioctl tells besides its return value. */
enum uffd_move_fact {
	UFFD_MOVE_FIELD,	/* b: the move field, bytes or a negative errno */
	UFFD_MOVE_WAKE,		/* a: first page of the wake range, b: its pages */
};

struct pd_outcome uffd_move_reference(struct pd_state *s, const void *args);

/* uffd_move_refuses() - may pages of @src not be moved into @dst at all? */
static inline int uffd_move_refuses(const struct pd_vma *src, const struct pd_vma *dst)
{
	const uint16_t alike = PD_VMA_RO | PD_VMA_LOCKED;
	const uint16_t barred = PD_VMA_RO | PD_VMA_SHARED | PD_VMA_FILE | PD_VMA_PFNMAP;

	return ((src->flags ^ dst->flags) & alike) || ((src->flags | dst->flags) & barred);
}

#endif
