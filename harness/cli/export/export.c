/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff export: a scenario as a program.
 */
#include "harness/cli/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum form {
	FORM_NONE,
	FORM_C,
	FORM_KSELFTEST,
};

enum {
	KEY_C = 256,
	KEY_KSELFTEST,
};

struct options {
	struct pd_common on;
	const char *out;
	enum form form;
};

static const struct argp_option argp_options[] = {
	{ "c", KEY_C, NULL, 0, "A test that links with the libraries of this project and fails as "
	  "long as the divergence shows", 0 },
	{ "kselftest", KEY_KSELFTEST, NULL, 0, "A stand-alone program that sets the layout up with "
	  "system calls on the running kernel, for a mailing list", 0 },
	{ "impl", 'i', "NAME,...", 0, "--c: implementations to judge, instead of those that the "
	  "file names", 0 },
	{ "output", 'o', "FILE", 0, "Write the program there instead of standard output", 0 },
	{ 0 },
};

static void parse_form(struct options *opt, struct argp_state *state, enum form form)
{
	if (opt->form && opt->form != form)
		argp_error(state, "--c and --kselftest exclude each other");
	opt->form = form;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *opt = state->input;

	switch (key) {
	case KEY_C:
		parse_form(opt, state, FORM_C);
		return 0;
	case KEY_KSELFTEST:
		parse_form(opt, state, FORM_KSELFTEST);
		return 0;
	case 'i':
		opt->on.impl = arg;
		return 0;
	case 'o':
		opt->out = arg;
		return 0;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &opt->on;
		return 0;
	case ARGP_KEY_END:
		if (!opt->form)
			argp_error(state, "--c or --kselftest");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &pd_file_argp }, { 0 } };

static const struct argp argp = {
	.options = argp_options,
	.parser = parse_option,
	.children = children,
	.args_doc = "FILE",
	.doc = "Write the scenario of FILE, bytes or text, as a C program."
	       "\v"
	       "The program of --kselftest makes folios, pages and holes with mmap, madvise and so "
	       "on, runs the system call and compares what user space can see. What cannot be "
	       "made that way is named line by line, in the program and when it runs; where the "
	       "running kernel cannot show the effect it says so and is skipped (exit code 4).\n"
	       "Examples:\n"
	       "  ptediff export --c min.pte -o min.c\n"
	       "  ptediff export --kselftest min.pte -o test.c && cc -o test test.c && ./test\n",
};

/* A line that is not understood may be what the program is about. */
static bool load(const struct options *opt, struct pd_input *in)
{
	if (!pd_input_load(in, opt->on.file, false))
		return false;
	if (in->parse.skipped)
		fprintf(stderr, "%s:%u:%u: %s\n", opt->on.file, in->parse.line, in->parse.column,
			in->parse.error);
	return !in->parse.skipped;
}

static bool write_program(const struct options *opt, const struct pd_input *in)
{
	struct scenario *fixed = pd_alloc(1, sizeof(*fixed));
	struct pd_export e = {
		.out = opt->out ? fopen(opt->out, "w") : stdout,
		.sc = fixed, .file = opt->on.file, .signature = in->parse.expect,
		.impl = opt->on.impl ? opt->on.impl : in->parse.impl,
	};
	bool good = e.out != NULL;

	pd_repair_scenario(&in->sc, fixed, NULL);
	if (good) {
		if (opt->form == FORM_C)
			pd_export_c(&e);
		else
			pd_export_kselftest(&e);
		good = !ferror(e.out);
		good = !(e.out == stdout ? fflush(e.out) : fclose(e.out)) && good;
	}
	if (!good)
		fprintf(stderr, "ptediff: %s: cannot be written: %s\n",
			opt->out ? opt->out : "<stdout>", strerror(errno));
	free(fixed);
	return good;
}

int pd_cmd_export(int argc, char **argv)
{
	struct options opt = { 0 };
	struct pd_input *in = pd_alloc(1, sizeof(*in));
	bool good = !argp_parse(&argp, argc, argv, 0, NULL, &opt) &&
		    load(&opt, in) && write_program(&opt, in);

	free(in);
	return good ? PD_EXIT_CLEAN : PD_EXIT_TROUBLE;
}
