/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One step of a scenario under one implementation: shared by the judge's own files.
 */
#ifndef PD_STEP_H
#define PD_STEP_H

#include "judge.h"

/* A state as an arch stores it: the entries of the granules that the state touched. */
struct pd_image {
	bool made;
	uint64_t raw[PD_NR_VA];
};

/**
 * struct pd_plan - a step as far as it does not depend on the implementation
 * @made:		the rest holds
 * @skip:		why the step is skipped, or NULL; the rest is then unset
 * @prepared:		granules of frames that the operation's caller changed
 * @pages_changed:	granules of frames that the reference changed
 */
struct pd_plan {
	bool made;
	const char *skip;
	struct pd_state *before, *expected;
	struct pd_image before_image[PD_NR_ARCHES], image[PD_NR_ARCHES];
	uint64_t args[PD_MAX_ARGS / sizeof(uint64_t)];
	uint64_t prepared[PD_PFN_WORDS], pages_changed[PD_PFN_WORDS];
	struct pd_outcome outcome;
};

/* Which bits are compared how, for each place: a contract made ready for XOR and mask. */
struct pd_masks {
	uint64_t exact[PD_NR_PLACES], or[PD_NR_PLACES], sub[PD_NR_PLACES];
	bool conditional;	/* some rows hold for some arguments only: they are left out */
};

/* Up to where young and dirty may be gained: made when first asked for. */
struct pd_ceiling {
	bool made;
	uint16_t parent[PD_NR_VA];	/* entries of the range, by groups: a union-find forest */
	lpte_t bits[PD_NR_VA];		/* of a group, at its root */
};

/**
 * struct pd_step - what judging one step needs
 * @before:	state when the operation starts (its caller's preparation done)
 * @expected:	state that the reference leaves
 * @got:	receives the decoded state where it is not @expected
 * @hw:		hardware acted during the step
 * @hits:	differences so far, one slot a row of the contract
 */
struct pd_step {
	const struct pd_op *op;
	const struct pd_masks *masks;
	enum pd_arch arch;
	struct pd_world *world;
	struct pd_span span;
	struct pd_outcome outcome;
	long ret;
	const void *args;
	const struct pd_impl *impl;
	bool hw;
	bool strict;			/* no named relaxations */
	const struct pd_state *before, *expected;
	const struct pd_image *image;	/* of @expected */
	struct pd_state *got;
	struct pd_ceiling *ceiling;
	struct page *pages;		/* the memmap as it was loaded or last found right */
	bool got_differs;		/* @got was made: it is not @expected */
	const uint64_t *pages_changed;	/* granules of frames that the reference changed */
	uint64_t pages_differ[PD_PFN_WORDS];	/* ... whose memmap is not what was loaded */
	struct pd_difference *hits;
	unsigned int nr_hits;
};

#define PD_MAX_ROWS 64u

/* load.c */
const struct pd_image *pd_image_of(struct pd_image *image, enum pd_arch arch,
				   const struct pd_state *s, const struct pd_image *base,
				   const struct pd_state *of);
void pd_load_tables(struct pd_world *w, const struct pd_state *s, const struct pd_image *image);
void pd_load_pages(struct pd_world *w, const struct pd_state *s, unsigned int granule);
void pd_load_vmas(struct pd_world *w, const struct pd_state *s);
void pd_load_deferred(struct pd_world *w, enum pd_arch arch, const struct pd_state *s);
void pd_unstale(struct pd_world *w, unsigned int first, unsigned int pages);
void pd_unload(struct pd_world *w);
void pd_page_image(struct page *page, const struct page *memmap, const struct pd_state *s,
		   unsigned int pfn);

/* plan.c */
void pd_plan_make(struct pd_plan *plan, const struct pd_op *op, const struct pd_record *rec,
		  const struct pd_record *bound, const struct pd_state *from);
void pd_plan_race(struct pd_plan *raced, const struct pd_plan *plan, const struct pd_op *op,
		  const struct pd_world *w);
void pd_frames_changed(uint64_t *map, const struct pd_state *a, const struct pd_state *b);

/* compare.c */
void pd_masks_make(struct pd_masks *masks, const struct pd_row *rows);
void pd_masks_add(struct pd_masks *masks, const struct pd_row *rows, const void *args);
bool pd_row_holds(const struct pd_step *st, const struct pd_row *row);
enum pd_place pd_place_of(const struct pd_step *st, unsigned int va);
void pd_compare(struct pd_step *st);
void pd_hit(struct pd_step *st, const struct pd_row *row, enum pd_relation relation,
	    unsigned int va, const char *text);

/* incidents.c */
void pd_compare_incidents(struct pd_step *st);

/* ceiling.c */
lpte_t pd_ceiling_at(struct pd_step *st, enum pd_place place, unsigned int va);

#endif
