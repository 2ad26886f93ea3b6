/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dictionary FILE TEXT-FILE - write dictionaries in the format of libFuzzer and AFL++
 *
 * The first one is for bytes: for each kind the record that is all zero but for its kind, and for
 * each choice of its fields one that makes it. The second one is for text: the words of the lines.
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

static void put_words(FILE *out, const struct pd_kind *kind)
{
	fprintf(out, "\"\\x0A%s \"\n", kind->name);
	for (const struct pd_field *field = kind->fields; field->form != PD_FORM_END; field++) {
		if (field->name)
			fprintf(out, "\" %s \"\n", field->name);
		if (field->form != PD_FORM_ENUM)
			continue;
		for (unsigned int i = 0; i < 1u << field->at.width; i++)
			if (field->names[i] && *field->names[i])
				fprintf(out, "\" %s \"\n", field->names[i]);
	}
}

/* What no table says: the first line, the headers, how ranges and numbers are written. */
static void put_syntax(FILE *out)
{
	fprintf(out, "\"ptediff scenario v1\\x0A\"\n\"\\x0Aexpect \"\n\"\\x0Aimpl \"\n"
		"\"..\"\n\"+\"\n\" -> \"\n\" x\"\n\"0x\"\n\" #\"\n");
}

int main(int argc, char **argv)
{
	const struct pd_kind *kind;
	FILE *bytes = argc == 3 ? fopen(argv[1], "w") : NULL;
	FILE *text = argc == 3 ? fopen(argv[2], "w") : NULL;
	int trouble;

	if (!bytes || !text) {
		fprintf(stderr, "usage: %s FILE TEXT-FILE\n", argv[0]);
		return PD_FUZZ_TROUBLE;
	}
	put_syntax(text);
	for (unsigned int i = 0; (kind = pd_kind_at(i)) != NULL; i++) {
		if (kind->number == PD_KIND_NOP)
			continue;
		put_kind(bytes, kind);
		put_words(text, kind);
	}
	trouble = fclose(bytes);
	trouble |= fclose(text);
	return trouble ? PD_FUZZ_TROUBLE : PD_FUZZ_CLEAN;
}
