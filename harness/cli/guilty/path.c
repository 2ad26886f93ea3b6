/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which way code under test went to a divergence: every instruction of the guilty step, by
 * single-stepping a child, named by the debug information. So nothing has to be compiled in, and
 * functions that were inlined are seen, too.
 */
#include "harness/cli/guilty/path.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/guilty/crash_name.h"
#include "harness/cli/guilty/symbols.h"

#define MAX_STEPS	(1u << 18)	/* seconds */
#define MAX_PLACES	(1u << 14)	/* different instructions; a power of two */

/**
 * struct path - what was seen
 * @j, @step:	in the child; @over: it has left the step. In shared memory
 * @history:	every instruction, @nr of them
 * @place:	each once, @nr_places of them; @tested: is it in a function of the code under test?
 * @wrote:	in @history, the last change of the guilty page; 0: none
 * @own, @names: functions of the code under test, and of the shim, as lists
 */
struct path {
	struct shared {
		struct pd_judge *j;
		const struct pd_impl_entry *entry;
		unsigned int step;
		volatile bool over;
	} *shared;
	uintptr_t history[MAX_STEPS];
	unsigned int nr, wrote;
	uintptr_t place[MAX_PLACES], table[2 * MAX_PLACES];
	bool tested[MAX_PLACES];
	unsigned int nr_places;
	char own[4096];
	char *names;
	size_t size;
};

/* ---- the child ---- */

static bool is_guilty_step(const struct pd_judge *j)
{
	const struct shared *shared = j->user;

	return j->running.entry == shared->entry && j->running.step == shared->step;
}

static void entering(struct pd_judge *j)
{
	if (is_guilty_step(j))
		raise(SIGSTOP);
}

static void left(struct pd_judge *j, const struct pd_observed *step)
{
	(void)step;
	if (is_guilty_step(j))
		((struct shared *)j->user)->over = true;
}

static _Noreturn void be_traced(struct pd_judge *j, const struct scenario *sc,
				const struct pd_selection *sel)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	pd_judge_run(j, sc, sel);
	_exit(0);
}

/* ---- its tracer ---- */

static uintptr_t pc_of(pid_t child)
{
	struct user_regs_struct regs = { 0 };
	struct iovec where = { &regs, sizeof(regs) };

	if (ptrace(PTRACE_GETREGSET, child, (void *)NT_PRSTATUS, &where))
		return 0;
#if defined(__x86_64__)
	return regs.rip;
#elif defined(__aarch64__)
	return regs.pc;
#else
	return 0;
#endif
}

/* Let it go on. Return: false when it did not stop by @number. */
static bool go_on(pid_t child, int request, int number)
{
	int status;

	if (ptrace((enum __ptrace_request)request, child, NULL, NULL))
		return false;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFSTOPPED(status) && WSTOPSIG(status) == number;
}

/* @pc among @path->table, which is twice as large as it gets full. */
static void note_place(struct path *path, uintptr_t pc)
{
	const unsigned int mask = 2 * MAX_PLACES - 1;
	unsigned int i = (unsigned int)(pc * 0x9e3779b97f4a7c15ul >> 40) & mask;

	while (path->table[i] && path->table[i] != pc)
		i = (i + 1) & mask;
	if (path->table[i] || path->nr_places == MAX_PLACES)
		return;
	path->table[i] = pc;
	path->place[path->nr_places++] = pc;
}

/* Has the entry of page @va been changed by the events from @from on? */
static bool changed(const struct pd_world *w, unsigned int from, unsigned int va)
{
	for (unsigned int i = from; i < w->nr_events && i < PD_MAX_EVENTS; i++) {
		enum pd_event_kind kind = w->event[i].kind;

		if ((kind == PD_EVENT_SET || kind == PD_EVENT_XCHG) && w->event[i].a == va &&
		    w->event[i].b != w->event[i].c)
			return true;
	}
	return false;
}

static void step_through(struct path *path, pid_t child, unsigned int va)
{
	const struct pd_world *w = path->shared->j->world;
	unsigned int events = w->nr_events;

	while (path->nr < MAX_STEPS && !path->shared->over &&
	       go_on(child, PTRACE_SINGLESTEP, SIGTRAP)) {
		uintptr_t pc = pc_of(child);

		path->history[path->nr++] = pc;
		note_place(path, pc);
		if (w->nr_events == events)
			continue;
		if (changed(w, events, va))
			path->wrote = path->nr - 1;
		events = w->nr_events;
	}
}

static void trace(struct path *path, const struct pd_divergence *d, const struct scenario *sc,
		  const struct pd_selection *sel)
{
	struct pd_judge *j = path->shared->j;
	int status;
	pid_t child;

	j->entering = entering;
	j->observe = left;
	j->user = path->shared;
	j->trace = true;
	child = fork();
	if (child < 0)
		return;
	if (!child)
		be_traced(j, sc, sel);
	if (waitpid(child, &status, 0) == child && WIFSTOPPED(status))
		step_through(path, child, d->first.va);
	kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
}

/* ---- what it comes to ---- */

/* Is @word, which ends in ", ", in the list @names? */
static bool listed(const char *names, const char *word)
{
	for (const char *at = names; (at = strstr(at, word)); at++)
		if (at == names || at[-1] == ' ')
			return true;
	return false;
}

static void list(char *names, size_t size, const char *word)
{
	size_t len = strlen(names);

	if (!listed(names, word) && len + strlen(word) < size)
		memcpy(names + len, word, strlen(word) + 1);
}

static void look_for_tested(void *ctx, unsigned int index, const struct pd_frame *frame)
{
	struct path *path = ctx;
	char word[256];

	if (pd_owner_of(frame->file) != PD_OWNER_TESTED)
		return;
	path->tested[index] = true;
	snprintf(word, sizeof(word), "%s, ", frame->function);
	list(path->own, sizeof(path->own), word);
}

/*
 * The shim's own helpers are called pd_<name>: no kernel code calls them by that. Where a function
 * of the shim begins that was inlined, the debug information may name its caller.
 */
static void look_for_shim(void *ctx, unsigned int index, const struct pd_frame *frame)
{
	struct path *path = ctx;
	char word[256];

	(void)index;
	if (pd_owner_of(frame->file) != PD_OWNER_SHIM || !strncmp(frame->function, "pd_", 3))
		return;
	snprintf(word, sizeof(word), "%s, ", frame->function);
	if (!listed(path->own, word))
		list(path->names, path->size, word);
}

static unsigned int index_of(const struct path *path, uintptr_t pc)
{
	unsigned int i = 0;

	while (i < path->nr_places && path->place[i] != pc)
		i++;
	return i;
}

/* The last instruction of the code under test before the guilty page was changed. */
static void find_guilty(const struct path *path, struct pd_divergence *d)
{
	char function[64], place[sizeof(d->guilty) - 64] = "";

	for (unsigned int i = path->wrote; i; i--) {
		unsigned int k = index_of(path, path->history[i]);

		if (k == path->nr_places || !path->tested[k])
			continue;
		pd_name_place(&path->place[k], 1, d->entry, function, sizeof(function), place,
			      sizeof(place));
		snprintf(d->guilty, sizeof(d->guilty), "%s (the last change of page %u)", place,
			 d->first.va);
		return;
	}
}

void pd_find_path(struct pd_divergence *d, const struct scenario *sc,
		  const struct pd_selection *sel)
{
	struct pd_selection one = *sel;
	struct path *path;

	if (!d->entry->tree)
		return;
	one.arch = 1u << d->arch;
	path = pd_alloc(1, sizeof(*path));
	path->shared = pd_shared(sizeof(*path->shared));
	path->shared->j = pd_judge_open();
	path->shared->entry = d->entry;
	path->shared->step = d->step;
	trace(path, d, sc, &one);
	path->names = d->shim;
	path->size = sizeof(d->shim);
	pd_symbolize(path->place, path->nr_places, look_for_tested, path);
	pd_symbolize(path->place, path->nr_places, look_for_shim, path);
	if (*d->shim)
		d->shim[strlen(d->shim) - 2] = '\0';
	if (path->wrote && !*d->guilty)
		find_guilty(path, d);
	pd_judge_close(path->shared->j);
	free(path);
}
