/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tests of the x86-64 shim need beside a world: entries, folios, small random numbers.
 */
#ifndef PD_TESTS_X86_WORLD_H
#define PD_TESTS_X86_WORLD_H

#include "tests/shim/world.h"

/* Steps and events start anew, all locks are held; tables and memmap stay. */
static inline void restart(void)
{
	pd_world_reset(pd_world);
	pd_world->held = UINT32_MAX;
	pd_world->stop = 0;
}

static inline void make_folio(unsigned int pfn, unsigned int order)
{
	struct page *head = &pd_world->memmap[pfn];

	head->order = order;
	head->compound_head = 0;
	head->flags = PD_PG_ANON | (order ? PD_PG_LARGE : 0);
	for (unsigned int i = 1; i < 1u << order; i++)
		head[i].compound_head = (unsigned long)head | 1;
}

/* A user entry: writable, clean and old unless changed. */
static inline pte_t user_pte(unsigned int pfn)
{
	return pte_mkold(pfn_pte(pfn, PAGE_SHARED));
}

static inline void assert_no_incident(void)
{
	assert_only(PD_NR_INCIDENTS);
}

/* A small generator of its own: the same cases on every machine. */
static inline uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 16;
}

#endif
