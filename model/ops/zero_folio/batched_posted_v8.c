/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As posted in v8: in extents. A folio that is not gigantic is cleared in three parts, the
 * neighbourhood of the faulting page last; a gigantic one from one end to the other. In a kernel
 * that is not preemptible an extent is 8 MiB at most, with a cond_resched() after each.
 */
#include "caller.h"

#define PAGE_CONTIG_NR	PD_CLEARING_UNIT(SZ_8M / PAGE_SIZE)
#define FAULT_RADIUS	2

static void clear_contig_highpages(struct page *page, unsigned long addr, unsigned int npages)
{
	unsigned int unit = preempt_model_preemptible() ? npages : PAGE_CONTIG_NR;
	unsigned int count;

	might_sleep();
	for (unsigned int i = 0; i < npages; i += count) {
		count = min(unit, npages - i);
		clear_user_highpages(page + i, addr + i * PAGE_SIZE, count);
		cond_resched();
	}
}

static void folio_zero_user_v8(struct folio *folio, unsigned long addr_hint)
{
	unsigned long base = ALIGN_DOWN(addr_hint, folio_size(folio));
	s64 fault = (s64)((addr_hint - base) / PAGE_SIZE);
	s64 last = folio_nr_pages(folio) - 1;
	struct range ranges[3];

	if ((unsigned long)last >= MAX_ORDER_NR_PAGES) {
		clear_contig_highpages(folio_page(folio, 0), base, (unsigned int)(last + 1));
		return;
	}
	/* Around the faulting page, to the left of that, to the right of it: the last one first. */
	ranges[2] = DEFINE_RANGE((u64)clamp_t(s64, fault - FAULT_RADIUS, 0, last),
				 (u64)clamp_t(s64, fault + FAULT_RADIUS, 0, last));
	ranges[1] = DEFINE_RANGE(0, ranges[2].start - 1);
	ranges[0] = DEFINE_RANGE(ranges[2].end + 1, (u64)last);
	for (unsigned int i = 0; i < ARRAY_SIZE(ranges); i++) {
		unsigned long start = ranges[i].start;
		unsigned int pages = (unsigned int)range_len(&ranges[i]);

		if (pages)
			clear_contig_highpages(folio_page(folio, start), base + start * PAGE_SIZE,
					       pages);
	}
}

static const struct pd_zero_form form = {
	.folio_zero_user = folio_zero_user_v8,
	.order = ZERO_FOLIO_FORM_REGIONS_SMALL,
	.resched_after = true,
	.unit = SZ_8M / PAGE_SIZE,
};

static long run(const void *args)
{
	return pd_zero_folio(args, &form);
}

const struct pd_impl impl = {
	.mirrors = "posted v8, \"mm: folio_zero_user: clear contiguous pages\"",
	.bind = pd_bind,
	.run = run,
};
