/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry accessors of a kernel tree for x86, in place of ours.
 */
#ifndef PD_X86_PGTABLE_H
#define PD_X86_PGTABLE_H

#include "pd/tree_arch.h"

#define CONFIG_MEM_SOFT_DIRTY		1
#define CONFIG_HAVE_ARCH_SOFT_DIRTY	1

typedef struct {
	unsigned long val;
} swp_entry_arch_t;

/* The generic header has it. */
#define ptep_get ptep_get
static inline pte_t ptep_get(const pte_t *ptep)
{
	return READ_ONCE(*ptep);
}

#include "accessors.inc"

#if PD_TREE_HAVE_FULL
#define ptep_get_and_clear_full ptep_get_and_clear_full
#endif

#include "pd/tree_uffd.h"

#endif
