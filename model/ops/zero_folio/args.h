/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_ZERO_FOLIO_ARGS_H
#define PD_ZERO_FOLIO_ARGS_H

#include "model/state/outcome.h"
#include "model/state/state.h"

#define ZERO_FOLIO_MAX_ORDER	18u	/* 1 GiB of 4 KiB pages */
#define ZERO_FOLIO_PAGE		4096u
#define ZERO_FOLIO_BASE		(1ULL << 40)	/* user address of the folio; 1 GiB aligned */
#define ZERO_FOLIO_GIGANTIC	1024u		/* MAX_ORDER_NR_PAGES: more pages are gigantic */

/* In the order of enum pd_preempt. */
enum zero_folio_preempt {
	ZERO_FOLIO_PREEMPT_NONE,
	ZERO_FOLIO_PREEMPT_VOLUNTARY,
	ZERO_FOLIO_PREEMPT_FULL,
	ZERO_FOLIO_PREEMPT_LAZY,
	ZERO_FOLIO_PREEMPT_RT,
};

/**
 * struct zero_folio_args - clear the 2^@order pages of a folio
 * @hint, @hint_high: page of the faulting address, low 16 bits and high ones
 * @byte:	the address within that page
 * @preempt:	enum zero_folio_preempt
 * @unit:	pages that are cleared at once when the kernel is not preemptible; 0: as many as the
 *		form has it
 * @no_clear_pages, @highmem, @arch_page: what the arch has: no clear_pages() of its own; high
 *		memory; a clear_user_page() of its own
 */
struct zero_folio_args {
	uint32_t order, hint, hint_high, byte;
	uint32_t preempt, unit;
	uint32_t no_clear_pages, highmem, arch_page;
};

/*
 * Facts.
 *
 * CHUNKS: a run of chunks, one behind the other. a is its first page, b packs the pages of a chunk
 *	(20 bits), how many there are (20), how many cond_resched() came before the first (8) and
 *	before each of the others (8).
 * ADDRESS: a is the first page of the run before it, b the user's address that was given for it;
 *	only where the arch looks at that.
 * RESCHED: a is the number of cond_resched() after the last chunk, if there were any.
 * CALLS: a is the number of calls that clear: those of an arch that clears pages one by one are
 *	more than there are chunks.
 * FORM: a is ZERO_FOLIO_FORM_*, b the unit: what the implementation says of itself.
 */
enum {
	ZERO_FOLIO_CHUNKS,
	ZERO_FOLIO_ADDRESS,
	ZERO_FOLIO_RESCHED,
	ZERO_FOLIO_CALLS,
	ZERO_FOLIO_FORM,
};

/* In which order a form clears, and whether cond_resched() comes after a chunk, not before. */
enum {
	ZERO_FOLIO_FORM_PAGES,		/* page by page, from both ends to the faulting one */
	ZERO_FOLIO_FORM_REGIONS,	/* right, left, around the faulting page */
	ZERO_FOLIO_FORM_REGIONS_SMALL,	/* the same, but gigantic folios straight on */
	ZERO_FOLIO_FORM_ORDER = 3,
	ZERO_FOLIO_FORM_RESCHED_AFTER,
};

static inline uint32_t zero_folio_pages(const struct zero_folio_args *a)
{
	return 1u << a->order;
}

static inline uint32_t zero_folio_hint(const struct zero_folio_args *a)
{
	return a->hint | a->hint_high << 16;
}

static inline int zero_folio_preemptible(const struct zero_folio_args *a)
{
	return a->preempt >= ZERO_FOLIO_PREEMPT_FULL;
}

struct pd_outcome zero_folio_reference(struct pd_state *s, const void *args);

#endif
