/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A world for tests of the shim that are the same on every arch. Entries are made and read with
 * the judge's codec.
 */
#ifndef PD_TESTS_SHIM_WORLD_H
#define PD_TESTS_SHIM_WORLD_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <internal.h>
#include <linux/mmu_notifier.h>

#include "harness/judge/step.h"

#ifdef CONFIG_ARM64
#define ARCH PD_ARCH_ARM64
#else
#define ARCH PD_ARCH_X86
#endif

#define BUDGET 1000u

static struct mm_struct mm;
static struct vm_area_struct vma = { .vm_mm = &mm };

static int setup(void **state)
{
	struct pd_world *w = pd_world_new();

	assert_non_null(w);
	w->arch = ARCH;
	w->owed.pages = PD_NR_VA;
	w->budget = w->stop = BUDGET;
	mm.pd_world = w;
	vma.vm_start = PD_VA_BASE;
	vma.vm_end = PD_VA_BASE + PD_NR_VA * PAGE_SIZE;
	pd_bind(w);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	pd_world_free(*state);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static inline pte_t *at(unsigned int va)
{
	return (pte_t *)pd_world_entry(pd_world, va);
}

static inline pte_t encoded(lpte_t pte)
{
	return __pte(pd_raw_encode(ARCH, pte));
}

static inline lpte_t decoded(pte_t pte)
{
	return pd_raw_decode(ARCH, pte_val(pte));
}

static inline bool seen(enum pd_incident incident)
{
	return pd_world->incident[incident].seen;
}

/* Nothing has gone wrong but @incident (PD_NR_INCIDENTS: nothing at all), and that has. */
static inline void assert_only(unsigned int incident)
{
	for (unsigned int i = 0; i < PD_NR_INCIDENTS; i++)
		if (seen((enum pd_incident)i) != (i == incident))
			fail_msg("incident %u: %s", i, seen((enum pd_incident)i) ?
				 pd_world->incident[i].text : "not seen");
}

#endif
