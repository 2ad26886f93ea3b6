/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When contpte blocks come into being and how they are broken.
 */
#include "tests/shim/arm64_blocks.h"

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
	assert_not_folded(FRAME + 1, pte, CONT_PTES); /* frames not aligned */
	assert_not_folded(256, pte, CONT_PTES); /* two folios, adjacent */
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
	w->nr_events--; /* the clear itself */
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

/* ---- set_ptes() ---- */

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

				assert_page(start + i,
					    decoded(user_pte(frame + i)) | (cont ? LPTE_CONT : 0));
			}
			assert_int_equal(pd_world->work.sets, nr);
			assert_no_incident();
		}
	}
}

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
	};

	return cmocka_run_group_tests_name("arm64 contpte, fold and unfold", tests, NULL, NULL);
}
