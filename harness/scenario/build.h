/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by build.c and repair.c only. */
#ifndef PD_BUILD_H
#define PD_BUILD_H

#include "layout.h"

/**
 * struct pd_builder - a build under way
 * @repair:	may be NULL: nobody wants to know
 * @claimed:	frames that some folio record has taken
 */
struct pd_builder {
	struct pd_state *s;
	struct pd_repair *repair;
	uint64_t claimed[PD_NR_PFN / 64];
};

/* pd_repair_keep() - @rec goes into the repaired scenario. */
void pd_repair_keep(struct pd_builder *b, const struct pd_record *rec);

/* pd_repair_note() - @rec stands, or was changed to stand, because of @why. */
void pd_repair_note(struct pd_builder *b, const struct pd_record *rec, const char *why);

/* pd_repair_entries() - make every entry of the state legal. */
void pd_repair_entries(struct pd_builder *b);

/* pd_repair_ops() - make the operations fit the states that they will meet. */
void pd_repair_ops(struct pd_builder *b, const struct scenario *sc, unsigned int first);

#endif
