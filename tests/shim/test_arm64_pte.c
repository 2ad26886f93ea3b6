/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every accessor of an arm64 entry, over every combination of the bits that mean something, held
 * against the judge's decoder: two readings of the same facts.
 */
#include "tests/shim/arm64_world.h"

#define FRAME 0x345u

static const pteval_t meaningful[] = {
	PTE_VALID, PTE_RDONLY,	PTE_WRITE, PTE_DIRTY, PTE_AF,
	PTE_CONT,  PTE_SPECIAL, PTE_UFFD,  PTE_UXN,   PTE_ATTRINDX(MT_NORMAL_TAGGED),
};

#define NR_COMBINATIONS (1u << ARRAY_SIZE(meaningful))

/* Present in each case: not global without VALID is PROT_NONE. */
static pte_t combination(unsigned int n)
{
	pteval_t val = PTE_NG | PTE_PXN | PTE_SHARED | (PTE_TYPE_PAGE & ~PTE_VALID);

	for (unsigned int i = 0; i < ARRAY_SIZE(meaningful); i++)
		if (n >> i & 1)
			val |= meaningful[i];
	if (val & PTE_VALID)
		val |= PTE_USER;
	return pfn_pte(FRAME, __pgprot(val));
}

/* What software may write: a block is valid, and RDONLY is clear on dirty writable entries only. */
static bool legal(pte_t pte)
{
	if (pte_cont(pte) && !pte_valid(pte))
		return false;
	if (pte_rdonly(pte))
		return !(pte_write(pte) && pte_sw_dirty(pte));
	return pte_write(pte);
}

static void assert_lpte(lpte_t got, lpte_t expected, pte_t from, const char *what)
{
	if ((got ^ expected) & ~LPTE_SWDIRTY)
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
		assert_int_equal(pte_pfn(pte), lpte_pfn(l));
		assert_int_equal(pte_valid(pte), lpte_accessible(l));
		assert_int_equal(pte_protnone(pte), !!(l & LPTE_PROTNONE));
		assert_int_equal(pte_young(pte), !!(l & LPTE_YOUNG));
		assert_int_equal(pte_dirty(pte), !!(l & LPTE_DIRTY));
		assert_int_equal(pte_write(pte), !!(l & LPTE_WRITE));
		assert_int_equal(pte_special(pte), !!(l & LPTE_SPECIAL));
		assert_int_equal(pte_uffd_wp(pte), !!(l & LPTE_UFFD_WP));
		assert_int_equal(pte_user_exec(pte), !!(l & (1ULL << LPTE_PROT_SHIFT)));
		if (pte_valid(pte))
			assert_int_equal(pte_valid_cont(pte), !!(l & LPTE_CONT));
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
	CHECK_CHANGE(pte, pte_mkdirty(pte), l | LPTE_DIRTY);
	CHECK_CHANGE(pte, pte_wrprotect(pte), l & ~LPTE_WRITE);
	CHECK_CHANGE(pte, pte_mkwrite(pte, &vma), l | LPTE_WRITE);
	CHECK_CHANGE(pte, pte_mkspecial(pte), l | LPTE_SPECIAL);
	CHECK_CHANGE(pte, pte_mkuffd_wp(pte), (l | LPTE_UFFD_WP) & ~LPTE_WRITE);
	CHECK_CHANGE(pte, pte_clear_uffd_wp(pte), l & ~LPTE_UFFD_WP);
	CHECK_CHANGE(pte, pte_mknoncont(pte), l & ~LPTE_CONT);
	if (pte_valid(pte)) {
		CHECK_CHANGE(pte, pte_mkcont(pte), l | LPTE_CONT);
		CHECK_CHANGE(pte_mknoncont(pte), pte_mkinvalid(pte_mknoncont(pte)),
			     (l & ~LPTE_CONT) | LPTE_PROTNONE);
	} else {
		CHECK_CHANGE(pte, pte_mkvalid(pte), l & ~LPTE_PROTNONE);
	}
	CHECK_CHANGE(pte, pte_advance_pfn(pte, 5), l + (5ULL << LPTE_PFN_SHIFT));
	CHECK_CHANGE(pte, pfn_pte(7, pte_pgprot(pte)), (l & ~LPTE_PFN) | (7ULL << LPTE_PFN_SHIFT));
	CHECK_CHANGE(pte, pte_mksoft_dirty(pte), l);
	assert_true(pte_same(pte, pte_clear_soft_dirty(pte)));
}

static void test_changes(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < NR_COMBINATIONS; n++)
		if (legal(combination(n)))
			check_changes(combination(n));
}

/* No change but one of RDONLY by hardware may leave what software must not write. */
static void test_changes_keep_encoding_legal(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < NR_COMBINATIONS; n++) {
		pte_t pte = combination(n);

		if (!legal(pte))
			continue;
		assert_true(legal(pte_mkclean(pte)));
		assert_true(legal(pte_mkdirty(pte)));
		assert_true(legal(pte_wrprotect(pte)));
		assert_true(legal(pte_mkwrite_novma(pte)));
		assert_true(legal(pte_mkuffd_wp(pte)));
		assert_true(legal(pte_modify(pte_mknoncont(pte), PAGE_NONE)));
		assert_true(legal(pte_modify(pte, PAGE_SHARED)));
		assert_null(pd_raw_broken(PD_ARCH_ARM64, pte_val(pte_mkdirty(pte))));
	}
}

static void check_modify(pte_t pte, pgprot_t prot, lpte_t expected)
{
	const lpte_t kept = LPTE_KIND | LPTE_PFN | LPTE_YOUNG | LPTE_DIRTY | LPTE_UFFD_WP |
			    LPTE_SPECIAL | LPTE_CONT;

	CHECK_CHANGE(pte, pte_modify(pte, prot), (decoded(pte) & kept) | expected);
}

static void test_modify(void **state)
{
	const lpte_t exec = 1ULL << LPTE_PROT_SHIFT;

	(void)state;
	for (unsigned int n = 0; n < NR_COMBINATIONS; n++) {
		pte_t pte = combination(n);

		if (!legal(pte))
			continue;
		check_modify(pte, PAGE_READONLY, 0);
		check_modify(pte, PAGE_READONLY_EXEC, exec);
		check_modify(pte, PAGE_SHARED, LPTE_WRITE);
		check_modify(pte, PAGE_SHARED_EXEC, LPTE_WRITE | exec);
		check_modify(pte_mknoncont(pte), PAGE_NONE, LPTE_PROTNONE);
	}
}

/* The two encodings of dirty and writable: hardware's, and with the software bit on top. */
static void test_dirty_encodings(void **state)
{
	pte_t hw = __pte(pd_hw_access(pte_val(user_pte(FRAME)), true));
	pte_t sw = pte_mkdirty(user_pte(FRAME));

	(void)state;
	assert_true(pte_hw_dirty(hw) && !pte_sw_dirty(hw));
	assert_true(pte_hw_dirty(sw) && pte_sw_dirty(sw));
	assert_false(decoded(hw) & LPTE_SWDIRTY);
	assert_true(decoded(sw) & LPTE_SWDIRTY);
	assert_true(pte_sw_dirty(pte_wrprotect(hw)) && pte_rdonly(pte_wrprotect(hw)));
	assert_true(pte_same(pte_wrprotect(pte_mkyoung(sw)), pte_wrprotect(hw)));
}

static void test_swap(void **state)
{
	(void)state;
	for (unsigned int type = 0; type < 8; type++) {
		for (unsigned int offset = 0; offset < 0x10000; offset += 0x1111) {
			pte_t pte = __swp_entry_to_pte(__swp_entry(type, offset));
			lpte_t l = lpte_make(LPTE_KIND_SWAP, offset) |
				   ((lpte_t)type << LPTE_TYPE_SHIFT);

			if (!type && !offset)
				continue;
			assert_false(pte_present(pte) || pte_none(pte) || pte_swp_exclusive(pte));
			assert_int_equal(__swp_type(__pte_to_swp_entry(pte)), type);
			assert_int_equal(__swp_offset(__pte_to_swp_entry(pte)), offset);
			CHECK_CHANGE(pte, pte, l);
			CHECK_CHANGE(pte, pte_swp_mkexclusive(pte), l | LPTE_EXCLUSIVE);
			CHECK_CHANGE(pte, pte_swp_mkuffd_wp(pte), l | LPTE_UFFD_WP);
			assert_true(pte_swp_exclusive(pte_swp_mkexclusive(pte)));
			assert_true(pte_swp_uffd_wp(pte_swp_mkuffd_wp(pte)));
			assert_true(
				pte_same(pte, pte_swp_clear_exclusive(pte_swp_mkexclusive(pte))));
			assert_true(pte_same(pte, pte_swp_clear_uffd_wp(pte_swp_mkuffd_wp(pte))));
		}
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
	assert_int_equal(pd_hw_access(clean, false), clean | PTE_AF);
	assert_int_equal(pd_hw_access(clean, true), (clean | PTE_AF) & ~PTE_RDONLY);
	assert_int_equal(pd_hw_access(read_only, true), read_only | PTE_AF);
	assert_int_equal(pd_hw_pfn(pd_hw_next(clean, 3)), FRAME + 3);
	assert_int_equal(pd_hw_perm(clean), pd_hw_perm(read_only | PTE_AF | PTE_CONT));
	assert_int_not_equal(pd_hw_perm(clean), pd_hw_perm(clean & ~PTE_UXN));
	assert_true(pd_hw_cont(clean | PTE_CONT) && !pd_hw_cont(clean));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_changes_keep_encoding_legal),
		cmocka_unit_test(test_modify),
		cmocka_unit_test(test_dirty_encodings),
		cmocka_unit_test(test_swap),
		cmocka_unit_test(test_hardware),
	};

	return cmocka_run_group_tests_name("arm64 entries", tests, setup, teardown);
}
