/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which function a crash is named by.
 */
#ifndef PD_CRASH_NAME_H
#define PD_CRASH_NAME_H

#include "harness/cli/child/crash.h"
#include "harness/judge/judge.h"

#define PD_CRASH_NAMES	16u

/* Crashes whose names are known: reading debug information takes longer than a crash. */
struct pd_crash_names {
	struct {
		struct pd_backtrace at;
		char function[64];
		char guilty[sizeof(((struct pd_divergence *)0)->guilty)];
	} known[PD_CRASH_NAMES];
	unsigned int nr;
};

/**
 * pd_name_place() - the innermost function that is not of the shim
 * @pc:		@nr return addresses, innermost first
 * @function:	receives its name
 * @place:	receives name, file and line; empty when there is none
 */
void pd_name_place(const uintptr_t *pc, unsigned int nr, const struct pd_impl_entry *entry,
		   char *function, size_t function_size, char *place, size_t place_size);

/**
 * pd_crash_name() - complete @d, the crash that pd_last_crash() is about
 *
 * It is named by the innermost function that is not of the shim.
 */
void pd_crash_name(struct pd_crash_names *names, struct pd_divergence *d);

#endif
