/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arm64 page-table entries in memory, under the names that core code uses. CONT blocks are made
 * and broken behind them: a single entry outside of a block is handled here, the rest in
 * contpte.c.
 *
 * A name defined as itself tells <linux/pgtable.h> that there is no need for its generic version.
 */
#ifndef PD_ARM64_PGTABLE_H
#define PD_ARM64_PGTABLE_H

#include <asm/contpte.h>
#include <asm/swap-pte.h>

static inline unsigned int pd_block_index(const pte_t *ptep)
{
	return (unsigned int)((uintptr_t)ptep / sizeof(*ptep) % CONT_PTES);
}

/* Only the last entry of a block can complete it, and only valid entries make a block. */
static inline void contpte_try_fold(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				    pte_t pte)
{
	const unsigned long last = CONT_PTES - 1;

	if ((pd_block_index(ptep) & pte_pfn(pte) & last) != last)
		return;
	if (pte_valid(pte) && !pte_cont(pte) && !pte_special(pte))
		__contpte_try_fold(mm, addr, ptep, pte);
}

static inline void contpte_try_unfold(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				      pte_t pte)
{
	if (unlikely(pte_valid_cont(pte)))
		__contpte_try_unfold(mm, addr, ptep, pte);
}

#define pte_batch_hint pte_batch_hint
static inline unsigned int pte_batch_hint(pte_t *ptep, pte_t pte)
{
	return pte_valid_cont(pte) ? CONT_PTES - pd_block_index(ptep) : 1;
}

#define ptep_get ptep_get
static inline pte_t ptep_get(const pte_t *ptep)
{
	pte_t pte = __ptep_get(ptep);

	return likely(!pte_valid_cont(pte)) ? pte : contpte_ptep_get(ptep, pte);
}

#define ptep_get_lockless ptep_get_lockless
static inline pte_t ptep_get_lockless(const pte_t *ptep)
{
	pte_t pte = __ptep_get(ptep);

	return likely(!pte_valid_cont(pte)) ? pte : contpte_ptep_get_lockless(ptep);
}

/* Without mm and address no block can be unfolded: over one, this breaks break-before-make. */
static inline void set_pte(pte_t *ptep, pte_t pte)
{
	__set_pte(ptep, pte_mknoncont(pte));
}

#define set_ptes set_ptes
static inline void set_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte,
			    unsigned int nr)
{
	pte = pte_mknoncont(pte);
	if (likely(nr == 1)) {
		contpte_try_unfold(mm, addr, ptep, __ptep_get(ptep));
		__set_ptes(mm, addr, ptep, pte, 1);
		contpte_try_fold(mm, addr, ptep, pte);
	} else {
		contpte_set_ptes(mm, addr, ptep, pte, nr);
	}
}

static inline void pte_clear(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	contpte_try_unfold(mm, addr, ptep, __ptep_get(ptep));
	__pte_clear(mm, addr, ptep);
}

#define clear_full_ptes clear_full_ptes
static inline void clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				   unsigned int nr, int full)
{
	if (likely(nr == 1)) {
		contpte_try_unfold(mm, addr, ptep, __ptep_get(ptep));
		__clear_full_ptes(mm, addr, ptep, nr, full);
	} else {
		contpte_clear_full_ptes(mm, addr, ptep, nr, full);
	}
}

#define get_and_clear_full_ptes get_and_clear_full_ptes
static inline pte_t get_and_clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
					    unsigned int nr, int full)
{
	if (likely(nr == 1)) {
		contpte_try_unfold(mm, addr, ptep, __ptep_get(ptep));
		return __get_and_clear_full_ptes(mm, addr, ptep, nr, full);
	}
	return contpte_get_and_clear_full_ptes(mm, addr, ptep, nr, full);
}

#define ptep_get_and_clear ptep_get_and_clear
static inline pte_t ptep_get_and_clear(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	contpte_try_unfold(mm, addr, ptep, __ptep_get(ptep));
	return __ptep_get_and_clear(mm, addr, ptep);
}

#define test_and_clear_young_ptes test_and_clear_young_ptes
static inline bool test_and_clear_young_ptes(struct vm_area_struct *vma, unsigned long addr,
					     pte_t *ptep, unsigned int nr)
{
	if (likely(nr == 1 && !pte_valid_cont(__ptep_get(ptep))))
		return __ptep_test_and_clear_young(vma, addr, ptep);
	return contpte_test_and_clear_young_ptes(vma, addr, ptep, nr);
}

#define ptep_test_and_clear_young ptep_test_and_clear_young
static inline bool ptep_test_and_clear_young(struct vm_area_struct *vma, unsigned long addr,
					     pte_t *ptep)
{
	return test_and_clear_young_ptes(vma, addr, ptep, 1);
}

#define clear_flush_young_ptes clear_flush_young_ptes
static inline bool clear_flush_young_ptes(struct vm_area_struct *vma, unsigned long addr,
					  pte_t *ptep, unsigned int nr)
{
	if (likely(nr == 1 && !pte_valid_cont(__ptep_get(ptep))))
		return __ptep_clear_flush_young(vma, addr, ptep);
	return contpte_clear_flush_young_ptes(vma, addr, ptep, nr);
}

#define ptep_clear_flush_young ptep_clear_flush_young
static inline bool ptep_clear_flush_young(struct vm_area_struct *vma, unsigned long addr,
					  pte_t *ptep)
{
	return clear_flush_young_ptes(vma, addr, ptep, 1);
}

#define wrprotect_ptes wrprotect_ptes
static inline void wrprotect_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				  unsigned int nr)
{
	if (likely(nr == 1)) {
		contpte_try_unfold(mm, addr, ptep, __ptep_get(ptep));
		__ptep_set_wrprotect(mm, addr, ptep);
	} else {
		contpte_wrprotect_ptes(mm, addr, ptep, nr);
	}
}

#define ptep_set_wrprotect ptep_set_wrprotect
static inline void ptep_set_wrprotect(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	wrprotect_ptes(mm, addr, ptep, 1);
}

#define clear_young_dirty_ptes clear_young_dirty_ptes
static inline void clear_young_dirty_ptes(struct vm_area_struct *vma, unsigned long addr,
					  pte_t *ptep, unsigned int nr, cydp_t flags)
{
	if (likely(nr == 1 && !pte_valid_cont(__ptep_get(ptep))))
		__clear_young_dirty_ptes(vma, addr, ptep, nr, flags);
	else
		contpte_clear_young_dirty_ptes(vma, addr, ptep, nr, flags);
}

#define ptep_set_access_flags ptep_set_access_flags
static inline bool ptep_set_access_flags(struct vm_area_struct *vma, unsigned long addr,
					 pte_t *ptep, pte_t entry, int dirty)
{
	entry = pte_mknoncont(entry);
	if (likely(!pte_valid_cont(__ptep_get(ptep))))
		return __ptep_set_access_flags(vma, addr, ptep, entry, dirty);
	return contpte_ptep_set_access_flags(vma, addr, ptep, entry, dirty);
}

#endif
