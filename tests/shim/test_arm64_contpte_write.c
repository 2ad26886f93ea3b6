/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Making, breaking and changing contpte blocks.
 *
 *	page	0       16      32      48      64
 *		|       |///////|///////|///////|
 *	frame	        512     528     544       one folio of 64 pages, three blocks of it mapped
 */
#include "tests/shim/arm64_world.h"

#define FIRST	16u
#define PAGES	48u
#define FRAME	512u

#define AD	(LPTE_YOUNG | LPTE_DIRTY)

static lpte_t before[PAGES + 2 * CONT_PTES];

static void remember(void)
{
	for (unsigned int va = 0; va < ARRAY_SIZE(before); va++)
		before[va] = decoded(*at(va));
}

static void map_blocks(uint64_t young, uint64_t dirty)
{
	make_folio(FRAME, 6);
	for (unsigned int i = 0; i < PAGES; i++) {
		pte_t pte = pte_mkcont(user_pte(FRAME + i));

		if (young >> i & 1)
			pte = pte_mkyoung(pte);
		if (dirty >> i & 1)
			pte = pte_mkdirty(pte);
		*at(FIRST + i) = pte;
	}
	remember();
	pd_tlb_flush_all();
	restart(pd_world);
}

static unsigned int block_of(unsigned int va)
{
	return va - va % CONT_PTES;
}

/* The OR of @bits at entry over the block of @va. */
static lpte_t block_or(unsigned int va, lpte_t bits)
{
	lpte_t l = 0;

	for (unsigned int i = 0; i < CONT_PTES; i++)
		l |= before[block_of(va) + i] & bits;
	return l;
}

/* Is the block of @va cut by [start, end)? */
static bool cut(unsigned int va, unsigned int start, unsigned int end)
{
	unsigned int first = block_of(va), last = first + CONT_PTES;

	return first < end && start < last && (first < start || end < last);
}

static void assert_page(unsigned int va, lpte_t expected)
{
	lpte_t got = decoded(*at(va));

	if ((got ^ expected) & ~LPTE_SWDIRTY)
		fail_msg("page %u: %#lx, expected %#lx", va, got, expected);
	if (pd_raw_broken(PD_ARCH_ARM64, pte_val(*at(va))))
		fail_msg("page %u: %s", va, pd_raw_broken(PD_ARCH_ARM64, pte_val(*at(va))));
}

/* What an entry is after its block has been unfolded. */
static lpte_t unfolded(unsigned int va)
{
	return (before[va] & ~LPTE_CONT) | block_or(va, AD);
}

/* Everything outside [start, end): unfolded where the range cuts a block, else as it was. */
static void assert_outside(unsigned int start, unsigned int end)
{
	for (unsigned int va = 0; va < ARRAY_SIZE(before); va++)
		if (va < start || va >= end)
			assert_page(va, cut(va, start, end) ? unfolded(va) : before[va]);
	assert_no_incident();
}

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

/* ---- fold ---- */

static void set_singly(unsigned int va, pte_t pte, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		set_pte_at(&mm, pd_addr(va + i), at(va + i), pte_advance_pfn(pte, i));
}

static unsigned int count_cont(unsigned int va, unsigned int nr)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < nr; i++)
		count += pte_cont(*at(va + i));
	return count;
}

/* The events of a conversion: all entries gone, then the TLB flush, then the new entries. */
static void assert_break_before_make(const struct pd_world *w, unsigned int va, bool flush)
{
	unsigned int e = w->nr_events - CONT_PTES;

	assert_true(w->nr_events <= PD_MAX_EVENTS);
	for (unsigned int i = 0; i < CONT_PTES; i++) {
		assert_int_equal(w->event[e + i].kind, PD_EVENT_SET);
		assert_int_equal(w->event[e + i].a, va + i);
		assert_int_equal(w->event[e + i].c, 0);
	}
	if (flush) {
		e--;
		assert_int_equal(w->event[e].kind, PD_EVENT_FLUSH);
		assert_int_equal(w->event[e].a, va);
		assert_int_equal(w->event[e].b, CONT_PTES);
	}
	e -= CONT_PTES;
	for (unsigned int i = 0; i < CONT_PTES; i++) {
		assert_int_equal(w->event[e + i].kind, PD_EVENT_XCHG);
		assert_int_equal(w->event[e + i].a, va + i);
		assert_int_equal(w->event[e + i].b, 0);
	}
}

static void check_fold(struct pd_world *w, bool bbml)
{
	w->bbml = bbml;
	make_folio(FRAME, 6);
	put(FIRST, __pte(0), CONT_PTES);
	put(FIRST, user_pte(FRAME), CONT_PTES - 1);
	*at(FIRST + 3) = pte_mkyoung(*at(FIRST + 3));
	*at(FIRST + 5) = pte_mkdirty(*at(FIRST + 5));
	remember();
	restart(w);
	set_singly(FIRST + 15, user_pte(FRAME + 15), 1);
	for (unsigned int i = 0; i < CONT_PTES - 1; i++)
		assert_page(FIRST + i, before[FIRST + i] | LPTE_CONT | AD);
	assert_page(FIRST + 15, decoded(user_pte(FRAME + 15)) | LPTE_CONT | AD);
	assert_break_before_make(w, FIRST, !bbml);
	assert_int_equal(w->work.flushes, !bbml);
	assert_no_incident();
}

static void test_fold(void **state)
{
	check_fold(*state, false);
}

static void test_fold_bbml(void **state)
{
	check_fold(*state, true);
}

/* A block in the middle of its folio folds, whatever order its entries come in. */
static void test_fold_by_last_entry_only(void **state)
{
	(void)state;
	make_folio(FRAME, 6);
	set_singly(FIRST + 1, user_pte(FRAME + 17), 15);
	assert_int_equal(count_cont(FIRST, CONT_PTES), 0);
	set_singly(FIRST, user_pte(FRAME + 16), 1);
	assert_int_equal(count_cont(FIRST, CONT_PTES), 0);
	set_singly(FIRST + 15, user_pte(FRAME + 31), 1);
	assert_int_equal(count_cont(FIRST, CONT_PTES), CONT_PTES);
	assert_no_incident();
}

static void assert_not_folded(unsigned int frame, pte_t odd_one, unsigned int index)
{
	put(FIRST, __pte(0), CONT_PTES);
	put(FIRST, user_pte(frame), CONT_PTES - 1);
	if (index < CONT_PTES)
		*at(FIRST + index) = odd_one;
	remember();
	restart(pd_world);
	set_singly(FIRST + 15, user_pte(frame + 15), 1);
	for (unsigned int i = 0; i < CONT_PTES - 1; i++)
		assert_page(FIRST + i, before[FIRST + i]);
	assert_int_equal(count_cont(FIRST, CONT_PTES), 0);
	assert_int_equal(pd_world->work.flushes, 0);
}

static void test_no_fold(void **state)
{
	pte_t pte = user_pte(FRAME + 4);

	(void)state;
	make_folio(FRAME, 6);
	make_folio(256, 3);
	make_folio(264, 3);
	assert_not_folded(FRAME + 1, pte, CONT_PTES);	/* frames not aligned */
	assert_not_folded(256, pte, CONT_PTES);		/* two folios, adjacent */
	assert_not_folded(FRAME, __pte(0), 4);
	assert_not_folded(FRAME, pte_wrprotect(pte), 4);
	assert_not_folded(FRAME, pte_mkuffd_wp(pte), 4);
	assert_not_folded(FRAME, pte_mkspecial(pte), 4);
	assert_not_folded(FRAME, pte_advance_pfn(pte, 1), 4);
	assert_not_folded(FRAME, pte_modify(pte, PAGE_SHARED_EXEC), 4);
	assert_not_folded(FRAME, pfn_pte(FRAME + 4, PAGE_NONE), 4);
}

/* "arm64: mm: restrict transparent contpte mappings to valid PTEs" */
static void test_prot_none_is_never_cont(void **state)
{
	(void)state;
	make_folio(FRAME, 6);
	set_singly(FIRST, pfn_pte(FRAME, PAGE_NONE), CONT_PTES);
	set_ptes(&mm, pd_addr(FIRST + 16), at(FIRST + 16), pfn_pte(FRAME + 16, PAGE_NONE), 32);
	assert_int_equal(count_cont(FIRST, PAGES), 0);
	assert_no_incident();
}

static void test_special_does_not_fold(void **state)
{
	(void)state;
	make_folio(FRAME, 6);
	set_singly(FIRST, pte_mkspecial(user_pte(FRAME)), CONT_PTES);
	assert_int_equal(count_cont(FIRST, CONT_PTES), 0);
}

/* ---- unfold ---- */

static void check_unfold(struct pd_world *w, bool bbml)
{
	w->bbml = bbml;
	map_blocks(0x0004, 0x0200);
	ptep_get_and_clear(&mm, pd_addr(FIRST + 6), at(FIRST + 6));
	assert_page(FIRST + 6, 0);
	for (unsigned int i = 0; i < CONT_PTES; i++)
		if (i != 6)
			assert_page(FIRST + i, (before[FIRST + i] & ~LPTE_CONT) | AD);
	assert_int_equal(w->work.flushes, !bbml);
	w->nr_events--;		/* the clear itself */
	assert_break_before_make(w, FIRST, !bbml);
	assert_no_incident();
}

static void test_unfold(void **state)
{
	check_unfold(*state, false);
}

static void test_unfold_bbml(void **state)
{
	check_unfold(*state, true);
}

/* The model of break-before-make is not blind: this is what set_pte() over a block looks like. */
static void test_missing_break_is_seen(void **state)
{
	(void)state;
	map_blocks(0, 0);
	set_pte(at(FIRST), user_pte(FRAME));
	assert_true(seen(PD_INCIDENT_BBM));
}

static void test_setting_one_entry_unfolds(void **state)
{
	(void)state;
	map_blocks(0x0001, 0);
	set_pte_at(&mm, pd_addr(FIRST + 3), at(FIRST + 3), pfn_pte(FRAME + 3, PAGE_NONE));
	assert_page(FIRST + 3, decoded(pfn_pte(FRAME + 3, PAGE_NONE)));
	assert_page(FIRST + 4, unfolded(FIRST + 4));
	assert_outside(FIRST + 3, FIRST + 4);
}

/* The value of a cleared block carries CONT; set alone it must not. */
static void test_cont_is_not_taken_from_the_value(void **state)
{
	(void)state;
	make_folio(FRAME, 6);
	set_pte_at(&mm, pd_addr(FIRST), at(FIRST), pte_mkcont(user_pte(FRAME)));
	set_ptes(&mm, pd_addr(FIRST + 1), at(FIRST + 1), pte_mkcont(user_pte(FRAME + 1)), 9);
	set_pte(at(FIRST + 10), pte_mkcont(user_pte(FRAME + 10)));
	assert_int_equal(count_cont(FIRST, CONT_PTES), 0);
}

/* ---- ranges ---- */

/* Entry @va of set_ptes() from @start: in a whole block with aligned frames? */
static bool in_block(unsigned int va, unsigned int start, unsigned int end, unsigned int frame)
{
	return block_of(va) >= start && block_of(va) + CONT_PTES <= end &&
	       (frame - start) % CONT_PTES == 0;
}

static void test_set_ptes_chunks(void **state)
{
	(void)state;
	make_folio(FRAME, 6);
	for (unsigned int start = FIRST; start < FIRST + CONT_PTES; start++) {
		for (unsigned int nr = 2; nr <= PAGES - CONT_PTES; nr++) {
			unsigned int frame = FRAME + (nr % 3 ? start % CONT_PTES : 5);

			put(FIRST, __pte(0), PAGES);
			restart(pd_world);
			set_ptes(&mm, pd_addr(start), at(start), user_pte(frame), nr);
			for (unsigned int i = 0; i < nr; i++) {
				bool cont = in_block(start + i, start, start + nr, frame);

				assert_page(start + i, decoded(user_pte(frame + i)) |
						       (cont ? LPTE_CONT : 0));
			}
			assert_int_equal(pd_world->work.sets, nr);
			assert_no_incident();
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
	assert_int_equal(decoded(pte) & ~(AD | LPTE_ENCODING), before[start] & ~(AD | LPTE_ENCODING));
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
		assert_page(FIRST + i, i >= 3 && i < 23 ? before[FIRST + i] & ~LPTE_YOUNG :
							  before[FIRST + i]);
}

/* ---- hardware between a load and a store ---- */

static void write_at_step(unsigned int va, unsigned int step)
{
	struct pd_world *w = pd_world;

	w->hw[0] = (struct pd_hw){ .step = step, .va = (uint16_t)va, .pages = 1,
				   .what = PD_HW_WRITE };
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

/* ---- faults ---- */

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

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_fold),
		TEST(test_fold_bbml),
		TEST(test_fold_by_last_entry_only),
		TEST(test_no_fold),
		TEST(test_prot_none_is_never_cont),
		TEST(test_special_does_not_fold),
		TEST(test_unfold),
		TEST(test_unfold_bbml),
		TEST(test_missing_break_is_seen),
		TEST(test_setting_one_entry_unfolds),
		TEST(test_cont_is_not_taken_from_the_value),
		TEST(test_set_ptes_chunks),
		TEST(test_get_and_clear),
		TEST(test_clear),
		TEST(test_wrprotect),
		TEST(test_clear_young_and_dirty),
		TEST(test_single_entries_stay_alone),
		TEST(test_wrprotect_keeps_a_hardware_write),
		TEST(test_clear_young_dirty_during_a_hardware_write),
		TEST(test_unfold_keeps_a_hardware_write),
		TEST(test_access_flags_reach_the_entry_itself),
		TEST(test_access_flags_dirty_the_block),
		TEST(test_access_flags_write_unfolds),
		TEST(test_access_flags_of_a_single_entry),
	};

	return cmocka_run_group_tests_name("arm64 contpte, writing", tests, NULL, NULL);
}
