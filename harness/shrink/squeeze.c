/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A shorter address space: pages are taken out of it, out of every range that has them at once.
 */
#include "harness/scenario/layout.h"
#include "try.h"

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

static bool try_squeeze(struct pd_try *t, unsigned int first, unsigned int nr, enum frames how)
{
	for (unsigned int i = 0; i < t->to->nr; i++) {
		struct pd_record *rec = &t->to->rec[i];
		const struct pd_field *f = pd_kind_by_number(rec->kind)->fields;

		squeeze_frames(rec, first, nr, how);
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

static bool try_squeeze_any(struct pd_try *t, unsigned int first, unsigned int nr)
{
	return try_squeeze(t, first, nr, FRAMES_STAY) ||
	       try_squeeze(t, first, nr, FRAMES_FOLLOW) ||
	       try_squeeze(t, first, nr, FRAMES_CLOSE);
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
