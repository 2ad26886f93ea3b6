/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86-64 page-table entries under the kernel's names.
 *
 * Three things make this more than bits. A PROT_NONE entry stores its frame inverted, so that
 * speculation through it ends nowhere; frame arithmetic has to follow. "Not writable but dirty"
 * means a shadow stack to the hardware, so a read-only entry keeps its dirty in a bit of its own
 * (saved-dirty). And pte_mkdirty() sets soft-dirty along with dirty.
 */
#ifndef PD_X86_PGTABLE_H
#define PD_X86_PGTABLE_H

#include "pd/raw.h"

static inline bool __pte_needs_invert(pteval_t val)
{
	return val && !(val & _PAGE_PRESENT);
}

static inline pteval_t protnone_mask(pteval_t val)
{
	return __pte_needs_invert(val) ? ~0UL : 0;
}

/* The frame bits of @val, when the entry goes from @old to @val: inverted on a change of kind. */
static inline pteval_t flip_protnone_guard(pteval_t old, pteval_t val, pteval_t mask)
{
	if (__pte_needs_invert(old) != __pte_needs_invert(val))
		val = (val & ~mask) | (~val & mask);
	return val;
}

static inline unsigned long pte_pfn(pte_t pte)
{
	return ((pte.pte ^ protnone_mask(pte.pte)) & PTE_PFN_MASK) >> PAGE_SHIFT;
}

static inline pte_t pfn_pte(unsigned long pfn, pgprot_t prot)
{
	pteval_t frame = (pteval_t)pfn << PAGE_SHIFT;

	frame ^= protnone_mask(prot.pgprot);
	return __pte((frame & PTE_PFN_MASK) | prot.pgprot);
}

static inline pgprot_t pte_pgprot(pte_t pte)
{
	return __pgprot(pte.pte & PTE_FLAGS_MASK);
}

static inline pte_t pte_set_flags(pte_t pte, pteval_t set)
{
	return __pte(pte.pte | set);
}

static inline pte_t pte_clear_flags(pte_t pte, pteval_t clear)
{
	return __pte(pte.pte & ~clear);
}

static inline bool pte_none(pte_t pte)
{
	return !pte.pte;
}

static inline bool pte_present(pte_t pte)
{
	return pte.pte & (_PAGE_PRESENT | _PAGE_PROTNONE);
}

static inline bool pte_protnone(pte_t pte)
{
	return (pte.pte & (_PAGE_PROTNONE | _PAGE_PRESENT)) == _PAGE_PROTNONE;
}

#define pte_accessible pte_accessible
static inline bool pte_accessible(struct mm_struct *mm, pte_t pte)
{
	(void)mm;
	return (pte.pte & _PAGE_PRESENT) || (pte_protnone(pte) && pd_world->deferred);
}

static inline bool pte_young(pte_t pte)
{
	return pte.pte & _PAGE_ACCESSED;
}

static inline bool pte_dirty(pte_t pte)
{
	return pte.pte & _PAGE_DIRTY_BITS;
}

/* Without shadow stacks, writable is the one bit. */
static inline bool pte_write(pte_t pte)
{
	return pte.pte & _PAGE_RW;
}

static inline bool pte_special(pte_t pte)
{
	return pte.pte & _PAGE_SPECIAL;
}

static inline bool pte_same(pte_t a, pte_t b)
{
	return a.pte == b.pte;
}

/* Dirty lives in DIRTY while writable and in SAVED_DIRTY while not: move it where it belongs. */
static inline pte_t pd_settle_dirty(pte_t pte)
{
	if (!pte_dirty(pte))
		return pte;
	pte = pte_clear_flags(pte, _PAGE_DIRTY_BITS);
	return pte_set_flags(pte, pte_write(pte) ? _PAGE_DIRTY : _PAGE_SAVED_DIRTY);
}

static inline pte_t pte_mkold(pte_t pte)
{
	return pte_clear_flags(pte, _PAGE_ACCESSED);
}

static inline pte_t pte_mkyoung(pte_t pte)
{
	return pte_set_flags(pte, _PAGE_ACCESSED);
}

static inline pte_t pte_mkclean(pte_t pte)
{
	return pte_clear_flags(pte, _PAGE_DIRTY_BITS);
}

static inline pte_t pte_mkdirty(pte_t pte)
{
	return pd_settle_dirty(pte_set_flags(pte, _PAGE_DIRTY | _PAGE_SOFT_DIRTY));
}

static inline pte_t pte_wrprotect(pte_t pte)
{
	return pd_settle_dirty(pte_clear_flags(pte, _PAGE_RW));
}

static inline pte_t pte_mkwrite_novma(pte_t pte)
{
	return pd_settle_dirty(pte_set_flags(pte, _PAGE_RW));
}

static inline pte_t pte_mkwrite(pte_t pte, struct vm_area_struct *vma)
{
	(void)vma;
	return pte_mkwrite_novma(pte);
}

static inline pte_t pte_mkspecial(pte_t pte)
{
	return pte_set_flags(pte, _PAGE_SPECIAL);
}

/* Take the protection from @newprot and keep frame, accessed, dirty and software bits. */
static inline pte_t pte_modify(pte_t pte, pgprot_t newprot)
{
	pteval_t val = (pte.pte & _PAGE_CHG_MASK) | (newprot.pgprot & ~_PAGE_CHG_MASK);

	val = flip_protnone_guard(pte.pte, val, PTE_PFN_MASK);
	return pd_settle_dirty(__pte(val));
}

/* Inverted frames count downwards. */
static inline pte_t pte_advance_pfn(pte_t pte, unsigned long nr)
{
	if (__pte_needs_invert(pte.pte))
		return __pte(pte.pte - (nr << PAGE_SHIFT));
	return __pte(pte.pte + (nr << PAGE_SHIFT));
}
#define pte_advance_pfn pte_advance_pfn

#define CONFIG_MEM_SOFT_DIRTY 1
#define CONFIG_HAVE_ARCH_SOFT_DIRTY 1

static inline bool pte_soft_dirty(pte_t pte)
{
	return pte.pte & _PAGE_SOFT_DIRTY;
}

static inline pte_t pte_mksoft_dirty(pte_t pte)
{
	return pte_set_flags(pte, _PAGE_SOFT_DIRTY);
}

static inline pte_t pte_clear_soft_dirty(pte_t pte)
{
	return pte_clear_flags(pte, _PAGE_SOFT_DIRTY);
}

static inline bool pte_uffd_wp(pte_t pte)
{
	return pte.pte & _PAGE_UFFD_WP;
}

static inline pte_t pte_mkuffd_wp(pte_t pte)
{
	return pte_wrprotect(pte_set_flags(pte, _PAGE_UFFD_WP));
}

static inline pte_t pte_clear_uffd_wp(pte_t pte)
{
	return pte_clear_flags(pte, _PAGE_UFFD_WP);
}

static inline bool pte_swp_soft_dirty(pte_t pte)
{
	return pte.pte & _PAGE_SWP_SOFT_DIRTY;
}

static inline pte_t pte_swp_mksoft_dirty(pte_t pte)
{
	return pte_set_flags(pte, _PAGE_SWP_SOFT_DIRTY);
}

static inline pte_t pte_swp_clear_soft_dirty(pte_t pte)
{
	return pte_clear_flags(pte, _PAGE_SWP_SOFT_DIRTY);
}

static inline bool pte_swp_uffd_wp(pte_t pte)
{
	return pte.pte & _PAGE_SWP_UFFD_WP;
}

static inline pte_t pte_swp_mkuffd_wp(pte_t pte)
{
	return pte_set_flags(pte, _PAGE_SWP_UFFD_WP);
}

static inline pte_t pte_swp_clear_uffd_wp(pte_t pte)
{
	return pte_clear_flags(pte, _PAGE_SWP_UFFD_WP);
}

static inline bool pte_swp_exclusive(pte_t pte)
{
	return pte.pte & _PAGE_SWP_EXCLUSIVE;
}

static inline pte_t pte_swp_mkexclusive(pte_t pte)
{
	return pte_set_flags(pte, _PAGE_SWP_EXCLUSIVE);
}

static inline pte_t pte_swp_clear_exclusive(pte_t pte)
{
	return pte_clear_flags(pte, _PAGE_SWP_EXCLUSIVE);
}

/*
 * Swap entries: the type in bits 59 to 63, the offset inverted in bits 9 to 58 (so that a small
 * offset sets high address bits), the present and PROT_NONE bits clear.
 */
#define SWP_TYPE_BITS		5
#define SWP_OFFSET_SHIFT	(9 + SWP_TYPE_BITS)

typedef struct { unsigned long val; } swp_entry_arch_t;

static inline unsigned long __swp_type(swp_entry_arch_t entry)
{
	return entry.val >> (64 - SWP_TYPE_BITS);
}

static inline unsigned long __swp_offset(swp_entry_arch_t entry)
{
	return ~entry.val << SWP_TYPE_BITS >> SWP_OFFSET_SHIFT;
}

static inline swp_entry_arch_t __swp_entry(unsigned long type, unsigned long offset)
{
	return (swp_entry_arch_t){ (~offset << SWP_OFFSET_SHIFT >> SWP_TYPE_BITS) |
				   (type << (64 - SWP_TYPE_BITS)) };
}

#define __pte_to_swp_entry(pte)		((swp_entry_arch_t){ pte_val(pte) })
#define __swp_entry_to_pte(entry)	__pte((entry).val)

/* ---- access ---- */

#define ptep_get ptep_get
static inline pte_t ptep_get(const pte_t *ptep)
{
	return __pte(pd_raw_read(ptep));
}

static inline void set_pte(pte_t *ptep, pte_t pte)
{
	pd_raw_set(ptep, pte.pte);
}

static inline void pte_clear(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	(void)mm;
	(void)addr;
	pd_raw_set(ptep, 0);
}

#define ptep_get_and_clear ptep_get_and_clear
static inline pte_t ptep_get_and_clear(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	(void)mm;
	(void)addr;
	return __pte(pd_raw_xchg(ptep, 0));
}

#define ptep_set_wrprotect ptep_set_wrprotect
static inline void ptep_set_wrprotect(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	pteval_t old = pd_raw_read(ptep);

	(void)mm;
	(void)addr;
	while (!pd_raw_cmpxchg(ptep, &old, pte_wrprotect(__pte(old)).pte))
		;
}

/* Young is set by every walk of the hardware: only a fault of a write is worth a store. */
#define ptep_set_access_flags ptep_set_access_flags
static inline bool ptep_set_access_flags(struct vm_area_struct *vma, unsigned long addr,
					 pte_t *ptep, pte_t entry, int dirty)
{
	bool changed = !pte_same(ptep_get(ptep), entry);

	(void)vma;
	(void)addr;
	if (changed && dirty)
		set_pte(ptep, entry);
	return changed;
}

#define ptep_test_and_clear_young ptep_test_and_clear_young
static inline bool ptep_test_and_clear_young(struct vm_area_struct *vma, unsigned long addr,
					     pte_t *ptep)
{
	pteval_t old = pd_raw_read(ptep);

	(void)vma;
	(void)addr;
	while (pte_young(__pte(old)) && !pd_raw_cmpxchg(ptep, &old, pte_mkold(__pte(old)).pte))
		;
	return pte_young(__pte(old));
}

#endif
