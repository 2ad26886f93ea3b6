/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a batch of UFFDIO_MOVE ends: the clamp as posted in v5, which leaves a single page alone,
 * and the one that was released, which does not, are equal. For all pairs of places in the two
 * tables, and for all lengths.
 *
 *	source        |-------------s...............|---
 *	destination       |-----------d.......|---------
 *	                              ^^^^^^^^ the batch
 *
 * It is a matter of addresses, so one arch will do.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/ops/uffd_move/clamp.h"

#define PAGES	PD_TABLE_PAGES

/* Tables somewhere in the address space, and at its very top, where the next one is at 0. */
#define MIDDLE	0x40000000UL
#define TOP	(0UL - PMD_SIZE)

typedef unsigned long (*clamp_fn)(unsigned long dst_addr, unsigned long src_addr,
				  unsigned long len);

/* What both are meant to be. */
static unsigned long nearest(unsigned long dst_addr, unsigned long src_addr, unsigned long len)
{
	unsigned long dst_left = PMD_SIZE - (dst_addr & ~PMD_MASK);
	unsigned long src_left = PMD_SIZE - (src_addr & ~PMD_MASK);

	return src_addr + min(len, min(dst_left, src_left));
}

/* The other side first: no difference. */
static unsigned long other_order(unsigned long dst_addr, unsigned long src_addr, unsigned long len)
{
	len = pmd_addr_end(src_addr, src_addr + len) - src_addr;
	return src_addr + (pmd_addr_end(dst_addr, dst_addr + len) - dst_addr);
}

static unsigned long source_only(unsigned long dst_addr, unsigned long src_addr, unsigned long len)
{
	(void)dst_addr;
	return pmd_addr_end(src_addr, src_addr + len);
}

static unsigned long destination_only(unsigned long dst_addr, unsigned long src_addr,
				      unsigned long len)
{
	return src_addr + (pmd_addr_end(dst_addr, dst_addr + len) - dst_addr);
}

/* The longest range at @addr, in pages: a table and a bit more, but not over the top. */
static unsigned long most_pages(unsigned long table, unsigned long first)
{
	return table == TOP ? PAGES - first : 2 * PAGES + 1;
}

/* Lengths for which @clamp is not uffd_batch_end(), over all of them and all pairs of places. */
static unsigned long differ(clamp_fn clamp, unsigned long dst_table, unsigned long src_table)
{
	unsigned long nr = 0;

	for (unsigned long d = 0; d < PAGES; d++) {
		for (unsigned long s = 0; s < PAGES; s++) {
			unsigned long dst = dst_table + d * PAGE_SIZE;
			unsigned long src = src_table + s * PAGE_SIZE;
			unsigned long most = min(most_pages(dst_table, d),
						 most_pages(src_table, s));

			/* Longer than a table is as long as two: the destination's end cuts it. */
			for (unsigned long len = 1; len <= most; len += len > PAGES ? PAGES : 1)
				nr += clamp(dst, src, len * PAGE_SIZE) !=
				      uffd_batch_end(dst, src, len * PAGE_SIZE);
		}
	}
	return nr;
}

static unsigned long differ_anywhere(clamp_fn clamp)
{
	return differ(clamp, MIDDLE, MIDDLE + 8 * PMD_SIZE) + differ(clamp, MIDDLE, TOP) +
	       differ(clamp, TOP, MIDDLE) + differ(clamp, TOP, TOP);
}

static void test_v5_is_unconditional(void **state)
{
	(void)state;
	assert_int_equal(differ_anywhere(uffd_batch_end_v5), 0);
}

static void test_nearest_end(void **state)
{
	(void)state;
	assert_int_equal(differ_anywhere(nearest), 0);
}

static void test_order_is_free(void **state)
{
	(void)state;
	assert_int_equal(differ(other_order, MIDDLE, MIDDLE + 8 * PMD_SIZE), 0);
}

/* The test can tell: one end alone is wrong for every place that is behind the other's. */
static void test_both_are_needed(void **state)
{
	(void)state;
	assert_true(differ(source_only, MIDDLE, MIDDLE + 8 * PMD_SIZE) > 0);
	assert_true(differ(destination_only, MIDDLE, MIDDLE + 8 * PMD_SIZE) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_v5_is_unconditional),
		cmocka_unit_test(test_nearest_end),
		cmocka_unit_test(test_order_is_free),
		cmocka_unit_test(test_both_are_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
