/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of reductions share: a scenario, and a copy in which one thing at a time is
 * changed, offered and put back.
 */
#ifndef PD_TRY_H
#define PD_TRY_H

#include "shrink.h"

struct pd_try {
	const struct scenario *from;
	struct scenario *to;		/* equal to @from between two candidates */
	bool (*use)(void *ctx, const struct scenario *sc);
	void *ctx;
};

/* pd_offer() - the scenario with record @i as @rec. */
bool pd_offer(struct pd_try *t, unsigned int i, const struct pd_record *rec);

/* pd_offer_whole() - whatever @t->to was made; then it is put back. */
bool pd_offer_whole(struct pd_try *t);

/* pd_drop() - take records [@first, @first + @nr) out of @t->to; pd_offer_whole() comes next. */
void pd_drop(struct pd_try *t, unsigned int first, unsigned int nr);

/* pd_try_value() - the scenario with a field of record @i as @value. */
bool pd_try_value(struct pd_try *t, unsigned int i, struct pd_bits bits, unsigned int value);

/* pd_next_cut() - the step to try after one of @cut: halves, in the end each. */
unsigned int pd_next_cut(unsigned int cut);

/* pd_field_of() - the field of @role in @kind, or NULL. */
const struct pd_field *pd_field_of(uint8_t kind, enum pd_role role);

/* ---- removals.c: fewer records ---- */

bool pd_try_removals(struct pd_try *t);

/* ---- places.c: towards page 0 and frame 0 ---- */

bool pd_try_places(struct pd_try *t);

/* ---- squeeze.c: a shorter address space ---- */

bool pd_try_squeezes(struct pd_try *t);

/* ---- forms.c: two ways to say the same ---- */

#define PD_PATTERN_PAGES 16u

/* pd_first_of() / pd_end_of() - first page of a map, bits or nonpresent record; behind its last. */
unsigned int pd_first_of(const struct pd_record *rec);
unsigned int pd_end_of(const struct pd_record *rec);

/* pd_flag_of() - the flag of a map record that is called as the field of @bits, or NULL. */
const struct pd_field *pd_flag_of(const struct pd_record *bits);

/* pd_assign() - @bits as a record that assigns @pattern over the pages of @over. */
struct pd_record pd_assign(const struct pd_record *bits, const struct pd_record *over,
			   unsigned int pattern);

bool pd_try_forms(struct pd_try *t);

/* ---- trades.c: a record for a word ---- */

bool pd_try_trades(struct pd_try *t);

/* ---- joins.c ---- */

/* pd_try_joins() - map record @i with another one. */
bool pd_try_joins(struct pd_try *t, unsigned int i);

#endif
