/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ioctl around move_present_ptes(), one for all implementations: what userfaultfd_move(),
 * move_pages() and move_pages_ptes() do.
 *
 * It goes from page to page, or from batch to batch; it looks at the two entries, gets hold of the
 * folio, splits it when it is large, and leaves the move of present pages to the function under
 * test. What cannot be had at once is waited for, and the page tried again. It follows 7.3 in that
 * a folio with somebody else's references is given up: before, the loop never ended.
 */
#ifndef PD_UFFD_MOVE_CALLER_H
#define PD_UFFD_MOVE_CALLER_H

#include <linux/huge_mm.h>
#include <linux/mmu_notifier.h>
#include <linux/rmap.h>
#include <linux/swap.h>
#include <linux/userfaultfd_k.h>

#include "args.h"

typedef long (*move_present_ptes_fn)(struct mm_struct *mm, struct vm_area_struct *dst_vma,
				     struct vm_area_struct *src_vma, unsigned long dst_addr,
				     unsigned long src_addr, pte_t *dst_pte, pte_t *src_pte,
				     pte_t orig_dst_pte, pte_t orig_src_pte, pmd_t *dst_pmd,
				     pmd_t dst_pmdval, spinlock_t *dst_ptl, spinlock_t *src_ptl,
				     struct folio **first_src_folio, unsigned long len);

struct pd_uffd_step;

/**
 * struct pd_uffd_form - what differs around the function under test from release to release
 * @move_present_ptes: bytes moved or a negative errno; 0 in *first_src_folio: it is taken care of
 * @move_zeropage: bytes moved or a negative errno; NULL: ours
 * @move_swap:	likewise
 * @one_page:	called for one page at a time
 * @locks_anon_vma: the anon_vma of the folio is locked around it (up to 6.18)
 */
struct pd_uffd_form {
	move_present_ptes_fn move_present_ptes;
	long (*move_zeropage)(struct pd_uffd_step *step);
	long (*move_swap)(struct pd_uffd_step *step, swp_entry_t entry);
	bool one_page, locks_anon_vma;
};

/* One of the two places that a page is moved between; @ptep is NULL while it is not mapped. */
struct pd_uffd_place {
	struct vm_area_struct *vma;
	unsigned long addr;
	pmd_t *pmd, pmdval;
	pte_t *ptep, orig;
	spinlock_t *ptl;
};

/**
 * struct pd_uffd_step - a call of move_pages_ptes()
 * @folio:	of the source, locked and with a reference, once there is one
 * @folio_pte:	the source's entry when the folio was found
 * @len:	bytes that may be moved
 */
struct pd_uffd_step {
	const struct pd_uffd_form *form;
	struct mm_struct *mm;
	struct pd_uffd_place src, dst;
	struct folio *folio;
	pte_t folio_pte;
	unsigned long len;
	u64 mode;
};

/* Both places have to be mapped and looked at anew; never leaves this file. */
#define PD_UFFD_RETRY 1L

static inline void double_pt_lock(spinlock_t *ptl1, spinlock_t *ptl2)
{
	if (ptl1 > ptl2)
		swap(ptl1, ptl2);
	spin_lock(ptl1);
	if (ptl1 != ptl2)
		spin_lock_nested(ptl2, SINGLE_DEPTH_NESTING);
}

static inline void double_pt_unlock(spinlock_t *ptl1, spinlock_t *ptl2)
{
	spin_unlock(ptl1);
	if (ptl1 != ptl2)
		spin_unlock(ptl2);
}

/* ---- places ---- */

static inline bool pd_uffd_map(struct mm_struct *mm, struct pd_uffd_place *place)
{
	place->ptep = pte_offset_map_rw_nolock(mm, place->pmd, place->addr, &place->pmdval,
					       &place->ptl);
	return place->ptep;
}

static inline void pd_uffd_unmap(struct pd_uffd_step *step)
{
	if (step->src.ptep)
		pte_unmap(step->src.ptep);
	if (step->dst.ptep)
		pte_unmap(step->dst.ptep);
	step->src.ptep = step->dst.ptep = NULL;
}

static inline pte_t pd_uffd_look(struct pd_uffd_place *place)
{
	spin_lock(place->ptl);
	place->orig = ptep_get(place->ptep);
	spin_unlock(place->ptl);
	return place->orig;
}

/* Under both locks: are the entries, and the destination's table, still what they were? */
static inline bool pd_uffd_stable(struct pd_uffd_step *step)
{
	return pte_same(ptep_get(step->src.ptep), step->src.orig) &&
	       pte_same(ptep_get(step->dst.ptep), step->dst.orig) &&
	       pmd_same(step->dst.pmdval, pmdp_get_lockless(step->dst.pmd));
}

/* ---- present pages ---- */

static inline long pd_uffd_zeropage(struct pd_uffd_step *step)
{
	pte_t pte = pfn_pte(zero_pfn(step->dst.addr), step->dst.vma->vm_page_prot);
	long ret = -EAGAIN;

	double_pt_lock(step->dst.ptl, step->src.ptl);
	if (pd_uffd_stable(step)) {
		ptep_clear_flush(step->src.vma, step->src.addr, step->src.ptep);
		set_pte_at(step->mm, step->dst.addr, step->dst.ptep, pte_mkspecial(pte));
		ret = PAGE_SIZE;
	}
	double_pt_unlock(step->dst.ptl, step->src.ptl);
	return ret;
}

/*
 * Find, lock and pin the source's folio. A large one is not waited for with a reference, which
 * would keep others from splitting it.
 */
static inline long pd_uffd_get_folio(struct pd_uffd_step *step)
{
	struct pd_uffd_place *src = &step->src;
	struct folio *folio = NULL;
	bool locked = false;
	long ret = 0;

	spin_lock(src->ptl);
	if (!pte_same(src->orig, ptep_get(src->ptep)))
		ret = -EAGAIN;
	else
		folio = vm_normal_folio(src->vma, src->addr, src->orig);
	if (!ret && (!folio || !PageAnonExclusive(&folio->page)))
		ret = -EBUSY;
	if (!ret) {
		locked = folio_trylock(folio);
		if (!locked && folio_test_large(folio))
			ret = -EAGAIN;
	}
	if (!ret) {
		folio_get(folio);
		step->folio = folio;
		step->folio_pte = src->orig;
	}
	spin_unlock(src->ptl);
	if (ret || locked)
		return ret;
	pd_uffd_unmap(step);
	folio_lock(folio);
	return PD_UFFD_RETRY;
}

static inline void pd_uffd_put_folio(struct pd_uffd_step *step)
{
	if (!step->folio)
		return;
	folio_unlock(step->folio);
	folio_put(step->folio);
	step->folio = NULL;
}

/* References of others may be held for ever: that is no reason to try again. */
static inline long pd_uffd_split(struct pd_uffd_step *step)
{
	long ret;

	pd_uffd_unmap(step);
	ret = split_folio(step->folio);
	if (ret)
		return ret == -EAGAIN ? -EBUSY : ret;
	pd_uffd_put_folio(step);
	return PD_UFFD_RETRY;
}

static inline long pd_uffd_call(struct pd_uffd_step *step)
{
	struct pd_uffd_place *src = &step->src, *dst = &step->dst;
	struct anon_vma *anon_vma = folio_anon_vma(step->folio);
	long ret;

	if (step->form->locks_anon_vma)
		anon_vma_lock_write(anon_vma);
	ret = step->form->move_present_ptes(step->mm, dst->vma, src->vma, dst->addr, src->addr,
					    dst->ptep, src->ptep, dst->orig, src->orig, dst->pmd,
					    dst->pmdval, dst->ptl, src->ptl, &step->folio,
					    step->len);
	if (step->form->locks_anon_vma)
		anon_vma_unlock_write(anon_vma);
	if (ret > 0)
		pd_count_batch(src->addr, (unsigned int)(ret / PAGE_SIZE));
	return ret;
}

static inline long pd_uffd_present(struct pd_uffd_step *step)
{
	long ret = 0;

	if (is_zero_pfn(pte_pfn(step->src.orig)))
		return step->form->move_zeropage ? step->form->move_zeropage(step) :
						   pd_uffd_zeropage(step);
	if (!step->folio)
		ret = pd_uffd_get_folio(step);
	if (ret)
		return ret;
	if (WARN_ON_ONCE(!folio_test_anon(step->folio)))
		return -EBUSY;
	if (folio_test_large(step->folio))
		return pd_uffd_split(step);
	return pd_uffd_call(step);
}

/* ---- the rest ---- */

/* The folio in the swap cache, if there is one, will be mapped where the entry is. */
static inline long pd_uffd_move_swap(struct pd_uffd_step *step, swp_entry_t entry)
{
	long ret = -EAGAIN;
	pte_t pte;

	double_pt_lock(step->dst.ptl, step->src.ptl);
	if (!pd_uffd_stable(step) || (!step->folio && swap_cache_has_folio(entry)))
		goto out;
	if (step->folio) {
		folio_move_anon_rmap(step->folio, step->dst.vma);
		step->folio->index = linear_page_index(step->dst.vma, step->dst.addr);
	}
	pte = ptep_get_and_clear(step->mm, step->src.addr, step->src.ptep);
	if (pgtable_supports_soft_dirty())
		pte = pte_swp_mksoft_dirty(pte);
	set_pte_at(step->mm, step->dst.addr, step->dst.ptep, pte);
	ret = PAGE_SIZE;
out:
	double_pt_unlock(step->dst.ptl, step->src.ptl);
	return ret;
}

static inline long pd_uffd_swap(struct pd_uffd_step *step, swp_entry_t entry)
{
	struct folio *folio = NULL;

	if (!pte_swp_exclusive(step->src.orig))
		return -EBUSY;
	if (!step->folio)
		folio = swap_cache_get_folio(entry);
	if (folio && folio_test_large(folio)) {
		folio_put(folio);
		return -EBUSY;
	}
	if (folio) {
		step->folio = folio;
		step->folio_pte = step->src.orig;
		if (!folio_trylock(folio)) {
			pd_uffd_unmap(step);
			folio_lock(folio);
			return PD_UFFD_RETRY;
		}
	}
	return step->form->move_swap ? step->form->move_swap(step, entry) :
				       pd_uffd_move_swap(step, entry);
}

static inline long pd_uffd_nonpresent(struct pd_uffd_step *step)
{
	softleaf_t leaf = softleaf_from_pte(step->src.orig);

	if (softleaf_is_migration(leaf)) {
		pd_uffd_unmap(step);
		migration_entry_wait(step->mm, step->src.pmd, step->src.addr);
		return -EAGAIN;
	}
	return softleaf_is_swap(leaf) ? pd_uffd_swap(step, leaf) : -EFAULT;
}

/* Look at both entries and do what the source's asks for. */
static inline long pd_uffd_try(struct pd_uffd_step *step)
{
	if (!pd_uffd_map(step->mm, &step->dst) || !pd_uffd_map(step->mm, &step->src))
		return -EAGAIN;
	if (!pte_none(pd_uffd_look(&step->dst)))
		return -EEXIST;
	if (pte_none(pd_uffd_look(&step->src)))
		return step->mode & UFFDIO_MOVE_MODE_ALLOW_SRC_HOLES ? (long)PAGE_SIZE : -ENOENT;
	if (step->folio && !pte_same(step->folio_pte, step->src.orig))
		return -EAGAIN;
	return pte_present(step->src.orig) ? pd_uffd_present(step) : pd_uffd_nonpresent(step);
}

static inline long pd_uffd_move_pages_ptes(struct pd_uffd_step *step)
{
	struct mmu_notifier_range range;
	long ret;

	mmu_notifier_range_init(&range, MMU_NOTIFY_CLEAR, 0, step->mm, step->src.addr,
				step->src.addr + step->len);
	mmu_notifier_invalidate_range_start(&range);
	do {
		ret = pd_uffd_try(step);
	} while (ret == PD_UFFD_RETRY);
	pd_uffd_put_folio(step);
	pd_uffd_unmap(step);
	mmu_notifier_invalidate_range_end(&range);
	return ret;
}

/* ---- the ioctl ---- */

static inline bool pd_uffd_valid(const struct vm_area_struct *src, const struct vm_area_struct *dst)
{
	const vm_flags_t alike = VM_READ | VM_WRITE | VM_EXEC | VM_LOCKED;
	const vm_flags_t barred = VM_SHARED | VM_PFNMAP;

	return !((src->vm_flags ^ dst->vm_flags) & alike) && (src->vm_flags & VM_WRITE) &&
	       !((src->vm_flags | dst->vm_flags) & barred) && vma_is_anonymous(src) &&
	       vma_is_anonymous(dst);
}

/*
 * The tables of the page at hand. A source table that is missing (mremap moved it away) is one of
 * holes: the kernel says so, too, but says -ENOENT before it has looked at the destination. The
 * state does not tell a missing table from an empty one.
 */
static inline void pd_uffd_tables(struct pd_uffd_step *step)
{
	step->src.pmd = pd_pmd(step->src.addr);
	step->dst.pmd = pd_pmd(step->dst.addr);
	pte_alloc(step->mm, step->src.pmd);
	pte_alloc(step->mm, step->dst.pmd);
}

static inline unsigned long pd_uffd_len(const struct pd_uffd_form *form,
					const struct uffd_move_args *args, unsigned long left)
{
	if (form->one_page)
		return PAGE_SIZE;
	return args->batch_cap ? min(left, args->batch_cap * PAGE_SIZE) : left;
}

/* Return: bytes moved, or why the first page was not. */
static inline long pd_uffd_move_pages(struct pd_uffd_step *step, const struct uffd_move_args *args)
{
	unsigned long end = step->src.addr + args->pages * PAGE_SIZE;
	long moved = 0, ret;

	if (!pd_uffd_valid(step->src.vma, step->dst.vma))
		return -EINVAL;
	while (step->src.addr < end) {
		step->len = pd_uffd_len(step->form, args, end - step->src.addr);
		pd_uffd_tables(step);
		ret = pd_uffd_move_pages_ptes(step);
		if (ret == -EAGAIN)
			continue;
		if (ret < 0)
			return moved ? moved : ret;
		step->src.addr += (unsigned long)ret;
		step->dst.addr += (unsigned long)ret;
		moved += ret;
	}
	return moved;
}

static inline long pd_uffd_move(const struct uffd_move_args *args, const struct pd_uffd_form *form)
{
	struct mm_struct mm = { .pd_world = pd_world };
	struct vm_area_struct src, dst;
	struct pd_uffd_step step = {
		.form = form,
		.mm = &mm,
		.src = { .vma = &src, .addr = pd_addr(args->src) },
		.dst = { .vma = &dst, .addr = pd_addr(args->dst) },
		.mode = args->holes ? UFFDIO_MOVE_MODE_ALLOW_SRC_HOLES : 0,
	};
	long moved;

	pd_vma_at(&src, &mm, step.src.addr);
	pd_vma_at(&dst, &mm, step.dst.addr);
	moved = pd_uffd_move_pages(&step, args);
	pd_fact(UFFD_MOVE_FIELD, 0, (u64)moved);
	if (moved < 0)
		return moved;
	if (!args->dontwake)
		pd_fact(UFFD_MOVE_WAKE, args->dst, (u64)moved / PAGE_SIZE);
	return (unsigned long)moved == args->pages * PAGE_SIZE ? 0 : -EAGAIN;
}

#endif
