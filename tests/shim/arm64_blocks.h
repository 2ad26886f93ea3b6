/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A folio mapped by three contpte blocks, and what may become of them.
 *
 *	page	0       16      32      48      64
 *		|       |///////|///////|///////|
 *	frame	        512     528     544       one folio of 64 pages, three blocks of it mapped
 */
#ifndef PD_TESTS_ARM64_BLOCKS_H
#define PD_TESTS_ARM64_BLOCKS_H

#include "tests/shim/arm64_world.h"

#define FIRST 16u
#define PAGES 48u
#define FRAME 512u

#define AD (LPTE_YOUNG | LPTE_DIRTY)

static lpte_t before[PAGES + 2 * CONT_PTES];

static inline void remember(void)
{
	for (unsigned int va = 0; va < ARRAY_SIZE(before); va++)
		before[va] = decoded(*at(va));
}

static inline void map_blocks(uint64_t young, uint64_t dirty)
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

static inline unsigned int block_of(unsigned int va)
{
	return va - va % CONT_PTES;
}

/* The OR of @bits at entry over the block of @va. */
static inline lpte_t block_or(unsigned int va, lpte_t bits)
{
	lpte_t l = 0;

	for (unsigned int i = 0; i < CONT_PTES; i++)
		l |= before[block_of(va) + i] & bits;
	return l;
}

/* Is the block of @va cut by [start, end)? */
static inline bool cut(unsigned int va, unsigned int start, unsigned int end)
{
	unsigned int first = block_of(va), last = first + CONT_PTES;

	return first < end && start < last && (first < start || end < last);
}

static inline void assert_page(unsigned int va, lpte_t expected)
{
	lpte_t got = decoded(*at(va));

	if ((got ^ expected) & ~LPTE_SWDIRTY)
		fail_msg("page %u: %#lx, expected %#lx", va, got, expected);
	if (pd_raw_broken(PD_ARCH_ARM64, pte_val(*at(va))))
		fail_msg("page %u: %s", va, pd_raw_broken(PD_ARCH_ARM64, pte_val(*at(va))));
}

/* What an entry is after its block has been unfolded. */
static inline lpte_t unfolded(unsigned int va)
{
	return (before[va] & ~LPTE_CONT) | block_or(va, AD);
}

/* Everything outside [start, end): unfolded where the range cuts a block, else as it was. */
static inline void assert_outside(unsigned int start, unsigned int end)
{
	for (unsigned int va = 0; va < ARRAY_SIZE(before); va++)
		if (va < start || va >= end)
			assert_page(va, cut(va, start, end) ? unfolded(va) : before[va]);
	assert_no_incident();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
