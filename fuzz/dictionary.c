/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dictionary FILE - write a dictionary in the format of libFuzzer and AFL++: for each kind the
 * record that is all zero but for its kind, and for each choice of its fields one that makes it.
 */
#include <stdio.h>

#include "fuzz.h"

static void put_record(FILE *out, const struct pd_kind *kind, const struct pd_record *rec,
		       const char *what)
{
	struct scenario sc = { .nr = 1, .rec = { *rec } };
	uint8_t bytes[PD_RECORD_BYTES];
	size_t len = pd_encode(&sc, bytes, sizeof(bytes));

	fprintf(out, "# %s %s\n\"", kind->name, what);
	for (size_t i = 0; i < len; i++)
		fprintf(out, "\\x%02X", bytes[i]);
	fprintf(out, "\"\n");
}

static void put_field(FILE *out, const struct pd_kind *kind, const struct pd_field *field)
{
	struct pd_record rec = { .kind = kind->number };

	if (field->form == PD_FORM_FLAG) {
		pd_record_set(&rec, field->at, 1);
		put_record(out, kind, &rec, field->name);
	} else if (field->form == PD_FORM_ENUM) {
		for (unsigned int i = 1; i < 1u << field->at.width; i++) {
			if (!field->names[i])
				continue;
			pd_record_set(&rec, field->at, (uint16_t)i);
			put_record(out, kind, &rec, field->names[i]);
		}
	}
}

static void put_kind(FILE *out, const struct pd_kind *kind)
{
	struct pd_record rec = { .kind = kind->number };

	put_record(out, kind, &rec, "");
	for (const struct pd_field *field = kind->fields; field->form != PD_FORM_END; field++)
		put_field(out, kind, field);
}

int main(int argc, char **argv)
{
	const struct pd_kind *kind;
	FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;

	if (!out) {
		fprintf(stderr, "usage: %s FILE\n", argv[0]);
		return PD_FUZZ_TROUBLE;
	}
	for (unsigned int i = 0; (kind = pd_kind_at(i)) != NULL; i++) {
		if (kind->number != PD_KIND_NOP)
			put_kind(out, kind);
	}
	return fclose(out) == 0 ? PD_FUZZ_CLEAN : PD_FUZZ_TROUBLE;
}
