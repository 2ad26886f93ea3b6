/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals that a crash raises: a crash of code under test is a divergence like any other.
 */
#include "harness/cli/child/crash.h"

#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#include "harness/cli/cli.h"

#define HANG_SECONDS	2	/* of CPU time; the shim's budget of accesses is milliseconds */
#define STACK_BYTES	(256u << 10)

static const struct {
	int number;
	const char *name;
} crashes[] = {
	{ SIGSEGV, "SIGSEGV: an address that is not mapped" },
	{ SIGBUS, "SIGBUS" },
	{ SIGFPE, "SIGFPE: a division by zero" },
	{ SIGILL, "SIGILL: an instruction that does not exist, or __builtin_trap()" },
	{ SIGABRT, "SIGABRT: abort(), or a sanitizer's report" },
};

#define NR_CRASHES (sizeof(crashes) / sizeof(crashes[0]))

static _Thread_local struct pd_backtrace last;

const struct pd_backtrace *pd_last_crash(void)
{
	return &last;
}

static uintptr_t interrupted_at(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return context->uc_mcontext.pc;
#else
	(void)context;
	return 0;
#endif
}

/* Without the frames of the handler: they end at the frame that the signal interrupted. */
static void keep_backtrace(const ucontext_t *context)
{
	void *frame[2 * PD_CRASH_DEPTH];
	int nr = backtrace(frame, (int)(sizeof(frame) / sizeof(frame[0])));
	uintptr_t at = interrupted_at(context);
	int from = 0;

	last.nr = 0;
	for (int i = 0; i < nr; i++)
		if ((uintptr_t)frame[i] == at)
			from = i + 1;
	if (at)
		last.pc[last.nr++] = at;
	for (int i = from; i < nr && last.nr < PD_CRASH_DEPTH; i++)
		last.pc[last.nr++] = (uintptr_t)frame[i] - 1;
}

/* What is not under test dies as it would have. */
static void on_crash(int number, siginfo_t *info, void *context)
{
	(void)info;
	if (pd_judge_running())
		keep_backtrace(context);
	for (size_t i = 0; i < NR_CRASHES; i++)
		if (crashes[i].number == number)
			pd_judge_crashed(crashes[i].name);
	signal(number, SIG_DFL);
	raise(number);
}

/* Two ticks in the same run of an implementation. */
static void on_tick(int number, siginfo_t *info, void *context)
{
	static const struct pd_judge *before;
	static uint64_t step;
	const struct pd_judge *now = pd_judge_running();

	(void)number;
	(void)info;
	if (now && now == before && now->running.number == step) {
		keep_backtrace(context);
		pd_judge_crashed("no end after seconds of CPU time");
	}
	before = now;
	step = now ? now->running.number : 0;
}

static void catch(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = { .sa_sigaction = handler };

	action.sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_NODEFER | flags;
	sigaction(number, &action, NULL);
}

/* On a stack of their own: a recursion without end has used up the other one. */
void pd_catch_crashes(void)
{
	static uint8_t stack[STACK_BYTES];
	const stack_t own = { .ss_sp = stack, .ss_size = sizeof(stack) };
	void *frame;

	/* The first call loads the unwinder, which a handler should not have to do. */
	backtrace(&frame, 1);
	sigaltstack(&own, NULL);
	for (size_t i = 0; i < NR_CRASHES; i++)
		catch(crashes[i].number, on_crash, 0);
}

void pd_catch_hangs(void)
{
	const struct itimerval tick = { { HANG_SECONDS, 0 }, { HANG_SECONDS, 0 } };

	catch(SIGVTALRM, on_tick, SA_RESTART);
	setitimer(ITIMER_VIRTUAL, &tick, NULL);
}
