/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which way code under test went to a divergence.
 */
#ifndef PD_PATH_H
#define PD_PATH_H

#include "harness/judge/judge.h"

/**
 * pd_find_path() - who is guilty of @d, and which functions of the shim were used on the way
 * @d:		receives @guilty, unless it is known, and @shim
 * @sc, @sel:	what showed it
 *
 * Runs the scenario again, the guilty step instruction by instruction in a traced child. Does
 * nothing for what is not code of a kernel tree, or where tracing is not allowed.
 */
void pd_find_path(struct pd_divergence *d, const struct scenario *sc,
		  const struct pd_selection *sel);

#endif
