/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes decode, and any text is either read or refused at the right place.
 *
 * Bytes: random strings of 0 to PD_MAX_BYTES bytes, half uniform, half of kinds that exist.
 *
 * Texts: printed scenarios, damaged in one to three places. What is refused or skipped is in a line
 * of the damage or in the next one. Everything else that has to hold is in fuzz/codec_laws.h.
 */
#include <argp.h>
#include <stdlib.h>

#include "fuzz/codec_laws.h"
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

static struct pd_codec codec;

/* ---- bytes ---- */

/* The bytes are as many as memory holds, so that a sanitizer sees a read behind their end. */
static void storm_bytes(const struct options *options, struct counts *counts)
{
	struct pd_rng rng;

	for (unsigned long i = 0; i < options->bytes; i++) {
		const char *broken;
		uint8_t *bytes;
		size_t len;

		pd_rng_seed(&rng, options->seed, i);
		len = pd_below(&rng, PD_MAX_BYTES + 1);
		bytes = malloc(len ? len : 1);
		if (!bytes)
			abort();
		random_bytes(&rng, bytes, len, i % 2);
		broken = bytes_broken(&codec, bytes, len);
		counts->records += codec.sc.nr;
		if (broken) {
			counts->bytes_broken++;
			fprintf(stderr, "string %lu: %s\n", i, broken);
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

static bool is_in_damage(const struct damage *d, const struct pd_parse *how)
{
	return how->error[0] && how->column && how->line >= d->first && how->line <= d->last + 1;
}

/* Refused where it is damaged, and skipped there only. */
static bool is_local(const struct damage *d, const char *text, struct counts *counts)
{
	counts->refused += !codec.strict_read;
	counts->read += codec.strict_read;
	counts->lenient += codec.lenient_read;
	counts->skipped += codec.lenient_read ? codec.lenient.skipped : 0;
	counts->unchanged += codec.strict_read && d->to_len == d->from_len &&
			     !memcmp(text, d->from, d->to_len);
	if (!codec.strict_read && !is_in_damage(d, &codec.strict))
		return false;
	return (codec.lenient_read && !codec.lenient.skipped) || is_in_damage(d, &codec.lenient);
}

static void storm_texts(const struct options *options, struct counts *counts)
{
	static char from[MAX_TEXT], to[MAX_TEXT];
	struct damage d = { .from = from, .to = to };
	struct pd_rng rng;

	for (unsigned long i = 0; i < options->texts; i++) {
		const char *broken;
		char *text;

		pd_rng_seed(&rng, ~options->seed, i);
		make_damage(&d, &rng);
		text = malloc(d.to_len ? d.to_len : 1);
		if (!text)
			abort();
		memcpy(text, to, d.to_len);
		broken = text_broken(&codec, text, d.to_len);
		if (!is_local(&d, text, counts) && !broken)
			broken = "refused elsewhere";
		if (broken) {
			counts->texts_broken++;
			fprintf(stderr, "text %lu: %s (damage: lines %u to %u):\n%.*s\n", i,
				broken, d.first, d.last, (int)d.to_len, text);
		}
		free(text);
	}
}

/* ---- program ---- */

static const struct argp_option argp_options[] = {
	{ "bytes", 'b', "N", 0, "Byte strings to decode (5000)", 0 },
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
	struct options options = { .bytes = 5000, .texts = 10000, .seed = 1 };
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
