/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record: eight bytes that state one fact of a scenario.
 *
 * A record is a kind (byte 0), a small field byte (byte 1) and three 16-bit little-endian fields.
 * What the bits of a kind mean is data, struct pd_kind: one table that decoding, printing,
 * parsing, generating, mutating and shrinking all read. Layout kinds are stated in
 * harness/scenario/, the kind of an operation in its model/ops/<op>/op.c.
 */
#ifndef PD_RECORD_H
#define PD_RECORD_H

#include <stddef.h>
#include <stdint.h>

#define PD_RECORD_BYTES 8

/* One record; h[0] is byte 1, h[1] to h[3] are the 16-bit fields at bytes 2, 4 and 6. */
struct pd_record {
	uint8_t kind;
	uint16_t h[4];
};

/* A run of bits in a record: @width bits of h[@half], from bit @shift. Width 0: no bits. */
struct pd_bits {
	uint8_t half, shift, width;
};

/**
 * enum pd_form - how a field reads in text
 * @PD_FORM_END:	ends a list of fields
 * @PD_FORM_FLAG:	one bit; its name when set, nothing when clear
 * @PD_FORM_NUMBER:	``name N``, or ``N`` alone when the name is NULL; not printed when
 *			zero, unless the name is NULL
 * @PD_FORM_ENUM:	one of @names alone; the first (value 0) may be "" and is then not printed
 * @PD_FORM_RANGE:	first page and, in @more, the number of pages less one: ``a`` or ``a..b``
 * @PD_FORM_TIMES:	``xN`` for value N - 1; not printed for x1
 * @PD_FORM_PATTERN:	a string of 0 and 1, lowest bit first, always 16 long
 * @PD_FORM_LITERAL:	holds no bits: the name is printed and expected as it stands
 */
enum pd_form {
	PD_FORM_END,
	PD_FORM_FLAG,
	PD_FORM_NUMBER,
	PD_FORM_ENUM,
	PD_FORM_RANGE,
	PD_FORM_TIMES,
	PD_FORM_PATTERN,
	PD_FORM_LITERAL,
};

/**
 * enum pd_role - what a field is about, for generator, mutator and shrinker
 * @PD_ROLE_PLAIN:	a number or choice with no meaning elsewhere in the scenario
 * @PD_ROLE_VA:		a page of the address space, or a range of them
 * @PD_ROLE_DST:	where a PD_ROLE_VA range of the same record is moved to
 * @PD_ROLE_PFN:	a page frame number
 * @PD_ROLE_STEP:	an access count within the next operation
 */
enum pd_role {
	PD_ROLE_PLAIN,
	PD_ROLE_VA,
	PD_ROLE_DST,
	PD_ROLE_PFN,
	PD_ROLE_STEP,
};

#define PD_NO_ARG UINT16_MAX

/**
 * struct pd_field - one field of a kind
 * @name:	its keyword; NULL for a positional number, range or pattern
 * @form:	see enum pd_form
 * @role:	see enum pd_role
 * @at:		where the value is
 * @more:	PD_FORM_RANGE: where the number of pages less one is
 * @names:	PD_FORM_ENUM: 1 << @at.width names, NULL where a value has no meaning (it then
 *		reads as value 0)
 * @arg:	operations: offset of the uint32_t in the argument struct, or PD_NO_ARG; a
 *		PD_FORM_TIMES gives N, not N - 1
 * @arg_more:	operations, PD_FORM_RANGE: offset of the uint32_t that takes the number of pages
 */
struct pd_field {
	const char *name;
	enum pd_form form;
	enum pd_role role;
	struct pd_bits at, more;
	const char *const *names;
	uint16_t arg, arg_more;
};

/**
 * struct pd_kind - one kind of record
 * @number:	byte 0 of the record; frozen once released
 * @name:	first word of its line
 * @fields:	in the order of the line, ended by PD_FORM_END
 * @what:	one line of help
 */
struct pd_kind {
	uint8_t number;
	const char *name;
	const struct pd_field *fields;
	const char *what;
};

static inline uint16_t pd_bits_mask(struct pd_bits bits)
{
	return (uint16_t)((1u << bits.width) - 1u);
}

static inline uint16_t pd_record_get(const struct pd_record *rec, struct pd_bits bits)
{
	return (rec->h[bits.half] >> bits.shift) & pd_bits_mask(bits);
}

static inline void pd_record_set(struct pd_record *rec, struct pd_bits bits, uint16_t value)
{
	uint16_t mask = (uint16_t)(pd_bits_mask(bits) << bits.shift);

	rec->h[bits.half] = (uint16_t)((rec->h[bits.half] & ~mask) |
				       ((value << bits.shift) & mask));
}

#endif
