/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As posted in v8: in extents. A folio that is not gigantic is cleared in three parts, the
 * neighbourhood of the faulting page last; a gigantic one from one end to the other. In a kernel
 * that is not preemptible an extent is 8 MiB at most, with a cond_resched() after each.
 */
#include "caller.h"

#define PAGE_CONTIG_NR	PD_ZERO_UNIT(SZ_8M / PAGE_SIZE)
#define FAULT_RADIUS	2

/* Pages from @start to @end; none when @end is before @start. */
struct range {
	s64 start, end;
};

static s64 clamp_to(s64 val, s64 lo, s64 hi)
{
	return val < lo ? lo : val > hi ? hi : val;
}

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
	struct range around = {
		clamp_to(fault - FAULT_RADIUS, 0, last), clamp_to(fault + FAULT_RADIUS, 0, last),
	};
	const struct range ranges[] = {
		{ around.end + 1, last }, { 0, around.start - 1 }, around,
	};

	if ((unsigned long)last >= MAX_ORDER_NR_PAGES) {
		clear_contig_highpages(folio_page(folio, 0), base, (unsigned int)(last + 1));
		return;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(ranges); i++) {
		s64 pages = ranges[i].end - ranges[i].start + 1;
		unsigned long start = (unsigned long)ranges[i].start;

		if (pages > 0)
			clear_contig_highpages(folio_page(folio, start), base + start * PAGE_SIZE,
					       (unsigned int)pages);
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
