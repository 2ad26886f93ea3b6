/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which parts a folio is cleared, for every number of pages: folios have powers of two, but the
 * arithmetic of the parts should not depend on that.
 *
 *	pages   |--------- left -----|-- around --|---- right ----|
 *	                                   ^ fault
 *	order             second          third         first
 *
 * It is a matter of numbers, so one arch will do.
 */
#ifndef PD_TESTS_SHIM_ZERO_SPLIT_H
#define PD_TESTS_SHIM_ZERO_SPLIT_H

#include "tests/shim/world.h"

#include "model/ops/zero_folio/caller.h"

#define MOST	70l

/* The folio under test has as many pages as the test says, and is aligned to anything. */
static long nr_pages_of_test;
#define folio_nr_pages(folio)	((void)(folio), nr_pages_of_test)
#define folio_size(folio)	((void)(folio), 1UL << 40)

/* The form under test. */
static void folio_zero_user_of_test(struct folio *folio, unsigned long addr_hint);

struct part {
	long first, pages;
};

/* The parts that are not empty, by looking at every page. Return: how many. */
static unsigned int parts_of(long fault, struct part parts[3])
{
	unsigned int nr = 0;

	for (int which = 0; which < 3; which++) {
		struct part part = { 0, 0 };

		for (long page = nr_pages_of_test - 1; page >= 0; page--) {
			int side = page > fault + 2 ? 0 : page < fault - 2 ? 1 : 2;

			if (side == which)
				part = (struct part){ page, part.pages + 1 };
		}
		if (part.pages)
			parts[nr++] = part;
	}
	return nr;
}

/* Neighbouring parts of one size are told as a run. */
static void check_run(const struct pd_fact *fact, const struct part *want, unsigned int nr,
		      unsigned int *done)
{
	for (unsigned long i = 0; i < PD_RUN_TIMES(fact->b); i++, ++*done) {
		assert_true(*done < nr);
		assert_int_equal(fact->a + i * PD_RUN_PAGES(fact->b), want[*done].first);
		assert_int_equal(PD_RUN_PAGES(fact->b), want[*done].pages);
	}
}

/* One chunk a part: the kernel is preemptible. */
static void check(long fault)
{
	struct folio folio = { .page = { .order = 0 } }, *head = &folio;
	struct pd_clearing clearing = {
		.preempt = PD_PREEMPT_FULL, .limit = 100, .facts = { 0, 1, 2, 3 },
	};
	struct part want[3];
	unsigned int nr = parts_of(fault, want), done = 0;

	__asm__("" : "+r"(head));
	clearing.head = head;
	pd_world_reset(pd_world);
	pd_world->clearing = &clearing;
	folio_zero_user_of_test(head, ZERO_FOLIO_BASE + (unsigned long)fault * PAGE_SIZE + 123);
	pd_clearing_end(&clearing);
	for (unsigned int i = 0; i < pd_world->results.nr; i++)
		if (!pd_world->results.list[i].what)
			check_run(&pd_world->results.list[i], want, nr, &done);
	assert_int_equal(done, nr);
}

static void test_parts(void **state)
{
	(void)state;
	for (nr_pages_of_test = 1; nr_pages_of_test <= MOST; nr_pages_of_test++)
		for (long fault = 0; fault < nr_pages_of_test; fault++)
			check(fault);
}

/* How many parts there are: one up to three pages, three from six on with the fault inside. */
static void test_number(void **state)
{
	static const struct {
		long pages, fault;
		unsigned int parts;
	} known[] = {
		{ 1, 0, 1 }, { 2, 1, 1 }, { 3, 0, 1 }, { 3, 2, 1 }, { 4, 0, 2 }, { 4, 1, 1 },
		{ 5, 2, 1 }, { 5, 0, 2 }, { 5, 4, 2 }, { 6, 2, 2 }, { 6, 3, 2 }, { 7, 3, 3 },
		{ 7, 2, 2 }, { 7, 6, 2 },
	};
	struct part parts[3];

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(known); i++) {
		nr_pages_of_test = known[i].pages;
		assert_int_equal(parts_of(known[i].fault, parts), known[i].parts);
	}
}

static inline int run_zero_split(void)
{
	const struct CMUnitTest tests[] = { TEST(test_parts), TEST(test_number) };

	return cmocka_run_group_tests_name("zero_folio: parts", tests, NULL, NULL);
}

#endif
