/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building a state from records, and what is repaired on the way. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/scenario/layout.h"
#include "model/state/legal.h"
#include "tests/build_text.h"

static struct pd_state s, again;
static struct scenario sc, fixed;
static char text[16 * 1024];

static int setup(void **state)
{
	(void)state;
	pd_state_init(&s);
	pd_state_init(&again);
	return 0;
}

/* Build @lines; the repaired scenario is in @fixed, and its records after @skip as text. */
static unsigned int repaired(const char *lines)
{
	struct pd_repair repair = { .fixed = &fixed };
	FILE *out = fmemopen(text, sizeof(text), "w");

	scenario_of(&sc, lines);
	pd_state_clear(&s);
	pd_build(&sc, &s, &repair);
	pd_print(out, &fixed, NULL, NULL);
	fclose(out);
	return repair.count;
}

/* @lines become @expected, with @count repairs. */
static void check(const char *lines, unsigned int count, const char *expected)
{
	const char *body;
	unsigned int got = repaired(lines), va;

	body = strchr(text, '\n') + 1;
	if (strcmp(body, expected))
		fail_msg("%s\nbecame\n%s\nexpected\n%s", lines, body, expected);
	assert_int_equal(got, count);
	assert_int_equal(pd_legal(&s, PD_GRANULE, &va), PD_RULE_NONE);
}

static void test_legal_stays(void **state)
{
	const char *const lines = "config bbml2\n"
				  "vma 0..31 uffd-wp pgoff 7\n"
				  "folio 512 order 4 x2\n"
				  "map 0..31 pfn 512 young dirty excl cont\n"
				  "bits 0..31 uffd-wp 1000000000000001\n"
				  "nonpresent 3 swap offset 9 excl\n"
				  "hw 5 write at 12\n"
				  "mremap 0..31 -> 1024\n";

	(void)state;
	check(lines, 0, lines);
	assert_true(s.bbml);
	assert_int_equal(pd_state_linear(&s, 3), 10);
	assert_int_equal(lpte_pfn(s.pte[31]), 543);
	assert_int_equal(pd_head(&s, 543), 528);
	assert_int_equal(lpte_kind(s.pte[3]), LPTE_KIND_SWAP);
	/* Uffd-wp differs: neither half is a block. */
	assert_false((s.pte[8] | s.pte[24]) & LPTE_CONT);
}

static void test_entries_are_mended(void **state)
{
	(void)state;
	check("map 0..1 pfn 600 write\n", 1,
	      "map 0..1 pfn 600 write\n"
	      "bits 0..1 write clear 1111111111111111\n");
	check("vma 0 ro\nmap 0 pfn 600 write excl\n", 1,
	      "vma 0 ro\nmap 0 pfn 600 write excl\n"
	      "bits 0 write clear 1111111111111111\n");
	check("map 0 pfn 600 uffd-wp\n", 1,
	      "map 0 pfn 600 uffd-wp\n"
	      "bits 0 uffd-wp clear 1111111111111111\n");
	check("map 0..1 pfn 600 same excl\n", 1,
	      "map 0..1 pfn 600 same excl\n"
	      "bits 0 excl clear 1111111111111111\n");
	check("nonpresent 4 marker-uffd-wp\n", 1,
	      "nonpresent 4 marker-uffd-wp\n"
	      "nonpresent 4 hole\n");
	check("nonpresent 4 swap\n", 1,
	      "nonpresent 4 swap\n"
	      "nonpresent 4 hole\n");
	check("map 0 pfn 4095 write\n", 1,
	      "map 0 pfn 4095 write\n"
	      "bits 0 write clear 1111111111111111\n");
	assert_true(s.pte[0] & LPTE_SPECIAL);
}

static void test_records_are_cut(void **state)
{
	(void)state;
	check("map 2040..2050 pfn 600\n", 1, "map 2040..2047 pfn 600\n");
	check("map 0..15 pfn 4090\n", 1, "map 0..5 pfn 4090\n");
	check("map 0..15 pfn 3 down\n", 1, "map 0..3 pfn 3 down\n");
	check("vma 2000..2100 ro\n", 1, "vma 2000..2047 ro\n");
	check("folio 513 order 2\n", 1, "folio 512 order 2\n");
	check("folio 0 order 12\n", 1, "folio 0 order 9\n");
	check("folio 512 ksm order 1\n", 1, "folio 512 order 1\n");
	check("folio 512 order 2 x3\nfolio 520 order 2\n", 1, "folio 512 order 2 x3\n");
	check("folio 520 order 2\nfolio 512 order 2 x4\n", 1,
	      "folio 520 order 2\nfolio 512 order 2 x2\n");
	/* The last frame is the zero page's: no folio has it. */
	check("folio 3584 order 9\n", 1, "");
	check("nonpresent 0..40 deferred offset 600\n", 1,
	      "nonpresent 0..31 deferred offset 600\n");
}

/* To ask for a block is to ask for it where there can be one. */
static void test_blocks_where_they_can_be(void **state)
{
	const char *const lines = "folio 512 order 6\nmap 8..55 pfn 520 cont\n";

	(void)state;
	check(lines, 0, lines);
	for (unsigned int va = 0; va < 64; va++)
		assert_int_equal(!!(s.pte[va] & LPTE_CONT), va >= 16 && va < 48);
}

/* What is written over a page, a flush owed for it is no part of the layout any more. */
static void test_deferred(void **state)
{
	(void)state;
	assert_int_equal(state_of(&s, "map 0..7 pfn 600\n"
				      "nonpresent 2..5 deferred offset 602\n"
				      "map 3 pfn 700\n"), 0);
	assert_int_equal(s.nr_deferred, 3);
	for (unsigned int i = 0; i < s.nr_deferred; i++) {
		assert_int_not_equal(s.deferred[i].va, 3);
		assert_int_equal(lpte_pfn(s.deferred[i].pte), 600 + s.deferred[i].va);
		assert_true(lpte_none(s.pte[s.deferred[i].va]));
	}
}

/* Operations are made to fit the state that they will meet; one that cannot be goes, and what was
 * bound to it. */
static void test_operations(void **state)
{
	(void)state;
	check("map 0 pfn 600\nmremap 0..15 -> 8\n", 1, "map 0 pfn 600\nmremap 0..7 -> 8\n");
	check("vma 0..3 ro\nmap 0 pfn 600\nmremap 0..15 -> 100\n", 1,
	      "vma 0..3 ro\nmap 0 pfn 600\nmremap 0..3 -> 100\n");
	check("map 0 pfn 600\nhw 0 read at 3\nmremap 5 -> 5\nhw 0 write at 4\nmremap 0 -> 5\n", 1,
	      "map 0 pfn 600\nhw 0 write at 4\nmremap 0 -> 5\n");
	/* The first one makes a VMA of the destination, which the second one may not leave. */
	check("vma 0..15 ro\nmap 0 pfn 600\nmremap 0..7 -> 100\nmremap 104..120 -> 200\n", 1,
	      "vma 0..15 ro\nmap 0 pfn 600\nmremap 0..7 -> 100\nmremap 104..107 -> 200\n");
}

/* A repair is told as the line that stands afterwards, with the reason. */
static void test_log(void **state)
{
	struct pd_repair repair = { .log = fmemopen(text, sizeof(text), "w") };

	(void)state;
	scenario_of(&sc, "map 0 pfn 600 write\n");
	pd_build(&sc, &s, &repair);
	fclose(repair.log);
	assert_string_equal(text, "bits 0 write clear 1111111111111111  "
				  "# an anonymous page mapped writable is exclusive\n");
}

/* The same with and without somebody who wants to know. */
static void test_silent_build_is_the_same(void **state)
{
	(void)state;
	repaired("map 0..40 pfn 600 write cont\nmap 30..31 pfn 600 excl write\n"
		 "nonpresent 5 marker-uffd-wp\n");
	pd_build(&sc, &again, NULL);
	assert_true(same_state(&s, &again));
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_legal_stays), TEST(test_entries_are_mended), TEST(test_records_are_cut),
		TEST(test_blocks_where_they_can_be), TEST(test_deferred), TEST(test_operations),
		TEST(test_log), TEST(test_silent_build_is_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
