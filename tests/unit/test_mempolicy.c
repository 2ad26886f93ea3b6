/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mempolicy: how failures are counted, by hand; what the rule about them accepts; what flags and
 * nodes mean.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include "harness/judge/judge.h"
#include "model/ops/mempolicy/args.h"
#include "tests/build_text.h"

static struct pd_judge *j;
static struct scenario sc;
static struct pd_state s;

static int setup(void **state)
{
	(void)state;
	j = pd_judge_new();
	pd_state_init(&s);
	return j ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	pd_judge_free(j);
	return 0;
}

static bool judge(const char *lines, const char *impl, const char *arch)
{
	struct pd_selection sel;
	char error[128];

	if (!pd_select(&sel, "mempolicy", impl, arch, error, sizeof(error)))
		fail_msg("%s", error);
	scenario_of(&sc, lines);
	return pd_judge_run(j, &sc, &sel);
}

/* ---- the count ---- */

static unsigned int fact(const struct pd_results *r, uint32_t what)
{
	for (unsigned int i = 0; i < r->nr; i++)
		if (r->list[i].what == what)
			return r->list[i].a;
	fail_msg("no such fact");
	return 0;
}

static unsigned int count(const char *lines, const char *impl, const char *arch)
{
	j->strict = false;
	assert_true(judge(lines, impl, arch));
	return fact(&j->world->results, MEMPOLICY_FAILED);
}

#define MOVE "mempolicy 0..31 move invert node1\n"
#define NOLRU "folio 512 order 5 nolru\nmap 0..31 pfn 512"

static const struct {
	const char *lines;
	unsigned int per_pte, x86, arm64;
} counts[] = {
	/*
	 *	page	0 1 2 3 4 5 6 7 8 9 10 ... 15
	 *	folio	A A A A B B B B A A A  ... A	A was queued at page 0
	 */
	{ "folio 16 order 4\nfolio 32 order 2\nmap 0..15 pfn 16\nmap 4..7 pfn 32\n" MOVE, 1, 8, 8 },
	/* The same with a small page between the runs of A: it is remembered. */
	{ "folio 16 order 4\nmap 0..15 pfn 16\nmap 7 pfn 32\n" MOVE, 0, 0, 0 },
	{ NOLRU "\n" MOVE, 1, 32, 32 },
	{ NOLRU "\nbits 8..31 prot1 1111111111111111\n" MOVE, 1, 8, 8 },
	{ NOLRU "\nbits 8..31 dirty 1111111111111111\n" MOVE, 1, 32, 32 },
	/* A block, then single entries: two batches where there are blocks. */
	{ NOLRU " cont\nbits 16..31 cont clear 1111111111111111\n" MOVE, 1, 32, 16 },
	{ NOLRU " cont\nmempolicy 3..20 move invert node1\n", 1, 18, 18 },
	{ "folio 512 order 5 nolru\nmap 0..31 pfn 543 down\n" MOVE, 1, 1, 1 },
	{ NOLRU "\nmempolicy 0..31 move invert node1 cap 3\n", 1, 3, 3 },
	{ NOLRU "\nnonpresent 4 migration-read offset 516\n" MOVE, 2, 5, 5 },
	{ "folio 512 x4 nolru\nmap 0..3 pfn 512\n" MOVE, 4, 4, 4 },
	{ "map 0 pfn 512\nmap 1 pfn 512\nmempolicy 0..1 move-all invert node1\n", 1, 1, 1 },
};

static void test_counts(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		static const char *const batched[] = { "batched_v6_18", "batched_posted_v1" };
		const char *lines = counts[i].lines;

		assert_int_equal(count(lines, "per_pte_v6_12", "x86"), counts[i].per_pte);
		assert_int_equal(count(lines, "per_pte_v6_12", "arm64"), counts[i].per_pte);
		for (unsigned int b = 0; b < 2; b++) {
			assert_int_equal(count(lines, batched[b], "x86"), counts[i].x86);
			assert_int_equal(count(lines, batched[b], "arm64"), counts[i].arm64);
		}
	}
}

/* Without the relaxation, one entry at a time is what counts. */
static void test_strict(void **state)
{
	(void)state;
	j->strict = true;
	assert_true(judge(counts[0].lines, "per_pte_v6_12", NULL));
	assert_false(judge(counts[0].lines, "batched_v6_18", "x86"));
	assert_string_equal(j->divergence.signature,
			    "mempolicy/batched_v6_18/strict.nr_failed/wrong");
	assert_int_equal(fact(&j->divergence.expected->results, MEMPOLICY_FAILED), 1);
	assert_int_equal(fact(&j->world->results, MEMPOLICY_FAILED), 8);
	j->strict = false;
}

/* ---- the rule ---- */

static const struct pd_row *rule(void)
{
	const struct pd_row *row = pd_op_by_kind(0x11)->rows;

	while (!row->accepts)
		row++;
	return row;
}

static bool accepts(const char *lines, enum pd_arch arch, bool batches, unsigned int got)
{
	static struct pd_state expected;
	static struct pd_results results;
	const struct pd_op *op = pd_op_by_kind(0x11);
	const struct pd_impl impl = { .never_batches = batches ? NULL : "one by one" };
	uint64_t args[PD_MAX_ARGS / sizeof(uint64_t)];
	struct pd_check check = { .before = &s, .expected = &expected, .args = args,
				  .got = &results, .impl = &impl, .arch = arch };

	state_of(&s, lines);
	scenario_of(&sc, lines);
	pd_op_args(op, &sc.rec[sc.nr - 1], args);
	assert_null(op->fit(&s, args));
	pd_state_init(&expected);
	pd_state_copy(&expected, &s);
	op->reference(&expected, args);
	results.nr = 0;
	pd_results_add(&results, MEMPOLICY_FAILED, got, 0);
	return !rule()->accepts(&check);
}

/* One number is right for each form and arch, and no other is. */
static void test_rule(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		const char *lines = counts[i].lines;

		for (unsigned int got = 0; got < 40; got++) {
			assert_int_equal(accepts(lines, PD_ARCH_X86, false, got),
					 got == counts[i].per_pte);
			assert_int_equal(accepts(lines, PD_ARCH_X86, true, got),
					 got == counts[i].x86);
			assert_int_equal(accepts(lines, PD_ARCH_ARM64, true, got),
					 got == counts[i].arm64);
		}
	}
}

/* ---- flags and nodes: a folio on each of nodes 0, 1 and 2, at pages 0, 16 and 32 ---- */

#define THREE "folio 512 order 4\nfolio 528 order 4 node 1\nfolio 544 order 4 node 2\n" \
	      "map 0..15 pfn 512\nmap 16..31 pfn 528\nmap 32..47 pfn 544\nmempolicy 0..47 "

static const struct {
	const char *flags;
	unsigned int queued;	/* bit n: the folio on node n */
	int ret;
	unsigned int stop;
} walks[] = {
	{ "move node1\n", 1u << 1, 0, MEMPOLICY_NONE },
	{ "move invert node1\n", 1u << 0 | 1u << 2, 0, MEMPOLICY_NONE },
	{ "move-all strict invert node0 node2\n", 1u << 1, 0, MEMPOLICY_NONE },
	{ "move invert\n", 7, 0, MEMPOLICY_NONE },
	{ "strict invert node0\n", 0, -EIO, 16 },
	{ "strict invert node1\n", 0, -EIO, 0 },
	{ "strict invert node0 node1 node2\n", 0, 0, MEMPOLICY_NONE },
	{ "strict node2\n", 0, -EIO, 32 },
	{ "strict node3\n", 0, 0, MEMPOLICY_NONE },
};

static unsigned int queued(const struct pd_results *r)
{
	unsigned int nodes = 0;

	for (unsigned int i = 0; i < r->nr; i++)
		if (r->list[i].what == MEMPOLICY_QUEUED)
			nodes |= 1u << (r->list[i].a - 512) / 16;
	return nodes;
}

static void test_walks(void **state)
{
	const struct pd_op *op = pd_op_by_kind(0x11);
	uint64_t args[PD_MAX_ARGS / sizeof(uint64_t)];

	(void)state;
	for (unsigned int i = 0; i < sizeof(walks) / sizeof(walks[0]); i++) {
		char lines[512];
		int ret;

		snprintf(lines, sizeof(lines), THREE "%s", walks[i].flags);
		assert_true(judge(lines, NULL, NULL));
		state_of(&s, lines);
		pd_op_args(op, &sc.rec[sc.nr - 1], args);
		assert_null(op->fit(&s, args));
		ret = (int)op->reference(&s, args).ret;
		assert_int_equal(ret, walks[i].ret);
		assert_int_equal(fact(&s.results, MEMPOLICY_STOP), walks[i].stop);
		assert_int_equal(queued(&s.results), walks[i].queued);
	}
}

/* Whoever is queued is on a node of the policy afterwards, and can be queued again. */
static void test_there_and_back(void **state)
{
	static const char lines[] = "folio 512 order 9\nmap 0..511 pfn 512\n"
				    "mempolicy 0..511 move invert node1\n"
				    "mempolicy 0..511 strict invert node1\n"
				    "mempolicy 0..511 move invert node0\n"
				    "mempolicy 0..511 strict invert node0\n";

	(void)state;
	j->strict = true;
	assert_true(judge(lines, NULL, NULL));
	j->strict = false;
	for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++)
		for (unsigned int i = 0; i < pd_nr_impls; i++)
			assert_int_equal(j->tally[i][arch].verdict[PD_VERDICT_BOTH_REFUSE], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_counts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_strict, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rule, setup, teardown),
		cmocka_unit_test_setup_teardown(test_walks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_there_and_back, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
