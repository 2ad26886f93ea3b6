/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page protections of user mappings.
 */
#ifndef PD_ARM64_PGTABLE_PROT_H
#define PD_ARM64_PGTABLE_PROT_H

#include <asm/pgtable-hw.h>

#define _PAGE_DEFAULT		(PTE_TYPE_PAGE | PTE_AF | PTE_SHARED | PTE_ATTRINDX(MT_NORMAL))
#define _PAGE_USER		(_PAGE_DEFAULT | PTE_RDONLY | PTE_NG | PTE_PXN)

#define _PAGE_READONLY_EXEC	(_PAGE_USER | PTE_USER)
#define _PAGE_READONLY		(_PAGE_READONLY_EXEC | PTE_UXN)
#define _PAGE_SHARED_EXEC	(_PAGE_READONLY_EXEC | PTE_WRITE)
#define _PAGE_SHARED		(_PAGE_READONLY | PTE_WRITE)
#define _PAGE_EXECONLY		_PAGE_USER
#define _PAGE_NONE		((_PAGE_USER & ~PTE_VALID) | PTE_PRESENT_INVALID | PTE_UXN)

#define PAGE_NONE		__pgprot(_PAGE_NONE)
#define PAGE_SHARED		__pgprot(_PAGE_SHARED)
#define PAGE_SHARED_EXEC	__pgprot(_PAGE_SHARED_EXEC)
#define PAGE_COPY		__pgprot(_PAGE_READONLY)
#define PAGE_READONLY		__pgprot(_PAGE_READONLY)
#define PAGE_READONLY_EXEC	__pgprot(_PAGE_READONLY_EXEC)
#define PAGE_EXECONLY		__pgprot(_PAGE_EXECONLY)

#endif
