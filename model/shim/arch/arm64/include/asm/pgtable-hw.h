/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bits of an arm64 page-table entry, and what hardware makes of them.
 *
 * The pd_hw_*() functions are all that the model of TLB and hardware knows about an entry. They
 * follow an implementation that manages the access flag and the dirty state itself (FEAT_HAFDBS).
 */
#ifndef PD_ARM64_PGTABLE_HW_H
#define PD_ARM64_PGTABLE_HW_H

#include <asm/pgtable-types.h>

#define PTE_VALID		BIT(0)
#define PTE_TYPE_PAGE		((pteval_t)3 << 0)
#define PTE_ATTRINDX_MASK	((pteval_t)7 << 2)
#define PTE_ATTRINDX(t)		((pteval_t)(t) << 2)
#define PTE_USER		BIT(6)
#define PTE_RDONLY		BIT(7)
#define PTE_SHARED		((pteval_t)3 << 8)	/* inner shareable */
#define PTE_AF			BIT(10)
#define PTE_NG			BIT(11)
#define PTE_DBM			BIT(51)
#define PTE_CONT		BIT(52)
#define PTE_PXN			BIT(53)
#define PTE_UXN			BIT(54)

#define PTE_PFN_SHIFT		12
#define PTE_ADDR_MASK		(BIT(48) - BIT(PTE_PFN_SHIFT))	/* bits 12 to 47 */

/* Bits with a meaning to software only. Not global without valid is "present, but invalid". */
#define PTE_WRITE		PTE_DBM
#define PTE_DIRTY		BIT(55)
#define PTE_SPECIAL		BIT(56)
#define PTE_UFFD		BIT(58)
#define PTE_UFFD_WP		PTE_UFFD
#define PTE_PRESENT_INVALID	PTE_NG

/* Bits of a swap entry. The type is in bits 6 to 10, the offset in bits 12 to 61. */
#define PTE_SWP_EXCLUSIVE	BIT(2)
#define PTE_SWP_UFFD		BIT(3)
#define PTE_SWP_UFFD_WP		PTE_SWP_UFFD

/* Memory attributes: the indices into MAIR_EL1. */
#define MT_NORMAL		0
#define MT_NORMAL_TAGGED	1

/* pd_hw_valid() - may the hardware use the entry? */
static inline bool pd_hw_valid(pteval_t val)
{
	return val & PTE_VALID;
}

/* pd_hw_pinnable() - does get_user_pages_fast() take the page? It passes over special entries. */
static inline bool pd_hw_pinnable(pteval_t val)
{
	return pd_hw_valid(val) && !(val & PTE_SPECIAL);
}

/* pd_hw_writable() - may it be written through, if need be after clearing RDONLY? */
static inline bool pd_hw_writable(pteval_t val)
{
	return (val & PTE_DBM) || !(val & PTE_RDONLY);
}

/* pd_hw_dirty() - does a cached translation like this write without a look at the table? */
static inline bool pd_hw_dirty(pteval_t val)
{
	return !(val & PTE_RDONLY);
}

/* pd_hw_access() - the entry after an access: AF set and, for a write with DBM, RDONLY clear. */
static inline pteval_t pd_hw_access(pteval_t val, bool write)
{
	val |= PTE_AF;
	if (write && (val & PTE_DBM))
		val &= ~PTE_RDONLY;
	return val;
}

static inline unsigned long pd_hw_pfn(pteval_t val)
{
	return (unsigned long)((val & PTE_ADDR_MASK) >> PTE_PFN_SHIFT);
}

static inline bool pd_hw_cont(pteval_t val)
{
	return val & PTE_CONT;
}

/* pd_hw_perm() - what a translation allows besides writing, and its memory type. */
static inline pteval_t pd_hw_perm(pteval_t val)
{
	return val & (PTE_USER | PTE_PXN | PTE_UXN | PTE_ATTRINDX_MASK | PTE_SHARED);
}

/* pd_hw_next() - the same entry for the frame @n higher. */
static inline pteval_t pd_hw_next(pteval_t val, unsigned long n)
{
	pteval_t addr = val + ((pteval_t)n << PTE_PFN_SHIFT);

	return (val & ~PTE_ADDR_MASK) | (addr & PTE_ADDR_MASK);
}

#endif
