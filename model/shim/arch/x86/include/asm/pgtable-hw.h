/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86-64 entries as the page walker sees them: for the TLB model and the hardware accesses.
 */
#ifndef PD_X86_PGTABLE_HW_H
#define PD_X86_PGTABLE_HW_H

#include <asm/pgtable-types.h>

static inline bool pd_hw_valid(pteval_t val)
{
	return val & _PAGE_PRESENT;
}

/* pd_hw_pinnable() - does get_user_pages_fast() take the page? It passes over special entries. */
static inline bool pd_hw_pinnable(pteval_t val)
{
	return pd_hw_valid(val) && !(val & _PAGE_SPECIAL);
}

static inline bool pd_hw_writable(pteval_t val)
{
	return val & _PAGE_RW;
}

static inline bool pd_hw_dirty(pteval_t val)
{
	return val & _PAGE_DIRTY;
}

static inline bool pd_hw_cont(pteval_t val)
{
	(void)val;
	return false;
}

static inline unsigned long pd_hw_pfn(pteval_t val)
{
	return (val & PTE_PFN_MASK) >> PAGE_SHIFT;
}

static inline pteval_t pd_hw_perm(pteval_t val)
{
	return val & (_PAGE_USER | _PAGE_NX | _PAGE_PKEY_BIT0);
}

static inline pteval_t pd_hw_next(pteval_t val, unsigned long n)
{
	return val + (n << PAGE_SHIFT);
}

static inline pteval_t pd_hw_access(pteval_t val, bool write)
{
	return val | _PAGE_ACCESSED | (write ? _PAGE_DIRTY : 0);
}

#endif
