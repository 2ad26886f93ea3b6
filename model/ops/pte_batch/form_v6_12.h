/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scan as 6.9 to 6.16 had it: flags say what to ignore, write is always ignored, and what is
 * merged is reported. Included where the names of the scan are the ones to be tested.
 */

/* Who has to respect write gives the scan entries of one kind only. */
static unsigned int same_write(const struct pte_batch_at *at, unsigned int max_nr)
{
	unsigned int nr = 1;

	while (nr < max_nr && pte_write(ptep_get(at->ptep + nr)) == pte_write(at->pte))
		nr++;
	return nr;
}

static unsigned int scan(const struct pte_batch_args *args, struct pte_batch_at *at)
{
	bool write = false, young = false, dirty = false;
	unsigned int max_nr = args->max_nr, nr;
	int flags = 0;

	if (!args->respect_dirty)
		flags |= FPB_IGNORE_DIRTY;
	if (!args->respect_soft_dirty)
		flags |= FPB_IGNORE_SOFT_DIRTY;
	if (args->respect_write)
		max_nr = same_write(at, max_nr);
	nr = (unsigned int)folio_pte_batch(at->folio, at->addr, at->ptep, at->pte, (int)max_nr,
					   flags, &write, &young, &dirty);
	if (args->merge_write && write)
		at->pte = pte_mkwrite(at->pte, at->vma);
	if (args->merge_young_dirty && young)
		at->pte = pte_mkyoung(at->pte);
	if (args->merge_young_dirty && dirty)
		at->pte = pte_mkdirty(at->pte);
	return nr;
}
