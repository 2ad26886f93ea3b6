/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A judge in shared memory: whatever an implementation does to it, the parent still has the
 * scenario, and the judge can be made anew at the same address.
 */
#include "harness/cli/child/isolate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/cli/cli.h"
#include "harness/cli/guilty/crash_name.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

#define ROOM	(64u << 20)
#define GAP	64u		/* between two objects, out of bounds for AddressSanitizer */

/* What is to be judged, in shared memory. */
struct order {
	struct pd_judge *j;
	struct scenario sc;
	struct pd_selection sel;
	bool clean;
	struct pd_crash_names names;
};

/* A judge and what belongs to it; pd_judge_open() returns the judge at its start. */
struct isolated {
	struct pd_judge *j;
	struct isolated *next;
	uint8_t *memory;
	size_t used;
	struct pd_sandbox *sb;
	struct order *order;
	bool spoilt;
};

/* Of this process, all of them: few, and the judge itself may have been written over. */
static struct isolated *all;

static struct isolated *isolated_of(const struct pd_judge *j)
{
	struct isolated *one = all;

	while (one->j != j)
		one = one->next;
	return one;
}

static size_t aligned(size_t at, size_t align)
{
	return (at + align - 1) / align * align;
}

static void *get(void *ctx, size_t align, size_t size)
{
	struct isolated *one = ctx;
	size_t at = aligned(one->used + GAP, align > 8 ? align : 8);

	if (at + size + GAP > ROOM)
		return NULL;
	ASAN_POISON_MEMORY_REGION(one->memory + one->used, at - one->used);
	ASAN_POISON_MEMORY_REGION(one->memory + at + size, GAP);
	one->used = at + size;
	return one->memory + at;
}

static void make(struct isolated *one)
{
	const struct pd_memory memory = { get, one };

	one->used = 0;
	one->spoilt = false;
	one->j = pd_judge_new_in(&memory);
	if (one->j) {
		one->j->run = pd_judge_scenario;
		return;
	}
	fprintf(stderr, "ptediff: out of memory\n");
	exit(PD_EXIT_TROUBLE);
}

struct pd_judge *pd_judge_open(void)
{
	struct isolated *one = pd_alloc(1, sizeof(*one));

	one->memory = pd_shared(ROOM);
	one->order = pd_shared(sizeof(*one->order));
	one->sb = pd_sandbox_new();
	one->next = all;
	all = one;
	make(one);
	return one->j;
}

void pd_judge_close(struct pd_judge *j)
{
	struct isolated **at = &all, *one;

	if (!j)
		return;
	while ((*at)->j != j)
		at = &(*at)->next;
	one = *at;
	*at = one->next;
	pd_sandbox_free(one->sb);
	munmap(one->order, sizeof(*one->order));
	munmap(one->memory, ROOM);
	free(one);
}

/* The same calls give the same addresses, so that whoever has the judge keeps it. */
void pd_judge_renew(struct pd_judge *j)
{
	struct isolated *one = isolated_of(j);
	struct pd_judge old = *j;

	madvise(one->memory, ROOM, MADV_REMOVE);
	make(one);
	memcpy(j->tally, old.tally, sizeof(old.tally));
	j->scenarios = old.scenarios;
	j->digest = old.digest;
	j->want_digest = old.want_digest;
	j->strict = old.strict;
	j->trace = old.trace;
	j->all = old.all;
	j->budget = old.budget;
	j->entering = old.entering;
	j->observe = old.observe;
	j->user = old.user;
}

bool pd_untrusted(const struct pd_selection *sel)
{
	for (unsigned int i = pd_next_selected(sel, 0); i < pd_nr_impls;
	     i = pd_next_selected(sel, i + 1))
		if (pd_impls[i].tree)
			return true;
	return false;
}

bool pd_judge_here(struct pd_judge *j, const struct scenario *sc, const struct pd_selection *sel)
{
	if (pd_judge_run(j, sc, sel))
		return true;
	if (j->divergence.first.relation == PD_RELATION_CRASH) {
		pd_crash_name(&isolated_of(j)->order->names, &j->divergence);
		if (pd_sandbox_inside())
			pd_sandbox_retire();
	}
	return false;
}

void pd_judge_lost(struct pd_judge *j, const struct pd_sandbox *sb)
{
	if (!j->running.entry) {
		fprintf(stderr, "ptediff: a child process died outside of what is under test: "
			"%s\n", pd_sandbox_death(sb));
		exit(PD_EXIT_TROUBLE);
	}
	pd_judge_died(j, pd_sandbox_death(sb));
}

static void carry_out(void *arg)
{
	struct order *order = arg;

	order->clean = pd_judge_here(order->j, &order->sc, &order->sel);
}

bool pd_judge_scenario(struct pd_judge *j, const struct scenario *sc,
		       const struct pd_selection *sel)
{
	struct isolated *one;
	enum pd_ended ended;

	if (pd_sandbox_inside() || !pd_untrusted(sel))
		return pd_judge_here(j, sc, sel);
	one = isolated_of(j);
	if (one->spoilt)
		pd_judge_renew(j);
	one->order->j = j;
	one->order->sc = *sc;
	one->order->sel = *sel;
	pd_sandbox_start(one->sb, carry_out, one->order);
	ended = pd_sandbox_wait(one->sb);
	one->spoilt = ended != PD_ENDED_WELL;
	if (ended != PD_ENDED_DEAD)
		return one->order->clean;
	pd_judge_lost(j, one->sb);
	return false;
}
