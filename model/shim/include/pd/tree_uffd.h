/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The uffd bit by its older name, when the accessors of the tree have the newer one only.
 */
#ifndef PD_SHIM_TREE_UFFD_H
#define PD_SHIM_TREE_UFFD_H

#if PD_TREE_HAVE_UFFD
static inline bool pte_uffd_wp(pte_t pte)
{
	return pte_uffd(pte);
}

static inline pte_t pte_mkuffd_wp(pte_t pte)
{
	return pte_mkuffd(pte);
}

static inline pte_t pte_clear_uffd_wp(pte_t pte)
{
	return pte_clear_uffd(pte);
}

static inline bool pte_swp_uffd_wp(pte_t pte)
{
	return pte_swp_uffd(pte);
}

static inline pte_t pte_swp_mkuffd_wp(pte_t pte)
{
	return pte_swp_mkuffd(pte);
}

static inline pte_t pte_swp_clear_uffd_wp(pte_t pte)
{
	return pte_swp_clear_uffd(pte);
}
#endif

#endif
