/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two ways to say the same: a bits record as one that assigns, or as a flag of the map record
 * below it; two map records as one (joins.c); a flag in place of another one; pages in place of
 * entries that are not present; hardware before an operation in place of during it. They lead
 * from different crashes to the same text.
 */
#include <string.h>

#include "harness/scenario/layout.h"
#include "try.h"

unsigned int pd_first_of(const struct pd_record *rec)
{
	return pd_record_get(rec, PD_MAP_F_VA);	/* where map, bits and nonpresent have it */
}

unsigned int pd_end_of(const struct pd_record *rec)
{
	unsigned int more = rec->kind == PD_KIND_BITS ? pd_record_get(rec, PD_BITS_F_PAGES) :
							pd_record_get(rec, PD_MAP_F_PAGES);

	return pd_first_of(rec) + more + 1;
}

const struct pd_field *pd_flag_of(const struct pd_record *bits)
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

struct pd_record pd_assign(const struct pd_record *bits, const struct pd_record *over,
			       unsigned int pattern)
{
	struct pd_record rec = *bits;

	pd_record_set(&rec, PD_BITS_F_MODE, PD_MODE_ASSIGN);
	pd_record_set(&rec, PD_BITS_F_VA, (uint16_t)pd_first_of(over));
	pd_record_set(&rec, PD_BITS_F_PAGES, (uint16_t)(pd_end_of(over) - pd_first_of(over) - 1));
	pd_record_set(&rec, PD_BITS_F_PATTERN, (uint16_t)pattern);
	return rec;
}

/* Assigning over the whole of a map record: the pages of @bits have it, or all others. */
static bool try_assign(struct pd_try *t, unsigned int i, const struct pd_record *map)
{
	const struct pd_record *bits = &t->from->rec[i];
	unsigned int pages = pd_end_of(map) - pd_first_of(map), pattern = 0;
	unsigned int all = pages < PD_PATTERN_PAGES ? (1u << pages) - 1 : UINT16_MAX;
	struct pd_record rec;

	for (unsigned int va = pd_first_of(bits); va < pd_end_of(bits); va++) {
		unsigned int bit = (va - pd_first_of(bits)) % PD_PATTERN_PAGES;

		if (pd_record_get(bits, PD_BITS_F_PATTERN) >> bit & 1 && va >= pd_first_of(map))
			pattern |= 1u << (va - pd_first_of(map)) % PD_PATTERN_PAGES;
	}
	rec = pd_assign(bits, map, pattern & all);
	if (pd_offer(t, i, &rec))
		return true;
	rec = pd_assign(bits, map, ~pattern & all);
	return pd_offer(t, i, &rec);
}

/* One page of map record @m has it, or, when the map record says that all have it, all but one. */
static bool try_one_page(struct pd_try *t, unsigned int i, unsigned int m)
{
	const struct pd_record *map = &t->from->rec[m];
	const struct pd_field *flag = pd_flag_of(&t->from->rec[i]);
	unsigned int pages = pd_end_of(map) - pd_first_of(map);

	for (unsigned int page = 0; page < pages && page < PD_PATTERN_PAGES; page++) {
		struct pd_record rec = pd_assign(&t->from->rec[i], map, 1u << page);

		if (pd_offer(t, i, &rec))
			return true;
		pd_record_set(&rec, PD_BITS_F_VA, (uint16_t)(pd_first_of(map) + page));
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
	const struct pd_field *flag = pd_flag_of(&t->from->rec[i]);

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

		if (map->kind != PD_KIND_MAP || pd_first_of(map) >= pd_end_of(&t->from->rec[i]) ||
		    pd_end_of(map) <= pd_first_of(&t->from->rec[i]))
			continue;
		if (try_flag(t, i, m) || try_assign(t, i, map) || try_one_page(t, i, m))
			return true;
	}
	return false;
}

/* Words that stand for themselves or, with the smallest number behind them, for something. */
static bool is_word(const struct pd_field *f)
{
	return f->form == PD_FORM_FLAG || (f->form == PD_FORM_NUMBER && f->name &&
					   f->role == PD_ROLE_PLAIN);
}

/* Instead of the word of field @f one that comes before it. */
static bool try_other_word(struct pd_try *t, unsigned int i, const struct pd_field *fields,
			   const struct pd_field *f)
{
	for (const struct pd_field *other = fields; other < f; other++) {
		struct pd_record rec = t->from->rec[i];

		if (!is_word(other) || pd_record_get(&rec, other->at))
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

/* Pages that are there instead of what is not. */
static bool try_present(struct pd_try *t, unsigned int i)
{
	const struct pd_record *from = &t->from->rec[i];
	struct pd_record map = { .kind = PD_KIND_MAP };

	pd_record_set(&map, PD_MAP_F_VA, (uint16_t)pd_first_of(from));
	pd_record_set(&map, PD_MAP_F_PAGES, (uint16_t)(pd_end_of(from) - pd_first_of(from) - 1));
	if (pd_offer(t, i, &map))
		return true;
	pd_record_set(&map, PD_MAP_F_EXCL, 1);
	return pd_offer(t, i, &map);
}

bool pd_try_forms(struct pd_try *t)
{
	for (unsigned int i = 0; i < t->from->nr; i++) {
		uint8_t kind = t->from->rec[i].kind;

		if ((kind == PD_KIND_BITS && try_bits(t, i)) ||
		    (kind == PD_KIND_MAP && pd_try_joins(t, i)) || try_words(t, i) ||
		    (kind == PD_KIND_NONPRESENT && try_present(t, i)) ||
		    (kind == PD_KIND_HW && (try_done_before(t, i, PD_FIELD_YOUNG) ||
					    try_done_before(t, i, PD_FIELD_DIRTY))))
			return true;
	}
	return false;
}
