/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contpte_ptep_get() and contpte_ptep_get_lockless() of a kernel tree.
 */
#include "model/ops/contpte_get/caller.h"

#include "pd/tree.h"

#include "group.inc"

static pte_t tree_gather(const pte_t *ptep, pte_t orig_pte)
{
	return pd_tree_contpte_ptep_get((pte_t *)ptep, orig_pte);
}

static pte_t tree_lockless(const pte_t *ptep)
{
	return pd_tree_contpte_ptep_get_lockless((pte_t *)ptep);
}

PD_CONTPTE_GET_IMPL(PD_TREE_MIRRORS, tree_gather, tree_lockless);
