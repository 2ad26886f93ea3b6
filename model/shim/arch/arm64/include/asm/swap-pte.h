/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Non-present entries that say something: VALID and PRESENT_INVALID are clear in each.
 */
#ifndef PD_ARM64_SWAP_PTE_H
#define PD_ARM64_SWAP_PTE_H

#include <asm/pte.h>

typedef struct {
	unsigned long val;
} swp_entry_arch_t;

#define __SWP_TYPE_SHIFT	6
#define __SWP_TYPE_BITS		5
#define __SWP_TYPE_MASK		((1UL << __SWP_TYPE_BITS) - 1)
#define __SWP_OFFSET_SHIFT	12
#define __SWP_OFFSET_BITS	50
#define __SWP_OFFSET_MASK	((1UL << __SWP_OFFSET_BITS) - 1)

#define __swp_type(x)		(((x).val >> __SWP_TYPE_SHIFT) & __SWP_TYPE_MASK)
#define __swp_offset(x)		(((x).val >> __SWP_OFFSET_SHIFT) & __SWP_OFFSET_MASK)

static inline swp_entry_arch_t __swp_entry(unsigned long type, unsigned long offset)
{
	return (swp_entry_arch_t){ ((type & __SWP_TYPE_MASK) << __SWP_TYPE_SHIFT) |
				   ((offset & __SWP_OFFSET_MASK) << __SWP_OFFSET_SHIFT) };
}

#define __pte_to_swp_entry(pte)		((swp_entry_arch_t){ pte_val(pte) })
#define __swp_entry_to_pte(entry)	__pte((entry).val)

static inline bool pte_swp_exclusive(pte_t pte)
{
	return pd_pte_test(pte, PTE_SWP_EXCLUSIVE);
}

static inline pte_t pte_swp_mkexclusive(pte_t pte)
{
	return set_pte_bit(pte, __pgprot(PTE_SWP_EXCLUSIVE));
}

static inline pte_t pte_swp_clear_exclusive(pte_t pte)
{
	return clear_pte_bit(pte, __pgprot(PTE_SWP_EXCLUSIVE));
}

static inline bool pte_swp_uffd_wp(pte_t pte)
{
	return pd_pte_test(pte, PTE_SWP_UFFD);
}

static inline pte_t pte_swp_mkuffd_wp(pte_t pte)
{
	return set_pte_bit(pte, __pgprot(PTE_SWP_UFFD));
}

static inline pte_t pte_swp_clear_uffd_wp(pte_t pte)
{
	return clear_pte_bit(pte, __pgprot(PTE_SWP_UFFD));
}

#endif
