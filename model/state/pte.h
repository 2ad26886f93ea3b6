/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The logical PTE: what one page-table entry says, whatever the architecture.
 *
 * One word, one bit or field for each row that a contract can hold, so that two entries are
 * compared with XOR and a mask. The encodings of x86 and arm64 are elsewhere, twice: in the
 * shim, where kernel code uses them, and in the judge, which does not believe the shim.
 */
#ifndef PD_STATE_PTE_H
#define PD_STATE_PTE_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t lpte_t;

/* What kind of entry. Everything after LPTE_KIND_PRESENT is non-present and not none. */
enum lpte_kind {
	LPTE_KIND_NONE,
	LPTE_KIND_PRESENT,
	LPTE_KIND_SWAP,
	LPTE_KIND_MIGRATION_READ,
	LPTE_KIND_MIGRATION_READ_EXCLUSIVE,
	LPTE_KIND_MIGRATION_WRITE,
	LPTE_KIND_DEVICE_PRIVATE_READ,
	LPTE_KIND_DEVICE_PRIVATE_WRITE,
	LPTE_KIND_DEVICE_EXCLUSIVE,
	LPTE_KIND_HWPOISON,
	LPTE_KIND_MARKER,
	LPTE_NR_KINDS
};

/* What an LPTE_KIND_MARKER marks: the LPTE_TYPE field. */
enum lpte_marker {
	LPTE_MARKER_UFFD_WP,
	LPTE_MARKER_POISON,
	LPTE_MARKER_GUARD,
	LPTE_NR_MARKERS
};

#define LPTE_KIND_SHIFT	0
#define LPTE_KIND	(0xfULL << LPTE_KIND_SHIFT)
#define LPTE_PFN_SHIFT	4			/* or the swap offset */
#define LPTE_PFN	(0xffffULL << LPTE_PFN_SHIFT)
#define LPTE_TYPE_SHIFT	20			/* swap type, or what a marker marks */
#define LPTE_TYPE	(0x7ULL << LPTE_TYPE_SHIFT)
#define LPTE_YOUNG	(1ULL << 24)
#define LPTE_DIRTY	(1ULL << 25)
#define LPTE_SOFT_DIRTY	(1ULL << 26)		/* of a non-present entry: its own soft-dirty */
#define LPTE_WRITE	(1ULL << 27)
#define LPTE_UFFD_WP	(1ULL << 28)		/* of a non-present entry: its own uffd-wp */
#define LPTE_PROTNONE	(1ULL << 29)
#define LPTE_SPECIAL	(1ULL << 30)		/* no struct page behind it */
#define LPTE_PROT_SHIFT	31			/* two protection bits that nothing interprets */
#define LPTE_PROT	(0x3ULL << LPTE_PROT_SHIFT)
#define LPTE_EXCLUSIVE	(1ULL << 33)		/* of a swap entry */
#define LPTE_CONT	(1ULL << 34)		/* arm64: part of a contpte block */
#define LPTE_SWDIRTY	(1ULL << 35)	/* arm64: dirty and writable, software bit set too */

/* Bits that only one encoding of an entry carries; no contract is about them. */
#define LPTE_ENCODING	(LPTE_CONT | LPTE_SWDIRTY)

static inline enum lpte_kind lpte_kind(lpte_t pte)
{
	return (enum lpte_kind)(pte & LPTE_KIND);
}

static inline bool lpte_present(lpte_t pte)
{
	return lpte_kind(pte) == LPTE_KIND_PRESENT;
}

static inline bool lpte_none(lpte_t pte)
{
	return lpte_kind(pte) == LPTE_KIND_NONE;
}

/* Present, and the hardware may use it. */
static inline bool lpte_accessible(lpte_t pte)
{
	return lpte_present(pte) && !(pte & LPTE_PROTNONE);
}

/* Present, with a struct page behind it. */
static inline bool lpte_normal(lpte_t pte)
{
	return lpte_present(pte) && !(pte & LPTE_SPECIAL);
}

/* Page frame of a present, migration or device entry; swap offset of a swap entry. */
static inline unsigned int lpte_pfn(lpte_t pte)
{
	return (unsigned int)((pte & LPTE_PFN) >> LPTE_PFN_SHIFT);
}

static inline unsigned int lpte_type(lpte_t pte)
{
	return (unsigned int)((pte & LPTE_TYPE) >> LPTE_TYPE_SHIFT);
}

static inline lpte_t lpte_make(enum lpte_kind kind, unsigned int pfn)
{
	return (lpte_t)kind | ((lpte_t)pfn << LPTE_PFN_SHIFT);
}

/* Non-present entries that name a page frame. */
static inline bool lpte_pfn_swap(lpte_t pte)
{
	return lpte_kind(pte) >= LPTE_KIND_MIGRATION_READ && lpte_kind(pte) <= LPTE_KIND_HWPOISON;
}

#endif
