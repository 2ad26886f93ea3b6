/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contracts as data: nothing is left out, nothing is said twice, every row says why. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "harness/judge/step.h"

#define ALL_LPTE (LPTE_KIND | LPTE_PFN | LPTE_TYPE | LPTE_YOUNG | LPTE_DIRTY | LPTE_SOFT_DIRTY | \
		  LPTE_WRITE | LPTE_UFFD_WP | LPTE_PROTNONE | LPTE_SPECIAL | LPTE_PROT | \
		  LPTE_EXCLUSIVE | LPTE_CONT | LPTE_SWDIRTY)

static const char *const places[PD_NR_PLACES] = {
	[PD_PLACE_SRC] = "src.",
	[PD_PLACE_DST] = "dst.",
	[PD_PLACE_EDGE] = "edge.",
	[PD_PLACE_REST] = "rest.",
};

#define for_each_row(row, op) \
	for (const struct pd_row *row = (op)->rows; row->field; row++)

/* Fields of the LPTE word do not overlap. */
static void test_word(void **state)
{
	static const lpte_t fields[] = {
		LPTE_KIND, LPTE_PFN, LPTE_TYPE, LPTE_YOUNG, LPTE_DIRTY, LPTE_SOFT_DIRTY, LPTE_WRITE,
		LPTE_UFFD_WP, LPTE_PROTNONE, LPTE_SPECIAL, LPTE_PROT, LPTE_EXCLUSIVE, LPTE_CONT,
		LPTE_SWDIRTY,
	};
	lpte_t all = 0;

	(void)state;
	for (unsigned int i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		assert_int_equal(all & fields[i], 0);
		all |= fields[i];
	}
	assert_int_equal(all, ALL_LPTE);
	assert_true(LPTE_NR_KINDS <= (LPTE_KIND >> LPTE_KIND_SHIFT) + 1);
	assert_true(PD_NR_PFN - 1 <= LPTE_PFN >> LPTE_PFN_SHIFT);
}

static bool moves(const struct pd_op *op)
{
	for (const struct pd_field *f = op->kind.fields; f->form != PD_FORM_END; f++)
		if (f->role == PD_ROLE_DST)
			return true;
	return false;
}

static bool holds(const struct pd_row *row, const void *args)
{
	return !row->when || row->when(args);
}

/* Every bit of an entry has one row at every place that the operation has. */
static void check_entries(const struct pd_op *op, enum pd_place place, const void *args)
{
	const uint64_t spreads = LPTE_YOUNG | LPTE_DIRTY | LPTE_SOFT_DIRTY;
	uint64_t covered = 0;

	for_each_row(row, op) {
		if (row->subject != PD_SUBJECT_PTE || row->place != place || !holds(row, args))
			continue;
		if (row->mask & covered)
			fail_msg("%s: %s says %#lx again", op->name, row->field,
				 row->mask & covered);
		if (moves(op) && strncmp(row->field, places[place], strlen(places[place])))
			fail_msg("%s: %s is about %s", op->name, row->field, places[place]);
		if (row->grade == PD_GRADE_OR && (row->mask & ~spreads))
			fail_msg("%s: %s spreads more than young and dirty", op->name, row->field);
		covered |= row->mask;
	}
	if (ALL_LPTE & ~covered)
		fail_msg("%s: no row for %#llx at %s", op->name, ALL_LPTE & ~covered,
			 places[place]);
}

static bool has_entry_rows(const struct pd_op *op)
{
	for_each_row(row, op)
		if (row->subject == PD_SUBJECT_PTE)
			return true;
	return false;
}

/* Arguments of all kinds, since rows may hold for some only. */
static void random_args(const struct pd_op *op, struct pd_rng *rng, uint64_t *args)
{
	struct pd_record rec = { .kind = op->kind.number };

	for (unsigned int i = 0; i < 4; i++)
		rec.h[i] = (uint16_t)pd_rng_next(rng);
	pd_op_args(op, &rec, args);
}

static void check_all_entries(const struct pd_op *op, struct pd_rng *rng)
{
	uint64_t args[PD_MAX_ARGS / sizeof(uint64_t)];

	for (unsigned int i = 0; i < 500; i++) {
		random_args(op, rng, args);
		check_entries(op, PD_PLACE_SRC, args);
		check_entries(op, PD_PLACE_EDGE, args);
		check_entries(op, PD_PLACE_REST, args);
		if (moves(op))
			check_entries(op, PD_PLACE_DST, args);
	}
}

static void test_every_bit_everywhere(void **state)
{
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 1, 0);
	/* An operation on no entries (clearing a folio) has no rows about any. */
	for (unsigned int i = 0; i < pd_nr_ops; i++)
		if (has_entry_rows(pd_ops[i]))
			check_all_entries(pd_ops[i], &rng);
}

static uint64_t rows_mask(const struct pd_op *op, enum pd_subject subject)
{
	uint64_t mask = 0;

	for_each_row(row, op)
		if (row->subject == subject)
			mask |= row->mask;
	return mask;
}

/* Subjects that an operation cannot do without: what goes wrong there would go unseen. */
static unsigned int needed(const struct pd_op *op)
{
	const unsigned int every = 1u << PD_SUBJECT_ACCESS | 1u << PD_SUBJECT_WARN;
	const unsigned int entries = every | 1u << PD_SUBJECT_PTE | 1u << PD_SUBJECT_FOLIO |
				     1u << PD_SUBJECT_COUNTER | 1u << PD_SUBJECT_LOCK;

	/* Whatever moves entries can break anything; only results are not for everybody. */
	if (moves(op))
		return ((1u << PD_NR_SUBJECTS) - 1) & ~(1u << PD_SUBJECT_RESULT);
	return has_entry_rows(op) ? entries : every;
}

static void test_every_subject(void **state)
{
	const uint64_t folio = PD_FOLIO_ROW_INDEX | PD_FOLIO_ROW_ANON_VMA | PD_FOLIO_ROW_FLAGS |
			       PD_FOLIO_ROW_REFCOUNT | PD_FOLIO_ROW_MAPCOUNT |
			       PD_FOLIO_ROW_EXCLUSIVE;
	const uint64_t counters = (1u << PD_NR_COUNTERS) - 1;

	(void)state;
	for (unsigned int i = 0; i < pd_nr_ops; i++) {
		const struct pd_op *op = pd_ops[i];
		unsigned int subjects = 0;

		for_each_row(row, op)
			subjects |= 1u << row->subject;
		if (needed(op) & ~subjects)
			fail_msg("%s: no rows of the subjects %#x", op->name,
				 needed(op) & ~subjects);
		if (!has_entry_rows(op))
			continue;
		assert_int_equal(rows_mask(op, PD_SUBJECT_FOLIO) & folio, folio);
		assert_int_equal(rows_mask(op, PD_SUBJECT_COUNTER) & counters, counters);
	}
}

/* A field names a row in a signature: short, once, without a slash; and it has a reason. */
static void test_names_and_reasons(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < pd_nr_ops; i++) {
		unsigned int nr = 0;

		for_each_row(row, pd_ops[i]) {
			assert_true(strlen(row->field) < 32);
			assert_null(strpbrk(row->field, "/ \t"));
			assert_true(row->why && strchr(row->why, ' '));
			for_each_row(before, pd_ops[i])
				if (before < row)
					assert_string_not_equal(before->field, row->field);
			nr++;
		}
		assert_in_range(nr, 1, PD_MAX_ROWS);
	}
}

static void check_masks(const struct pd_masks *masks, const struct pd_op *op, enum pd_place p,
			const void *args)
{
	uint64_t want[PD_GRADE_DONT_CARE + 1] = { 0 };

	for_each_row(row, op)
		if (row->subject == PD_SUBJECT_PTE && row->place == p && holds(row, args))
			want[row->grade] |= row->mask;
	assert_int_equal(masks->exact[p], want[PD_GRADE_EXACT]);
	assert_int_equal(masks->or[p], want[PD_GRADE_OR]);
	assert_int_equal(masks->sub[p], want[PD_GRADE_SUB]);
}

/* The judge's masks are the rows: what may be gained is not compared exactly as well. */
static void test_masks(void **state)
{
	uint64_t args[PD_MAX_ARGS / sizeof(uint64_t)];
	struct pd_masks masks;
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 2, 0);
	for (unsigned int i = 0; i < 100 * pd_nr_ops; i++) {
		const struct pd_op *op = pd_ops[i % pd_nr_ops];

		random_args(op, &rng, args);
		pd_masks_make(&masks, op->rows);
		if (masks.conditional)
			pd_masks_add(&masks, op->rows, args);
		for (unsigned int p = 0; p < PD_NR_PLACES; p++)
			check_masks(&masks, op, (enum pd_place)p, args);
	}
}

/* Descriptors and registry. */
static void test_registry(void **state)
{
	(void)state;
	assert_true(pd_nr_ops > 0 && pd_nr_impls <= PD_MAX_IMPLS);
	for (unsigned int i = 0; i < pd_nr_ops; i++) {
		const struct pd_op *op = pd_ops[i];

		assert_true(op->args_size % sizeof(uint32_t) == 0 && op->args_size <= PD_MAX_ARGS);
		assert_in_range(op->kind.number, 0x10, 0x1f);
		assert_string_equal(op->kind.name, op->name);
		assert_true(op->fit && op->reference && op->span);
	}
	for (unsigned int i = 0; i < pd_nr_impls; i++) {
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
			const struct pd_impl *impl = pd_impls[i].impl[arch];

			assert_true(impl->unsupported || (impl->run && impl->bind));
			assert_true(impl->unsupported || impl->mirrors);
		}
		for (unsigned int k = 0; k < i; k++)
			assert_true(pd_impls[i].op != pd_impls[k].op ||
				    strcmp(pd_impls[i].name, pd_impls[k].name));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_word),
		cmocka_unit_test(test_every_bit_everywhere),
		cmocka_unit_test(test_every_subject),
		cmocka_unit_test(test_names_and_reasons),
		cmocka_unit_test(test_masks),
		cmocka_unit_test(test_registry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
