/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds for any bytes that are decoded and any text that is read. The fuzz targets
 * fuzz_bytes and fuzz_text hold inputs to it, and so does tests/property/codec_storm.c.
 */
#ifndef PD_CODEC_LAWS_H
#define PD_CODEC_LAWS_H

#include <string.h>

#include "harness/scenario/scenario.h"

#define PD_MAX_TEXT (PD_MAX_RECORDS * PD_MAX_LINE)

/**
 * struct pd_codec - one input and what comes back of it
 * @sc:		the scenario that was decoded or read
 * @strict, @lenient: how a text was read, if it was (@strict_read, @lenient_read)
 */
struct pd_codec {
	struct scenario sc, again;
	struct pd_parse strict, lenient;
	bool strict_read, lenient_read;
	uint8_t bytes[PD_MAX_RECORDS * PD_RECORD_BYTES];
	char once[PD_MAX_TEXT], twice[PD_MAX_TEXT];
};

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

/* Text of @sc in @buf, NUL-terminated; its length. Empty headers are left out. */
static inline size_t print_to(char *buf, size_t size, const struct scenario *sc,
			      const char *expect, const char *impl)
{
	FILE *out = fmemopen(buf, size, "w");
	size_t len;

	pd_print(out, sc, expect && *expect ? expect : NULL, impl && *impl ? impl : NULL);
	fflush(out);
	len = (size_t)ftell(out);
	fclose(out);
	return len;
}

static inline bool is_canonical(const struct scenario *sc)
{
	for (unsigned int i = 1; i < sc->nr; i++)
		if (pd_kind_class(sc->rec[i - 1].kind) > pd_kind_class(sc->rec[i].kind))
			return false;
	return true;
}

/* @sc, read with the headers of @how, prints, is read again strictly, and prints the same. */
static inline bool is_fixed_point(struct pd_codec *c, const struct scenario *sc,
				  const struct pd_parse *how)
{
	struct pd_parse again = { .strict = true };
	size_t len = print_to(c->once, sizeof(c->once), sc, how->expect, how->impl);

	if (!pd_parse(&c->again, c->once, len, &again) || !same_scenario(sc, &c->again))
		return false;
	print_to(c->twice, sizeof(c->twice), &c->again, again.expect, again.impl);
	return !strcmp(c->once, c->twice);
}

/* The bytes of @sc are decoded to it, as far as bytes are read. */
static inline bool is_own_decoding(struct pd_codec *c, const struct scenario *sc)
{
	size_t len = pd_encode(sc, c->bytes, sizeof(c->bytes));

	if (len > PD_MAX_BYTES)
		return true;
	pd_decode(&c->again, c->bytes, len);
	return len == sc->nr * PD_RECORD_BYTES && same_scenario(sc, &c->again);
}

/* bytes_broken() - decode @bytes into @c->sc; the law that does not hold, or NULL. */
static inline const char *bytes_broken(struct pd_codec *c, const uint8_t *bytes, size_t len)
{
	static const struct pd_parse no_headers = { .strict = true };

	pd_decode(&c->sc, bytes, len);
	if (!is_canonical(&c->sc))
		return "decoded-out-of-order";
	if (!is_own_decoding(c, &c->sc))
		return "not-its-own-decoding";
	if (!is_fixed_point(c, &c->sc, &no_headers))
		return "text-reads-differently";
	return NULL;
}

/* Is the place of @how's message one of the text, or just behind a line of it? */
static inline bool is_placed(const struct pd_parse *how, const char *text, size_t len)
{
	const char *end = text + len, *newline;

	for (unsigned int line = 1; line < how->line; line++) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline)
			return false;
		text = newline + 1;
	}
	newline = memchr(text, '\n', (size_t)(end - text));
	return how->error[0] && how->line && how->column &&
	       how->column <= (newline ? newline : end) - text + 1;
}

/* text_broken() - read @text into @c->sc, both ways; the law that does not hold, or NULL. */
static inline const char *text_broken(struct pd_codec *c, const char *text, size_t len)
{
	c->strict = (struct pd_parse){ .strict = true };
	c->lenient = (struct pd_parse){ .strict = false };
	c->strict_read = pd_parse(&c->again, text, len, &c->strict);
	c->lenient_read = pd_parse(&c->sc, text, len, &c->lenient);
	if (!c->strict_read && !is_placed(&c->strict, text, len))
		return "error-without-place";
	if ((!c->lenient_read || c->lenient.skipped) && !is_placed(&c->lenient, text, len))
		return "skipped-without-place";
	if (!c->lenient_read)
		return c->strict_read || c->lenient.line != 1 ? "lenient-refuses" : NULL;
	if (c->strict_read != !c->lenient.skipped ||
	    (c->strict_read && !same_scenario(&c->sc, &c->again)))
		return "lenient-differs";
	if (!is_fixed_point(c, &c->sc, &c->lenient))
		return "text-reads-differently";
	if (!is_own_decoding(c, &c->sc))
		return "not-its-own-decoding";
	return NULL;
}

#endif
