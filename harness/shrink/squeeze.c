/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A shorter address space: pages are taken out of it, out of every range that has them at once.
 */
#include "harness/scenario/layout.h"
#include "try.h"

#define STEPS_PER_PAGE	4u	/* accesses of an operation to a page, about */

/* Where page @va is once pages [@first, @first + @nr) are gone. */
static unsigned int squeezed(unsigned int va, unsigned int first, unsigned int nr)
{
	if (va < first)
		return va;
	return va < first + nr ? first : va - nr;
}

static void squeeze_range(struct pd_record *rec, const struct pd_field *f, unsigned int first,
			  unsigned int nr)
{
	unsigned int va = pd_record_get(rec, f->at), end = va + pd_record_get(rec, f->more) + 1u;
	unsigned int to = squeezed(va, first, nr), left = squeezed(end, first, nr) - to;

	pd_record_set(rec, f->at, (uint16_t)to);
	pd_record_set(rec, f->more, (uint16_t)(left ? left - 1 : 0));
}

enum frames {
	FRAMES_STAY,		/* each map record begins with the frame that it began with */
	FRAMES_FOLLOW,		/* frames stay with their pages where the front is taken away */
	FRAMES_CLOSE,		/* map records behind it take earlier frames */
};

static void squeeze_frames(struct pd_record *rec, unsigned int first, unsigned int nr,
			   enum frames how)
{
	unsigned int va = pd_record_get(rec, PD_MAP_F_VA), pfn = pd_record_get(rec, PD_MAP_F_PFN);

	if (rec->kind != PD_KIND_MAP || va < first)
		return;
	if (how == FRAMES_FOLLOW && va < first + nr)
		pd_record_set(rec, PD_MAP_F_PFN, (uint16_t)(pfn + first + nr - va));
	if (how == FRAMES_CLOSE && va >= first + nr && pfn >= nr)
		pd_record_set(rec, PD_MAP_F_PFN, (uint16_t)(pfn - nr));
}

/* What hardware does comes sooner by what the operation did to the pages that are gone. */
static void squeeze_steps(struct pd_record *rec, unsigned int nr, unsigned int per_page)
{
	const struct pd_field *f = pd_field_of(rec->kind, PD_ROLE_STEP);
	unsigned int step = f ? pd_record_get(rec, f->at) : 0;

	if (f)
		pd_record_set(rec, f->at,
			      (uint16_t)(step > nr * per_page ? step - nr * per_page : 0));
}

static bool try_squeeze(struct pd_try *t, unsigned int first, unsigned int nr, enum frames how,
			unsigned int per_page)
{
	for (unsigned int i = 0; i < t->to->nr; i++) {
		struct pd_record *rec = &t->to->rec[i];
		const struct pd_field *f = pd_kind_by_number(rec->kind)->fields;

		squeeze_frames(rec, first, nr, how);
		squeeze_steps(rec, nr, per_page);
		for (; f->form != PD_FORM_END; f++) {
			bool place = f->role == PD_ROLE_VA || f->role == PD_ROLE_DST;

			if (place && f->form == PD_FORM_RANGE)
				squeeze_range(rec, f, first, nr);
			else if (place)
				pd_record_set(rec, f->at,
					      (uint16_t)squeezed(pd_record_get(rec, f->at), first,
								 nr));
		}
	}
	return pd_offer_whole(t);
}

static bool has_steps(const struct scenario *sc)
{
	bool any = false;

	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_field *f = pd_field_of(sc->rec[i].kind, PD_ROLE_STEP);

		any |= f && pd_record_get(&sc->rec[i], f->at);
	}
	return any;
}

static bool try_squeeze_any(struct pd_try *t, unsigned int first, unsigned int nr)
{
	unsigned int most = has_steps(t->from) ? STEPS_PER_PAGE : 0;

	for (unsigned int per_page = 0; per_page <= most; per_page++)
		if (try_squeeze(t, first, nr, FRAMES_STAY, per_page) ||
		    try_squeeze(t, first, nr, FRAMES_FOLLOW, per_page) ||
		    try_squeeze(t, first, nr, FRAMES_CLOSE, per_page))
			return true;
	return false;
}

/* The first pages of record @i, or those behind its first. */
static bool try_squeeze_at(struct pd_try *t, unsigned int i, const struct pd_field *f)
{
	unsigned int va = pd_record_get(&t->from->rec[i], f->at);
	unsigned int pages = pd_record_get(&t->from->rec[i], f->more) + 1u;

	for (unsigned int nr = pages; nr; nr = pd_next_cut(nr))
		if (try_squeeze_any(t, va, nr) || (nr < pages && try_squeeze_any(t, va + 1, nr)))
			return true;
	return false;
}

bool pd_try_squeezes(struct pd_try *t)
{
	for (unsigned int i = 0; i < t->from->nr; i++) {
		const struct pd_field *f = pd_field_of(t->from->rec[i].kind, PD_ROLE_VA);

		if (f && f->form == PD_FORM_RANGE && try_squeeze_at(t, i, f))
			return true;
	}
	return false;
}
