/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptep_set_access_flags(): what a fault does to an entry and to its block.
 */
#include "tests/shim/arm64_blocks.h"

static bool fault(unsigned int va, pte_t entry)
{
	restart(pd_world);
	return ptep_set_access_flags(&vma, pd_addr(va), at(va), entry, 1);
}

/* "arm64: contpte: fix set_access_flags() no-op check for SMMU/ATS faults" */
static void test_access_flags_reach_the_entry_itself(void **state)
{
	(void)state;
	map_blocks(0x0001, 0);
	assert_true(pte_young(ptep_get(at(FIRST + 7))));
	assert_false(pte_young(*at(FIRST + 7)));
	assert_true(fault(FIRST + 7, ptep_get(at(FIRST + 7))));
	for (unsigned int i = 0; i < CONT_PTES; i++)
		assert_page(FIRST + i, before[FIRST + i] | LPTE_YOUNG);
	assert_int_equal(pd_world->work.flushes, 1);
	assert_false(fault(FIRST + 7, ptep_get(at(FIRST + 7))));
	assert_int_equal(pd_world->work.flushes, 0);
	assert_no_incident();
}

static void test_access_flags_dirty_the_block(void **state)
{
	(void)state;
	map_blocks(0xffff, 0);
	assert_true(fault(FIRST + 7, pte_mkdirty(ptep_get(at(FIRST + 7)))));
	for (unsigned int i = 0; i < CONT_PTES; i++)
		assert_page(FIRST + i, before[FIRST + i] | LPTE_DIRTY);
	assert_no_incident();
}

static void test_access_flags_write_unfolds(void **state)
{
	pte_t entry;

	(void)state;
	map_blocks(0, 0);
	for (unsigned int i = 0; i < CONT_PTES; i++)
		*at(FIRST + i) = pte_wrprotect(*at(FIRST + i));
	remember();
	entry = pte_mkwrite(pte_mkdirty(pte_mkyoung(ptep_get(at(FIRST + 7)))), &vma);
	assert_true(fault(FIRST + 7, entry));
	assert_page(FIRST + 7, decoded(pte_mknoncont(entry)));
	assert_outside(FIRST + 7, FIRST + 8);
}

static void test_access_flags_of_a_single_entry(void **state)
{
	pte_t pte = pte_wrprotect(user_pte(FRAME));

	(void)state;
	put(FIRST, pte, 1);
	assert_false(fault(FIRST, pte));
	assert_true(fault(FIRST, pte_mkyoung(pte)));
	assert_page(FIRST, decoded(pte) | LPTE_YOUNG);
	assert_true(fault(FIRST, pte_mkwrite(pte_mkdirty(pte), &vma)));
	assert_page(FIRST, decoded(pte) | AD | LPTE_WRITE);
	assert_no_incident();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_access_flags_reach_the_entry_itself),
		TEST(test_access_flags_dirty_the_block),
		TEST(test_access_flags_write_unfolds),
		TEST(test_access_flags_of_a_single_entry),
	};

	return cmocka_run_group_tests_name("arm64 contpte, faults", tests, NULL, NULL);
}
