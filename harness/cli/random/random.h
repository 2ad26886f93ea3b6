/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of ``ptediff random`` share.
 *
 * Scenario i of a seed is the same whatever else runs. Work goes in rounds of a fixed number of
 * scenarios, cut into one contiguous slice for each thread; what is kept of a round does not
 * depend on how it was cut.
 */
#ifndef PD_RANDOM_H
#define PD_RANDOM_H

#include "harness/cli/cli.h"

#define PD_ROUND	16384u	/* scenarios of a round */
#define PD_MAX_FINDINGS	256u	/* distinct signatures that are kept */

enum pd_stats {
	PD_STATS_TEXT,
	PD_STATS_JSON,
	PD_STATS_NONE,
};

/**
 * struct pd_random_options - the command line
 * @coverage:	file that receives what was judged, or NULL
 * @runs:	scenarios; 0: until a signal
 * @print, @histogram: so many scenarios to print, or to count the contents of, instead of judging
 */
struct pd_random_options {
	const char *op_name, *impl, *arch, *out, *coverage;
	uint64_t runs, seed, print, histogram;
	unsigned int jobs;
	enum pd_stats stats;
	bool keep_going, digest, reverse, strict;
};

/* The first scenario that shows a signature, and how many do. */
struct pd_finding {
	char signature[PD_MAX_SIGNATURE];
	const struct pd_impl_entry *entry;
	enum pd_arch arch;
	uint64_t position, count;
	char file[512];		/* where it was saved, or empty */
};

struct pd_findings {
	unsigned int nr;
	uint64_t lost;		/* divergences with yet another signature */
	struct pd_finding finding[PD_MAX_FINDINGS];
};

/* Counts of a round or of everything so far. */
struct pd_totals {
	uint64_t scenarios, digest;
	struct pd_tally tally[PD_MAX_IMPLS][PD_NR_ARCHES];
	struct pd_findings findings;
};

/**
 * struct pd_random - one run of the command
 * @people:	where text for people goes: standard output, unless JSON goes there
 * @total:	of all rounds done
 * @cpu:	CPU-seconds used by judging
 * @isolated:	in child processes
 */
struct pd_random {
	const struct pd_random_options *opt;
	const struct pd_op *op;
	struct pd_selection sel;
	FILE *people;
	struct pd_totals total;
	double cpu;
	bool isolated;
	struct pd_judge *judge;
	struct pd_worker *worker;
};

/* ---- random.c ---- */

/* pd_random_scenario() - the scenario at @position; its number when run in reverse differs. */
void pd_random_scenario(const struct pd_random *r, uint64_t position, struct scenario *sc);

/* pd_random_number() - the number of the scenario at @position. */
uint64_t pd_random_number(const struct pd_random *r, uint64_t position);

/* pd_random_cpu() - CPU-seconds that this process has used. */
double pd_random_cpu(void);

/* ---- round.c ---- */

/* pd_round_new() / pd_round_free() - the workers of @r, one for each job. */
void pd_round_new(struct pd_random *r);
void pd_round_free(struct pd_random *r);

/**
 * pd_round() - judge the scenarios at positions [@from, @to) and add to @r->total
 *
 * Without --keep-going a divergence ends the round: what is added is then exactly what one
 * thread would have counted up to the first one. Return: false when it ended early.
 */
bool pd_round(struct pd_random *r, uint64_t from, uint64_t to);

/* pd_round_coverage() - write what all workers judged to @path; false after a message. */
bool pd_round_coverage(const struct pd_random *r, const char *path);

/* pd_round_stop() - end the round soon; may be called in a signal handler. */
void pd_round_stop(void);
bool pd_round_stopped(void);

/* ---- save.c ---- */

/* pd_random_save() - write the reproducers of findings from the @first-th on, and report them. */
void pd_random_save(struct pd_random *r, unsigned int first);

/* ---- stats.c ---- */

struct pd_tally pd_random_sum(const struct pd_random *r);
uint64_t pd_judgements(const struct pd_tally *tally);

double pd_random_rate(const struct pd_random *r, uint64_t what);

/* pd_random_row() - was this implementation asked for, and does it exist on @arch? */
bool pd_random_row(const struct pd_random *r, unsigned int i, unsigned int arch);

/* pd_random_progress() - one line on standard error, when one is due. */
void pd_random_progress(const struct pd_random *r);

/* pd_random_stats() - table or JSON, as asked for. */
void pd_random_stats(const struct pd_random *r);

/* pd_random_empty() - is there a row that compared nothing non-trivial? Says which. */
bool pd_random_empty(const struct pd_random *r);

/* ---- json.c ---- */

/* pd_random_json() - everything that the table says, as JSON on standard output. */
void pd_random_json(const struct pd_random *r);

#endif
