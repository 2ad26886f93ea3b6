/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mutator: within its bounds, canonical, reproducible, and able to reach everything. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "tests/random_bytes.h"

#define NR_CHAINS	20000u
#define NR_BUFFERS	100000u

static struct scenario sc, other, out, again;

static void assert_canonical(const struct scenario *s)
{
	again = *s;
	pd_canonical(&again);
	assert_true(same_scenario(s, &again));
}

/* From generated scenarios, and from what mutating them gave, empty ones among them. */
static void test_scenarios(void **state)
{
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 1, 1);
	for (unsigned int i = 0; i < NR_CHAINS; i++) {
		size_t max = pd_below(&rng, pd_chance(&rng, 1, 2) ? 8 : 600);

		if (i % 16 == 0)
			pd_generate(&sc, NULL, &rng);
		pd_mutate(&sc, max, &rng);
		assert_true(sc.nr <= max);
		assert_canonical(&sc);
	}
}

static void test_crossover(void **state)
{
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 2, 1);
	for (unsigned int i = 0; i < NR_CHAINS / 4; i++) {
		size_t max = pd_below(&rng, 32);

		pd_generate(&sc, NULL, &rng);
		pd_generate(&other, NULL, &rng);
		pd_crossover(&out, &sc, &other, max, &rng);
		assert_true(out.nr <= max);
		assert_canonical(&out);
	}
}

/* The largest scenarios that text can hold. */
static void test_full_scenarios(void **state)
{
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 3, 1);
	for (unsigned int i = 0; i < PD_MAX_RECORDS; i++)
		sc.rec[i] = (struct pd_record){ .kind = PD_KIND_MAP };
	for (unsigned int i = 0; i < 200; i++) {
		sc.nr = PD_MAX_RECORDS;
		other = sc;
		pd_mutate(&sc, PD_MAX_RECORDS, &rng);
		assert_true(sc.nr <= PD_MAX_RECORDS);
		pd_crossover(&out, &sc, &other, PD_MAX_RECORDS, &rng);
		assert_true(out.nr <= PD_MAX_RECORDS);
	}
}

static bool differs(const struct pd_record *a, const struct pd_record *b, struct pd_bits bits)
{
	return bits.width && pd_record_get(a, bits) != pd_record_get(b, bits);
}

/* Every field of every kind, so an operation needs nothing in the mutator. */
static void test_every_field_is_reached(void **state)
{
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 4, 1);
	for (unsigned int k = 0; k < nr_kinds(); k++) {
		const struct pd_kind *kind = pd_kind_at(k);
		const struct pd_record zero = { .kind = kind->number };
		uint64_t seen = 0, more = 0, want = 0, want_more = 0;

		for (unsigned int i = 0; i < 4000; i++) {
			sc.nr = 1;
			sc.rec[0] = zero;
			pd_mutate(&sc, 1, &rng);
			if (sc.nr != 1 || sc.rec[0].kind != kind->number)
				continue;
			for (unsigned int f = 0; kind->fields[f].form != PD_FORM_END; f++) {
				const struct pd_field *field = &kind->fields[f];

				seen |= (uint64_t)differs(sc.rec, &zero, field->at) << f;
				more |= (uint64_t)differs(sc.rec, &zero, field->more) << f;
			}
		}
		for (unsigned int f = 0; kind->fields[f].form != PD_FORM_END; f++) {
			want |= (uint64_t)(kind->fields[f].at.width != 0) << f;
			want_more |= (uint64_t)(kind->fields[f].more.width != 0) << f;
		}
		assert_int_equal(seen, want);
		assert_int_equal(more, want_more);
	}
}

/* ---- bytes; every buffer is as large as allowed and no larger, for AddressSanitizer ---- */

static size_t random_max(struct pd_rng *rng)
{
	static const uint16_t limits[] = { 9, 32, 257, PD_MAX_BYTES + 1 };

	return pd_below(rng, limits[pd_below(rng, 4)]);
}

static uint8_t *random_buffer(struct pd_rng *rng, size_t max, size_t *len)
{
	uint8_t *buf = malloc(max ? max : 1);

	assert_non_null(buf);
	memset(buf, 0, max);
	*len = pd_below(rng, (uint32_t)max + 1);
	random_bytes(rng, buf, *len, pd_chance(rng, 1, 2));
	return buf;
}

static void test_bytes(void **state)
{
	unsigned int same = 0;
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 5, 1);
	for (unsigned int i = 0; i < NR_BUFFERS; i++) {
		size_t max = random_max(&rng), len, got, second;
		uint8_t *buf = random_buffer(&rng, max, &len), *copy = malloc(max ? max : 1);

		assert_non_null(copy);
		memcpy(copy, buf, max);
		got = pd_mutate_bytes(buf, len, max, i);
		assert_true(got <= max);
		if (max < PD_RECORD_BYTES)
			assert_int_equal(got, 0);
		same += max >= PD_RECORD_BYTES && got == len && !memcmp(buf, copy, len);
		second = pd_mutate_bytes(copy, len, max, i);
		assert_int_equal(second, got);
		assert_memory_equal(buf, copy, got);
		free(copy);
		free(buf);
	}
	assert_in_range(same, 0, NR_BUFFERS / 20);
}

static void test_bytes_crossover(void **state)
{
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 6, 1);
	for (unsigned int i = 0; i < NR_BUFFERS / 4; i++) {
		size_t na, nb, max = random_max(&rng), got;
		uint8_t *a = random_buffer(&rng, random_max(&rng), &na);
		uint8_t *b = random_buffer(&rng, random_max(&rng), &nb);
		uint8_t *child = malloc(max ? max : 1);

		assert_non_null(child);
		got = pd_crossover_bytes(a, na, b, nb, child, max, i);
		assert_true(got <= max);
		free(a);
		free(b);
		free(child);
	}
}

/* An engine starts from nothing: soon there is a layout and an operation over it. */
static void test_from_nothing(void **state)
{
	uint8_t buf[256] = { 0 };
	unsigned int ops = 0;
	size_t len = PD_RECORD_BYTES;

	(void)state;
	for (unsigned int i = 0; i < 1000; i++) {
		len = pd_mutate_bytes(buf, len, sizeof(buf), i);
		pd_decode(&sc, buf, len);
		ops += sc.nr > 1 && pd_op_by_kind(sc.rec[sc.nr - 1].kind);
	}
	assert_true(ops > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenarios),
		cmocka_unit_test(test_crossover),
		cmocka_unit_test(test_full_scenarios),
		cmocka_unit_test(test_every_field_is_reached),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_bytes_crossover),
		cmocka_unit_test(test_from_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
