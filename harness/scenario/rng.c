/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers: xoroshiro128++ by Blackman and Vigna, seeded through splitmix64.
 *
 * The same seed gives the same numbers on every machine, for ever: seeds are quoted in reports.
 */
#include "scenario.h"

static uint64_t rotate(uint64_t x, unsigned int by)
{
	return x << by | x >> (64 - by);
}

static uint64_t splitmix64(uint64_t *x)
{
	uint64_t z = *x += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

void pd_rng_seed(struct pd_rng *rng, uint64_t seed, uint64_t stream)
{
	uint64_t x = seed;

	x = splitmix64(&x) ^ stream;
	rng->s[0] = splitmix64(&x);
	rng->s[1] = splitmix64(&x);
}

uint64_t pd_rng_next(struct pd_rng *rng)
{
	uint64_t s0 = rng->s[0], s1 = rng->s[1];
	uint64_t result = rotate(s0 + s1, 17) + s0;

	s1 ^= s0;
	rng->s[0] = rotate(s0, 49) ^ s1 ^ s1 << 21;
	rng->s[1] = rotate(s1, 28);
	return result;
}

/* Lemire's multiplication; what would favour some results is drawn again. */
uint32_t pd_below(struct pd_rng *rng, uint32_t n)
{
	uint64_t product;

	if (!n)
		return 0;
	do {
		product = (pd_rng_next(rng) >> 32) * n;
	} while ((uint32_t)product < -n % n);
	return (uint32_t)(product >> 32);
}

bool pd_chance(struct pd_rng *rng, uint32_t num, uint32_t den)
{
	return pd_below(rng, den) < num;
}
