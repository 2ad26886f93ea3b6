/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judge's codec: every legal entry comes back as it was but for what the arch cannot hold, so
 * no two entries that differ in what it can hold are encoded alike.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/judge/judge.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#define for_each_arch(arch) \
	for (enum pd_arch arch = 0; arch < PD_NR_ARCHES; arch++)

static void check(enum pd_arch arch, lpte_t pte)
{
	uint64_t raw = pd_raw_encode(arch, pte);
	lpte_t back = pd_raw_decode(arch, raw);
	const char *broken = pd_raw_broken(arch, raw);

	if (back != (pte & pd_arch_mask(arch)))
		fail_msg("%s: %#lx is %#lx and reads %#lx", pd_arch_name(arch), pte, raw, back);
	if (broken)
		fail_msg("%s: %#lx is %#lx: %s", pd_arch_name(arch), pte, raw, broken);
	if (!raw != lpte_none(pte))
		fail_msg("%s: %#lx is %#lx", pd_arch_name(arch), pte, raw);
}

/* What can be in an entry at all, whatever it maps. */
static bool can_be(lpte_t pte)
{
	bool dirty_write = (pte & LPTE_DIRTY) && (pte & LPTE_WRITE);

	if ((pte & LPTE_WRITE) && (pte & (LPTE_PROTNONE | LPTE_UFFD_WP)))
		return false;
	if ((pte & LPTE_CONT) && (pte & (LPTE_PROTNONE | LPTE_SPECIAL)))
		return false;
	return !(pte & LPTE_SWDIRTY) || dirty_write;
}

static void test_present(void **state)
{
	static const lpte_t bits[] = {
		LPTE_YOUNG, LPTE_DIRTY, LPTE_SOFT_DIRTY, LPTE_WRITE, LPTE_UFFD_WP, LPTE_PROTNONE,
		LPTE_SPECIAL, 1ULL << LPTE_PROT_SHIFT, 2ULL << LPTE_PROT_SHIFT, LPTE_CONT,
		LPTE_SWDIRTY,
	};

	(void)state;
	for (unsigned int n = 0; n < 1u << ARRAY_LEN(bits); n++) {
		lpte_t flags = 0;

		for (unsigned int i = 0; i < ARRAY_LEN(bits); i++)
			flags |= n >> i & 1 ? bits[i] : 0;
		if (!can_be(flags))
			continue;
		for (unsigned int pfn = 0; pfn < PD_NR_PFN; pfn += pfn < 20 ? 1 : 137)
			for_each_arch(arch)
				check(arch, lpte_make(LPTE_KIND_PRESENT, pfn) | flags);
		for_each_arch(arch)
			check(arch, lpte_make(LPTE_KIND_PRESENT, PD_ZERO_PFN) | flags);
	}
}

static void check_values(lpte_t pte, unsigned int first, unsigned int last)
{
	for (unsigned int value = first; value <= last; value++)
		for_each_arch(arch)
			check(arch, pte | (lpte_t)value << LPTE_PFN_SHIFT);
}

static void test_nonpresent(void **state)
{
	static const lpte_t own[] = { 0, LPTE_SOFT_DIRTY, LPTE_UFFD_WP,
				      LPTE_SOFT_DIRTY | LPTE_UFFD_WP };

	(void)state;
	for_each_arch(arch)
		check(arch, LPTE_KIND_NONE);
	for (unsigned int k = 0; k < ARRAY_LEN(own); k++) {
		for (unsigned int type = 0; type < 8; type++) {
			lpte_t pte = LPTE_KIND_SWAP | (lpte_t)type << LPTE_TYPE_SHIFT | own[k];

			check_values(pte, 1, UINT16_MAX);
			check_values(pte | LPTE_EXCLUSIVE, 1, UINT16_MAX);
		}
		for (lpte_t kind = LPTE_KIND_MIGRATION_READ; kind <= LPTE_KIND_HWPOISON; kind++)
			check_values(kind | own[k], 0, PD_NR_PFN - 1);
		for (unsigned int m = 0; m < LPTE_NR_MARKERS; m++)
			for_each_arch(arch)
				check(arch, LPTE_KIND_MARKER | (lpte_t)m << LPTE_TYPE_SHIFT |
					    (own[k] & LPTE_SOFT_DIRTY));
	}
}

/* One more frame is one more in the raw frame field: a batch helper may rely on it. */
static void test_next_frame(void **state)
{
	const lpte_t pte = lpte_make(LPTE_KIND_PRESENT, 0x7ff) | LPTE_YOUNG;
	const lpte_t step = 1ULL << LPTE_PFN_SHIFT;

	(void)state;
	for_each_arch(arch)
		assert_int_equal(pd_raw_encode(arch, pte + step),
				 pd_raw_encode(arch, pte) + (1ULL << 12));
	/* x86 inverts the frame of a PROT_NONE entry, against L1TF: there it is one less. */
	assert_int_equal(pd_raw_encode(PD_ARCH_X86, (pte | LPTE_PROTNONE) + step),
			 pd_raw_encode(PD_ARCH_X86, pte | LPTE_PROTNONE) - (1ULL << 12));
}

/* Two encodings say writable and dirty on arm64; they differ in LPTE_SWDIRTY only. */
static void test_two_dirty_encodings(void **state)
{
	const lpte_t pte = lpte_make(LPTE_KIND_PRESENT, 9) | LPTE_WRITE | LPTE_DIRTY;
	uint64_t hw = pd_raw_encode(PD_ARCH_ARM64, pte);
	uint64_t both = pd_raw_encode(PD_ARCH_ARM64, pte | LPTE_SWDIRTY);

	(void)state;
	assert_int_not_equal(hw, both);
	assert_int_equal(pd_raw_decode(PD_ARCH_ARM64, hw) ^ pd_raw_decode(PD_ARCH_ARM64, both),
			 LPTE_SWDIRTY);
	assert_int_equal(pd_raw_encode(PD_ARCH_X86, pte),
			 pd_raw_encode(PD_ARCH_X86, pte | LPTE_SWDIRTY));
}

static void test_broken(void **state)
{
	const uint64_t x86_rw = 1u << 1, x86_dirty = 1u << 6, x86_user = 1u << 2;
	const uint64_t x86_saved_dirty = 1ULL << 58;
	const uint64_t a64_valid = 1, a64_rdonly = 1u << 7, a64_write = 1ULL << 51;
	const uint64_t a64_cont = 1ULL << 52, a64_dirty = 1ULL << 55;
	uint64_t raw = pd_raw_encode(PD_ARCH_X86, lpte_make(LPTE_KIND_PRESENT, 9));

	(void)state;
	assert_null(pd_raw_broken(PD_ARCH_X86, raw | x86_rw | x86_dirty));
	assert_non_null(pd_raw_broken(PD_ARCH_X86, raw | x86_dirty));
	assert_non_null(pd_raw_broken(PD_ARCH_X86, raw | x86_rw | x86_saved_dirty));
	assert_non_null(pd_raw_broken(PD_ARCH_X86, raw & ~x86_user));

	raw = pd_raw_encode(PD_ARCH_ARM64, lpte_make(LPTE_KIND_PRESENT, 9));
	assert_null(pd_raw_broken(PD_ARCH_ARM64, raw | a64_write));
	assert_null(pd_raw_broken(PD_ARCH_ARM64, raw | a64_cont));
	assert_non_null(pd_raw_broken(PD_ARCH_ARM64, raw | a64_write | a64_dirty));
	assert_non_null(pd_raw_broken(PD_ARCH_ARM64, raw & ~a64_rdonly));
	assert_non_null(pd_raw_broken(PD_ARCH_ARM64, (raw & ~a64_valid) | a64_cont));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_present),
		cmocka_unit_test(test_nonpresent),
		cmocka_unit_test(test_next_frame),
		cmocka_unit_test(test_two_dirty_encodings),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
