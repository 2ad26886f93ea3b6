/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mutator as a library that afl-fuzz loads (AFL_CUSTOM_MUTATOR_LIBRARY): AFL++ does not
 * call LLVMFuzzerCustomMutator. AFL++'s own havoc stage stays on beside it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/scenario.h"

struct pd_afl {
	struct pd_rng rng;
	uint8_t out[PD_MAX_BYTES];
	char description[32];
};

void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t len, uint8_t **out, uint8_t *add,
		       size_t add_len, size_t max);
const char *afl_custom_describe(void *data, size_t max);
void afl_custom_deinit(void *data);

void *afl_custom_init(void *afl, unsigned int seed)
{
	struct pd_afl *state = calloc(1, sizeof(*state));

	(void)afl;
	if (state)
		pd_rng_seed(&state->rng, seed, 0);
	return state;
}

/* One call in eight crosses with @add, another entry of the queue. */
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t len, uint8_t **out, uint8_t *add,
		       size_t add_len, size_t max)
{
	struct pd_afl *state = data;
	uint64_t seed = pd_rng_next(&state->rng);

	if (max > sizeof(state->out))
		max = sizeof(state->out);
	if (len > max)
		len = max;
	*out = state->out;
	if (add && add_len && pd_chance(&state->rng, 1, 8)) {
		snprintf(state->description, sizeof(state->description), "pd-cross-%08x",
			 (unsigned int)seed);
		return pd_crossover_bytes(buf, len, add, add_len, state->out, max, seed);
	}
	snprintf(state->description, sizeof(state->description), "pd-%08x", (unsigned int)seed);
	memcpy(state->out, buf, len);
	return pd_mutate_bytes(state->out, len, max, seed);
}

/* The end of a queue file's name. */
const char *afl_custom_describe(void *data, size_t max)
{
	struct pd_afl *state = data;

	if (max < sizeof(state->description))
		state->description[max ? max - 1 : 0] = '\0';
	return state->description;
}

void afl_custom_deinit(void *data)
{
	free(data);
}
