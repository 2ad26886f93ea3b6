/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of a scenario: total, local, canonical, frozen. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/scenario/scenario.h"
#include "tests/random_bytes.h"
#include "tests/source.h"

#define NR_IDENTITIES	200000u
#define NR_LOCALITIES	2000u

static void test_empty(void **state)
{
	uint8_t byte = 0;
	struct scenario sc;

	(void)state;
	pd_decode(&sc, &byte, 0);
	assert_int_equal(sc.nr, 0);
	assert_int_equal(pd_encode(&sc, &byte, 1), 0);
}

static void test_last_record_cut_short(void **state)
{
	static const uint8_t bytes[] = { PD_KIND_FOLIO, 0x20, 0xff };
	struct scenario sc;

	(void)state;
	pd_decode(&sc, bytes, sizeof(bytes));
	assert_int_equal(sc.nr, 1);
	assert_int_equal(sc.rec[0].h[0], 0x20);
	assert_int_equal(sc.rec[0].h[1], 0xff);
	assert_int_equal(sc.rec[0].h[2], 0);
}

static void test_unknown_kinds_are_nops(void **state)
{
	uint8_t bytes[256 * PD_RECORD_BYTES] = { 0 };
	struct scenario sc;

	(void)state;
	for (unsigned int kind = 0; kind < 256; kind++)
		bytes[kind * PD_RECORD_BYTES] = (uint8_t)kind;
	pd_decode(&sc, bytes, sizeof(bytes));
	assert_int_equal(sc.nr, nr_kinds());
	for (unsigned int i = 0; i < sc.nr; i++)
		assert_non_null(pd_kind_by_number(sc.rec[i].kind));
}

static void test_canonical_order(void **state)
{
	static const uint8_t in[] = {
		PD_KIND_HW, PD_KIND_BITS, PD_KIND_FOLIO, PD_KIND_FAULT, PD_KIND_MAP, PD_KIND_VMA,
		PD_KIND_NOP, PD_KIND_NONPRESENT, PD_KIND_CONFIG, PD_KIND_MAP, PD_KIND_HW,
	};
	static const uint8_t out[] = {
		PD_KIND_CONFIG, PD_KIND_VMA, PD_KIND_FOLIO, PD_KIND_BITS, PD_KIND_MAP,
		PD_KIND_NONPRESENT, PD_KIND_MAP, PD_KIND_HW, PD_KIND_FAULT, PD_KIND_HW,
	};
	uint8_t bytes[sizeof(in) * PD_RECORD_BYTES] = { 0 };
	struct scenario sc, again = { .nr = sizeof(in) };

	(void)state;
	for (unsigned int i = 0; i < sizeof(in); i++) {
		bytes[i * PD_RECORD_BYTES] = in[i];
		bytes[i * PD_RECORD_BYTES + 2] = (uint8_t)i;
		again.rec[i] = (struct pd_record){ in[i], { 0, (uint16_t)i, 0, 0 } };
	}
	pd_decode(&sc, bytes, sizeof(bytes));
	assert_int_equal(sc.nr, sizeof(out));
	for (unsigned int i = 0; i < sizeof(out); i++)
		assert_int_equal(sc.rec[i].kind, out[i]);
	assert_true(sc.rec[4].h[1] < sc.rec[6].h[1]);
	pd_canonical(&again);
	assert_true(same_scenario(&sc, &again));
}

/* Bits that no field covers are cleared; an enum value without a name reads as 0. */
static void test_clean(void **state)
{
	static const uint8_t bytes[] = {
		PD_KIND_CONFIG, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		PD_KIND_FAULT, 0xe4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	};
	static const struct pd_record config = { PD_KIND_CONFIG, { 0, 0, 0, 0 } };
	static const struct pd_record fault = { PD_KIND_FAULT, { 0xe0, 0x7ff, 0, 0 } };
	struct scenario sc;

	(void)state;
	pd_decode(&sc, bytes, sizeof(bytes));
	assert_int_equal(sc.nr, 2);
	assert_true(same_record(&sc.rec[0], &config));
	assert_true(same_record(&sc.rec[1], &fault));
}

static void test_bounds(void **state)
{
	static uint8_t bytes[2 * PD_MAX_BYTES], out[PD_MAX_BYTES];
	static struct scenario sc;

	(void)state;
	for (size_t at = 0; at < sizeof(bytes); at += PD_RECORD_BYTES)
		bytes[at] = PD_KIND_MAP;
	pd_decode(&sc, bytes, sizeof(bytes));
	assert_int_equal(sc.nr, PD_MAX_BYTES / PD_RECORD_BYTES);
	assert_int_equal(pd_encode(&sc, out, 7), 0);
	assert_int_equal(pd_encode(&sc, out, 23), 16);
	assert_int_equal(pd_encode(&sc, out, sizeof(out)), PD_MAX_BYTES);
}

/* bytes -> scenario -> text -> scenario -> bytes, from canonical bytes */
static void test_identity(void **state)
{
	static struct scenario sc, parsed;
	static char text[8192];
	uint8_t bytes[128], canonical[128], again[128];
	struct pd_parse how = { .strict = true };
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 1, 0);
	for (unsigned int i = 0; i < NR_IDENTITIES; i++) {
		size_t len = pd_below(&rng, sizeof(bytes) + 1), n;

		random_bytes(&rng, bytes, len, i % 4);
		pd_decode(&sc, bytes, len);
		n = pd_encode(&sc, canonical, sizeof(canonical));
		len = print_to(text, sizeof(text), &sc, NULL, NULL);
		if (!pd_parse(&parsed, text, len, &how))
			fail_msg("%u:%u: %s\n%s", how.line, how.column, how.error, text);
		assert_int_equal(pd_encode(&parsed, again, sizeof(again)), n);
		assert_memory_equal(canonical, again, n);
	}
}

/* Is @more equal to @base, or to @base and one record? */
static bool at_most_one_more(const struct scenario *base, const struct scenario *more)
{
	unsigned int i = 0;

	if (more->nr == base->nr)
		return same_scenario(base, more);
	if (more->nr != base->nr + 1)
		return false;
	while (i < base->nr && same_record(&base->rec[i], &more->rec[i]))
		i++;
	while (i < base->nr && same_record(&base->rec[i], &more->rec[i + 1]))
		i++;
	return i == base->nr;
}

/* Whatever a byte becomes, the other records are what they are without its record. */
static void test_locality(void **state)
{
	static struct scenario base, changed;
	uint8_t bytes[64], without[64];
	struct pd_rng rng;

	(void)state;
	pd_rng_seed(&rng, 2, 0);
	for (unsigned int i = 0; i < NR_LOCALITIES; i++) {
		random_bytes(&rng, bytes, sizeof(bytes), i % 2);
		for (size_t at = 0; at < sizeof(bytes); at++) {
			uint8_t old = bytes[at];

			memcpy(without, bytes, sizeof(bytes));
			without[at / PD_RECORD_BYTES * PD_RECORD_BYTES] = PD_KIND_NOP;
			pd_decode(&base, without, sizeof(without));
			pd_decode(&changed, bytes, sizeof(bytes));
			assert_true(at_most_one_more(&base, &changed));
			bytes[at] ^= (uint8_t)(1 + pd_below(&rng, 255));
			pd_decode(&changed, bytes, sizeof(bytes));
			assert_true(at_most_one_more(&base, &changed));
			bytes[at] = old;
		}
	}
}

/* The two views of every field: what is in golden/ may grow and never change. */
static void test_frozen(void **state)
{
	static char text[65536], hex[65536], dump[65536];
	static uint8_t bytes[PD_MAX_BYTES];
	static struct scenario sc;
	struct pd_parse how = { .strict = true };
	long len = read_source("tests/golden/every_field.pte", text, sizeof(text));
	size_t n, at = 0;

	(void)state;
	assert_true(len > 0);
	assert_true(read_source("tests/golden/every_field.hex", hex, sizeof(hex)) > 0);
	if (!pd_parse(&sc, text, (size_t)len, &how))
		fail_msg("%u:%u: %s", how.line, how.column, how.error);
	n = pd_encode(&sc, bytes, sizeof(bytes));
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(dump + at, sizeof(dump) - at, "%02x%c", bytes[i],
				       i % PD_RECORD_BYTES == 7 ? '\n' : ' ');
	assert_string_equal(dump, hex);
	print_to(dump, sizeof(dump), &sc, how.expect, how.impl);
	assert_string_equal(dump, text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_last_record_cut_short),
		cmocka_unit_test(test_unknown_kinds_are_nops),
		cmocka_unit_test(test_canonical_order),
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_locality),
		cmocka_unit_test(test_frozen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
