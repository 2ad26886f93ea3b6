/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two ways to say the same: a bits record as one that assigns, as a flag of the map record below
 * it, two map records as one, a flag in place of another one. They lead from different crashes to
 * the same text.
 */
#include <string.h>

#include "harness/scenario/layout.h"
#include "try.h"

#define PATTERN_PAGES 16u

static unsigned int first_of(const struct pd_record *rec)
{
	return pd_record_get(rec, PD_MAP_F_VA);	/* where map, bits and nonpresent have it */
}

static unsigned int end_of(const struct pd_record *rec)
{
	unsigned int more = rec->kind == PD_KIND_BITS ? pd_record_get(rec, PD_BITS_F_PAGES) :
							pd_record_get(rec, PD_MAP_F_PAGES);

	return first_of(rec) + more + 1;
}

/* The flag of a map record that is called as the field of a bits record. */
static const struct pd_field *flag_of(const struct pd_record *bits)
{
	const struct pd_kind *kind = pd_kind_by_number(PD_KIND_BITS);
	unsigned int field = pd_record_get(bits, PD_BITS_F_FIELD);
	const char *name = NULL;

	for (const struct pd_field *f = kind->fields; f->form != PD_FORM_END; f++)
		if (f->form == PD_FORM_ENUM && f->at.width == PD_BITS_F_FIELD.width)
			name = f->names[field];
	for (const struct pd_field *f = pd_kind_by_number(PD_KIND_MAP)->fields;
	     name && f->form != PD_FORM_END; f++)
		if (f->form == PD_FORM_FLAG && !strcmp(f->name, name))
			return f;
	return NULL;
}

static struct pd_record assign(const struct pd_record *bits, const struct pd_record *over,
			       unsigned int pattern)
{
	struct pd_record rec = *bits;

	pd_record_set(&rec, PD_BITS_F_MODE, PD_MODE_ASSIGN);
	pd_record_set(&rec, PD_BITS_F_VA, (uint16_t)first_of(over));
	pd_record_set(&rec, PD_BITS_F_PAGES, (uint16_t)(end_of(over) - first_of(over) - 1));
	pd_record_set(&rec, PD_BITS_F_PATTERN, (uint16_t)pattern);
	return rec;
}

/* Assigning over the whole of a map record: the pages of @bits have it, or all others. */
static bool try_assign(struct pd_try *t, unsigned int i, const struct pd_record *map)
{
	const struct pd_record *bits = &t->from->rec[i];
	unsigned int pages = end_of(map) - first_of(map), pattern = 0;
	unsigned int all = pages < PATTERN_PAGES ? (1u << pages) - 1 : UINT16_MAX;
	struct pd_record rec;

	for (unsigned int va = first_of(bits); va < end_of(bits); va++)
		if (pd_record_get(bits, PD_BITS_F_PATTERN) >>
			    ((va - first_of(bits)) % PATTERN_PAGES) & 1 && va >= first_of(map))
			pattern |= 1u << (va - first_of(map)) % PATTERN_PAGES;
	rec = assign(bits, map, pattern & all);
	if (pd_offer(t, i, &rec))
		return true;
	rec = assign(bits, map, ~pattern & all);
	return pd_offer(t, i, &rec);
}

/* One page of map record @m has it, or, when the map record says that all have it, all but one. */
static bool try_one_page(struct pd_try *t, unsigned int i, unsigned int m)
{
	const struct pd_record *map = &t->from->rec[m];
	const struct pd_field *flag = flag_of(&t->from->rec[i]);
	unsigned int pages = end_of(map) - first_of(map);

	for (unsigned int page = 0; page < pages && page < PATTERN_PAGES; page++) {
		struct pd_record rec = assign(&t->from->rec[i], map, 1u << page);

		if (pd_offer(t, i, &rec))
			return true;
		pd_record_set(&rec, PD_BITS_F_VA, (uint16_t)(first_of(map) + page));
		pd_record_set(&rec, PD_BITS_F_PAGES, 0);
		pd_record_set(&rec, PD_BITS_F_PATTERN, 1);
		if (pd_offer(t, i, &rec))
			return true;
		if (!flag)
			continue;
		pd_record_set(&t->to->rec[m], flag->at, 0);
		t->to->rec[i] = rec;
		if (pd_offer_whole(t))
			return true;
	}
	return false;
}

static bool try_flag(struct pd_try *t, unsigned int i, unsigned int m)
{
	const struct pd_field *flag = flag_of(&t->from->rec[i]);

	if (!flag)
		return false;
	pd_record_set(&t->to->rec[m], flag->at, !pd_record_get(&t->to->rec[m], flag->at));
	pd_drop(t, i, 1);
	return pd_offer_whole(t);
}

/* From the first page on that the pattern is about. */
static bool try_from_first_one(struct pd_try *t, unsigned int i)
{
	struct pd_record rec = t->from->rec[i];
	unsigned int pattern = pd_record_get(&rec, PD_BITS_F_PATTERN);
	unsigned int pages = pd_record_get(&rec, PD_BITS_F_PAGES);
	unsigned int zeros = pattern ? (unsigned int)__builtin_ctz(pattern) : 0;

	if (!zeros || zeros > pages)
		return false;
	pd_record_set(&rec, PD_BITS_F_VA, (uint16_t)(pd_record_get(&rec, PD_BITS_F_VA) + zeros));
	pd_record_set(&rec, PD_BITS_F_PAGES, (uint16_t)(pages - zeros));
	pd_record_set(&rec, PD_BITS_F_PATTERN, (uint16_t)(pattern >> zeros));
	return pd_offer(t, i, &rec);
}

static bool try_bits(struct pd_try *t, unsigned int i)
{
	if (try_from_first_one(t, i))
		return true;
	for (unsigned int m = 0; m < i; m++) {
		const struct pd_record *map = &t->from->rec[m];

		if (map->kind != PD_KIND_MAP || first_of(map) >= end_of(&t->from->rec[i]) ||
		    end_of(map) <= first_of(&t->from->rec[i]))
			continue;
		if (try_flag(t, i, m) || try_assign(t, i, map) || try_one_page(t, i, m))
			return true;
	}
	return false;
}

/* Map record @a, also over the pages of @b, which lie in front of it or behind it. */
static bool join(const struct pd_record *a, const struct pd_record *b, struct pd_record *joined)
{
	unsigned int before = first_of(a) - first_of(b);
	unsigned int pages = end_of(a) - first_of(a) + end_of(b) - first_of(b);

	*joined = *a;
	pd_record_set(joined, PD_MAP_F_PAGES, (uint16_t)(pages - 1));
	if (end_of(a) == first_of(b))
		return true;
	if (end_of(b) != first_of(a) || pd_record_get(a, PD_MAP_F_PFN) < before)
		return false;
	pd_record_set(joined, PD_MAP_F_VA, (uint16_t)first_of(b));
	pd_record_set(joined, PD_MAP_F_PFN, (uint16_t)(pd_record_get(a, PD_MAP_F_PFN) - before));
	return true;
}

/* A bits record about one page is about that page only. */
static struct pd_record single(struct pd_record bits)
{
	unsigned int pattern = pd_record_get(&bits, PD_BITS_F_PATTERN);

	if (pattern && !(pattern & (pattern - 1)) &&
	    pd_record_get(&bits, PD_BITS_F_PAGES) < PATTERN_PAGES) {
		unsigned int page = (unsigned int)__builtin_ctz(pattern);

		pd_record_set(&bits, PD_BITS_F_VA, (uint16_t)(first_of(&bits) + page));
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
	flag = flag_of(&bits);
	if (!flag || pd_record_get(a, flag->at) == pd_record_get(b, flag->at))
		return false;
	for (unsigned int va = first_of(joined); va < end_of(joined); va++) {
		bool in_a = va >= first_of(a) && va < end_of(a);

		if (pd_record_get(in_a ? a : b, flag->at))
			pattern |= 1u << (va - first_of(joined)) % PATTERN_PAGES;
	}
	t->to->rec[m < i ? m : i] = *joined;
	pd_record_set(&t->to->rec[m < i ? m : i], flag->at, 0);
	t->to->rec[m < i ? i : m] = single(assign(&bits, joined, pattern));
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

static bool try_maps(struct pd_try *t, unsigned int i)
{
	for (unsigned int m = 0; m < t->from->nr; m++)
		if (m != i && t->from->rec[m].kind == PD_KIND_MAP && try_join(t, m, i))
			return true;
	return false;
}

/* Instead of the word of field @f one that comes before it. */
static bool try_other_word(struct pd_try *t, unsigned int i, const struct pd_field *fields,
			   const struct pd_field *f)
{
	for (const struct pd_field *other = fields; other < f; other++) {
		struct pd_record rec = t->from->rec[i];

		if (other->form != PD_FORM_FLAG || pd_record_get(&rec, other->at))
			continue;
		pd_record_set(&rec, f->at, 0);
		pd_record_set(&rec, other->at, 1);
		if (pd_offer(t, i, &rec))
			return true;
	}
	return false;
}

static bool try_words(struct pd_try *t, unsigned int i)
{
	const struct pd_field *fields = pd_kind_by_number(t->from->rec[i].kind)->fields;

	for (const struct pd_field *f = fields; f->form != PD_FORM_END; f++)
		if ((f->form == PD_FORM_FLAG || f->form == PD_FORM_NUMBER ||
		     f->form == PD_FORM_ENUM) && f->role == PD_ROLE_PLAIN &&
		    pd_record_get(&t->from->rec[i], f->at) && try_other_word(t, i, fields, f))
			return true;
	return false;
}

static unsigned int first_op_class(const struct scenario *sc)
{
	unsigned int i = 0;

	while (i < sc->nr && pd_kind_class(sc->rec[i].kind) != PD_NR_CLASSES - 1)
		i++;
	return i;
}

static void insert(struct scenario *sc, unsigned int i, const struct pd_record *rec)
{
	memmove(&sc->rec[i + 1], &sc->rec[i], (sc->nr - i) * sizeof(sc->rec[0]));
	sc->rec[i] = *rec;
	sc->nr++;
}

/* What hardware does during an operation, as done before; the operation goes. */
static bool try_done_before(struct pd_try *t, unsigned int i, unsigned int field)
{
	const struct pd_record *hw = &t->from->rec[i];
	struct pd_record bits = { .kind = PD_KIND_BITS };
	unsigned int op = i;

	while (op < t->from->nr && !pd_op_by_kind(t->from->rec[op].kind))
		op++;
	if (op == t->from->nr)
		return false;
	pd_record_set(&bits, PD_BITS_F_FIELD, (uint16_t)field);
	pd_record_set(&bits, PD_BITS_F_VA, pd_record_get(hw, PD_HW_F_VA));
	pd_record_set(&bits, PD_BITS_F_PAGES, pd_record_get(hw, PD_HW_F_PAGES));
	pd_record_set(&bits, PD_BITS_F_PATTERN, pd_record_get(hw, PD_HW_F_PAGES) ? UINT16_MAX : 1);
	pd_drop(t, op, 1);
	pd_drop(t, i, 1);
	insert(t->to, first_op_class(t->to), &bits);
	return pd_offer_whole(t);
}

bool pd_try_forms(struct pd_try *t)
{
	for (unsigned int i = 0; i < t->from->nr; i++) {
		uint8_t kind = t->from->rec[i].kind;

		if ((kind == PD_KIND_BITS && try_bits(t, i)) ||
		    (kind == PD_KIND_MAP && try_maps(t, i)) || try_words(t, i) ||
		    (kind == PD_KIND_HW && (try_done_before(t, i, PD_FIELD_YOUNG) ||
					    try_done_before(t, i, PD_FIELD_DIRTY))))
			return true;
	}
	return false;
}
