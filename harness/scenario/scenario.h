/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scenario: an initial layout and a list of operations, as records.
 *
 * Engines mutate its bytes, people keep its text; both are views of the same records. The
 * format is described in docs/format.md and frozen there.
 */
#ifndef PD_SCENARIO_H
#define PD_SCENARIO_H

#include <stdio.h>

#include "model/op.h"

#define PD_MAX_RECORDS	2048u	/* of a scenario */
#define PD_MAX_OPS	16u	/* operations that are run: those after them are not */
#define PD_MAX_BYTES	4096u	/* of its bytes: what is longer is not read */
#define PD_MAX_LINE	512u	/* characters of a line of text */
#define PD_NR_CLASSES	5u	/* see pd_kind_class() */

/* Layout kinds; operations have their own numbers, hw and fault bind to the next operation. */
enum {
	PD_KIND_NOP		= 0x00,
	PD_KIND_CONFIG		= 0x01,
	PD_KIND_VMA		= 0x02,
	PD_KIND_FOLIO		= 0x03,
	PD_KIND_MAP		= 0x04,
	PD_KIND_BITS		= 0x05,
	PD_KIND_NONPRESENT	= 0x06,
	PD_KIND_HW		= 0x20,
	PD_KIND_FAULT		= 0x21,
};

/**
 * struct scenario - records in canonical order
 *
 * config, vma, folio, then map/bits/nonpresent as they came, then operations with their hw and
 * fault records as they came. No nop, no bit set that no field of the kind covers.
 */
struct scenario {
	unsigned int nr;
	struct pd_record rec[PD_MAX_RECORDS];
};

/* ---- schema.c: what the kinds are ---- */

/* pd_kind_by_number() / pd_kind_by_name() - layout kinds and operations; NULL when unknown. */
const struct pd_kind *pd_kind_by_number(uint8_t number);
const struct pd_kind *pd_kind_by_name(const char *name, size_t len);

/* pd_kind_at() - the i-th of all kinds, layout first; NULL after the last. */
const struct pd_kind *pd_kind_at(unsigned int i);

/* pd_op_by_kind() - the operation whose record @number is, or NULL. */
const struct pd_op *pd_op_by_kind(uint8_t number);

/* pd_kind_class() - the place of a kind in canonical order: 0 config, 1 vma, 2 folio,
 * 3 map/bits/nonpresent, 4 operations, hw and fault. */
unsigned int pd_kind_class(uint8_t number);

/* pd_record_clean() - clear the bits that no field covers, and map unnamed enum values to 0. */
void pd_record_clean(struct pd_record *rec);

/* ---- bytes.c ---- */

/**
 * pd_decode() - read a scenario from bytes
 *
 * Total: every byte string is a scenario. Local: one byte changes one record. At most
 * PD_MAX_BYTES are read; a last record cut short is filled with zeros.
 */
void pd_decode(struct scenario *sc, const uint8_t *bytes, size_t len);

/**
 * pd_encode() - write a scenario as bytes
 *
 * Return: the length, a multiple of PD_RECORD_BYTES; whole records that do not fit in @max are
 * left out.
 */
size_t pd_encode(const struct scenario *sc, uint8_t *bytes, size_t max);

/* pd_canonical() - clean the records of @sc and put them into canonical order. */
void pd_canonical(struct scenario *sc);

/* ---- text.c, parse.c ---- */

/* pd_print_record() - one line, no newline; cut to fit and returned like snprintf(). A kind that
 * does not exist prints as a comment. */
int pd_print_record(char *buf, size_t size, const struct pd_record *rec);

/* pd_print() - the whole text, first line included; @expect and @impl may be NULL. */
void pd_print(FILE *out, const struct scenario *sc, const char *expect, const char *impl);

/**
 * struct pd_parse - how to read a text, and what came of it
 * @strict:	a line that cannot be read is an error; otherwise it is skipped and counted (the
 *		first line never is)
 * @file:	name for messages
 * @skipped:	lines left out, lenient only
 * @line, @column: of the error or of the first skipped line, from 1
 * @error:	what was wrong there and what was expected; empty when nothing was
 * @expect, @impl: the header lines of that name, empty when absent
 */
struct pd_parse {
	bool strict;
	const char *file;
	unsigned int skipped;
	unsigned int line, column;
	char error[256];
	char expect[160];
	char impl[64];
};

/**
 * pd_parse() - read a scenario from text (@len bytes, need not end in NUL)
 *
 * Return: true, or false with @how->line, @column and @error set.
 */
bool pd_parse(struct scenario *sc, const char *text, size_t len, struct pd_parse *how);

/* pd_is_text() - is this the text form? It starts with "ptediff", or is made of printable
 * characters and white space only; bytes that hold an operation are neither. */
bool pd_is_text(const void *data, size_t len);

/* ---- build.c ---- */

/**
 * struct pd_repair - what building had to change
 * @fixed:	when not NULL, receives the scenario that needs no repair and builds the same
 * @log:	when not NULL, receives a line for each change
 * @count:	changes made
 */
struct pd_repair {
	struct scenario *fixed;
	FILE *log;
	unsigned int count;
};

/**
 * pd_build() - the layout records of @sc as a legal state
 *
 * Deterministic; building a repaired scenario repairs nothing. @s must be empty
 * (pd_state_init(), pd_state_clear()). @repair may be NULL.
 */
void pd_build(const struct scenario *sc, struct pd_state *s, struct pd_repair *repair);

/* pd_faults_bound() - the faults among the records [@rec, @end), which lead up to an operation. */
void pd_faults_bound(struct pd_faults *faults, const struct pd_record *rec,
		     const struct pd_record *end);

/* ---- rng.c ---- */

struct pd_rng {
	uint64_t s[2];
};

/* pd_rng_seed() - two numbers, e.g. a seed and a run, give independent streams. */
void pd_rng_seed(struct pd_rng *rng, uint64_t seed, uint64_t stream);
uint64_t pd_rng_next(struct pd_rng *rng);

/* pd_below() - uniform in [0, @n); 0 for @n == 0. */
uint32_t pd_below(struct pd_rng *rng, uint32_t n);

/* pd_chance() - true in @num of @den cases. */
bool pd_chance(struct pd_rng *rng, uint32_t num, uint32_t den);

/* ---- generate.c, mutate.c ---- */

/**
 * pd_generate() - a new scenario, with probability where bugs live
 *
 * @op: the operation, or NULL for a mix of all. The same @rng state gives the same scenario.
 */
void pd_generate(struct scenario *sc, const struct pd_op *op, struct pd_rng *rng);

/**
 * pd_mutate() - change a scenario in place by one to four structured steps
 *
 * Keeps at most @max_records records by dropping some. Never calls an engine.
 */
void pd_mutate(struct scenario *sc, size_t max_records, struct pd_rng *rng);

/* pd_crossover() - layout and operations mixed from @a and @b, at most @max_records. */
void pd_crossover(struct scenario *out, const struct scenario *a, const struct scenario *b,
		  size_t max_records, struct pd_rng *rng);

/**
 * pd_mutate_bytes() / pd_crossover_bytes() - the same for engines, on their bytes
 *
 * One call in four is plain byte mutation. The result has at most @max bytes; @max below one
 * record gives 0. pd_mutate_bytes() works in place, @buf has room for @max.
 */
size_t pd_mutate_bytes(uint8_t *buf, size_t len, size_t max, uint64_t seed);
size_t pd_crossover_bytes(const uint8_t *a, size_t na, const uint8_t *b, size_t nb,
			  uint8_t *out, size_t max, uint64_t seed);

#endif
