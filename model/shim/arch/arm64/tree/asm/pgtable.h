/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry accessors of a kernel tree for arm64, in place of ours; its contpte.c is built beside.
 */
#ifndef PD_ARM64_PGTABLE_H
#define PD_ARM64_PGTABLE_H

#include "pd/tree_arch.h"

#define PUD_SIZE		(PMD_SIZE * PTRS_PER_PTE)
#define __PAGETABLE_PMD_FOLDED	1

typedef struct {
	unsigned long val;
} swp_entry_arch_t;

/* Arches have no form of their own of this one. */
static inline bool pte_same(pte_t a, pte_t b)
{
	return pte_val(a) == pte_val(b);
}

#include "accessors.inc"

/* As mmap() protects private mappings, by the name that other arches have for it. */
#define PAGE_COPY		PAGE_READONLY

static inline pte_t pte_mkwrite(pte_t pte, struct vm_area_struct *vma)
{
	(void)vma;
	return pte_mkwrite_novma(pte);
}

#include "pd/tree_uffd.h"

#endif
