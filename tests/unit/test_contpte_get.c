/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the forms of contpte_ptep_get() cost: raw reads, tests of entries for dirty and for young,
 * tests of the result. Counted while they run, held against the table of the review and against
 * closed forms.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/judge/judge.h"
#include "model/ops/contpte_get/args.h"

#define BLOCK	32u	/* first page of the block */
#define FRAME	512u
#define NR	16u
#define NONE	NR	/* index of the first entry that has a bit, when none has */

static struct pd_world *world;

/* ---- running ---- */

struct block {
	uint16_t young, dirty;
	uint16_t software;	/* dirty entries that have the software bit as well */
};

static void load(const struct block *b)
{
	for (unsigned int i = 0; i < NR; i++) {
		lpte_t pte = lpte_make(LPTE_KIND_PRESENT, FRAME + i) | LPTE_WRITE | LPTE_CONT;

		pte |= b->young >> i & 1 ? LPTE_YOUNG : 0;
		pte |= b->dirty >> i & 1 ? LPTE_DIRTY : 0;
		pte |= b->dirty & b->software & 1u << i ? LPTE_SWDIRTY : 0;
		*pd_world_entry(world, BLOCK + i) = pd_raw_encode(PD_ARCH_ARM64, pte);
	}
}

static const struct pd_impl *form(const char *name)
{
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		if (!strcmp(pd_impls[i].op->name, "contpte_get") && !strcmp(pd_impls[i].name, name))
			return pd_impls[i].impl[PD_ARCH_ARM64];
	fail_msg("no implementation %s", name);
	return NULL;
}

/* Read entry @index. Return: the raw word; what it cost is in world->work. */
static uint64_t read_entry(const struct pd_impl *impl, const struct block *b, unsigned int index)
{
	const struct contpte_get_args args = { .va = BLOCK + index, .pages = 1 };

	load(b);
	pd_world_reset(world);
	world->budget = world->stop = 1000;
	impl->bind(world);
	assert_int_equal(impl->run(&args), 1);
	assert_int_equal(world->results.nr, 1);
	assert_int_equal(world->work.sets + world->work.xchgs, 0);
	return world->results.list[0].b;
}

struct cost {
	unsigned int reads, dirty, young, result;
};

static void check_cost(const char *name, const struct block *b, unsigned int index,
		       struct cost want)
{
	const struct pd_work *work = &world->work;

	read_entry(form(name), b, index);
	/* ptep_get() itself reads the entry once before it gathers. */
	if (work->reads != 1 + want.reads || work->dirty_tests != want.dirty ||
	    work->young_tests != want.young || work->result_tests != want.result)
		fail_msg("%s, young %04x, dirty %04x, entry %u: R%lu Cd%lu Cy%lu Co%lu, "
			 "expected R%u Cd%u Cy%u Co%u", name, b->young, b->dirty, index,
			 work->reads - 1, work->dirty_tests, work->young_tests, work->result_tests,
			 want.reads, want.dirty, want.young, want.result);
}

/* ---- the table, row by row ---- */

static const struct {
	const char *what;
	struct block block;
	unsigned int index;
	struct cost original, modification1, modification2;
} table[] = {
	{ "scenario 1: all dirty and young", { 0xffff, 0xffff, 0 }, 8,
	  { 16, 16, 16, 0 }, { 1, 1, 0, 1 }, { 2, 1, 1, 0 } },
	{ "scenario 2: only index 8 young", { 0x0100, 0, 0 }, 8,
	  { 16, 16, 16, 0 }, { 16, 16, 16, 1 }, { 16, 16, 9, 0 } },
	{ "scenario 2: only the eighth young", { 0x0080, 0, 0 }, 7,
	  { 16, 16, 16, 0 }, { 16, 16, 16, 1 }, { 16, 16, 8, 0 } },
	{ "scenario 3: none", { 0, 0, 0 }, 8,
	  { 16, 16, 16, 0 }, { 16, 16, 16, 0 }, { 16, 16, 16, 0 } },
	{ "all young, none dirty", { 0xffff, 0, 0 }, 8,
	  { 16, 16, 16, 0 }, { 16, 16, 16, 16 }, { 16, 16, 1, 0 } },
	{ "all dirty, none young", { 0, 0xffff, 0 }, 8,
	  { 16, 16, 16, 0 }, { 16, 16, 16, 16 }, { 17, 1, 16, 0 } },
	{ "only index 15 dirty", { 0, 0x8000, 0 }, 8,
	  { 16, 16, 16, 0 }, { 16, 16, 16, 1 }, { 17, 16, 16, 0 } },
	{ "the review: 0 to 14 young, none dirty", { 0x7fff, 0, 0 }, 8,
	  { 16, 16, 16, 0 }, { 16, 16, 16, 15 }, { 16, 16, 1, 0 } },
};

static void test_table(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct block *b = &table[i].block;

		check_cost("original", b, table[i].index, table[i].original);
		check_cost("modification1", b, table[i].index, table[i].modification1);
		check_cost("modification2", b, table[i].index, table[i].modification2);
	}
}

/* ---- closed forms, in the first dirty entry d and the first young one y ---- */

static unsigned int min_of(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static unsigned int first_of(uint16_t bits)
{
	return bits ? (unsigned int)__builtin_ctz(bits) : NONE;
}

/* @again: the entry found young is read and tested once more (the increment is left out). */
static struct cost cost_of_two_loops(unsigned int d, unsigned int y, bool again)
{
	struct cost cost = {
		.reads = d == NONE && y == NONE ? NR : d <= y ? min_of(y + 2, NR + 1) :
								min_of(d + 1, NR),
		.dirty = min_of(d + 1, NR),
		.young = min_of(y + 1, NR),
	};

	if (again && y < d) {
		cost.reads++;
		cost.dirty++;
	}
	return cost;
}

/* Modification 1 ends when the result, which starts as the entry itself, has both. */
static unsigned int reads_of_modification1(unsigned int d, unsigned int y, bool dirty, bool young)
{
	unsigned int last = d > y ? d : y;

	if (dirty && young)
		last = d < y ? d : y;
	else if (dirty)
		last = y;
	else if (young)
		last = d;
	return min_of(last + 1, NR);
}

static void check_closed_forms(const struct block *b, unsigned int index)
{
	unsigned int d = first_of(b->dirty), y = first_of(b->young);

	check_cost("original", b, index, (struct cost){ NR, NR, NR, 0 });
	check_cost("modification2", b, index, cost_of_two_loops(d, y, false));
	check_cost("no_increment", b, index, cost_of_two_loops(d, y, true));
	check_cost("posted_v3_macro", b, index, cost_of_two_loops(d, y, true));
	read_entry(form("modification1"), b, index);
	assert_int_equal(world->work.reads - 1,
			 reads_of_modification1(d, y, b->dirty >> index & 1,
						b->young >> index & 1));
	read_entry(form("shim"), b, index);
	assert_int_equal(world->work.reads - 1, cost_of_two_loops(d, y, false).reads);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 16;
}

static void test_closed_forms(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (unsigned int d = 0; d <= NR; d++) {
		for (unsigned int y = 0; y <= NR; y++) {
			struct block b = { .young = (uint16_t)(1u << y),
					   .dirty = (uint16_t)(1u << d) };

			/* What comes behind the first ones makes no difference. */
			b.young |= (uint16_t)(b.young << (next_random(&seed) % NR));
			b.dirty |= (uint16_t)(b.dirty << (next_random(&seed) % NR));
			for (unsigned int index = 0; index < NR; index++)
				check_closed_forms(&b, index);
		}
	}
}

/* Between 2 and 17 reads for the landed form; "drop the i++" costs a read and a test at most. */
static void test_bounds(void **state)
{
	(void)state;
	for (unsigned int d = 0; d <= NR; d++) {
		for (unsigned int y = 0; y <= NR; y++) {
			struct cost landed = cost_of_two_loops(d, y, false);
			struct cost dropped = cost_of_two_loops(d, y, true);

			assert_in_range(landed.reads, 2, 17);
			assert_in_range(dropped.reads - landed.reads, 0, 1);
			assert_int_equal(dropped.dirty - landed.dirty, y < d);
			assert_int_equal(dropped.young, landed.young);
		}
	}
}

/* ---- the word ---- */

/* All forms return the same raw word, but modification 1, which may leave the software bit out. */
static void test_same_word(void **state)
{
	static const char *const same[] = { "posted_v3_macro", "modification2", "no_increment",
					    "shim" };
	uint64_t seed = 2, differ = 0;

	(void)state;
	for (unsigned int n = 0; n < 20000; n++) {
		struct block b = {
			.young = (uint16_t)(next_random(&seed) & next_random(&seed)),
			.dirty = (uint16_t)(next_random(&seed) & next_random(&seed)),
			.software = (uint16_t)next_random(&seed),
		};
		unsigned int index = n % NR;
		uint64_t word = read_entry(form("original"), &b, index), other;

		for (unsigned int i = 0; i < sizeof(same) / sizeof(same[0]); i++)
			assert_int_equal(read_entry(form(same[i]), &b, index), word);
		other = read_entry(form("modification1"), &b, index);
		assert_int_equal((pd_raw_decode(PD_ARCH_ARM64, word) ^
				  pd_raw_decode(PD_ARCH_ARM64, other)) & ~LPTE_SWDIRTY, 0);
		differ += other != word;
	}
	assert_true(differ > 0);
}

static int setup(void **state)
{
	(void)state;
	world = pd_world_new();
	if (!world)
		return -1;
	world->arch = PD_ARCH_ARM64;
	return 0;
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
		cmocka_unit_test(test_closed_forms),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_same_word),
	};

	return cmocka_run_group_tests_name("contpte_get: work and words", tests, setup, teardown);
}
