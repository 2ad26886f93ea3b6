/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two neighbouring map records as one, and what only one of them had as a bits record.
 */
#include "harness/scenario/layout.h"
#include "try.h"

/* Map record @a, also over the pages of @b, which lie in front of it or behind it. */
static bool join(const struct pd_record *a, const struct pd_record *b, struct pd_record *joined)
{
	unsigned int before = pd_first_of(a) - pd_first_of(b);
	unsigned int pages = pd_end_of(a) - pd_first_of(a) + pd_end_of(b) - pd_first_of(b);

	*joined = *a;
	pd_record_set(joined, PD_MAP_F_PAGES, (uint16_t)(pages - 1));
	if (pd_end_of(a) == pd_first_of(b))
		return true;
	if (pd_end_of(b) != pd_first_of(a) || pd_record_get(a, PD_MAP_F_PFN) < before)
		return false;
	pd_record_set(joined, PD_MAP_F_VA, (uint16_t)pd_first_of(b));
	pd_record_set(joined, PD_MAP_F_PFN, (uint16_t)(pd_record_get(a, PD_MAP_F_PFN) - before));
	return true;
}

/* A bits record about one page is about that page only. */
static struct pd_record single(struct pd_record bits)
{
	unsigned int pattern = pd_record_get(&bits, PD_BITS_F_PATTERN);

	if (pattern && !(pattern & (pattern - 1)) &&
	    pd_record_get(&bits, PD_BITS_F_PAGES) < PD_PATTERN_PAGES) {
		unsigned int page = (unsigned int)__builtin_ctz(pattern);

		pd_record_set(&bits, PD_BITS_F_VA, (uint16_t)(pd_first_of(&bits) + page));
		pd_record_set(&bits, PD_BITS_F_PAGES, 0);
		pd_record_set(&bits, PD_BITS_F_PATTERN, 1);
	}
	return bits;
}

/* Joined, and as a bits record on which of the pages @field was set. */
static bool try_join_field(struct pd_try *t, unsigned int m, unsigned int i,
			   struct pd_record *joined, unsigned int field)
{
	const struct pd_record *a = &t->from->rec[m], *b = &t->from->rec[i];
	struct pd_record bits = { .kind = PD_KIND_BITS };
	const struct pd_field *flag;
	unsigned int pattern = 0;

	pd_record_set(&bits, PD_BITS_F_FIELD, (uint16_t)field);
	flag = pd_flag_of(&bits);
	if (!flag || pd_record_get(a, flag->at) == pd_record_get(b, flag->at))
		return false;
	for (unsigned int va = pd_first_of(joined); va < pd_end_of(joined); va++) {
		bool in_a = va >= pd_first_of(a) && va < pd_end_of(a);

		if (pd_record_get(in_a ? a : b, flag->at))
			pattern |= 1u << (va - pd_first_of(joined)) % PD_PATTERN_PAGES;
	}
	t->to->rec[m < i ? m : i] = *joined;
	pd_record_set(&t->to->rec[m < i ? m : i], flag->at, 0);
	t->to->rec[m < i ? i : m] = single(pd_assign(&bits, joined, pattern));
	return pd_offer_whole(t);
}

static bool try_join(struct pd_try *t, unsigned int m, unsigned int i)
{
	struct pd_record joined;

	if (!join(&t->from->rec[m], &t->from->rec[i], &joined))
		return false;
	t->to->rec[m] = joined;
	pd_drop(t, i, 1);
	if (pd_offer_whole(t))
		return true;
	for (unsigned int field = 0; field < PD_NR_FIELDS; field++)
		if (try_join_field(t, m, i, &joined, field))
			return true;
	return false;
}

bool pd_try_joins(struct pd_try *t, unsigned int i)
{
	for (unsigned int m = 0; m < t->from->nr; m++)
		if (m != i && t->from->rec[m].kind == PD_KIND_MAP && try_join(t, m, i))
			return true;
	return false;
}
