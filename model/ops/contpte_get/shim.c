/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all other operations read with: ptep_get() and ptep_get_lockless() of the shim.
 */
#include "caller.h"

#ifdef CONFIG_ARM64

static pte_t read_locked(const pte_t *ptep)
{
	return ptep_get(ptep);
}

static pte_t read_lockless(const pte_t *ptep)
{
	return ptep_get_lockless(ptep);
}

static long run(const void *args)
{
	return pd_contpte_get(args, read_locked, read_lockless);
}

const struct pd_impl impl = {
	.mirrors = "v6.18, the contpte layer of the shim",
	.never_batches = "an entry at a time is read",
	.bind = pd_bind,
	.run = run,
};

#else

const struct pd_impl impl = { .unsupported = PD_CONTPTE_GET_ARM64_ONLY };

#endif
