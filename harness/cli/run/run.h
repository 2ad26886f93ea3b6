/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of ``ptediff run`` share.
 */
#ifndef PD_RUN_H
#define PD_RUN_H

#include "harness/cli/cli.h"
#include "harness/cli/results.h"

struct pd_run_options {
	struct pd_common on;
	const char *junit, *coverage;
	bool strict, lenient, mail, trace, digest;
};

/**
 * struct pd_run - one run of the command
 * @in:		the file at hand
 * @sel:	what is judged on it
 * @coverage:	of all files, or NULL
 * @reports:	report a divergence that was expected, too
 */
struct pd_run {
	const struct pd_run_options *opt;
	struct pd_judge *j;
	struct pd_input in;
	struct pd_selection sel;
	struct pd_coverage *coverage;
	bool reports;
};

/* pd_run_file() - judge @result->file and fill in the rest of @result. */
void pd_run_file(struct pd_run *run, struct pd_result *result);

/* pd_run_trace() - every event of every selected implementation on the file at hand. */
void pd_run_trace(const struct pd_run *run, FILE *out);

#endif
