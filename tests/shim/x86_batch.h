/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random entries, ranges of them, and what is known of an entry before and after.
 */
#ifndef PD_TESTS_X86_BATCH_H
#define PD_TESTS_X86_BATCH_H

#include "tests/shim/x86_world.h"

#define FIRST	35u	/* a block of pages under test, with some on either side */
#define PAGES	40u
#define FRAME	512u	/* a folio of 32 pages, one of 8 behind it */
#define ORDER	5u
#define ROUNDS	4000u

#define AD	(LPTE_YOUNG | LPTE_DIRTY)

static lpte_t before[PAGES];

static inline lpte_t now(unsigned int i)
{
	return decoded(*at(FIRST + i));
}

static inline pte_t random_pte(uint64_t *seed, unsigned int pfn)
{
	uint64_t r = next_random(seed);
	pte_t pte = user_pte(pfn);

	pte = r & 1 ? pte_mkyoung(pte) : pte;
	pte = r & 2 ? pte_mkdirty(pte) : pte;
	pte = r & 4 ? pte_mksoft_dirty(pte) : pte;
	return (r & 0x38) ? pte : pte_wrprotect(pte);
}

/* A run of frames, in which now and then an entry differs in more than the usual bits. */
static inline void put_random(uint64_t *seed)
{
	make_folio(FRAME, ORDER);
	make_folio(FRAME + 32, 3);
	for (unsigned int i = 0; i < PAGES; i++) {
		uint64_t r = next_random(seed) % 64;
		pte_t pte = random_pte(seed, FRAME + i);

		pte = r == 0 ? pte_mkuffd_wp(pte) : pte;
		pte = r == 1 ? __pte(0) : pte;
		pte = r == 2 ? pte_next_pfn(pte) : pte;
		pte = r == 3 ? pte_modify(pte, PAGE_NONE) : pte;
		*at(FIRST + i) = pte;
		before[i] = now(i);
	}
	restart();
}

/* Entries [@first, @first + @nr) of the block. */
struct range {
	unsigned int first, nr;
};

static inline struct range random_range(uint64_t *seed)
{
	unsigned int first = (unsigned int)(next_random(seed) % PAGES);

	return (struct range){ first, 1 + (unsigned int)(next_random(seed) % (PAGES - first)) };
}

static inline bool inside(struct range r, unsigned int i)
{
	return i - r.first < r.nr;
}

static inline void assert_entry(unsigned int i, lpte_t expected)
{
	if (now(i) != expected)
		fail_msg("entry %u: %#lx, expected %#lx", i, now(i), expected);
}

/* Inside the range @bits are clear, outside everything is as it was. */
static inline void assert_cleared(struct range r, lpte_t bits)
{
	for (unsigned int i = 0; i < PAGES; i++)
		assert_entry(i, inside(r, i) ? before[i] & ~bits : before[i]);
	assert_no_incident();
}

static inline lpte_t or_of(struct range r, lpte_t bits)
{
	lpte_t l = 0;

	for (unsigned int i = r.first; i < r.first + r.nr; i++)
		l |= before[i] & bits;
	return l;
}

#endif
