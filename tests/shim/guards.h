/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the world notices by itself, whoever judges: accesses outside the tables, endless loops,
 * stale translations, locks and notifiers out of order, entries overwritten, hardware that was
 * overtaken. Each driven by the few kernel calls that it takes, right and wrong.
 */
#ifndef PD_TESTS_SHIM_GUARDS_H
#define PD_TESTS_SHIM_GUARDS_H

#include "tests/shim/world.h"

#define PAGE(pfn)	((lpte_t)LPTE_KIND_PRESENT | (lpte_t)(pfn) << LPTE_PFN_SHIFT)
#define VA		40u

static unsigned long addr(unsigned int va)
{
	return PD_VA_BASE + va * PAGE_SIZE;
}

/* Put entries into the table behind the shim's back. */
static void put(unsigned int va, lpte_t pte, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		*at(va + i) = encoded(pte + ((lpte_t)i << LPTE_PFN_SHIFT));
}

static spinlock_t *lock_of(unsigned int va)
{
	return &pd_world->lock[va / PD_TABLE_PAGES];
}

/* ---- outside the tables ---- */

static void touch_read(pte_t *ptep)
{
	assert_int_equal(pd_raw_read(ptep), 0);
}

static void touch_set(pte_t *ptep)
{
	pd_raw_set(ptep, pte_val(encoded(PAGE(9))));
}

static void touch_xchg(pte_t *ptep)
{
	assert_int_equal(pd_raw_xchg(ptep, pte_val(encoded(PAGE(9)))), 0);
}

static void touch_cmpxchg(pte_t *ptep)
{
	pteval_t old = 0;

	pd_raw_cmpxchg(ptep, &old, pte_val(encoded(PAGE(9))));
}

static void (*const touches[])(pte_t *ptep) = {
	touch_read, touch_set, touch_xchg, touch_cmpxchg,
};

/* One entry before the first and one behind the last of each table: seen, and nothing written. */
static void test_outside(void **state)
{
	(void)state;
	for (unsigned int slot = 0; slot < PD_NR_TABLES; slot++) {
		pte_t *const first = at(slot * PD_TABLE_PAGES);
		pte_t *const out[] = { first - 1, first + PD_TABLE_PAGES };

		for (unsigned int i = 0; i < ARRAY_SIZE(out) * ARRAY_SIZE(touches); i++) {
			pte_t *ptep = out[i % 2];

			pd_world_reset(pd_world);
			touches[i / 2](ptep);
			assert_only(PD_INCIDENT_OOB);
			assert_int_equal(ptep->pte, 0);
		}
	}
}

static void test_inside(void **state)
{
	(void)state;
	for (unsigned int slot = 0; slot < PD_NR_TABLES; slot++) {
		pte_t *const first = at(slot * PD_TABLE_PAGES);

		pd_raw_read(first);
		pd_raw_read(first + PD_TABLE_PAGES - 1);
	}
	assert_only(PD_NR_INCIDENTS);
}

/* ---- the step budget ---- */

static noinline bool spin_for_ever(void)
{
	if (setjmp(pd_world->escape))
		return true;
	for (;;)
		pd_raw_read(at(VA));
	return false;
}

static void test_budget(void **state)
{
	(void)state;
	assert_true(spin_for_ever());
	assert_only(PD_INCIDENT_NO_PROGRESS);
	assert_int_equal(pd_world->steps, BUDGET);
}

/* A loop that only maps the table again and again makes no progress either. */
static noinline bool map_for_ever(void)
{
	spinlock_t *ptl;

	if (setjmp(pd_world->escape))
		return true;
	while (!pte_offset_map_lock(&mm, pd_pmd(addr(VA)), addr(VA), &ptl))
		;
	return false;
}

static void test_budget_without_access(void **state)
{
	(void)state;
	pd_world->pmd[0] = 0;
	assert_true(map_for_ever());
	assert_only(PD_INCIDENT_NO_PROGRESS);
}

/* ---- the TLB ---- */

/* Clear the entry at VA, with @flush before, inside or after the lock, or never. */
enum flush { NEVER, BEFORE_CLEAR, IN_TIME, TOO_LATE, ELSEWHERE };

static void clear_entry(lpte_t pte, enum flush flush)
{
	put(VA, pte, 1);
	spin_lock(lock_of(VA));
	if (flush == BEFORE_CLEAR)
		flush_tlb_range(&vma, addr(VA), addr(VA + 1));
	ptep_get_and_clear(&mm, addr(VA), at(VA));
	if (flush == IN_TIME)
		flush_tlb_range(&vma, addr(VA), addr(VA + 1));
	if (flush == ELSEWHERE)
		flush_tlb_range(&vma, addr(VA + 1), addr(VA + 2));
	spin_unlock(lock_of(VA));
	if (flush == TOO_LATE)
		flush_tlb_range(&vma, addr(VA), addr(VA + 1));
}

static void check_clear(lpte_t pte, enum flush flush, unsigned int incident)
{
	pd_world_reset(pd_world);
	pd_world->nr_stale = 0;
	clear_entry(pte, flush);
	assert_only(incident);
}

static void test_flush(void **state)
{
	(void)state;
	check_clear(PAGE(9) | LPTE_YOUNG, IN_TIME, PD_NR_INCIDENTS);
	check_clear(PAGE(9) | LPTE_YOUNG, NEVER, PD_INCIDENT_STALE);
	check_clear(PAGE(9) | LPTE_YOUNG, BEFORE_CLEAR, PD_INCIDENT_STALE);
	check_clear(PAGE(9) | LPTE_YOUNG, TOO_LATE, PD_INCIDENT_STALE);
	check_clear(PAGE(9) | LPTE_YOUNG, ELSEWHERE, PD_INCIDENT_STALE);
	/* An old entry may become young, and cached, at any time. */
	check_clear(PAGE(9), NEVER, PD_INCIDENT_STALE);
	/* Nobody caches what is not valid. */
	check_clear(PAGE(9) | LPTE_PROTNONE, NEVER, PD_NR_INCIDENTS);
	check_clear(lpte_make(LPTE_KIND_SWAP, 9), NEVER, PD_NR_INCIDENTS);
}

/* What is owed is the operation's range: beyond it, somebody else flushes. */
static void test_flush_not_owed(void **state)
{
	(void)state;
	pd_world->owed = (struct pd_span){ .src = VA + 1, .pages = 100 };
	check_clear(PAGE(9), NEVER, PD_NR_INCIDENTS);
}

/* Entry by entry replaced: stale is what the table no longer allows. */
static void test_stale_by_permission(void **state)
{
	static const struct {
		lpte_t from, to;
		bool stale;
	} changes[] = {
		{ PAGE(9) | LPTE_WRITE, PAGE(9), true },
		{ PAGE(9), PAGE(9) | LPTE_WRITE, false },
		{ PAGE(9) | LPTE_YOUNG, PAGE(9), false },
		{ PAGE(9), PAGE(10), true },
		{ PAGE(9) | 1ULL << LPTE_PROT_SHIFT, PAGE(9), true },
		{ PAGE(9), PAGE(9) | LPTE_SOFT_DIRTY, false },
		{ PAGE(9), PAGE(9) | LPTE_PROTNONE, true },
	};

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(changes); i++) {
		pd_world_reset(pd_world);
		pd_world->nr_stale = 0;
		put(VA, changes[i].from, 1);
		spin_lock(lock_of(VA));
		pd_raw_set(at(VA), pte_val(encoded(changes[i].to)));
		spin_unlock(lock_of(VA));
		assert_int_equal(seen(PD_INCIDENT_STALE), changes[i].stale);
	}
}

/* A flush of the middle of a run leaves both ends stale. */
static void test_flush_of_a_part(void **state)
{
	(void)state;
	put(VA, PAGE(512) | LPTE_YOUNG, 8);
	pd_world->held = UINT32_MAX;
	for (unsigned int i = 0; i < 8; i++)
		ptep_get_and_clear(&mm, addr(VA + i), at(VA + i));
	assert_int_equal(pd_world->nr_stale, 1);
	flush_tlb_range(&vma, addr(VA + 2), addr(VA + 5));
	assert_int_equal(pd_world->nr_stale, 2);
	for (unsigned int i = 0; i < 8; i++) {
		bool stale = pd_world->stale_map[0] >> (VA + i) & 1;

		assert_int_equal(stale, i < 2 || i >= 5);
	}
	flush_tlb_range(&vma, addr(VA), addr(VA + 2));
	flush_tlb_range(&vma, addr(VA + 5), addr(VA + 8));
	assert_int_equal(pd_world->nr_stale, 0);
	assert_only(PD_NR_INCIDENTS);
}

/* What reclaim put off is not owed when a lock is dropped; making up for it flushes all. */
static void test_deferred(void **state)
{
	(void)state;
	pd_world->stale[0] = (struct pd_stale){ .va = VA, .nr = 1, .deferred = true,
						.raw = pte_val(encoded(PAGE(9) | LPTE_YOUNG)) };
	pd_world->stale_map[0] = 1ULL << VA;
	pd_world->nr_stale = 1;
	pd_world->deferred = true;
	spin_lock(lock_of(VA));
	spin_unlock(lock_of(VA));
	assert_only(PD_NR_INCIDENTS);
	assert_int_equal(pd_world->nr_stale, 1);
	flush_tlb_batched_pending(&mm);
	assert_int_equal(pd_world->nr_stale, 0);
	assert_false(pd_world->deferred);
}

/* ---- hardware ---- */

static void hw(unsigned int step, enum pd_hw_what what, unsigned int va, unsigned int pages)
{
	pd_world->hw[pd_world->nr_hw++] = (struct pd_hw){ .step = step, .va = (uint16_t)va,
							  .pages = (uint16_t)pages,
							  .what = (uint8_t)what };
	if (step < pd_world->stop)
		pd_world->stop = step;
}

/* A write between the read and the clear is in what the clear returns, or it would be lost. */
static void test_clear_is_atomic(void **state)
{
	(void)state;
	put(VA, PAGE(9) | LPTE_YOUNG | LPTE_WRITE, 1);
	spin_lock(lock_of(VA));
	hw(1, PD_HW_WRITE, VA, 1);
	assert_false(decoded(__pte(pd_raw_read(at(VA)))) & LPTE_DIRTY);
	assert_true(decoded(ptep_get_and_clear(&mm, addr(VA), at(VA))) & LPTE_DIRTY);
	assert_int_equal(pd_world->nr_written, 1);
	assert_int_equal(pd_world->written[0], 9);
}

/* A read makes young; a write needs permission; neither happens where nothing is valid. */
static void test_hardware(void **state)
{
	(void)state;
	put(VA, PAGE(9), 1);
	put(VA + 1, PAGE(10) | LPTE_WRITE, 1);
	put(VA + 2, PAGE(11) | LPTE_PROTNONE, 1);
	hw(0, PD_HW_WRITE, VA, 4);
	hw(1, PD_HW_READ, VA, 4);
	pd_raw_read(at(VA + 3));
	assert_int_equal(decoded(*at(VA)), PAGE(9));
	assert_int_equal(decoded(*at(VA + 1)) & ~LPTE_SWDIRTY,
			 PAGE(10) | LPTE_WRITE | LPTE_YOUNG | LPTE_DIRTY);
	pd_raw_read(at(VA + 3));
	assert_int_equal(decoded(*at(VA)), PAGE(9) | LPTE_YOUNG);
	assert_int_equal(decoded(*at(VA + 2)), PAGE(11) | LPTE_PROTNONE);
	assert_int_equal(pd_world->nr_written, 1);
}

/* A CPU that holds a dirty writable translation writes without looking at the table. */
static void test_write_through_tlb(void **state)
{
	(void)state;
	put(VA, PAGE(9) | LPTE_YOUNG | LPTE_WRITE | LPTE_DIRTY, 1);
	spin_lock(lock_of(VA));
	ptep_get_and_clear(&mm, addr(VA), at(VA));
	hw((uint32_t)pd_world->steps, PD_HW_WRITE, VA, 1);
	pd_raw_read(at(VA + 1));
	assert_int_equal(pd_world->nr_written, 1);
	flush_tlb_range(&vma, addr(VA), addr(VA + 1));
	hw((uint32_t)pd_world->steps, PD_HW_WRITE, VA, 1);
	pd_raw_read(at(VA + 1));
	assert_int_equal(pd_world->nr_written, 1);
}

/* ---- locks, notifiers, assertions, what is set over ---- */

static void test_locks(void **state)
{
	(void)state;
	spin_lock(lock_of(VA));
	pd_raw_set(at(VA), pte_val(encoded(PAGE(9))));
	spin_unlock(lock_of(VA));
	assert_only(PD_NR_INCIDENTS);
	pd_raw_set(at(VA + 1), pte_val(encoded(PAGE(10))));
	assert_only(PD_INCIDENT_UNLOCKED);

	pd_world_reset(pd_world);
	spin_lock(lock_of(VA));
	pd_raw_set(at(PD_TABLE_PAGES), pte_val(encoded(PAGE(11))));
	assert_only(PD_INCIDENT_UNLOCKED);

	pd_world_reset(pd_world);
	spin_lock(lock_of(VA));
	spin_lock(lock_of(VA));
	assert_only(PD_INCIDENT_LOCK);

	pd_world_reset(pd_world);
	spin_unlock(lock_of(VA));
	assert_only(PD_INCIDENT_LOCK);
}

static void test_notifiers(void **state)
{
	struct mmu_notifier_range range;

	(void)state;
	mmu_notifier_range_init(&range, MMU_NOTIFY_UNMAP, 0, &mm, addr(3), addr(9));
	mmu_notifier_invalidate_range_start(&range);
	assert_true(pd_world->notify.active);
	mmu_notifier_invalidate_range_end(&range);
	assert_only(PD_NR_INCIDENTS);
	assert_false(pd_world->notify.active);
	assert_int_equal(pd_world->notify.count, 1);
	assert_int_equal(pd_world->notify.va, 3);
	assert_int_equal(pd_world->notify.pages, 6);

	mmu_notifier_invalidate_range_end(&range);
	assert_only(PD_INCIDENT_NOTIFY);
	pd_world_reset(pd_world);
	mmu_notifier_invalidate_range_start(&range);
	mmu_notifier_invalidate_range_start(&range);
	assert_only(PD_INCIDENT_NOTIFY);
}

/* Where the operation moves entries to, each place is set once, while it is none. */
static void test_overwrite(void **state)
{
	(void)state;
	pd_world->fresh = (struct pd_span){ .dst = VA, .pages = 4 };
	pd_world->held = UINT32_MAX;
	pd_raw_set(at(VA), pte_val(encoded(PAGE(9) | LPTE_PROTNONE)));
	assert_only(PD_NR_INCIDENTS);
	pd_raw_set(at(VA + 4), pte_val(encoded(PAGE(9) | LPTE_PROTNONE)));
	pd_raw_set(at(VA + 4), pte_val(encoded(PAGE(10) | LPTE_PROTNONE)));
	assert_only(PD_NR_INCIDENTS);
	pd_raw_set(at(VA), pte_val(encoded(PAGE(10) | LPTE_PROTNONE)));
	assert_only(PD_INCIDENT_OVERWRITE);
	assert_int_equal(pd_world->incident[PD_INCIDENT_OVERWRITE].va, VA);
}

static void test_assertions(void **state)
{
	(void)state;
	VM_WARN_ON(pd_world->held);
	assert_only(PD_NR_INCIDENTS);
	VM_WARN_ON(!pd_world->held);
	assert_only(PD_INCIDENT_WARN);
	pd_world_reset(pd_world);
	lazy_mmu_mode_disable();
	assert_only(PD_INCIDENT_WARN);
}

static int run_guards(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_outside), TEST(test_inside), TEST(test_budget),
		TEST(test_budget_without_access), TEST(test_flush), TEST(test_flush_not_owed),
		TEST(test_stale_by_permission), TEST(test_flush_of_a_part), TEST(test_deferred),
		TEST(test_clear_is_atomic), TEST(test_hardware), TEST(test_write_through_tlb),
		TEST(test_locks), TEST(test_notifiers), TEST(test_overwrite),
		TEST(test_assertions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
