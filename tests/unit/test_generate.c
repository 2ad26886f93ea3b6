/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The generator: reproducible, canonical, and with probability where bugs live.
 *
 * The thresholds are about half of what NR_SCENARIOS scenarios contained when they were set
 * (`ptediff random --histogram 20000`, another seed). They hold a change of the generator to
 * account: what falls below one is a class of bugs that takes longer to find.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/scenario/histogram.h"
#include "tests/random_bytes.h"

#define NR_SCENARIOS 20000u

static struct scenario sc, again;
static char text[256 * 1024];

static void test_same_seed_same_scenario(void **state)
{
	unsigned int different = 0;
	struct scenario other;
	struct pd_rng rng;

	(void)state;
	for (unsigned int seed = 0; seed < 1000; seed++) {
		pd_rng_seed(&rng, seed, 7);
		pd_generate(&sc, NULL, &rng);
		pd_rng_seed(&rng, seed, 7);
		pd_generate(&again, NULL, &rng);
		assert_true(same_scenario(&sc, &again));
		pd_rng_seed(&rng, seed, 8);
		pd_generate(&other, NULL, &rng);
		different += !same_scenario(&sc, &other);
	}
	assert_true(different > 990);
}

/* Bytes and text of a generated scenario read back as the same scenario. */
static void test_canonical(void **state)
{
	static uint8_t bytes[PD_MAX_BYTES];
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 1, 2);
	for (unsigned int i = 0; i < NR_SCENARIOS; i++) {
		struct pd_parse how = { .strict = true };
		size_t len;

		pd_generate(&sc, NULL, &rng);
		len = pd_encode(&sc, bytes, sizeof(bytes));
		assert_int_equal(len, sc.nr * PD_RECORD_BYTES);
		pd_decode(&again, bytes, len);
		assert_true(same_scenario(&sc, &again));
		if (i % 16)
			continue;
		len = print_to(text, sizeof(text), &sc, NULL, NULL);
		assert_true(pd_parse(&again, text, len, &how));
		assert_true(same_scenario(&sc, &again));
	}
}

static void test_only_the_operation_asked_for(void **state)
{
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 3, 4);
	for (unsigned int i = 0; i < pd_nr_ops; i++) {
		for (unsigned int run = 0; run < 1000; run++) {
			unsigned int ops = 0;

			pd_generate(&sc, pd_ops[i], &rng);
			for (unsigned int k = 0; k < sc.nr; k++) {
				const struct pd_op *op = pd_op_by_kind(sc.rec[k].kind);

				assert_true(!op || op == pd_ops[i]);
				ops += op != NULL;
			}
			assert_in_range(ops, 1, 3);
		}
	}
}

/* ---- what scenarios contain ---- */

static void at_least(uint64_t count, uint64_t least, const char *what, unsigned int index)
{
	if (count < least)
		fail_msg("%s %u: %u, expected at least %u", what, index, (unsigned int)count,
			 (unsigned int)least);
}

static struct pd_histogram *histogram_of(const struct pd_op *op)
{
	struct pd_histogram *h = pd_histogram_new();
	struct pd_rng rng;

	assert_non_null(h);
	pd_rng_seed(&rng, 5, 6);
	for (unsigned int i = 0; i < NR_SCENARIOS; i++) {
		pd_generate(&sc, op, &rng);
		pd_histogram_add(h, &sc);
	}
	return h;
}

static void check_features(const struct pd_histogram *h)
{
	static const unsigned int least[PD_NR_FEATURES] = {
		[PD_FEATURE_VMA] = 2000,	    [PD_FEATURE_CONT] = 8000,
		[PD_FEATURE_BBML] = 1200,	    [PD_FEATURE_HW] = 1200,
		[PD_FEATURE_FAULT] = 500,	    [PD_FEATURE_DEFERRED] = 350,
		[PD_FEATURE_RUN_WHOLE] = 20000,	    [PD_FEATURE_RUN_PREFIX] = 4500,
		[PD_FEATURE_RUN_SUFFIX] = 7000,	    [PD_FEATURE_RUN_MIDDLE] = 15000,
		[PD_FEATURE_RUN_TABLE] = 900,	    [PD_FEATURE_RUN_VMA] = 800,
		[PD_FEATURE_RUN_SKEW_0] = 30000,    [PD_FEATURE_RUN_SKEW_1] = 8000,
		[PD_FEATURE_RUN_SKEW_8] = 2500,	    [PD_FEATURE_RUN_TWICE] = 3500,
		[PD_FEATURE_REVERSED] = 8000,	    [PD_FEATURE_STRIDE2] = 4500,
		[PD_FEATURE_ADJACENT] = 15000,	    [PD_FEATURE_ABA] = 800,
		[PD_FEATURE_HOLE_BETWEEN] = 300,    [PD_FEATURE_NP_BETWEEN] = 900,
		[PD_FEATURE_BLOCK] = 15000,	    [PD_FEATURE_BLOCK_VMA] = 400,
		[PD_FEATURE_BLOCK_ONE_YOUNG] = 500, [PD_FEATURE_BLOCK_ONE_DIRTY] = 500,
		[PD_FEATURE_BLOCK_WRITE_DIFFERS] = 600,
		[PD_FEATURE_SWDIRTY] = 20000,	    [PD_FEATURE_ZERO_PAGE] = 2000,
		[PD_FEATURE_ZERO_PAGE_BARRED] = 120, [PD_FEATURE_SPECIAL] = 700,
		[PD_FEATURE_SPECIAL_WRITE] = 450,   [PD_FEATURE_DEVICE_WRITE] = 8000,
		[PD_FEATURE_FILE_UFFD_WP] = 150,
		[PD_FEATURE_NP_UFFD_WP] = 100,	    [PD_FEATURE_NP_SOFT_DIRTY] = 1400,
	};

	for (unsigned int i = 0; i < PD_NR_FEATURES; i++)
		at_least(h->feature[i], least[i], "feature", i);
}

static void check_layouts(const struct pd_histogram *h)
{
	static const unsigned int orders[PD_MAX_ORDER + 1] = {
		10000, 3000, 7000, 6500, 15000, 15000, 400, 300, 300, 2500,
	};
	static const unsigned int kinds[LPTE_NR_KINDS] = {
		0, 500000, 2000, 500, 500, 500, 500, 500, 500, 500, 1000,
	};
	static const unsigned int markers[LPTE_NR_MARKERS] = { 150, 500, 500 };
	/* none, all, first, last, half, alternating, other */
	static const unsigned int mixes[PD_NR_MIX_FIELDS][PD_NR_MIXES] = {
		[PD_MIX_WRITE] = { 15000, 15000, 350, 200, 600, 220, 1100 },
		[PD_MIX_YOUNG] = { 14000, 14000, 600, 400, 300, 400, 2500 },
		[PD_MIX_DIRTY] = { 14000, 14000, 600, 400, 300, 350, 2500 },
		[PD_MIX_SOFT_DIRTY] = { 20000, 7000, 200, 150, 90, 180, 800 },
		[PD_MIX_UFFD_WP] = { 30000, 300, 25, 8, 15, 5, 50 },
		[PD_MIX_PROTNONE] = { 30000, 1800, 90, 40, 100, 50, 200 },
		[PD_MIX_EXCLUSIVE] = { 7000, 20000, 60, 40, 25, 50, 250 },
	};

	for (unsigned int i = 0; i <= PD_MAX_ORDER; i++)
		at_least(h->order[i], orders[i], "order", i);
	for (unsigned int i = 0; i < LPTE_NR_KINDS; i++)
		at_least(h->kind[i], kinds[i], "kind", i);
	for (unsigned int i = 0; i < LPTE_NR_MARKERS; i++)
		at_least(h->marker[i], markers[i], "marker", i);
	for (unsigned int i = 0; i < PD_NR_MIX_FIELDS; i++)
		for (unsigned int k = 0; k < PD_NR_MIXES; k++)
			at_least(h->mix[i][k], mixes[i][k], "mix", 10 * i + k);
}

static void test_features(void **state)
{
	struct pd_histogram *h = histogram_of(NULL);

	(void)state;
	check_features(h);
	check_layouts(h);
	at_least(h->steps[1], 6000, "operations", 1);
	at_least(h->steps[2], 4000, "operations", 2);
	at_least(h->steps[3], 2000, "operations", 3);
	assert_in_range(h->layout / h->scenarios, 2, 12);
	pd_histogram_free(h);
}

static void check_ranges(const struct pd_histogram *h)
{
	static const unsigned int edges[2][PD_NR_EDGES] = {
		{ 900, 800, 4000, 3500, 5000, 1600, 1600, 700, 700, 1000 },
		{ 1000, 450, 4000, 2800, 5000, 1900, 1900, 400, 500, 1000 },
	};
	static const unsigned int shifts[PD_NR_SHIFTS] = { 4500, 1200, 1200, 1500, 3000, 5000 };
	static const unsigned int extents[PD_NR_EXTENTS] = {
		1700, 800, 4000, 700, 1400, 600, 1800, 600, 1100, 500, 2500, 40, 100, 30,
	};

	for (unsigned int side = 0; side < 2; side++)
		for (unsigned int i = 0; i < PD_NR_EDGES; i++)
			at_least(h->edge[side][i], edges[side][i], "edge", 10 * side + i);
	for (unsigned int i = 0; i < PD_NR_SHIFTS; i++)
		at_least(h->shift[i], shifts[i], "shift", i);
	for (unsigned int i = 0; i < PD_NR_EXTENTS; i++)
		at_least(h->extent[i], extents[i], "extent", i);
}

static void test_mremap_ranges(void **state)
{
	const struct pd_kind *kind = pd_kind_by_name("mremap", 6);
	struct pd_histogram *h = histogram_of(pd_op_by_kind(kind->number));

	(void)state;
	check_ranges(h);
	at_least(h->feature[PD_FEATURE_OP_FITS], 30000, "feature", PD_FEATURE_OP_FITS);
	at_least(h->feature[PD_FEATURE_OP_CHANGES], h->ops * 4 / 5, "feature",
		 PD_FEATURE_OP_CHANGES);
	at_least(h->feature[PD_FEATURE_OP_SRC_TABLE], 1500, "feature", PD_FEATURE_OP_SRC_TABLE);
	at_least(h->feature[PD_FEATURE_OP_DST_TABLE], 2000, "feature", PD_FEATURE_OP_DST_TABLE);
	at_least(h->feature[PD_FEATURE_OP_ONE_TABLE], 2000, "feature", PD_FEATURE_OP_ONE_TABLE);
	at_least(h->feature[PD_FEATURE_OP_WHOLE_TABLE], 100, "feature",
		 PD_FEATURE_OP_WHOLE_TABLE);
	assert_in_range(h->pages / h->ops, 24, 40);
	assert_true(h->populated * 100 >= h->pages * 60);
	pd_histogram_free(h);
}

/* What is repaired away is probability lost; a contpte block cut at the end of a map is not. */
static void test_little_to_repair(void **state)
{
	static struct pd_state s;
	static char log[1 << 16];
	unsigned int repaired = 0;
	struct pd_rng rng;

	(void)state;
	pd_state_init(&s);
	pd_rng_seed(&rng, 8, 9);
	for (unsigned int i = 0; i < NR_SCENARIOS; i++) {
		struct pd_repair repair = { .log = fmemopen(log, sizeof(log), "w") };

		pd_generate(&sc, NULL, &rng);
		while (sc.nr && pd_kind_class(sc.rec[sc.nr - 1].kind) == PD_NR_CLASSES - 1)
			sc.nr--;
		pd_state_clear(&s);
		log[0] = '\0';
		pd_build(&sc, &s, &repair);
		fclose(repair.log);
		for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n"))
			repaired += !strstr(line, "contpte");
	}
	assert_in_range(repaired, 0, NR_SCENARIOS / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_seed_same_scenario),
		cmocka_unit_test(test_canonical),
		cmocka_unit_test(test_only_the_operation_asked_for),
		cmocka_unit_test(test_features),
		cmocka_unit_test(test_mremap_ranges),
		cmocka_unit_test(test_little_to_repair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
