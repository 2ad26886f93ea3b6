/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The logical state: VMAs, accounting, copying and clearing by granule. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/build_text.h"

static struct pd_state s, other, fresh;

static int setup(void **state)
{
	(void)state;
	pd_state_init(&s);
	pd_state_init(&other);
	pd_state_init(&fresh);
	return 0;
}

static void test_empty(void **state)
{
	(void)state;
	assert_int_equal(s.nr_vmas, 1);
	assert_int_equal(s.vma[0].pages, PD_NR_VA);
	for (unsigned int va = 0; va < PD_NR_VA; va++) {
		assert_true(lpte_none(s.pte[va]));
		assert_int_equal(pd_state_linear(&s, va), va);
	}
	for (unsigned int pfn = 0; pfn < PD_NR_PFN; pfn++) {
		assert_int_equal(pd_head(&s, pfn), pfn);
		assert_int_equal(pd_folio_of(&s, pfn)->order, 0);
		assert_int_equal(pd_folio_of(&s, pfn)->type, PD_FOLIO_ANON);
	}
}

/* ---- VMAs ---- */

static void assert_vma(unsigned int i, unsigned int start, unsigned int pages, unsigned int pgoff,
		       unsigned int flags)
{
	assert_int_equal(s.vma[i].start, start);
	assert_int_equal(s.vma[i].pages, pages);
	assert_int_equal(s.vma[i].pgoff, pgoff);
	assert_int_equal(s.vma[i].flags, flags);
}

static void test_vma_cuts(void **state)
{
	const struct pd_vma ro = { .start = 16, .pages = 16, .pgoff = 500, .flags = PD_VMA_RO };
	const struct pd_vma over = { .start = 24, .pages = 24, .pgoff = 7, .flags = PD_VMA_LOCKED };

	(void)state;
	/*  |................................................|
	 *  |      RRRRRR                                    |
	 *  |      RRRLLLLLLLLL                              |
	 *  0      16 24       48				 2048 */
	assert_true(pd_state_set_vma(&s, &ro));
	assert_int_equal(s.nr_vmas, 3);
	assert_vma(0, 0, 16, 0, 0);
	assert_vma(1, 16, 16, 500, PD_VMA_RO);
	assert_vma(2, 32, PD_NR_VA - 32, 32, 0);

	assert_true(pd_state_set_vma(&s, &over));
	assert_int_equal(s.nr_vmas, 4);
	assert_vma(1, 16, 8, 500, PD_VMA_RO);
	assert_vma(2, 24, 24, 7, PD_VMA_LOCKED);
	assert_vma(3, 48, PD_NR_VA - 48, 48, 0);

	assert_ptr_equal(pd_state_vma(&s, 15), &s.vma[0]);
	assert_ptr_equal(pd_state_vma(&s, 16), &s.vma[1]);
	assert_ptr_equal(pd_state_vma(&s, 47), &s.vma[2]);
	assert_ptr_equal(pd_state_vma(&s, PD_NR_VA - 1), &s.vma[3]);
	assert_int_equal(pd_state_linear(&s, 23), 507);
	assert_int_equal(pd_state_linear(&s, 47), 30);

	/* All of it again: the others vanish. */
	assert_true(pd_state_set_vma(&s, &(struct pd_vma){ .pages = PD_NR_VA }));
	assert_int_equal(s.nr_vmas, 1);
	assert_vma(0, 0, PD_NR_VA, 0, 0);
}

static void test_vma_full(void **state)
{
	(void)state;
	for (unsigned int i = 1; i < PD_MAX_VMAS - 1; i++)
		assert_true(pd_state_set_vma(&s, &(struct pd_vma){ (uint16_t)i, 1, 0, PD_VMA_RO }));
	assert_int_equal(s.nr_vmas, PD_MAX_VMAS);
	pd_state_copy(&other, &s);
	assert_false(pd_state_set_vma(&s, &(struct pd_vma){ 1000, 1, 0, PD_VMA_RO }));
	assert_true(same_state(&s, &other));
	/* One that replaces another needs no room. */
	assert_true(pd_state_set_vma(&s, &(struct pd_vma){ 5, 1, 9, PD_VMA_LOCKED }));
	assert_int_equal(s.nr_vmas, PD_MAX_VMAS);
}

/* Against flags and linear index kept page by page. */
static void test_vma_random(void **state)
{
	static uint16_t flags[PD_NR_VA], linear[PD_NR_VA];
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 1, 0);
	for (unsigned int va = 0; va < PD_NR_VA; va++)
		linear[va] = (uint16_t)va;
	for (unsigned int round = 0; round < 300; round++) {
		struct pd_vma v = { .start = (uint16_t)pd_below(&rng, PD_NR_VA) };

		v.pages = (uint16_t)(1 + pd_below(&rng, PD_NR_VA - v.start));
		v.pgoff = (uint16_t)pd_rng_next(&rng);
		v.flags = (uint16_t)pd_below(&rng, 512);
		if (!pd_state_set_vma(&s, &v))
			continue;
		for (unsigned int i = 0; i < v.pages; i++) {
			flags[v.start + i] = v.flags;
			linear[v.start + i] = (uint16_t)(v.pgoff + i);
		}
		for (unsigned int va = 0; va < PD_NR_VA; va++) {
			assert_int_equal(pd_state_vma(&s, va)->flags, flags[va]);
			assert_int_equal((uint16_t)pd_state_linear(&s, va), linear[va]);
		}
	}
}

/* ---- accounting ---- */

static bool counts_as_mapping(lpte_t pte)
{
	enum lpte_kind kind = lpte_kind(pte);

	return lpte_normal(pte) || kind == LPTE_KIND_DEVICE_PRIVATE_READ ||
	       kind == LPTE_KIND_DEVICE_PRIVATE_WRITE || kind == LPTE_KIND_DEVICE_EXCLUSIVE;
}

/* Counters and mappings from the entries alone. */
static void recount(const struct pd_state *from, int32_t *counter, uint16_t *mapped)
{
	memset(counter, 0, PD_NR_COUNTERS * sizeof(*counter));
	memset(mapped, 0, PD_NR_PFN * sizeof(*mapped));
	for (unsigned int va = 0; va < PD_NR_VA; va++) {
		lpte_t pte = from->pte[va];
		bool zero = lpte_present(pte) && lpte_pfn(pte) == PD_ZERO_PFN;
		bool page = counts_as_mapping(pte) || (lpte_kind(pte) >= LPTE_KIND_MIGRATION_READ &&
						       lpte_kind(pte) <= LPTE_KIND_MIGRATION_WRITE);

		counter[PD_COUNTER_SWAP] += lpte_kind(pte) == LPTE_KIND_SWAP;
		counter[PD_COUNTER_KSM_ZERO] += zero && (pte & LPTE_DIRTY);
		if (!page)
			continue;
		if (pd_folio_of(from, lpte_pfn(pte))->type == PD_FOLIO_FILE)
			counter[PD_COUNTER_FILE]++;
		else
			counter[PD_COUNTER_ANON]++;
		mapped[lpte_pfn(pte)] += counts_as_mapping(pte);
	}
}

static void assert_counts(const struct pd_state *from)
{
	static uint16_t mapped[PD_NR_PFN];
	int32_t counter[PD_NR_COUNTERS];

	recount(from, counter, mapped);
	for (unsigned int i = 0; i < PD_NR_COUNTERS; i++)
		assert_int_equal(from->counter[i], counter[i]);
	for (unsigned int pfn = 0; pfn < PD_NR_PFN; pfn++)
		assert_int_equal(from->page[pfn].mapped, mapped[pfn]);
}

static lpte_t random_entry(struct pd_rng *rng)
{
	lpte_t pte = lpte_make((enum lpte_kind)pd_below(rng, LPTE_NR_KINDS), pd_below(rng, 64));

	if (pd_chance(rng, 1, 8))
		return 0;
	if (lpte_present(pte) && pd_chance(rng, 1, 6))
		pte = lpte_make(LPTE_KIND_PRESENT, PD_ZERO_PFN) | LPTE_SPECIAL;
	return pte | (pd_rng_next(rng) & (LPTE_YOUNG | LPTE_DIRTY | LPTE_UFFD_WP));
}

static void test_accounting(void **state)
{
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 2, 0);
	s.folio[8] = (struct pd_folio){ .order = 3, .type = PD_FOLIO_FILE };
	for (unsigned int i = 0; i < 8; i++)
		s.page[8 + i].offset = (uint16_t)i;
	s.folio[20].type = PD_FOLIO_KSM;
	s.folio[21].type = PD_FOLIO_DEVICE;
	for (unsigned int round = 0; round < 5000; round++) {
		pd_state_set(&s, pd_below(&rng, 96), random_entry(&rng));
		if (round % 64 == 0)
			assert_counts(&s);
	}
	for (unsigned int va = 0; va < 96; va++)
		pd_state_set(&s, va, 0);
	assert_counts(&s);
}

static void test_break_block(void **state)
{
	(void)state;
	assert_int_equal(state_of(&s, "folio 512 order 5\n"
				      "map 16..47 pfn 512 young dirty write excl cont\n"), 0);
	assert_true(s.pte[20] & LPTE_CONT);
	pd_state_copy(&other, &s);
	pd_state_break_block(&s, 20);
	for (unsigned int va = 16; va < 48; va++)
		assert_int_equal(s.pte[va], other.pte[va] & ~(va < 32 ? LPTE_CONT : 0));
	pd_state_copy(&other, &s);
	pd_state_break_block(&s, 21);
	assert_true(same_state(&s, &other));
}

/* ---- copying and clearing ---- */

/* Copies go over what the target held before; clearing leaves nothing of it. */
static void test_copy_and_clear(void **state)
{
	static struct scenario sc;
	struct pd_rng rng;

	(void)state;
	for (unsigned int i = 0; i < 300; i++) {
		pd_rng_seed(&rng, 3, i);
		pd_generate(&sc, NULL, &rng);
		pd_state_clear(&s);
		assert_true(same_state(&s, &fresh));
		pd_build(&sc, &s, NULL);
		assert_counts(&s);
		pd_state_copy(&other, &s);
		assert_true(same_state(&other, &s));
	}
	pd_state_clear(&other);
	assert_true(same_state(&other, &fresh));
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_empty), TEST(test_vma_cuts), TEST(test_vma_full), TEST(test_vma_random),
		TEST(test_accounting), TEST(test_break_block), TEST(test_copy_and_clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
