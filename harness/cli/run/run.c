/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff run: judge scenario files.
 */
#include "harness/cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/run/run.h"

enum {
	KEY_STRICT = 256,
	KEY_LENIENT,
	KEY_MAIL,
	KEY_TRACE,
	KEY_JUNIT,
	KEY_DIGEST,
	KEY_COVERAGE,
};

static const struct argp_option argp_options[] = {
	{ "strict", KEY_STRICT, NULL, 0, "No named relaxations, and a scenario that needs a "
	  "repair is an error", 0 },
	{ "lenient", KEY_LENIENT, NULL, 0, "Skip lines that are not understood", 0 },
	{ "mail", KEY_MAIL, NULL, 0, "Reports of at most 72 columns, to paste into a mail", 0 },
	{ "trace", KEY_TRACE, NULL, 0, "Every access, lock and flush up to the step that "
	  "diverges", 0 },
	{ "junit", KEY_JUNIT, "FILE", 0, "Write the results as JUnit XML", 0 },
	{ "coverage", KEY_COVERAGE, "FILE", 0, "Write which combinations of entries, places and "
	  "arguments were judged how often (not of kernel trees, which run in a child)", 0 },
	{ "digest", KEY_DIGEST, NULL, 0, "Print a digest over states, events and verdicts of each "
	  "file", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct pd_run_options *opt = state->input;

	switch (key) {
	case KEY_STRICT:
		opt->strict = true;
		return 0;
	case KEY_LENIENT:
		opt->lenient = true;
		return 0;
	case KEY_MAIL:
		opt->mail = true;
		return 0;
	case KEY_TRACE:
		opt->trace = true;
		return 0;
	case KEY_JUNIT:
		opt->junit = arg;
		return 0;
	case KEY_COVERAGE:
		opt->coverage = arg;
		return 0;
	case KEY_DIGEST:
		opt->digest = true;
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
	.doc = "Judge scenario files, bytes or text; a folder stands for all files below it."
	       "\v"
	       "A file with a line 'expect SIGNATURE' has to show that divergence, every other "
	       "file has to be clean. A line 'impl NAME' says which implementation it is about. "
	       "Examples:\n"
	       "  ptediff run corpus/regress\n"
	       "  ptediff run finding.pte --trace\n"
	       "  ptediff run finding.pte --impl mine --arch arm64\n"
	       "  ptediff run finding.pte --mail\n"
	       "  ptediff run corpus --junit results.xml\n",
};

static void print_result(const struct pd_run *run, const struct pd_result *result)
{
	if (run->opt->digest)
		printf("%016" PRIx64 "  ", result->digest);
	printf("%-14s %s%s%s\n", result->verdict, result->file, *result->detail ? "  " : "",
	       result->detail);
	if (result->report && *result->report)
		printf("\n%s\n", result->report);
	fflush(stdout);
}

static int summarize(const struct pd_result *result, size_t nr)
{
	size_t count[PD_NR_RESULT_KINDS] = { 0 };

	for (size_t i = 0; i < nr; i++)
		count[result[i].kind]++;
	printf("files: %zu, matched: %zu, unexpected: %zu, skipped: %zu, unreadable: %zu\n", nr,
	       count[PD_RESULT_CLEAN] + count[PD_RESULT_MATCHED], count[PD_RESULT_UNEXPECTED],
	       count[PD_RESULT_SKIPPED], count[PD_RESULT_UNREADABLE]);
	if (count[PD_RESULT_UNEXPECTED])
		return PD_EXIT_FINDINGS;
	if (count[PD_RESULT_UNREADABLE])
		return PD_EXIT_TROUBLE;
	if (count[PD_RESULT_SKIPPED] == nr)
		return PD_EXIT_UNTESTABLE;
	return PD_EXIT_CLEAN;
}

static int run_files(struct pd_run *run, struct pd_result *result)
{
	const struct pd_files *files = &run->opt->on.files;
	int code;

	for (size_t i = 0; i < files->nr; i++) {
		result[i].file = files->name[i];
		pd_run_file(run, &result[i]);
		print_result(run, &result[i]);
	}
	code = summarize(result, files->nr);
	if (run->opt->junit && !pd_junit_write(run->opt->junit, result, files->nr))
		code = PD_EXIT_TROUBLE;
	if (run->opt->coverage && !pd_coverage_write(run->opt->coverage, run->coverage))
		code = PD_EXIT_TROUBLE;
	for (size_t i = 0; i < files->nr; i++)
		free(result[i].report);
	return code;
}

int pd_cmd_run(int argc, char **argv)
{
	struct pd_run_options opt = { 0 };
	struct pd_run *run = calloc(1, sizeof(*run));
	struct pd_result *result = NULL;
	int code = PD_EXIT_TROUBLE;

	if (run && !argp_parse(&argp, argc, argv, 0, NULL, &opt) &&
	    pd_option_select(&run->sel, NULL, opt.on.impl, opt.on.arch)) {
		run->opt = &opt;
		if (opt.on.impl && !pd_option_supported(&run->sel))
			code = PD_EXIT_UNTESTABLE;
		else
			run->j = pd_judge_open();
		run->reports = opt.on.files.nr == 1 || opt.mail;
		result = calloc(opt.on.files.nr, sizeof(*result));
	}
	if (result && run->j) {
		run->j->strict = opt.strict;
		run->coverage = opt.coverage ? pd_cover() : NULL;
		code = run_files(run, result);
	}
	if (run) {
		pd_coverage_free(run->coverage);
		pd_judge_close(run->j);
	}
	pd_files_free(&opt.on.files);
	free(result);
	free(run);
	return code;
}
