/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff random: generate scenarios from a seed and judge them; no engine.
 */
#include "harness/cli/random/random.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/scenario/histogram.h"

#define DEFAULT_RUNS	1000000u
#define MAX_JOBS	1024u

enum {
	KEY_PRINT = 256,
	KEY_STATS,
	KEY_DIGEST,
	KEY_REVERSE,
	KEY_STRICT,
	KEY_COVERAGE,
	KEY_HISTOGRAM,
};

static const struct argp_option argp_options[] = {
	{ "op", 'p', "OP", 0, "The operation; a mix of all when it is `all' or not given", 0 },
	{ "impl", 'i', "NAME,...", 0, "Implementations; all that are not known wrong when not "
	  "given", 0 },
	{ "arch", 'a', "ARCH", 0, "x86 or arm64; both when not given", 0 },
	{ "runs", 'n', "N", 0, "Scenarios (default 1000000); 0: until interrupted", 0 },
	{ "seed", 's', "N", 0, "Seed (default 1)", 0 },
	{ "jobs", 'j', "N", 0, "Threads (default 1); 0: one for each CPU. The result does not "
	  "depend on it", 0 },
	{ "keep-going", 'k', NULL, 0, "Go on after a divergence; count each signature", 0 },
	{ "out", 'o', "FOLDER", 0, "Where reproducers are saved (default ./findings)", 0 },
	{ "stats", KEY_STATS, "FORM", 0, "text (default), json or none", 0 },
	{ "print", KEY_PRINT, "N", 0, "Print the first N scenarios instead of judging", 0 },
	{ "histogram", KEY_HISTOGRAM, "N", 0, "Count what the first N scenarios contain instead of "
	  "judging: layouts, borders, mixed bits", 0 },
	{ "digest", KEY_DIGEST, NULL, 0, "Print a digest over states, events and verdicts", 0 },
	{ "reverse", KEY_REVERSE, NULL, 0, "The same scenarios, last one first", 0 },
	{ "coverage", KEY_COVERAGE, "FILE", 0, "Write which combinations of entries, places and "
	  "arguments were judged how often (not of kernel trees, which run in a child)", 0 },
	{ "strict", KEY_STRICT, NULL, 0, "No named relaxations", 0 },
	{ 0 },
};

static enum pd_stats parse_stats(struct argp_state *state, const char *arg)
{
	if (!strcmp(arg, "json"))
		return PD_STATS_JSON;
	if (!strcmp(arg, "none"))
		return PD_STATS_NONE;
	if (strcmp(arg, "text"))
		argp_error(state, "--stats: expected text, json or none, got '%s'", arg);
	return PD_STATS_TEXT;
}

static unsigned int parse_jobs(struct argp_state *state, const char *arg)
{
	uint64_t jobs = pd_option_number(state, "--jobs", arg, MAX_JOBS);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (jobs)
		return (unsigned int)jobs;
	return cpus > 0 ? (unsigned int)cpus : 1;
}

static bool parse_switch(struct pd_random_options *opt, int key)
{
	switch (key) {
	case 'k':
		return opt->keep_going = true;
	case KEY_DIGEST:
		return opt->digest = true;
	case KEY_REVERSE:
		return opt->reverse = true;
	case KEY_STRICT:
		return opt->strict = true;
	default:
		return false;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct pd_random_options *opt = state->input;

	switch (key) {
	case 'p':
		opt->op_name = strcmp(arg, "all") ? arg : NULL;
		return 0;
	case 'i':
		opt->impl = arg;
		return 0;
	case 'a':
		opt->arch = arg;
		return 0;
	case 'n':
		opt->runs = pd_option_number(state, "--runs", arg, UINT64_MAX);
		return 0;
	case 's':
		opt->seed = pd_option_number(state, "--seed", arg, UINT64_MAX);
		return 0;
	case 'j':
		opt->jobs = parse_jobs(state, arg);
		return 0;
	case 'o':
		opt->out = arg;
		return 0;
	case KEY_COVERAGE:
		opt->coverage = arg;
		return 0;
	case KEY_STATS:
		opt->stats = parse_stats(state, arg);
		return 0;
	case KEY_PRINT:
		opt->print = pd_option_number(state, "--print", arg, UINT64_MAX);
		return 0;
	case KEY_HISTOGRAM:
		opt->histogram = pd_option_number(state, "--histogram", arg, UINT64_MAX);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "no argument expected, got '%s'", arg);
		return 0;
	case ARGP_KEY_END:
		if (opt->reverse && !opt->runs)
			argp_error(state, "--reverse needs --runs");
		return 0;
	default:
		return parse_switch(opt, key) ? 0 : ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = argp_options,
	.parser = parse_option,
	.doc = "Generate scenarios from a seed and judge every implementation on each. Ends at "
	       "the first divergence, which is reported and saved as a file that 'ptediff run' "
	       "replays."
	       "\v"
	       "Examples:\n"
	       "  ptediff random --op mremap --runs 20000000 --seed 1 --jobs 0\n"
	       "  ptediff random --op mremap --impl batched_posted_v3 --seed 1\n"
	       "  ptediff random --op mremap --impl mine --keep-going\n"
	       "  ptediff random --op mremap --seed 7 --print 3\n"
	       "  ptediff random --histogram 20000\n"
	       "\nAn interrupted run ends with its summary. Exit codes: 0 clean, 1 a divergence, "
	       "2 trouble or nothing compared, 125 nothing to test here, 130 interrupted without a "
	       "divergence.",
};

uint64_t pd_random_number(const struct pd_random *r, uint64_t position)
{
	return r->opt->reverse ? r->opt->runs - 1 - position : position;
}

void pd_random_scenario(const struct pd_random *r, uint64_t position, struct scenario *sc)
{
	struct pd_rng rng;

	pd_rng_seed(&rng, r->opt->seed, pd_random_number(r, position));
	pd_generate(sc, r->op, &rng);
}

static int print_scenarios(const struct pd_random *r)
{
	struct scenario *sc = pd_alloc(2, sizeof(*sc));

	for (uint64_t i = 0; i < r->opt->print; i++) {
		pd_random_scenario(r, i, &sc[0]);
		pd_repair_scenario(&sc[0], &sc[1], NULL);
		pd_print(stdout, &sc[1], NULL, NULL);
		printf("# seed %" PRIu64 ", scenario %" PRIu64 "\n\n", r->opt->seed,
		       pd_random_number(r, i));
	}
	free(sc);
	return PD_EXIT_CLEAN;
}

static int print_histogram(const struct pd_random *r)
{
	struct pd_histogram *h = pd_histogram_new();
	struct scenario *sc = pd_alloc(1, sizeof(*sc));

	if (h) {
		for (uint64_t i = 0; i < r->opt->histogram; i++) {
			pd_random_scenario(r, i, sc);
			pd_histogram_add(h, sc);
		}
		pd_histogram_print(stdout, h);
	} else {
		fprintf(stderr, "ptediff: out of memory\n");
	}
	free(sc);
	pd_histogram_free(h);
	return h ? PD_EXIT_CLEAN : PD_EXIT_TROUBLE;
}

static void on_signal(int number)
{
	(void)number;
	pd_round_stop();
}

/* The second signal ends the program at once. */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	action.sa_flags = (int)SA_RESETHAND;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

double pd_random_cpu(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void all_rounds(struct pd_random *r)
{
	uint64_t runs = r->opt->runs ? r->opt->runs : UINT64_MAX;
	bool more = true;

	for (uint64_t at = 0; at < runs && more; at += PD_ROUND) {
		uint64_t left = runs - at;
		unsigned int known = r->total.findings.nr;
		double start = pd_random_cpu();

		more = pd_round(r, at, at + (left < PD_ROUND ? left : PD_ROUND));
		r->cpu += pd_random_cpu() - start;
		pd_random_save(r, known);
		pd_random_progress(r);
	}
}

static int conclude(const struct pd_random *r)
{
	if (r->opt->stats != PD_STATS_NONE)
		pd_random_stats(r);
	if (r->opt->digest && r->opt->stats != PD_STATS_JSON)
		printf("digest: %016" PRIx64 "\n", r->total.digest);
	if (r->opt->coverage && !pd_round_coverage(r, r->opt->coverage))
		return PD_EXIT_TROUBLE;
	if (r->total.findings.nr)
		return PD_EXIT_FINDINGS;
	if (pd_round_stopped())
		return PD_EXIT_INTERRUPTED;
	return pd_random_empty(r) ? PD_EXIT_TROUBLE : PD_EXIT_CLEAN;
}

static bool prepare(struct pd_random *r)
{
	const struct pd_random_options *opt = r->opt;

	r->people = opt->stats == PD_STATS_JSON ? stderr : stdout;
	if (!pd_option_select(&r->sel, opt->op_name, opt->impl, opt->arch))
		return false;
	r->op = opt->op_name ? pd_op_by_name(opt->op_name) : NULL;
	r->isolated = pd_untrusted(&r->sel);
	return true;
}

int pd_cmd_random(int argc, char **argv)
{
	struct pd_random_options opt = {
		.runs = DEFAULT_RUNS, .seed = 1, .jobs = 1, .out = "findings",
	};
	struct pd_random *r = pd_alloc(1, sizeof(*r));
	int code = PD_EXIT_TROUBLE;

	r->opt = &opt;
	if (!argp_parse(&argp, argc, argv, 0, NULL, &opt) && prepare(r)) {
		if (!pd_option_supported(&r->sel)) {
			code = PD_EXIT_UNTESTABLE;
		} else if (opt.print) {
			code = print_scenarios(r);
		} else if (opt.histogram) {
			code = print_histogram(r);
		} else {
			pd_round_new(r);
			catch_signals();
			all_rounds(r);
			code = conclude(r);
			pd_round_free(r);
		}
	}
	free(r);
	return code;
}
