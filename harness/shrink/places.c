/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Towards page 0 and frame 0: everything of a kind by the same distance, so that what belongs
 * together stays together.
 */
#include "try.h"

#define VA_BIT	(1u << PD_ROLE_VA)
#define DST_BIT	(1u << PD_ROLE_DST)
#define PFN_BIT	(1u << PD_ROLE_PFN)

/* The lowest value of the fields whose role is in @roles. */
static unsigned int lowest(const struct scenario *sc, unsigned int roles)
{
	unsigned int found = UINT16_MAX;

	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_field *f = pd_kind_by_number(sc->rec[i].kind)->fields;

		for (; f->form != PD_FORM_END; f++) {
			unsigned int value = pd_record_get(&sc->rec[i], f->at);

			if (roles >> f->role & 1 && value < found)
				found = value;
		}
	}
	return found;
}

static void lower(struct pd_try *t, unsigned int roles, unsigned int by)
{
	for (unsigned int i = 0; i < t->to->nr; i++) {
		struct pd_record *rec = &t->to->rec[i];
		const struct pd_field *f = pd_kind_by_number(rec->kind)->fields;

		for (; f->form != PD_FORM_END; f++)
			if (roles >> f->role & 1)
				pd_record_set(rec, f->at,
					      (uint16_t)(pd_record_get(rec, f->at) - by));
	}
}

/* By the largest aligned distance first: alignment may be what matters. */
static bool try_lower(struct pd_try *t, unsigned int roles)
{
	unsigned int low = lowest(t->from, roles);

	if (low == UINT16_MAX)
		return false;
	for (unsigned int unit = 1; unit <= PD_TABLE_PAGES; unit *= 2) {
		unsigned int by = low / unit * unit;

		if (!by)
			break;
		lower(t, roles, by);
		if (pd_offer_whole(t))
			return true;
	}
	return false;
}

/* The source to the front and the destination behind it, aligned to @unit. */
static bool try_behind(struct pd_try *t, unsigned int by, unsigned int unit)
{
	lower(t, VA_BIT, by);
	for (unsigned int i = 0; i < t->to->nr; i++) {
		struct pd_record *rec = &t->to->rec[i];
		const struct pd_field *va = pd_field_of(rec->kind, PD_ROLE_VA);
		const struct pd_field *dst = pd_field_of(rec->kind, PD_ROLE_DST);
		unsigned int end;

		if (!va || !dst)
			continue;
		end = pd_record_get(rec, va->at) + pd_record_get(rec, va->more) + 1u;
		pd_record_set(rec, dst->at, (uint16_t)((end + unit - 1) / unit * unit));
	}
	return pd_offer_whole(t);
}

static bool try_source_first(struct pd_try *t)
{
	unsigned int low = lowest(t->from, VA_BIT);

	if (lowest(t->from, DST_BIT) == UINT16_MAX || low == UINT16_MAX)
		return false;
	for (unsigned int from = 1; from <= PD_TABLE_PAGES; from *= 2)
		for (unsigned int to = 1; to <= PD_TABLE_PAGES; to *= 2)
			if (try_behind(t, low / from * from, to))
				return true;
	return false;
}

bool pd_try_places(struct pd_try *t)
{
	return try_lower(t, VA_BIT | DST_BIT) || try_lower(t, PFN_BIT) || try_source_first(t);
}
