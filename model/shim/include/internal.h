/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Batches: runs of entries that map consecutive pages of one folio.
 *
 * folio_pte_batch() comes in the form of 6.17 and later (four arguments) and in the one that 6.9
 * to 6.16 had (nine); the number of arguments picks it.
 */
#ifndef PD_INTERNAL_H
#define PD_INTERNAL_H

#include <linux/mm.h>

typedef unsigned int fpb_t;

/* Compare these bits too; without a flag, they may differ inside a batch. */
#define FPB_RESPECT_DIRTY	((fpb_t)BIT(0))
#define FPB_RESPECT_SOFT_DIRTY	((fpb_t)BIT(1))
#define FPB_RESPECT_WRITE	((fpb_t)BIT(2))
/* Let the caller's copy of the first entry take these bits from the others. */
#define FPB_MERGE_WRITE		((fpb_t)BIT(3))
#define FPB_MERGE_YOUNG_DIRTY	((fpb_t)BIT(4))

/* 6.9 to 6.16 said what to ignore instead of what to respect. */
#define FPB_IGNORE_DIRTY	((fpb_t)BIT(5))
#define FPB_IGNORE_SOFT_DIRTY	((fpb_t)BIT(6))

/**
 * folio_pte_batch_flags() - the longest run at @ptep that maps consecutive pages of @folio
 * @vma:	only needed with FPB_MERGE_WRITE
 * @ptentp:	the first entry, a copy on the stack; changed by FPB_MERGE_*
 * @max_nr:	most entries to look at; the caller keeps it inside the VMA and the table
 *
 * Accessed is always ignored, everything else than the bits above always compared.
 * Return: 1 to @max_nr.
 */
unsigned int folio_pte_batch_flags(struct folio *folio, struct vm_area_struct *vma, pte_t *ptep,
				   pte_t *ptentp, unsigned int max_nr, fpb_t flags);

/* 6.17 and later: folio_pte_batch(folio, ptep, pte, max_nr) */
static inline unsigned int pd_folio_pte_batch_4(struct folio *folio, pte_t *ptep, pte_t pte,
						unsigned int max_nr)
{
	return folio_pte_batch_flags(folio, NULL, ptep, &pte, max_nr, 0);
}

/* 6.9 to 6.16; the last three report on the entries after the first. */
int pd_folio_pte_batch_9(struct folio *folio, unsigned long addr, pte_t *ptep, pte_t pte,
			 int max_nr, fpb_t flags, bool *any_writable, bool *any_young,
			 bool *any_dirty);

#define PD_PICK_9(a, b, c, d, e, f, g, h, i, name, ...) name
#define folio_pte_batch(...)								\
	PD_PICK_9(__VA_ARGS__, pd_folio_pte_batch_9, , , , , pd_folio_pte_batch_4, , ,	\
		  0)(__VA_ARGS__)

#endif
