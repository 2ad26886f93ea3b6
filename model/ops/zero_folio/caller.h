/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folio that is cleared, one for all implementations.
 *
 * Its pages are numbers: no form looks at more than the head. So a folio may be larger than the
 * memmap.
 */
#ifndef PD_ZERO_FOLIO_CALLER_H
#define PD_ZERO_FOLIO_CALLER_H

#include <linux/highmem.h>

#include "args.h"

/**
 * struct pd_zero_form - what an implementation says of itself, for the rules of the contract
 * @order:	ZERO_FOLIO_FORM_PAGES, ..._REGIONS, ..._REGIONS_SMALL
 * @resched_after: cond_resched() comes after a chunk
 * @unit:	pages of a chunk where the kernel is not preemptible and the arch has clear_pages()
 */
struct pd_zero_form {
	void (*folio_zero_user)(struct folio *folio, unsigned long addr_hint);
	unsigned int order;
	bool resched_after;
	unsigned int unit;
};

static inline long pd_zero_folio(const struct zero_folio_args *args,
				 const struct pd_zero_form *form)
{
	unsigned long pages = zero_folio_pages(args);
	struct folio head = { .page = { .order = args->order } };
	struct pd_clearing clearing = {
		.memory = pd_world->memory,
		.preempt = args->preempt,
		.unit = args->unit,
		.no_clear_pages = args->no_clear_pages,
		.highmem = args->highmem,
		.arch_page = args->arch_page,
		.facts = { ZERO_FOLIO_CHUNKS, ZERO_FOLIO_ADDRESS, ZERO_FOLIO_RESCHED,
			   ZERO_FOLIO_CALLS },
		.limit = 4 * pages + 64,
	};
	struct folio *folio = &head;

	/* The pages behind the head are no objects: the compiler had better not know. */
	__asm__("" : "+r"(folio));
	clearing.head = folio;
	pd_world->clearing = &clearing;
	pd_fact(ZERO_FOLIO_FORM,
		form->order | (form->resched_after ? ZERO_FOLIO_FORM_RESCHED_AFTER : 0),
		PD_CLEARING_UNIT(form->unit));
	form->folio_zero_user(folio, ZERO_FOLIO_BASE + zero_folio_hint(args) * PAGE_SIZE +
				     args->byte);
	pd_clearing_end(&clearing);
	return 0;
}

#endif
