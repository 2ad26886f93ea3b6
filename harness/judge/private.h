/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a judge remembers while it runs: shared by run.c and setup.c only. */
#ifndef PD_PRIVATE_H
#define PD_PRIVATE_H

#include "step.h"

/* An operation of the scenario, with what is bound to it. */
struct pd_action {
	const struct pd_op *op;
	const struct pd_record *rec;
	unsigned int bound;		/* index of its first hw or fault record; they end at rec */
};

struct pd_private {
	struct pd_plan shared[PD_MAX_OPS];	/* steps that start as the reference left them */
	struct pd_plan own[2];		/* steps of a chain that went another way, in turn */
	struct pd_plan raced;			/* a step with the pins of its hardware */
	struct pd_masks masks[PD_MAX_IMPLS];	/* by operation */
	struct pd_masks step_masks;		/* of a contract that depends on the arguments */
	struct pd_difference hits[PD_MAX_ROWS];
	struct pd_ceiling ceiling;
	struct page pages[PD_NR_PFN];
	struct page unmentioned;	/* a frame that no record is about */
	uint64_t reload[PD_PFN_WORDS];	/* granules of frames that are not as the scenario starts */
	const struct pd_state *current;	/* where the next step starts */
	const struct pd_image *image;	/* the latest image of the chain, and what it is of */
	const struct pd_state *image_of;
	struct pd_action action[PD_MAX_OPS];
	unsigned int nr_actions;
	const struct scenario *sc;
};

/* setup.c */
void pd_mark_used(struct pd_world *w, const uint64_t *map);
void pd_load(struct pd_judge *j, enum pd_arch arch, struct pd_plan *plan);
void pd_load_prepared(struct pd_judge *j, enum pd_arch arch, const struct pd_op *op,
		      const struct pd_plan *plan);
void pd_arm(struct pd_judge *j, const struct pd_action *action, const struct pd_plan *plan);

#endif
