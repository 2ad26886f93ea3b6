/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UFFDIO_MOVE, one page at a time.
 */
#include <errno.h>

#include "model/state/folio.h"

#include "args.h"

/* A page that was made for the destination: nothing of the old entry but frame and dirty. */
static lpte_t present_entry(unsigned int pfn, lpte_t old)
{
	return lpte_make(LPTE_KIND_PRESENT, pfn) | (old & LPTE_DIRTY) | LPTE_YOUNG | LPTE_WRITE |
	       LPTE_SOFT_DIRTY;
}

/* The folio belongs to the address space that it is moved in, at the page that it is moved to. */
static void move_rmap(struct pd_state *s, unsigned int pfn, uint32_t dst)
{
	s->folio[pfn].anon_vma = 0;
	s->folio[pfn].index = (uint16_t)pd_state_linear(s, dst);
	pd_touch_pfn(s, pfn);
}

static void move_entry(struct pd_state *s, uint32_t src, uint32_t dst, lpte_t pte)
{
	pd_state_set(s, src, 0);
	pd_state_set(s, dst, pte);
}

/*
 * The new entry is clean even where KSM had put the zero page; its counter is not told, and stays
 * one too high from then on.
 */
static int move_zeropage(struct pd_state *s, uint32_t src, uint32_t dst)
{
	int32_t ksm_zero = s->counter[PD_COUNTER_KSM_ZERO];

	move_entry(s, src, dst, lpte_make(LPTE_KIND_PRESENT, PD_ZERO_PFN) | LPTE_SPECIAL |
				LPTE_YOUNG);
	s->counter[PD_COUNTER_KSM_ZERO] = ksm_zero;
	return 0;
}

/* Somebody else's references keep a folio from being split, for however long they are held. */
static bool split_fails(struct pd_state *s, unsigned int head)
{
	return pd_state_folio_fails(s, PD_FAULT_SPLIT, head) || s->folio[head].refs ||
	       (s->folio[head].flags & PD_FOLIO_PINNED);
}

/* A large folio is looked at through its head until it has been split. */
static int move_present(struct pd_state *s, uint32_t src, uint32_t dst)
{
	lpte_t pte = s->pte[src];
	unsigned int pfn = lpte_pfn(pte), head;

	if (pfn == PD_ZERO_PFN)
		return move_zeropage(s, src, dst);
	if (!lpte_normal(pte))
		return -EBUSY;
	head = pd_head(s, pfn);
	if (!s->page[head].exclusive)
		return -EBUSY;
	if (s->folio[head].order) {
		if (split_fails(s, head))
			return -EBUSY;
		pd_state_split_folio(s, head);
	}
	if (!s->page[pfn].exclusive || (s->folio[pfn].flags & PD_FOLIO_PINNED))
		return -EBUSY;
	move_rmap(s, pfn, dst);
	move_entry(s, src, dst, present_entry(pfn, pte));
	return 0;
}

static int move_swap(struct pd_state *s, uint32_t src, uint32_t dst)
{
	lpte_t pte = s->pte[src];
	unsigned int cached = pd_state_swapcache(s, pte);

	if (!(pte & LPTE_EXCLUSIVE))
		return -EBUSY;
	if (cached < PD_NR_PFN) {
		if (pd_folio_of(s, cached)->order)
			return -EBUSY;
		move_rmap(s, cached, dst);
	}
	move_entry(s, src, dst, pte | LPTE_SOFT_DIRTY);
	return 0;
}

/* Return: 0 or an errno; *@changed counts what moved. */
static int move_page(struct pd_state *s, uint32_t src, uint32_t dst, bool holes,
		     unsigned int *changed)
{
	int err;

	if (!lpte_none(s->pte[dst]))
		return -EEXIST;
	if (lpte_none(s->pte[src]))
		return holes ? 0 : -ENOENT;
	if (lpte_kind(s->pte[src]) >= LPTE_KIND_MIGRATION_READ &&
	    lpte_kind(s->pte[src]) <= LPTE_KIND_MIGRATION_WRITE)
		pd_state_end_migration(s, src);
	if (lpte_present(s->pte[src]))
		err = move_present(s, src, dst);
	else if (lpte_kind(s->pte[src]) == LPTE_KIND_SWAP)
		err = move_swap(s, src, dst);
	else
		err = -EFAULT;
	*changed += !err;
	return err;
}

/* What the ioctl says when @moved pages were moved and the next one gave @err. */
static long tell(struct pd_state *s, const struct uffd_move_args *a, uint32_t moved, int err)
{
	long field = moved ? (long)moved * 4096 : err;

	pd_results_add(&s->results, UFFD_MOVE_FIELD, 0, (uint64_t)field);
	if (field < 0)
		return field;
	if (!a->dontwake)
		pd_results_add(&s->results, UFFD_MOVE_WAKE, a->dst, moved);
	return moved == a->pages ? 0 : -EAGAIN;
}

struct pd_outcome uffd_move_reference(struct pd_state *s, const void *args)
{
	const struct uffd_move_args *a = args;
	struct pd_outcome outcome = { 0 };
	uint32_t moved = 0;
	int err = 0;

	if (uffd_move_refuses(pd_state_vma(s, a->src), pd_state_vma(s, a->dst)))
		err = -EINVAL;
	while (!err && moved < a->pages) {
		err = move_page(s, a->src + moved, a->dst + moved, a->holes, &outcome.changed);
		moved += !err;
	}
	outcome.ret = tell(s, a, moved, err);
	return outcome;
}
