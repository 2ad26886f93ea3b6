/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff random: a round of scenarios on all threads.
 */
#include "harness/cli/random/random.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

/**
 * struct pd_worker - one thread's or child process's share of a round, in shared memory
 * @judge:	counts the round
 * @probe:	finds the further signatures of a scenario, without counting
 * @from, @to:	positions of its slice; it is @at
 * @lowest:	of the positions that diverge, in all slices
 * @own:	the same of a slice by itself
 * @cpu:	CPU-seconds of a child process
 */
struct pd_worker {
	struct pd_random *r;
	pthread_t thread;
	bool started;
	struct pd_sandbox *sandbox;
	struct pd_judge *judge, *probe;
	struct scenario sc;
	uint64_t from, to;
	volatile uint64_t at;
	struct pd_totals totals;
	atomic_uint_fast64_t *lowest, own;
	double cpu;
	bool ignore_stop;
};

static volatile sig_atomic_t stop;

void pd_round_stop(void)
{
	stop = 1;
}

bool pd_round_stopped(void)
{
	return stop;
}

static struct pd_judge *new_judge(const struct pd_random *r)
{
	struct pd_judge *judge = pd_judge_open();

	judge->strict = r->opt->strict;
	judge->want_digest = r->opt->digest;
	return judge;
}

void pd_round_new(struct pd_random *r)
{
	r->judge = new_judge(r);
	r->worker = pd_shared(r->opt->jobs * sizeof(*r->worker));
	for (unsigned int i = 0; i < r->opt->jobs; i++) {
		struct pd_worker *w = &r->worker[i];

		w->r = r;
		w->judge = new_judge(r);
		w->judge->all = r->opt->keep_going;
		if (r->opt->coverage)
			w->judge->coverage = pd_cover();
		w->probe = new_judge(r);
		w->sandbox = pd_sandbox_new();
	}
}

void pd_round_free(struct pd_random *r)
{
	for (unsigned int i = 0; i < r->opt->jobs; i++) {
		pd_coverage_free(r->worker[i].judge->coverage);
		pd_judge_close(r->worker[i].judge);
		pd_judge_close(r->worker[i].probe);
		pd_sandbox_free(r->worker[i].sandbox);
	}
	pd_judge_close(r->judge);
}

bool pd_round_coverage(const struct pd_random *r, const char *path)
{
	struct pd_coverage *sum = pd_cover();
	bool good;

	for (unsigned int i = 0; i < r->opt->jobs; i++)
		pd_coverage_add(sum, r->worker[i].judge->coverage);
	good = pd_coverage_write(path, sum);
	pd_coverage_free(sum);
	return good;
}

static struct pd_finding *find(struct pd_findings *findings, const char *signature)
{
	for (unsigned int i = 0; i < findings->nr; i++)
		if (!strcmp(findings->finding[i].signature, signature))
			return &findings->finding[i];
	return NULL;
}

/* Positions are added in rising order, so that the first one kept is the lowest. */
static void add_finding(struct pd_findings *findings, const struct pd_finding *new)
{
	struct pd_finding *finding = find(findings, new->signature);

	if (finding)
		finding->count += new->count;
	else if (findings->nr < PD_MAX_FINDINGS)
		findings->finding[findings->nr++] = *new;
	else
		findings->lost += new->count;
}

static void note(struct pd_worker *w, const struct pd_divergence *d, uint64_t position)
{
	struct pd_finding new = {
		.entry = d->entry, .arch = d->arch, .position = position, .count = 1,
	};

	memcpy(new.signature, d->signature, sizeof(new.signature));
	add_finding(&w->totals.findings, &new);
}

/* One a signature and scenario, however many arches show it. */
static void note_all(struct pd_worker *w, uint64_t position)
{
	struct pd_findings *seen = &w->totals.findings;
	uint64_t before[PD_MAX_FINDINGS];
	struct pd_divergences d;

	for (unsigned int i = 0; i < seen->nr; i++)
		before[i] = seen->finding[i].count;
	pd_divergences_start(&d, w->probe, &w->sc, &w->r->sel);
	for (unsigned int known = seen->nr; pd_divergences_next(&d);) {
		struct pd_finding *old = find(seen, w->probe->divergence.signature);
		size_t i = old ? (size_t)(old - seen->finding) : 0;

		if (!old || (i < known && old->count == before[i]))
			note(w, &w->probe->divergence, position);
	}
}

static void lower(atomic_uint_fast64_t *lowest, uint64_t position)
{
	uint64_t now = atomic_load(lowest);

	while (position < now && !atomic_compare_exchange_weak(lowest, &now, position))
		;
}

static bool crashed(const struct pd_worker *w)
{
	return w->judge->divergence.first.relation == PD_RELATION_CRASH;
}

/* After a crash nothing else can be asked of this process. */
static void judge_one(struct pd_worker *w, uint64_t position)
{
	bool clean;

	pd_random_scenario(w->r, position, &w->sc);
	w->judge->digest = 0;
	clean = pd_judge_here(w->judge, &w->sc, &w->r->sel);
	w->totals.digest += w->judge->digest;
	w->totals.scenarios++;
	if (clean)
		return;
	lower(w->lowest, position);
	if (w->r->opt->keep_going && !crashed(w))
		note_all(w, position);
	else
		note(w, &w->judge->divergence, position);
}

static void *work(void *arg)
{
	struct pd_worker *w = arg;

	for (w->at = w->from; w->at < w->to; w->at++) {
		if (stop && !w->ignore_stop)
			break;
		if (!w->r->opt->keep_going && w->at > atomic_load(w->lowest))
			break;
		judge_one(w, w->at);
		if (pd_sandbox_retired())
			break;
	}
	return NULL;
}

/* ---- in a child process ---- */

static void work_in_child(void *arg)
{
	struct pd_worker *w = arg;
	double start = pd_random_cpu();

	work(w);
	w->cpu += pd_random_cpu() - start;
}

/* The scenario at hand took the process with it, before it could be counted. */
static void note_death(struct pd_worker *w)
{
	pd_judge_lost(w->judge, w->sandbox);
	w->totals.scenarios++;
	lower(w->lowest, w->at);
	note(w, &w->judge->divergence, w->at);
}

/* After a crash the rest of the slice is for another child. */
static void wait_for_child(struct pd_worker *w)
{
	enum pd_ended ended;

	while ((ended = pd_sandbox_wait(w->sandbox)) != PD_ENDED_WELL) {
		if (ended == PD_ENDED_DEAD) {
			note_death(w);
			pd_judge_renew(w->probe);
		}
		pd_judge_renew(w->judge);
		w->from = w->at + 1;
		pd_sandbox_start(w->sandbox, work_in_child, w);
	}
}

/* ---- slices ---- */

static void reset(struct pd_worker *w)
{
	memset(w->judge->tally, 0, sizeof(w->judge->tally));
	memset(&w->totals, 0, sizeof(w->totals));
	w->cpu = 0;
}

/* A thread that cannot be started does its work here. */
static void start(struct pd_worker *w)
{
	reset(w);
	w->started = false;
	if (w->r->isolated)
		pd_sandbox_start(w->sandbox, work_in_child, w);
	else if (pthread_create(&w->thread, NULL, work, w))
		work(w);
	else
		w->started = true;
}

static void finish(struct pd_worker *w)
{
	if (w->r->isolated)
		wait_for_child(w);
	else if (w->started)
		pthread_join(w->thread, NULL);
}

static void merge(struct pd_random *r, const struct pd_worker *w)
{
	struct pd_totals *total = &r->total;
	const struct pd_findings *findings = &w->totals.findings;

	r->cpu += w->cpu;
	total->scenarios += w->totals.scenarios;
	total->digest += w->totals.digest;
	total->findings.lost += findings->lost;
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++)
			pd_tally_add(&total->tally[i][arch], &w->judge->tally[i][arch]);
	for (unsigned int i = 0; i < findings->nr; i++)
		add_finding(&total->findings, &findings->finding[i]);
}

/* What one thread would have done: everything up to the first divergence, nothing after. */
static void redo(struct pd_random *r, uint64_t from, uint64_t lowest)
{
	struct pd_worker *w = &r->worker[0];

	w->from = from;
	w->to = lowest + 1;
	w->lowest = &w->own;
	w->own = UINT64_MAX;
	w->ignore_stop = true;
	start(w);
	finish(w);
	w->ignore_stop = false;
	merge(r, w);
}

static void run_slices(struct pd_random *r, uint64_t from, uint64_t to,
		       atomic_uint_fast64_t *lowest)
{
	unsigned int jobs = r->opt->jobs;
	uint64_t nr = to - from;

	for (unsigned int i = 0; i < jobs; i++) {
		struct pd_worker *w = &r->worker[i];

		w->from = from + nr * i / jobs;
		w->to = from + nr * (i + 1) / jobs;
		w->lowest = lowest;
		start(w);
	}
	for (unsigned int i = 0; i < jobs; i++)
		finish(&r->worker[i]);
}

bool pd_round(struct pd_random *r, uint64_t from, uint64_t to)
{
	atomic_uint_fast64_t *lowest = &r->worker[0].own;
	bool found;

	*lowest = UINT64_MAX;
	run_slices(r, from, to, lowest);
	found = *lowest != UINT64_MAX && !r->opt->keep_going;
	if (found && r->opt->jobs > 1)
		redo(r, from, *lowest);
	else
		for (unsigned int i = 0; i < r->opt->jobs; i++)
			merge(r, &r->worker[i]);
	return !found && !stop;
}
