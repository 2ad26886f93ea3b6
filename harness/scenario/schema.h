/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What it takes to clean a record, worked out once for a kind. Inside harness/scenario/ only.
 */
#ifndef PD_SCHEMA_H
#define PD_SCHEMA_H

#include "scenario.h"

/**
 * struct pd_clean - how records of one kind are cleaned
 * @fields:	of the kind
 * @enums:	bit i: @fields[i] is an enum with a value that has no name
 * @keep:	the bits that a field covers
 */
struct pd_clean {
	const struct pd_field *fields;
	uint64_t enums;
	uint16_t keep[4];
};

#define PD_MAX_FIELDS 64u	/* of a kind; a record has 56 bits to share out */

void pd_clean_of(struct pd_clean *clean, const struct pd_kind *kind);

static inline void pd_clean_apply(const struct pd_clean *clean, struct pd_record *rec)
{
	for (unsigned int i = 0; i < 4; i++)
		rec->h[i] &= clean->keep[i];
	for (uint64_t left = clean->enums; left; left &= left - 1) {
		const struct pd_field *f = &clean->fields[__builtin_ctzll(left)];

		if (!f->names[pd_record_get(rec, f->at)])
			pd_record_set(rec, f->at, 0);
	}
}

#endif
