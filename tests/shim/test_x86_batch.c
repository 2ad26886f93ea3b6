/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The generic batch helpers and both forms of the batch scan, on the arch that has none of its own.
 */
#include "tests/shim/x86_batch.h"

/* Call @check for many ranges of random entries. */
static void for_each_range(void (*check)(struct range r, uint64_t *seed))
{
	uint64_t seed = 11;

	for (unsigned int n = 0; n < ROUNDS; n++) {
		put_random(&seed);
		check(random_range(&seed), &seed);
	}
}

/* ---- setting and clearing ---- */

static void check_set(struct range r, uint64_t *seed)
{
	pte_t pte = random_pte(seed, 900);
	lpte_t l;

	if (next_random(seed) % 4 == 0)
		pte = pte_modify(pte, PAGE_NONE);
	l = decoded(pte);
	for (unsigned int i = 0; i < r.nr; i++)
		*at(FIRST + r.first + i) = __pte(0);
	set_ptes(&mm, pd_addr(FIRST + r.first), at(FIRST + r.first), pte, r.nr);
	for (unsigned int i = 0; i < PAGES; i++)
		assert_entry(i, inside(r, i) ?
				l + ((lpte_t)(i - r.first) << LPTE_PFN_SHIFT) : before[i]);
	assert_no_incident();
}

static void check_get_and_clear(struct range r, uint64_t *seed)
{
	pte_t pte;

	(void)seed;
	/* All present, as its callers have made sure. */
	for (unsigned int i = r.first; i < r.first + r.nr; i++)
		if (!lpte_present(before[i]))
			return;
	pte = get_and_clear_ptes(&mm, pd_addr(FIRST + r.first), at(FIRST + r.first), r.nr);
	if ((decoded(pte) ^ (before[r.first] | or_of(r, AD))) & ~LPTE_SOFT_DIRTY)
		fail_msg("got %#lx", decoded(pte));
	assert_true(!(before[r.first] & LPTE_SOFT_DIRTY) || pte_soft_dirty(pte));
	assert_cleared(r, ~0ULL);
	assert_int_equal(pd_world->work.xchgs, r.nr);
}

static void check_clear(struct range r, uint64_t *seed)
{
	(void)seed;
	clear_ptes(&mm, pd_addr(FIRST + r.first), at(FIRST + r.first), r.nr);
	assert_cleared(r, ~0ULL);
}

static void check_clear_nonpresent(struct range r, uint64_t *seed)
{
	(void)seed;
	for (unsigned int i = 0; i < PAGES; i++) {
		*at(FIRST + i) = swp_entry_to_pte(swp_entry(1, 100 + i));
		before[i] = now(i);
	}
	clear_nonpresent_ptes(&mm, pd_addr(FIRST + r.first), at(FIRST + r.first), r.nr);
	assert_cleared(r, ~0ULL);
}

static void test_set_and_clear(void **state)
{
	(void)state;
	for_each_range(check_set);
	for_each_range(check_get_and_clear);
	for_each_range(check_clear);
	for_each_range(check_clear_nonpresent);
}

/* ---- changing in place ---- */

/* Entries that are none stay none: the helpers are only called on present ones. */
static void fill_holes(struct range r)
{
	for (unsigned int i = r.first; i < r.first + r.nr; i++) {
		if (lpte_present(before[i]))
			continue;
		*at(FIRST + i) = user_pte(FRAME + i);
		before[i] = now(i);
	}
}

static void check_wrprotect(struct range r, uint64_t *seed)
{
	(void)seed;
	fill_holes(r);
	wrprotect_ptes(&mm, pd_addr(FIRST + r.first), at(FIRST + r.first), r.nr);
	assert_cleared(r, LPTE_WRITE);
}

static void check_young(struct range r, uint64_t *seed)
{
	(void)seed;
	fill_holes(r);
	assert_int_equal(test_and_clear_young_ptes(&vma, pd_addr(FIRST + r.first),
						   at(FIRST + r.first), r.nr),
			 !!or_of(r, LPTE_YOUNG));
	assert_cleared(r, LPTE_YOUNG);
}

static void check_clear_young_dirty(struct range r, uint64_t *seed)
{
	static const struct {
		cydp_t flags;
		lpte_t bits;
	} what[] = {
		{ CYDP_CLEAR_YOUNG, LPTE_YOUNG },
		{ CYDP_CLEAR_DIRTY, LPTE_DIRTY },
		{ CYDP_CLEAR_YOUNG | CYDP_CLEAR_DIRTY, AD },
	};
	unsigned int n = (unsigned int)(next_random(seed) % ARRAY_SIZE(what));

	fill_holes(r);
	clear_young_dirty_ptes(&vma, pd_addr(FIRST + r.first), at(FIRST + r.first), r.nr,
			       what[n].flags);
	for (unsigned int i = 0; i < PAGES; i++)
		assert_entry(i, inside(r, i) ? before[i] & ~what[n].bits : before[i]);
}

static void check_modify(struct range r, uint64_t *seed)
{
	unsigned long addr = pd_addr(FIRST + r.first);
	pte_t *ptep = at(FIRST + r.first), old, pte = random_pte(seed, 700);
	lpte_t l = decoded(pte);

	fill_holes(r);
	old = modify_prot_start_ptes(&vma, addr, ptep, r.nr);
	assert_cleared(r, ~0ULL);
	assert_int_equal(decoded(old) & AD, or_of(r, AD));
	modify_prot_commit_ptes(&vma, addr, ptep, old, pte, r.nr);
	for (unsigned int i = 0; i < PAGES; i++)
		assert_entry(i, inside(r, i) ?
				l + ((lpte_t)(i - r.first) << LPTE_PFN_SHIFT) : before[i]);
	assert_no_incident();
}

static void test_change_in_place(void **state)
{
	(void)state;
	for_each_range(check_wrprotect);
	for_each_range(check_young);
	for_each_range(check_clear_young_dirty);
	for_each_range(check_modify);
}

/* ---- hardware between a load and a store ---- */

static void write_at_step(unsigned int va, unsigned int step)
{
	pd_world->hw[0] = (struct pd_hw){ .step = step, .va = (uint16_t)va, .pages = 1,
					  .what = PD_HW_WRITE };
	pd_world->nr_hw = 1;
}

static void begin(pte_t pte, unsigned int step)
{
	*at(FIRST) = pte;
	pd_tlb_flush_all();
	restart();
	write_at_step(FIRST, step);
}

/* Before the first access, between the first two, before a third: a write is never forgotten. */
static void test_a_hardware_write_is_kept(void **state)
{
	(void)state;
	for (unsigned int step = 0; step < 3; step++) {
		pte_t pte;

		begin(user_pte(FRAME), step);
		wrprotect_ptes(&mm, pd_addr(FIRST), at(FIRST), 1);
		assert_int_equal(pte_dirty(*at(FIRST)), pd_world->nr_written > 0);
		begin(pte_mkyoung(user_pte(FRAME)), step);
		test_and_clear_young_ptes(&vma, pd_addr(FIRST), at(FIRST), 1);
		assert_int_equal(pte_dirty(*at(FIRST)), pd_world->nr_written > 0);
		begin(user_pte(FRAME), step);
		pte = get_and_clear_ptes(&mm, pd_addr(FIRST), at(FIRST), 1);
		assert_int_equal(pte_dirty(pte), pd_world->nr_written > 0);
	}
}

/* ---- the scan ---- */

static lpte_t compared(lpte_t pte, fpb_t flags)
{
	lpte_t ignored = LPTE_YOUNG | LPTE_ENCODING;

	ignored |= flags & FPB_RESPECT_DIRTY ? 0 : LPTE_DIRTY;
	ignored |= flags & FPB_RESPECT_SOFT_DIRTY ? 0 : LPTE_SOFT_DIRTY;
	ignored |= flags & FPB_RESPECT_WRITE ? 0 : LPTE_WRITE;
	return pte & ~ignored;
}

/* The run from @r.first on, one entry at a time; what its later entries say in @any. */
static unsigned int model_run(struct range r, fpb_t flags, lpte_t *any)
{
	unsigned int end = lpte_pfn(before[r.first]) < FRAME + 32 ? FRAME + 32 : FRAME + 40;
	unsigned int nr = 1;

	*any = 0;
	while (nr < r.nr && lpte_pfn(before[r.first]) + nr < end) {
		lpte_t next = compared(before[r.first], flags) + ((lpte_t)nr << LPTE_PFN_SHIFT);

		if (compared(before[r.first + nr], flags) != next)
			break;
		*any |= before[r.first + nr++];
	}
	return nr;
}

static struct folio *folio_at(struct range r)
{
	return page_folio(pfn_to_page(lpte_pfn(before[r.first])));
}

static void check_scan(struct range r, uint64_t *seed)
{
	fpb_t flags = (fpb_t)(next_random(seed) % 32);
	pte_t *ptep = at(FIRST + r.first), pte = *ptep;
	lpte_t any, merged = before[r.first];
	unsigned int nr;

	if (!lpte_present(before[r.first]) || pte_protnone(pte) || pte_uffd_wp(pte))
		return;
	nr = model_run(r, flags, &any);
	assert_int_equal(folio_pte_batch_flags(folio_at(r), &vma, ptep, &pte, r.nr, flags), nr);
	if (flags & FPB_MERGE_WRITE)
		merged |= any & LPTE_WRITE;
	if (flags & FPB_MERGE_YOUNG_DIRTY)
		merged |= any & AD;
	assert_int_equal((decoded(pte) ^ merged) & ~LPTE_SOFT_DIRTY, 0);
	assert_int_equal(folio_pte_batch(folio_at(r), ptep, *ptep, r.nr),
			 model_run(r, 0, &any));
	assert_cleared(r, 0);
	assert_int_equal(pd_world->work.sets + pd_world->work.xchgs, 0);
}

/* The form of 6.9 to 6.16: flags say what to ignore, write is always ignored. */
static void check_scan_9(struct range r, uint64_t *seed)
{
	bool dirty = next_random(seed) % 2, soft_dirty = next_random(seed) % 2;
	fpb_t ignore = (dirty ? 0 : FPB_IGNORE_DIRTY) | (soft_dirty ? 0 : FPB_IGNORE_SOFT_DIRTY);
	fpb_t respect = (dirty ? FPB_RESPECT_DIRTY : 0) | (soft_dirty ? FPB_RESPECT_SOFT_DIRTY : 0);
	pte_t *ptep = at(FIRST + r.first), pte = *ptep;
	bool any_write, any_young, any_dirty;
	lpte_t any;
	int nr;

	if (!lpte_present(before[r.first]))
		return;
	nr = folio_pte_batch(folio_at(r), pd_addr(FIRST + r.first), ptep, pte, (int)r.nr, ignore,
			     &any_write, &any_young, &any_dirty);
	assert_int_equal(nr, model_run(r, respect, &any));
	assert_int_equal(any_write, !!(any & LPTE_WRITE));
	assert_int_equal(any_young, !!(any & LPTE_YOUNG));
	assert_int_equal(any_dirty, !!(any & LPTE_DIRTY));
	assert_int_equal(folio_pte_batch(folio_at(r), pd_addr(FIRST + r.first), ptep, pte,
					 (int)r.nr, ignore, NULL, NULL, NULL), nr);
}

static void test_scan(void **state)
{
	(void)state;
	for_each_range(check_scan);
	for_each_range(check_scan_9);
}

/* The look at the folio: none behind the zero page, the head behind a tail. */
static void test_normal_folio(void **state)
{
	(void)state;
	make_folio(FRAME, ORDER);
	for (unsigned int i = 0; i < 32; i++) {
		struct folio *folio = vm_normal_folio(&vma, 0, user_pte(FRAME + i));

		assert_int_equal(folio_pfn(folio), FRAME);
		assert_int_equal(folio_nr_pages(folio), 32);
		assert_true(folio_test_large(folio));
		assert_int_equal(folio_page_idx(folio, pfn_to_page(FRAME + i)), i);
	}
	assert_null(vm_normal_folio(&vma, 0, pte_mkspecial(user_pte(PD_ZERO_PFN))));
	assert_false(folio_test_large(vm_normal_folio(&vma, 0, user_pte(3))));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_set_and_clear),
		TEST(test_change_in_place),
		TEST(test_a_hardware_write_is_kept),
		TEST(test_scan),
		TEST(test_normal_folio),
	};

	return cmocka_run_group_tests_name("x86-64 batches", tests, setup, teardown);
}
