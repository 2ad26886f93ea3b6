/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UFFDIO_MOVE: what it tells, what it costs, and laws that its forms obey. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>

#include "harness/judge/judge.h"
#include "model/ops/uffd_move/args.h"
#include "tests/build_text.h"

#define SMALL	"map 0..15 pfn 100 young dirty write excl\n"
#define KB4	4096L

extern const struct pd_op pd_op_uffd_move;

static struct pd_judge *j;
static struct scenario sc;
static struct pd_state s;

static int setup(void **state)
{
	(void)state;
	pd_state_init(&s);
	j = pd_judge_new();
	return j ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	pd_judge_free(j);
	return 0;
}

static struct pd_selection select_impl(const char *impl, const char *arch)
{
	struct pd_selection sel;
	char error[128];

	if (!pd_select(&sel, "uffd_move", impl, arch, error, sizeof(error)))
		fail_msg("%s", error);
	return sel;
}

/* Every implementation that is not known wrong (@impl NULL), on both arches. */
static bool judge(const char *lines, const char *impl)
{
	struct pd_selection sel = select_impl(impl, NULL);

	scenario_of(&sc, lines);
	return pd_judge_run(j, &sc, &sel);
}

/* ---- what the ioctl tells ---- */

static const struct {
	const char *lines;
	struct uffd_move_args args;
	long ret, field;
	uint32_t woken;
} told[] = {
	{ SMALL, { .src = 0, .dst = 1024, .pages = 16 }, 0, 16 * KB4, 16 },
	{ SMALL, { .src = 0, .dst = 1024, .pages = 16, .dontwake = 1 }, 0, 16 * KB4, 0 },
	/* Some of it: -EAGAIN, whatever the reason. */
	{ SMALL "nonpresent 5 hole\n", { .src = 0, .dst = 1024, .pages = 16 }, -EAGAIN, 5 * KB4,
	  5 },
	{ SMALL "map 1029 pfn 300\n", { .src = 0, .dst = 1024, .pages = 16 }, -EAGAIN, 5 * KB4, 5 },
	/* Nothing: the reason. */
	{ SMALL, { .src = 15, .dst = 0, .pages = 1 }, -EEXIST, -EEXIST, 0 },
	{ SMALL, { .src = 16, .dst = 1024, .pages = 1 }, -ENOENT, -ENOENT, 0 },
	{ "map 0 pfn 100 young\n", { .src = 0, .dst = 1024, .pages = 1 }, -EBUSY, -EBUSY, 0 },
	{ "nonpresent 0 hwpoison offset 100\n", { .src = 0, .dst = 1024, .pages = 1 }, -EFAULT,
	  -EFAULT, 0 },
	{ "vma 0..511 ro\n", { .src = 0, .dst = 1024, .pages = 1 }, -EINVAL, -EINVAL, 0 },
	/* Holes count. */
	{ SMALL "nonpresent 5 hole\n", { .src = 0, .dst = 1024, .pages = 16, .holes = 1 }, 0,
	  16 * KB4, 16 },
};

static void test_told(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		const struct pd_fact *fact = s.results.list;

		state_of(&s, told[i].lines);
		assert_int_equal(pd_op_uffd_move.reference(&s, &told[i].args).ret, told[i].ret);
		assert_int_equal(fact[0].what, UFFD_MOVE_FIELD);
		assert_int_equal((long)fact[0].b, told[i].field);
		assert_int_equal(s.results.nr, told[i].woken ? 2 : 1);
		if (!told[i].woken)
			continue;
		assert_int_equal(fact[1].what, UFFD_MOVE_WAKE);
		assert_int_equal(fact[1].a, told[i].args.dst);
		assert_int_equal(fact[1].b, told[i].woken);
	}
}

/* A zero page of KSM moves, its new entry is clean, and ksm_zero_pages stays: it is too high. */
static void test_ksm_zero_pages(void **state)
{
	const struct uffd_move_args args = { .src = 0, .dst = 1024, .pages = 1 };

	(void)state;
	state_of(&s, "map 0 pfn 4095 young dirty special\n");
	assert_int_equal(s.counter[PD_COUNTER_KSM_ZERO], 1);
	assert_int_equal(pd_op_uffd_move.reference(&s, &args).ret, 0);
	assert_int_equal(s.pte[1024] & LPTE_DIRTY, 0);
	assert_int_equal(s.counter[PD_COUNTER_KSM_ZERO], 1);
	assert_true(judge("map 0 pfn 4095 young dirty special\nuffd_move 0 -> 1024\n", NULL));
}

/* ---- laws ---- */

static uint64_t digest(const char *impl)
{
	struct pd_selection sel = select_impl(impl, NULL);
	uint64_t before = j->digest;

	j->want_digest = true;
	j->trace = true;
	assert_true(pd_judge_run(j, &sc, &sel));
	return j->digest - before;
}

/*
 * The clamp of v5 and the one that was released: the same accesses, locks and flushes, one for
 * one, near the ends of the tables and far from them.
 */
static void test_v5_does_the_same(void **state)
{
	static const unsigned int offsets[] = { 0, 1, 256, 495, 496, 497, 510, 511 };
	static const unsigned int lengths[] = { 1, 2, 3, 15, 16, 17, 40 };
	char lines[160];

	(void)state;
	for (unsigned int i = 0; i < 8 * 8 * 7; i++) {
		unsigned int src = offsets[i / 56], dst = 1024 + offsets[i / 7 % 8];
		unsigned int last = src + lengths[i % 7] - 1;

		snprintf(lines, sizeof(lines),
			 "map %u..%u pfn 100 dirty write excl\nuffd_move %u..%u -> %u\n", src, last,
			 src, last, dst);
		scenario_of(&sc, lines);
		assert_int_equal(digest("batched_posted_v5"), digest("batched_v6_18"));
	}
}

/* Wherever in the move a page gets pinned: it stays or it is gone, and all forms say so. */
static void test_pins(void **state)
{
	char lines[160];

	(void)state;
	for (unsigned int page = 0; page < 8; page++) {
		for (unsigned int at = 0; at < 120; at++) {
			snprintf(lines, sizeof(lines), "folio 104 order 2\n"
				 "map 0..7 pfn 100 young dirty write excl\nhw %u pin at %u\n"
				 "uffd_move 0..7 -> 1024\n", page, at);
			assert_true(judge(lines, NULL));
		}
	}
}

/* Any partition into batches gives the same. */
static void test_caps(void **state)
{
	char lines[160];

	(void)state;
	for (unsigned int cap = 0; cap < 16; cap++) {
		snprintf(lines, sizeof(lines), SMALL "uffd_move 0..15 -> 1020 cap %u\n", cap);
		assert_true(judge(lines, NULL));
	}
}

/* ---- cost ---- */

static struct pd_work work_of(const char *lines, const char *impl)
{
	struct pd_selection sel = select_impl(impl, "x86");
	struct pd_tally tally = { 0 };

	memset(j->tally, 0, sizeof(j->tally));
	scenario_of(&sc, lines);
	assert_true(pd_judge_run(j, &sc, &sel));
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		pd_tally_add(&tally, &j->tally[i][PD_ARCH_X86]);
	return tally.work;
}

/* Fewer flushes; every page is still looked up. */
static void test_flushes(void **state)
{
	static const char lines[] = "map 0..63 pfn 163 down young dirty write excl\n"
				    "uffd_move 0..63 -> 1000\n";
	struct pd_work one = work_of(lines, "per_pte_v6_12");
	struct pd_work batched = work_of(lines, "batched_v6_18");

	(void)state;
	assert_int_equal(one.flushes, 64);
	assert_int_equal(batched.flushes, 2);
	assert_int_equal(one.folio_lookups, 64);
	assert_int_equal(batched.folio_lookups, 64);
	assert_int_equal(one.long_batches, 0);
	assert_int_equal(batched.long_batches, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_told, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ksm_zero_pages, setup, teardown),
		cmocka_unit_test_setup_teardown(test_v5_does_the_same, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pins, setup, teardown),
		cmocka_unit_test_setup_teardown(test_caps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_flushes, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
