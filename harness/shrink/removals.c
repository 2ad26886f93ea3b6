/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fewer records: first all that no operation reaches, then chunks, then one at a time.
 */
#include <string.h>

#include "harness/scenario/layout.h"
#include "try.h"

void pd_drop(struct pd_try *t, unsigned int first, unsigned int nr)
{
	memmove(&t->to->rec[first], &t->to->rec[first + nr],
		(t->to->nr - first - nr) * sizeof(t->to->rec[0]));
	t->to->nr -= nr;
}

static void mark(bool *marked, unsigned int size, unsigned int first, unsigned int nr)
{
	for (unsigned int i = first; i < first + nr && i < size; i++)
		marked[i] = true;
}

static bool meets(const bool *marked, unsigned int size, unsigned int first, unsigned int nr)
{
	for (unsigned int i = first; i < first + nr && i < size; i++)
		if (marked[i])
			return true;
	return false;
}

static unsigned int pages_of(const struct pd_record *rec, const struct pd_field *f)
{
	return f->form == PD_FORM_RANGE ? pd_record_get(rec, f->more) + 1u : 1;
}

/* Pages that some operation, hardware access or fault is about, source or destination. */
static void mark_reached(const struct scenario *sc, bool *reached)
{
	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_record *rec = &sc->rec[i];
		const struct pd_field *va = pd_field_of(rec->kind, PD_ROLE_VA);
		const struct pd_field *dst = pd_field_of(rec->kind, PD_ROLE_DST);

		if (pd_kind_class(rec->kind) != PD_NR_CLASSES - 1 || !va)
			continue;
		mark(reached, PD_NR_VA, pd_record_get(rec, va->at), pages_of(rec, va));
		if (dst)
			mark(reached, PD_NR_VA, pd_record_get(rec, dst->at), pages_of(rec, va));
	}
}

static bool reached_va(const struct pd_record *rec, const bool *reached)
{
	const struct pd_field *va = pd_field_of(rec->kind, PD_ROLE_VA);

	return !va || pd_kind_class(rec->kind) == PD_NR_CLASSES - 1 ||
	       meets(reached, PD_NR_VA, pd_record_get(rec, va->at), pages_of(rec, va));
}

/* Frames that the map records of reached pages may name. */
static void mark_frames(const struct scenario *sc, const bool *reached, bool *frames)
{
	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_record *rec = &sc->rec[i];
		unsigned int pfn, pages;

		if (rec->kind != PD_KIND_MAP || !reached_va(rec, reached))
			continue;
		pfn = pd_record_get(rec, PD_MAP_F_PFN);
		pages = pd_record_get(rec, PD_MAP_F_PAGES) + 1u;
		if (pd_record_get(rec, PD_MAP_F_STEP) == PD_STEP_DOWN)
			mark(frames, PD_NR_PFN, pfn + 1 > pages ? pfn + 1 - pages : 0, pages);
		else
			mark(frames, PD_NR_PFN, pfn, 2 * pages);
	}
}

static bool reached_folio(const struct pd_record *rec, const bool *frames)
{
	unsigned int order = pd_record_get(rec, PD_FOLIO_F_ORDER);
	unsigned int count = pd_record_get(rec, PD_FOLIO_F_COUNT) + 1u;

	return meets(frames, PD_NR_PFN, pd_record_get(rec, PD_FOLIO_F_PFN), count << order);
}

static bool try_unreached(struct pd_try *t)
{
	bool reached[PD_NR_VA] = { false }, frames[PD_NR_PFN] = { false };

	mark_reached(t->from, reached);
	mark_frames(t->from, reached, frames);
	for (unsigned int i = t->from->nr; i-- > 0;) {
		const struct pd_record *rec = &t->from->rec[i];

		if (rec->kind == PD_KIND_FOLIO ? !reached_folio(rec, frames) :
						 !reached_va(rec, reached))
			pd_drop(t, i, 1);
	}
	return t->to->nr < t->from->nr && pd_offer_whole(t);
}

static bool try_without(struct pd_try *t, unsigned int first, unsigned int nr)
{
	pd_drop(t, first, nr);
	return pd_offer_whole(t);
}

bool pd_try_removals(struct pd_try *t)
{
	if (try_unreached(t))
		return true;
	for (unsigned int nr = (t->from->nr + 1) / 2; nr; nr = nr > 1 ? (nr + 1) / 2 : 0)
		for (unsigned int end = t->from->nr; end; end -= end < nr ? end : nr)
			if (try_without(t, end < nr ? 0 : end - nr, end < nr ? end : nr))
				return true;
	return false;
}
