/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shim's own scan, in the form of 6.17 and later.
 */
#include "caller.h"

#include "form_v6_18.h"

static long run(const void *args)
{
	return pd_pte_batch(args, scan);
}

const struct pd_impl impl = {
	.mirrors = "v6.18, folio_pte_batch_flags()",
	.bind = pd_bind,
	.run = run,
};
