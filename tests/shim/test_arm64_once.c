/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * READ_ONCE(), WRITE_ONCE(), xchg() and cmpxchg(): plain memory as usual, page tables as an
 * access that is counted and checked.
 */
#include "arm64_world.h"

static void memory_is_memory(void **state)
{
	struct pd_world *w = *state;
	struct { uint16_t a; uint64_t b; } x = { 1, 2 };
	uint64_t was = 7;

	WRITE_ONCE(x.a, 5);
	assert_int_equal(READ_ONCE(x.a), 5);
	assert_int_equal(xchg(&x.b, 6), 2);
	assert_false(try_cmpxchg(&x.b, &was, 8));
	assert_int_equal(was, 6);
	assert_int_equal(cmpxchg(&x.b, 6, 9), 6);
	assert_int_equal(x.b, 9);
	assert_int_equal(w->steps, 0);
}

static void an_entry_is_accessed(void **state)
{
	struct pd_world *w = *state;
	pte_t young = __pte(pd_raw_encode(PD_ARCH_ARM64,
					  lpte_make(LPTE_KIND_PRESENT, 9) | LPTE_YOUNG));

	WRITE_ONCE(*at(3), young);
	assert_int_equal(w->work.sets, 1);
	assert_true(pte_same(READ_ONCE(*at(3)), young));
	assert_int_equal(w->work.reads, 1);
	assert_true(pte_same(xchg(at(3), __pte(0)), young));
	assert_int_equal(w->work.xchgs, 1);
	/* What was valid and is no more may still be cached. */
	assert_int_equal(w->nr_stale, 1);
	assert_true(pte_none(cmpxchg(at(3), __pte(0), young)));
	assert_int_equal(w->steps, 4);
	assert_int_equal(w->incidents, 0);
}

static void a_guard_is_outside(void **state)
{
	struct pd_world *w = *state;

	(void)READ_ONCE(*(at(511) + 1));
	assert_true(w->incident[PD_INCIDENT_OOB].seen);
	assert_int_equal(w->incident[PD_INCIDENT_OOB].va, 511);
	WRITE_ONCE(*(at(0) - 1), __pte(1));
	assert_int_equal((at(0) - 1)->pte, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(memory_is_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(an_entry_is_accessed, setup, teardown),
		cmocka_unit_test_setup_teardown(a_guard_is_outside, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
