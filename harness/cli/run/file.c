/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff run: one file, held against what it expects.
 */
#include "harness/cli/run/run.h"

#include <stdlib.h>
#include <string.h>

#include "harness/cli/guilty/path.h"

static void finish(struct pd_result *result, enum pd_result_kind kind, const char *verdict,
		   const char *detail)
{
	result->kind = kind;
	result->verdict = verdict;
	snprintf(result->detail, sizeof(result->detail), "%s", detail);
}

static bool needs_repair(const struct pd_run *run, struct pd_result *result)
{
	size_t size;
	FILE *log = open_memstream(&result->report, &size);
	unsigned int count = pd_repair_scenario(&run->in.sc, NULL, log);

	if (log)
		fclose(log);
	if (count)
		finish(result, PD_RESULT_UNREADABLE, "unreadable", "needs repair");
	return count;
}

static const char *clean_verdict(const struct pd_judge *j)
{
	struct pd_tally sum = { 0 };

	for (unsigned int i = 0; i < pd_nr_impls; i++)
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++)
			pd_tally_add(&sum, &j->tally[i][arch]);
	for (unsigned int v = 0; v < PD_NR_VERDICTS; v++)
		if (sum.verdict[v])
			return v == PD_VERDICT_SKIP ? NULL : pd_verdict_name((enum pd_verdict)v);
	return NULL;
}

/* Does the expected divergence show on an arch that --arch left out? */
static bool met_elsewhere(const struct pd_run *run, const char *expect)
{
	struct pd_selection sel = run->sel;
	struct pd_divergences d;

	sel.arch = ((1u << PD_NR_ARCHES) - 1) & ~sel.arch;
	pd_divergences_start(&d, run->j, &run->in.sc, &sel);
	while (pd_divergences_next(&d))
		if (!strcmp(run->j->divergence.signature, expect))
			return true;
	return false;
}

/* All divergences of a file, held against what it expects. */
struct outcome {
	const char *expect;	/* empty: nothing */
	char about[64];		/* the implementation that @expect is about */
	bool met, unexpected;
	char other[PD_MAX_SIGNATURE];
	char last[PD_MAX_SIGNATURE];	/* signature of the last report */
};

static void note(struct outcome *o, const struct pd_divergence *d)
{
	if (*o->expect && !strcmp(d->signature, o->expect)) {
		o->met = true;
		return;
	}
	if (!*o->other)
		snprintf(o->other, sizeof(o->other), "%s", d->signature);
	if (!*o->expect || strcmp(d->entry->name, o->about))
		o->unexpected = true;
}

/* The second arch with the same signature is a line, not a report. */
static void report_one(const struct pd_run *run, const char *file, struct outcome *o, FILE *out)
{
	unsigned int width = run->opt->mail ? PD_MAIL_WIDTH : PD_TERMINAL_WIDTH;
	const struct pd_divergence *d = &run->j->divergence;

	if (!strcmp(d->signature, o->last)) {
		fprintf(out, "\nthe same signature on %s\n", pd_arch_name(d->arch));
		return;
	}
	fputs(*o->last ? "\n" : "", out);
	memcpy(o->last, d->signature, sizeof(o->last));
	if (run->reports)
		pd_find_path(&run->j->divergence, &run->in.sc, &run->sel);
	pd_report(out, run->j, &run->in.sc, width, file);
}

static void collect(struct pd_run *run, const char *file, struct outcome *o, FILE *out)
{
	struct pd_divergences d;

	memset(run->j->tally, 0, sizeof(run->j->tally));
	pd_divergences_start(&d, run->j, &run->in.sc, &run->sel);
	while (pd_divergences_next(&d)) {
		bool known = *o->expect && !strcmp(run->j->divergence.signature, o->expect);

		note(o, &run->j->divergence);
		if (!known || run->reports)
			report_one(run, file, o, out);
	}
}

static void conclude(struct pd_run *run, struct pd_result *result, const struct outcome *o)
{
	const char *verdict = clean_verdict(run->j);
	char detail[384];

	if (o->unexpected) {
		finish(result, PD_RESULT_UNEXPECTED, "divergence", o->other);
	} else if (o->met) {
		finish(result, PD_RESULT_MATCHED, "matched", o->expect);
	} else if (*o->expect && run->opt->on.arch && !*o->other && met_elsewhere(run, o->expect)) {
		finish(result, PD_RESULT_SKIPPED, "skipped", "shows on another arch only");
	} else if (*o->expect) {
		snprintf(detail, sizeof(detail), "expected %s, got %s", o->expect,
			 *o->other ? o->other : "no divergence");
		finish(result, PD_RESULT_UNEXPECTED, "unexpected", detail);
	} else if (!verdict) {
		finish(result, PD_RESULT_SKIPPED, "skipped", "no step could be judged");
	} else {
		finish(result, PD_RESULT_CLEAN, verdict, "");
	}
}

/* Once more, all at once: the walk over divergences judges some of it several times. */
static void run_once_more(struct pd_run *run, struct pd_result *result)
{
	struct pd_judge *j = run->j;

	j->want_digest = run->opt->digest;
	j->coverage = run->coverage;
	j->all = true;
	j->digest = 0;
	pd_judge_scenario(j, &run->in.sc, &run->sel);
	result->digest = j->digest;
	j->want_digest = j->all = false;
	j->coverage = NULL;
}

/* What to judge: the command line, then the file's own headers, then everything correct. */
static bool select_for(struct pd_run *run, struct outcome *o, char *error, size_t size)
{
	bool selected = false;

	o->expect = run->in.parse.expect;
	if (*o->expect && !pd_signature_impl(o->expect, o->about, sizeof(o->about))) {
		snprintf(error, size, "'%s' is no signature", o->expect);
		return false;
	}
	if (!pd_select_for(&run->sel, &run->in, run->opt->on.impl, run->opt->on.arch, error, size))
		return false;
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		selected |= pd_selected(&run->sel, i) && !strcmp(pd_impls[i].name, o->about);
	if (!selected)
		o->expect = "";
	return true;
}

void pd_run_file(struct pd_run *run, struct pd_result *result)
{
	struct outcome o = { 0 };
	char error[256];
	size_t size;
	FILE *report;

	if (!pd_input_load(&run->in, result->file, !run->opt->lenient)) {
		finish(result, PD_RESULT_UNREADABLE, "unreadable", "");
		return;
	}
	if (run->opt->strict && needs_repair(run, result))
		return;
	free(result->report);
	if (!select_for(run, &o, error, sizeof(error))) {
		finish(result, PD_RESULT_SKIPPED, "skipped", error);
		return;
	}
	report = open_memstream(&result->report, &size);
	if (!report) {
		finish(result, PD_RESULT_UNREADABLE, "unreadable", "out of memory");
		return;
	}
	collect(run, result->file, &o, report);
	if (run->opt->trace)
		pd_run_trace(run, report);
	fclose(report);
	conclude(run, result, &o);
	if (run->opt->digest || run->coverage)
		run_once_more(run, result);
}
