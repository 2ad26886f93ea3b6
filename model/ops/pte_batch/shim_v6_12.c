/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shim's own scan, in the form of 6.9 to 6.16, nine arguments.
 */
#include "caller.h"

#include "form_v6_12.h"

static long run(const void *args)
{
	return pd_pte_batch(args, scan);
}

const struct pd_impl impl = {
	.mirrors = "v6.12, folio_pte_batch() with nine arguments",
	.bind = pd_bind,
	.run = run,
};
