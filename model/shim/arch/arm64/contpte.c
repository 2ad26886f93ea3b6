/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contpte: aligned blocks of CONT_PTES entries that hardware may hold as one translation.
 *
 * Core code knows nothing of it. A block is folded when its last entry is set and the whole of it
 * maps one folio uniformly; it is unfolded before one of its entries alone is changed. Young and
 * dirty belong to the block: hardware may note either in any entry, so that a reader has to look
 * at all of them, and folding and unfolding give all of them the same.
 *
 * Every address space here is a user's. One of the kernel, or of EFI, would be left alone.
 */
#include <linux/mm.h>

static const pte_t *contpte_block(const pte_t *ptep)
{
	return PTR_ALIGN_DOWN(ptep, sizeof(*ptep) * CONT_PTES);
}

static pte_t *contpte_align_down(pte_t *ptep)
{
	return PTR_ALIGN_DOWN(ptep, sizeof(*ptep) * CONT_PTES);
}

/* What all entries of a block have in common: everything but the frame, young and dirty. */
static pgprot_t contpte_prot(pte_t pte)
{
	return pte_pgprot(pte_mkold(pte_mkclean(pte)));
}

static bool contpte_matches(pte_t pte, unsigned long pfn, pgprot_t prot)
{
	return pte_pfn(pte) == pfn && pgprot_val(contpte_prot(pte)) == pgprot_val(prot);
}

/* ---- fold and unfold ---- */

/*
 * Rewrite the block around @ptep like @pte, with young and dirty of all its entries.
 *
 * A CPU must never find both a block and a single entry for one address: all entries go, then
 * their translations, then the new entries come. Hardware with BBML copes without the middle step;
 * what it has cached stays true, since only the size of the translation changes.
 */
static void contpte_convert(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte)
{
	unsigned long start = ALIGN_DOWN(addr, CONT_PTE_SIZE);
	pte_t *block = contpte_align_down(ptep);
	pte_t old;

	pte = pfn_pte(ALIGN_DOWN(pte_pfn(pte), CONT_PTES), pte_pgprot(pte));
	old = __get_and_clear_full_ptes(mm, start, block, CONT_PTES, 0);
	if (pte_dirty(old))
		pte = pte_mkdirty(pte);
	if (pte_young(old))
		pte = pte_mkyoung(pte);
	if (!system_supports_bbml2_noabort())
		pd_tlb_flush(start, start + CONT_PTE_SIZE);
	__set_ptes(mm, start, block, pte, CONT_PTES);
}

/* One folio behind all of the block: else young and dirty would leak from one to another. */
static bool contpte_in_one_folio(unsigned long first_pfn)
{
	struct folio *folio = page_folio(pfn_to_page(first_pfn));

	return first_pfn + CONT_PTES <= folio_pfn(folio) + (unsigned long)folio_nr_pages(folio);
}

static bool contpte_uniform(const pte_t *block, unsigned long first_pfn, pgprot_t prot)
{
	for (unsigned int i = 0; i < CONT_PTES; i++)
		if (!contpte_matches(__ptep_get(block + i), first_pfn + i, prot))
			return false;
	return true;
}

void __contpte_try_fold(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte)
{
	unsigned long first_pfn = ALIGN_DOWN(pte_pfn(pte), CONT_PTES);

	if (contpte_in_one_folio(first_pfn) &&
	    contpte_uniform(contpte_block(ptep), first_pfn, contpte_prot(pte)))
		contpte_convert(mm, addr, ptep, pte_mkcont(pte));
}

void __contpte_try_unfold(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte)
{
	contpte_convert(mm, addr, ptep, pte_mknoncont(pte));
}

/* Unfold the blocks that lie only partly in the range: at most its first and its last. */
static void contpte_try_unfold_partial(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				       unsigned int nr)
{
	pte_t *end = ptep + nr, *last = end - 1;

	if (ptep != contpte_align_down(ptep))
		contpte_try_unfold(mm, addr, ptep, __ptep_get(ptep));
	if (end != contpte_align_down(end))
		contpte_try_unfold(mm, addr + (nr - 1) * PAGE_SIZE, last, __ptep_get(last));
}

/* ---- reading ---- */

static pte_t contpte_gather_young(const pte_t *block, unsigned int i, pte_t pte)
{
	for (; i < CONT_PTES; i++)
		if (pte_young(__ptep_get(block + i)))
			return pte_mkyoung(pte);
	return pte;
}

static pte_t contpte_gather_dirty(const pte_t *block, unsigned int i, pte_t pte)
{
	for (; i < CONT_PTES; i++)
		if (pte_dirty(__ptep_get(block + i)))
			return pte_mkdirty(pte);
	return pte;
}

/*
 * Once one of young and dirty is found, only the other is looked for. The entry that was dirty may
 * be the first young one too; the one that was young has been seen to be clean.
 */
pte_t contpte_ptep_get(const pte_t *ptep, pte_t orig_pte)
{
	const pte_t *block = contpte_block(ptep);

	for (unsigned int i = 0; i < CONT_PTES; i++) {
		pte_t pte = __ptep_get(block + i);

		if (pte_dirty(pte))
			return contpte_gather_young(block, i, pte_mkdirty(orig_pte));
		if (pte_young(pte))
			return contpte_gather_dirty(block, i + 1, pte_mkyoung(orig_pte));
	}
	return orig_pte;
}

/* Gather into *@pte; false when an entry no longer belongs with it. */
static bool contpte_gather_lockless(const pte_t *block, unsigned int index, pte_t *pte)
{
	unsigned long first_pfn = pte_pfn(*pte) - index;
	pgprot_t prot = contpte_prot(*pte);
	bool young = false, dirty = false;

	for (unsigned int i = 0; i < CONT_PTES && !(young && dirty); i++) {
		pte_t next = __ptep_get(block + i);

		if (!contpte_matches(next, first_pfn + i, prot))
			return false;
		young |= pte_young(next);
		dirty |= pte_dirty(next);
	}
	if (dirty)
		*pte = pte_mkdirty(*pte);
	if (young)
		*pte = pte_mkyoung(*pte);
	return true;
}

/* Without the lock the block may change under us: whatever does not fit together is read anew. */
pte_t contpte_ptep_get_lockless(const pte_t *orig_ptep)
{
	const pte_t *block = contpte_block(orig_ptep);
	pte_t pte;

	do {
		pte = __ptep_get(orig_ptep);
		if (!pte_valid_cont(pte))
			return pte;
	} while (!contpte_gather_lockless(block, (unsigned int)(orig_ptep - block), &pte));
	return pte;
}

/* ---- setting and clearing ---- */

/* Nothing is mapped before, so that a block can be written as one without ado. */
void contpte_set_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte,
		      unsigned int nr)
{
	while (nr) {
		unsigned int index = pd_block_index(ptep);
		unsigned int chunk = min(nr, CONT_PTES - index);
		bool block = chunk == CONT_PTES && IS_ALIGNED(pte_pfn(pte), CONT_PTES);

		__set_ptes(mm, addr, ptep,
			   block && pte_valid(pte) ? pte_mkcont(pte) : pte_mknoncont(pte), chunk);
		pte = pte_advance_pfn(pte, chunk);
		addr += chunk * PAGE_SIZE;
		ptep += chunk;
		nr -= chunk;
	}
}

void contpte_clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep, unsigned int nr,
			     int full)
{
	contpte_try_unfold_partial(mm, addr, ptep, nr);
	__clear_full_ptes(mm, addr, ptep, nr, full);
}

pte_t contpte_get_and_clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				      unsigned int nr, int full)
{
	contpte_try_unfold_partial(mm, addr, ptep, nr);
	return __get_and_clear_full_ptes(mm, addr, ptep, nr, full);
}

/* ---- changing in place ---- */

/*
 * A block keeps CONT although its entries lose write permission one after the other. Until the
 * caller's flush a CPU may see either; it can only write where it was allowed to before.
 */
void contpte_wrprotect_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep, unsigned int nr)
{
	contpte_try_unfold_partial(mm, addr, ptep, nr);
	__wrprotect_ptes(mm, addr, ptep, nr);
}

/* A range of entries, grown to the ends of the blocks that it cuts. */
struct contpte_range {
	unsigned long addr;
	pte_t *ptep;
	unsigned int nr;
};

static struct contpte_range contpte_expand(unsigned long addr, pte_t *ptep, unsigned int nr)
{
	pte_t *end = ptep + nr, *start = ptep;

	if (pte_valid_cont(__ptep_get(end - 1)))
		end = contpte_align_down(end - 1) + CONT_PTES;
	if (pte_valid_cont(__ptep_get(start)))
		start = contpte_align_down(start);
	return (struct contpte_range){
		.addr = addr - (unsigned long)(ptep - start) * PAGE_SIZE,
		.ptep = start,
		.nr = (unsigned int)(end - start),
	};
}

static bool contpte_clear_young(struct vm_area_struct *vma, const struct contpte_range *range)
{
	bool young = false;

	for (unsigned int i = 0; i < range->nr; i++)
		young |= __ptep_test_and_clear_young(vma, range->addr + i * PAGE_SIZE,
						     range->ptep + i);
	return young;
}

/*
 * Core code counts accesses by folio. To unfold a block for the sake of one page's young bit would
 * cost more than the bit is worth, so it is the block that becomes old.
 */
bool contpte_test_and_clear_young_ptes(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				       unsigned int nr)
{
	struct contpte_range range = contpte_expand(addr, ptep, nr);

	return contpte_clear_young(vma, &range);
}

bool contpte_clear_flush_young_ptes(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				    unsigned int nr)
{
	struct contpte_range range = contpte_expand(addr, ptep, nr);
	bool young = contpte_clear_young(vma, &range);

	if (young)
		__flush_tlb_range(vma, range.addr, range.addr + range.nr * PAGE_SIZE, PAGE_SIZE, 3,
				  TLBF_NOWALKCACHE | TLBF_NOSYNC);
	return young;
}

/* As with young: the pages that the block holds besides are of the same folio. */
void contpte_clear_young_dirty_ptes(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				    unsigned int nr, cydp_t flags)
{
	struct contpte_range range = contpte_expand(addr, ptep, nr);

	__clear_young_dirty_ptes(vma, range.addr, range.ptep, range.nr, flags);
}

/*
 * Is there nothing that @entry would change? The view of ptep_get() must not answer that: it shows
 * a flag that some other entry of the block has, and an agent that looks at this one alone (an
 * SMMU without hardware update of the flag) would fault on it for ever.
 */
static bool contpte_has_access_flags(const pte_t *block, pte_t entry)
{
	for (unsigned int i = 0; i < CONT_PTES; i++)
		if ((pte_val(__ptep_get(block + i)) ^ pte_val(entry)) & PD_ACCESS_FLAGS)
			return false;
	return true;
}

/* Young and dirty can be given to the block as a whole; write permission belongs to one entry. */
bool contpte_ptep_set_access_flags(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				   pte_t entry, int dirty)
{
	unsigned long start = ALIGN_DOWN(addr, CONT_PTE_SIZE);
	pte_t *block = contpte_align_down(ptep);
	pte_t orig = ptep_get(ptep);

	if (contpte_has_access_flags(block, entry))
		return false;
	if (pte_write(orig) != pte_write(entry)) {
		__contpte_try_unfold(vma->vm_mm, addr, ptep, orig);
		return __ptep_set_access_flags(vma, addr, ptep, entry, dirty);
	}
	for (unsigned int i = 0; i < CONT_PTES; i++)
		__ptep_set_access_flags(vma, start + i * PAGE_SIZE, block + i, entry, 0);
	if (dirty)
		__flush_tlb_range(vma, start, start + CONT_PTE_SIZE, PAGE_SIZE, 3,
				  TLBF_NOWALKCACHE);
	return true;
}
