/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Laws of folio_pte_batch(), over the entries of generated scenarios, each with every set of flags:
 *
 *	its length is that of a naive scan over decoded entries, hint included;
 *	a limit cuts it and does nothing else; from its s-th entry on it is s shorter;
 *	accessed does not matter; it ends with the folio, and with the widest legal run;
 *	the form with nine arguments says the same.
 */
#ifndef PD_TESTS_SHIM_BATCH_LAWS_H
#define PD_TESTS_SHIM_BATCH_LAWS_H

#include "tests/shim/world.h"

#define SCENARIOS 600u

static struct pd_state s;
static struct scenario sc;
static unsigned long scans, long_ones;

/* ---- what a scan may see, from decoded entries alone ---- */

/* The entry as ptep_get() shows it: one of a block has young and dirty of the whole block. */
static lpte_t view(unsigned int va)
{
	unsigned int cont = pd_arch_cont(ARCH), base = va / cont * cont;
	lpte_t pte = decoded(*at(va)), block = 0;

	if (!(pte & LPTE_CONT))
		return pte;
	for (unsigned int i = 0; i < cont; i++)
		block |= decoded(*at(base + i)) & (LPTE_YOUNG | LPTE_DIRTY);
	/* Gathering writes dirty in the way that software does. */
	if ((block & LPTE_DIRTY) && (pte & LPTE_WRITE))
		block |= LPTE_SWDIRTY;
	return pte | block;
}

static lpte_t ignored(fpb_t flags)
{
	lpte_t bits = LPTE_YOUNG;

	bits |= flags & FPB_RESPECT_DIRTY ? 0 : LPTE_DIRTY;
	bits |= flags & FPB_RESPECT_SOFT_DIRTY ? 0 : LPTE_SOFT_DIRTY;
	bits |= flags & FPB_RESPECT_WRITE ? 0 : LPTE_WRITE;
	/* Two encodings of dirty and writable are two words only when both bits count. */
	if ((bits & (LPTE_DIRTY | LPTE_WRITE)))
		bits |= LPTE_SWDIRTY;
	return bits;
}

/* Entries from @va to @end that agree but for the bits @ignore. */
static unsigned int naive(unsigned int va, unsigned int end, lpte_t ignore)
{
	lpte_t first = view(va);
	unsigned int nr = 1;

	while (va + nr < end &&
	       !((view(va + nr) ^ (first + ((lpte_t)nr << LPTE_PFN_SHIFT))) & ~ignore) &&
	       pd_head(&s, lpte_pfn(first) + nr) == pd_head(&s, lpte_pfn(first)))
		nr++;
	return nr;
}

/* ---- the scan ---- */

static unsigned int scan(unsigned int va, unsigned int max_nr, fpb_t flags)
{
	pte_t pte = ptep_get(at(va));
	struct folio *folio = page_folio(pte_page(pte));

	pd_world->steps = 0;
	return folio_pte_batch_flags(folio, &vma, at(va), &pte, max_nr, flags);
}

static unsigned int scan_9(unsigned int va, unsigned int max_nr, fpb_t flags, bool *any_writable)
{
	pte_t pte = ptep_get(at(va));

	pd_world->steps = 0;
	return (unsigned int)folio_pte_batch(page_folio(pte_page(pte)), PD_VA_BASE, at(va), pte,
					     (int)max_nr, flags, any_writable, NULL, NULL);
}

static unsigned int scan_4(unsigned int va, unsigned int max_nr)
{
	pte_t pte = ptep_get(at(va));

	pd_world->steps = 0;
	return folio_pte_batch(page_folio(pte_page(pte)), at(va), pte, max_nr);
}

static void check_old_form(unsigned int va, unsigned int max_nr, fpb_t flags, unsigned int nr)
{
	fpb_t old = 0;
	bool writable, expected = false;

	old |= flags & FPB_RESPECT_DIRTY ? 0 : FPB_IGNORE_DIRTY;
	old |= flags & FPB_RESPECT_SOFT_DIRTY ? 0 : FPB_IGNORE_SOFT_DIRTY;
	if (flags & FPB_RESPECT_WRITE)
		return;
	assert_int_equal(scan_9(va, max_nr, old, &writable), nr);
	if (!flags)
		assert_int_equal(scan_4(va, max_nr), nr);
	/* Entries that a hint covers are not looked at: write is the same in all of them. */
	for (unsigned int i = 1; i < nr; i++)
		expected |= (view(va + i) & LPTE_WRITE) != 0;
	if (!(view(va) & LPTE_CONT))
		assert_int_equal(writable, expected);
}

static void check_merge(unsigned int va, unsigned int max_nr, fpb_t flags, unsigned int nr)
{
	pte_t pte = ptep_get(at(va));
	lpte_t floor = 0, got;

	pd_world->steps = 0;
	assert_int_equal(folio_pte_batch_flags(page_folio(pte_page(pte)), &vma, at(va), &pte,
					       max_nr, flags | FPB_MERGE_YOUNG_DIRTY), nr);
	for (unsigned int i = 0; i < nr; i++)
		floor |= view(va + i) & (LPTE_YOUNG | LPTE_DIRTY);
	got = decoded(pte) & (LPTE_YOUNG | LPTE_DIRTY);
	assert_int_equal(floor & ~got, 0);
	/* A block at the end is taken as a whole. */
	if (nr < max_nr)
		assert_int_equal(got, floor);
}

static void check_laws(unsigned int va, fpb_t flags)
{
	unsigned int end = (va / PD_TABLE_PAGES + 1) * PD_TABLE_PAGES, left = end - va;
	unsigned int nr = scan(va, left, flags);
	static const unsigned int shifts[] = { 1, 2, 7, 8, 15, 16, 17 };

	scans++;
	long_ones += nr > 1;
	if (nr != naive(va, end, ignored(flags)))
		fail_msg("page %u, flags %#x: %u, a naive scan says %u", va, flags, nr,
			 naive(va, end, ignored(flags)));
	assert_in_range(nr, 1, naive(va, end, ~(LPTE_KIND | LPTE_PFN | LPTE_UFFD_WP |
						LPTE_PROTNONE | LPTE_SPECIAL | LPTE_PROT)));
	for (unsigned int i = 0; i < ARRAY_SIZE(shifts); i++) {
		unsigned int k = shifts[i];

		assert_int_equal(scan(va, min(k, left), flags), min(k, nr));
		if (k < nr)
			assert_int_equal(scan(va + k, left - k, flags), nr - k);
	}
	check_old_form(va, left, flags, nr);
	check_merge(va, left, flags, nr);
}

static void check_young(unsigned int va, fpb_t flags)
{
	unsigned int left = PD_TABLE_PAGES - va % PD_TABLE_PAGES;
	unsigned int nr = scan(va, left, flags);

	for (unsigned int i = 0; i <= nr && i < left; i += 3)
		if (lpte_present(decoded(*at(va + i))))
			*at(va + i) = encoded(decoded(*at(va + i)) ^ LPTE_YOUNG);
	assert_int_equal(scan(va, left, flags), nr);
	for (unsigned int i = 0; i <= nr && i < left; i += 3)
		if (lpte_present(decoded(*at(va + i))))
			*at(va + i) = encoded(decoded(*at(va + i)) ^ LPTE_YOUNG);
}

/* ---- scenarios ---- */

static void load(void)
{
	unsigned int g;

	pd_for_each_granule(g, s.va_touched, PD_VA_WORDS)
		for (unsigned int va = g * PD_GRANULE; va < (g + 1) * PD_GRANULE; va++)
			*at(va) = encoded(s.pte[va]);
	pd_for_each_granule(g, s.pfn_touched, PD_PFN_WORDS)
		pd_load_pages(pd_world, &s, g);
}

static void unload(void)
{
	unsigned int g;

	pd_for_each_granule(g, s.va_touched, PD_VA_WORDS)
		for (unsigned int va = g * PD_GRANULE; va < (g + 1) * PD_GRANULE; va++)
			*at(va) = __pte(0);
}

static void check_scenario(void)
{
	unsigned int g;

	pd_for_each_granule(g, s.va_touched, PD_VA_WORDS)
		for (unsigned int va = g * PD_GRANULE; va < (g + 1) * PD_GRANULE; va++) {
			/* Three in a block are enough, and 512 alike are like 64. */
			if (!lpte_normal(s.pte[va]) || va % 16 % 7 || va % PD_TABLE_PAGES >= 64)
				continue;
			for (fpb_t flags = 0; flags < 8; flags++)
				check_laws(va, flags);
			check_young(va, va % 8);
		}
}

static void test_batch_laws(void **state)
{
	struct pd_rng rng;

	(void)state;
	pd_state_init(&s);
	for (unsigned int i = 0; i < SCENARIOS; i++) {
		pd_rng_seed(&rng, 6, i);
		pd_generate(&sc, NULL, &rng);
		pd_state_clear(&s);
		pd_build(&sc, &s, NULL);
		load();
		pd_world->stop = pd_world->budget = UINT32_MAX;
		check_scenario();
		unload();
	}
	assert_true(scans > 10000 && long_ones > scans / 4);
	assert_int_equal(pd_world->incidents, 0);
}

/* Frames go on past the folio, and its neighbour looks the same: the scan ends all the same. */
static void test_folio_end(void **state)
{
	(void)state;
	pd_state_init(&s);
	for (unsigned int i = 0; i < 16; i++) {
		s.folio[512 + i / 8 * 8].order = 3;
		s.page[512 + i].offset = (uint16_t)(i % 8);
		*at(i) = encoded(lpte_make(LPTE_KIND_PRESENT, 512 + i) | LPTE_DIRTY);
	}
	pd_load_pages(pd_world, &s, 512 / PD_GRANULE);
	assert_int_equal(scan(0, 16, 0), 8);
	assert_int_equal(scan(5, 11, 0), 3);
	assert_int_equal(scan(8, 8, 0), 8);
	/* And in the other direction: the run ends before the folio does. */
	*at(3) = __pte(0);
	assert_int_equal(scan(0, 16, 0), 3);
	assert_int_equal(scan(4, 12, 0), 4);
}

/* The cap of an operation is a limit like the caller's. */
static void test_cap(void **state)
{
	(void)state;
	pd_state_init(&s);
	s.folio[512].order = 4;
	for (unsigned int i = 0; i < 16; i++) {
		s.page[512 + i].offset = (uint16_t)i;
		*at(i) = encoded(lpte_make(LPTE_KIND_PRESENT, 512 + i) | LPTE_CONT);
	}
	pd_load_pages(pd_world, &s, 512 / PD_GRANULE);
	for (unsigned int cap = 1; cap < 20; cap++) {
		pd_world->batch_cap = cap;
		assert_int_equal(scan(0, 16, 0), min(cap, 16u));
	}
}

static int run_batch_laws(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_batch_laws), TEST(test_folio_end), TEST(test_cap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
