/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A crash of code under test: the signals that it raises, and where it happened.
 */
#ifndef PD_CRASH_H
#define PD_CRASH_H

#include <stddef.h>
#include <stdint.h>

#define PD_CRASH_DEPTH	24u

/* Return addresses, innermost first, from the place of the crash on. */
struct pd_backtrace {
	uintptr_t pc[PD_CRASH_DEPTH];
	unsigned int nr;
};

/* pd_last_crash() - where the last crash of this thread happened. */
const struct pd_backtrace *pd_last_crash(void);

/* pd_catch_hangs() - from now on, an implementation that takes seconds of CPU time crashes, too. */
void pd_catch_hangs(void);

#endif
