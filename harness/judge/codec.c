/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judge's own view of raw entries, from the architecture's facts alone: nothing here is
 * shared with the shim, so that an accessor that lies shows up as a divergence.
 */
#include "judge.h"

#define BIT(n)		(1ULL << (n))
#define FRAME_SHIFT	12
#define FRAME_MASK	(((1ULL << 40) - 1) << FRAME_SHIFT)	/* bits 12 to 51 */
#define A64_FRAME_MASK	(((1ULL << 36) - 1) << FRAME_SHIFT)	/* bits 12 to 47 */

static uint64_t if_set(lpte_t pte, lpte_t bit, uint64_t raw)
{
	return pte & bit ? raw : 0;
}

#define PROT_EXEC_BIT	(1ULL << LPTE_PROT_SHIFT)
#define PROT_ATTR_BIT	(2ULL << LPTE_PROT_SHIFT)

/* ---- the swap types that say what a non-present entry is ---- */

static const uint8_t kind_type[LPTE_NR_KINDS] = {
	[LPTE_KIND_HWPOISON] = 23,
	[LPTE_KIND_MIGRATION_READ] = 24,
	[LPTE_KIND_MIGRATION_READ_EXCLUSIVE] = 25,
	[LPTE_KIND_MIGRATION_WRITE] = 26,
	[LPTE_KIND_DEVICE_PRIVATE_READ] = 27,
	[LPTE_KIND_DEVICE_PRIVATE_WRITE] = 28,
	[LPTE_KIND_DEVICE_EXCLUSIVE] = 29,
	[LPTE_KIND_MARKER] = 30,
};

static void swap_type_offset(lpte_t pte, uint64_t *type, uint64_t *offset)
{
	*type = lpte_kind(pte) == LPTE_KIND_SWAP ? lpte_type(pte) : kind_type[lpte_kind(pte)];
	*offset = lpte_kind(pte) == LPTE_KIND_MARKER ? 1ULL << lpte_type(pte) : lpte_pfn(pte);
}

static lpte_t swap_entry(uint64_t type, uint64_t offset)
{
	lpte_t pte = (lpte_t)(offset > UINT16_MAX ? UINT16_MAX : offset) << LPTE_PFN_SHIFT;

	for (unsigned int kind = LPTE_KIND_MIGRATION_READ; kind < LPTE_NR_KINDS; kind++) {
		if (kind_type[kind] != type)
			continue;
		if (kind != LPTE_KIND_MARKER)
			return pte | kind;
		for (unsigned int m = 0; m < LPTE_NR_MARKERS; m++)
			if (offset == 1ULL << m)
				return kind | (lpte_t)m << LPTE_TYPE_SHIFT;
		return pte | kind;
	}
	return pte | LPTE_KIND_SWAP | (lpte_t)(type & 7) << LPTE_TYPE_SHIFT;
}

/* ---- x86-64 ---- */

enum {
	X86_PRESENT = 0, X86_RW = 1, X86_USER = 2, X86_PWT = 3, X86_A = 5, X86_D = 6,
	X86_PROTNONE = 8, X86_SPECIAL = 9, X86_UFFD = 10, X86_SOFT_DIRTY = 11,
	X86_SAVED_DIRTY = 58, X86_PKEY0 = 59, X86_NX = 63,
};

static uint64_t x86_encode_present(lpte_t pte)
{
	uint64_t frame = (uint64_t)lpte_pfn(pte) << FRAME_SHIFT;
	uint64_t raw = BIT(X86_PRESENT) | BIT(X86_USER);

	if (pte & LPTE_PROTNONE) {
		raw = BIT(X86_PROTNONE);
		frame = ~frame & FRAME_MASK;
	}
	raw |= if_set(pte, LPTE_WRITE, BIT(X86_RW));
	raw |= if_set(pte, LPTE_YOUNG, BIT(X86_A));
	raw |= if_set(pte, LPTE_DIRTY, pte & LPTE_WRITE ? BIT(X86_D) : BIT(X86_SAVED_DIRTY));
	raw |= if_set(pte, LPTE_SPECIAL, BIT(X86_SPECIAL));
	raw |= if_set(pte, LPTE_UFFD_WP, BIT(X86_UFFD));
	raw |= if_set(pte, LPTE_SOFT_DIRTY, BIT(X86_SOFT_DIRTY));
	raw |= if_set(pte, PROT_ATTR_BIT, BIT(X86_PKEY0));
	raw |= pte & PROT_EXEC_BIT ? 0 : BIT(X86_NX);
	return raw | frame;
}

static uint64_t x86_encode(lpte_t pte)
{
	uint64_t type, offset, raw;

	if (lpte_none(pte))
		return 0;
	if (lpte_present(pte))
		return x86_encode_present(pte);
	swap_type_offset(pte, &type, &offset);
	raw = (~offset << 14 >> 5) | type << 59;
	raw |= if_set(pte, LPTE_SOFT_DIRTY, BIT(X86_RW));
	raw |= if_set(pte, LPTE_UFFD_WP, BIT(X86_USER));
	raw |= if_set(pte, LPTE_EXCLUSIVE, BIT(X86_PWT));
	return raw;
}

static lpte_t raw_bit(uint64_t raw, unsigned int bit, lpte_t lpte)
{
	return raw >> bit & 1 ? lpte : 0;
}

static lpte_t frame_field(uint64_t frame)
{
	frame >>= FRAME_SHIFT;
	return (lpte_t)(frame > UINT16_MAX ? UINT16_MAX : frame) << LPTE_PFN_SHIFT;
}

static lpte_t x86_decode_present(uint64_t raw)
{
	bool valid = raw & BIT(X86_PRESENT);
	lpte_t pte = LPTE_KIND_PRESENT | frame_field((valid ? raw : ~raw) & FRAME_MASK);

	pte |= valid ? 0 : LPTE_PROTNONE;
	pte |= raw_bit(raw, X86_RW, LPTE_WRITE);
	pte |= raw_bit(raw, X86_A, LPTE_YOUNG);
	pte |= raw_bit(raw, X86_D, LPTE_DIRTY) | raw_bit(raw, X86_SAVED_DIRTY, LPTE_DIRTY);
	pte |= raw_bit(raw, X86_SPECIAL, LPTE_SPECIAL);
	pte |= raw_bit(raw, X86_UFFD, LPTE_UFFD_WP);
	pte |= raw_bit(raw, X86_SOFT_DIRTY, LPTE_SOFT_DIRTY);
	pte |= raw_bit(raw, X86_PKEY0, PROT_ATTR_BIT);
	return pte | raw_bit(~raw, X86_NX, PROT_EXEC_BIT);
}

static lpte_t x86_decode(uint64_t raw)
{
	if (!raw)
		return LPTE_KIND_NONE;
	if (raw & (BIT(X86_PRESENT) | BIT(X86_PROTNONE)))
		return x86_decode_present(raw);
	return swap_entry(raw >> 59, ~raw << 5 >> 14) | raw_bit(raw, X86_RW, LPTE_SOFT_DIRTY) |
	       raw_bit(raw, X86_USER, LPTE_UFFD_WP) | raw_bit(raw, X86_PWT, LPTE_EXCLUSIVE);
}

static const char *x86_broken(uint64_t raw)
{
	if (!(raw & (BIT(X86_PRESENT) | BIT(X86_PROTNONE))))
		return NULL;
	if ((raw & BIT(X86_PRESENT)) && !(raw & BIT(X86_USER)))
		return "a user entry without the user bit";
	if (!(raw & BIT(X86_RW)) && (raw & BIT(X86_D)))
		return "read-only with the hardware's dirty bit: a shadow stack to the CPU";
	if ((raw & BIT(X86_RW)) && (raw & BIT(X86_SAVED_DIRTY)))
		return "writable with dirty in the bit for read-only entries";
	return NULL;
}

/* ---- arm64, 4K pages ---- */

enum {
	A64_VALID = 0, A64_TYPE = 1, A64_ATTR0 = 2, A64_USER = 6, A64_RDONLY = 7, A64_SH = 8,
	A64_AF = 10, A64_NG = 11, A64_WRITE = 51, A64_CONT = 52, A64_PXN = 53, A64_UXN = 54,
	A64_DIRTY = 55, A64_SPECIAL = 56, A64_UFFD = 58,
	A64_SWP_EXCLUSIVE = 2, A64_SWP_UFFD = 3, A64_SWP_TYPE = 6, A64_SWP_OFFSET = 12,
};

/* Read-only to the hardware unless writable and dirty; the software bit says dirty otherwise. */
static uint64_t a64_dirty(lpte_t pte)
{
	bool write = pte & LPTE_WRITE, dirty = pte & LPTE_DIRTY;

	if (write && dirty)
		return BIT(A64_WRITE) | if_set(pte, LPTE_SWDIRTY, BIT(A64_DIRTY));
	return BIT(A64_RDONLY) | (write ? BIT(A64_WRITE) : 0) | (dirty ? BIT(A64_DIRTY) : 0);
}

static uint64_t a64_encode_present(lpte_t pte)
{
	uint64_t raw = BIT(A64_TYPE) | 3ULL << A64_SH | BIT(A64_NG) | BIT(A64_PXN);

	if (!(pte & LPTE_PROTNONE))
		raw |= BIT(A64_VALID) | BIT(A64_USER);
	raw |= a64_dirty(pte);
	raw |= if_set(pte, LPTE_YOUNG, BIT(A64_AF));
	raw |= if_set(pte, LPTE_SPECIAL, BIT(A64_SPECIAL));
	raw |= if_set(pte, LPTE_UFFD_WP, BIT(A64_UFFD));
	raw |= if_set(pte, LPTE_CONT, BIT(A64_CONT));
	raw |= if_set(pte, PROT_ATTR_BIT, BIT(A64_ATTR0));
	raw |= pte & PROT_EXEC_BIT ? 0 : BIT(A64_UXN);
	return raw | (uint64_t)lpte_pfn(pte) << FRAME_SHIFT;
}

static uint64_t a64_encode(lpte_t pte)
{
	uint64_t type, offset;

	if (lpte_none(pte))
		return 0;
	if (lpte_present(pte))
		return a64_encode_present(pte);
	swap_type_offset(pte, &type, &offset);
	return type << A64_SWP_TYPE | offset << A64_SWP_OFFSET |
	       if_set(pte, LPTE_EXCLUSIVE, BIT(A64_SWP_EXCLUSIVE)) |
	       if_set(pte, LPTE_UFFD_WP, BIT(A64_SWP_UFFD));
}

static bool a64_present(uint64_t raw)
{
	return raw & (BIT(A64_VALID) | BIT(A64_NG));
}

static lpte_t a64_decode_present(uint64_t raw)
{
	lpte_t pte = LPTE_KIND_PRESENT | frame_field(raw & A64_FRAME_MASK);
	bool hw_dirty = (raw & BIT(A64_WRITE)) && !(raw & BIT(A64_RDONLY));

	pte |= raw_bit(~raw, A64_VALID, LPTE_PROTNONE);
	pte |= raw_bit(raw, A64_WRITE, LPTE_WRITE);
	pte |= raw_bit(raw, A64_AF, LPTE_YOUNG);
	pte |= raw_bit(raw, A64_DIRTY, LPTE_DIRTY) | (hw_dirty ? LPTE_DIRTY : 0);
	pte |= hw_dirty ? raw_bit(raw, A64_DIRTY, LPTE_SWDIRTY) : 0;
	pte |= raw_bit(raw, A64_SPECIAL, LPTE_SPECIAL);
	pte |= raw_bit(raw, A64_UFFD, LPTE_UFFD_WP);
	pte |= raw_bit(raw, A64_CONT, LPTE_CONT);
	pte |= raw_bit(raw, A64_ATTR0, PROT_ATTR_BIT);
	return pte | raw_bit(~raw, A64_UXN, PROT_EXEC_BIT);
}

static lpte_t a64_decode(uint64_t raw)
{
	if (!raw)
		return LPTE_KIND_NONE;
	if (a64_present(raw))
		return a64_decode_present(raw);
	return swap_entry(raw >> A64_SWP_TYPE & 0x1f, raw << 2 >> (A64_SWP_OFFSET + 2)) |
	       raw_bit(raw, A64_SWP_EXCLUSIVE, LPTE_EXCLUSIVE) |
	       raw_bit(raw, A64_SWP_UFFD, LPTE_UFFD_WP);
}

static const char *a64_broken(uint64_t raw)
{
	if (!a64_present(raw))
		return NULL;
	if (!(raw & BIT(A64_VALID)) && (raw & BIT(A64_CONT)))
		return "CONT on an entry that is not valid";
	if ((raw & BIT(A64_DIRTY)) && (raw & BIT(A64_WRITE)) && (raw & BIT(A64_RDONLY)))
		return "writable and dirty to software, read-only to the hardware";
	if (!(raw & BIT(A64_WRITE)) && !(raw & BIT(A64_RDONLY)))
		return "not writable to software, writable to the hardware";
	return NULL;
}

/* ---- both ---- */

uint64_t pd_raw_encode(enum pd_arch arch, lpte_t pte)
{
	return arch == PD_ARCH_X86 ? x86_encode(pte) : a64_encode(pte);
}

lpte_t pd_raw_decode(enum pd_arch arch, uint64_t raw)
{
	return arch == PD_ARCH_X86 ? x86_decode(raw) : a64_decode(raw);
}

const char *pd_raw_broken(enum pd_arch arch, uint64_t raw)
{
	return arch == PD_ARCH_X86 ? x86_broken(raw) : a64_broken(raw);
}

uint64_t pd_arch_mask(enum pd_arch arch)
{
	return arch == PD_ARCH_X86 ? ~LPTE_ENCODING : ~LPTE_SOFT_DIRTY;
}

unsigned int pd_arch_cont(enum pd_arch arch)
{
	return arch == PD_ARCH_ARM64 ? PD_GRANULE : 1;
}
