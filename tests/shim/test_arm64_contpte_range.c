/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clearing and changing ranges that cut contpte blocks anywhere.
 */
#include "tests/shim/arm64_blocks.h"

/* Calls @check for many ranges inside the three blocks, with different young and dirty bits. */
static void for_each_range(void (*check)(unsigned int start, unsigned int nr))
{
	uint64_t seed = 7;

	for (unsigned int start = FIRST; start < FIRST + PAGES; start++) {
		for (unsigned int nr = 1; start + nr <= FIRST + PAGES; nr++) {
			map_blocks(next_random(&seed) & next_random(&seed) & next_random(&seed),
				   next_random(&seed) & next_random(&seed) & next_random(&seed));
			check(start, nr);
		}
	}
}

static void check_get_and_clear(unsigned int start, unsigned int nr)
{
	lpte_t own = 0, most = 0;
	pte_t pte = get_and_clear_full_ptes(&mm, pd_addr(start), at(start), nr, 0);

	for (unsigned int va = start; va < start + nr; va++) {
		assert_page(va, 0);
		own |= before[va] & AD;
		most |= cut(va, start, start + nr) ? block_or(va, AD) : before[va] & AD;
	}
	assert_int_equal(decoded(pte) & AD & own, own);
	assert_int_equal(decoded(pte) & AD & ~most, 0);
	assert_int_equal(decoded(pte) & ~(AD | LPTE_ENCODING),
			 before[start] & ~(AD | LPTE_ENCODING));
	assert_outside(start, start + nr);
}

static void test_get_and_clear(void **state)
{
	(void)state;
	for_each_range(check_get_and_clear);
}

static void check_clear(unsigned int start, unsigned int nr)
{
	clear_full_ptes(&mm, pd_addr(start), at(start), nr, 0);
	for (unsigned int va = start; va < start + nr; va++)
		assert_page(va, 0);
	assert_outside(start, start + nr);
}

static void test_clear(void **state)
{
	(void)state;
	for_each_range(check_clear);
}

static void check_wrprotect(unsigned int start, unsigned int nr)
{
	wrprotect_ptes(&mm, pd_addr(start), at(start), nr);
	for (unsigned int va = start; va < start + nr; va++) {
		lpte_t l = cut(va, start, start + nr) ? unfolded(va) : before[va];

		assert_page(va, l & ~LPTE_WRITE);
	}
	assert_outside(start, start + nr);
}

static void test_wrprotect(void **state)
{
	(void)state;
	for_each_range(check_wrprotect);
}

/* Clearing @bits reaches to the ends of the blocks that the range touches. */
static void assert_cleared(unsigned int start, unsigned int nr, lpte_t bits)
{
	unsigned int end = block_of(start + nr - 1) + CONT_PTES;

	for (unsigned int va = 0; va < ARRAY_SIZE(before); va++) {
		bool inside = va >= block_of(start) && va < end;

		assert_page(va, inside ? before[va] & ~bits : before[va]);
	}
	assert_no_incident();
}

static void check_clear_young(unsigned int start, unsigned int nr)
{
	lpte_t young = 0;

	for (unsigned int va = start; va < start + nr; va++)
		young |= block_or(va, LPTE_YOUNG);
	assert_int_equal(test_and_clear_young_ptes(&vma, pd_addr(start), at(start), nr), !!young);
	assert_cleared(start, nr, LPTE_YOUNG);
}

static void check_clear_flush_young(unsigned int start, unsigned int nr)
{
	lpte_t young = 0;

	for (unsigned int va = start; va < start + nr; va++)
		young |= block_or(va, LPTE_YOUNG);
	assert_int_equal(clear_flush_young_ptes(&vma, pd_addr(start), at(start), nr), !!young);
	assert_cleared(start, nr, LPTE_YOUNG);
	assert_int_equal(pd_world->work.flushes, !!young);
}

static void check_clear_young_only(unsigned int start, unsigned int nr)
{
	clear_young_dirty_ptes(&vma, pd_addr(start), at(start), nr, CYDP_CLEAR_YOUNG);
	assert_cleared(start, nr, LPTE_YOUNG);
}

static void check_clear_dirty_only(unsigned int start, unsigned int nr)
{
	clear_young_dirty_ptes(&vma, pd_addr(start), at(start), nr, CYDP_CLEAR_DIRTY);
	assert_cleared(start, nr, LPTE_DIRTY);
}

static void check_clear_both(unsigned int start, unsigned int nr)
{
	clear_young_dirty_ptes(&vma, pd_addr(start), at(start), nr,
			       CYDP_CLEAR_YOUNG | CYDP_CLEAR_DIRTY);
	assert_cleared(start, nr, AD);
}

static void test_clear_young_and_dirty(void **state)
{
	(void)state;
	for_each_range(check_clear_young);
	for_each_range(check_clear_flush_young);
	for_each_range(check_clear_young_only);
	for_each_range(check_clear_dirty_only);
	for_each_range(check_clear_both);
}

static void test_single_entries_stay_alone(void **state)
{
	(void)state;
	map_blocks(0, 0);
	for (unsigned int i = 0; i < PAGES; i++)
		*at(FIRST + i) = pte_mkyoung(pte_mknoncont(*at(FIRST + i)));
	remember();
	assert_true(test_and_clear_young_ptes(&vma, pd_addr(FIRST + 3), at(FIRST + 3), 20));
	for (unsigned int i = 0; i < PAGES; i++)
		assert_page(FIRST + i,
			    i >= 3 && i < 23 ? before[FIRST + i] & ~LPTE_YOUNG : before[FIRST + i]);
}

/* ---- hardware between a load and a store ---- */

static void write_at_step(unsigned int va, unsigned int step)
{
	struct pd_world *w = pd_world;

	w->hw[0] =
		(struct pd_hw){ .step = step, .va = (uint16_t)va, .pages = 1, .what = PD_HW_WRITE };
	w->nr_hw = 1;
}

static void test_wrprotect_keeps_a_hardware_write(void **state)
{
	(void)state;
	map_blocks(0, 0);
	*at(FIRST) = pte_mknoncont(*at(FIRST));
	write_at_step(FIRST, 2);
	wrprotect_ptes(&mm, pd_addr(FIRST), at(FIRST), 1);
	assert_page(FIRST, decoded(pte_wrprotect(pte_mkdirty(pte_mkyoung(user_pte(FRAME))))));
}

static void clear_during_write(cydp_t flags)
{
	map_blocks(0, 0);
	*at(FIRST) = pte_mknoncont(*at(FIRST));
	write_at_step(FIRST, 2);
	clear_young_dirty_ptes(&vma, pd_addr(FIRST), at(FIRST), 1, flags);
}

/* One flag: atomic. Both: the caller throws the contents away anyway, a plain store will do. */
static void test_clear_young_dirty_during_a_hardware_write(void **state)
{
	(void)state;
	clear_during_write(CYDP_CLEAR_YOUNG);
	assert_page(FIRST, decoded(user_pte(FRAME)) | LPTE_DIRTY);
	clear_during_write(CYDP_CLEAR_DIRTY);
	assert_page(FIRST, decoded(user_pte(FRAME)) | LPTE_YOUNG);
	assert_int_equal(pd_world->work.sets, 0);
	clear_during_write(CYDP_CLEAR_YOUNG | CYDP_CLEAR_DIRTY);
	assert_page(FIRST, decoded(user_pte(FRAME)));
	assert_int_equal(pd_world->work.sets, 1);
	assert_int_equal(pd_world->work.xchgs, 0);
}

static void test_unfold_keeps_a_hardware_write(void **state)
{
	(void)state;
	map_blocks(0, 0);
	write_at_step(FIRST + 9, 6);
	assert_false(pte_dirty(*at(FIRST + 9)));
	wrprotect_ptes(&mm, pd_addr(FIRST), at(FIRST), 1);
	for (unsigned int i = 0; i < CONT_PTES; i++)
		assert_int_equal(decoded(*at(FIRST + i)) & AD, AD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_get_and_clear),
		TEST(test_clear),
		TEST(test_wrprotect),
		TEST(test_clear_young_and_dirty),
		TEST(test_single_entries_stay_alone),
		TEST(test_wrprotect_keeps_a_hardware_write),
		TEST(test_clear_young_dirty_during_a_hardware_write),
		TEST(test_unfold_keeps_a_hardware_write),
	};

	return cmocka_run_group_tests_name("arm64 contpte, ranges", tests, NULL, NULL);
}
