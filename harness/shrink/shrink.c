/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Take the first reduction that still shows it, and begin again, until none is left.
 *
 * Every candidate is put into the form that needs no repair before it is asked about, so that
 * what comes out can be read and replayed as it stands. What was asked once is not asked again:
 * answers are remembered by hash.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/judge/judge.h"
#include "shrink.h"

#define PD_MEMO_SLOTS	(1u << 16)

struct pd_search {
	struct pd_shrink *shrink;
	struct scenario best, fixed;
	struct pd_state *state;
	uint64_t best_weight;
	uint8_t bytes[PD_MAX_RECORDS * PD_RECORD_BYTES];
	uint64_t memo[PD_MEMO_SLOTS];	/* hashes of candidates that were asked about */
};

/* A lost entry costs a run, a false hit would cost a reduction: 64 bits make it unlikely. */
static bool pd_known(struct pd_search *s, const struct scenario *sc)
{
	size_t len = pd_encode(sc, s->bytes, sizeof(s->bytes));
	uint64_t hash = pd_hash(s->bytes, len, 0);
	uint64_t *slot = &s->memo[hash % PD_MEMO_SLOTS];

	if (*slot == hash) {
		s->shrink->known++;
		return true;
	}
	*slot = hash;
	return false;
}

static bool pd_consider(void *ctx, const struct scenario *sc)
{
	struct pd_search *s = ctx;
	struct pd_repair repair = { .fixed = &s->fixed };

	if (s->shrink->stop && s->shrink->stop(s->shrink->ctx))
		return true;
	pd_state_clear(s->state);
	pd_build(sc, s->state, &repair);
	if (pd_weight(&s->fixed) >= s->best_weight || pd_known(s, &s->fixed))
		return false;
	s->shrink->runs++;
	if (!s->shrink->shows(s->shrink->ctx, &s->fixed))
		return false;
	s->best = s->fixed;
	s->best_weight = pd_weight(&s->best);
	return true;
}

bool pd_shrink(struct pd_shrink *shrink, struct scenario *sc)
{
	struct pd_search *s = calloc(1, sizeof(*s));
	struct scenario *from = malloc(sizeof(*from));
	struct pd_state *state = malloc(sizeof(*state));

	if (s && from && state) {
		pd_state_init(state);
		s->shrink = shrink;
		s->best = *sc;
		s->state = state;
		s->best_weight = UINT64_MAX;
		pd_consider(s, sc);	/* its repaired form, if that shows it too */
		s->best_weight = pd_weight(&s->best);
		do {
			shrink->rounds++;
			*from = s->best;
		} while (pd_reductions(from, pd_consider, s) &&
			 !(shrink->stop && shrink->stop(shrink->ctx)));
		shrink->done = !(shrink->stop && shrink->stop(shrink->ctx));
		*sc = s->best;
	}
	free(state);
	free(from);
	free(s);
	return s && from && state;
}
