/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of a legal state: for each, states that keep it and states that break it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/state/legal.h"
#include "tests/build_text.h"
#include "tests/source.h"

#define VA 5u
#define PFN 600u

static struct pd_state s;

static int setup(void **state)
{
	(void)state;
	pd_state_init(&s);
	return 0;
}

/* One entry at VA, in a VMA with @vma flags, of an order-0 folio. */
struct entry {
	const char *what;
	enum pd_rule rule;
	lpte_t pte;
	uint16_t vma;
	uint8_t type;
	bool exclusive;
	uint8_t other;
};

#define PRESENT(bits)	((lpte_t)LPTE_KIND_PRESENT | ((lpte_t)PFN << LPTE_PFN_SHIFT) | (bits))
#define ZERO(bits)	((lpte_t)LPTE_KIND_PRESENT | LPTE_SPECIAL | \
			 ((lpte_t)PD_ZERO_PFN << LPTE_PFN_SHIFT) | (bits))
#define NP(kind, value)	((lpte_t)LPTE_KIND_##kind | ((lpte_t)(value) << LPTE_PFN_SHIFT))
#define MARKER(name)	((lpte_t)LPTE_KIND_MARKER | \
			 ((lpte_t)LPTE_MARKER_##name << LPTE_TYPE_SHIFT))
#define SHARED_FILE	(PD_VMA_SHARED | PD_VMA_FILE)

static const struct entry entries[] = {
	{ .what = "nothing", .rule = PD_RULE_NONE, .pte = 0 },
	{ .what = "read-only page", .rule = PD_RULE_NONE, .pte = PRESENT(0) },
	{ .what = "exclusive and writable", .rule = PD_RULE_NONE, .pte = PRESENT(LPTE_WRITE),
	  .exclusive = true },
	{ .what = "what FOLL_FORCE leaves", .rule = PD_RULE_NONE, .pte = PRESENT(LPTE_DIRTY),
	  .exclusive = true },
	{ .what = "PROT_NONE", .rule = PD_RULE_NONE, .pte = PRESENT(LPTE_PROTNONE | LPTE_DIRTY) },
	{ .what = "writable, VMA read-only", .rule = PD_RULE_VMA_READ_ONLY,
	  .pte = PRESENT(LPTE_WRITE), .vma = PD_VMA_RO, .exclusive = true },
	{ .what = "read-only, VMA read-only", .rule = PD_RULE_NONE, .pte = PRESENT(LPTE_DIRTY),
	  .vma = PD_VMA_RO },
	{ .what = "uffd-wp, registered", .rule = PD_RULE_NONE, .pte = PRESENT(LPTE_UFFD_WP),
	  .vma = PD_VMA_UFFD_WP },
	{ .what = "uffd-wp, not registered", .rule = PD_RULE_VMA_UFFD,
	  .pte = PRESENT(LPTE_UFFD_WP) },
	{ .what = "uffd-wp, missing mode", .rule = PD_RULE_VMA_UFFD, .pte = PRESENT(LPTE_UFFD_WP),
	  .vma = PD_VMA_UFFD_NO_REMAP },
	{ .what = "marker, registered", .rule = PD_RULE_NONE, .pte = MARKER(UFFD_WP),
	  .vma = PD_VMA_UFFD_WP },
	{ .what = "marker, not registered", .rule = PD_RULE_VMA_UFFD, .pte = MARKER(UFFD_WP) },
	{ .what = "poison marker", .rule = PD_RULE_NONE, .pte = MARKER(POISON) },
	{ .what = "guard marker", .rule = PD_RULE_NONE, .pte = MARKER(GUARD) },
	{ .what = "swap uffd-wp, registered", .rule = PD_RULE_NONE,
	  .pte = NP(SWAP, 9) | LPTE_UFFD_WP, .vma = PD_VMA_UFFD_WP },
	{ .what = "swap uffd-wp, not registered", .rule = PD_RULE_VMA_UFFD,
	  .pte = NP(SWAP, 9) | LPTE_UFFD_WP },
	{ .what = "page cache, anon VMA", .rule = PD_RULE_VMA_TYPE, .pte = PRESENT(0),
	  .type = PD_FOLIO_FILE },
	{ .what = "page cache, file VMA", .rule = PD_RULE_NONE, .pte = PRESENT(0),
	  .vma = PD_VMA_FILE, .type = PD_FOLIO_FILE },
	{ .what = "anon, private file VMA", .rule = PD_RULE_NONE, .pte = PRESENT(0),
	  .vma = PD_VMA_FILE },
	{ .what = "anon, shared VMA", .rule = PD_RULE_VMA_TYPE, .pte = PRESENT(0),
	  .vma = SHARED_FILE },
	{ .what = "page with struct page, pfnmap", .rule = PD_RULE_VMA_TYPE, .pte = PRESENT(0),
	  .vma = PD_VMA_PFNMAP },
	{ .what = "special, pfnmap", .rule = PD_RULE_NONE,
	  .pte = PRESENT(LPTE_SPECIAL | LPTE_WRITE), .vma = PD_VMA_PFNMAP },
	{ .what = "special, no pfnmap", .rule = PD_RULE_VMA_TYPE, .pte = PRESENT(LPTE_SPECIAL) },
	{ .what = "swap, pfnmap", .rule = PD_RULE_VMA_TYPE, .pte = NP(SWAP, 9),
	  .vma = PD_VMA_PFNMAP },
	{ .what = "migration, page cache, anon VMA", .rule = PD_RULE_VMA_TYPE,
	  .pte = NP(MIGRATION_READ, PFN), .type = PD_FOLIO_FILE },
	{ .what = "zero page, shared VMA", .rule = PD_RULE_VMA_TYPE, .pte = ZERO(0),
	  .vma = SHARED_FILE },
	{ .what = "zero page", .rule = PD_RULE_NONE, .pte = ZERO(0) },
	{ .what = "zero page from KSM", .rule = PD_RULE_NONE, .pte = ZERO(LPTE_DIRTY) },
	{ .what = "zero page, writable", .rule = PD_RULE_ZERO_PAGE, .pte = ZERO(LPTE_WRITE) },
	{ .what = "page cache writable, shared", .rule = PD_RULE_NONE, .pte = PRESENT(LPTE_WRITE),
	  .vma = SHARED_FILE, .type = PD_FOLIO_FILE },
	{ .what = "page cache writable, private", .rule = PD_RULE_SHARED_CLEAN_FILE,
	  .pte = PRESENT(LPTE_WRITE), .vma = PD_VMA_FILE, .type = PD_FOLIO_FILE },
	{ .what = "writable, not exclusive", .rule = PD_RULE_WRITE_EXCLUSIVE,
	  .pte = PRESENT(LPTE_WRITE) },
	{ .what = "device memory, writable", .rule = PD_RULE_NONE, .pte = PRESENT(LPTE_WRITE),
	  .type = PD_FOLIO_DEVICE, .exclusive = true },
	{ .what = "exclusive and mapped by a child", .rule = PD_RULE_EXCLUSIVE_ONCE,
	  .pte = PRESENT(0), .exclusive = true, .other = 1 },
	{ .what = "exclusive KSM page", .rule = PD_RULE_EXCLUSIVE_ONCE, .pte = PRESENT(0),
	  .type = PD_FOLIO_KSM, .exclusive = true },
	{ .what = "exclusive page cache", .rule = PD_RULE_EXCLUSIVE_ONCE, .pte = PRESENT(0),
	  .vma = PD_VMA_FILE, .type = PD_FOLIO_FILE, .exclusive = true },
	{ .what = "shared KSM page", .rule = PD_RULE_NONE, .pte = PRESENT(0),
	  .type = PD_FOLIO_KSM, .other = 1 },
	{ .what = "uffd-wp and writable", .rule = PD_RULE_UFFD_WRITE,
	  .pte = PRESENT(LPTE_UFFD_WP | LPTE_WRITE), .vma = PD_VMA_UFFD_WP, .exclusive = true },
	{ .what = "PROT_NONE and writable", .rule = PD_RULE_PROTNONE_WRITE,
	  .pte = PRESENT(LPTE_PROTNONE | LPTE_WRITE), .exclusive = true },
	{ .what = "swap slot", .rule = PD_RULE_NONE, .pte = NP(SWAP, 1) | LPTE_EXCLUSIVE },
	{ .what = "header of a swap device", .rule = PD_RULE_FRAME, .pte = NP(SWAP, 0) },
	{ .what = "migration of the last page", .rule = PD_RULE_NONE,
	  .pte = NP(MIGRATION_WRITE, PD_ZERO_PFN - 1) },
	{ .what = "migration of the zero page", .rule = PD_RULE_FRAME,
	  .pte = NP(MIGRATION_WRITE, PD_ZERO_PFN) },
	{ .what = "poison behind the last frame", .rule = PD_RULE_FRAME,
	  .pte = NP(HWPOISON, PD_NR_PFN) },
	{ .what = "frame behind the last", .rule = PD_RULE_FRAME,
	  .pte = (lpte_t)LPTE_KIND_PRESENT | (lpte_t)PD_NR_PFN << LPTE_PFN_SHIFT },
	{ .what = "zero page that is not special", .rule = PD_RULE_FRAME,
	  .pte = ZERO(0) & ~LPTE_SPECIAL },
	{ .what = "a kind that does not exist", .rule = PD_RULE_FRAME, .pte = LPTE_NR_KINDS },
};

static void place(const struct entry *e)
{
	const struct pd_vma vma = { .start = VA, .pages = 1, .flags = e->vma };

	pd_state_clear(&s);
	assert_true(pd_state_set_vma(&s, &vma));
	s.folio[PFN].type = e->type;
	s.page[PFN].exclusive = e->exclusive;
	s.page[PFN].other = e->other;
	pd_touch_pfn(&s, PFN);
	pd_touch_va(&s, VA);
	/* Not by pd_state_set(): an illegal entry may name a frame that does not exist. */
	s.pte[VA] = e->pte;
	s.page[PFN].mapped = lpte_normal(e->pte);
}

static void test_entries(void **state)
{
	unsigned int seen = 0, va;

	(void)state;
	for (unsigned int i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		enum pd_rule rule;

		place(&entries[i]);
		rule = pd_legal_pte(&s, VA);
		if (rule != entries[i].rule)
			fail_msg("%s: %s, expected: %s", entries[i].what, pd_rule_text(rule),
				 pd_rule_text(entries[i].rule));
		assert_int_equal(pd_legal(&s, PD_GRANULE, &va), rule);
		assert_true(!rule || va == VA);
		seen |= 1u << rule;
	}
	assert_int_equal(seen, ((1u << PD_NR_RULES) - 1) & ~(1u << PD_RULE_BLOCK));
}

/* An exclusive page may be mapped once: here it is mapped twice. */
static void test_mapped_twice(void **state)
{
	unsigned int va;

	(void)state;
	state_of(&s, "map 3 pfn 600\nmap 7 pfn 600\n");
	assert_int_equal(pd_legal(&s, PD_GRANULE, &va), PD_RULE_NONE);
	s.page[600].exclusive = true;
	assert_int_equal(pd_legal(&s, PD_GRANULE, &va), PD_RULE_EXCLUSIVE_ONCE);
	assert_int_equal(va, 3);
}

static void a_block(void)
{
	assert_int_equal(state_of(&s, "vma 0..511 uffd-wp-remap\nfolio 512 order 5\n"
				      "map 16..31 pfn 512 young dirty excl cont\n"), 0);
	assert_true(s.pte[16] & LPTE_CONT);
}

/* Entry @i of a block with the bits @bits changed. */
static enum pd_rule changed(unsigned int i, lpte_t bits)
{
	enum pd_rule rule;

	s.pte[16 + i] ^= bits;
	rule = pd_legal_block(&s, 20, PD_GRANULE);
	s.pte[16 + i] ^= bits;
	return rule;
}

static void test_block(void **state)
{
	static const lpte_t free_bits = LPTE_YOUNG | LPTE_DIRTY | LPTE_SWDIRTY | LPTE_SOFT_DIRTY;
	static const lpte_t uniform[] = {
		LPTE_WRITE, LPTE_UFFD_WP, LPTE_PROTNONE, LPTE_SPECIAL, LPTE_CONT, LPTE_KIND_PRESENT,
		1ULL << LPTE_PROT_SHIFT, 2ULL << LPTE_PROT_SHIFT, 1ULL << LPTE_PFN_SHIFT,
		32ULL << LPTE_PFN_SHIFT,
	};

	(void)state;
	a_block();
	assert_int_equal(pd_legal_block(&s, 16, PD_GRANULE), PD_RULE_NONE);
	for (unsigned int i = 0; i < PD_GRANULE; i++) {
		assert_int_equal(changed(i, free_bits), PD_RULE_NONE);
		for (unsigned int k = 0; k < sizeof(uniform) / sizeof(uniform[0]); k++)
			assert_int_equal(changed(i, uniform[k]), PD_RULE_BLOCK);
	}
}

/* Alignment, folio, frame: the whole block is of one kind, and yet it is none. */
static void test_block_where(void **state)
{
	unsigned int va;

	(void)state;
	a_block();
	for (unsigned int i = 0; i < PD_GRANULE; i++)
		s.pte[16 + i] += 1ULL << LPTE_PFN_SHIFT;
	assert_int_equal(pd_legal(&s, PD_GRANULE, &va), PD_RULE_BLOCK);
	assert_int_equal(va, 16);

	a_block();
	s.page[520].offset = 0;
	assert_int_equal(pd_legal_block(&s, 16, PD_GRANULE), PD_RULE_BLOCK);

	/* Where an arch has no blocks, there is no rule about them. */
	a_block();
	s.pte[18] &= ~LPTE_CONT;
	assert_int_equal(pd_legal(&s, PD_GRANULE, &va), PD_RULE_BLOCK);
	assert_int_equal(pd_legal(&s, 1, &va), PD_RULE_NONE);
}

/* The page for people says what the code says. */
static void test_document(void **state)
{
	static char page[64 * 1024];

	(void)state;
	assert_true(read_source("docs/invariants.md", page, sizeof(page)) > 0);
	for (unsigned int rule = PD_RULE_NONE + 1; rule < PD_NR_RULES; rule++) {
		const char *text = pd_rule_text((enum pd_rule)rule);

		assert_non_null(text);
		if (!strstr(page, text))
			fail_msg("docs/invariants.md does not say: %s", text);
	}
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_entries), TEST(test_mapped_twice), TEST(test_block),
		TEST(test_block_where), TEST(test_document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
