/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The minimizer: what it ends in cannot be made smaller by one step, and does not depend on
 * where it began.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/judge/judge.h"
#include "harness/shrink/shrink.h"
#include "tests/minimal.h"

#define MAX_CRASHES	6u	/* starting points for each signature */
#define MAX_SCENARIOS	60000u

struct pin {
	struct pd_judge *j;
	struct pd_selection sel;
	const char *signature;
	uint64_t weight;	/* of the last scenario that showed it */
	bool grew;
};

static bool shows(void *ctx, const struct scenario *sc)
{
	struct pin *pin = ctx;

	return !pd_judge_run(pin->j, sc, &pin->sel) &&
	       !strcmp(pin->j->divergence.signature, pin->signature);
}

/* For the search: every accepted step has to weigh less than the one before it. */
static bool shows_and_shrinks(void *ctx, const struct scenario *sc)
{
	struct pin *pin = ctx;

	if (!shows(pin, sc))
		return false;
	pin->grew |= pd_weight(sc) >= pin->weight;
	pin->weight = pd_weight(sc);
	return true;
}

/* A scenario that shows @pin, in its repaired form, from stream @stream on; false: none. */
static bool find_crash(struct pin *pin, const struct pd_op *op, uint64_t *stream,
		       struct scenario *sc)
{
	struct scenario *raw = malloc(sizeof(*raw));
	bool found = false;
	struct pd_rng rng;

	assert_non_null(raw);
	while (!found && ++*stream < MAX_SCENARIOS) {
		pd_rng_seed(&rng, 5, *stream);
		pd_generate(raw, op, &rng);
		if (!shows(pin, raw))
			continue;
		pd_repaired(raw, sc);
		found = shows(pin, sc);
	}
	free(raw);
	return found;
}

static void minimize(struct pin *pin, struct scenario *sc)
{
	struct pd_shrink shrink = { .shows = shows_and_shrinks, .ctx = pin };

	pin->weight = UINT64_MAX;
	pin->grew = false;
	assert_true(pd_shrink(&shrink, sc));
	assert_true(shrink.done);
	assert_false(pin->grew);
	assert_true(shows(pin, sc));
	assert_int_equal(pd_repaired(sc, NULL), 0);
}

static void check_minimal(struct pin *pin, const struct scenario *sc)
{
	struct pd_minimal *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	m->shows = shows;
	m->ctx = pin;
	if (!pd_is_minimal(m, sc)) {
		pd_print(stderr, sc, pin->signature, NULL);
		pd_print(stderr, &m->smaller, NULL, NULL);
		fail_msg("the second is smaller and shows %s", pin->signature);
	}
	free(m);
}

/* ---- what the minimal texts are ---- */

struct expectation {
	const char *op, *impl, *rest;	/* rest: field/relation */
	const char *text;		/* without headers */
};

static const struct expectation expectations[] = {
#include "shrink_texts.h"
};

/* Bugs are built in a preset of their own; there, each of them has to be there. */
static bool built_here(const struct expectation *e)
{
	bool any = false;

	for (unsigned int i = 0; i < pd_nr_impls; i++)
		any |= pd_impls[i].bug;
	return any || strncmp(e->impl, "bug:", 4);
}

static unsigned int entry_of(const struct expectation *e)
{
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		if (!strcmp(pd_impls[i].name, e->impl) && !strcmp(pd_impls[i].op->name, e->op))
			return i;
	fail_msg("there is no implementation %s of %s", e->impl, e->op);
	return 0;
}

static char *text_of(const struct scenario *sc)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	pd_print(out, sc, NULL, NULL);
	fclose(out);
	return text;
}

static void check_text(const struct expectation *e, const struct scenario *sc)
{
	static const char head[] = "ptediff scenario v1\n";
	char *text = text_of(sc);

	assert_memory_equal(text, head, sizeof(head) - 1);
	if (strcmp(text + sizeof(head) - 1, e->text))
		fail_msg("%s/%s/%s: got\n%s", e->op, e->impl, e->rest, text);
	free(text);
}

static void check_signature(struct pd_judge *j, const struct expectation *e)
{
	char signature[PD_MAX_SIGNATURE], error[128];
	struct pin pin = { .j = j, .signature = signature };
	struct scenario *sc = malloc(sizeof(*sc));
	unsigned int i = entry_of(e), nr = 0;
	uint64_t stream = 0;

	assert_non_null(sc);
	snprintf(signature, sizeof(signature), "%s/%s/%s", e->op, e->impl, e->rest);
	assert_true(pd_select(&pin.sel, e->op, e->impl, NULL, error, sizeof(error)));
	pin.sel.arch = pd_impls[i].impl[PD_ARCH_X86]->unsupported ? 1u << PD_ARCH_ARM64 :
								    1u << PD_ARCH_X86;
	while (nr < MAX_CRASHES && find_crash(&pin, pd_impls[i].op, &stream, sc)) {
		minimize(&pin, sc);
		check_minimal(&pin, sc);
		check_text(e, sc);
		nr++;
	}
	if (!nr)
		fail_msg("%s: not met in %u scenarios", signature, MAX_SCENARIOS);
	free(sc);
}

static void test_minimal_texts(void **state)
{
	struct pd_judge *j = pd_judge_new();

	(void)state;
	assert_non_null(j);
	for (size_t i = 0; i < sizeof(expectations) / sizeof(expectations[0]); i++)
		if (built_here(&expectations[i]))
			check_signature(j, &expectations[i]);
		else
			print_message("not built here: %s\n", expectations[i].impl);
	pd_judge_free(j);
}

/* ---- the search itself ---- */

static bool has_two_folios(void *ctx, const struct scenario *sc)
{
	unsigned int *asked = ctx, nr = 0;

	++*asked;
	for (unsigned int i = 0; i < sc->nr; i++)
		nr += sc->rec[i].kind == 0x03;
	return nr >= 2;
}

#define MREMAP 0x10	/* the kind: what is generated must not change with each new operation */

static struct scenario *generated(uint64_t stream)
{
	struct scenario *sc = malloc(sizeof(*sc));
	struct pd_rng rng;

	assert_non_null(sc);
	pd_rng_seed(&rng, 7, stream);
	do {
		pd_generate(sc, pd_op_by_kind(MREMAP), &rng);
	} while (!has_two_folios(&(unsigned int){ 0 }, sc));
	return sc;
}

/* Nothing is known about the predicate but its answers: two bare folio records are left. */
static void test_any_predicate(void **state)
{
	(void)state;
	for (uint64_t stream = 0; stream < 20; stream++) {
		struct scenario *sc = generated(stream);
		unsigned int asked = 0;
		struct pd_shrink shrink = { .shows = has_two_folios, .ctx = &asked };

		assert_true(pd_shrink(&shrink, sc));
		assert_true(shrink.done);
		assert_int_equal(sc->nr, 2);
		assert_int_equal(sc->rec[0].kind, 0x03);
		assert_int_equal(sc->rec[1].kind, 0x03);
		assert_int_equal(shrink.runs, asked);
		free(sc);
	}
}

static void test_same_again(void **state)
{
	(void)state;
	for (uint64_t stream = 0; stream < 5; stream++) {
		struct scenario *a = generated(stream), *b = generated(stream);
		char *text_a, *text_b;
		unsigned int asked = 0;
		struct pd_shrink one = { .shows = has_two_folios, .ctx = &asked };
		struct pd_shrink two = { .shows = has_two_folios, .ctx = &asked };

		assert_true(pd_shrink(&one, a));
		assert_true(pd_shrink(&two, b));
		assert_int_equal(one.runs, two.runs);
		text_a = text_of(a);
		text_b = text_of(b);
		assert_string_equal(text_a, text_b);
		free(text_a);
		free(text_b);
		free(a);
		free(b);
	}
}

static bool always(void *ctx, const struct scenario *sc)
{
	(void)ctx;
	(void)sc;
	return true;
}

static bool after_some(void *ctx)
{
	unsigned int *left = ctx;

	return !*left || !--*left;
}

/* Out of time: what there is so far is kept, and it is said that it is not the end. */
static void test_stop(void **state)
{
	struct scenario *sc = generated(1);
	unsigned int left = 3, before = sc->nr;
	struct pd_shrink shrink = { .shows = always, .stop = after_some, .ctx = &left };

	(void)state;
	assert_true(pd_shrink(&shrink, sc));
	assert_false(shrink.done);
	assert_true(sc->nr <= before);
	free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_predicate),
		cmocka_unit_test(test_same_again),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_minimal_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
