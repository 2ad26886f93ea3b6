/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The batch scan of a kernel tree: nine arguments up to 6.16, flags since then.
 */
#include "model/ops/pte_batch/caller.h"

#include "pd/tree.h"

#include "group.inc"

#if PD_TREE_HAVE_FLAGS
#include "model/ops/pte_batch/form_v6_18.h"
#else
#include "model/ops/pte_batch/form_v6_12.h"
#endif

static long run(const void *args)
{
	return pd_pte_batch(args, scan);
}

const struct pd_impl impl = {
	.mirrors = PD_TREE_MIRRORS,
	.bind = pd_bind,
	.run = run,
};
