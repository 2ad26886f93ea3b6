/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the entry accessors of a kernel tree, in place of ours: what both arches ask for.
 */
#ifndef PD_SHIM_TREE_ARCH_H
#define PD_SHIM_TREE_ARCH_H

#include <linux/kconfig.h>
#include <linux/mmdebug.h>

#include <asm/tree.h>

#define CONFIG_PGTABLE_LEVELS		4
#define CONFIG_HAVE_ARCH_USERFAULTFD_WP	1
#define CONFIG_NUMA_BALANCING		1
#define CONFIG_ARCH_HAS_PTE_PROTNONE	1

/* A debugging aid that keeps account of what is mapped, by hooks in the accessors. */
#define page_table_check_pte_clear(...)	((void)0)
#define page_table_check_pmd_clear(...)	((void)0)
#define page_table_check_pud_clear(...)	((void)0)
#define page_table_check_ptes_set(...)	((void)0)
#define page_table_check_pmds_set(...)	((void)0)
#define page_table_check_puds_set(...)	((void)0)

#define _AT(type, x)			((type)(x))
#define __always_unused			__maybe_unused

typedef uint64_t phys_addr_t;

#endif
