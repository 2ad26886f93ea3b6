/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mutator for engines, on bytes: structured most of the time, plain one call in four.
 *
 * Plain mutation is mixed in because a structured mutator alone found planted bugs more slowly
 * than an engine's own.
 */
#include <string.h>

#include "harness/scenario/generate/generate.h"

static size_t records_in(size_t max)
{
	return max / PD_RECORD_BYTES < PD_MAX_RECORDS ? max / PD_RECORD_BYTES : PD_MAX_RECORDS;
}

static void change_word(uint8_t *buf, size_t len, struct pd_rng *rng)
{
	size_t at = pd_below(rng, (uint32_t)(len / 2)) * (size_t)2;
	uint16_t word;

	if (len < 2)
		return;
	word = (uint16_t)(buf[at] | buf[at + 1] << 8);
	word = (uint16_t)(word + pd_below(rng, 33) - 16);
	buf[at] = (uint8_t)word;
	buf[at + 1] = (uint8_t)(word >> 8);
}

static void copy_record(uint8_t *buf, size_t len, struct pd_rng *rng)
{
	uint32_t whole = (uint32_t)(len / PD_RECORD_BYTES);
	size_t from = pd_below(rng, whole) * (size_t)PD_RECORD_BYTES;
	size_t to = pd_below(rng, whole) * (size_t)PD_RECORD_BYTES;

	if (whole)
		memmove(buf + to, buf + from, PD_RECORD_BYTES);
}

/* A random record, or a copy of the one that it is put before. */
static size_t insert_record(uint8_t *buf, size_t len, size_t max, struct pd_rng *rng)
{
	size_t at = pd_below(rng, (uint32_t)(len / PD_RECORD_BYTES) + 1) * (size_t)PD_RECORD_BYTES;
	uint64_t bytes = pd_rng_next(rng);

	if (max - len < PD_RECORD_BYTES)
		return len;
	memmove(buf + at + PD_RECORD_BYTES, buf + at, len - at);
	if (len - at < PD_RECORD_BYTES || pd_chance(rng, 1, 2))
		memcpy(buf + at, &bytes, PD_RECORD_BYTES);
	return len + PD_RECORD_BYTES;
}

static size_t delete_record(uint8_t *buf, size_t len, struct pd_rng *rng)
{
	uint32_t whole = (uint32_t)(len / PD_RECORD_BYTES);
	size_t at = pd_below(rng, whole) * (size_t)PD_RECORD_BYTES;

	if (whole < 2)
		return len;
	memmove(buf + at, buf + at + PD_RECORD_BYTES, len - at - PD_RECORD_BYTES);
	return len - PD_RECORD_BYTES;
}

static size_t plain_step(uint8_t *buf, size_t len, size_t max, struct pd_rng *rng)
{
	if (!len)
		return insert_record(buf, len, max, rng);
	switch (pd_below(rng, 8)) {
	case 0:
		return insert_record(buf, len, max, rng);
	case 1:
		return delete_record(buf, len, rng);
	case 2:
		copy_record(buf, len, rng);
		return len;
	case 3:
	case 4:
		change_word(buf, len, rng);
		return len;
	case 5:
		buf[pd_below(rng, (uint32_t)len)] = (uint8_t)pd_rng_next(rng);
		return len;
	default:
		buf[pd_below(rng, (uint32_t)len)] ^= (uint8_t)(1u << pd_below(rng, 8));
		return len;
	}
}

size_t pd_mutate_bytes(uint8_t *buf, size_t len, size_t max, uint64_t seed)
{
	struct scenario sc;
	struct pd_rng rng;

	if (max < PD_RECORD_BYTES)
		return 0;
	if (len > max)
		len = max;
	pd_rng_seed(&rng, seed, len);
	if (pd_chance(&rng, 1, 4)) {
		for (unsigned int left = 1 + pd_below(&rng, 4); left; left--)
			len = plain_step(buf, len, max, &rng);
		return len;
	}
	pd_decode(&sc, buf, len);
	pd_mutate(&sc, records_in(max), &rng);
	return pd_encode(&sc, buf, max);
}

/* The first records of @a and the last bytes of @b, cut between records. */
static size_t plain_crossover(const uint8_t *a, size_t na, const uint8_t *b, size_t nb,
			      uint8_t *out, size_t max, struct pd_rng *rng)
{
	size_t head = pd_below(rng, (uint32_t)(na / PD_RECORD_BYTES) + 1) * (size_t)PD_RECORD_BYTES;
	size_t skip = pd_below(rng, (uint32_t)(nb / PD_RECORD_BYTES) + 1) * (size_t)PD_RECORD_BYTES;
	size_t tail = nb - skip;

	if (head > max)
		head = max;
	if (tail > max - head)
		tail = max - head;
	memcpy(out, a, head);
	memcpy(out + head, b + skip, tail);
	return head + tail;
}

size_t pd_crossover_bytes(const uint8_t *a, size_t na, const uint8_t *b, size_t nb, uint8_t *out,
			  size_t max, uint64_t seed)
{
	struct scenario first, second, child;
	struct pd_rng rng;

	if (max < PD_RECORD_BYTES)
		return 0;
	pd_rng_seed(&rng, seed, na ^ nb << 16);
	if (pd_chance(&rng, 1, 4))
		return plain_crossover(a, na, b, nb, out, max, &rng);
	pd_decode(&first, a, na);
	pd_decode(&second, b, nb);
	pd_crossover(&child, &first, &second, records_in(max), &rng);
	return pd_encode(&child, out, max);
}
