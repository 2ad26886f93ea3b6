/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff min: from a crash to the smallest scenario that still shows it.
 */
#include "harness/cli/min/pin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_BUDGET	5u
#define MAX_BUDGET	86400u

enum {
	KEY_FIELD = 256,
	KEY_ANY,
	KEY_SIGNATURE,
	KEY_PREDICATE,
	KEY_FINDS,
	KEY_STRICT,
};

struct options {
	struct pd_common on;
	const char *out, *signature, *predicate, *finds;
	enum pd_pin_by by;
	unsigned int budget;
	bool quiet, strict;
};

struct min {
	struct options opt;
	struct pd_input in;
	struct pd_pin pin;
	struct scenario sc;
};

static const struct argp_option argp_options[] = {
	{ "output", 'o', "FILE", 0, "Write the result there instead of standard output", 0 },
	{ "signature", KEY_SIGNATURE, "SIGNATURE", 0, "The divergence to keep, when the file shows "
	  "several; default: that of its line 'expect', else the first", 0 },
	{ "field", KEY_FIELD, NULL, 0, "Keep operation and field only: the implementation and "
	  "the way in which the field differs may change", 0 },
	{ "any", KEY_ANY, NULL, 0, "Keep any divergence at all", 0 },
	{ "predicate", KEY_PREDICATE, "COMMAND", 0, "Keep what COMMAND says: it is run by sh with "
	  "the path of a candidate (text) as last argument; exit code 0: interesting", 0 },
	{ "budget", 'b', "SECONDS", 0, "Stop after that time with the best so far (default 5); "
	  "0: no limit", 0 },
	{ "finds", KEY_FINDS, "FOLDER", 0, "Where other signatures met on the way are saved "
	  "(default ./findings)", 0 },
	{ "strict", KEY_STRICT, NULL, 0, "No named relaxations", 0 },
	{ "quiet", 'q', NULL, 0, "Only the result and errors", 0 },
	{ 0 },
};

static void parse_pin(struct options *opt, struct argp_state *state, enum pd_pin_by by)
{
	if (opt->by != PD_PIN_SIGNATURE)
		argp_error(state, "--field, --any and --predicate exclude each other");
	opt->by = by;
}

static bool parse_switch(struct options *opt, int key, struct argp_state *state)
{
	switch (key) {
	case KEY_FIELD:
		parse_pin(opt, state, PD_PIN_FIELD);
		return true;
	case KEY_ANY:
		parse_pin(opt, state, PD_PIN_ANY);
		return true;
	case KEY_STRICT:
		return opt->strict = true;
	case 'q':
		return opt->quiet = true;
	default:
		return false;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *opt = state->input;

	switch (key) {
	case 'o':
		opt->out = arg;
		return 0;
	case 'b':
		opt->budget = (unsigned int)pd_option_number(state, "--budget", arg, MAX_BUDGET);
		return 0;
	case KEY_SIGNATURE:
		opt->signature = arg;
		return 0;
	case KEY_PREDICATE:
		parse_pin(opt, state, PD_PIN_PREDICATE);
		opt->predicate = arg;
		return 0;
	case KEY_FINDS:
		opt->finds = arg;
		return 0;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &opt->on;
		return 0;
	default:
		return parse_switch(opt, key, state) ? 0 : ARGP_ERR_UNKNOWN;
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
	.doc = "The smallest scenario that shows the divergence of FILE, bytes or text."
	       "\v"
	       "The file is run twice first; when the two runs differ, nothing is done. Then "
	       "records are removed and fields made smaller as long as the same signature, that is "
	       "operation/implementation/field/relation, is still the first to show. The result is "
	       "a fixed point: no single removal or reduction is left that keeps it. Ctrl-C ends "
	       "the search early and keeps the best so far.\n"
	       "Examples:\n"
	       "  ptediff min crash-1a2b --impl tree:mine -o smallest.pte\n"
	       "  ptediff min finding.pte --budget 60\n"
	       "  ptediff min finding.pte --field\n"
	       "  ptediff min finding.pte --predicate './check.sh --deep'\n"
	       "Exit codes: 0 the result is written, 2 not reproducible or usage, 125 the file "
	       "shows nothing here, 130 interrupted (the best so far is written).",
};

static void say(const struct min *m, const char *text)
{
	if (!m->opt.quiet)
		fprintf(stderr, "%s", text);
}

/* The unshrunk case goes out first: whatever happens next, it is on the screen. */
static void say_start(const struct min *m)
{
	if (m->opt.quiet)
		return;
	if (m->pin.by == PD_PIN_PREDICATE)
		fprintf(stderr, "%s: interesting, %u records:\n", m->opt.on.file, m->sc.nr);
	else
		fprintf(stderr, "%s: %s on %s, step %u, %u records:\n", m->opt.on.file,
			m->pin.signature, pd_arch_name(m->pin.arch), m->pin.step, m->sc.nr);
	pd_print(stderr, &m->sc, NULL, NULL);
	fputc('\n', stderr);
}

static void say_end(const struct min *m, const struct pd_minimize *how)
{
	const char *why = how->done ? "" : pd_minimize_interrupted() ? ", interrupted" :
			  ", out of time: see --budget";

	if (!m->opt.quiet)
		fprintf(stderr, "%u records, %u before, %" PRIu64 " runs, %.3f s%s\n", how->after,
			how->before, how->runs, how->seconds, why);
}

static void save_find(const struct min *m, const struct pd_find *find)
{
	char name[PD_MAX_SIGNATURE], *path = NULL;

	pd_signature_file(find->signature, name, sizeof(name));
	if (asprintf(&path, "%s/%s.pte", m->opt.finds, name) < 0)
		return;
	if (access(path, F_OK)) {
		if (pd_save(path, &find->sc, find->signature, find->entry->name) && !m->opt.quiet)
			fprintf(stderr, "met on the way, saved: %s\n", path);
	} else if (!m->opt.quiet) {
		fprintf(stderr, "met on the way, known: %s\n", find->signature);
	}
	free(path);
}

static bool save(const struct min *m)
{
	const char *impl = *m->in.parse.impl ? m->in.parse.impl : NULL;
	const char *expect = NULL;

	if (m->pin.by != PD_PIN_PREDICATE) {
		expect = m->pin.signature;
		impl = m->pin.entry->name;
	}
	if (m->opt.out && pd_save(m->opt.out, &m->sc, expect, impl))
		return true;
	pd_print(stdout, &m->sc, expect, impl);	/* what was found is not lost for a bad name */
	return !fflush(stdout) && !m->opt.out;
}

static int search(struct min *m)
{
	struct pd_minimize how = {
		.budget = m->opt.budget, .progress = !m->opt.quiet && isatty(STDERR_FILENO),
	};

	say_start(m);
	pd_minimize_catch();
	pd_minimize(&how, &m->pin, &m->sc);
	say_end(m, &how);
	if (m->pin.nr_finds && pd_make_folder(m->opt.finds))
		for (unsigned int i = 0; i < m->pin.nr_finds; i++)
			save_find(m, &m->pin.find[i]);
	if (!save(m))
		return PD_EXIT_TROUBLE;
	return pd_minimize_interrupted() ? PD_EXIT_INTERRUPTED : PD_EXIT_CLEAN;
}

/* The signature to keep: asked for, or expected by the file when it is what the file shows. */
static enum pd_pinned start(struct min *m)
{
	const char *expect = m->in.parse.expect;
	enum pd_pinned pinned;

	if (m->opt.signature || !*expect || m->opt.by == PD_PIN_PREDICATE)
		return pd_pin_start(&m->pin, &m->sc, m->opt.signature);
	pinned = pd_pin_start(&m->pin, &m->sc, expect);
	if (pinned != PD_PINNED_NOT_SHOWN)
		return pinned;
	pinned = pd_pin_start(&m->pin, &m->sc, NULL);
	if (pinned == PD_PINNED)
		say(m, "the expected signature does not show: keeping what does\n");
	return pinned;
}

static int not_shown(struct min *m)
{
	if (m->opt.by != PD_PIN_PREDICATE) {
		pd_pin_not_shown(&m->pin, m->opt.on.file, &m->sc, m->opt.signature,
				 !m->opt.on.impl);
		return PD_EXIT_UNTESTABLE;
	}
	if (m->pin.status == 126 || m->pin.status == 127) {
		fprintf(stderr, "ptediff: '%s' cannot be run\n", m->opt.predicate);
		return PD_EXIT_TROUBLE;
	}
	fprintf(stderr, "%s: not interesting as it is: '%s' exits with %d, expected 0\n",
		m->opt.on.file, m->opt.predicate, m->pin.status);
	return PD_EXIT_UNTESTABLE;
}

static int minimize(struct min *m)
{
	char error[256];

	if (!pd_input_load(&m->in, m->opt.on.file, false))
		return PD_EXIT_TROUBLE;
	if (!pd_select_signature(&m->pin.sel, &m->in, m->opt.on.impl, m->opt.on.arch,
				 m->opt.signature, error, sizeof(error))) {
		fprintf(stderr, "ptediff: %s\n", error);
		return m->opt.on.impl || m->opt.on.arch || m->opt.signature ? PD_EXIT_TROUBLE :
									PD_EXIT_UNTESTABLE;
	}
	m->sc = m->in.sc;
	switch (start(m)) {
	case PD_PINNED_NOT_SHOWN:
		return not_shown(m);
	case PD_PINNED_FLAKY:
		fprintf(stderr, "%s: not reproducible: two runs differ\n", m->opt.on.file);
		return PD_EXIT_TROUBLE;
	default:
		return search(m);
	}
}

/* A predicate is given the path of a file of its own. */
static char *candidate_path(void)
{
	const char *folder = getenv("TMPDIR");
	char *path = NULL;
	int fd;

	if (asprintf(&path, "%s/ptediff-XXXXXX.pte", folder && *folder ? folder : "/tmp") < 0)
		return NULL;
	fd = mkstemps(path, 4);
	if (fd < 0) {
		perror(path);
		free(path);
		return NULL;
	}
	close(fd);
	return path;
}

static int run(struct min *m)
{
	char *path = NULL;
	int code = PD_EXIT_TROUBLE;

	m->pin.by = m->opt.by;
	m->pin.predicate = m->opt.predicate;
	m->pin.find = pd_alloc(PD_MAX_FINDS, sizeof(*m->pin.find));
	m->pin.j = pd_judge_open();
	if (m->opt.predicate)
		m->pin.path = path = candidate_path();
	if (m->pin.j && (path || !m->opt.predicate)) {
		m->pin.j->strict = m->opt.strict;
		code = minimize(m);
	}
	if (path)
		unlink(path);
	free(path);
	pd_judge_close(m->pin.j);
	free(m->pin.find);
	return code;
}

int pd_cmd_min(int argc, char **argv)
{
	struct min *m = pd_alloc(1, sizeof(*m));
	int code = PD_EXIT_TROUBLE;

	m->opt.budget = DEFAULT_BUDGET;
	m->opt.finds = "findings";
	if (!argp_parse(&argp, argc, argv, 0, NULL, &m->opt))
		code = run(m);
	free(m);
	return code;
}
