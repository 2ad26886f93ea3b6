/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer's hooks for the mutator. One call in eight goes to libFuzzer's own mutations, which
 * keep its dictionary and its recorded comparisons in use.
 */
#include "fuzz.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	if (seed % 8 == 0)
		return LLVMFuzzerMutate(data, size, max);
	return pd_mutate_bytes(data, size, max, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b, size_t nb,
				 uint8_t *out, size_t max, unsigned int seed)
{
	return pd_crossover_bytes(a, na, b, nb, out, max, seed);
}
