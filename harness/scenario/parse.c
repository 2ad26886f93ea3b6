/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a scenario from text, line by line and word by word. docs/format.md
 *
 * The words of a line may come in any order, but for those without a keyword (ranges, lone
 * numbers, patterns, literals), which come in the order of the table.
 */
#include <stdarg.h>
#include <string.h>

#include "schema.h"

/* One line; @at is where reading goes on. */
struct line {
	struct pd_parse *how;
	unsigned int number;
	const char *start, *at, *end;
};

/* At the end of a line @len is 0 and @s is the end. */
struct word {
	const char *s;
	size_t len;
};

/* A record being read; bit i of @seen: field i was given. */
struct reading {
	struct line *line;
	const struct pd_kind *kind;
	struct pd_record rec;
	uint64_t seen;
};

/* Only the first error is kept: when lines are skipped, that of the first one. */
__attribute__((format(printf, 3, 4)))
static bool fail(struct line *line, const char *where, const char *format, ...)
{
	struct pd_parse *how = line->how;
	va_list args;

	if (how->error[0])
		return false;
	how->line = line->number;
	how->column = (unsigned int)(where - line->start) + 1;
	va_start(args, format);
	vsnprintf(how->error, sizeof(how->error), format, args);
	va_end(args);
	return false;
}

/* ---- words ---- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct word next_word(struct line *line)
{
	struct word w;

	while (line->at < line->end && is_space(*line->at))
		line->at++;
	w.s = line->at;
	while (line->at < line->end && !is_space(*line->at))
		line->at++;
	w.len = (size_t)(line->at - w.s);
	return w;
}

static bool word_is(struct word w, const char *name)
{
	return w.len == strlen(name) && !memcmp(w.s, name, w.len);
}

/* For "%.*s": a word as a message quotes it. */
static int quoted(struct word w)
{
	return w.len < 40 ? (int)w.len : 40;
}

static bool end_of_line(struct line *line)
{
	struct word w = next_word(line);

	if (!w.len)
		return true;
	return fail(line, w.s, "'%.*s': expected the end of the line", quoted(w), w.s);
}

/* ---- what a message says was expected ---- */

static const char *value_noun(const struct pd_field *f)
{
	if (f->form == PD_FORM_RANGE)
		return "a range of pages";
	if (f->form == PD_FORM_PATTERN)
		return "16 digits 0 or 1";
	switch (f->role) {
	case PD_ROLE_VA:
	case PD_ROLE_DST:
		return "a page";
	case PD_ROLE_PFN:
		return "a frame";
	default:
		return "a number";
	}
}

/* A list of words, cut where the message would become too long. */
struct choices {
	char list[160];
	size_t len;
	bool cut;
};

static void add_choice(struct choices *choices, const char *choice)
{
	static const char more[] = ", ...";
	char *end = choices->list + choices->len;
	size_t room = sizeof(choices->list) - choices->len;
	size_t need = strlen(choice) + 2 + sizeof(more);

	if (choices->cut)
		return;
	choices->cut = need > room;
	choices->len += (size_t)snprintf(end, room, "%s%s", choices->len ? ", " : "",
					 choices->cut ? "..." : choice);
}

static void add_names(struct choices *choices, const struct pd_field *f)
{
	for (unsigned int value = 0; value <= pd_bits_mask(f->at); value++)
		if (f->names[value] && f->names[value][0])
			add_choice(choices, f->names[value]);
}

/* What may stand for a field that was not given yet. */
static void add_field_choices(struct choices *choices, const struct pd_field *f)
{
	if (f->form == PD_FORM_ENUM)
		add_names(choices, f);
	else if (f->form == PD_FORM_TIMES)
		add_choice(choices, "xN");
	else
		add_choice(choices, f->name ? f->name : value_noun(f));
}

/* Fields without a keyword are told by their place: the first one not given is next. */
static bool is_positional(const struct pd_field *f)
{
	return f->form == PD_FORM_LITERAL ||
	       (!f->name && (f->form == PD_FORM_NUMBER || f->form == PD_FORM_RANGE ||
			     f->form == PD_FORM_PATTERN));
}

static bool unknown_word(const struct reading *r, struct word w)
{
	struct choices choices = { .list = "the end of the line" };
	bool positional = false;

	for (unsigned int i = 0; r->kind->fields[i].form != PD_FORM_END; i++) {
		const struct pd_field *f = &r->kind->fields[i];

		if (r->seen >> i & 1 || (positional && is_positional(f)))
			continue;
		positional |= is_positional(f);
		add_field_choices(&choices, f);
	}
	return fail(r->line, w.s, "unknown word '%.*s': expected %s", quoted(w), w.s, choices.list);
}

static bool unknown_kind(struct line *line, struct word w, bool headers)
{
	struct choices choices = { .len = 0 };
	const struct pd_kind *kind;

	if (headers) {
		add_choice(&choices, "expect");
		add_choice(&choices, "impl");
	}
	for (unsigned int i = 0; (kind = pd_kind_at(i)); i++)
		add_choice(&choices, kind->name);
	return fail(line, w.s, "unknown word '%.*s': expected %s", quoted(w), w.s, choices.list);
}

/* ---- values ---- */

static unsigned int digit_value(char c)
{
	if (is_digit(c))
		return (unsigned int)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned int)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned int)(c - 'A') + 10;
	return 16;
}

/* A number at the start of @w, which is cut off; what is too large stays too large. */
static bool take_number(struct word *w, uint32_t *value)
{
	unsigned int base = 10;
	size_t i = 0;

	if (w->len > 2 && w->s[0] == '0' && (w->s[1] == 'x' || w->s[1] == 'X')) {
		base = 16;
		i = 2;
	}
	if (i == w->len || digit_value(w->s[i]) >= base)
		return false;
	*value = 0;
	for (; i < w->len && digit_value(w->s[i]) < base; i++)
		if (*value < 1u << 24)
			*value = *value * base + digit_value(w->s[i]);
	w->s += i;
	w->len -= i;
	return true;
}

static bool in_bounds(struct line *line, struct word w, uint32_t value, uint32_t low,
		      uint32_t high)
{
	if (value >= low && value <= high)
		return true;
	return fail(line, w.s, "'%.*s' is out of range: expected %u to %u", quoted(w), w.s, low,
		    high);
}

static bool bad_value(const struct reading *r, const struct pd_field *f, struct word w)
{
	const char *after = f->name ? " after " : "", *name = f->name ? f->name : "";

	if (!w.len)
		return fail(r->line, w.s, "expected %s%s%s", value_noun(f), after, name);
	return fail(r->line, w.s, "'%.*s': expected %s%s%s", quoted(w), w.s, value_noun(f), after,
		    name);
}

/* A number from @low up that is stored less @low. */
static bool read_number(struct reading *r, const struct pd_field *f, struct word w, uint32_t low)
{
	struct word rest = w;
	uint32_t value;

	if (!take_number(&rest, &value) || rest.len)
		return bad_value(r, f, w);
	if (!in_bounds(r->line, w, value, low, low + pd_bits_mask(f->at)))
		return false;
	pd_record_set(&r->rec, f->at, (uint16_t)(value - low));
	return true;
}

static bool starts_with(struct word w, const char *s)
{
	return w.len >= strlen(s) && !memcmp(w.s, s, strlen(s));
}

/* a, a..b or a+n */
static bool read_range(struct reading *r, const struct pd_field *f, struct word w)
{
	uint32_t max_more = pd_bits_mask(f->more), first, more = 0, low = 0;
	struct word rest = w, first_word = w, more_word;
	bool last = false;

	if (!take_number(&rest, &first))
		return bad_value(r, f, w);
	first_word.len -= rest.len;
	if (!in_bounds(r->line, first_word, first, 0, pd_bits_mask(f->at)))
		return false;
	if (rest.len) {
		last = starts_with(rest, "..");
		if (!last && rest.s[0] != '+')
			return fail(r->line, rest.s, "'%.*s': expected ..LAST or +PAGES",
				    quoted(rest), rest.s);
		rest.s += last ? 2 : 1;
		rest.len -= last ? 2 : 1;
		more_word = rest;
		low = last ? first : 1;
		if (!take_number(&rest, &more) || rest.len)
			return fail(r->line, more_word.s, "'%.*s': expected a number",
				    quoted(more_word), more_word.s);
		if (!in_bounds(r->line, more_word, more, low, low + max_more))
			return false;
	}
	pd_record_set(&r->rec, f->at, (uint16_t)first);
	pd_record_set(&r->rec, f->more, (uint16_t)(more - low));
	return true;
}

static bool read_pattern(struct reading *r, const struct pd_field *f, struct word w)
{
	unsigned int value = 0;

	for (size_t i = 0; i < w.len && i < 16; i++) {
		if (w.s[i] != '0' && w.s[i] != '1')
			return bad_value(r, f, w);
		value |= (unsigned int)(w.s[i] - '0') << i;
	}
	if (w.len != 16)
		return bad_value(r, f, w);
	pd_record_set(&r->rec, f->at, (uint16_t)value);
	return true;
}

/* ---- records ---- */

static int name_value(const struct pd_field *f, struct word w)
{
	for (unsigned int value = 0; value <= pd_bits_mask(f->at); value++)
		if (f->names[value] && word_is(w, f->names[value]))
			return (int)value;
	return -1;
}

static bool has_keyword(const struct pd_field *f, struct word w)
{
	switch (f->form) {
	case PD_FORM_ENUM:
		return name_value(f, w) >= 0;
	case PD_FORM_TIMES:
		return w.len > 1 && w.s[0] == 'x' && is_digit(w.s[1]);
	default:
		return !is_positional(f) && word_is(w, f->name);
	}
}

/* The field that @w belongs to, or NULL. */
static const struct pd_field *find_field(const struct reading *r, struct word w)
{
	const struct pd_field *positional = NULL;

	for (unsigned int i = 0; r->kind->fields[i].form != PD_FORM_END; i++) {
		const struct pd_field *f = &r->kind->fields[i];

		if (has_keyword(f, w))
			return f;
		if (!positional && is_positional(f) && !(r->seen >> i & 1))
			positional = f;
	}
	if (!positional)
		return NULL;
	if (positional->form == PD_FORM_LITERAL)
		return word_is(w, positional->name) ? positional : NULL;
	return is_digit(w.s[0]) ? positional : NULL;
}

static bool read_value(struct reading *r, const struct pd_field *f, struct word w)
{
	switch (f->form) {
	case PD_FORM_FLAG:
		pd_record_set(&r->rec, f->at, 1);
		return true;
	case PD_FORM_ENUM:
		pd_record_set(&r->rec, f->at, (uint16_t)name_value(f, w));
		return true;
	case PD_FORM_NUMBER:
		return read_number(r, f, w, 0);
	case PD_FORM_RANGE:
		return read_range(r, f, w);
	case PD_FORM_TIMES:
		return read_number(r, f, (struct word){ w.s + 1, w.len - 1 }, 1);
	case PD_FORM_PATTERN:
		return read_pattern(r, f, w);
	default:
		return true;
	}
}

static bool takes_value(const struct pd_field *f)
{
	return f->name && (f->form == PD_FORM_NUMBER || f->form == PD_FORM_RANGE ||
			   f->form == PD_FORM_PATTERN);
}

static bool read_word(struct reading *r, struct word w)
{
	const struct pd_field *f = find_field(r, w);
	uint64_t bit;

	if (!f)
		return unknown_word(r, w);
	bit = 1ULL << (f - r->kind->fields);
	if (r->seen & bit)
		return fail(r->line, w.s, "'%.*s': this was given before", quoted(w), w.s);
	r->seen |= bit;
	return read_value(r, f, takes_value(f) ? next_word(r->line) : w);
}

/* What has no default: fields told by their place, and choices whose first has a name. */
static bool complete(const struct reading *r)
{
	for (unsigned int i = 0; r->kind->fields[i].form != PD_FORM_END; i++) {
		const struct pd_field *f = &r->kind->fields[i];
		struct choices choices = { .len = 0 };

		if (r->seen >> i & 1)
			continue;
		if (!is_positional(f) && !(f->form == PD_FORM_ENUM && f->names[0][0]))
			continue;
		add_field_choices(&choices, f);
		return fail(r->line, r->line->end, "expected %s", choices.list);
	}
	return true;
}

static bool read_record(struct line *line, struct word name, struct scenario *sc)
{
	struct reading r = { .line = line, .kind = pd_kind_by_name(name.s, name.len) };
	struct word w;

	if (!r.kind)
		return unknown_kind(line, name, !sc->nr);
	if (sc->nr == PD_MAX_RECORDS)
		return fail(line, name.s, "too many records: at most %u", PD_MAX_RECORDS);
	r.rec.kind = r.kind->number;
	while ((w = next_word(line)).len)
		if (!read_word(&r, w))
			return false;
	if (!complete(&r))
		return false;
	sc->rec[sc->nr++] = r.rec;
	return true;
}

/* ---- lines ---- */

static bool read_header(struct line *line, struct word name, char *to, size_t size, bool late)
{
	struct word w = next_word(line);

	if (late)
		return fail(line, name.s, "'%.*s': expected before the first record", quoted(name),
			    name.s);
	if (*to)
		return fail(line, name.s, "'%.*s': this was given before", quoted(name), name.s);
	if (!w.len)
		return fail(line, w.s, "expected one word after %.*s", quoted(name), name.s);
	if (w.len >= size)
		return fail(line, w.s, "word too long: at most %zu characters", size - 1);
	if (!end_of_line(line))
		return false;
	memcpy(to, w.s, w.len);
	to[w.len] = '\0';
	return true;
}

static bool first_line(struct line *line)
{
	static const char *const words[] = { "ptediff", "scenario", "v1" };

	for (unsigned int i = 0; i < 3; i++) {
		struct word w = next_word(line);

		if (!word_is(w, words[i]))
			return fail(line, w.s, "expected 'ptediff scenario v1' on the first line");
	}
	return end_of_line(line);
}

static bool other_line(struct line *line, struct scenario *sc)
{
	struct pd_parse *how = line->how;
	struct word w = next_word(line);

	if (!w.len)
		return true;
	if (word_is(w, "expect"))
		return read_header(line, w, how->expect, sizeof(how->expect), sc->nr);
	if (word_is(w, "impl"))
		return read_header(line, w, how->impl, sizeof(how->impl), sc->nr);
	return read_record(line, w, sc);
}

static bool is_printable(char c)
{
	return (c >= ' ' && c <= '~') || c == '\t';
}

/* Cut the line ending and the comment off; look at every character. */
static bool prepare_line(struct line *line)
{
	const char *hash;

	if (line->end > line->start && line->end[-1] == '\r')
		line->end--;
	for (const char *p = line->start; p < line->end; p++) {
		if (!is_printable(*p))
			return fail(line, p, "byte 0x%02x: expected printable ASCII",
				    (unsigned char)*p);
		if (p - line->start == PD_MAX_LINE)
			return fail(line, p, "line too long: at most %u characters", PD_MAX_LINE);
	}
	hash = memchr(line->start, '#', (size_t)(line->end - line->start));
	if (hash)
		line->end = hash;
	return true;
}

static bool read_line(struct line *line, struct scenario *sc)
{
	if (!prepare_line(line))
		return false;
	return line->number == 1 ? first_line(line) : other_line(line, sc);
}

bool pd_parse(struct scenario *sc, const char *text, size_t len, struct pd_parse *how)
{
	struct line line = { .how = how };
	const char *at = text, *end = text + len;

	how->skipped = how->line = how->column = 0;
	how->error[0] = how->expect[0] = how->impl[0] = '\0';
	sc->nr = 0;
	do {
		const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;

		line.number++;
		line.start = line.at = at;
		line.end = newline ? newline : end;
		at = newline ? newline + 1 : end;
		if (read_line(&line, sc))
			continue;
		if (how->strict || line.number == 1)
			return false;
		how->skipped++;
	} while (at < end);
	pd_canonical(sc);
	return true;
}

bool pd_is_text(const void *data, size_t len)
{
	static const char magic[] = "ptediff";
	const char *text = data;

	if (len >= sizeof(magic) - 1 && !memcmp(text, magic, sizeof(magic) - 1))
		return true;
	for (size_t i = 0; i < len; i++)
		if (!is_printable(text[i]) && text[i] != '\n' && text[i] != '\r')
			return false;
	return len > 0;
}
