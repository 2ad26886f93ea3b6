/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff random: progress and the table at the end.
 */
#include "harness/cli/random/random.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TERMINAL_PERIOD	2	/* seconds between lines of progress */
#define LOG_PERIOD	10
#define FEW_JUDGEMENTS	1000u	/* too few to expect something non-trivial among them */

#define NR_COLUMNS	11

static const char *const headings[NR_COLUMNS] = {
	"implementation", "arch", "judgements", "match", "trivial", "diverge", "refuse", "skip",
	"non-trivial", "batched", "pages",
};

#define NAME_SIZE	96u

struct line {
	char cell[NR_COLUMNS][NAME_SIZE];
};

uint64_t pd_judgements(const struct pd_tally *tally)
{
	uint64_t sum = 0;

	for (unsigned int v = 0; v < PD_NR_VERDICTS; v++)
		sum += tally->verdict[v];
	return sum;
}

static uint64_t non_trivial(const struct pd_tally *tally)
{
	return tally->verdict[PD_VERDICT_MATCH] + tally->verdict[PD_VERDICT_DIVERGENCE];
}

struct pd_tally pd_random_sum(const struct pd_random *r)
{
	struct pd_tally sum = { 0 };

	for (unsigned int i = 0; i < pd_nr_impls; i++)
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++)
			pd_tally_add(&sum, &r->total.tally[i][arch]);
	return sum;
}

static uint64_t divergences(const struct pd_random *r)
{
	uint64_t sum = r->total.findings.lost;

	for (unsigned int i = 0; i < r->total.findings.nr; i++)
		sum += r->total.findings.finding[i].count;
	return sum;
}

double pd_random_rate(const struct pd_random *r, uint64_t what)
{
	return r->cpu > 0 ? (double)what / r->cpu : 0;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static bool progress_due(void)
{
	static time_t last;
	struct timespec now;
	time_t period = isatty(STDERR_FILENO) ? TERMINAL_PERIOD : LOG_PERIOD;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!last)
		last = now.tv_sec;
	if (now.tv_sec - last < period)
		return false;
	last = now.tv_sec;
	return true;
}

void pd_random_progress(const struct pd_random *r)
{
	struct pd_tally sum;

	if (!progress_due())
		return;
	sum = pd_random_sum(r);
	fprintf(stderr, "%" PRIu64 " scenarios, %" PRIu64 " judgements, %.2f M pages/CPU-second, "
		"%" PRIu64 " divergences\n", r->total.scenarios, pd_judgements(&sum),
		pd_random_rate(r, sum.pages) / 1e6, divergences(r));
}

bool pd_random_row(const struct pd_random *r, unsigned int i, unsigned int arch)
{
	const struct pd_impl *impl = pd_impls[i].impl[arch];

	return pd_selected(&r->sel, i) && r->sel.arch >> arch & 1 && impl && !impl->unsupported;
}

/* name_of() - operation and implementation, as a signature begins */
static const char *name_of(char name[NAME_SIZE], unsigned int i)
{
	snprintf(name, NAME_SIZE, "%s/%s", pd_impls[i].op->name, pd_impls[i].name);
	return name;
}

static void put(struct line *line, unsigned int column, uint64_t value)
{
	snprintf(line->cell[column], sizeof(line->cell[column]), "%" PRIu64, value);
}

static void put_share(struct line *line, unsigned int column, uint64_t part, uint64_t whole)
{
	snprintf(line->cell[column], sizeof(line->cell[column]), "%.1f%%", share(part, whole));
}

static void fill(struct line *line, const char *name, const char *arch,
		 const struct pd_tally *tally)
{
	uint64_t all = pd_judgements(tally);

	snprintf(line->cell[0], sizeof(line->cell[0]), "%s", name);
	snprintf(line->cell[1], sizeof(line->cell[1]), "%s", arch);
	put(line, 2, all);
	for (unsigned int v = 0; v < PD_NR_VERDICTS; v++)
		put(line, 3 + v, tally->verdict[v]);
	put_share(line, 8, non_trivial(tally), all);
	put_share(line, 9, tally->batched, all);
	put(line, 10, tally->pages);
}

/* Two passes over the rows, one for the widths and one to print. */
static void visit_line(const struct line *line, int width[NR_COLUMNS], FILE *out)
{
	for (int i = 0; i < NR_COLUMNS; i++) {
		int len = (int)strlen(line->cell[i]);

		if (!out && len > width[i])
			width[i] = len;
		if (out && i < 2)
			fprintf(out, "%-*s  ", width[i], line->cell[i]);
		else if (out)
			fprintf(out, "%*s%s", width[i], line->cell[i],
				i + 1 < NR_COLUMNS ? "  " : "\n");
	}
}

static void visit_rows(const struct pd_random *r, int width[NR_COLUMNS], FILE *out)
{
	struct pd_tally sum = pd_random_sum(r);
	char name[NAME_SIZE];
	struct line line;

	for (unsigned int i = 0; i < NR_COLUMNS; i++)
		snprintf(line.cell[i], sizeof(line.cell[i]), "%s", headings[i]);
	visit_line(&line, width, out);
	for (unsigned int i = 0; i < pd_nr_impls; i++) {
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
			if (!pd_random_row(r, i, arch))
				continue;
			fill(&line, name_of(name, i), pd_arch_name((enum pd_arch)arch),
			     &r->total.tally[i][arch]);
			visit_line(&line, width, out);
		}
	}
	fill(&line, "total", "", &sum);
	visit_line(&line, width, out);
}

/* Why a row says 0 %, or is not there: once when it is the same on every arch. */
static void put_note(const struct pd_random *r, unsigned int i, const char *what,
		     const char *why[PD_NR_ARCHES], FILE *out)
{
	bool same = true;
	char name[NAME_SIZE];

	for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++)
		same = same && why[arch] && r->sel.arch >> arch & 1 &&
			!strcmp(why[arch], why[0]);
	for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
		if (!why[arch] || !(r->sel.arch >> arch & 1) || (same && arch))
			continue;
		fprintf(out, "%s %s%s%s: %s\n", name_of(name, i), what, same ? "" : " on ",
			same ? "" : pd_arch_name((enum pd_arch)arch), why[arch]);
	}
}

static void put_notes(const struct pd_random *r, FILE *out)
{
	for (unsigned int i = 0; i < pd_nr_impls; i++) {
		const char *absent[PD_NR_ARCHES] = { NULL }, *single[PD_NR_ARCHES] = { NULL };

		if (!pd_selected(&r->sel, i))
			continue;
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
			const struct pd_impl *impl = pd_impls[i].impl[arch];

			absent[arch] = impl ? impl->unsupported : NULL;
			single[arch] = impl && !impl->unsupported ? impl->never_batches : NULL;
		}
		put_note(r, i, "is not there", absent, out);
		put_note(r, i, "never batches", single, out);
	}
}

static void put_findings(const struct pd_random *r, FILE *out)
{
	const struct pd_findings *findings = &r->total.findings;

	for (unsigned int i = 0; i < findings->nr; i++) {
		const struct pd_finding *f = &findings->finding[i];

		fprintf(out, "found: %s, %" PRIu64 " scenario%s, first %" PRIu64 "%s%s\n",
			f->signature, f->count, f->count == 1 ? "" : "s",
			pd_random_number(r, f->position), *f->file ? ", saved as " : "", f->file);
	}
	if (findings->lost)
		fprintf(out, "found: %" PRIu64 " more, after %u signatures\n", findings->lost,
			PD_MAX_FINDINGS);
}

static void put_table(const struct pd_random *r, FILE *out)
{
	struct pd_tally sum = pd_random_sum(r);
	int width[NR_COLUMNS] = { 0 };

	visit_rows(r, width, NULL);
	visit_rows(r, width, out);
	put_notes(r, out);
	put_findings(r, out);
	fprintf(out, "%" PRIu64 " scenarios, %.2f CPU-seconds: %.2f M judgements and %.2f M pages "
		"per CPU-second\n", r->total.scenarios, r->cpu,
		pd_random_rate(r, pd_judgements(&sum)) / 1e6, pd_random_rate(r, sum.pages) / 1e6);
}

void pd_random_stats(const struct pd_random *r)
{
	put_table(r, r->people);
	if (r->opt->stats == PD_STATS_JSON)
		pd_random_json(r);
}

bool pd_random_empty(const struct pd_random *r)
{
	bool empty = false;
	char name[NAME_SIZE];

	for (unsigned int i = 0; i < pd_nr_impls; i++) {
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
			const struct pd_tally *tally = &r->total.tally[i][arch];

			if (!pd_random_row(r, i, arch) || non_trivial(tally) ||
			    (pd_judgements(tally) < FEW_JUDGEMENTS &&
			     r->total.scenarios < FEW_JUDGEMENTS))
				continue;
			fprintf(stderr, "ptediff: nothing non-trivial was compared for %s on %s\n",
				name_of(name, i), pd_arch_name((enum pd_arch)arch));
			empty = true;
		}
	}
	return empty;
}
