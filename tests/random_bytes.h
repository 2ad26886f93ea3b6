/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random scenarios for tests: as bytes, uniform or with kinds that exist. */
#ifndef PD_TESTS_RANDOM_BYTES_H
#define PD_TESTS_RANDOM_BYTES_H

#include <string.h>

#include "fuzz/codec_laws.h"

static inline unsigned int nr_kinds(void)
{
	unsigned int nr = 0;

	while (pd_kind_at(nr))
		nr++;
	return nr;
}

static inline void random_bytes(struct pd_rng *rng, uint8_t *bytes, size_t len, bool valid_kinds)
{
	unsigned int nr = nr_kinds();

	for (size_t at = 0; at < len; at += PD_RECORD_BYTES) {
		uint64_t word = pd_rng_next(rng);

		memcpy(bytes + at, &word, len - at < sizeof(word) ? len - at : sizeof(word));
		if (valid_kinds)
			bytes[at] = pd_kind_at(pd_below(rng, nr))->number;
	}
}

#endif
