/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random scenarios for tests: as bytes, uniform or with kinds that exist. */
#ifndef PD_TESTS_RANDOM_BYTES_H
#define PD_TESTS_RANDOM_BYTES_H

#include <string.h>

#include "harness/scenario/scenario.h"

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

/* Text of @sc in @buf, NUL-terminated; its length. */
static inline size_t print_to(char *buf, size_t size, const struct scenario *sc,
			      const char *expect, const char *impl)
{
	FILE *out = fmemopen(buf, size, "w");
	size_t len;

	pd_print(out, sc, expect, impl);
	fflush(out);
	len = (size_t)ftell(out);
	fclose(out);
	return len;
}

static inline bool same_record(const struct pd_record *a, const struct pd_record *b)
{
	return a->kind == b->kind && !memcmp(a->h, b->h, sizeof(a->h));
}

static inline bool same_scenario(const struct scenario *a, const struct scenario *b)
{
	for (unsigned int i = 0; i < a->nr && i < b->nr; i++)
		if (!same_record(&a->rec[i], &b->rec[i]))
			return false;
	return a->nr == b->nr;
}

#endif
