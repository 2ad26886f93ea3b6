/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As it was before extents: a page at a time, from both ends towards the faulting page, which is
 * cleared last, so that it is in the cache. Gigantic folios from one end to the other.
 */
#include "caller.h"

static void clear_gigantic_page(struct folio *folio, unsigned long addr_hint, unsigned long nr)
{
	unsigned long addr = ALIGN_DOWN(addr_hint, folio_size(folio));

	for (unsigned long i = 0; i < nr; i++) {
		cond_resched();
		clear_user_highpage(folio_page(folio, i), addr + i * PAGE_SIZE);
	}
}

static void clear_subpage(struct folio *folio, unsigned long addr, unsigned long i)
{
	cond_resched();
	clear_user_highpage(folio_page(folio, i), addr + i * PAGE_SIZE);
}

/* Pages [@first, @first + 2 * @pairs): the outermost ones first, left before right. */
static void clear_inwards(struct folio *folio, unsigned long addr, unsigned long first,
			  unsigned long pairs)
{
	for (unsigned long i = 0; i < pairs; i++) {
		clear_subpage(folio, addr, first + i);
		clear_subpage(folio, addr, first + 2 * pairs - 1 - i);
	}
}

static void process_huge_page(struct folio *folio, unsigned long addr_hint, unsigned long nr)
{
	unsigned long addr = ALIGN_DOWN(addr_hint, nr * PAGE_SIZE);
	unsigned long n = (addr_hint - addr) / PAGE_SIZE;

	might_sleep();
	if (2 * n <= nr) {
		/* First half: what is behind the mirror image of the faulting page goes first. */
		for (unsigned long i = nr; i > 2 * n; i--)
			clear_subpage(folio, addr, i - 1);
		clear_inwards(folio, addr, 0, n);
	} else {
		unsigned long first = 2 * n - nr;

		for (unsigned long i = 0; i < first; i++)
			clear_subpage(folio, addr, i);
		clear_inwards(folio, addr, first, nr - n);
	}
}

static void folio_zero_user_v6_12(struct folio *folio, unsigned long addr_hint)
{
	unsigned long nr = (unsigned long)folio_nr_pages(folio);

	if (unlikely(nr > MAX_ORDER_NR_PAGES))
		clear_gigantic_page(folio, addr_hint, nr);
	else
		process_huge_page(folio, addr_hint, nr);
}

static const struct pd_zero_form form = {
	.folio_zero_user = folio_zero_user_v6_12,
	.order = ZERO_FOLIO_FORM_PAGES,
	.unit = 1,
};

static long run(const void *args)
{
	return pd_zero_folio(args, &form);
}

const struct pd_impl impl = {
	.mirrors = "v6.12, before extents",
	.never_batches = "a page at a time",
	.bind = pd_bind,
	.run = run,
};
