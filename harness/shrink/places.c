/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Towards page 0 and frame 0: everything of a kind by the same distance, so that what belongs
 * together stays together.
 */
#include "harness/scenario/layout.h"
#include "try.h"

#define VA_BIT	(1u << PD_ROLE_VA)
#define DST_BIT	(1u << PD_ROLE_DST)
#define PFN_BIT	(1u << PD_ROLE_PFN)

/* The lowest value from @from on of the fields whose role is in @roles. */
static unsigned int lowest(const struct scenario *sc, unsigned int roles, unsigned int from)
{
	unsigned int found = UINT16_MAX;

	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_field *f = pd_kind_by_number(sc->rec[i].kind)->fields;

		for (; f->form != PD_FORM_END; f++) {
			unsigned int value = pd_record_get(&sc->rec[i], f->at);

			if (roles >> f->role & 1 && value >= from && value < found)
				found = value;
		}
	}
	return found;
}

/* Those from @from on; what is lower stays. */
static void lower(struct pd_try *t, unsigned int roles, unsigned int from, unsigned int by)
{
	for (unsigned int i = 0; i < t->to->nr; i++) {
		struct pd_record *rec = &t->to->rec[i];
		const struct pd_field *f = pd_kind_by_number(rec->kind)->fields;

		for (; f->form != PD_FORM_END; f++) {
			unsigned int value = pd_record_get(rec, f->at);

			if (roles >> f->role & 1 && value >= from)
				pd_record_set(rec, f->at, (uint16_t)(value - by));
		}
	}
}

static bool try_lower_by(struct pd_try *t, unsigned int roles, unsigned int from, unsigned int by)
{
	if (!by)
		return false;
	lower(t, roles, from, by);
	return pd_offer_whole(t);
}

/* As far as it goes, or by an aligned distance, or to a low place that is not 0. */
static bool try_lower(struct pd_try *t, unsigned int roles, unsigned int from)
{
	unsigned int low = lowest(t->from, roles, from);

	if (low == UINT16_MAX)
		return false;
	for (unsigned int unit = 1; unit <= PD_TABLE_PAGES; unit *= 2)
		if (try_lower_by(t, roles, from, low / unit * unit))
			return true;
	for (unsigned int place = 1; place < low && place <= PD_TABLE_PAGES; place *= 2)
		if (try_lower_by(t, roles, from, low - place))
			return true;
	return false;
}

/* Frames from @from on by @by lower. */
static void lower_frames(struct pd_try *t, unsigned int from, unsigned int by)
{
	for (unsigned int i = 0; i < t->to->nr; i++) {
		struct pd_record *rec = &t->to->rec[i];
		const struct pd_field *f = pd_field_of(rec->kind, PD_ROLE_PFN);
		unsigned int pfn = f ? pd_record_get(rec, f->at) : 0;

		if (f && pfn >= from && pfn >= by)
			pd_record_set(rec, f->at, (uint16_t)(pfn - by));
	}
}

/* A smaller folio, and what lay behind its first page, or behind its last one, closer to it. */
static bool try_smaller_folio(struct pd_try *t, unsigned int i)
{
	const struct pd_record *rec = &t->from->rec[i];
	unsigned int order = pd_record_get(rec, PD_FOLIO_F_ORDER);
	unsigned int pfn = pd_record_get(rec, PD_FOLIO_F_PFN);

	for (unsigned int smaller = 0; smaller < order && order <= PD_MAX_ORDER; smaller++) {
		unsigned int by = (1u << order) - (1u << smaller);

		pd_record_set(&t->to->rec[i], PD_FOLIO_F_ORDER, (uint16_t)smaller);
		lower_frames(t, pfn + by + 1, by);
		if (pd_offer_whole(t))
			return true;
		pd_record_set(&t->to->rec[i], PD_FOLIO_F_ORDER, (uint16_t)smaller);
		lower_frames(t, pfn + (1u << order) - 1, by);
		if (pd_offer_whole(t))
			return true;
	}
	return false;
}

static bool try_smaller_folios(struct pd_try *t)
{
	for (unsigned int i = 0; i < t->from->nr; i++)
		if (t->from->rec[i].kind == PD_KIND_FOLIO && try_smaller_folio(t, i))
			return true;
	return false;
}

/* The source to the front and the destination behind it, aligned to @unit. */
static bool try_behind(struct pd_try *t, unsigned int by, unsigned int unit)
{
	lower(t, VA_BIT, 0, by);
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
	unsigned int low = lowest(t->from, VA_BIT, 0);

	if (lowest(t->from, DST_BIT, 0) == UINT16_MAX || low == UINT16_MAX)
		return false;
	for (unsigned int from = 1; from <= PD_TABLE_PAGES; from *= 2)
		for (unsigned int to = 1; to <= PD_TABLE_PAGES; to *= 2)
			if (try_behind(t, low / from * from, to))
				return true;
	return false;
}

/* Page @va when pages [@a, @a + @pages) and [@b, @b + @pages) change places. */
static unsigned int exchanged(unsigned int va, unsigned int a, unsigned int b, unsigned int pages)
{
	if (va - a < pages)
		return va - a + b;
	return va - b < pages ? va - b + a : va;
}

/* What record @i moves, and where to, the other way round. */
static bool try_exchange(struct pd_try *t, unsigned int i)
{
	const struct pd_record *rec = &t->from->rec[i];
	const struct pd_field *src = pd_field_of(rec->kind, PD_ROLE_VA);
	const struct pd_field *dst = pd_field_of(rec->kind, PD_ROLE_DST);

	if (!src || !dst)
		return false;
	for (unsigned int k = 0; k < t->to->nr; k++) {
		struct pd_record *to = &t->to->rec[k];
		const struct pd_field *f = pd_kind_by_number(to->kind)->fields;

		for (; f->form != PD_FORM_END; f++)
			if (f->role == PD_ROLE_VA || f->role == PD_ROLE_DST)
				pd_record_set(to, f->at, (uint16_t)exchanged(
					      pd_record_get(to, f->at), pd_record_get(rec, src->at),
					      pd_record_get(rec, dst->at),
					      pd_record_get(rec, src->more) + 1u));
	}
	return pd_offer_whole(t);
}

static bool try_exchanges(struct pd_try *t)
{
	for (unsigned int i = 0; i < t->from->nr; i++)
		if (try_exchange(t, i))
			return true;
	return false;
}

bool pd_try_places(struct pd_try *t)
{
	return try_lower(t, VA_BIT | DST_BIT, 0) || try_lower(t, PFN_BIT, 0) ||
	       try_lower(t, PFN_BIT, 1) || try_source_first(t) || try_lower(t, VA_BIT, 0) ||
	       try_lower(t, DST_BIT, 0) || try_exchanges(t) || try_smaller_folios(t);
}
