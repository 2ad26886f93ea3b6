/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bare arm64 world for tests of the shim: empty tables, all locks held, no scenario.
 */
#ifndef PD_TESTS_ARM64_WORLD_H
#define PD_TESTS_ARM64_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/mm.h>

#include "harness/judge/judge.h"

static struct mm_struct mm;
static struct vm_area_struct vma = { .vm_mm = &mm };

/* Steps and events start anew; tables and memmap stay. */
static void restart(struct pd_world *w)
{
	pd_world_reset(w);
	w->held = UINT32_MAX;
	w->budget = 100000;
	w->stop = 0;
	w->trace = true;
}

static int setup(void **state)
{
	struct pd_world *w = pd_world_new();

	assert_non_null(w);
	w->arch = PD_ARCH_ARM64;
	mm.pd_world = w;
	vma.vm_start = PD_VA_BASE;
	vma.vm_end = PD_VA_BASE + PD_NR_VA * PAGE_SIZE;
	pd_bind(w);
	restart(w);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	pd_world_free(*state);
	return 0;
}

static inline pte_t *at(unsigned int va)
{
	return (pte_t *)pd_world_entry(pd_world, va);
}

/* The decoder is the judge's, not the shim's. */
static inline lpte_t decoded(pte_t pte)
{
	return pd_raw_decode(PD_ARCH_ARM64, pte_val(pte));
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

/* Put entries into the table behind the shim's back: @nr from @va, frames from @pte's. */
static inline void put(unsigned int va, pte_t pte, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		*at(va + i) = __pte(pd_hw_next(pte_val(pte), i));
}

/* A user entry: writable, clean and old unless changed. */
static inline pte_t user_pte(unsigned int pfn)
{
	return pte_mkold(pfn_pte(pfn, PAGE_SHARED));
}

static inline bool seen(enum pd_incident incident)
{
	return pd_world->incident[incident].seen;
}

static inline void assert_no_incident(void)
{
	for (int i = 0; i < PD_NR_INCIDENTS; i++)
		if (pd_world->incident[i].seen)
			fail_msg("incident %d at page %u: %s", i, pd_world->incident[i].va,
				 pd_world->incident[i].text);
}

/* A small generator of its own: the same cases on every machine. */
static inline uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 16;
}

#endif
