/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judge: runs implementations on a scenario and holds them against the reference.
 */
#ifndef PD_JUDGE_H
#define PD_JUDGE_H

#include "harness/scenario/scenario.h"
#include "model/shim/include/pd/world.h"

struct pd_coverage;

#define PD_MAX_IMPLS	1024u
#define PD_MAX_SIGNATURE 160u
#define PD_MAX_ALSO	8u

enum pd_verdict {
	PD_VERDICT_MATCH,
	PD_VERDICT_MATCH_TRIVIAL,	/* nothing moved, queued or batched */
	PD_VERDICT_DIVERGENCE,
	PD_VERDICT_BOTH_REFUSE,
	PD_VERDICT_SKIP,
	PD_NR_VERDICTS
};

/* How a field differs: the last part of a signature. */
enum pd_relation {
	PD_RELATION_MISSING,
	PD_RELATION_EXTRA,
	PD_RELATION_WRONG,
	PD_RELATION_ORDER,
	PD_RELATION_STALE,
	PD_RELATION_OOB,
	PD_RELATION_NO_PROGRESS,
	PD_RELATION_WARN,
	PD_RELATION_CRASH,
	PD_NR_RELATIONS
};

/**
 * struct pd_difference - one broken row of a contract
 * @row:	the row
 * @relation:	how
 * @va:		lowest page that shows it, or PD_NR_VA when it is no matter of a page
 * @pages:	pages that show it
 * @text:	a detail in words (an assertion's condition), or NULL
 */
struct pd_difference {
	const struct pd_row *row;
	enum pd_relation relation;
	unsigned int va, pages;
	const char *text;
};

/**
 * struct pd_divergence - everything a report needs
 * @step:	index of the operation among the scenario's operations, from 0
 * @record:	its record with the arguments that were used
 * @first:	the difference that names the signature
 * @also:	further differences, @nr_also of them
 * @before, @expected, @got: states around the step (@got: the judge's own decoding)
 * @want_ret, @got_ret: return values
 * @guilty:	function, file and line of the code under test; empty when not known
 * @shim:	functions of the shim that the step went through; empty when not known
 */
struct pd_divergence {
	const struct pd_impl_entry *entry;
	enum pd_arch arch;
	unsigned int step;
	struct pd_record record;
	struct pd_difference first;
	struct pd_difference also[PD_MAX_ALSO];
	unsigned int nr_also;
	char signature[PD_MAX_SIGNATURE];
	const struct pd_state *before, *expected, *got;
	long want_ret, got_ret;
	char guilty[256], shim[1024];
};

/**
 * struct pd_running - the step that a judge is in, or was in last
 * @entry:	NULL before the first
 * @number:	of all steps that this judge was in
 */
struct pd_running {
	const struct pd_impl_entry *entry;
	enum pd_arch arch;
	unsigned int step;
	const struct pd_plan *plan;
	uint64_t number;
};

/**
 * struct pd_observed - a step that was judged
 * @before:	as it found it
 * @state:	as it left it, by the judge's own decoding
 * @diverged:	the divergence is in struct pd_judge
 */
struct pd_observed {
	const struct pd_impl_entry *entry;
	enum pd_arch arch;
	unsigned int step;
	struct pd_span span;
	const struct pd_state *before, *state;
	long ret;
	bool diverged;
};

/* Verdicts and work of one implementation on one arch. */
struct pd_tally {
	uint64_t verdict[PD_NR_VERDICTS];
	uint64_t pages;			/* compared */
	uint64_t changed;		/* changed by the reference */
	uint64_t batched;		/* judgements with a batch longer than one */
	struct pd_work work;
};

/**
 * struct pd_selection - which implementations and arches to judge
 * @impl:	bit i: registry entry i
 * @arch:	bit a: enum pd_arch
 */
struct pd_selection {
	uint64_t impl[PD_MAX_IMPLS / 64];
	unsigned int arch;
};

/**
 * pd_select() - fill a selection from names
 * @op:		operation or NULL for all
 * @impl:	comma-separated names, or NULL for every implementation that is not known wrong
 * @arch:	"x86", "arm64" or NULL for both
 * @error:	receives what was not found, @size bytes
 *
 * Return: false with @error set, or true.
 */
bool pd_select(struct pd_selection *sel, const char *op, const char *impl, const char *arch,
	       char *error, size_t size);

/* pd_only_named() - wrong on purpose, or code of a user's kernel tree: only judged when named. */
bool pd_only_named(const struct pd_impl_entry *e);

static inline bool pd_selected(const struct pd_selection *sel, unsigned int i)
{
	return sel->impl[i / 64] >> (i % 64) & 1;
}

/* pd_next_selected() - the first selected entry from @i on, or pd_nr_impls. */
static inline unsigned int pd_next_selected(const struct pd_selection *sel, unsigned int i)
{
	while (i < pd_nr_impls && !(sel->impl[i / 64] >> (i % 64)))
		i = (i / 64 + 1) * 64;
	if (i < pd_nr_impls)
		i += (unsigned int)__builtin_ctzll(sel->impl[i / 64] >> (i % 64));
	return i < pd_nr_impls ? i : pd_nr_impls;
}

/**
 * struct pd_judge - one judge: a world, a few states and the counts; one a thread
 *
 * Allocate with pd_judge_new(). @tally is indexed by registry entry and arch.
 *
 * @entering:	when not NULL, called right before an implementation
 * @observe:	when not NULL, called after each step
 * @user:	for these two, and for nobody else
 * @run:	when not NULL, instead of pd_judge_run() to run a scenario; pd_divergences_next()
 */
struct pd_judge {
	struct pd_world *world;
	struct pd_state *s0, *before, *expected, *got;
	struct pd_tally tally[PD_MAX_IMPLS][PD_NR_ARCHES];
	struct pd_divergence divergence;
	uint64_t scenarios;
	uint64_t digest;	/* over states, events and verdicts, when @want_digest */
	bool want_digest;
	bool strict;		/* no named relaxations */
	bool trace;		/* keep an event for every raw access */
	bool all;		/* go on after a divergence: it is counted, the first is kept */
	struct pd_coverage *coverage;	/* when not NULL, counts what was judged: coverage.h */
	uint64_t budget;	/* raw accesses an operation may make; 0: a default */
	struct pd_running running;
	void (*entering)(struct pd_judge *j);
	void (*observe)(struct pd_judge *j, const struct pd_observed *step);
	void *user;
	bool (*run)(struct pd_judge *j, const struct scenario *sc,
		    const struct pd_selection *sel);
	void *private;
};

/* pd_judge_new() - NULL when memory runs out. pd_judge_free(NULL) is allowed. */
struct pd_judge *pd_judge_new(void);
void pd_judge_free(struct pd_judge *j);

/* pd_judge_new_in() - a judge in memory of the caller's: not to be freed with pd_judge_free(). */
struct pd_judge *pd_judge_new_in(const struct pd_memory *memory);

/**
 * pd_divergence_found() - called once for each divergence, before anything is printed
 *
 * It does nothing: break on it in a debugger to look at the world as the implementation left it.
 */
void pd_divergence_found(const struct pd_divergence *divergence);

/**
 * pd_judge_run() - judge one scenario
 *
 * Every selected implementation on every selected arch; the first divergence (registry order,
 * x86 before arm64) ends the run unless @j->all, and a crash does in any case. Operations of which
 * none is selected are done by a right one, which is not counted, so that what comes after them is
 * judged all the same. Return: true when there was no divergence. Otherwise @j->divergence tells,
 * valid until the next run.
 */
bool pd_judge_run(struct pd_judge *j, const struct scenario *sc, const struct pd_selection *sel);

/**
 * pd_judge_crashed() - the implementation that runs in this thread is at its end: a crash
 * @what:	static text for the report, e.g. the name of the signal
 *
 * For a handler of the signals that a crash raises, installed with SA_NODEFER. Returns only when
 * no implementation is running, that is when whatever crashed is not under test.
 */
void pd_judge_crashed(const char *what);

/* pd_judge_running() - the judge whose implementation this thread is in, or NULL. */
const struct pd_judge *pd_judge_running(void);

/**
 * pd_judge_died() - the process that @j was used in ended while an implementation ran
 * @what:	static text for the report
 *
 * Makes the divergence that pd_judge_run() would have made of a crash that was caught. @j is in
 * memory that was shared with that process; it cannot run anything any more.
 */
void pd_judge_died(struct pd_judge *j, const char *what);

/**
 * pd_name_crash() - the signature of a crash: op/implementation/crash/@function
 *
 * Until then the function is called "unknown".
 */
void pd_name_crash(struct pd_divergence *d, const char *function);

/* pd_tally_add() - @to += @from. */
void pd_tally_add(struct pd_tally *to, const struct pd_tally *from);

const char *pd_arch_name(enum pd_arch arch);
const char *pd_verdict_name(enum pd_verdict verdict);
const char *pd_relation_name(enum pd_relation relation);

/* ---- divergences.c: every divergence of a scenario, not only the first ---- */

/**
 * struct pd_divergences - a walk over all divergences of one scenario
 *
 * One an implementation and arch, in the order in which the judge names them.
 */
struct pd_divergences {
	struct pd_judge *j;
	const struct scenario *sc;
	struct pd_selection all, left;
	unsigned int arch;
};

void pd_divergences_start(struct pd_divergences *d, struct pd_judge *j,
			  const struct scenario *sc, const struct pd_selection *sel);

/* pd_divergences_next() - false when there is none left; otherwise d->j->divergence is it. */
bool pd_divergences_next(struct pd_divergences *d);

/* pd_selection_only() - keep of @sel the entry @impl on @arch. */
void pd_selection_only(struct pd_selection *sel, unsigned int impl, unsigned int arch);

/* ---- report.c: into a stream, at most @width columns ---- */

/**
 * pd_report() - a divergence for people: signature, scenario, map of the pages, rule, commands
 * @width:	100 for a terminal, 72 for mail
 * @file:	name of the reproducer in the commands, or NULL
 */
void pd_report(FILE *out, const struct pd_judge *j, const struct scenario *sc,
	       unsigned int width, const char *file);

/* pd_relation_text() - the relation as a sentence without its end. */
const char *pd_relation_text(enum pd_relation relation);

/* pd_report_trace() - the events of the last step, one a line. */
void pd_report_trace(FILE *out, const struct pd_judge *j);

/* ---- codec.c: the judge's own view of raw entries ---- */

/* pd_raw_encode() - @pte as @arch stores it. */
uint64_t pd_raw_encode(enum pd_arch arch, lpte_t pte);

/* pd_raw_decode() - the inverse; what @arch cannot hold reads as zero. */
lpte_t pd_raw_decode(enum pd_arch arch, uint64_t raw);

/* pd_raw_broken() - the raw encoding rule that a single entry breaks, or NULL. */
const char *pd_raw_broken(enum pd_arch arch, uint64_t raw);

/* pd_arch_mask() - the LPTE bits that @arch can hold. */
uint64_t pd_arch_mask(enum pd_arch arch);

/* pd_arch_cont() - entries of a contpte block, 1 when the arch has none. */
unsigned int pd_arch_cont(enum pd_arch arch);

/* ---- hash.c: xxHash, in a translation unit without instrumentation ---- */

uint64_t pd_hash(const void *data, size_t len, uint64_t seed);

#endif
