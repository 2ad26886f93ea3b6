/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every accessor of an x86-64 entry, over every combination of the bits that mean something, held
 * against the judge's decoder: two readings of the same facts.
 */
#include "tests/shim/x86_world.h"

#define FRAME 0x345u

#define EXEC	(1ULL << LPTE_PROT_SHIFT)
#define PKEY	(2ULL << LPTE_PROT_SHIFT)

static const pteval_t meaningful[] = {
	_PAGE_PRESENT, _PAGE_RW,      _PAGE_ACCESSED,	_PAGE_DIRTY,	 _PAGE_SAVED_DIRTY,
	_PAGE_SPECIAL, _PAGE_UFFD_WP, _PAGE_SOFT_DIRTY, _PAGE_PKEY_BIT0, _PAGE_NX,
};

#define NR_COMBINATIONS (1u << ARRAY_SIZE(meaningful))

/* Present in each case: without the present bit it is PROT_NONE, and its frame is inverted. */
static pte_t combination(unsigned int n)
{
	pteval_t val = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(meaningful); i++)
		if (n >> i & 1)
			val |= meaningful[i];
	val |= val & _PAGE_PRESENT ? _PAGE_USER : _PAGE_PROTNONE;
	return pfn_pte(FRAME, __pgprot(val));
}

/* Dirty is in the hardware's bit while writable and in the other one while not. */
static bool legal(pte_t pte)
{
	pteval_t wrong = pte_val(pte) & _PAGE_RW ? _PAGE_SAVED_DIRTY : _PAGE_DIRTY;

	return !(pte_val(pte) & wrong);
}

static void assert_lpte(lpte_t got, lpte_t expected, pte_t from, const char *what)
{
	if (got != expected)
		fail_msg("%s of %#lx: %#lx, expected %#lx", what, pte_val(from), got, expected);
}

#define CHECK_CHANGE(pte, change, expected) assert_lpte(decoded(change), expected, pte, #change)

static void test_questions(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < NR_COMBINATIONS; n++) {
		pte_t pte = combination(n);
		lpte_t l = decoded(pte);

		assert_true(pte_present(pte) && lpte_present(l));
		assert_false(pte_none(pte));
		assert_int_equal(pte_pfn(pte), FRAME);
		assert_int_equal(lpte_pfn(l), FRAME);
		assert_int_equal(pte_accessible(&mm, pte), lpte_accessible(l));
		assert_int_equal(pte_protnone(pte), !!(l & LPTE_PROTNONE));
		assert_int_equal(pte_young(pte), !!(l & LPTE_YOUNG));
		assert_int_equal(pte_dirty(pte), !!(l & LPTE_DIRTY));
		assert_int_equal(pte_write(pte), !!(l & LPTE_WRITE));
		assert_int_equal(pte_special(pte), !!(l & LPTE_SPECIAL));
		assert_int_equal(pte_uffd_wp(pte), !!(l & LPTE_UFFD_WP));
		assert_int_equal(pte_soft_dirty(pte), !!(l & LPTE_SOFT_DIRTY));
		assert_int_equal(legal(pte), !pd_raw_broken(PD_ARCH_X86, pte_val(pte)));
	}
	assert_true(pte_none(__pte(0)));
	assert_true(lpte_none(decoded(__pte(0))));
}

static void check_changes(pte_t pte)
{
	lpte_t l = decoded(pte);

	CHECK_CHANGE(pte, pte_mkold(pte), l & ~LPTE_YOUNG);
	CHECK_CHANGE(pte, pte_mkyoung(pte), l | LPTE_YOUNG);
	CHECK_CHANGE(pte, pte_mkclean(pte), l & ~LPTE_DIRTY);
	CHECK_CHANGE(pte, pte_mkdirty(pte), l | LPTE_DIRTY | LPTE_SOFT_DIRTY);
	CHECK_CHANGE(pte, pte_wrprotect(pte), l & ~LPTE_WRITE);
	CHECK_CHANGE(pte, pte_mkwrite(pte, &vma), l | LPTE_WRITE);
	CHECK_CHANGE(pte, pte_mkspecial(pte), l | LPTE_SPECIAL);
	CHECK_CHANGE(pte, pte_mksoft_dirty(pte), l | LPTE_SOFT_DIRTY);
	CHECK_CHANGE(pte, pte_clear_soft_dirty(pte), l & ~LPTE_SOFT_DIRTY);
	CHECK_CHANGE(pte, pte_mkuffd_wp(pte), (l | LPTE_UFFD_WP) & ~LPTE_WRITE);
	CHECK_CHANGE(pte, pte_clear_uffd_wp(pte), l & ~LPTE_UFFD_WP);
	CHECK_CHANGE(pte, pte_advance_pfn(pte, 5), l + (5ULL << LPTE_PFN_SHIFT));
	CHECK_CHANGE(pte, pte_next_pfn(pte), l + (1ULL << LPTE_PFN_SHIFT));
	CHECK_CHANGE(pte, pfn_pte(7, pte_pgprot(pte)), (l & ~LPTE_PFN) | (7ULL << LPTE_PFN_SHIFT));
}

static void test_changes(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < NR_COMBINATIONS; n++)
		if (legal(combination(n)))
			check_changes(combination(n));
}

/* What pte_same() tells apart is what the decoder tells apart. */
static void test_same(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < NR_COMBINATIONS; n++)
		for (unsigned int m = 0; m < NR_COMBINATIONS; m++)
			assert_int_equal(pte_same(combination(n), combination(m)), n == m);
	assert_false(pte_same(combination(1), pte_next_pfn(combination(1))));
}

static void test_changes_keep_encoding_legal(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < NR_COMBINATIONS; n++) {
		pte_t pte = combination(n);

		if (!legal(pte))
			continue;
		assert_null(pd_raw_broken(PD_ARCH_X86, pte_val(pte_mkclean(pte))));
		assert_null(pd_raw_broken(PD_ARCH_X86, pte_val(pte_mkdirty(pte))));
		assert_null(pd_raw_broken(PD_ARCH_X86, pte_val(pte_wrprotect(pte))));
		assert_null(pd_raw_broken(PD_ARCH_X86, pte_val(pte_mkwrite_novma(pte))));
		assert_null(pd_raw_broken(PD_ARCH_X86, pte_val(pte_mkuffd_wp(pte))));
		assert_null(pd_raw_broken(PD_ARCH_X86, pte_val(pte_modify(pte, PAGE_SHARED))));
		assert_null(pd_raw_broken(PD_ARCH_X86, pte_val(pte_modify(pte, PAGE_NONE))));
	}
}

static void check_modify(pte_t pte, pgprot_t prot, lpte_t expected)
{
	const lpte_t kept = LPTE_KIND | LPTE_PFN | LPTE_DIRTY | LPTE_SOFT_DIRTY | LPTE_UFFD_WP |
			    LPTE_SPECIAL | LPTE_YOUNG;

	CHECK_CHANGE(pte, pte_modify(pte, prot), (decoded(pte) & kept) | expected);
}

/* To PROT_NONE and back the frame is inverted and inverted again. */
static void test_modify(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < NR_COMBINATIONS; n++) {
		pte_t pte = combination(n);

		if (!legal(pte))
			continue;
		check_modify(pte, PAGE_READONLY, 0);
		check_modify(pte, PAGE_SHARED, LPTE_WRITE);
		check_modify(pte, PAGE_NONE, LPTE_PROTNONE | EXEC);
		check_modify(pte, __pgprot(_PAGE_PRESENT | _PAGE_USER | _PAGE_PKEY_BIT0),
			     EXEC | PKEY);
	}
}

/* Read-only keeps dirty in a bit of its own; the hardware's would mean a shadow stack. */
static void test_saved_dirty(void **state)
{
	pte_t dirty = pte_mkdirty(user_pte(FRAME)), saved = pte_wrprotect(dirty);

	(void)state;
	assert_int_equal(pte_val(dirty) & _PAGE_DIRTY_BITS, _PAGE_DIRTY);
	assert_int_equal(pte_val(saved) & _PAGE_DIRTY_BITS, _PAGE_SAVED_DIRTY);
	assert_int_equal(pte_val(pte_mkwrite_novma(saved)) & _PAGE_DIRTY_BITS, _PAGE_DIRTY);
	assert_false(pte_dirty(pte_mkclean(saved)) || pte_dirty(pte_mkclean(dirty)));
}

static void check_swap(unsigned int type, unsigned int offset)
{
	pte_t pte = swp_entry_to_pte(swp_entry(type, offset));
	lpte_t l = lpte_make(LPTE_KIND_SWAP, offset) | ((lpte_t)type << LPTE_TYPE_SHIFT);

	assert_false(pte_present(pte) || pte_none(pte));
	assert_true(is_swap_pte(pte));
	assert_false(pte_swp_exclusive(pte) || pte_swp_uffd_wp(pte) || pte_swp_soft_dirty(pte));
	assert_int_equal(__swp_type(__pte_to_swp_entry(pte)), type);
	assert_int_equal(__swp_offset(__pte_to_swp_entry(pte)), offset);
	CHECK_CHANGE(pte, pte, l);
	CHECK_CHANGE(pte, pte_swp_mkexclusive(pte), l | LPTE_EXCLUSIVE);
	CHECK_CHANGE(pte, pte_swp_mkuffd_wp(pte), l | LPTE_UFFD_WP);
	CHECK_CHANGE(pte, pte_swp_mksoft_dirty(pte), l | LPTE_SOFT_DIRTY);
	assert_true(pte_swp_exclusive(pte_swp_mkexclusive(pte)));
	assert_true(pte_swp_uffd_wp(pte_swp_mkuffd_wp(pte)));
	assert_true(pte_swp_soft_dirty(pte_swp_mksoft_dirty(pte)));
	assert_true(pte_same(pte, pte_swp_clear_exclusive(pte_swp_mkexclusive(pte))));
	assert_true(pte_same(pte, pte_swp_clear_uffd_wp(pte_swp_mkuffd_wp(pte))));
	assert_true(pte_same(pte, pte_swp_clear_soft_dirty(pte_swp_mksoft_dirty(pte))));
}

static void test_swap(void **state)
{
	(void)state;
	for (unsigned int type = 0; type < 8; type++)
		for (unsigned int offset = 0; offset < 0x10000; offset += 0x1111)
			check_swap(type, offset);
}

/* The judge encodes an entry of each kind, with all bits that a swap entry may carry. */
static void test_softleaf(void **state)
{
	(void)state;
	for (unsigned int kind = LPTE_KIND_SWAP; kind < LPTE_NR_KINDS; kind++) {
		lpte_t l = lpte_make(kind, kind == LPTE_KIND_MARKER ? 0 : 77) | LPTE_SOFT_DIRTY;
		pte_t pte = __pte(pd_raw_encode(PD_ARCH_X86, l | LPTE_UFFD_WP | LPTE_EXCLUSIVE));
		softleaf_t entry = softleaf_from_pte(pte);
		bool migration = kind >= LPTE_KIND_MIGRATION_READ &&
				 kind <= LPTE_KIND_MIGRATION_WRITE;
		bool device = kind == LPTE_KIND_DEVICE_PRIVATE_READ ||
			      kind == LPTE_KIND_DEVICE_PRIVATE_WRITE;

		assert_int_equal(softleaf_is_swap(entry), kind == LPTE_KIND_SWAP);
		assert_int_equal(softleaf_is_migration(entry), migration);
		assert_int_equal(softleaf_is_device_private(entry), device);
		assert_int_equal(softleaf_is_device_exclusive(entry),
				 kind == LPTE_KIND_DEVICE_EXCLUSIVE);
		assert_int_equal(softleaf_is_hwpoison(entry), kind == LPTE_KIND_HWPOISON);
		assert_int_equal(pte_is_marker(pte), kind == LPTE_KIND_MARKER);
		if (kind != LPTE_KIND_MARKER)
			assert_int_equal(softleaf_to_pfn(entry), 77);
	}
	assert_int_equal(softleaf_from_pte(user_pte(FRAME)).val, 0);
	assert_int_equal(softleaf_from_pte(__pte(0)).val, 0);
	assert_false(pte_is_marker(user_pte(FRAME)) || is_swap_pte(user_pte(FRAME)));
}

static void test_markers(void **state)
{
	static const pte_marker bits[LPTE_NR_MARKERS] = {
		[LPTE_MARKER_UFFD_WP] = PTE_MARKER_UFFD_WP,
		[LPTE_MARKER_POISON] = PTE_MARKER_POISONED,
		[LPTE_MARKER_GUARD] = PTE_MARKER_GUARD,
	};

	(void)state;
	for (unsigned int m = 0; m < LPTE_NR_MARKERS; m++) {
		lpte_t l = LPTE_KIND_MARKER | (lpte_t)m << LPTE_TYPE_SHIFT;
		pte_t pte = make_pte_marker(bits[m]);

		CHECK_CHANGE(pte, pte, l);
		assert_true(pte_is_marker(pte));
		assert_int_equal(softleaf_to_marker(softleaf_from_pte(pte)), bits[m]);
		assert_int_equal(pte_is_uffd_wp_marker(pte), m == LPTE_MARKER_UFFD_WP);
	}
}

/* What the model of hardware makes of an entry. */
static void test_hardware(void **state)
{
	pteval_t clean = pte_val(user_pte(FRAME));
	pteval_t read_only = pte_val(pte_wrprotect(user_pte(FRAME)));

	(void)state;
	assert_true(pd_hw_valid(clean) && pd_hw_writable(clean) && !pd_hw_dirty(clean));
	assert_false(pd_hw_writable(read_only) || pd_hw_dirty(read_only));
	assert_false(pd_hw_valid(pte_val(pfn_pte(FRAME, PAGE_NONE))));
	assert_int_equal(pd_hw_access(clean, false), clean | _PAGE_ACCESSED);
	assert_int_equal(pd_hw_access(clean, true), clean | _PAGE_ACCESSED | _PAGE_DIRTY);
	assert_int_equal(pd_hw_pfn(pd_hw_next(clean, 3)), FRAME + 3);
	assert_int_equal(pd_hw_perm(clean), pd_hw_perm(read_only | _PAGE_ACCESSED));
	assert_int_not_equal(pd_hw_perm(clean), pd_hw_perm(clean & ~_PAGE_NX));
	assert_false(pd_hw_cont(clean));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_changes_keep_encoding_legal),
		cmocka_unit_test(test_modify),
		cmocka_unit_test(test_saved_dirty),
		cmocka_unit_test(test_swap),
		cmocka_unit_test(test_softleaf),
		cmocka_unit_test(test_markers),
		cmocka_unit_test(test_hardware),
	};

	return cmocka_run_group_tests_name("x86-64 entries", tests, setup, teardown);
}
