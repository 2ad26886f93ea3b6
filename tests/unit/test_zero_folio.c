/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the forms of folio_zero_user() do to a folio: how often they clear and reschedule, in which
 * order, how long others wait, and that the bytes are zero in the end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/judge/judge.h"
#include "model/ops/zero_folio/args.h"

static struct pd_world *world;

static const char *const forms[] = { "per_page_v6_12", "batched_posted_v8", "batched_v7_0" };

/* ---- running ---- */

/* A run of chunks, as the facts have it. */
struct run {
	uint32_t first, pages, times, before, gap;
};

static const struct pd_impl *form(const char *name)
{
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		if (!strcmp(pd_impls[i].op->name, "zero_folio") && !strcmp(pd_impls[i].name, name))
			return pd_impls[i].impl[PD_ARCH_X86];
	fail_msg("no implementation %s", name);
	return NULL;
}

static void clear(const char *name, const struct zero_folio_args *args)
{
	const struct pd_impl *impl = form(name);

	pd_world_reset(world);
	impl->bind(world);
	assert_int_equal(impl->run(args), 0);
	assert_true(world->results.nr <= PD_MAX_RESULTS);
}

static bool next_run(unsigned int *i, struct run *run)
{
	for (; *i < world->results.nr; ++*i) {
		uint64_t b = world->results.list[*i].b;

		if (world->results.list[*i].what != ZERO_FOLIO_CHUNKS)
			continue;
		*run = (struct run){
			world->results.list[*i].a, b & 0xfffff, b >> 20 & 0xfffff,
			b >> 40 & 0xff, b >> 48 & 0xff,
		};
		++*i;
		return true;
	}
	return false;
}

#define for_each_run(run) for (unsigned int run_i_ = 0; next_run(&run_i_, &(run));)

static uint32_t chunks(void)
{
	uint32_t nr = 0;
	struct run run;

	for_each_run(run)
		nr += run.times;
	return nr;
}

static uint32_t fact(unsigned int what)
{
	for (unsigned int i = 0; i < world->results.nr; i++)
		if (world->results.list[i].what == what)
			return world->results.list[i].a;
	return 0;
}

static uint32_t rescheds(void)
{
	uint32_t nr = fact(ZERO_FOLIO_RESCHED);
	struct run run;

	for_each_run(run)
		nr += run.before + run.gap * (run.times - 1);
	return nr;
}

/* Chunks, calls that clear and cond_resched() are equally many here: the arch has clear_pages(). */
static void check_chunks(const char *name, const struct zero_folio_args *args, uint32_t want)
{
	clear(name, args);
	if (chunks() != want || fact(ZERO_FOLIO_CALLS) != want || rescheds() != want)
		fail_msg("%s, 2^%u pages, fault at %u, preempt %u: %u chunks, %u calls, "
			 "%u cond_resched(), expected %u", name, args->order, zero_folio_hint(args),
			 args->preempt, chunks(), fact(ZERO_FOLIO_CALLS), rescheds(), want);
}

/* ---- the table ---- */

#define ALL UINT32_MAX

static const struct {
	unsigned int order;
	uint32_t from, to;	/* faulting pages; ALL: the last one */
	uint32_t old, v8, v8_preemptible, landed, landed_preemptible;
} table[] = {
	{ 9, 0, 2, 512, 2, 2, 2, 2 },
	{ 9, 3, 508, 512, 3, 3, 3, 3 },
	{ 9, 509, 511, 512, 2, 2, 2, 2 },
	{ 10, 0, 0, 1024, 2, 2, 2, 2 },
	{ 11, 0, 2, 2048, 1, 1, 2, 2 },
	{ 11, 3, 2044, 2048, 1, 1, 3, 3 },
	{ 11, 2045, ALL, 2048, 1, 1, 2, 2 },
	{ 18, 0, 0, 262144, 128, 1, 33, 2 },
	{ 18, 131072, 131072, 262144, 128, 1, 33, 3 },
};

static void set_hint(struct zero_folio_args *args, uint32_t page)
{
	args->hint = page & 0xffff;
	args->hint_high = page >> 16;
}

static void check_row(unsigned int i, uint32_t fault)
{
	struct zero_folio_args args = { .order = table[i].order };

	set_hint(&args, fault);
	for (args.preempt = 0; args.preempt <= ZERO_FOLIO_PREEMPT_RT; args.preempt++) {
		bool preemptible = zero_folio_preemptible(&args);

		check_chunks("per_page_v6_12", &args, table[i].old);
		check_chunks("batched_posted_v8", &args,
			     preemptible ? table[i].v8_preemptible : table[i].v8);
		check_chunks("batched_v7_0", &args,
			     preemptible ? table[i].landed_preemptible : table[i].landed);
	}
}

static void test_table(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint32_t last = (1u << table[i].order) - 1;
		uint32_t to = table[i].to == ALL ? last : table[i].to;

		for (uint32_t fault = table[i].from; fault <= to; fault++)
			if (fault < table[i].from + 4 || fault > to - 4)
				check_row(i, fault);
	}
}

/* An arch without clear_pages(): a page at a time, the parts in their order all the same. */
static void test_without_clear_pages(void **state)
{
	struct zero_folio_args args = { .order = 9, .hint = 100, .no_clear_pages = 1 };
	struct run run;

	(void)state;
	check_chunks("batched_v7_0", &args, 512);
	for_each_run(run)
		assert_int_equal(run.pages, 1);
	check_chunks("batched_posted_v8", &args, 512);
	args.preempt = ZERO_FOLIO_PREEMPT_FULL;
	clear("batched_v7_0", &args);
	assert_int_equal(chunks(), 3);
	assert_int_equal(fact(ZERO_FOLIO_CALLS), 512);
}

/* ---- regions of small folios: pages @ first ---- */

static void test_small_folios(void **state)
{
	static const struct {
		unsigned int order;
		uint32_t fault;
		struct { uint32_t pages, first; } part[3];
	} small[] = {
		{ 0, 0, { { 1, 0 } } },
		{ 1, 0, { { 2, 0 } } },
		{ 1, 1, { { 2, 0 } } },
		{ 2, 0, { { 1, 3 }, { 3, 0 } } },
		{ 2, 1, { { 4, 0 } } },
		{ 2, 2, { { 4, 0 } } },
		{ 2, 3, { { 1, 0 }, { 3, 1 } } },
		{ 4, 8, { { 5, 11 }, { 6, 0 }, { 5, 6 } } },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(small) / sizeof(small[0]); i++) {
		struct zero_folio_args args = { .order = small[i].order, .hint = small[i].fault };

		for (unsigned int k = 0; k < 2; k++) {
			unsigned int part = 0;
			struct run run;

			clear(k ? "batched_v7_0" : "batched_posted_v8", &args);
			for_each_run(run) {
				assert_int_equal(run.pages, small[i].part[part].pages);
				assert_int_equal(run.first, small[i].part[part].first);
				part++;
			}
			assert_true(part == 3 || !small[i].part[part].pages);
		}
	}
}

/* ---- the order before extents ---- */

static void test_inwards(void **state)
{
	static const struct {
		uint32_t fault, order[8];
	} known[] = {
		{ 0, { 7, 6, 5, 4, 3, 2, 1, 0 } },
		{ 2, { 7, 6, 5, 4, 0, 3, 1, 2 } },
		{ 4, { 0, 7, 1, 6, 2, 5, 3, 4 } },
		{ 6, { 0, 1, 2, 3, 4, 7, 5, 6 } },
		{ 7, { 0, 1, 2, 3, 4, 5, 6, 7 } },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct zero_folio_args args = { .order = 3, .hint = known[i].fault };
		unsigned int nr = 0;
		struct run run;

		clear("per_page_v6_12", &args);
		for_each_run(run) {
			assert_int_equal(run.pages, 1);
			for (uint32_t k = 0; k < run.times; k++)
				assert_int_equal(run.first + k, known[i].order[nr++]);
		}
		assert_int_equal(nr, 8);
	}
}

/* ---- what it is about: how long others wait, what stays in the cache ---- */

static uint32_t longest_chunk(void)
{
	uint32_t longest = 0;
	struct run run;

	for_each_run(run)
		longest = run.pages > longest ? run.pages : longest;
	return longest;
}

/* Pages that are cleared after the faulting one, and push it out of the cache. */
static uint32_t cleared_after(uint32_t fault)
{
	uint32_t after = 0;
	bool seen = false;
	struct run run;

	for_each_run(run) {
		uint32_t len = run.pages * run.times;

		after += seen ? len : 0;
		if (fault - run.first < len) {
			seen = true;
			after = run.first + len - fault - 1;
		}
	}
	return after;
}

static void check_figures(const char *name, unsigned int order, unsigned int preempt,
			  uint32_t longest, uint32_t after)
{
	struct zero_folio_args args = { .order = order, .preempt = preempt };

	set_hint(&args, (1u << order) / 2);
	clear(name, &args);
	assert_int_equal(longest_chunk(), longest);
	assert_int_equal(cleared_after(zero_folio_hint(&args)), after);
}

/* The most that is cleared between two cond_resched(), and behind the faulting page. */
static void test_figures(void **state)
{
	(void)state;
	check_figures("per_page_v6_12", 9, ZERO_FOLIO_PREEMPT_NONE, 1, 0);
	check_figures("per_page_v6_12", 18, ZERO_FOLIO_PREEMPT_FULL, 1, 131071);
	check_figures("batched_posted_v8", 9, ZERO_FOLIO_PREEMPT_NONE, 254, 2);
	check_figures("batched_posted_v8", 18, ZERO_FOLIO_PREEMPT_NONE, 2048, 131071);
	check_figures("batched_posted_v8", 18, ZERO_FOLIO_PREEMPT_FULL, 262144, 131071);
	check_figures("batched_v7_0", 9, ZERO_FOLIO_PREEMPT_NONE, 254, 2);
	check_figures("batched_v7_0", 18, ZERO_FOLIO_PREEMPT_NONE, 8192, 2);
	check_figures("batched_v7_0", 18, ZERO_FOLIO_PREEMPT_LAZY, 131070, 2);
}

/* ---- the byte of the fault makes no difference ---- */

static void test_low_bits(void **state)
{
	static struct pd_results before;

	(void)state;
	for (unsigned int n = 0; n < 3 * 512; n++) {
		struct zero_folio_args args = { .order = 9, .hint = n / 3, .arch_page = n % 2 };

		clear(forms[n % 3], &args);
		memcpy(&before, &world->results, sizeof(before));
		args.byte = ZERO_FOLIO_PAGE - 1;
		clear(forms[n % 3], &args);
		assert_int_equal(before.nr, world->results.nr);
		assert_memory_equal(before.list, world->results.list,
				    before.nr * sizeof(before.list[0]));
	}
}

/* ---- real bytes ---- */

static void check_bytes(const char *name, const struct zero_folio_args *args, uint8_t *memory)
{
	size_t bytes = (size_t)zero_folio_pages(args) * ZERO_FOLIO_PAGE;

	memset(memory, 0x5a, bytes + 2 * ZERO_FOLIO_PAGE);
	world->memory = memory + ZERO_FOLIO_PAGE;
	clear(name, args);
	world->memory = NULL;
	for (size_t i = 0; i < bytes; i++)
		assert_int_equal(memory[ZERO_FOLIO_PAGE + i], 0);
	for (size_t i = 0; i < ZERO_FOLIO_PAGE; i++) {
		assert_int_equal(memory[i], 0x5a);
		assert_int_equal(memory[ZERO_FOLIO_PAGE + bytes + i], 0x5a);
	}
}

static void test_bytes(void **state)
{
	uint8_t *memory = malloc((32 + 2) * ZERO_FOLIO_PAGE);

	(void)state;
	assert_non_null(memory);
	for (unsigned int n = 0; n < 6 * 8 * 3; n++) {
		struct zero_folio_args args = {
			.order = n / 24, .no_clear_pages = n & 1, .highmem = n >> 1 & 1,
			.arch_page = n >> 2 & 1, .unit = n % 5, .byte = n,
		};

		args.hint = (n * 7) % zero_folio_pages(&args);
		check_bytes(forms[n / 8 % 3], &args, memory);
	}
	free(memory);
}

static int setup(void **state)
{
	(void)state;
	world = pd_world_new();
	return world ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	pd_world_free(world);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_without_clear_pages),
		cmocka_unit_test(test_small_folios),
		cmocka_unit_test(test_inwards),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_low_bits),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests_name("zero_folio", tests, setup, teardown);
}
