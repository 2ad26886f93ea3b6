/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of the kinds: sound in themselves, as docs/format.md shows them, as arguments. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/scenario/scenario.h"
#include "harness/scenario/schema.h"
#include "tests/random_bytes.h"
#include "tests/source.h"

static char document[128 * 1024];

#define for_each_kind(kind) \
	for (unsigned int i_ = 0; ((kind) = pd_kind_at(i_)); i_++)
#define for_each_field(f, kind) \
	for ((f) = (kind)->fields; (f)->form != PD_FORM_END; (f)++)

static void test_look_up(void **state)
{
	const struct pd_kind *kind;

	(void)state;
	for_each_kind(kind) {
		assert_ptr_equal(pd_kind_by_number(kind->number), kind);
		assert_ptr_equal(pd_kind_by_name(kind->name, strlen(kind->name)), kind);
		assert_true(pd_kind_class(kind->number) < PD_NR_CLASSES);
		assert_true(strlen(kind->what) < 60);
	}
	for (unsigned int i = 0; i < pd_nr_ops; i++) {
		assert_ptr_equal(pd_op_by_kind(pd_ops[i]->kind.number), pd_ops[i]);
		assert_int_equal(pd_kind_class(pd_ops[i]->kind.number), PD_NR_CLASSES - 1);
	}
	assert_null(pd_kind_by_number(PD_KIND_NOP));
	assert_null(pd_kind_by_name("ma", 2));
	assert_null(pd_op_by_kind(PD_KIND_HW));
}

static void claim(uint16_t *taken, struct pd_bits bits)
{
	uint16_t mask = (uint16_t)(pd_bits_mask(bits) << bits.shift);

	assert_true(bits.half < 4 && bits.shift + bits.width <= (bits.half ? 16 : 8));
	assert_int_equal(taken[bits.half] & mask, 0);
	taken[bits.half] |= mask;
}

static void test_no_bit_twice(void **state)
{
	const struct pd_kind *kind;
	const struct pd_field *f;

	(void)state;
	for_each_kind(kind) {
		uint16_t taken[4] = { 0 };

		for_each_field(f, kind) {
			claim(taken, f->at);
			claim(taken, f->more);
			assert_int_equal(f->form == PD_FORM_LITERAL, f->at.width == 0);
			assert_int_equal(f->form == PD_FORM_RANGE, f->more.width != 0);
			assert_true(f->form != PD_FORM_PATTERN || f->at.width == 16);
		}
		assert_true(f - kind->fields <= PD_MAX_FIELDS);
	}
}

#define MAX_WORDS 128

struct words {
	const char *word[MAX_WORDS];
	unsigned int nr;
};

/* Words are lower case, and no line has one for two things; xN stands for itself. */
static void add_word(struct words *words, const char *word)
{
	assert_true(word[0] >= 'a' && word[0] <= 'z');
	assert_int_equal(strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(word));
	assert_false(word[0] == 'x' && word[1] >= '0' && word[1] <= '9');
	for (unsigned int i = 0; i < words->nr; i++)
		assert_string_not_equal(words->word[i], word);
	assert_true(words->nr < MAX_WORDS);
	words->word[words->nr++] = word;
}

static void test_no_word_twice(void **state)
{
	const struct pd_kind *kind;
	const struct pd_field *f;

	(void)state;
	for_each_kind(kind) {
		struct words words = { .nr = 0 };

		for_each_field(f, kind) {
			if (f->name && f->form != PD_FORM_LITERAL)
				add_word(&words, f->name);
			if (f->form != PD_FORM_ENUM)
				continue;
			assert_non_null(f->names[0]);
			for (unsigned int value = 0; value <= pd_bits_mask(f->at); value++)
				if (f->names[value] && f->names[value][0])
					add_word(&words, f->names[value]);
		}
	}
}

/* ---- docs/format.md: a section for each kind, in it a row for each field ---- */

static void show_bits(char *to, size_t size, struct pd_bits bits)
{
	static const unsigned int byte[] = { 1, 2, 4, 6 };

	if (bits.width == 1)
		snprintf(to, size, "%u: %u", byte[bits.half], bits.shift);
	else
		snprintf(to, size, "%u: %u-%u", byte[bits.half], bits.shift,
			 bits.shift + bits.width - 1);
}

static void show_names(char *to, size_t size, const struct pd_field *f)
{
	size_t len = 0;

	for (unsigned int value = 0; value <= pd_bits_mask(f->at); value++)
		if (f->names[value] && f->names[value][0])
			len += (size_t)snprintf(to + len, size - len, "%s%u `%s`",
						len ? ", " : "", value, f->names[value]);
}

static void show_text(char *to, size_t size, const struct pd_field *f)
{
	switch (f->form) {
	case PD_FORM_FLAG:
		snprintf(to, size, "`%s`", f->name);
		break;
	case PD_FORM_NUMBER:
		snprintf(to, size, f->name ? "`%s N`" : "`N`", f->name);
		break;
	case PD_FORM_ENUM:
		show_names(to, size, f);
		break;
	case PD_FORM_RANGE:
		snprintf(to, size, f->name ? "`%s A..B`" : "`A..B`", f->name);
		break;
	case PD_FORM_TIMES:
		snprintf(to, size, "`xN`");
		break;
	case PD_FORM_PATTERN:
		snprintf(to, size, "pattern");
		break;
	default:
		snprintf(to, size, "`%s`", f->name);
	}
}

static void show_row(char *row, size_t size, const struct pd_field *f)
{
	char at[32] = "-", more[32] = "", words[512];

	if (f->form != PD_FORM_LITERAL)
		show_bits(at, sizeof(at), f->at);
	if (f->form == PD_FORM_RANGE) {
		memcpy(more, ", ", 3);
		show_bits(more + 2, sizeof(more) - 2, f->more);
	}
	show_text(words, sizeof(words), f);
	snprintf(row, size, "\n| %s | %s%s | ", words, at, more);
}

/* The section of @kind, cut out of the document. */
static bool find_section(char *section, size_t size, const struct pd_kind *kind)
{
	char heading[64];
	const char *at, *end;

	snprintf(heading, sizeof(heading), "\n### `%s` 0x%02x\n", kind->name, kind->number);
	at = strstr(document, heading);
	if (!at)
		return false;
	end = strstr(at + 1, "\n#");
	snprintf(section, size, "%.*s", (int)(end ? end - at : (long)strlen(at)), at);
	return true;
}

static unsigned int count_rows(const char *section)
{
	unsigned int nr = 0;

	while ((section = strstr(section, "\n| "))) {
		section++;
		nr++;
	}
	return nr;
}

static void check_section(const struct pd_kind *kind, const char *section)
{
	const char *at = section;
	const struct pd_field *f;
	unsigned int nr = 0;
	char row[1024];

	for_each_field(f, kind) {
		show_row(row, sizeof(row), f);
		at = strstr(at, row);
		if (!at)
			fail_msg("docs/format.md, `%s`: no row, or not in its place:%s", kind->name,
				 row);
		nr++;
	}
	assert_int_equal(count_rows(section), nr + 1);
}

/* Layout kinds must be there; an operation may be. */
static void test_document(void **state)
{
	const struct pd_kind *kind;
	static char section[8192];

	(void)state;
	assert_true(read_source("docs/format.md", document, sizeof(document)) > 0);
	for_each_kind(kind) {
		if (find_section(section, sizeof(section), kind))
			check_section(kind, section);
		else if (!pd_op_by_kind(kind->number))
			fail_msg("docs/format.md: no section '### `%s` 0x%02x'", kind->name,
				 kind->number);
	}
}

/* The example is shown whole. */
static void test_example(void **state)
{
	struct pd_parse how = { .strict = true };
	static char example[4096], printed[4096];
	static struct scenario sc;
	long len = read_source("tests/golden/example.pte", example, sizeof(example));

	(void)state;
	assert_true(len > 0);
	assert_true(read_source("docs/format.md", document, sizeof(document)) > 0);
	assert_non_null(strstr(document, example));
	assert_true(pd_parse(&sc, example, (size_t)len, &how));
	print_to(printed, sizeof(printed), &sc, how.expect, how.impl);
	assert_true(pd_parse(&sc, printed, strlen(printed), &how));
}

/* ---- arguments of operations ---- */

static void test_arguments(void **state)
{
	uint32_t args[PD_MAX_ARGS / sizeof(uint32_t)];
	struct pd_record rec, again;
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 3, 0);
	for (unsigned int i = 0; i < 1000 * pd_nr_ops; i++) {
		const struct pd_op *op = pd_ops[i % pd_nr_ops];

		assert_true(op->args_size <= PD_MAX_ARGS);
		rec.kind = op->kind.number;
		for (unsigned int h = 0; h < 4; h++)
			rec.h[h] = (uint16_t)pd_rng_next(&rng);
		pd_record_clean(&rec);
		pd_op_args(op, &rec, args);
		pd_op_record(op, args, &again);
		assert_true(same_record(&rec, &again));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_look_up),
		cmocka_unit_test(test_no_bit_twice),
		cmocka_unit_test(test_no_word_twice),
		cmocka_unit_test(test_document),
		cmocka_unit_test(test_example),
		cmocka_unit_test(test_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
