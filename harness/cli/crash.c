/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals that a crash raises: a crash of code under test is a divergence like any other.
 */
#include "cli.h"

#include <signal.h>

static const struct {
	int number;
	const char *name;
} crashes[] = {
	{ SIGSEGV, "SIGSEGV: an address that is not mapped" },
	{ SIGBUS, "SIGBUS" },
	{ SIGFPE, "SIGFPE: a division by zero" },
	{ SIGILL, "SIGILL: an instruction that does not exist, or __builtin_trap()" },
};

#define NR_CRASHES (sizeof(crashes) / sizeof(crashes[0]))

/* What is not under test dies as it would have. */
static void on_crash(int number)
{
	for (size_t i = 0; i < NR_CRASHES; i++)
		if (crashes[i].number == number)
			pd_judge_crashed(crashes[i].name);
	signal(number, SIG_DFL);
	raise(number);
}

void pd_catch_crashes(void)
{
	struct sigaction action = { .sa_handler = on_crash };

	action.sa_flags = (int)SA_NODEFER;
	for (size_t i = 0; i < NR_CRASHES; i++)
		sigaction(crashes[i].number, &action, NULL);
}
