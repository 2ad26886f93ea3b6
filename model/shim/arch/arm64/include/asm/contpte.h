/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The out-of-line half of the contpte layer: contpte.c. Callers go through <asm/pgtable.h>.
 */
#ifndef PD_ARM64_CONTPTE_H
#define PD_ARM64_CONTPTE_H

#include <asm/pgtable-raw.h>

/**
 * __contpte_try_fold() - make the block that the entry at @ptep completes a CONT block
 * @pte:	the entry at @ptep, the last of its block
 *
 * Nothing happens unless one folio lies behind all of the block and its entries agree in
 * everything but young and dirty.
 */
void __contpte_try_fold(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte);

/**
 * __contpte_try_unfold() - make the CONT block around @ptep a block of single entries
 * @pte:	the entry at @ptep, valid and CONT
 */
void __contpte_try_unfold(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte);

/**
 * contpte_ptep_get() - an entry of a CONT block as core code has to see it
 * @orig_pte:	the entry at @ptep
 *
 * Return: @orig_pte, young and dirty if any entry of its block is: hardware may set either on
 * any one of them.
 */
pte_t contpte_ptep_get(const pte_t *ptep, pte_t orig_pte);

/* contpte_ptep_get_lockless() - the same while others may change the block. */
pte_t contpte_ptep_get_lockless(const pte_t *orig_ptep);

/* The batch operations, for ranges in which any number of CONT blocks may lie or be cut. */
void contpte_set_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte,
		      unsigned int nr);
void contpte_clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep, unsigned int nr,
			     int full);
pte_t contpte_get_and_clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				      unsigned int nr, int full);
void contpte_wrprotect_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep, unsigned int nr);

/* These reach beyond the range, to the ends of the CONT blocks that it cuts. */
bool contpte_test_and_clear_young_ptes(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				       unsigned int nr);
bool contpte_clear_flush_young_ptes(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				    unsigned int nr);
void contpte_clear_young_dirty_ptes(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				    unsigned int nr, cydp_t flags);
bool contpte_ptep_set_access_flags(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				   pte_t entry, int dirty);

#endif
