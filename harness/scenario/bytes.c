/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a scenario: records of eight bytes, no header. docs/format.md
 *
 * Decoding is in the inner loop of every engine: two passes, no allocation, and what the tables
 * say about a kind is worked out once a call.
 */
#include <string.h>

#include "schema.h"

enum {
	SLOT_UNKNOWN,		/* not looked up yet */
	SLOT_NOP,		/* no such kind */
	SLOT_CLASS,		/* and up: SLOT_CLASS + class */
};

/* What is known of the kinds, by number; @clean is valid where @slot says that there is one. */
struct look_up {
	uint8_t slot[UINT8_MAX + 1];
	struct pd_clean clean[UINT8_MAX + 1];
};

static unsigned int slot_of(struct look_up *known, uint8_t number)
{
	const struct pd_kind *kind;

	if (known->slot[number] != SLOT_UNKNOWN)
		return known->slot[number];
	kind = pd_kind_by_number(number);
	known->slot[number] = SLOT_NOP;
	if (kind) {
		pd_clean_of(&known->clean[number], kind);
		known->slot[number] = (uint8_t)(SLOT_CLASS + pd_kind_class(number));
	}
	return known->slot[number];
}

/* The records @raw, cleaned and in canonical order: a stable partition by class. */
static void arrange(struct scenario *sc, const struct pd_record *raw, unsigned int nr)
{
	unsigned int count[SLOT_CLASS + PD_NR_CLASSES] = { 0 };
	unsigned int next[SLOT_CLASS + PD_NR_CLASSES];
	struct look_up known;

	memset(known.slot, SLOT_UNKNOWN, sizeof(known.slot));
	for (unsigned int i = 0; i < nr; i++)
		count[slot_of(&known, raw[i].kind)]++;

	sc->nr = 0;
	for (unsigned int slot = SLOT_CLASS; slot < SLOT_CLASS + PD_NR_CLASSES; slot++) {
		next[slot] = sc->nr;
		sc->nr += count[slot];
	}
	for (unsigned int i = 0; i < nr; i++) {
		unsigned int slot = known.slot[raw[i].kind];
		struct pd_record *rec;

		if (slot == SLOT_NOP)
			continue;
		rec = &sc->rec[next[slot]++];
		*rec = raw[i];
		pd_clean_apply(&known.clean[rec->kind], rec);
	}
}

static void load(struct pd_record *rec, const uint8_t *b)
{
	rec->kind = b[0];
	rec->h[0] = b[1];
	for (unsigned int i = 1; i < 4; i++)
		rec->h[i] = (uint16_t)(b[2 * i] | b[2 * i + 1] << 8);
}

static void store(uint8_t *b, const struct pd_record *rec)
{
	b[0] = rec->kind;
	b[1] = (uint8_t)rec->h[0];
	for (unsigned int i = 1; i < 4; i++) {
		b[2 * i] = (uint8_t)rec->h[i];
		b[2 * i + 1] = (uint8_t)(rec->h[i] >> 8);
	}
}

void pd_decode(struct scenario *sc, const uint8_t *bytes, size_t len)
{
	struct pd_record raw[PD_MAX_BYTES / PD_RECORD_BYTES];
	unsigned int nr = 0;

	if (len > PD_MAX_BYTES)
		len = PD_MAX_BYTES;
	for (; len >= PD_RECORD_BYTES; len -= PD_RECORD_BYTES, bytes += PD_RECORD_BYTES)
		load(&raw[nr++], bytes);
	if (len) {
		uint8_t last[PD_RECORD_BYTES] = { 0 };

		memcpy(last, bytes, len);
		load(&raw[nr++], last);
	}
	arrange(sc, raw, nr);
}

size_t pd_encode(const struct scenario *sc, uint8_t *bytes, size_t max)
{
	size_t len = 0;

	for (unsigned int i = 0; i < sc->nr && max - len >= PD_RECORD_BYTES; i++) {
		store(bytes + len, &sc->rec[i]);
		len += PD_RECORD_BYTES;
	}
	return len;
}

void pd_canonical(struct scenario *sc)
{
	struct pd_record raw[PD_MAX_RECORDS];

	memcpy(raw, sc->rec, sc->nr * sizeof(raw[0]));
	arrange(sc, raw, sc->nr);
}
