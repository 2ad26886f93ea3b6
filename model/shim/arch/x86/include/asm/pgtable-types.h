/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86-64 entries: types and bit positions.
 */
#ifndef PD_X86_PGTABLE_TYPES_H
#define PD_X86_PGTABLE_TYPES_H

#include "pd/types.h"

typedef unsigned long pteval_t;
typedef struct { pteval_t pte; } pte_t;
typedef struct { pteval_t pgprot; } pgprot_t;

#define pte_val(x)	((x).pte)
#define __pte(x)	((pte_t){ (x) })
#define pgprot_val(x)	((x).pgprot)
#define __pgprot(x)	((pgprot_t){ (x) })

#define CONFIG_X86	1
#define PTRS_PER_PTE	PD_TABLE_PAGES

#define _PAGE_PRESENT		BIT(0)
#define _PAGE_RW		BIT(1)
#define _PAGE_USER		BIT(2)
#define _PAGE_PWT		BIT(3)
#define _PAGE_PCD		BIT(4)
#define _PAGE_ACCESSED		BIT(5)
#define _PAGE_DIRTY		BIT(6)
#define _PAGE_PROTNONE		BIT(8)		/* the global bit of a non-present entry */
#define _PAGE_SPECIAL		BIT(9)
#define _PAGE_UFFD_WP		BIT(10)
#define _PAGE_SOFT_DIRTY	BIT(11)
#define _PAGE_SAVED_DIRTY	BIT(58)		/* dirty of an entry that is not writable */
#define _PAGE_PKEY_BIT0		BIT(59)
#define _PAGE_NX		BIT(63)

#define _PAGE_SWP_SOFT_DIRTY	_PAGE_RW
#define _PAGE_SWP_UFFD_WP	_PAGE_USER
#define _PAGE_SWP_EXCLUSIVE	_PAGE_PWT

#define _PAGE_DIRTY_BITS	(_PAGE_DIRTY | _PAGE_SAVED_DIRTY)
#define PTE_PFN_MASK		GENMASK_ULL(51, PAGE_SHIFT)
#define PTE_FLAGS_MASK		(~PTE_PFN_MASK)

/* What pte_modify() keeps of the old entry; the rest comes from the new protection. */
#define _PAGE_CHG_MASK		(PTE_PFN_MASK | _PAGE_PCD | _PAGE_PWT | _PAGE_SPECIAL |	\
				 _PAGE_ACCESSED | _PAGE_DIRTY_BITS | _PAGE_SOFT_DIRTY |	\
				 _PAGE_UFFD_WP)

#define PAGE_NONE	__pgprot(_PAGE_PROTNONE | _PAGE_ACCESSED)
#define PAGE_SHARED	__pgprot(_PAGE_PRESENT | _PAGE_RW | _PAGE_USER | _PAGE_ACCESSED | _PAGE_NX)
#define PAGE_READONLY	__pgprot(_PAGE_PRESENT | _PAGE_USER | _PAGE_ACCESSED | _PAGE_NX)
#define PAGE_COPY	PAGE_READONLY

#endif
