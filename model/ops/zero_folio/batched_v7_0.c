/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As it landed in v7.0: every folio is cleared in three parts, the neighbourhood of the faulting
 * page last. In a kernel that is not preemptible an extent is 32 MiB at most, with a
 * cond_resched() before each.
 */
#include "caller.h"

#define FOLIO_ZERO_LOCALITY_RADIUS	2

static void clear_contig_highpages(struct page *page, unsigned long addr, unsigned int nr_pages)
{
	unsigned int unit = preempt_model_preemptible() ? nr_pages :
							  PROCESS_PAGES_NON_PREEMPT_BATCH;
	unsigned int count;

	might_sleep();
	for (unsigned int i = 0; i < nr_pages; i += count) {
		cond_resched();
		count = min(unit, nr_pages - i);
		clear_user_highpages(page + i, addr + i * PAGE_SIZE, count);
	}
}

/* Pages [@start, @end) of the folio whose user address is @base. */
static void clear_region(struct folio *folio, unsigned long base, long start, long end)
{
	if (start < end)
		clear_contig_highpages(folio_page(folio, (unsigned long)start),
				       base + (unsigned long)start * PAGE_SIZE,
				       (unsigned int)(end - start));
}

static void folio_zero_user_v7_0(struct folio *folio, unsigned long addr_hint)
{
	unsigned long base = ALIGN_DOWN(addr_hint, folio_size(folio));
	long fault = (long)((addr_hint - base) / PAGE_SIZE);
	long nr = folio_nr_pages(folio);
	long left = max(fault - FOLIO_ZERO_LOCALITY_RADIUS, 0L);
	long right = min(fault + FOLIO_ZERO_LOCALITY_RADIUS + 1, nr);

	clear_region(folio, base, right, nr);
	clear_region(folio, base, 0, left);
	clear_region(folio, base, left, right);
}

static const struct pd_zero_form form = {
	.folio_zero_user = folio_zero_user_v7_0,
	.order = ZERO_FOLIO_FORM_REGIONS,
	.unit = SZ_32M / PAGE_SIZE,
};

static long run(const void *args)
{
	return pd_zero_folio(args, &form);
}

const struct pd_impl impl = {
	.mirrors = "v7.0, \"mm: folio_zero_user: cache neighbouring pages\"",
	.bind = pd_bind,
	.run = run,
};
