/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff compare: the same scenarios on two implementations, to see what a change changes.
 */
#include "harness/cli/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "harness/cli/min/pin.h"

#define DEFAULT_RUNS	100000u
enum {
	KEY_REAL = 256,
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

static void add_name(struct pd_compare *c, struct argp_state *state, const char *prefix,
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
	struct pd_compare *c = state->input;

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
static bool comparable(const struct pd_compare *c, const struct scenario *sc, unsigned int arch)
{
	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_op *op = pd_op_by_kind(sc->rec[i].kind);

		if (op && (!has(c->side[0], op, arch) || !has(c->side[1], op, arch)))
			return false;
	}
	return true;
}

void pd_compare_one(struct pd_compare *c, const struct scenario *sc, struct pd_changes *of)
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

bool pd_compare_load(struct pd_compare *c, uint64_t number)
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

static void count(struct pd_compare *c)
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
	struct pd_compare *c = arg;

	for (; c->at < c->to; c->at++) {
		if (!pd_compare_load(c, c->at))
			continue;
		pd_compare_one(c, &c->sc, &c->of);
		if (pd_sandbox_retired())
			return;
		count(c);
	}
}

/* What crashed is compared again with a child for each of the two. */
static void compare_all(struct pd_compare *c)
{
	for (;;) {
		pd_sandbox_start(c->sandbox, compare_many, c);
		if (pd_sandbox_wait(c->sandbox) == PD_ENDED_WELL)
			return;
		for (unsigned int i = 0; i < 2; i++)
			pd_judge_renew(c->side[i]->j);
		if (pd_compare_load(c, c->at))
			pd_compare_one(c, &c->sc, &c->of);
		count(c);
		c->at++;
	}
}

/* ---- what there is to compare ---- */

/* Can both do @op on some arch? Otherwise says what is missing. */
static bool both_have(struct pd_compare *c, const struct pd_op *op)
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

static void compare_ops(struct pd_compare *c)
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

static int run(struct pd_compare *c)
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
	return c->steps ? pd_compare_conclude(c) : PD_EXIT_UNTESTABLE;
}

int pd_cmd_compare(int argc, char **argv)
{
	struct pd_compare *c = pd_shared(sizeof(*c));
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
