/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_CONTPTE_GET_ARGS_H
#define PD_CONTPTE_GET_ARGS_H

#include "model/state/outcome.h"
#include "model/state/state.h"

/**
 * struct contpte_get_args - read the entries of pages [@va, @va + @pages), one by one
 * @lockless:	without the page-table lock, where the implementation has a form for that
 */
struct contpte_get_args {
	uint32_t va, pages, lockless;
};

/* Facts. One a page: a is the page, b the entry; raw when an implementation says it. */
enum {
	CONTPTE_GET_WORD,
};

struct pd_outcome contpte_get_reference(struct pd_state *s, const void *args);

#endif
