/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff compare: the same scenarios on two implementations, to see what a change changes.
 */
#include "compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/shrink/shrink.h"
#include "pin.h"

#define DEFAULT_RUNS	100000u
#define MIN_SECONDS	2	/* to make the first scenario of a kind small */
#define MIN_ALL_SECONDS	20	/* ... of all kinds */

enum {
	KEY_REAL = 256,
};

/**
 * struct compare - one run of the command, in shared memory
 * @op:		at hand; NULL: files are
 * @at, @to:	numbers of the scenarios that are left
 * @found:	all kinds of differences; @of: those of one scenario
 * @steps:	runs of both on one arch; @differ: scenarios that differ on some arch
 */
struct compare {
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

static const struct argp_option argp_options[] = {
	{ "tree", 't', "NAME", 0, "A kernel tree that scripts/kernel-tree registered; the first is "
	  "the one from before, the second the one from after", 0 },
	{ "impl", 'i', "NAME", 0, "Any implementation in place of a tree", 0 },
	{ "op", 'p', "OP", 0, "The operation; every one that both have when not given", 0 },
	{ "arch", 'a', "ARCH", 0, "x86 or arm64; both when not given", 0 },
	{ "runs", 'n', "N", 0, "Scenarios of each operation (default 100000)", 0 },
	{ "seed", 's', "N", 0, "Seed (default 1)", 0 },
	{ "out", 'o', "FOLDER", 0, "Where the first scenario of each kind of difference is saved "
	  "(default ./differences)", 0 },
	{ "real", KEY_REAL, NULL, 0, "Exit 1 for real differences only", 0 },
	{ 0 },
};

static void add_name(struct compare *c, struct argp_state *state, const char *prefix,
		     const char *name)
{
	char *full = NULL;

	if (c->nr_names == 2)
		argp_error(state, "two to compare, not more");
	if (asprintf(&full, "%s%s", prefix, name) < 0)
		exit(PD_EXIT_TROUBLE);
	c->name[c->nr_names++] = full;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct compare *c = state->input;

	switch (key) {
	case 't':
		add_name(c, state, "tree:", arg);
		return 0;
	case 'i':
		add_name(c, state, "", arg);
		return 0;
	case 'p':
		c->op_name = arg;
		return 0;
	case 'a':
		c->arch = arg;
		return 0;
	case 'n':
		c->runs = pd_option_number(state, "--runs", arg, UINT64_MAX);
		return 0;
	case 's':
		c->seed = pd_option_number(state, "--seed", arg, UINT64_MAX);
		return 0;
	case 'o':
		c->out = arg;
		return 0;
	case KEY_REAL:
		c->only_real = true;
		return 0;
	case ARGP_KEY_ARG:
		if (!pd_files_add(&c->files, arg))
			exit(PD_EXIT_TROUBLE);
		return 0;
	case ARGP_KEY_END:
		if (c->nr_names != 2)
			argp_error(state, "two trees or implementations to compare, please");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = argp_options,
	.parser = parse_option,
	.args_doc = "--tree A --tree B [FILE|FOLDER...]",
	.doc = "Does my series change behaviour? The same scenarios, generated or from files, run "
	       "on two kernel trees (or implementations); what the second leaves differently from "
	       "the first is sorted by what the contract of the operation says about it."
	       "\v"
	       "Real differences come first: one of the two breaks its contract, the other does "
	       "not, or not in that way. Then named relaxations (docs/divergences.md): differences "
	       "made on purpose, which --strict shows elsewhere. Then what the contract leaves "
	       "open, for instance young and dirty of a folio that spread over a batch. Each kind "
	       "has the number of scenarios that show it and the first of them, made small and "
	       "saved; 'ptediff compare' with that file shows it again.\n"
	       "\n"
	       "A step is compared by entries, frames, counters, results and return value. After "
	       "the first step that differs the rest of a scenario is left alone.\n"
	       "Examples:\n"
	       "  scripts/kernel-tree before=~/linux-base after=~/linux\n"
	       "  ptediff compare --tree before --tree after\n"
	       "  ptediff compare --tree before --tree after --op mremap --runs 1000000 --real\n"
	       "  ptediff compare --impl per_pte_v6_12 --impl batched_v6_18 corpus/regress\n"
	       "Exit codes: 0 no difference, 1 differences, 2 usage or trouble, 125 no operation "
	       "that both have here.",
};

static bool has(const struct pd_side *side, const struct pd_op *op, unsigned int arch)
{
	for (unsigned int i = pd_next_selected(&side->sel, 0); i < pd_nr_impls;
	     i = pd_next_selected(&side->sel, i + 1))
		if (pd_impls[i].op == op && !pd_impls[i].impl[arch]->unsupported)
			return true;
	return false;
}

/* Do both have all operations of @sc on @arch? */
static bool comparable(const struct compare *c, const struct scenario *sc, unsigned int arch)
{
	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_op *op = pd_op_by_kind(sc->rec[i].kind);

		if (op && (!has(c->side[0], op, arch) || !has(c->side[1], op, arch)))
			return false;
	}
	return true;
}

/* Every arch; what differs is added to @c->of. */
static void compare_one(struct compare *c, const struct scenario *sc, struct pd_changes *of)
{
	struct pd_changes *one = pd_alloc(1, sizeof(*one));

	of->nr = 0;
	for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
		unsigned int step;

		if (!(c->arches >> arch & 1) || !comparable(c, sc, arch))
			continue;
		c->steps++;
		step = pd_sides_differ(c->side, sc, (enum pd_arch)arch);
		if (step == PD_MAX_OPS)
			continue;
		pd_classify(c->side, sc, (enum pd_arch)arch, step, one);
		for (unsigned int i = 0; i < one->nr; i++)
			pd_changes_add(of, &one->change[i], 0);
	}
	free(one);
}

static bool load(struct compare *c, uint64_t number)
{
	struct pd_rng rng;

	if (!c->op) {
		if (!pd_input_load(&c->in, c->files.name[number], true))
			return false;
		c->sc = c->in.sc;
		return true;
	}
	pd_rng_seed(&rng, c->seed, number);
	pd_generate(&c->sc, c->op, &rng);
	return true;
}

static void count(struct compare *c)
{
	bool differs = false;

	c->runs_done++;
	for (unsigned int i = 0; i < c->of.nr; i++)
		differs |= c->of.change[i].class != PD_CHANGE_TIMING;
	c->differ += differs;
	for (unsigned int i = 0; i < c->of.nr; i++)
		pd_changes_add(&c->found, &c->of.change[i], c->at);
}

/* In a child: as far as nothing crashes. */
static void compare_many(void *arg)
{
	struct compare *c = arg;

	for (; c->at < c->to; c->at++) {
		if (!load(c, c->at))
			continue;
		compare_one(c, &c->sc, &c->of);
		if (pd_sandbox_retired())
			return;
		count(c);
	}
}

/* What crashed is compared again with a child for each of the two. */
static void compare_all(struct compare *c)
{
	for (;;) {
		pd_sandbox_start(c->sandbox, compare_many, c);
		if (pd_sandbox_wait(c->sandbox) == PD_ENDED_WELL)
			return;
		for (unsigned int i = 0; i < 2; i++)
			pd_judge_renew(c->side[i]->j);
		if (load(c, c->at))
			compare_one(c, &c->sc, &c->of);
		count(c);
		c->at++;
	}
}

/* ---- the first scenario of a kind, made small ---- */

static bool shows(void *ctx, const struct scenario *sc)
{
	struct compare *c = ctx;

	compare_one(c, sc, &c->of);
	for (unsigned int i = 0; i < c->of.nr; i++)
		if (pd_same_change(&c->of.change[i], c->keep))
			return true;
	return false;
}

static bool out_of_time(void *ctx)
{
	const struct compare *c = ctx;

	return pd_minimize_interrupted() || time(NULL) > c->deadline ||
	       time(NULL) > c->deadline_of_all;
}

static void make_small(struct compare *c, const struct pd_change *change)
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
static void look_at_first(struct compare *c, const struct pd_change *change)
{
	if (!c->files.nr)
		c->op = change->op;
	load(c, change->first);
	c->small = c->sc;
	if (!c->files.nr)
		make_small(c, change);
	/* The look at it again leaves what each of the two did. */
	pd_sides_look(c->side, &c->small, change->arch,
		      pd_sides_differ(c->side, &c->small, change->arch),
		      change->class == PD_CHANGE_RELAXED);
}

static bool save(struct compare *c, const struct pd_change *change, char *path, size_t size)
{
	char name[PD_MAX_SIGNATURE], both[64];
	int len = snprintf(both, sizeof(both), "%s,%s", c->name[0], c->name[1]);

	pd_change_name(change, name, sizeof(name));
	snprintf(path, size, "%s/%s.pte", c->out, name);
	return pd_make_folder(c->out) &&
	       pd_save(path, &c->small, NULL, (size_t)len < sizeof(both) ? both : NULL);
}

static void print_class(struct compare *c, enum pd_change_class class)
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

static int conclude(struct compare *c)
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
	printf("\nscenarios: %" PRIu64 ", runs of both: %" PRIu64 ", scenarios that differ: %" PRIu64 "\n",
	       c->runs_done, steps, c->differ);
	if (c->only_real ? real : any)
		return PD_EXIT_FINDINGS;
	return PD_EXIT_CLEAN;
}

/* ---- what there is to compare ---- */

/* Can both do @op on some arch? Otherwise says what is missing. */
static bool both_have(struct compare *c, const struct pd_op *op)
{
	struct pd_selection sel;
	char error[256];
	bool here = true;

	for (unsigned int i = 0; i < 2 && here; i++) {
		here = pd_select(&sel, op->name, c->name[i], c->arch, error, sizeof(error));
		here = here && pd_option_supported(&sel);
		if (!here && c->op_name)
			fprintf(stderr, "ptediff: %s has no %s here\n", c->name[i], op->name);
	}
	return here;
}

static void compare_ops(struct compare *c)
{
	for (unsigned int i = 0; i < pd_nr_ops; i++) {
		if ((c->op_name && strcmp(c->op_name, pd_ops[i]->name)) ||
		    !both_have(c, pd_ops[i]))
			continue;
		c->op = pd_ops[i];
		c->at = 0;
		c->to = c->runs;
		compare_all(c);
	}
}

static int run(struct compare *c)
{
	struct pd_selection sel;

	for (unsigned int i = 0; i < 2; i++) {
		if (!pd_option_select(&sel, c->op_name, c->name[i], c->arch))
			return PD_EXIT_TROUBLE;
		c->side[i] = pd_side_new(c->name[i]);
		c->side[i]->sel = sel;
		c->arches = sel.arch;
	}
	c->sandbox = pd_sandbox_new();
	pd_minimize_catch();
	if (c->files.nr) {
		c->to = c->files.nr;
		compare_all(c);
	} else {
		compare_ops(c);
	}
	return c->steps ? conclude(c) : PD_EXIT_UNTESTABLE;
}

int pd_cmd_compare(int argc, char **argv)
{
	struct compare *c = pd_shared(sizeof(*c));
	int code = PD_EXIT_TROUBLE;

	c->runs = DEFAULT_RUNS;
	c->seed = 1;
	c->out = "differences";
	if (!argp_parse(&argp, argc, argv, 0, NULL, c))
		code = run(c);
	for (unsigned int i = 0; i < 2; i++)
		pd_side_free(c->side[i]);
	pd_sandbox_free(c->sandbox);
	pd_files_free(&c->files);
	return code;
}
