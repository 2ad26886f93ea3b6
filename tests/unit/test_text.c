/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a scenario: what is read, how it prints, how errors are told. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/scenario/scenario.h"
#include "tests/random_bytes.h"

#define FIRST "ptediff scenario v1\n"

static struct scenario sc;
static char text[256 * 1024], printed[256 * 1024];

static bool parse(const char *input, bool strict, struct pd_parse *how)
{
	*how = (struct pd_parse){ .strict = strict };
	return pd_parse(&sc, input, strlen(input), how);
}

/* Lines as people may write them, and the one way they are printed. */
static const struct {
	const char *in, *out;
} lines[] = {
	{ "config bbml2", "config bbml2" },
	{ "vma 0..511 ro shared uffd-wp", "vma 0..511 ro shared uffd-wp" },
	{ "folio 512 order 4 x2 node 1 pinned", "folio 512 order 4 x2 node 1 pinned" },
	{ "map 0..15 pfn 512 young write excl cont", "map 0..15 pfn 512 young write excl cont" },
	{ "bits 0..15 write 1111111100000000", "bits 0..15 write 1111111100000000" },
	{ "bits 3 dirty set 1000000000000001", "bits 3 dirty set 1000000000000001" },
	{ "nonpresent 20..23 swap type 1 offset 100 excl",
	  "nonpresent 20..23 swap type 1 offset 100 excl" },
	{ "mremap 0..15 -> 1024 whole-table cap 3", "mremap 0..15 -> 1024 whole-table cap 3" },
	{ "hw 5 write at 12", "hw 5 write at 12" },
	{ "fault 7 trylock x2", "fault 7 trylock x2" },
	/* numbers and ranges */
	{ "vma 0x10", "vma 16" },
	{ "vma 0X1fF..0x1FF", "vma 511" },
	{ "vma 5..5", "vma 5" },
	{ "vma 5+1", "vma 5" },
	{ "vma 5+0x10", "vma 5..20" },
	{ "vma 2047+2048", "vma 2047..4094" },
	{ "vma 007", "vma 7" },
	{ "folio 0 x1", "folio 0" },
	{ "map 0 pfn 0 prot 0", "map 0" },
	/* keywords in any order, white space, comments, a carriage return */
	{ "map write pfn 9 excl 3 young", "map 3 pfn 9 young write excl" },
	{ "\t map\t0 ", "map 0" },
	{ "map 0 # ro", "map 0" },
	{ "map 0# ro", "map 0" },
	{ "map 0\r", "map 0" },
	{ "mremap cap 1 0 rmap-locks -> 9", "mremap 0 -> 9 rmap-locks cap 1" },
};

static void test_lines(void **state)
{
	struct pd_parse how;
	char line[256];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(text, sizeof(text), FIRST "%s\n", lines[i].in);
		if (!parse(text, true, &how))
			fail_msg("%s: %u: %s", lines[i].in, how.column, how.error);
		assert_int_equal(sc.nr, 1);
		pd_print_record(line, sizeof(line), &sc.rec[0]);
		assert_string_equal(line, lines[i].out);
	}
}

static const struct {
	const char *in;
	unsigned int line, column;
	const char *message;
} errors[] = {
	/* the first line */
	{ "", 1, 1, "expected 'ptediff scenario v1' on the first line" },
	{ "\n" FIRST, 1, 1, "expected 'ptediff scenario v1'" },
	{ "ptediff scenario v2\n", 1, 18, "expected 'ptediff scenario v1'" },
	{ "ptediff scenario", 1, 17, "expected 'ptediff scenario v1'" },
	{ "ptediff scenario v1 x\n", 1, 21, "'x': expected the end of the line" },
	/* header lines */
	{ FIRST "expect", 2, 7, "expected one word after expect" },
	{ FIRST "expect a b", 2, 10, "'b': expected the end of the line" },
	{ FIRST "expect a\nexpect a", 3, 1, "'expect': this was given before" },
	{ FIRST "vma 0\nimpl a", 3, 1, "'impl': expected before the first record" },
	{ FIRST "impl 2345678901234567890123456789012345678901234567890123456789012345", 2, 6,
	  "word too long: at most 63 characters" },
	/* words */
	{ FIRST "mpa 0", 2, 1,
	  "unknown word 'mpa': expected expect, impl, config, vma, folio, map, bits," },
	{ FIRST "vma 0\nmpa 0", 3, 1, "unknown word 'mpa': expected config, vma, folio, map," },
	{ FIRST "map 0 yuong", 2, 7,
	  "unknown word 'yuong': expected pfn, down, stride2, same, young, dirty, write," },
	{ FIRST "map yuong", 2, 5, "unknown word 'yuong': expected a range of pages, pfn," },
	{ FIRST "config bbml", 2, 8, "unknown word 'bbml': expected bbml2" },
	{ FIRST "config bbml2 1", 2, 14, "unknown word '1': expected the end of the line" },
	{ FIRST "hw 0 write 12", 2, 12, "unknown word '12': expected at" },
	{ FIRST "mremap 0 1024", 2, 10, "unknown word '1024': expected ->," },
	{ FIRST "map 0 young dirty young", 2, 19, "'young': this was given before" },
	{ FIRST "map 0 down same", 2, 12, "'same': this was given before" },
	{ FIRST "map 0 pfn 1 pfn 1", 2, 13, "'pfn': this was given before" },
	{ FIRST "fault 0 map x", 2, 13, "unknown word 'x': expected xN" },
	/* what is missing */
	{ FIRST "vma", 2, 4, "expected a range of pages" },
	{ FIRST "map pfn 4 # why", 2, 11, "expected a range of pages" },
	{ FIRST "map 0 pfn", 2, 10, "expected a frame after pfn" },
	{ FIRST "map 0 pfn young", 2, 11, "'young': expected a frame after pfn" },
	{ FIRST "folio order 1", 2, 14, "expected a frame" },
	{ FIRST "hw 0", 2, 5, "expected read, write, pin, unpin" },
	{ FIRST "bits 0 1111111100000000", 2, 24, "expected young, dirty, write," },
	{ FIRST "bits 0 write", 2, 13, "expected 16 digits 0 or 1" },
	{ FIRST "mremap 0", 2, 9, "expected ->" },
	{ FIRST "mremap 0 ->", 2, 12, "expected a page" },
	/* numbers */
	{ FIRST "vma 2048", 2, 5, "'2048' is out of range: expected 0 to 2047" },
	{ FIRST "vma 5..4", 2, 8, "'4' is out of range: expected 5 to 2052" },
	{ FIRST "vma 5..2053", 2, 8, "'2053' is out of range: expected 5 to 2052" },
	{ FIRST "vma 5+0", 2, 7, "'0' is out of range: expected 1 to 2048" },
	{ FIRST "vma 5+2049", 2, 7, "'2049' is out of range: expected 1 to 2048" },
	{ FIRST "vma 5..", 2, 8, "expected a number" },
	{ FIRST "vma 5-6", 2, 6, "'-6': expected ..LAST or +PAGES" },
	{ FIRST "vma -1", 2, 5, "unknown word '-1': expected a range of pages" },
	{ FIRST "map 0 pfn 4096", 2, 11, "'4096' is out of range: expected 0 to 4095" },
	{ FIRST "map 0 pfn 42949672960", 2, 11, "out of range: expected 0 to 4095" },
	{ FIRST "map 0 pfn 0x", 2, 11, "'0x': expected a frame after pfn" },
	{ FIRST "map 0 pfn 1a", 2, 11, "'1a': expected a frame after pfn" },
	{ FIRST "folio 0 x0", 2, 10, "'0' is out of range: expected 1 to 1024" },
	{ FIRST "folio 0 x1025", 2, 10, "'1025' is out of range: expected 1 to 1024" },
	{ FIRST "hw 0 read at 65536", 2, 14, "'65536' is out of range: expected 0 to 65535" },
	{ FIRST "bits 0 write 1", 2, 14, "'1': expected 16 digits 0 or 1" },
	{ FIRST "bits 0 write 1111111100000002", 2, 14, "expected 16 digits 0 or 1" },
	{ FIRST "bits 0 write 11111111000000001", 2, 14, "expected 16 digits 0 or 1" },
	/* characters */
	{ FIRST "map 0 \x01", 2, 7, "byte 0x01: expected printable ASCII" },
	{ FIRST "map 0\r young", 2, 6, "byte 0x0d: expected printable ASCII" },
	{ FIRST "# caf\xc3\xa9", 2, 6, "byte 0xc3: expected printable ASCII" },
	{ "ptediff scenario v1\x7f\n", 1, 20, "byte 0x7f: expected printable ASCII" },
};

static void test_errors(void **state)
{
	struct pd_parse how;

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (parse(errors[i].in, true, &how))
			fail_msg("read without an error: %s", errors[i].in);
		if (how.line != errors[i].line || how.column != errors[i].column ||
		    !strstr(how.error, errors[i].message))
			fail_msg("%s\n%u:%u: %s\nexpected %u:%u: %s", errors[i].in, how.line,
				 how.column, how.error, errors[i].line, errors[i].column,
				 errors[i].message);
	}
}

static void test_nul(void **state)
{
	static const char input[] = FIRST "map 0\0 young\n";
	struct pd_parse how = { .strict = true };

	(void)state;
	assert_false(pd_parse(&sc, input, sizeof(input) - 1, &how));
	assert_int_equal(how.line, 2);
	assert_int_equal(how.column, 6);
	assert_string_equal(how.error, "byte 0x00: expected printable ASCII");
}

static void test_long_line(void **state)
{
	struct pd_parse how;

	(void)state;
	snprintf(text, sizeof(text), FIRST "vma 0 #%*s", (int)PD_MAX_LINE - 7, "");
	assert_true(parse(text, true, &how));
	snprintf(text, sizeof(text), FIRST "vma 0 #%*s", (int)PD_MAX_LINE - 6, "");
	assert_false(parse(text, true, &how));
	assert_int_equal(how.line, 2);
	assert_int_equal(how.column, PD_MAX_LINE + 1);
	assert_string_equal(how.error, "line too long: at most 512 characters");
}

static void test_too_many_records(void **state)
{
	size_t len = (size_t)snprintf(text, sizeof(text), FIRST);
	struct pd_parse how;

	(void)state;
	for (unsigned int i = 0; i < PD_MAX_RECORDS; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "map %u\n", i);
	assert_true(parse(text, true, &how));
	assert_int_equal(sc.nr, PD_MAX_RECORDS);
	snprintf(text + len, sizeof(text) - len, "map 0\n");
	assert_false(parse(text, true, &how));
	assert_int_equal(how.line, PD_MAX_RECORDS + 2);
	assert_string_equal(how.error, "too many records: at most 2048");
	assert_true(parse(text, false, &how));
	assert_int_equal(how.skipped, 1);
	assert_int_equal(sc.nr, PD_MAX_RECORDS);
}

/* Lenient: what cannot be read is left out and counted, and the first such line is told. */
static void test_lenient(void **state)
{
	static const char input[] =
		FIRST
		"vma 0..15\n"
		"teleport 0..15\n"
		"map 0..15 sparkling\n"
		"map 0..15 pfn 99999\n"
		"map 0..15 \xff\n"
		"map 0..15 young\n";
	struct pd_parse how;

	(void)state;
	assert_false(parse(input, true, &how));
	assert_int_equal(how.line, 3);
	assert_true(parse(input, false, &how));
	assert_int_equal(how.skipped, 4);
	assert_int_equal(how.line, 3);
	assert_int_equal(how.column, 1);
	assert_non_null(strstr(how.error, "unknown word 'teleport'"));
	print_to(printed, sizeof(printed), &sc, NULL, NULL);
	assert_string_equal(printed, FIRST "vma 0..15\nmap 0..15 young\n");
	assert_false(parse("ptediff scenario v2\nvma 0\n", false, &how));
	assert_int_equal(how.line, 1);
	assert_int_equal(sc.nr, 0);
}

static void test_headers(void **state)
{
	static const char input[] =
		FIRST "\n# found by hand\nimpl batched_posted_v3\r\n"
		"expect mremap/batched_posted_v3/dst.write/extra\nvma 0\n";
	struct pd_parse how;

	(void)state;
	assert_true(parse(input, true, &how));
	assert_string_equal(how.error, "");
	assert_string_equal(how.impl, "batched_posted_v3");
	assert_string_equal(how.expect, "mremap/batched_posted_v3/dst.write/extra");
	print_to(printed, sizeof(printed), &sc, how.expect, how.impl);
	assert_string_equal(printed, FIRST "expect mremap/batched_posted_v3/dst.write/extra\n"
			    "impl batched_posted_v3\nvma 0\n");
}

/* Layout may come after operations; it is put before them. */
static void test_order(void **state)
{
	struct pd_parse how;

	(void)state;
	assert_true(parse(FIRST "hw 1 read\nmremap 0 -> 9\nmap 0\nfolio 0\nvma 0", true, &how));
	print_to(printed, sizeof(printed), &sc, NULL, NULL);
	assert_string_equal(printed,
			    FIRST "vma 0\nfolio 0\nmap 0\nhw 1 read\nmremap 0 -> 9\n");
}

static void test_print_record_is_cut(void **state)
{
	static const struct pd_record rec = { PD_KIND_VMA, { 1, 0, 511, 0 } };
	static const struct pd_record unknown = { 0xee, { 1, 2, 3, 4 } };
	char line[32];

	(void)state;
	memset(line, 'x', sizeof(line));
	assert_int_equal(pd_print_record(line, 6, &rec), 13);
	assert_string_equal(line, "vma 0");
	assert_int_equal(line[6], 'x');
	assert_int_equal(pd_print_record(NULL, 0, &rec), 13);
	pd_print_record(line, sizeof(line), &unknown);
	assert_string_equal(line, "# no such kind: 0xee");
}

static void test_is_text(void **state)
{
	static const uint8_t mremap[] = { '#', 0, 0, 0, 0, 0, 0, 0, 0x10 };

	(void)state;
	assert_true(pd_is_text("ptediff scenario v1\nvma \0", 25));
	assert_true(pd_is_text("ptediff", 7));
	assert_true(pd_is_text("# no first line\r\n\tvma 0\n", 24));
	assert_false(pd_is_text("", 0));
	assert_false(pd_is_text("\0", 1));
	assert_false(pd_is_text(mremap, sizeof(mremap)));
}

/* The longest line of every kind fits, with room for a comment. */
static void test_line_length(void **state)
{
	char line[PD_MAX_LINE];

	(void)state;
	for (unsigned int i = 0; pd_kind_at(i); i++) {
		struct pd_record rec = { pd_kind_at(i)->number, { 0xff, 0xffff, 0xffff, 0xffff } };

		assert_in_range(pd_print_record(line, sizeof(line), &rec), 1, PD_MAX_LINE / 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_nul),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_too_many_records),
		cmocka_unit_test(test_lenient),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_print_record_is_cut),
		cmocka_unit_test(test_is_text),
		cmocka_unit_test(test_line_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
