/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every architecture has: helpers over one entry, over a batch, and over a table.
 *
 * An arch that has its own form of a batch helper defines a macro of that name, as in the kernel;
 * the forms here are the documented generic ones.
 */
#ifndef PD_LINUX_PGTABLE_H
#define PD_LINUX_PGTABLE_H

#include <asm/pgtable.h>
#include <linux/mm_types.h>
#include <linux/spinlock.h>

#define pte_next_pfn(pte) pte_advance_pfn(pte, 1)

#ifndef CONFIG_HAVE_ARCH_SOFT_DIRTY
static inline bool pte_soft_dirty(pte_t pte)
{
	(void)pte;
	return false;
}

static inline pte_t pte_mksoft_dirty(pte_t pte)
{
	return pte;
}

static inline pte_t pte_clear_soft_dirty(pte_t pte)
{
	return pte;
}

static inline bool pte_swp_soft_dirty(pte_t pte)
{
	(void)pte;
	return false;
}

static inline pte_t pte_swp_mksoft_dirty(pte_t pte)
{
	return pte;
}

static inline pte_t pte_swp_clear_soft_dirty(pte_t pte)
{
	return pte;
}
#define pgtable_supports_soft_dirty() false
#else
#define pgtable_supports_soft_dirty() true
#endif

#ifndef pte_accessible
#define pte_accessible(mm, pte) ((void)(mm), pte_present(pte))
#endif

#ifndef ptep_get_lockless
#define ptep_get_lockless ptep_get
#endif

#ifndef pte_batch_hint
/* Entries, from @ptep on, that are known to form one batch without looking at them. */
static inline unsigned int pte_batch_hint(pte_t *ptep, pte_t pte)
{
	(void)ptep;
	(void)pte;
	return 1;
}
#endif

#ifndef set_ptes
/* Map @nr consecutive frames of one folio; entries that were present only when @nr is 1. */
static inline void set_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep, pte_t pte,
			    unsigned int nr)
{
	(void)mm;
	(void)addr;
	for (; nr; nr--, ptep++, pte = pte_next_pfn(pte))
		set_pte(ptep, pte);
}
#define set_ptes set_ptes
#endif
#define set_pte_at(mm, addr, ptep, pte) set_ptes(mm, addr, ptep, pte, 1)

#ifndef ptep_get_and_clear_full
static inline pte_t ptep_get_and_clear_full(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
					    int full)
{
	(void)full;
	return ptep_get_and_clear(mm, addr, ptep);
}
#endif

#ifndef get_and_clear_full_ptes
/* Clear @nr entries; the first one's value, young and dirty if any of them was. */
static inline pte_t get_and_clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
					    unsigned int nr, int full)
{
	pte_t first = ptep_get_and_clear_full(mm, addr, ptep, full);

	for (unsigned int i = 1; i < nr; i++) {
		pte_t pte = ptep_get_and_clear_full(mm, addr + i * PAGE_SIZE, ptep + i, full);

		if (pte_dirty(pte))
			first = pte_mkdirty(first);
		if (pte_young(pte))
			first = pte_mkyoung(first);
	}
	return first;
}
#endif
#define get_and_clear_ptes(mm, addr, ptep, nr) get_and_clear_full_ptes(mm, addr, ptep, nr, 0)

#ifndef clear_full_ptes
static inline void clear_full_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				   unsigned int nr, int full)
{
	for (unsigned int i = 0; i < nr; i++)
		ptep_get_and_clear_full(mm, addr + i * PAGE_SIZE, ptep + i, full);
}
#endif
#define clear_ptes(mm, addr, ptep, nr) clear_full_ptes(mm, addr, ptep, nr, 0)

#ifndef wrprotect_ptes
static inline void wrprotect_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				  unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		ptep_set_wrprotect(mm, addr + i * PAGE_SIZE, ptep + i);
}
#endif

#ifndef clear_young_dirty_ptes
static inline void clear_young_dirty_ptes(struct vm_area_struct *vma, unsigned long addr,
					  pte_t *ptep, unsigned int nr, cydp_t flags)
{
	for (unsigned int i = 0; i < nr; i++) {
		pte_t pte;

		if (flags == CYDP_CLEAR_YOUNG) {
			ptep_test_and_clear_young(vma, addr + i * PAGE_SIZE, ptep + i);
			continue;
		}
		pte = ptep_get_and_clear(vma->vm_mm, addr + i * PAGE_SIZE, ptep + i);
		if (flags & CYDP_CLEAR_YOUNG)
			pte = pte_mkold(pte);
		set_pte_at(vma->vm_mm, addr + i * PAGE_SIZE, ptep + i, pte_mkclean(pte));
	}
}
#endif

#ifndef test_and_clear_young_ptes
static inline bool test_and_clear_young_ptes(struct vm_area_struct *vma, unsigned long addr,
					     pte_t *ptep, unsigned int nr)
{
	bool young = false;

	for (unsigned int i = 0; i < nr; i++)
		young |= ptep_test_and_clear_young(vma, addr + i * PAGE_SIZE, ptep + i);
	return young;
}
#endif

#ifndef modify_prot_start_ptes
/* Begin a change of protection: the entries are none until it is committed. */
static inline pte_t modify_prot_start_ptes(struct vm_area_struct *vma, unsigned long addr,
					   pte_t *ptep, unsigned int nr)
{
	return get_and_clear_ptes(vma->vm_mm, addr, ptep, nr);
}
#endif

#ifndef modify_prot_commit_ptes
static inline void modify_prot_commit_ptes(struct vm_area_struct *vma, unsigned long addr,
					   pte_t *ptep, pte_t old, pte_t pte, unsigned int nr)
{
	(void)old;
	set_ptes(vma->vm_mm, addr, ptep, pte, nr);
}
#endif
#define ptep_modify_prot_start(vma, addr, ptep) modify_prot_start_ptes(vma, addr, ptep, 1)
#define ptep_modify_prot_commit(vma, addr, ptep, old, pte) \
	modify_prot_commit_ptes(vma, addr, ptep, old, pte, 1)

/* Clear @nr entries that are not present. */
static inline void clear_not_present_full_ptes(struct mm_struct *mm, unsigned long addr,
					       pte_t *ptep, unsigned int nr, int full)
{
	(void)full;
	for (unsigned int i = 0; i < nr; i++)
		pte_clear(mm, addr + i * PAGE_SIZE, ptep + i);
}
#define clear_nonpresent_ptes(mm, addr, ptep, nr) clear_not_present_full_ptes(mm, addr, ptep, nr, 0)

/* Clear an entry that others may be using: no CPU does so any more when this is over. */
static inline pte_t ptep_clear_flush(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	pte_t pte = ptep_get_and_clear(vma->vm_mm, addr, ptep);

	if (pte_accessible(vma->vm_mm, pte))
		pd_tlb_flush(addr, addr + PAGE_SIZE);
	return pte;
}

/* ---- tables and their locks ---- */

static inline unsigned long pte_index(unsigned long addr)
{
	return (addr >> PAGE_SHIFT) & (PTRS_PER_PTE - 1);
}

static inline bool pmd_none(pmd_t pmd)
{
	return !pmd.pmd;
}

static inline bool pmd_same(pmd_t a, pmd_t b)
{
	return a.pmd == b.pmd;
}

static inline pmd_t pmdp_get_lockless(pmd_t *pmd)
{
	return *pmd;
}

/*
 * The entry of @addr in the table of @pmd; NULL when it is none or mapping it fails. Until
 * pte_unmap() of it, or of a neighbour, the table cannot go away.
 */
pte_t *pte_offset_map(pmd_t *pmd, unsigned long addr);
pte_t *pte_offset_map_lock(struct mm_struct *mm, pmd_t *pmd, unsigned long addr, spinlock_t **ptlp);
pte_t *pte_offset_map_rw_nolock(struct mm_struct *mm, pmd_t *pmd, unsigned long addr,
				pmd_t *pmdvalp, spinlock_t **ptlp);
void pte_unmap(const pte_t *ptep);
spinlock_t *pte_lockptr(struct mm_struct *mm, pmd_t *pmd);

/* Give @pmd an empty table if it has none. */
void pte_alloc(struct mm_struct *mm, pmd_t *pmd);

/* pd_move_table() - @to, which is none, takes the table of @from; the old range is flushed. */
void pd_move_table(struct vm_area_struct *vma, pmd_t *from, pmd_t *to);

#define pte_unmap_unlock(ptep, ptl)	\
	do {				\
		spin_unlock(ptl);	\
		pte_unmap(ptep);	\
	} while (0)

/* Entries may be queued while lazy; the model applies them at once. */
void lazy_mmu_mode_enable(void);
void lazy_mmu_mode_disable(void);

/* Architectures with cache colours adapt an entry that changes its address; these do not. */
#ifndef move_pte
#define move_pte(pte, old_addr, new_addr) (pte)
#endif

#endif
