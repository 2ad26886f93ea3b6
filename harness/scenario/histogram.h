/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What scenarios contain: counts of the features that bugs of batched page-table code need.
 *
 * Counted on the built state and along the chain of operations, so that what building repairs
 * away is not counted.
 */
#ifndef PD_HISTOGRAM_H
#define PD_HISTOGRAM_H

#include "scenario.h"

/*
 * A run is a stretch of pages that maps consecutive frames of one folio: what a batch could be,
 * whatever its bits. Features of scenarios, of runs and their neighbours, and of operations.
 */
/* clang-format off */
#define PD_FEATURES(X)								\
	X(VMA,			"scenarios with VMA records")			\
	X(CONT,			"scenarios with a contpte block")		\
	X(BBML,			"scenarios with BBML2")				\
	X(HW,			"scenarios with hardware accesses")		\
	X(FAULT,		"scenarios with faults")			\
	X(DEFERRED,		"scenarios with a deferred flush")		\
	X(REPAIRED,		"scenarios that needed repair")			\
	X(RUN_WHOLE,		"runs: a whole folio")				\
	X(RUN_PREFIX,		"runs: first pages of a folio")			\
	X(RUN_SUFFIX,		"runs: last pages of a folio")			\
	X(RUN_MIDDLE,		"runs: pages from the middle")			\
	X(RUN_TABLE,		"runs: over the end of a table")		\
	X(RUN_VMA,		"runs: over the end of a VMA")			\
	X(RUN_SKEW_0,		"runs: VA equals PFN modulo 16")		\
	X(RUN_SKEW_1,		"runs: one page off")				\
	X(RUN_SKEW_8,		"runs: eight pages off")			\
	X(RUN_TWICE,		"runs: mapped twice")				\
	X(REVERSED,		"next page maps the frame before")		\
	X(STRIDE2,		"next page skips a frame")			\
	X(ADJACENT,		"large folios side by side in VA and PFN")	\
	X(ABA,			"another folio between pages of a folio")	\
	X(HOLE_BETWEEN,		"a hole between pages of a folio")		\
	X(NP_BETWEEN,		"non-present entries between pages of a folio")	\
	X(BLOCK,		"contpte blocks")				\
	X(BLOCK_VMA,		"contpte blocks over the end of a VMA")		\
	X(BLOCK_ONE_YOUNG,	"contpte blocks with one young entry")		\
	X(BLOCK_ONE_DIRTY,	"contpte blocks with one dirty entry")		\
	X(BLOCK_WRITE_DIFFERS,	"neighbour blocks, other write bit")		\
	X(SWDIRTY,		"dirty entries in the software encoding")	\
	X(ZERO_PAGE,		"zero pages")					\
	X(ZERO_PAGE_BARRED,	"zero pages with uffd-wp or PROT_NONE")		\
	X(SPECIAL,		"entries of drivers' memory")			\
	X(SPECIAL_WRITE,	"entries of drivers' memory, writable")		\
	X(DEVICE_WRITE,		"pages of devices, writable")			\
	X(FILE_UFFD_WP,		"pages of files with uffd-wp")			\
	X(NP_UFFD_WP,		"non-present entries with uffd-wp")		\
	X(NP_SOFT_DIRTY,	"non-present entries with soft-dirty")		\
	X(OP_FITS,		"operations that run")				\
	X(OP_CHANGES,		"operations that change something")		\
	X(OP_SRC_TABLE,		"operations: source crosses a table end")	\
	X(OP_DST_TABLE,		"operations: destination crosses a table end")	\
	X(OP_ONE_TABLE,		"operations: both in one table")		\
	X(OP_WHOLE_TABLE,	"operations: a whole table to a whole table")
/* clang-format on */

#define PD_FEATURE_ENUM(name, text) PD_FEATURE_##name,
enum pd_feature {
	PD_FEATURES(PD_FEATURE_ENUM)
	PD_NR_FEATURES
};

/* A field of the pages of a run, of two pages or more of a large folio. */
enum pd_mix_field {
	PD_MIX_WRITE,
	PD_MIX_YOUNG,
	PD_MIX_DIRTY,
	PD_MIX_SOFT_DIRTY,
	PD_MIX_UFFD_WP,
	PD_MIX_PROTNONE,
	PD_MIX_EXCLUSIVE,
	PD_NR_MIX_FIELDS
};

/* How it differs, the first that holds. */
enum pd_mix {
	PD_MIX_NONE_SET,
	PD_MIX_ALL_SET,
	PD_MIX_FIRST,		/* the first page differs from all others */
	PD_MIX_LAST,
	PD_MIX_HALF,		/* it changes once, at a multiple of 8 pages or half-way */
	PD_MIX_ALTERNATING,
	PD_MIX_OTHER,
	PD_NR_MIXES
};

/* What the first (or last) page of an operation's range and its outer neighbour are. */
enum pd_edge {
	PD_EDGE_TABLE,		/* the range begins (ends) with a table */
	PD_EDGE_NEAR_TABLE,	/* one page off */
	PD_EDGE_FOLIO,		/* with a large folio */
	PD_EDGE_RUN,		/* with a run, in the middle of its folio */
	PD_EDGE_INSIDE,		/* within a run */
	PD_EDGE_BLOCK,		/* with a contpte block */
	PD_EDGE_IN_BLOCK,	/* within a contpte block */
	PD_EDGE_SMALL,		/* with an order-0 folio */
	PD_EDGE_NONPRESENT,
	PD_EDGE_EMPTY,
	PD_NR_EDGES
};

/* Destination less source, modulo a table. */
enum pd_shift {
	PD_SHIFT_0,
	PD_SHIFT_1,
	PD_SHIFT_8,
	PD_SHIFT_16,
	PD_SHIFT_BLOCKS,	/* another multiple of 16 */
	PD_SHIFT_OTHER,
	PD_NR_SHIFTS
};

#define PD_NR_EXTENTS	14u	/* see pd_histogram_extents[] */

extern const uint16_t pd_histogram_extents[PD_NR_EXTENTS];

/**
 * struct pd_histogram - counts over scenarios
 * @layout, @ops: records
 * @steps:	scenarios by number of operations, the last slot for that many or more
 * @pages:	that operations were asked to work on, @populated of them not none
 * @kind:	non-present entries by kind, markers by @marker
 * @order:	runs by order of the folio
 * @edge:	operations by how their range begins ([0]) and ends ([1]); more than one may hold
 * @extent:	operations by pages, see pd_histogram_extents[]
 * @state:	the state that is looked at
 */
struct pd_histogram {
	uint64_t scenarios, layout, ops, pages, populated;
	uint64_t steps[8];
	uint64_t feature[PD_NR_FEATURES];
	uint64_t kind[LPTE_NR_KINDS], marker[LPTE_NR_MARKERS];
	uint64_t order[PD_MAX_ORDER + 1];
	uint64_t mix[PD_NR_MIX_FIELDS][PD_NR_MIXES];
	uint64_t edge[2][PD_NR_EDGES];
	uint64_t shift[PD_NR_SHIFTS];
	uint64_t extent[PD_NR_EXTENTS];
	struct pd_state *state;
};

/* pd_histogram_new() - NULL when memory runs out. pd_histogram_free(NULL) is allowed. */
struct pd_histogram *pd_histogram_new(void);
void pd_histogram_free(struct pd_histogram *h);

/* pd_histogram_add() - count what @sc contains. */
void pd_histogram_add(struct pd_histogram *h, const struct scenario *sc);

/* pd_histogram_print() - tables of counts and shares, at most 100 columns. */
void pd_histogram_print(FILE *out, const struct pd_histogram *h);

#endif
