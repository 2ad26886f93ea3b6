/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading contpte blocks: the gathered view, what it costs, and when it has to be read again.
 */
#include "tests/shim/arm64_world.h"

#define BLOCK 32u /* first page of the block under test */
#define FRAME 64u

/* One bit an entry; dirty in both encodings. */
static void put_block(uint16_t young, uint16_t dirty)
{
	for (unsigned int i = 0; i < CONT_PTES; i++) {
		pte_t pte = pte_mkcont(user_pte(FRAME + i));

		if (young >> i & 1)
			pte = pte_mkyoung(pte);
		if (dirty >> i & 1)
			pte = i % 2 ? pte_mkdirty(pte) : __pte(pte_val(pte) & ~PTE_RDONLY);
		*at(BLOCK + i) = pte;
	}
}

static lpte_t gathered(unsigned int index, uint16_t young, uint16_t dirty)
{
	return decoded(*at(BLOCK + index)) | (young ? LPTE_YOUNG : 0) | (dirty ? LPTE_DIRTY : 0);
}

static void assert_gathered(pte_t pte, lpte_t expected)
{
	assert_int_equal(decoded(pte) & ~LPTE_SWDIRTY, expected & ~LPTE_SWDIRTY);
}

static void test_view_is_the_or(void **state)
{
	uint64_t seed = 1;

	for (unsigned int n = 0; n < 20000; n++) {
		/* Sparse, dense and empty patterns, all of them. */
		uint16_t young = (uint16_t)(next_random(&seed) & next_random(&seed));
		uint16_t dirty = (uint16_t)(next_random(&seed) | next_random(&seed));
		unsigned int index = n % CONT_PTES;

		young = n % 7 ? young : 0;
		dirty = n % 5 ? dirty : (uint16_t)(1u << n % 16);
		dirty = n % 11 ? dirty : 0;
		restart(*state);
		put_block(young, dirty);
		assert_gathered(ptep_get(at(BLOCK + index)), gathered(index, young, dirty));
		assert_gathered(ptep_get_lockless(at(BLOCK + index)),
				gathered(index, young, dirty));
		assert_int_equal(pd_world->work.sets + pd_world->work.xchgs, 0);
	}
}

/* Reads of contpte_ptep_get() itself: without the one that ptep_get() does before it. */
static void assert_reads(uint16_t young, uint16_t dirty, unsigned int index, unsigned int reads)
{
	restart(pd_world);
	put_block(young, dirty);
	ptep_get(at(BLOCK + index));
	assert_int_equal(pd_world->work.reads, 1 + reads);
}

/* "arm64/mm: Optimize loop to reduce redundant operations of contpte_ptep_get" */
static void test_reads_of_early_exit(void **state)
{
	(void)state;
	assert_reads(0xffff, 0xffff, 8, 2);
	assert_reads(0x0100, 0x0000, 8, 16);
	assert_reads(0x0080, 0x0000, 7, 16);
	assert_reads(0x0000, 0x0000, 8, 16);
	assert_reads(0xffff, 0x0000, 8, 16);
	assert_reads(0x0000, 0xffff, 8, 17);
	assert_reads(0x0000, 0x8000, 8, 17);
	assert_reads(0x7fff, 0x0000, 8, 16);
}

/* d and y: first dirty and first young entry, CONT_PTES when there is none. */
static unsigned int expected_reads(unsigned int d, unsigned int y)
{
	if (d == CONT_PTES && y == CONT_PTES)
		return CONT_PTES;
	if (d <= y)
		return y < CONT_PTES ? y + 2 : CONT_PTES + 1;
	return d < CONT_PTES ? d + 1 : CONT_PTES;
}

static void test_reads_by_first_dirty_and_young(void **state)
{
	(void)state;
	for (unsigned int d = 0; d <= CONT_PTES; d++)
		for (unsigned int y = 0; y <= CONT_PTES; y++)
			assert_reads((uint16_t)(0xffffu << y), (uint16_t)(0xffffu << d), 15,
				     expected_reads(d, y));
}

static void test_single_entries_are_read_once(void **state)
{
	(void)state;
	put_block(0xffff, 0xffff);
	*at(BLOCK + 3) = pte_mknoncont(*at(BLOCK + 3));
	*at(BLOCK + 4) = pfn_pte(FRAME + 4, PAGE_NONE);
	*at(BLOCK + 5) = __pte(0);
	for (unsigned int i = 3; i < 6; i++) {
		restart(*state);
		assert_true(pte_same(ptep_get(at(BLOCK + i)), *at(BLOCK + i)));
		assert_true(pte_same(ptep_get_lockless(at(BLOCK + i)), *at(BLOCK + i)));
		assert_int_equal(pd_world->work.reads, 2);
	}
}

/* Nobody repairs the block here: a reader that looks for a consistent one never ends. */
static void test_lockless_does_not_mix_versions(void **state)
{
	struct pd_world *w = *state;

	put_block(0, 0);
	*at(BLOCK + 9) = pte_wrprotect(*at(BLOCK + 9));
	restart(w);
	w->budget = 1000;
	if (!setjmp(w->escape)) {
		ptep_get_lockless(at(BLOCK + 2));
		fail_msg("an inconsistent block was accepted");
	}
	assert_true(seen(PD_INCIDENT_NO_PROGRESS));
}

static void test_lockless_sees_hardware_in_the_middle(void **state)
{
	struct pd_world *w = *state;

	put_block(0, 0);
	restart(w);
	w->hw[0] = (struct pd_hw){ .step = 5, .va = BLOCK + 12, .pages = 1, .what = PD_HW_WRITE };
	w->nr_hw = 1;
	assert_gathered(ptep_get_lockless(at(BLOCK)), gathered(0, 1, 1));
}

static void test_hint(void **state)
{
	(void)state;
	put_block(0, 0);
	for (unsigned int i = 0; i < CONT_PTES; i++) {
		pte_t pte = *at(BLOCK + i);

		assert_int_equal(pte_batch_hint(at(BLOCK + i), pte), CONT_PTES - i);
		assert_int_equal(pte_batch_hint(at(BLOCK + i), pte_mknoncont(pte)), 1);
		assert_int_equal(pte_batch_hint(at(BLOCK + i), pte_mkinvalid(pte)), 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_view_is_the_or, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reads_of_early_exit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reads_by_first_dirty_and_young, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_single_entries_are_read_once, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lockless_does_not_mix_versions, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_lockless_sees_hardware_in_the_middle, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_hint, setup, teardown),
	};

	return cmocka_run_group_tests_name("arm64 contpte, reading", tests, NULL, NULL);
}
