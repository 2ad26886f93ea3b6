/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scenario as text: one record a line, zero values not printed. docs/format.md */
#include <stdarg.h>

#include "scenario.h"

/* A line in the making; @len counts what did not fit in @size, too. */
struct text {
	char *buf;
	size_t size, len;
};

__attribute__((format(printf, 2, 3)))
static void add(struct text *line, const char *format, ...)
{
	bool room = line->len < line->size;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(room ? line->buf + line->len : NULL,
			room ? line->size - line->len : 0, format, args);
	va_end(args);
	if (len > 0)
		line->len += (size_t)len;
}

static void add_number(struct text *line, const struct pd_field *f, unsigned int value)
{
	if (!f->name)
		add(line, " %u", value);
	else if (value)
		add(line, " %s %u", f->name, value);
}

static void add_range(struct text *line, const struct pd_field *f, unsigned int first,
		      unsigned int more)
{
	if (f->name)
		add(line, " %s", f->name);
	add(line, " %u", first);
	if (more)
		add(line, "..%u", first + more);
}

static void add_pattern(struct text *line, const struct pd_field *f, unsigned int value)
{
	char digits[17] = "";

	for (unsigned int i = 0; i < 16; i++)
		digits[i] = value >> i & 1 ? '1' : '0';
	if (f->name)
		add(line, " %s", f->name);
	add(line, " %s", digits);
}

static void add_field(struct text *line, const struct pd_field *f, const struct pd_record *rec)
{
	unsigned int value = pd_record_get(rec, f->at);

	switch (f->form) {
	case PD_FORM_END:
		break;
	case PD_FORM_FLAG:
		if (value)
			add(line, " %s", f->name);
		break;
	case PD_FORM_NUMBER:
		add_number(line, f, value);
		break;
	case PD_FORM_ENUM:
		if (f->names[value][0])
			add(line, " %s", f->names[value]);
		break;
	case PD_FORM_RANGE:
		add_range(line, f, value, pd_record_get(rec, f->more));
		break;
	case PD_FORM_TIMES:
		if (value)
			add(line, " x%u", value + 1);
		break;
	case PD_FORM_PATTERN:
		add_pattern(line, f, value);
		break;
	case PD_FORM_LITERAL:
		add(line, " %s", f->name);
		break;
	}
}

int pd_print_record(char *buf, size_t size, const struct pd_record *rec)
{
	const struct pd_kind *kind = pd_kind_by_number(rec->kind);
	struct text line = { .buf = buf, .size = size };
	struct pd_record clean = *rec;

	if (!kind) {
		add(&line, "# no such kind: 0x%02x", rec->kind);
		return (int)line.len;
	}
	pd_record_clean(&clean);
	add(&line, "%s", kind->name);
	for (const struct pd_field *f = kind->fields; f->form != PD_FORM_END; f++)
		add_field(&line, f, &clean);
	return (int)line.len;
}

void pd_print(FILE *out, const struct scenario *sc, const char *expect, const char *impl)
{
	char line[PD_MAX_LINE + 1];

	fputs("ptediff scenario v1\n", out);
	if (expect)
		fprintf(out, "expect %s\n", expect);
	if (impl)
		fprintf(out, "impl %s\n", impl);
	for (unsigned int i = 0; i < sc->nr; i++) {
		pd_print_record(line, sizeof(line), &sc->rec[i]);
		fprintf(out, "%s\n", line);
	}
}
