/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The judge as a whole: verdicts, counts, digests, and that no run leaves a trace in the next. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "harness/judge/judge.h"
#include "harness/scenario/layout.h"
#include "tests/build_text.h"

#define FOLIO_MIXED_WRITE "folio 512 order 4\nmap 0..15 pfn 512 young dirty excl\n" \
			  "bits 0..15 write 1111111100000000\nmremap 0..15 -> 1024\n"

#define MREMAP 0x10	/* the kind: what is generated must not change with each new operation */

static struct pd_judge *j;
static struct scenario sc;

static int setup(void **state)
{
	(void)state;
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

	if (!pd_select(&sel, "mremap", impl, arch, error, sizeof(error)))
		fail_msg("%s", error);
	return sel;
}

static bool judge(const char *lines, const char *impl, const char *arch)
{
	struct pd_selection sel = select_impl(impl, arch);

	scenario_of(&sc, lines);
	return pd_judge_run(j, &sc, &sel);
}

static uint64_t verdicts(enum pd_verdict verdict)
{
	uint64_t nr = 0;

	for (unsigned int i = 0; i < pd_nr_impls; i++)
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++)
			nr += j->tally[i][arch].verdict[verdict];
	return nr;
}

static void test_verdicts(void **state)
{
	(void)state;
	assert_true(judge("map 0..3 pfn 600\nmremap 0..3 -> 1024\n", "per_pte_v6_12", "x86"));
	assert_int_equal(verdicts(PD_VERDICT_MATCH), 1);
	assert_true(judge("mremap 0..3 -> 1024\n", "per_pte_v6_12", NULL));
	assert_int_equal(verdicts(PD_VERDICT_MATCH_TRIVIAL), 2);
	assert_true(judge("map 0 pfn 600\nmremap 0 -> 0\n", "per_pte_v6_12", "arm64"));
	assert_int_equal(verdicts(PD_VERDICT_SKIP), 1);
	assert_false(judge(FOLIO_MIXED_WRITE, "batched_posted_v3", "x86"));
	assert_int_equal(verdicts(PD_VERDICT_DIVERGENCE), 1);
	assert_int_equal(j->scenarios, 4);
}

static void test_batches_are_counted(void **state)
{
	struct pd_selection sel = select_impl("batched_v6_18_nohint", "x86");
	const struct pd_tally *tally = NULL;

	(void)state;
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		if (pd_selected(&sel, i))
			tally = &j->tally[i][PD_ARCH_X86];
	assert_true(judge("folio 512 order 4\nmap 0..15 pfn 512\nmremap 0..15 -> 1024\n",
			  "batched_v6_18_nohint", "x86"));
	assert_int_equal(tally->batched, 1);
	assert_int_equal(tally->pages, 16);
	assert_int_equal(tally->changed, 16);
	/* Each entry is cleared atomically once and set once. */
	assert_int_equal(tally->work.xchgs, 16);
	assert_int_equal(tally->work.sets, 16);
	assert_true(judge("map 0..15 pfn 600\nmremap 0..15 -> 1024\n", "batched_v6_18_nohint",
			  "x86"));
	assert_int_equal(tally->batched, 1);
	assert_int_equal(tally->pages, 32);
}

static void test_divergence(void **state)
{
	const struct pd_divergence *d = &j->divergence;

	(void)state;
	assert_false(judge("map 100 pfn 600\nmremap 100 -> 101\n" FOLIO_MIXED_WRITE,
			   "batched_posted_v3", "arm64"));
	assert_string_equal(d->signature, "mremap/batched_posted_v3/dst.write/extra");
	assert_int_equal(d->arch, PD_ARCH_ARM64);
	assert_int_equal(d->step, 1);
	assert_int_equal(d->first.va, 1032);
	assert_int_equal(d->first.pages, 8);
	assert_int_equal(d->got->pte[1031] & LPTE_WRITE, LPTE_WRITE);
	assert_int_equal(d->got->pte[1032] & LPTE_WRITE, LPTE_WRITE);
	assert_int_equal(d->expected->pte[1032] & LPTE_WRITE, 0);
	assert_int_equal(lpte_pfn(d->before->pte[8]), 520);
}

/* A loop that does not end in its budget is a divergence of its own. */
static void test_budget(void **state)
{
	(void)state;
	j->budget = 10;
	assert_false(judge("map 0..15 pfn 600\nmremap 0..15 -> 1024\n", "per_pte_v6_12", "x86"));
	assert_string_equal(j->divergence.signature, "mremap/per_pte_v6_12/access/no-progress");
	j->budget = 0;
	assert_true(judge("map 0..15 pfn 600\nmremap 0..15 -> 1024\n", "per_pte_v6_12", "x86"));
}

/* ---- how far dirty may spread ---- */

/* Partial unfold, then a batch: the page that no block and no run connects with page 0. */
static void test_closure_unfold_then_batch(void **state)
{
	(void)state;
	assert_true(judge("folio 512 order 5\nmap 0..31 pfn 512 young write excl cont\n"
			  "bits 0..15 dirty 1000000000000000\nmremap 8..31 -> 1032\n",
			  "batched_v6_18_nohint", "arm64"));
	assert_true(j->got->pte[1055] & LPTE_DIRTY);
	assert_int_equal(lpte_pfn(j->got->pte[1055]), 543);
}

/* A batch, then a fold: the page is set alone and takes dirty from its neighbours. */
static void test_closure_batch_then_fold(void **state)
{
	const char *const lines = "folio 512 order 5\nmap 481..512 pfn 512 young write excl\n"
				  "bits 481 dirty 1111111111111111\nmremap 481..512 -> 1024\n";

	(void)state;
	assert_true(judge(lines, "batched_v6_18_nohint", "arm64"));
	assert_true(j->got->pte[1055] & LPTE_DIRTY);
	/* x86 has no blocks: there the batch is all. */
	assert_true(judge(lines, "batched_v6_18_nohint", "x86"));
	assert_true(j->got->pte[1054] & LPTE_DIRTY);
	assert_false(j->got->pte[1055] & LPTE_DIRTY);
}

/* ---- digests ---- */

static uint64_t digest_of(const struct scenario *from, const struct pd_selection *sel)
{
	uint64_t before = j->digest;

	j->want_digest = true;
	pd_judge_run(j, from, sel);
	return j->digest - before;
}

/* Every bit of an entry that one arch at least can hold is in the digest. */
static void test_one_flipped_bit(void **state)
{
	static const char *const bits[] = {
		"young", "dirty", "soft-dirty", "prot0", "prot1", "cont", "swdirty", "write",
	};
	struct pd_selection sel = select_impl("per_pte_v6_12", NULL);
	uint64_t plain;
	char lines[512];

	(void)state;
	scenario_of(&sc, "folio 512 order 4\nmap 0..15 pfn 512 dirty write excl\n"
			 "bits 3 dirty clear 1111111111111111\nmremap 0..7 -> 1024\n");
	plain = digest_of(&sc, &sel);
	assert_int_equal(digest_of(&sc, &sel), plain);
	for (unsigned int i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		/* A block is one bit for sixteen entries, the other dirty is for dirty ones, and
		 * whatever moves becomes soft-dirty. */
		bool block = !strcmp(bits[i], "cont"), dirty = !strcmp(bits[i], "swdirty");
		bool soft = !strcmp(bits[i], "soft-dirty");

		snprintf(lines, sizeof(lines),
			 "folio 512 order 4\nmap 0..15 pfn 512 dirty write excl\n"
			 "bits 3 dirty clear 1111111111111111\n"
			 "bits %s %s xor 1111111111111111\nmremap 0..7 -> 1024\n",
			 block ? "0..15" : dirty ? "4" : soft ? "9" : "3", bits[i]);
		scenario_of(&sc, lines);
		if (digest_of(&sc, &sel) == plain)
			fail_msg("%s is not in the digest", bits[i]);
	}
}

/*
 * A judge that has seen hundreds of scenarios, divergences among them, says of the next one what a
 * new one says.
 */
static void test_nothing_is_left_behind(void **state)
{
	struct pd_selection sel = select_impl("per_pte_v6_12,batched_posted_v3", NULL);
	struct pd_judge *const old = j;
	struct pd_rng rng;

	(void)state;
	for (unsigned int i = 0; i < 300; i++) {
		uint64_t digest;

		pd_rng_seed(&rng, 9, i);
		pd_generate(&sc, pd_op_by_kind(MREMAP), &rng);
		digest = digest_of(&sc, &sel);
		if (i % 3)
			continue;
		j = pd_judge_new();
		assert_non_null(j);
		assert_int_equal(digest_of(&sc, &sel), digest);
		pd_judge_free(j);
		j = old;
	}
	assert_true(verdicts(PD_VERDICT_DIVERGENCE) > 0);
}

/* Generated ones, and in their middle one of which a single bit can be flipped. */
static void scenario_at(unsigned int n, bool flip)
{
	struct pd_rng rng;

	if (n == 100) {
		scenario_of(&sc, "map 0 pfn 600 dirty\nmremap 0 -> 1024\n");
		sc.rec[0].h[PD_MAP_F_YOUNG.half] |= (uint16_t)(flip << PD_MAP_F_YOUNG.shift);
		return;
	}
	pd_rng_seed(&rng, 10, n);
	pd_generate(&sc, NULL, &rng);
}

static uint64_t digest_of_all(const struct pd_selection *sel, bool backwards, bool flip)
{
	const unsigned int nr = 400;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < nr; i++) {
		scenario_at(backwards ? nr - 1 - i : i, flip);
		sum += digest_of(&sc, sel);
	}
	return sum;
}

/* Backwards, the sum over all is the same; with one bit of one scenario flipped, it is not. */
static void test_order_and_one_bit(void **state)
{
	struct pd_selection sel = select_impl(NULL, NULL);
	uint64_t forward = digest_of_all(&sel, false, false);

	(void)state;
	assert_int_equal(digest_of_all(&sel, true, false), forward);
	assert_int_not_equal(digest_of_all(&sel, false, true), forward);
}

/* ---- who is judged ---- */

static void test_selection(void **state)
{
	struct pd_selection sel;
	char error[128];

	(void)state;
	assert_true(pd_select(&sel, NULL, NULL, NULL, error, sizeof(error)));
	for (unsigned int i = 0; i < pd_nr_impls; i++) {
		const struct pd_impl_entry *e = &pd_impls[i];
		bool wrong = e->bug || e->tree || e->impl[0]->wrong || e->impl[1]->wrong;

		assert_int_equal(pd_selected(&sel, i), !wrong);
	}
	assert_false(pd_select(&sel, "no-such-op", NULL, NULL, error, sizeof(error)));
	assert_false(pd_select(&sel, NULL, "no_such_impl", NULL, error, sizeof(error)));
	assert_false(pd_select(&sel, NULL, NULL, "riscv", error, sizeof(error)));
	/* Nobody selected, nobody judged. */
	memset(&sel, 0, sizeof(sel));
	scenario_of(&sc, "map 0 pfn 600\nmremap 0 -> 9\n");
	assert_true(pd_judge_run(j, &sc, &sel));
	for (unsigned int v = 0; v < PD_NR_VERDICTS; v++)
		assert_int_equal(verdicts((enum pd_verdict)v), 0);
}

/*
 * What comes after an operation of which nothing is selected, or which the arch does not have, is
 * judged; the operation itself is done, and not counted.
 */
static void test_not_selected(void **state)
{
	const char *const first[] = { "zero_folio order 1\nmremap 0..15 -> 1024\n",
				      "contpte_get 3\nmremap 0..15 -> 1024\n" };
	const char *const arches[] = { "x86", "arm64" };
	char lines[300];

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		snprintf(lines, sizeof(lines), "folio 512 order 4\nmap 0..15 pfn 512 excl\n"
			 "bits 0..15 write 1111111100000000\n%s", first[i / 2]);
		assert_false(judge(lines, "batched_posted_v3", arches[i % 2]));
		assert_int_equal(j->divergence.step, 1);
		assert_int_equal(verdicts(PD_VERDICT_DIVERGENCE), i + 1);
		assert_int_equal(verdicts(PD_VERDICT_MATCH), 0);
	}
}

/*
 * On x86, without contpte_get, the first operation that is done has a page unmapped by its caller;
 * on arm64 the page has to be mapped again.
 */
static void test_chains_start_alike(void **state)
{
	struct pd_selection sel;
	char error[128];

	(void)state;
	assert_true(pd_select(&sel, NULL, NULL, NULL, error, sizeof(error)));
	scenario_of(&sc, "folio 0 order 3\nmap 0..7 excl\nhw 0 pin\ncontpte_get 0..7\n"
		    "contpte_api 7 set pfn 16\n");
	assert_true(pd_judge_run(j, &sc, &sel));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_verdicts), TEST(test_batches_are_counted), TEST(test_divergence),
		TEST(test_budget), TEST(test_closure_unfold_then_batch),
		TEST(test_closure_batch_then_fold), TEST(test_one_flipped_bit),
		TEST(test_nothing_is_left_behind), TEST(test_order_and_one_bit),
		TEST(test_selection), TEST(test_not_selected),
		TEST(test_chains_start_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
