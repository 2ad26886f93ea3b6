/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whatever a scenario did to the memmap, the next one does not see it: after any scenario an empty
 * one finds every frame as a new judge has it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/judge/judge.h"
#include "model/shim/include/pd/world.h"

#define NR_SCENARIOS	20000u

/* A pointer to a head page is one into its own memmap: only the distance counts. */
static bool same(const struct pd_world *a, const struct pd_world *b, unsigned int pfn)
{
	struct page x = a->memmap[pfn], y = b->memmap[pfn];

	if (x.compound_head & 1 && y.compound_head & 1) {
		x.compound_head -= (uintptr_t)a->memmap;
		y.compound_head -= (uintptr_t)b->memmap;
	}
	return !memcmp(&x, &y, sizeof(x));
}

/* The first frame that differs, or PD_NR_PFN. */
static unsigned int differs(const struct pd_world *a, const struct pd_world *b)
{
	unsigned int pfn = 0;

	while (pfn < PD_NR_PFN && same(a, b, pfn))
		pfn++;
	return pfn;
}

static void next_scenario(struct scenario *sc, unsigned int i)
{
	uint8_t bytes[PD_MAX_BYTES];
	struct pd_rng rng;

	pd_rng_seed(&rng, 1, i);
	pd_generate(sc, NULL, &rng);
	if (i % 2) {
		size_t size = pd_encode(sc, bytes, sizeof(bytes));

		size = pd_mutate_bytes(bytes, size, sizeof(bytes), pd_rng_next(&rng));
		pd_decode(sc, bytes, size);
	}
}

int main(void)
{
	struct pd_judge *used = pd_judge_new(), *fresh = pd_judge_new();
	static struct scenario sc, empty;
	struct pd_selection sel;
	char error[128];

	if (!used || !fresh || !pd_select(&sel, NULL, NULL, NULL, error, sizeof(error)))
		return 2;
	for (unsigned int i = 0; i < NR_SCENARIOS; i++) {
		unsigned int pfn;

		next_scenario(&sc, i);
		pd_judge_run(used, &sc, &sel);
		pd_judge_run(used, &empty, &sel);
		pfn = differs(used->world, fresh->world);
		if (pfn == PD_NR_PFN)
			continue;
		printf("scenario %u: frame %u has flags %#lx afterwards, %#lx before\n", i, pfn,
		       used->world->memmap[pfn].flags, fresh->world->memmap[pfn].flags);
		pd_print(stdout, &sc, NULL, NULL);
		return 1;
	}
	pd_judge_free(used);
	pd_judge_free(fresh);
	return 0;
}
