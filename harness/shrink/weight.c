/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/scenario/layout.h"
#include "shrink.h"

/* A record weighs more than all that its fields can say. */
#define PD_WEIGHT_RECORD	(1ULL << 40)
#define PD_WEIGHT_WORD		(1ULL << 20)	/* a flag or choice: one more word on the line */
#define PD_WEIGHT_PAGE		(1ULL << 17)
#define PD_WEIGHT_ABSENT	(2 * PD_WEIGHT_WORD)	/* pages that are there are plainer */
#define PD_WEIGHT_RANK		(1ULL << 12)	/* of a word, for each field in front of it */

/* A frame is a place like a page: its word stands on every line that has one. */
static uint64_t pd_weigh_number(const struct pd_field *f, uint64_t value)
{
	return f->name && value && f->role != PD_ROLE_PFN ? PD_WEIGHT_WORD + value : value;
}

static uint64_t pd_weigh_field(const struct pd_field *f, const struct pd_record *rec)
{
	uint64_t value = pd_record_get(rec, f->at);

	switch (f->form) {
	case PD_FORM_FLAG:
	case PD_FORM_ENUM:
		return value ? PD_WEIGHT_WORD + value : 0;
	case PD_FORM_RANGE:
		return value + PD_WEIGHT_PAGE * pd_record_get(rec, f->more);
	case PD_FORM_PATTERN:
		return value + PD_WEIGHT_PAGE * (unsigned int)__builtin_popcountll(value);
	case PD_FORM_TIMES:
		return PD_WEIGHT_PAGE * value;
	case PD_FORM_NUMBER:
		return pd_weigh_number(f, value);
	default:
		return 0;
	}
}

uint64_t pd_weight(const struct scenario *sc)
{
	uint64_t weight = 0;

	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_kind *kind = pd_kind_by_number(sc->rec[i].kind);

		weight += PD_WEIGHT_RECORD;
		if (sc->rec[i].kind == PD_KIND_NONPRESENT)
			weight += PD_WEIGHT_ABSENT;
		for (const struct pd_field *f = kind->fields; f->form != PD_FORM_END; f++) {
			uint64_t field = pd_weigh_field(f, &sc->rec[i]);

			/* Of two words that say it, the one that comes first. */
			weight += field;
			if (field >= PD_WEIGHT_WORD)
				weight += (uint64_t)(f - kind->fields) * PD_WEIGHT_RANK;
		}
	}
	return weight;
}
