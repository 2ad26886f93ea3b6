/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the value of an arm64 page-table entry says, and how to change it: no memory is touched.
 *
 * Write permission is PTE_WRITE, which doubles as the hardware's dirty-bit modifier. An entry is
 * dirty when software says so (PTE_DIRTY) or when it is writable and hardware has cleared
 * PTE_RDONLY:
 *
 *	dirty  write	RDONLY  WRITE  DIRTY
 *	  0      0	   1      0      0
 *	  0      1	   1      1      0
 *	  1      0	   1      0      1
 *	  1      1	   0      1      0 or 1
 */
#ifndef PD_ARM64_PTE_H
#define PD_ARM64_PTE_H

#include "pd/raw.h"

#include <asm/pgtable-prot.h>

/* ---- bits ---- */

static inline bool pd_pte_test(pte_t pte, pteval_t bits)
{
	return (pte_val(pte) & bits) != 0;
}

static inline pte_t set_pte_bit(pte_t pte, pgprot_t prot)
{
	return __pte(pte_val(pte) | pgprot_val(prot));
}

static inline pte_t clear_pte_bit(pte_t pte, pgprot_t prot)
{
	return __pte(pte_val(pte) & ~pgprot_val(prot));
}

static inline bool pte_same(pte_t a, pte_t b)
{
	return pte_val(a) == pte_val(b);
}

/* ---- kind ---- */

static inline bool pte_none(pte_t pte)
{
	return !pte_val(pte);
}

static inline bool pte_valid(pte_t pte)
{
	return pd_pte_test(pte, PTE_VALID);
}

static inline bool pte_present_invalid(pte_t pte)
{
	return (pte_val(pte) & (PTE_VALID | PTE_PRESENT_INVALID)) == PTE_PRESENT_INVALID;
}

static inline bool pte_present(pte_t pte)
{
	return pte_valid(pte) || pte_present_invalid(pte);
}

/* No huge entry is ever made invalid here, so that present but invalid can mean nothing else. */
static inline bool pte_protnone(pte_t pte)
{
	return pte_present_invalid(pte);
}

/* With a flush pending, even what is invalid now may still be cached. */
#define pte_accessible pte_accessible
static inline bool pte_accessible(struct mm_struct *mm, pte_t pte)
{
	(void)mm;
	return pte_valid(pte) || (pte_present(pte) && pd_world->deferred);
}

/* ---- questions ---- */

static inline bool pte_young(pte_t pte)
{
	return pd_pte_test(pte, PTE_AF);
}

static inline bool pte_special(pte_t pte)
{
	return pd_pte_test(pte, PTE_SPECIAL);
}

static inline bool pte_write(pte_t pte)
{
	return pd_pte_test(pte, PTE_WRITE);
}

static inline bool pte_rdonly(pte_t pte)
{
	return pd_pte_test(pte, PTE_RDONLY);
}

static inline bool pte_user(pte_t pte)
{
	return pd_pte_test(pte, PTE_USER);
}

static inline bool pte_user_exec(pte_t pte)
{
	return !pd_pte_test(pte, PTE_UXN);
}

static inline bool pte_cont(pte_t pte)
{
	return pd_pte_test(pte, PTE_CONT);
}

static inline bool pte_valid_cont(pte_t pte)
{
	return (pte_val(pte) & (PTE_VALID | PTE_CONT)) == (PTE_VALID | PTE_CONT);
}

static inline bool pte_hw_dirty(pte_t pte)
{
	return pte_write(pte) && !pte_rdonly(pte);
}

static inline bool pte_sw_dirty(pte_t pte)
{
	return pd_pte_test(pte, PTE_DIRTY);
}

static inline bool pte_dirty(pte_t pte)
{
	return pte_sw_dirty(pte) || pte_hw_dirty(pte);
}

/* ---- changes ---- */

static inline pte_t pte_mkold(pte_t pte)
{
	return clear_pte_bit(pte, __pgprot(PTE_AF));
}

static inline pte_t pte_mkyoung(pte_t pte)
{
	return set_pte_bit(pte, __pgprot(PTE_AF));
}

static inline pte_t pte_mkclean(pte_t pte)
{
	return set_pte_bit(clear_pte_bit(pte, __pgprot(PTE_DIRTY)), __pgprot(PTE_RDONLY));
}

static inline pte_t pte_mkdirty(pte_t pte)
{
	pte = set_pte_bit(pte, __pgprot(PTE_DIRTY));
	return pte_write(pte) ? clear_pte_bit(pte, __pgprot(PTE_RDONLY)) : pte;
}

/* Without the modifier a clear RDONLY no longer says dirty: the software bit takes over. */
static inline pte_t pte_wrprotect(pte_t pte)
{
	if (pte_hw_dirty(pte))
		pte = set_pte_bit(pte, __pgprot(PTE_DIRTY));
	return set_pte_bit(clear_pte_bit(pte, __pgprot(PTE_WRITE)), __pgprot(PTE_RDONLY));
}

/* A clean entry stays read-only to the hardware, so that the first write marks it dirty. */
static inline pte_t pte_mkwrite_novma(pte_t pte)
{
	pte = set_pte_bit(pte, __pgprot(PTE_WRITE));
	return pte_sw_dirty(pte) ? clear_pte_bit(pte, __pgprot(PTE_RDONLY)) : pte;
}

static inline pte_t pte_mkwrite(pte_t pte, struct vm_area_struct *vma)
{
	(void)vma;
	return pte_mkwrite_novma(pte);
}

static inline pte_t pte_mkcont(pte_t pte)
{
	return set_pte_bit(pte, __pgprot(PTE_CONT));
}

static inline pte_t pte_mknoncont(pte_t pte)
{
	return clear_pte_bit(pte, __pgprot(PTE_CONT));
}

static inline pte_t pte_mkspecial(pte_t pte)
{
	return set_pte_bit(pte, __pgprot(PTE_SPECIAL));
}

static inline pte_t pte_mkvalid(pte_t pte)
{
	return set_pte_bit(pte, __pgprot(PTE_VALID));
}

static inline pte_t pte_mkinvalid(pte_t pte)
{
	return set_pte_bit(clear_pte_bit(pte, __pgprot(PTE_VALID)), __pgprot(PTE_PRESENT_INVALID));
}

/* ---- frames and protections ---- */

static inline unsigned long pte_pfn(pte_t pte)
{
	return pd_hw_pfn(pte_val(pte));
}

static inline pte_t pfn_pte(unsigned long pfn, pgprot_t prot)
{
	return __pte((((pteval_t)pfn << PTE_PFN_SHIFT) & PTE_ADDR_MASK) | pgprot_val(prot));
}

static inline pgprot_t pte_pgprot(pte_t pte)
{
	return __pgprot(pte_val(pte) & ~PTE_ADDR_MASK);
}

#define pte_advance_pfn pte_advance_pfn
static inline pte_t pte_advance_pfn(pte_t pte, unsigned long nr)
{
	return __pte(pd_hw_next(pte_val(pte), nr));
}

/* The protection of @newprot; frame, young, dirty, special, uffd and CONT stay. */
static inline pte_t pte_modify(pte_t pte, pgprot_t newprot)
{
	const pteval_t mask = PTE_VALID | PTE_PRESENT_INVALID | PTE_USER | PTE_PXN | PTE_UXN |
			      PTE_WRITE | PTE_RDONLY | PTE_ATTRINDX_MASK;

	if (pte_hw_dirty(pte))
		pte = set_pte_bit(pte, __pgprot(PTE_DIRTY));
	pte = __pte((pte_val(pte) & ~mask) | (pgprot_val(newprot) & mask));
	return pte_sw_dirty(pte) ? pte_mkdirty(pte) : pte;
}

/* ---- userfaultfd: a protected entry is never writable ---- */

static inline bool pte_uffd_wp(pte_t pte)
{
	return pd_pte_test(pte, PTE_UFFD);
}

static inline pte_t pte_mkuffd_wp(pte_t pte)
{
	return pte_wrprotect(set_pte_bit(pte, __pgprot(PTE_UFFD)));
}

static inline pte_t pte_clear_uffd_wp(pte_t pte)
{
	return clear_pte_bit(pte, __pgprot(PTE_UFFD));
}

#endif
