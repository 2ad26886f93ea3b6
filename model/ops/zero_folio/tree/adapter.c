/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folio_zero_user() of a kernel tree: page by page up to 6.19, in extents since then.
 */
#include "model/ops/zero_folio/caller.h"

#include "pd/tree.h"

#include "group.inc"

static const struct pd_zero_form form = {
	.folio_zero_user = folio_zero_user,
#if !PD_TREE_HAVE_EXTENTS
	.order = ZERO_FOLIO_FORM_PAGES,
	.unit = 1,
#else
	.order = PD_TREE_HAVE_GATE ? ZERO_FOLIO_FORM_REGIONS_SMALL : ZERO_FOLIO_FORM_REGIONS,
	.resched_after = PD_TREE_HAVE_AFTER,
	.unit = SZ_32M / PAGE_SIZE,
#endif
};

static long run(const void *args)
{
	return pd_zero_folio(args, &form);
}

const struct pd_impl impl = {
	.mirrors = PD_TREE_MIRRORS,
#if !PD_TREE_HAVE_EXTENTS
	.never_batches = "a page at a time",
#endif
	.bind = pd_bind,
	.run = run,
};
