/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries in memory, one by one: this layer does not know of contpte blocks. What hardware may
 * update at the same time is changed atomically, except where a comment says why not.
 */
#ifndef PD_ARM64_PGTABLE_RAW_H
#define PD_ARM64_PGTABLE_RAW_H

#include <asm/pte.h>
#include <asm/tlbflush.h>
#include <linux/mm_types.h>

static inline pte_t __ptep_get(const pte_t *ptep)
{
	return __pte(pd_raw_read(ptep));
}

static inline void __set_pte(pte_t *ptep, pte_t pte)
{
	pd_raw_set(ptep, pte_val(pte));
}

static inline void __set_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte,
			      unsigned int nr)
{
	(void)mm;
	(void)addr;
	for (unsigned int i = 0; i < nr; i++)
		__set_pte(ptep + i, i ? pte_advance_pfn(pte, i) : pte);
}

static inline void __pte_clear(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	(void)mm;
	(void)addr;
	__set_pte(ptep, __pte(0));
}

static inline pte_t __ptep_get_and_clear(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	(void)mm;
	(void)addr;
	return __pte(pd_raw_xchg(ptep, 0));
}

static inline void __clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				     unsigned int nr, int full)
{
	(void)full;
	for (unsigned int i = 0; i < nr; i++)
		__ptep_get_and_clear(mm, addr + i * PAGE_SIZE, ptep + i);
}

/* The first entry, with young and dirty of all of them. */
static inline pte_t __get_and_clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
					      unsigned int nr, int full)
{
	pte_t pte = __ptep_get_and_clear(mm, addr, ptep);

	(void)full;
	for (unsigned int i = 1; i < nr; i++) {
		pte_t next = __ptep_get_and_clear(mm, addr + i * PAGE_SIZE, ptep + i);

		if (pte_dirty(next))
			pte = pte_mkdirty(pte);
		if (pte_young(next))
			pte = pte_mkyoung(pte);
	}
	return pte;
}

static inline bool __ptep_test_and_clear_young(struct vm_area_struct *vma, unsigned long addr,
					       pte_t *ptep)
{
	pteval_t old = pd_raw_read(ptep);

	(void)vma;
	(void)addr;
	while (!pd_raw_cmpxchg(ptep, &old, pte_val(pte_mkold(__pte(old)))))
		;
	return pte_young(__pte(old));
}

static inline bool __ptep_clear_flush_young(struct vm_area_struct *vma, unsigned long addr,
					    pte_t *ptep)
{
	bool young = __ptep_test_and_clear_young(vma, addr, ptep);

	if (young)
		__flush_tlb_page(vma, addr, TLBF_NOSYNC);
	return young;
}

/* @pte: what the caller found at @ptep. */
static inline void ___ptep_set_wrprotect(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
					 pte_t pte)
{
	pteval_t old = pte_val(pte);

	(void)mm;
	(void)addr;
	while (!pd_raw_cmpxchg(ptep, &old, pte_val(pte_wrprotect(__pte(old)))))
		;
}

static inline void __ptep_set_wrprotect(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	___ptep_set_wrprotect(mm, addr, ptep, __ptep_get(ptep));
}

static inline void __wrprotect_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				    unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		__ptep_set_wrprotect(mm, addr + i * PAGE_SIZE, ptep + i);
}

static inline pte_t pd_clear_young_dirty(pte_t pte, cydp_t flags)
{
	if (flags & CYDP_CLEAR_YOUNG)
		pte = pte_mkold(pte);
	if (flags & CYDP_CLEAR_DIRTY)
		pte = pte_mkclean(pte);
	return pte;
}

/*
 * Clearing both is for MADV_FREE, whose contents may go anyway: a hardware update that comes
 * between the load and the store is lost. Clearing one must not lose the other.
 */
static inline void __clear_young_dirty_pte(pte_t *ptep, cydp_t flags)
{
	pteval_t old = pd_raw_read(ptep);

	if (flags == (CYDP_CLEAR_YOUNG | CYDP_CLEAR_DIRTY)) {
		__set_pte(ptep, pd_clear_young_dirty(__pte(old), flags));
		return;
	}
	while (!pd_raw_cmpxchg(ptep, &old, pte_val(pd_clear_young_dirty(__pte(old), flags))))
		;
}

static inline void __clear_young_dirty_ptes(struct vm_area_struct *vma, unsigned long addr,
					    pte_t *ptep, unsigned int nr, cydp_t flags)
{
	(void)vma;
	(void)addr;
	for (unsigned int i = 0; i < nr; i++)
		__clear_young_dirty_pte(ptep + i, flags);
}

/* The bits that say what an access may do and has done. */
#define PD_ACCESS_FLAGS (PTE_RDONLY | PTE_AF | PTE_WRITE | PTE_DIRTY)

/* @val with the access flags of @entry added: RDONLY stays only when both have it. */
static inline pteval_t pd_add_access_flags(pteval_t val, pteval_t entry)
{
	pteval_t rdonly = val & entry & PTE_RDONLY;

	return ((val | (entry & PD_ACCESS_FLAGS)) & ~PTE_RDONLY) | rdonly;
}

/* Make an entry more permissive: to be used after a fault. Return: false when nothing changed. */
static inline bool __ptep_set_access_flags(struct vm_area_struct *vma, unsigned long addr,
					   pte_t *ptep, pte_t entry, int dirty)
{
	pteval_t old = pd_raw_read(ptep);

	if (old == pte_val(entry))
		return false;
	while (!pd_raw_cmpxchg(ptep, &old, pd_add_access_flags(old, pte_val(entry))))
		;
	if (dirty)
		__flush_tlb_page(vma, addr, TLBF_NONE);
	return true;
}

#endif
