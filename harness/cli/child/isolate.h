/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judging code that cannot be trusted, in a child process.
 */
#ifndef PD_ISOLATE_H
#define PD_ISOLATE_H

#include "harness/judge/judge.h"
#include "harness/cli/child/sandbox.h"

/* pd_untrusted() - is code of a kernel tree among what @sel selects? */
bool pd_untrusted(const struct pd_selection *sel);

/* pd_judge_open() - a judge whose memory children share. Running out of it ends the program. */
struct pd_judge *pd_judge_open(void);
void pd_judge_close(struct pd_judge *j);

/**
 * pd_judge_scenario() - pd_judge_run(), in a child when it has to be; names a crash
 * @j:	of pd_judge_open()
 *
 * @j->divergence and what it points to are in memory that both see, so nothing else changes for
 * the caller. In a child it does the work there, and asks for its end after a crash.
 */
bool pd_judge_scenario(struct pd_judge *j, const struct scenario *sc,
		       const struct pd_selection *sel);

/* pd_judge_here() - pd_judge_run() in this process; names a crash, and a child retires after it. */
bool pd_judge_here(struct pd_judge *j, const struct scenario *sc,
		   const struct pd_selection *sel);

/* pd_judge_lost() - a child of somebody else that used @j died: the divergence that this is. */
void pd_judge_lost(struct pd_judge *j, const struct pd_sandbox *sb);

/**
 * pd_judge_renew() - after its child was retired or died: as pd_judge_open() left it
 *
 * Switches, hooks and counts are kept. pd_judge_scenario() does it by itself.
 */
void pd_judge_renew(struct pd_judge *j);

#endif
