/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes decode, and any text is either read or refused at the right place.
 *
 * Bytes: random strings of 0 to PD_MAX_BYTES bytes, half uniform, half of kinds that exist.
 * What is decoded is in canonical order and is its own decoding.
 *
 * Texts: printed scenarios, damaged in one to three places. Strict reading fails in a line of
 * the damage or in the next one, or what was read prints to a fixed point; lenient reading is
 * held to the same, and fails in the first line only.
 */
#include <argp.h>
#include <stdlib.h>

#include "harness/scenario/scenario.h"
#include "tests/random_bytes.h"

#define MAX_TEXT	(32u * 1024u)
#define MAX_CHUNK	64u

struct options {
	unsigned long bytes, texts, seed;
};

/* The text @to, damaged from @from: what differs is in lines @first to @last. */
struct damage {
	char *from, *to;
	size_t from_len, to_len;
	unsigned int first, last;
};

struct counts {
	unsigned long records, bytes_broken;
	unsigned long refused, read, unchanged, lenient, skipped, texts_broken;
};

/* ---- bytes ---- */

static bool is_canonical(const struct scenario *sc)
{
	for (unsigned int i = 1; i < sc->nr; i++)
		if (pd_kind_class(sc->rec[i - 1].kind) > pd_kind_class(sc->rec[i].kind))
			return false;
	return true;
}

/* @bytes is as long as it says, so that a sanitizer sees a read behind its end. */
static bool bytes_hold(const uint8_t *bytes, size_t len, unsigned long *records)
{
	static struct scenario sc, again;
	static uint8_t canonical[PD_MAX_BYTES];
	size_t n;

	pd_decode(&sc, bytes, len);
	n = pd_encode(&sc, canonical, sizeof(canonical));
	pd_decode(&again, canonical, n);
	*records += sc.nr;
	return n == sc.nr * PD_RECORD_BYTES && is_canonical(&sc) && same_scenario(&sc, &again);
}

static void storm_bytes(const struct options *options, struct counts *counts)
{
	struct pd_rng rng;

	for (unsigned long i = 0; i < options->bytes; i++) {
		uint8_t *bytes;
		size_t len;

		pd_rng_seed(&rng, options->seed, i);
		len = pd_below(&rng, PD_MAX_BYTES + 1);
		bytes = malloc(len ? len : 1);
		if (!bytes)
			abort();
		random_bytes(&rng, bytes, len, i % 2);
		if (!bytes_hold(bytes, len, &counts->records)) {
			counts->bytes_broken++;
			fprintf(stderr, "string %lu does not hold\n", i);
		}
		free(bytes);
	}
}

/* ---- damage ---- */

static void splice(struct damage *d, size_t at, size_t cut, const char *chunk, size_t len)
{
	memmove(d->to + at + len, d->to + at + cut, d->to_len - at - cut);
	memcpy(d->to + at, chunk, len);
	d->to_len += len - cut;
}

/* Bytes that mean something to the parser are likelier than others. */
static char random_byte(struct pd_rng *rng)
{
	static const char special[] = " \t\r\n#.+-x0190,\0a";

	if (pd_chance(rng, 1, 2))
		return special[pd_below(rng, sizeof(special) - 1)];
	return (char)pd_below(rng, 256);
}

static void damage_once(struct damage *d, struct pd_rng *rng)
{
	size_t at = pd_below(rng, (uint32_t)d->to_len + 1);
	size_t left = d->to_len - at;
	size_t len = pd_below(rng, MAX_CHUNK) + 1u, copy;
	char chunk[MAX_CHUNK];

	if (pd_chance(rng, 1, 2) && len > 4)
		len = 1 + len % 4;
	switch (pd_below(rng, 6)) {
	case 0:
		if (left)
			d->to[at] = (char)(d->to[at] ^ 1 << pd_below(rng, 8));
		break;
	case 1:
		splice(d, at, len < left ? len : left, "", 0);
		break;
	case 2:
		for (size_t i = 0; i < len; i++)
			chunk[i] = random_byte(rng);
		splice(d, at, 0, chunk, len);
		break;
	case 3:
		copy = pd_below(rng, (uint32_t)d->to_len + 1);
		len = len < d->to_len - copy ? len : d->to_len - copy;
		memcpy(chunk, d->to + copy, len);
		splice(d, at, 0, chunk, len);
		break;
	case 4:
		chunk[0] = random_byte(rng);
		splice(d, at, left != 0, chunk, 1);
		break;
	default:
		d->to_len = at;
	}
}

static unsigned int line_of(const char *text, size_t at)
{
	unsigned int line = 1;

	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

/* What the two texts have in common at both ends is not damaged. */
static void find_damage(struct damage *d)
{
	size_t shorter = d->from_len < d->to_len ? d->from_len : d->to_len;
	size_t before = 0, after = 0;

	while (before < shorter && d->from[before] == d->to[before])
		before++;
	while (after < shorter - before &&
	       d->from[d->from_len - 1 - after] == d->to[d->to_len - 1 - after])
		after++;
	d->first = line_of(d->to, before);
	d->last = line_of(d->to, d->to_len - after);
}

static void make_damage(struct damage *d, struct pd_rng *rng)
{
	static struct scenario sc;
	uint8_t bytes[48 * PD_RECORD_BYTES];
	unsigned int times = 1 + pd_below(rng, 3);
	size_t len = pd_below(rng, sizeof(bytes) + 1);

	random_bytes(rng, bytes, len, true);
	pd_decode(&sc, bytes, len);
	d->from_len = print_to(d->from, MAX_TEXT, &sc, "mremap/x/dst.write/extra", "x");
	memcpy(d->to, d->from, d->from_len);
	d->to_len = d->from_len;
	while (times--)
		damage_once(d, rng);
	find_damage(d);
}

/* ---- texts ---- */

/* What was read prints, is read again strictly, and prints the same. */
static bool is_fixed_point(const struct scenario *sc, const struct pd_parse *how)
{
	static char once[MAX_TEXT * 4], twice[MAX_TEXT * 4];
	static struct scenario again;
	struct pd_parse strict = { .strict = true };
	const char *expect = how->expect[0] ? how->expect : NULL;
	const char *impl = how->impl[0] ? how->impl : NULL;
	size_t len = print_to(once, sizeof(once), sc, expect, impl);

	if (!pd_parse(&again, once, len, &strict) || !same_scenario(sc, &again))
		return false;
	print_to(twice, sizeof(twice), &again, strict.expect[0] ? strict.expect : NULL,
		 strict.impl[0] ? strict.impl : NULL);
	return !strcmp(once, twice);
}

static bool is_in_damage(const struct damage *d, const struct pd_parse *how)
{
	return how->error[0] && how->column && how->line >= d->first && how->line <= d->last + 1;
}

static bool strict_holds(const struct damage *d, const char *text, struct counts *counts)
{
	static struct scenario sc;
	struct pd_parse how = { .strict = true };

	if (!pd_parse(&sc, text, d->to_len, &how)) {
		counts->refused++;
		return is_in_damage(d, &how);
	}
	counts->read++;
	counts->unchanged += d->to_len == d->from_len && !memcmp(text, d->from, d->to_len);
	return is_fixed_point(&sc, &how);
}

static bool lenient_holds(const struct damage *d, const char *text, struct counts *counts)
{
	static struct scenario sc;
	struct pd_parse how = { .strict = false };

	if (!pd_parse(&sc, text, d->to_len, &how))
		return how.line == 1 && is_in_damage(d, &how);
	counts->lenient++;
	counts->skipped += how.skipped;
	return is_fixed_point(&sc, &how) && (!how.skipped || is_in_damage(d, &how));
}

static void storm_texts(const struct options *options, struct counts *counts)
{
	static char from[MAX_TEXT], to[MAX_TEXT];
	struct damage d = { .from = from, .to = to };
	struct pd_rng rng;

	for (unsigned long i = 0; i < options->texts; i++) {
		char *text;

		pd_rng_seed(&rng, ~options->seed, i);
		make_damage(&d, &rng);
		text = malloc(d.to_len ? d.to_len : 1);
		if (!text)
			abort();
		memcpy(text, to, d.to_len);
		if (!strict_holds(&d, text, counts) || !lenient_holds(&d, text, counts)) {
			counts->texts_broken++;
			fprintf(stderr, "text %lu does not hold (damage: lines %u to %u):\n%.*s\n",
				i, d.first, d.last, (int)d.to_len, text);
		}
		free(text);
	}
}

/* ---- program ---- */

static const struct argp_option argp_options[] = {
	{ "bytes", 'b', "N", 0, "Byte strings to decode (100000)", 0 },
	{ "texts", 't', "N", 0, "Damaged texts to read (10000)", 0 },
	{ "seed", 's', "N", 0, "Seed (1)", 0 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	unsigned long *value;
	char *end;

	switch (key) {
	case 'b':
		value = &options->bytes;
		break;
	case 't':
		value = &options->texts;
		break;
	case 's':
		value = &options->seed;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	*value = strtoul(arg, &end, 0);
	if (*end || end == arg)
		argp_error(state, "'%s': expected a number", arg);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.options = argp_options,
		.parser = parse_option,
		.doc = "Any bytes decode; any text is read, or refused where it is damaged.",
	};
	struct options options = { .bytes = 100000, .texts = 10000, .seed = 1 };
	struct counts counts = { 0 };

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	storm_bytes(&options, &counts);
	storm_texts(&options, &counts);
	printf("%lu byte strings: all decoded, to %lu records; %lu do not hold\n", options.bytes,
	       counts.records, counts.bytes_broken);
	printf("%lu damaged texts: strict refused %lu in the damage, read %lu (%lu as before); "
	       "lenient read %lu without %lu lines; %lu do not hold\n", options.texts,
	       counts.refused, counts.read, counts.unchanged, counts.lenient, counts.skipped,
	       counts.texts_broken);
	return counts.bytes_broken || counts.texts_broken;
}
