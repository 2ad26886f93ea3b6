/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff add: a crash becomes a regression test.
 */
#include "harness/cli/min/pin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_BUDGET	5u
#define MAX_BUDGET	86400u

enum {
	KEY_FIXED = 256,
};

struct options {
	struct pd_common on;
	const char *out;
	unsigned int budget;
	bool fixed;
};

struct add {
	struct options opt;
	struct pd_input in;
	struct pd_pin pin;
};

static const struct argp_option argp_options[] = {
	{ "to", 't', "FOLDER", 0, "The folder of regressions (default ./corpus/regress)", 0 },
	{ "budget", 'b', "SECONDS", 0, "For each file, as in 'ptediff min' (default 5)", 0 },
	{ "fixed", KEY_FIXED, NULL, 0, "Write no line 'expect': the file is to be clean, as it "
	  "is once the bug is fixed", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *opt = state->input;

	switch (key) {
	case 't':
		opt->out = arg;
		return 0;
	case 'b':
		opt->budget = (unsigned int)pd_option_number(state, "--budget", arg, MAX_BUDGET);
		return 0;
	case KEY_FIXED:
		opt->fixed = true;
		return 0;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &opt->on;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{ .argp = &pd_impl_argp },
	{ .argp = &pd_files_argp },
	{ 0 },
};

static const struct argp argp = {
	.options = argp_options,
	.parser = parse_option,
	.children = children,
	.args_doc = "FILE|FOLDER...",
	.doc = "Make crash files, bytes or text, into regression tests."
	       "\v"
	       "Each file is minimized, named by its signature and put into the folder of "
	       "regressions, with a line 'expect SIGNATURE' that 'ptediff run' checks. What is "
	       "there already stays; the same scenario is not added twice.\n"
	       "Examples:\n"
	       "  ptediff add crash-1a2b --impl batched_posted_v3\n"
	       "  ptediff add findings --to mine/regress\n"
	       "  ptediff add crash-1a2b --fixed\n"
	       "Exit codes: 0 every file is added or there already, 2 trouble, 125 a file shows "
	       "nothing here.",
};

static bool same(const struct scenario *a, const struct scenario *b)
{
	for (unsigned int i = 0; i < a->nr && a->nr == b->nr; i++)
		if (a->rec[i].kind != b->rec[i].kind ||
		    memcmp(a->rec[i].h, b->rec[i].h, sizeof(a->rec[i].h)))
			return false;
	return a->nr == b->nr;
}

/* Does @path hold just this scenario? */
static bool holds(const char *path, const struct scenario *sc)
{
	struct pd_input *other = pd_alloc(1, sizeof(*other));
	bool good = pd_input_load(other, path, false) && same(&other->sc, sc);

	free(other);
	return good;
}

/* FOLDER/signature.pte, or signature-2.pte and so on where that is another scenario. */
static bool put(const struct add *a)
{
	const char *signature = a->pin.signature, *impl = a->pin.entry->name;
	char name[PD_MAX_SIGNATURE], number[16] = "", *path = NULL;
	bool good = false;

	pd_signature_file(signature, name, sizeof(name));
	for (unsigned int i = 2;; i++) {
		if (asprintf(&path, "%s/%s%s.pte", a->opt.out, name, number) < 0)
			return false;
		if (access(path, F_OK)) {
			good = pd_save(path, &a->in.sc, a->opt.fixed ? NULL : signature, impl);
			if (good)
				printf("added  %s\n", path);
			break;
		}
		if (holds(path, &a->in.sc)) {
			printf("known  %s\n", path);
			good = true;
			break;
		}
		snprintf(number, sizeof(number), "-%u", i);
		free(path);
	}
	free(path);
	return good;
}

static int add_pinned(struct add *a, const char *file)
{
	struct pd_minimize how = { .budget = a->opt.budget };

	pd_minimize(&how, &a->pin, &a->in.sc);
	printf("%s: %s, %u records, %u before, %" PRIu64 " runs, %.2f s%s\n", file,
	       a->pin.signature, how.after, how.before, how.runs, how.seconds,
	       how.done ? "" : ", not at its end: see --budget");
	if (!pd_make_folder(a->opt.out) || !put(a))
		return PD_EXIT_TROUBLE;
	return pd_minimize_interrupted() ? PD_EXIT_INTERRUPTED : PD_EXIT_CLEAN;
}

static int add(struct add *a, const char *file)
{
	const char *expect = a->in.parse.expect;
	char error[256];

	if (!pd_input_load(&a->in, file, false))
		return PD_EXIT_TROUBLE;
	if (!pd_select_for(&a->pin.sel, &a->in, a->opt.on.impl, a->opt.on.arch, error,
			   sizeof(error))) {
		fprintf(stderr, "%s: %s\n", file, error);
		return PD_EXIT_UNTESTABLE;
	}
	switch (pd_pin_start(&a->pin, &a->in.sc, *expect ? expect : NULL)) {
	case PD_PINNED:
		return add_pinned(a, file);
	case PD_PINNED_FLAKY:
		fprintf(stderr, "%s: not reproducible: two runs differ\n", file);
		return PD_EXIT_TROUBLE;
	default:
		pd_pin_not_shown(&a->pin, file, &a->in.sc, *expect ? expect : NULL,
				 !a->opt.on.impl);
		return PD_EXIT_UNTESTABLE;
	}
}

/* The worst of all files: trouble, then what cannot be tested here. */
static int worse(int a, int b)
{
	static const int order[] = {
		PD_EXIT_INTERRUPTED, PD_EXIT_TROUBLE, PD_EXIT_UNTESTABLE, PD_EXIT_CLEAN,
	};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return PD_EXIT_TROUBLE;
}

int pd_cmd_add(int argc, char **argv)
{
	struct add *a = pd_alloc(1, sizeof(*a));
	int code = PD_EXIT_TROUBLE;

	a->opt.budget = DEFAULT_BUDGET;
	a->opt.out = "corpus/regress";
	if (!argp_parse(&argp, argc, argv, 0, NULL, &a->opt) &&
	    pd_option_select(&a->pin.sel, NULL, a->opt.on.impl, a->opt.on.arch)) {
		a->pin.j = pd_judge_open();
		code = a->pin.j ? PD_EXIT_CLEAN : PD_EXIT_TROUBLE;
		pd_minimize_catch();
	}
	for (size_t i = 0; a->pin.j && i < a->opt.on.files.nr && !pd_minimize_interrupted(); i++)
		code = worse(code, add(a, a->opt.on.files.name[i]));
	pd_judge_close(a->pin.j);
	pd_files_free(&a->opt.on.files);
	free(a);
	return code;
}
