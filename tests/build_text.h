/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scenario or a state from a few lines of text, for tests. */
#ifndef PD_TESTS_BUILD_TEXT_H
#define PD_TESTS_BUILD_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/scenario.h"

/* @lines without the first line of the format; what cannot be read ends the test program. */
static inline void scenario_of(struct scenario *sc, const char *lines)
{
	struct pd_parse how = { .strict = true, .file = "text" };
	char text[8192];
	int len = snprintf(text, sizeof(text), "ptediff scenario v1\n%s", lines);

	if (pd_parse(sc, text, (size_t)len, &how))
		return;
	fprintf(stderr, "text:%u:%u: %s\n%s\n", how.line, how.column, how.error, lines);
	abort();
}

/* @s, which has been initialised, becomes what @lines say. Return: repairs made. */
static inline unsigned int state_of(struct pd_state *s, const char *lines)
{
	static struct scenario sc;
	struct pd_repair repair = { .log = NULL };

	scenario_of(&sc, lines);
	pd_state_clear(s);
	pd_build(&sc, s, &repair);
	return repair.count;
}

/* Do two states say the same? Everything is compared, touched or not. */
static inline bool same_state(const struct pd_state *a, const struct pd_state *b)
{
	if (a->nr_vmas != b->nr_vmas || a->nr_deferred != b->nr_deferred || a->bbml != b->bbml)
		return false;
	for (unsigned int i = 0; i < a->nr_deferred; i++)
		if (a->deferred[i].va != b->deferred[i].va ||
		    a->deferred[i].pte != b->deferred[i].pte)
			return false;
	return !memcmp(a->pte, b->pte, sizeof(a->pte)) &&
	       !memcmp(a->page, b->page, sizeof(a->page)) &&
	       !memcmp(a->folio, b->folio, sizeof(a->folio)) &&
	       !memcmp(a->vma, b->vma, a->nr_vmas * sizeof(a->vma[0])) &&
	       !memcmp(a->counter, b->counter, sizeof(a->counter));
}

#endif
