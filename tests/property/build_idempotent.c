/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build_idempotent CASES [SEED] - laws of building, over scenarios that the generator makes and as
 * many of random bytes
 *
 *	every state that is built is legal;
 *	the repaired scenario needs no repair and builds the same state;
 *	building the same scenario again builds the same state, asked about repairs or not.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/scenario/scenario.h"
#include "model/state/legal.h"
#include "tests/build_text.h"
#include "tests/random_bytes.h"

static struct pd_state s, again;
static struct scenario sc, fixed, twice;
static uint64_t seed = 1;
static unsigned long legal, repairs;

static void failed(const char *law, const char *source, unsigned long i)
{
	fprintf(stderr, "%s: scenario %lu of %s, seed %lu\n", law, i, source, seed);
	pd_print(stderr, &sc, NULL, NULL);
	exit(1);
}

static void check(const char *source, unsigned long i)
{
	struct pd_repair repair = { .fixed = &fixed }, none = { .fixed = &twice };
	unsigned int va;

	pd_state_clear(&s);
	pd_build(&sc, &s, &repair);
	if (pd_legal(&s, PD_GRANULE, &va) != PD_RULE_NONE)
		failed("an illegal state", source, i);
	legal += !repair.count;
	repairs += repair.count;
	pd_state_clear(&again);
	pd_build(&sc, &again, NULL);
	if (!same_state(&s, &again))
		failed("not the same twice", source, i);
	/* A repaired scenario longer than a scenario can be is cut: it may need more. */
	if (fixed.nr == PD_MAX_RECORDS)
		return;
	pd_state_clear(&again);
	pd_build(&fixed, &again, &none);
	if (none.count)
		failed("repaired twice", source, i);
	if (!same_scenario(&fixed, &twice))
		failed("a repaired scenario changes", source, i);
	if (!same_state(&s, &again))
		failed("repaired, it builds another state", source, i);
}

int main(int argc, char **argv)
{
	unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
	uint8_t bytes[PD_MAX_BYTES];
	struct pd_rng rng;

	if (argc > 2)
		seed = strtoull(argv[2], NULL, 0);
	pd_state_init(&s);
	pd_state_init(&again);
	for (unsigned long i = 0; i < cases; i++) {
		pd_rng_seed(&rng, seed, i);
		pd_generate(&sc, NULL, &rng);
		check("the generator", i);
	}
	printf("generator: %lu scenarios, %lu without a repair, %lu repairs\n", cases, legal,
	       repairs);
	legal = repairs = 0;
	for (unsigned long i = 0; i < cases; i++) {
		size_t len;

		pd_rng_seed(&rng, ~seed, i);
		len = pd_below(&rng, i % 16 ? 256 : PD_MAX_BYTES + 1);
		random_bytes(&rng, bytes, len, i & 1);
		pd_decode(&sc, bytes, len);
		check("random bytes", i);
	}
	printf("random bytes: %lu scenarios, %lu without a repair, %lu repairs\n", cases, legal,
	       repairs);
	return 0;
}
