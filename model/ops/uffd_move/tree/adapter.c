/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The moves of a present page, a zero page and a swap entry of a kernel tree under our ioctl. Up to
 * 6.17 the first moved one page; in 6.18 it was told which anon_vma the caller has locked.
 */
#include <linux/ksm.h>

#include "model/ops/uffd_move/caller.h"

#include "pd/tree.h"

/* Up to 6.18 a swap device had a map of its slots; here it has the one that is looked at. */
#define SWAP_HAS_CACHE 0x40
struct swap_info_struct {
	unsigned char swap_map[1];
};
#define swp_offset(entry) ((void)(entry), 0)

#include "group.inc"

#undef swp_offset

static long tree_move(struct mm_struct *mm, struct vm_area_struct *dst_vma,
		      struct vm_area_struct *src_vma, unsigned long dst_addr,
		      unsigned long src_addr, pte_t *dst_pte, pte_t *src_pte, pte_t orig_dst_pte,
		      pte_t orig_src_pte, pmd_t *dst_pmd, pmd_t dst_pmdval, spinlock_t *dst_ptl,
		      spinlock_t *src_ptl, struct folio **first_src_folio, unsigned long len)
{
#if PD_TREE_HAVE_ANON_VMA
	return move_present_ptes(mm, dst_vma, src_vma, dst_addr, src_addr, dst_pte, src_pte,
				 orig_dst_pte, orig_src_pte, dst_pmd, dst_pmdval, dst_ptl, src_ptl,
				 first_src_folio, len, folio_anon_vma(*first_src_folio));
#elif PD_TREE_HAVE_BATCHED
	return move_present_ptes(mm, dst_vma, src_vma, dst_addr, src_addr, dst_pte, src_pte,
				 orig_dst_pte, orig_src_pte, dst_pmd, dst_pmdval, dst_ptl, src_ptl,
				 first_src_folio, len);
#else
	int err = move_present_pte(mm, dst_vma, src_vma, dst_addr, src_addr, dst_pte, src_pte,
				   orig_dst_pte, orig_src_pte,
#if PD_TREE_HAVE_PMDVAL
				   dst_pmd, dst_pmdval,
#endif
				   dst_ptl, src_ptl, *first_src_folio);

	(void)dst_pmd;
	(void)dst_pmdval;
	(void)len;
	return err ? err : (long)PAGE_SIZE;
#endif
}

/* It says 0 or, since 6.18, the bytes of a page. */
static long tree_zeropage(struct pd_uffd_step *step)
{
	struct pd_uffd_place *src = &step->src, *dst = &step->dst;
	long ret = move_zeropage_pte(step->mm, dst->vma, src->vma, dst->addr, src->addr, dst->ptep,
				     src->ptep, dst->orig, src->orig,
#if PD_TREE_HAVE_ZEROPAGE_PMDVAL
				     dst->pmd, dst->pmdval,
#endif
				     dst->ptl, src->ptl);

	return ret < 0 ? ret : (long)PAGE_SIZE;
}

/* A folio in the swap cache knows its entry; ours does for as long as it is asked. */
static long tree_swap(struct pd_uffd_step *step, swp_entry_t entry)
{
	struct pd_uffd_place *src = &step->src, *dst = &step->dst;
	struct swap_info_struct si = { { swap_cache_has_folio(entry) ? SWAP_HAS_CACHE : 0 } };
	struct folio *folio = step->folio;
	long ret;

	if (folio)
		folio->swap.val = entry.val;
	ret = move_swap_pte(step->mm, dst->vma,
#if PD_TREE_HAVE_SWAP_SRC_VMA
			    src->vma,
#endif
			    dst->addr, src->addr, dst->ptep, src->ptep, dst->orig, src->orig,
#if PD_TREE_HAVE_SWAP_PMDVAL
			    dst->pmd, dst->pmdval,
#endif
			    dst->ptl, src->ptl, folio, &si, entry);
	if (folio)
		folio->swap.val = 0;
	return ret < 0 ? ret : (long)PAGE_SIZE;
}

static long run(const void *args)
{
	static const struct pd_uffd_form form = {
		.move_present_ptes = tree_move,
		.move_zeropage = tree_zeropage,
		.move_swap = tree_swap,
		.one_page = !PD_TREE_HAVE_BATCHED,
		.locks_anon_vma = !PD_TREE_HAVE_BATCHED || PD_TREE_HAVE_ANON_VMA,
	};

	return pd_uffd_move(args, &form);
}

const struct pd_impl impl = {
	.mirrors = PD_TREE_MIRRORS,
#if !PD_TREE_HAVE_BATCHED
	.never_batches = "one page at a time",
#endif
	.bind = pd_bind,
	.run = run,
};
