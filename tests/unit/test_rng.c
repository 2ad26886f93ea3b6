/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers: the published sequence, bounds, streams. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/scenario/scenario.h"

/* xoroshiro128++ from state 1, 2, as other implementations test it. */
static void test_sequence(void **state)
{
	static const uint64_t expected[] = {
		393217ULL, 669327710093319ULL, 1732421326133921491ULL,
		11394790081659126983ULL, 9555452776773192676ULL, 3586421180005889563ULL,
	};
	struct pd_rng rng = { { 1, 2 } };

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_true(pd_rng_next(&rng) == expected[i]);
}

static void test_below(void **state)
{
	unsigned int count[3] = { 0 };
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 1, 0);
	for (unsigned int i = 0; i < 30000; i++)
		count[pd_below(&rng, 3)]++;
	for (unsigned int i = 0; i < 3; i++)
		assert_in_range(count[i], 9700, 10300);
	assert_int_equal(pd_below(&rng, 0), 0);
	assert_int_equal(pd_below(&rng, 1), 0);
}

static void test_chance(void **state)
{
	unsigned int hits = 0;
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 2, 0);
	for (unsigned int i = 0; i < 10000; i++)
		hits += pd_chance(&rng, 1, 4);
	assert_in_range(hits, 2300, 2700);
	assert_false(pd_chance(&rng, 0, 4));
	assert_true(pd_chance(&rng, 4, 4));
}

static void test_streams(void **state)
{
	struct pd_rng a, b, again;

	(void)state;
	pd_rng_seed(&a, 1, 0);
	pd_rng_seed(&b, 1, 1);
	pd_rng_seed(&again, 1, 0);
	for (unsigned int i = 0; i < 1000; i++) {
		uint64_t next = pd_rng_next(&a);

		assert_true(next == pd_rng_next(&again));
		assert_true(next != pd_rng_next(&b));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sequence),
		cmocka_unit_test(test_below),
		cmocka_unit_test(test_chance),
		cmocka_unit_test(test_streams),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
