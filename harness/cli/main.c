/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff: one program, one file a subcommand.
 */
#include "harness/cli/cli.h"

#include <stdlib.h>
#include <string.h>

#ifndef PD_VERSION
#define PD_VERSION "unreleased"
#endif
#ifndef PD_PRESET
#define PD_PRESET "none"
#endif
#ifndef PD_COMMIT
#define PD_COMMIT "unknown"
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#ifdef __clang__
#define COMPILER "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." \
		 TEXT(__clang_patchlevel__)
#else
#define COMPILER "gcc " __VERSION__
#endif

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
};

static const struct command commands[] = {
	{ "random", pd_cmd_random, "generate scenarios from a seed and judge them" },
	{ "run", pd_cmd_run, "judge scenario files" },
	{ "show", pd_cmd_show, "a scenario as text and as a picture of its page tables" },
	{ "compare", pd_cmd_compare, "the same scenarios on two kernel trees or implementations" },
	{ "min", pd_cmd_min, "the smallest scenario that shows the same divergence" },
	{ "add", pd_cmd_add, "minimize crash files and keep them as regression tests" },
	{ "bucket", pd_cmd_bucket, "the distinct divergences in a folder of crash files" },
	{ "report", pd_cmd_report, "a page with pictures of a divergence" },
	{ "export", pd_cmd_export, "a scenario as a C test or a program for a real kernel" },
	{ "convert", pd_cmd_convert, "between text and the bytes that engines mutate" },
	{ "ops", pd_cmd_ops, "operations, implementations, contracts, kinds of records" },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_version(FILE *out, struct argp_state *state)
{
	(void)state;
	fprintf(out, "ptediff %s\nformat: scenario v1\ncompiler: %s\npreset: %s\ncommit: %s\n",
		PD_VERSION, COMPILER, PD_PRESET, PD_COMMIT);
}

static char *list_commands(int key, const char *text, void *input)
{
	char *list = NULL;
	size_t size;
	FILE *out;

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	out = open_memstream(&list, &size);
	if (!out)
		return (char *)text;
	fputs("Commands:\n", out);
	for (size_t i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].what);
	fputs(text, out);
	fclose(out);
	return list;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/* The subcommand's own argp sees the rest, under a name that its messages can use. */
static int run_command(const struct command *command, int argc, char **argv)
{
	char name[64];

	snprintf(name, sizeof(name), "ptediff %s", command->name);
	argv[0] = name;
	return command->run(argc, argv);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	int *at = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (!find_command(arg))
			argp_error(state, "no command '%s'", arg);
		*at = state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_usage(state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.parser = parse_option,
	.args_doc = "COMMAND [OPTION...]",
	.doc = "Differential fuzzing for Linux PTE batching: implementations of a page-table "
	       "operation are held against a one-entry-at-a-time reference.\v"
	       "\n'ptediff COMMAND --help' explains a command. Examples:\n"
	       "  ptediff random --op mremap --runs 1000000 --seed 1\n"
	       "  ptediff run corpus/regress\n"
	       "  ptediff ops --contract mremap\n"
	       "\nExit codes: 0 clean, 1 findings, 2 usage or infrastructure, "
	       "125 not testable here.",
	.help_filter = list_commands,
};

int main(int argc, char **argv)
{
	int at = 0;

	argp_err_exit_status = PD_EXIT_TROUBLE;
	argp_program_version_hook = print_version;
	if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &at))
		return PD_EXIT_TROUBLE;
	pd_catch_crashes();
	return run_command(find_command(argv[at]), argc - at, argv + at);
}
