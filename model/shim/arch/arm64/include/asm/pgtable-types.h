/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types of a page-table entry and the geometry of an arm64 page table, 4 KiB granule.
 */
#ifndef PD_ARM64_PGTABLE_TYPES_H
#define PD_ARM64_PGTABLE_TYPES_H

#include "pd/types.h"

typedef unsigned long pteval_t;

typedef struct {
	pteval_t pte;
} pte_t;

typedef struct {
	pteval_t pgprot;
} pgprot_t;

#define pte_val(x)	((x).pte)
#define __pte(x)	((pte_t){ (x) })
#define pgprot_val(x)	((x).pgprot)
#define __pgprot(x)	((pgprot_t){ (x) })

#define CONFIG_ARM64	1
#define PTRS_PER_PTE	512

/* The contiguous bit: an aligned block of entries that the TLB may hold as one. */
#define CONT_PTE_SHIFT	(4 + PAGE_SHIFT)
#define CONT_PTES	(1 << (CONT_PTE_SHIFT - PAGE_SHIFT))
#define CONT_PTE_SIZE	(CONT_PTES * PAGE_SIZE)
#define CONT_PTE_MASK	(~(CONT_PTE_SIZE - 1))

#endif
