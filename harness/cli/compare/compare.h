/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of ``ptediff compare`` share.
 *
 * Two implementations run the same scenario on the same arch. The first step after which they
 * left something else is looked at: what the contract of the operation says about it is what the
 * difference is.
 */
#ifndef PD_COMPARE_H
#define PD_COMPARE_H

#include <time.h>

#include "harness/cli/cli.h"

#define PD_MAX_CHANGES	128u

/**
 * struct pd_side - one of the two, and what its last run came to; in shared memory
 * @print:	a fingerprint of what each step left, 0 for a step that did not happen
 * @diverged:	the step that broke the contract, or PD_MAX_OPS
 * @row, @relation: how it broke it
 * @look:	the step whose outcome is @kept: the rest
 */
struct pd_side {
	const char *name;
	struct pd_selection sel;
	struct pd_judge *j;
	uint64_t print[PD_MAX_OPS];
	unsigned int diverged;
	char signature[PD_MAX_SIGNATURE];
	const struct pd_row *row;
	enum pd_relation relation;

	unsigned int look;
	bool kept;
	const struct pd_impl_entry *entry;
	struct pd_span span;
	struct pd_state before, after;
	struct page pages[PD_NR_PFN];
	struct pd_results results;
	int32_t counter[PD_NR_COUNTERS];
	long ret;
};

/* What a difference is, the worst first. */
enum pd_change_class {
	PD_CHANGE_REAL,		/* at least one of the two breaks the contract */
	PD_CHANGE_RELAXED,	/* ... a row of it that only --strict judges */
	PD_CHANGE_ALLOWED,	/* the contract leaves it open */
	PD_CHANGE_TIMING,	/* ... and hardware acted, before an access of a certain number */
	PD_NR_CHANGE_CLASSES
};

/* From the first to the second. */
enum pd_change_how {
	PD_CHANGE_GAINED,
	PD_CHANGE_LOST,
	PD_CHANGE_OTHER,
	PD_NR_CHANGE_HOWS
};

/**
 * struct pd_change - a kind of difference
 * @row:	what it is about; NULL: nothing that the contract has a row for
 * @signature:	PD_CHANGE_REAL and PD_CHANGE_RELAXED: how each of the two breaks the contract;
 *		empty: it keeps it
 * @arches:	bit a: enum pd_arch; @arch: the first that showed it
 * @count:	scenarios that show it
 * @first:	the number of the first, or of its file; @last: the one of the last, plus 1
 *
 * PD_CHANGE_TIMING is one kind for an operation: accesses are numbered, so hardware met the two at
 * different moments.
 */
struct pd_change {
	enum pd_change_class class;
	const struct pd_op *op;
	const struct pd_row *row;
	enum pd_change_how how;
	enum pd_arch arch;
	unsigned int arches;
	char signature[2][PD_MAX_SIGNATURE];
	uint64_t count, first, last;
};

struct pd_changes {
	unsigned int nr;
	uint64_t lost;
	struct pd_change change[PD_MAX_CHANGES];
};

/**
 * struct pd_compare - one run of the command, in shared memory
 * @op:		at hand; NULL: files are
 * @at, @to:	numbers of the scenarios that are left
 * @found:	all kinds of differences; @of: those of one scenario
 * @steps:	runs of both on one arch; @differ: scenarios that differ on some arch
 */
struct pd_compare {
	const char *name[2], *op_name, *arch, *out;
	unsigned int nr_names;
	uint64_t runs, seed;
	bool only_real;
	struct pd_files files;

	struct pd_side *side[2];
	struct pd_sandbox *sandbox;
	const struct pd_op *op;
	unsigned int arches;
	struct scenario sc, small;
	struct pd_input in;
	volatile uint64_t at;
	uint64_t to, runs_done, steps, differ;
	struct pd_changes found, of;
	const struct pd_change *keep;
	time_t deadline, deadline_of_all;
};

/* ---- compare.c ---- */

/* pd_compare_load() - scenario @number into @c->sc; false after a message. */
bool pd_compare_load(struct pd_compare *c, uint64_t number);

/* pd_compare_one() - what differs on any arch into @of. */
void pd_compare_one(struct pd_compare *c, const struct scenario *sc, struct pd_changes *of);

/* ---- conclude.c ---- */

/* pd_compare_conclude() - print what was found. Return: the exit code. */
int pd_compare_conclude(struct pd_compare *c);

/* ---- sides.c ---- */

/* pd_side_new() - @name in shared memory, with a judge of its own. */
struct pd_side *pd_side_new(const char *name);
void pd_side_free(struct pd_side *side);

/**
 * pd_sides_differ() - run @sc on both
 *
 * Return: the first step that they leave differently, or PD_MAX_OPS.
 */
unsigned int pd_sides_differ(struct pd_side *const side[2], const struct scenario *sc,
			     enum pd_arch arch);

/* pd_sides_look() - again, and keep what step @step comes to; @strict: without relaxations. */
void pd_sides_look(struct pd_side *const side[2], const struct scenario *sc, enum pd_arch arch,
		   unsigned int step, bool strict);

/* ---- classify.c ---- */

/* pd_classify() - what differs between two runs that differ at @step, into @changes. */
void pd_classify(struct pd_side *const side[2], const struct scenario *sc, enum pd_arch arch,
		 unsigned int step, struct pd_changes *changes);

/* pd_changes_add() - @change, found in scenario @number. */
void pd_changes_add(struct pd_changes *changes, const struct pd_change *change, uint64_t number);

bool pd_same_change(const struct pd_change *a, const struct pd_change *b);

/* pd_change_name() - as part of a file name. */
void pd_change_name(const struct pd_change *change, char *name, size_t size);

/* ---- report.c ---- */

/* pd_change_print() - @change, shown by @sc, which is in @file (NULL: it was not saved). */
void pd_change_print(FILE *out, struct pd_side *const side[2], const struct pd_change *change,
		     const struct scenario *sc, const char *file);

#endif
