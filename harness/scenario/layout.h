/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the fields of the layout records are. One place, read by the tables of schema.c and by
 * the code that builds and generates. Numbers are frozen: docs/format.md.
 */
#ifndef PD_LAYOUT_H
#define PD_LAYOUT_H

#include "scenario.h"

#define PD_BITS(half, shift, width) ((struct pd_bits){ (half), (shift), (width) })

/* config: byte 1 names the knob */
#define PD_CONFIG_KNOB		PD_BITS(0, 0, 8)
enum {
	PD_KNOB_NONE,
	PD_KNOB_BBML2,
	PD_NR_KNOBS
};

/* vma */
#define PD_VMA_F_RO		PD_BITS(0, 0, 1)
#define PD_VMA_F_SHARED		PD_BITS(0, 1, 1)
#define PD_VMA_F_FILE		PD_BITS(0, 2, 1)
#define PD_VMA_F_UFFD		PD_BITS(0, 3, 2)
#define PD_VMA_F_VA		PD_BITS(1, 0, 11)
#define PD_VMA_F_LOCKED		PD_BITS(1, 11, 1)
#define PD_VMA_F_SOFT_DIRTY	PD_BITS(1, 12, 1)
#define PD_VMA_F_UNMIGRATABLE	PD_BITS(1, 13, 1)
#define PD_VMA_F_PFNMAP		PD_BITS(1, 14, 1)
#define PD_VMA_F_PAGES		PD_BITS(2, 0, 11)
#define PD_VMA_F_PGOFF		PD_BITS(3, 0, 16)
enum {
	PD_UFFD_NONE,
	PD_UFFD_WP,		/* write-protect mode, no remap event: mremap drops it */
	PD_UFFD_WP_REMAP,	/* write-protect mode with remap event: mremap keeps it */
	PD_UFFD_MISSING,	/* missing mode only, no remap event */
};

/* folio */
#define PD_FOLIO_F_TYPE		PD_BITS(0, 0, 4)	/* enum pd_folio_type */
#define PD_FOLIO_F_ORDER	PD_BITS(0, 4, 4)
#define PD_FOLIO_F_PFN		PD_BITS(1, 0, 12)
#define PD_FOLIO_F_NID		PD_BITS(1, 12, 2)
#define PD_FOLIO_F_PINNED	PD_BITS(1, 14, 1)
#define PD_FOLIO_F_RESERVED	PD_BITS(1, 15, 1)
#define PD_FOLIO_F_COUNT	PD_BITS(2, 0, 10)	/* folios less one */
#define PD_FOLIO_F_SWAPCACHE	PD_BITS(2, 10, 1)
#define PD_FOLIO_F_NOLRU	PD_BITS(2, 11, 1)
#define PD_FOLIO_F_DIRTY	PD_BITS(2, 12, 1)
#define PD_FOLIO_F_LAZYFREE	PD_BITS(2, 13, 1)
#define PD_FOLIO_F_MLOCKED	PD_BITS(2, 14, 1)
#define PD_FOLIO_F_ACTIVE	PD_BITS(2, 15, 1)
#define PD_FOLIO_F_OTHER	PD_BITS(3, 0, 2)	/* mappings elsewhere, of every page */
#define PD_FOLIO_F_REFS		PD_BITS(3, 2, 2)
#define PD_FOLIO_F_INDEX	PD_BITS(3, 4, 10)
#define PD_FOLIO_F_ANON_VMA	PD_BITS(3, 14, 1)

/* How frames follow each other over the pages of a map or nonpresent record. */
enum {
	PD_STEP_UP,
	PD_STEP_DOWN,
	PD_STEP_STRIDE2,
	PD_STEP_SAME,
};

/* map */
#define PD_MAP_F_STEP		PD_BITS(0, 0, 2)
#define PD_MAP_F_CONT		PD_BITS(0, 3, 1)	/* every block that can be one is one */
#define PD_MAP_F_VA		PD_BITS(1, 0, 11)
#define PD_MAP_F_YOUNG		PD_BITS(1, 11, 1)
#define PD_MAP_F_DIRTY		PD_BITS(1, 12, 1)
#define PD_MAP_F_WRITE		PD_BITS(1, 13, 1)
#define PD_MAP_F_EXCL		PD_BITS(1, 14, 1)	/* PageAnonExclusive of the page */
#define PD_MAP_F_SOFT_DIRTY	PD_BITS(1, 15, 1)
#define PD_MAP_F_PFN		PD_BITS(2, 0, 12)
#define PD_MAP_F_UFFD_WP	PD_BITS(2, 12, 1)
#define PD_MAP_F_PROTNONE	PD_BITS(2, 13, 1)
#define PD_MAP_F_SPECIAL	PD_BITS(2, 14, 1)
#define PD_MAP_F_SHARED		PD_BITS(2, 15, 1)	/* one mapping elsewhere, of these pages */
#define PD_MAP_F_PAGES		PD_BITS(3, 0, 11)
#define PD_MAP_F_SWDIRTY	PD_BITS(3, 11, 1)
#define PD_MAP_F_PROT		PD_BITS(3, 13, 2)

/* bits: one field of the present entries of a range, by a pattern that repeats every 16 pages */
#define PD_BITS_F_FIELD		PD_BITS(0, 0, 5)
#define PD_BITS_F_MODE		PD_BITS(0, 5, 2)
#define PD_BITS_F_VA		PD_BITS(1, 0, 11)
#define PD_BITS_F_PAGES		PD_BITS(2, 0, 11)
#define PD_BITS_F_PATTERN	PD_BITS(3, 0, 16)
enum {
	PD_FIELD_YOUNG,
	PD_FIELD_DIRTY,
	PD_FIELD_WRITE,
	PD_FIELD_EXCL,
	PD_FIELD_SOFT_DIRTY,
	PD_FIELD_UFFD_WP,
	PD_FIELD_PROTNONE,
	PD_FIELD_SPECIAL,
	PD_FIELD_SHARED,
	PD_FIELD_CONT,
	PD_FIELD_SWDIRTY,
	PD_FIELD_PROT0,
	PD_FIELD_PROT1,
	PD_NR_FIELDS		/* the names above it in the 5-bit enum are NULL */
};
enum {
	PD_MODE_ASSIGN,
	PD_MODE_SET,
	PD_MODE_CLEAR,
	PD_MODE_XOR,
};

/* nonpresent */
#define PD_NP_F_KIND		PD_BITS(0, 0, 4)
#define PD_NP_F_STEP		PD_BITS(0, 4, 2)
#define PD_NP_F_VA		PD_BITS(1, 0, 11)
#define PD_NP_F_TYPE		PD_BITS(1, 11, 3)
#define PD_NP_F_PAGES		PD_BITS(2, 0, 11)
#define PD_NP_F_EXCL		PD_BITS(2, 11, 1)
#define PD_NP_F_SOFT_DIRTY	PD_BITS(2, 12, 1)
#define PD_NP_F_UFFD_WP		PD_BITS(2, 13, 1)
#define PD_NP_F_OFFSET		PD_BITS(3, 0, 16)	/* swap offset or frame */
enum {
	PD_NP_HOLE,
	PD_NP_SWAP,
	PD_NP_MIGRATION_READ,
	PD_NP_MIGRATION_READ_EXCL,
	PD_NP_MIGRATION_WRITE,
	PD_NP_DEVICE_PRIVATE_READ,
	PD_NP_DEVICE_PRIVATE_WRITE,
	PD_NP_DEVICE_EXCLUSIVE,
	PD_NP_HWPOISON,
	PD_NP_MARKER_UFFD_WP,
	PD_NP_MARKER_POISON,
	PD_NP_MARKER_GUARD,
	PD_NP_DEFERRED,		/* none, but hardware may still hold the translation to the frame */
	PD_NR_NP
};

/* hw */
#define PD_HW_F_WHAT		PD_BITS(0, 0, 2)	/* enum pd_hw_what */
#define PD_HW_F_VA		PD_BITS(1, 0, 11)
#define PD_HW_F_STEP		PD_BITS(2, 0, 16)
#define PD_HW_F_PAGES		PD_BITS(3, 0, 11)

/* fault */
#define PD_FAULT_F_SITE		PD_BITS(0, 0, 5)	/* enum pd_fault_site */
#define PD_FAULT_F_TIMES	PD_BITS(0, 5, 3)	/* less one */
#define PD_FAULT_F_VA		PD_BITS(1, 0, 11)

#endif
