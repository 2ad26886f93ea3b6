/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work in a child process, on memory that is shared with it.
 *
 * Code that cannot be trusted may write anywhere, or take its process with it: it runs in a child.
 * A child is used again and again, until what it did looks wrong.
 */
#ifndef PD_SANDBOX_H
#define PD_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct pd_sandbox;

/* How a child ended its work. */
enum pd_ended {
	PD_ENDED_WELL,
	PD_ENDED_RETIRED,	/* well, but pd_sandbox_retire() was called */
	PD_ENDED_DEAD,		/* it did not come back */
};

/* pd_shared() - zeroed memory that children see and change; there until the program ends. */
void *pd_shared(size_t size);

/* pd_sandbox_new() - without a child yet. Running out of memory ends the program. */
struct pd_sandbox *pd_sandbox_new(void);
void pd_sandbox_free(struct pd_sandbox *sb);

/**
 * pd_sandbox_start() - have @work done with @arg, which is in shared memory
 *
 * The child is forked when there is none: it sees the rest of the memory as it is now.
 */
void pd_sandbox_start(struct pd_sandbox *sb, void (*work)(void *arg), void *arg);

/* pd_sandbox_wait() - until it is done. */
enum pd_ended pd_sandbox_wait(struct pd_sandbox *sb);

/* pd_sandbox_death() - how the child of PD_ENDED_DEAD died, as static text. */
const char *pd_sandbox_death(const struct pd_sandbox *sb);

/* pd_sandbox_inside() - is this process a child? */
bool pd_sandbox_inside(void);

/* pd_sandbox_retire() - in a child: end it after this work. */
void pd_sandbox_retire(void);
bool pd_sandbox_retired(void);

#endif
