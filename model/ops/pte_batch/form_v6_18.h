/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scan as 6.17 and later have it: flags say what to respect and what to merge. Included where
 * the names of the scan are the ones to be tested.
 */
static unsigned int scan(const struct pte_batch_args *args, struct pte_batch_at *at)
{
	int flags = 0;

	if (args->respect_dirty)
		flags |= FPB_RESPECT_DIRTY;
	if (args->respect_soft_dirty)
		flags |= FPB_RESPECT_SOFT_DIRTY;
	if (args->respect_write)
		flags |= FPB_RESPECT_WRITE;
	if (args->merge_write)
		flags |= FPB_MERGE_WRITE;
	if (args->merge_young_dirty)
		flags |= FPB_MERGE_YOUNG_DIRTY;
	if (!flags)
		return folio_pte_batch(at->folio, at->ptep, at->pte, args->max_nr);
	return folio_pte_batch_flags(at->folio, at->vma, at->ptep, &at->pte, args->max_nr, flags);
}
