/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff compare: what was found, kind by kind, with the first scenario of each made small.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/compare/compare.h"
#include "harness/shrink/shrink.h"
#include "harness/cli/min/pin.h"

#define MIN_SECONDS	2	/* to make the first scenario of a kind small */
#define MIN_ALL_SECONDS	20	/* ... of all kinds */

static bool shows(void *ctx, const struct scenario *sc)
{
	struct pd_compare *c = ctx;

	pd_compare_one(c, sc, &c->of);
	for (unsigned int i = 0; i < c->of.nr; i++)
		if (pd_same_change(&c->of.change[i], c->keep))
			return true;
	return false;
}

static bool out_of_time(void *ctx)
{
	const struct pd_compare *c = ctx;

	return pd_minimize_interrupted() || time(NULL) > c->deadline ||
	       time(NULL) > c->deadline_of_all;
}

static void make_small(struct pd_compare *c, const struct pd_change *change)
{
	struct pd_shrink shrink = { .shows = shows, .stop = out_of_time, .ctx = c };

	c->keep = change;
	c->deadline = time(NULL) + MIN_SECONDS;
	pd_repair_scenario(&c->sc, &c->small, NULL);
	if (!shows(c, &c->small))
		c->small = c->sc;
	else if (!pd_shrink(&shrink, &c->small))
		exit(PD_EXIT_TROUBLE);
}

/* A file is its reader's own: it stays as it is. */
static void look_at_first(struct pd_compare *c, const struct pd_change *change)
{
	if (!c->files.nr)
		c->op = change->op;
	pd_compare_load(c, change->first);
	c->small = c->sc;
	if (!c->files.nr)
		make_small(c, change);
	/* The look at it again leaves what each of the two did. */
	pd_sides_look(c->side, &c->small, change->arch,
		      pd_sides_differ(c->side, &c->small, change->arch),
		      change->class == PD_CHANGE_RELAXED);
}

static bool save(struct pd_compare *c, const struct pd_change *change, char *path, size_t size)
{
	char name[PD_MAX_SIGNATURE], both[64];
	int len = snprintf(both, sizeof(both), "%s,%s", c->name[0], c->name[1]);

	pd_change_name(change, name, sizeof(name));
	snprintf(path, size, "%s/%s.pte", c->out, name);
	return pd_make_folder(c->out) &&
	       pd_save(path, &c->small, NULL, (size_t)len < sizeof(both) ? both : NULL);
}

static void print_class(struct pd_compare *c, enum pd_change_class class)
{
	static const char *const titles[] = {
		[PD_CHANGE_REAL] = "real differences",
		[PD_CHANGE_RELAXED] = "named relaxations",
		[PD_CHANGE_ALLOWED] = "left open by the contract",
	};
	char path[512];
	unsigned int nr = 0;

	for (unsigned int i = 0; i < c->found.nr; i++)
		nr += c->found.change[i].class == class;
	printf("\n%s:%s\n", titles[class], nr ? "" : " none");
	for (unsigned int i = 0; i < c->found.nr; i++) {
		const struct pd_change *change = &c->found.change[i];
		const char *file = path;

		if (change->class != class)
			continue;
		look_at_first(c, change);
		if (c->files.nr)
			file = c->files.name[change->first];
		else if (!save(c, change, path, sizeof(path)))
			file = NULL;
		pd_change_print(stdout, c->side, change, &c->small, file);
		fflush(stdout);
	}
}

int pd_compare_conclude(struct pd_compare *c)
{
	uint64_t timing = 0, steps = c->steps;
	bool real = false, any = false;

	c->deadline_of_all = time(NULL) + MIN_ALL_SECONDS;
	printf("from %s to %s\n", c->name[0], c->name[1]);
	for (enum pd_change_class class = 0; class <= PD_CHANGE_ALLOWED; class++)
		print_class(c, class);
	for (unsigned int i = 0; i < c->found.nr; i++) {
		const struct pd_change *change = &c->found.change[i];

		real |= change->class == PD_CHANGE_REAL;
		any |= change->class != PD_CHANGE_TIMING;
		timing += change->class == PD_CHANGE_TIMING ? change->count : 0;
	}
	if (timing)
		printf("\nin %" PRIu64 " more scenarios hardware met the two at different "
		       "moments: left out\n", timing);
	if (c->found.lost)
		printf("\n%" PRIu64 " more, after %u kinds\n", c->found.lost, PD_MAX_CHANGES);
	printf("\nscenarios: %" PRIu64 ", runs of both: %" PRIu64 ", scenarios that differ: "
	       "%" PRIu64 "\n", c->runs_done, steps, c->differ);
	if (c->only_real ? real : any)
		return PD_EXIT_FINDINGS;
	return PD_EXIT_CLEAN;
}
