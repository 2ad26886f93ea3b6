/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff report: a divergence as a page with pictures.
 */
#include "harness/cli/html/html.h"
#include "harness/cli/min/pin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEY_SIGNATURE = 256,
	KEY_STRICT,
};

struct options {
	struct pd_common on;
	const char *out, *signature;
	bool strict;
};

struct report {
	struct options opt;
	struct pd_input in;
	struct pd_pin pin;
};

static const struct argp_option argp_options[] = {
	{ "output", 'o', "FILE", 0, "Write the page there instead of standard output", 0 },
	{ "signature", KEY_SIGNATURE, "SIGNATURE", 0, "The divergence to show, when there are "
	  "several; default: that of the line 'expect', else the first", 0 },
	{ "strict", KEY_STRICT, NULL, 0, "No named relaxations", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *opt = state->input;

	switch (key) {
	case 'o':
		opt->out = arg;
		return 0;
	case KEY_SIGNATURE:
		opt->signature = arg;
		return 0;
	case KEY_STRICT:
		opt->strict = true;
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
	{ .argp = &pd_file_argp },
	{ 0 },
};

static const struct argp argp = {
	.options = argp_options,
	.parser = parse_option,
	.children = children,
	.args_doc = "FILE",
	.doc = "One static HTML page about the divergence of FILE, bytes or text: no script, "
	       "nothing loaded from elsewhere, light or dark as the reader has it, fit for print."
	       "\v"
	       "It shows the rule that was broken and its reason, the page tables before, as "
	       "expected and as left behind, what differs framed, and on a time line the locks, "
	       "accesses, flushes and hardware accesses of the step. 'ptediff min' first makes "
	       "small pictures.\n"
	       "Examples:\n"
	       "  ptediff report min.pte -o report.html\n"
	       "  ptediff report crash-1a2b --impl tree:mine -o report.html\n"
	       "Exit codes: 0 the page is written, 2 trouble, 125 the file shows nothing here.",
};

static int write_page(const struct report *r)
{
	FILE *out = r->opt.out ? fopen(r->opt.out, "w") : stdout;
	bool good = out != NULL;

	if (good) {
		good = pd_html_write(out, r->pin.j, &r->in.sc, r->opt.on.file);
		good = !(out == stdout ? fflush(out) : fclose(out)) && good;
	}
	if (!good)
		fprintf(stderr, "ptediff: %s: cannot be written: %s\n",
			r->opt.out ? r->opt.out : "<stdout>", strerror(errno));
	return good ? PD_EXIT_CLEAN : PD_EXIT_TROUBLE;
}

static int report(struct report *r)
{
	const char *expect = *r->in.parse.expect ? r->in.parse.expect : NULL;
	enum pd_pinned pinned;
	char error[256];

	if (!pd_select_signature(&r->pin.sel, &r->in, r->opt.on.impl, r->opt.on.arch,
				 r->opt.signature, error, sizeof(error))) {
		fprintf(stderr, "ptediff: %s\n", error);
		return r->opt.on.impl || r->opt.on.arch || r->opt.signature ? PD_EXIT_TROUBLE :
									PD_EXIT_UNTESTABLE;
	}
	pinned = pd_pin_start(&r->pin, &r->in.sc, r->opt.signature ? r->opt.signature : expect);
	if (pinned == PD_PINNED_NOT_SHOWN && !r->opt.signature && expect)
		pinned = pd_pin_start(&r->pin, &r->in.sc, NULL);
	if (pinned == PD_PINNED_NOT_SHOWN) {
		pd_pin_not_shown(&r->pin, r->opt.on.file, &r->in.sc, r->opt.signature,
				 !r->opt.on.impl);
		return PD_EXIT_UNTESTABLE;
	}
	r->pin.j->trace = true;
	if (pinned == PD_PINNED_FLAKY || !pd_pin_shows(&r->pin, &r->in.sc)) {
		fprintf(stderr, "%s: not reproducible: two runs differ\n", r->opt.on.file);
		return PD_EXIT_TROUBLE;
	}
	return write_page(r);
}

int pd_cmd_report(int argc, char **argv)
{
	struct report *r = pd_alloc(1, sizeof(*r));
	int code = PD_EXIT_TROUBLE;

	if (!argp_parse(&argp, argc, argv, 0, NULL, &r->opt) &&
	    pd_input_load(&r->in, r->opt.on.file, false)) {
		r->pin.j = pd_judge_open();
		if (r->pin.j) {
			r->pin.j->strict = r->opt.strict;
			code = report(r);
		}
	}
	pd_judge_close(r->pin.j);
	free(r);
	return code;
}
