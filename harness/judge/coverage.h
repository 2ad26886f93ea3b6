/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was judged: how often each combination of an entry's kind, the order of its folio, where it
 * lies and what it says, for each implementation and arch; and each value of an argument.
 *
 * Counted on steps that were really judged, on the state that they started from. An entry counts
 * once for each place and flag that hold for it.
 */
#ifndef PD_COVERAGE_H
#define PD_COVERAGE_H

#include "judge.h"

struct pd_step;

/* Kinds of entries: those of the format, but the present and the markers each by what they are. */
enum pd_cover_kind {
	PD_COVER_KIND_NORMAL = LPTE_NR_KINDS,
	PD_COVER_KIND_FILE,
	PD_COVER_KIND_KSM,
	PD_COVER_KIND_DEVICE,
	PD_COVER_KIND_SPECIAL,
	PD_COVER_KIND_ZERO_PAGE,
	PD_COVER_KIND_MARKERS,
	PD_NR_COVER_KINDS = PD_COVER_KIND_MARKERS + LPTE_NR_MARKERS
};

/* Where an entry lies. */
enum pd_cover_place {
	PD_COVER_INSIDE,	/* nothing below holds */
	PD_COVER_RANGE_FIRST,
	PD_COVER_RANGE_LAST,
	PD_COVER_TABLE_FIRST,
	PD_COVER_TABLE_LAST,
	PD_COVER_VMA_EDGE,	/* the entry before or behind is in another VMA */
	PD_COVER_FOLIO_FIRST,	/* maps the first page of a large folio */
	PD_COVER_FOLIO_LAST,
	PD_COVER_BLOCK_CUT,	/* in a contpte block that the range cuts */
	PD_NR_COVER_PLACES
};

/* What an entry says, and what there is beside it. */
enum pd_cover_flag {
	PD_COVER_PLAIN,		/* nothing below holds */
	PD_COVER_WRITE,
	PD_COVER_YOUNG,
	PD_COVER_DIRTY,
	PD_COVER_SOFT_DIRTY,
	PD_COVER_UFFD_WP,
	PD_COVER_PROTNONE,
	PD_COVER_EXCLUSIVE,
	PD_COVER_CONT,
	PD_COVER_SWDIRTY,
	PD_COVER_PINNED,
	PD_COVER_BBML,
	PD_COVER_HW,
	PD_COVER_FAULT,
	PD_COVER_DEFERRED,
	PD_NR_COVER_FLAGS
};

#define PD_COVER_NO_ORDER	(PD_MAX_ORDER + 1u)	/* no page frame behind it */
#define PD_MAX_COVER_FIELDS	16u
#define PD_NR_COVER_SIZES	18u	/* 0, then numbers by their highest bit */

/* The counts of one implementation on one arch. */
struct pd_cells {
	uint64_t entry[PD_NR_COVER_KINDS][PD_MAX_ORDER + 2][PD_NR_COVER_PLACES][PD_NR_COVER_FLAGS];
	uint64_t argument[PD_MAX_COVER_FIELDS][PD_NR_COVER_SIZES][PD_NR_VERDICTS];
};

/* struct pd_coverage - counts; those of what was never judged are NULL */
struct pd_coverage {
	struct pd_cells *cells[PD_MAX_IMPLS][PD_NR_ARCHES];
};

/* pd_coverage_new() - NULL when memory runs out. pd_coverage_free(NULL) is allowed. */
struct pd_coverage *pd_coverage_new(void);
void pd_coverage_free(struct pd_coverage *c);

/* pd_coverage_step() - count a step that was judged; without memory for it, it is not counted. */
void pd_coverage_step(struct pd_coverage *c, const struct pd_impl_entry *entry,
		      const struct pd_step *st, enum pd_verdict verdict);

/* pd_coverage_add() - @to += @from. */
void pd_coverage_add(struct pd_coverage *to, const struct pd_coverage *from);

/**
 * pd_coverage_print() - every count that is not zero, a line each, fields separated by tabs
 *
 *	values, kind or order or place or flag, all that there are
 *	entry, operation, implementation, arch, kind, order or -, place, flag, count
 *	argument, operation, implementation, arch, field, value or lowest number, verdict, count
 */
void pd_coverage_print(FILE *out, const struct pd_coverage *c);

#endif
