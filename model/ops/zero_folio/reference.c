/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clearing a folio: every page once, one at a time.
 */
#include "args.h"

struct pd_outcome zero_folio_reference(struct pd_state *s, const void *args)
{
	uint32_t pages = zero_folio_pages(args);

	pd_results_add(&s->results, ZERO_FOLIO_CHUNKS, 0, 1 | (uint64_t)pages << 20);
	return (struct pd_outcome){ .changed = pages };
}
