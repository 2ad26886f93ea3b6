/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mutator: structured changes to a scenario, and crossover of two.
 *
 * A change keeps the scenario canonical: values stay in their fields, records in their class.
 * What a field means comes from its form and role, so an operation needs nothing here.
 */
#include <string.h>

#include "harness/scenario/generate/generate.h"

#define TRIES 8u

/* ---- records ---- */

/* The records of @class are [first_of(class), first_of(class + 1)). */
static unsigned int first_of(const struct scenario *sc, unsigned int class)
{
	unsigned int i = 0;

	while (i < sc->nr && pd_kind_class(sc->rec[i].kind) < class)
		i++;
	return i;
}

static bool insert(struct scenario *sc, unsigned int at, const struct pd_record *rec)
{
	struct pd_record copy = *rec;

	if (sc->nr >= PD_MAX_RECORDS)
		return false;
	memmove(&sc->rec[at + 1], &sc->rec[at], (sc->nr - at) * sizeof(sc->rec[0]));
	sc->rec[at] = copy;
	sc->nr++;
	return true;
}

static void erase(struct scenario *sc, unsigned int at, unsigned int count)
{
	memmove(&sc->rec[at], &sc->rec[at + count], (sc->nr - at - count) * sizeof(sc->rec[0]));
	sc->nr -= count;
}

/* Drop records until @max are left; stretches, so that a long scenario costs few moves. */
static void drop_to(struct scenario *sc, size_t max, struct pd_rng *rng)
{
	while (sc->nr > max) {
		unsigned int excess = sc->nr - (unsigned int)max;
		unsigned int count = 1 + pd_below(rng, excess);

		erase(sc, pd_below(rng, sc->nr - count + 1), count);
	}
}

static struct pd_record *random_record(struct scenario *sc, struct pd_rng *rng)
{
	unsigned int ops = first_of(sc, PD_NR_CLASSES - 1);

	if (ops < sc->nr && pd_chance(rng, 1, 4))
		return &sc->rec[ops + pd_below(rng, sc->nr - ops)];
	return &sc->rec[pd_below(rng, sc->nr)];
}

/* ---- fields ---- */

static bool holds(const struct pd_field *f)
{
	return f->at.width;
}

/* A field of @rec that holds bits; NULL when its kind has none. */
static const struct pd_field *random_field(const struct pd_record *rec, struct pd_rng *rng)
{
	const struct pd_kind *kind = pd_kind_by_number(rec->kind);
	const struct pd_field *f = kind->fields, *found = NULL;
	unsigned int seen = 0;

	for (; f->form != PD_FORM_END; f++)
		if (holds(f) && !pd_below(rng, ++seen))
			found = f;
	return found;
}

static const struct pd_field *field_with_role(const struct pd_record *rec, enum pd_role role)
{
	const struct pd_field *f = pd_kind_by_number(rec->kind)->fields;

	for (; f->form != PD_FORM_END; f++)
		if (f->role == role && holds(f))
			return f;
	return NULL;
}

static unsigned int pages_of(const struct pd_record *rec, const struct pd_field *f)
{
	return f->form == PD_FORM_RANGE ? 1u + pd_record_get(rec, f->more) : 1;
}

/* A page that something else in the scenario begins at or ends before. */
static unsigned int used_va(struct scenario *sc, struct pd_rng *rng)
{
	for (unsigned int tries = 0; tries < TRIES; tries++) {
		const struct pd_record *rec = random_record(sc, rng);
		const struct pd_field *f;

		f = field_with_role(rec, pd_chance(rng, 1, 4) ? PD_ROLE_DST : PD_ROLE_VA);
		if (!f)
			continue;
		return pd_record_get(rec, f->at) + (pd_chance(rng, 1, 2) ? 0 : pages_of(rec, f));
	}
	return pd_gen_start(rng, PD_BLOCK);
}

static unsigned int used_pfn(struct scenario *sc, struct pd_rng *rng)
{
	for (unsigned int tries = 0; tries < TRIES; tries++) {
		const struct pd_record *rec = random_record(sc, rng);
		const struct pd_field *f = field_with_role(rec, PD_ROLE_PFN);

		if (f)
			return pd_record_get(rec, f->at);
	}
	return pd_below(rng, PD_NR_PFN);
}

/* ---- values ---- */

static uint16_t step_aside(uint16_t old, struct pd_rng *rng)
{
	static const int16_t by[] = { -1, 1, -1, 1, -8, 8, -16, 16, -16, 16, -512, 512 };

	return (uint16_t)(old + PD_PICK(rng, by));
}

static uint16_t new_va(struct scenario *sc, uint16_t old, struct pd_rng *rng)
{
	static const int16_t around[] = { -17, -16, -15, -8, -1, 0, 0, 1, 8, 16 };
	unsigned int border = PD_TABLE * pd_below(rng, PD_NR_VA / PD_TABLE + 1);

	switch (pd_below(rng, 8)) {
	case 0:
	case 1:
		return (uint16_t)used_va(sc, rng);
	case 2:
		return (uint16_t)((int)border + PD_PICK(rng, around));
	case 3:
		return (uint16_t)(old & ~(PD_BLOCK - 1));
	case 4:
		return (uint16_t)pd_gen_start(rng, PD_BLOCK);
	default:
		return step_aside(old, rng);
	}
}

static uint16_t new_pfn(struct scenario *sc, uint16_t old, struct pd_rng *rng)
{
	switch (pd_below(rng, 6)) {
	case 0:
	case 1:
		return (uint16_t)used_pfn(sc, rng);
	case 2:
		return (uint16_t)(old & ~(PD_BLOCK - 1));
	case 3:
		return (uint16_t)pd_below(rng, PD_NR_PFN);
	default:
		return step_aside(old, rng);
	}
}

/* The number of pages less one of a range at @va. */
static uint16_t new_more(unsigned int va, uint16_t old, struct pd_rng *rng)
{
	switch (pd_below(rng, 4)) {
	case 0:
		return (uint16_t)(pd_gen_extent(rng) - 1);
	case 1:
		return (uint16_t)(PD_TABLE - va % PD_TABLE - pd_below(rng, 2));
	default:
		return step_aside(old, rng);
	}
}

static uint16_t new_pattern(uint16_t old, struct pd_rng *rng)
{
	switch (pd_below(rng, 4)) {
	case 0:
		return (uint16_t)~old;
	case 1:
		return (uint16_t)(old << 1 | old >> 15);
	case 2:
		return pd_gen_pattern(rng);
	default:
		return (uint16_t)(old ^ 1u << pd_below(rng, 16));
	}
}

static uint16_t new_number(const struct pd_field *f, uint16_t old, struct pd_rng *rng)
{
	if (pd_chance(rng, 1, 3))
		return (uint16_t)(old + 1 - 2 * pd_below(rng, 2));
	return pd_gen_number(rng, f->at.width);
}

static uint16_t new_plain(const struct pd_field *f, uint16_t old, struct pd_rng *rng)
{
	switch (f->form) {
	case PD_FORM_FLAG:
		return !old;
	case PD_FORM_ENUM:
		return pd_gen_enum(rng, f);
	case PD_FORM_PATTERN:
		return new_pattern(old, rng);
	default:
		return new_number(f, old, rng);
	}
}

static uint16_t new_value(struct scenario *sc, const struct pd_field *f, uint16_t old,
			  struct pd_rng *rng)
{
	switch (f->role) {
	case PD_ROLE_VA:
	case PD_ROLE_DST:
		return new_va(sc, old, rng);
	case PD_ROLE_PFN:
		return new_pfn(sc, old, rng);
	case PD_ROLE_STEP:
		return (uint16_t)(pd_chance(rng, 1, 2) ? old + 1 - 2 * pd_below(rng, 2) :
				  pd_below(rng, 200));
	default:
		return new_plain(f, old, rng);
	}
}

/* ---- steps: each changes one thing; on an empty scenario only the inserts are called ---- */

static void change_field(struct scenario *sc, struct pd_rng *rng)
{
	struct pd_record *rec = random_record(sc, rng);
	const struct pd_field *f = random_field(rec, rng);
	uint16_t old;

	if (!f)
		return;
	old = pd_record_get(rec, f->at);
	if (f->form == PD_FORM_RANGE && pd_chance(rng, 1, 2))
		pd_record_set(rec, f->more, new_more(old, pd_record_get(rec, f->more), rng));
	else
		pd_record_set(rec, f->at, new_value(sc, f, old, rng));
}

static void duplicate(struct scenario *sc, struct pd_rng *rng)
{
	struct pd_record *rec = random_record(sc, rng);

	insert(sc, (unsigned int)(rec - sc->rec), rec);
}

static void drop_one(struct scenario *sc, struct pd_rng *rng)
{
	if (sc->nr > 1)
		erase(sc, pd_below(rng, sc->nr), 1);
}

static void swap(struct scenario *sc, struct pd_rng *rng)
{
	struct pd_record *a = random_record(sc, rng), *b, copy = *a;
	unsigned int class = pd_kind_class(a->kind);
	unsigned int first = first_of(sc, class), end = first_of(sc, class + 1);

	b = &sc->rec[first + pd_below(rng, end - first)];
	*a = *b;
	*b = copy;
}

/* The records of @g, each class in one stretch: at the end of its class, or somewhere in it. */
static void splice(struct scenario *sc, const struct pd_gen *g, struct pd_rng *rng)
{
	for (unsigned int class = 0; class < PD_NR_CLASSES; class++) {
		unsigned int first = first_of(sc, class), end = first_of(sc, class + 1);
		unsigned int at = end;

		if (pd_chance(rng, 1, 2))
			at = first + pd_below(rng, end - first + 1);
		for (unsigned int i = 0; i < g->nr[class]; i++)
			if (!insert(sc, at++, &g->rec[class][i]))
				return;
	}
}

/* A generator aimed at what the scenario already has. */
static void aim(struct scenario *sc, struct pd_gen *g, struct pd_rng *rng)
{
	pd_gen_init(g, rng, PD_BLOCK * pd_below(rng, PD_NR_PFN / PD_BLOCK));
	g->extent = pd_gen_extent(rng);
	g->cont = pd_chance(rng, 1, 2);
	g->lo = sc->nr ? used_va(sc, rng) % PD_NR_VA : pd_gen_start(rng, g->extent);
	g->hi = g->lo + g->extent;
	g->hot_va = g->lo;
	g->hot_pages = g->extent;
	for (unsigned int i = 0; i < 4 && sc->nr; i++)
		pd_gen_mark(g, used_va(sc, rng));
	if (sc->nr && pd_chance(rng, 1, 4))
		g->pfn = used_pfn(sc, rng);
}

static void insert_piece(struct scenario *sc, struct pd_rng *rng)
{
	struct pd_gen g;

	aim(sc, &g, rng);
	if (pd_chance(rng, 1, 8))
		pd_gen_vmas(&g);
	pd_gen_piece(&g, g.lo, g.extent);
	splice(sc, &g, rng);
}

static void insert_op(struct scenario *sc, struct pd_rng *rng)
{
	struct pd_gen g;

	aim(sc, &g, rng);
	pd_gen_op(&g, pd_ops[pd_below(rng, pd_nr_ops)]);
	splice(sc, &g, rng);
}

/* Lay a range over a border: the end of a table, or where something else begins or ends. */
static void move_range(struct scenario *sc, struct pd_rng *rng)
{
	struct pd_record *rec = random_record(sc, rng);
	const struct pd_field *f = field_with_role(rec, PD_ROLE_VA);
	unsigned int border, pages;

	if (!f)
		return;
	pages = pages_of(rec, f);
	border = PD_TABLE * (1 + pd_below(rng, PD_NR_VA / PD_TABLE - 1));
	if (pd_chance(rng, 1, 2))
		border = used_va(sc, rng);
	pd_record_set(rec, f->at, (uint16_t)(border - pd_below(rng, pages + 1)));
}

/* Shift everything, so that the scenario keeps its shape and meets other borders. */
static void shift_all(struct scenario *sc, struct pd_rng *rng)
{
	uint16_t by = step_aside(0, rng);

	if (pd_chance(rng, 1, 4))
		by = (uint16_t)(PD_TABLE - used_va(sc, rng) % PD_TABLE);
	for (unsigned int i = 0; i < sc->nr; i++) {
		struct pd_record *rec = &sc->rec[i];
		const struct pd_field *f = field_with_role(rec, PD_ROLE_VA);

		if (f)
			pd_record_set(rec, f->at, (uint16_t)(pd_record_get(rec, f->at) + by));
	}
}

/* Copy a value to another record: between fields of one role, or the same field of a kind. */
static void copy_value(struct scenario *sc, struct pd_rng *rng)
{
	const struct pd_record *from = random_record(sc, rng);
	const struct pd_field *f = random_field(from, rng), *to;

	for (unsigned int tries = 0; f && tries < TRIES; tries++) {
		struct pd_record *rec = random_record(sc, rng);

		if (rec == from)
			continue;
		to = f->role != PD_ROLE_PLAIN	? field_with_role(rec, f->role) :
		     rec->kind == from->kind	? f :
						  NULL;
		if (!to)
			continue;
		pd_record_set(rec, to->at, pd_record_get(from, f->at));
		if (f->form == PD_FORM_RANGE && to->form == PD_FORM_RANGE)
			pd_record_set(rec, to->more, pd_record_get(from, f->more));
		return;
	}
}

static void step(struct scenario *sc, struct pd_rng *rng)
{
	static void (*const steps[])(struct scenario *, struct pd_rng *) = {
		change_field, change_field, change_field, change_field, change_field,
		change_field, change_field, change_field, copy_value,	copy_value,
		move_range,   move_range,   shift_all,	  duplicate,	swap,
		drop_one,     drop_one,	    insert_piece, insert_piece, insert_op,
	};

	if (!sc->nr)
		insert_piece(sc, rng);
	else if (first_of(sc, PD_NR_CLASSES - 1) == sc->nr && pd_chance(rng, 1, 2))
		insert_op(sc, rng);
	else
		PD_PICK(rng, steps)(sc, rng);
}

void pd_mutate(struct scenario *sc, size_t max_records, struct pd_rng *rng)
{
	for (unsigned int left = 1 + pd_below(rng, 4); left; left--)
		step(sc, rng);
	drop_to(sc, max_records, rng);
}

/* ---- crossover ---- */

static void append(struct scenario *out, const struct scenario *from, unsigned int first,
		   unsigned int end)
{
	unsigned int count = end - first;

	if (count > PD_MAX_RECORDS - out->nr)
		count = PD_MAX_RECORDS - out->nr;
	memcpy(&out->rec[out->nr], &from->rec[first], count * sizeof(out->rec[0]));
	out->nr += count;
}

/* One class: all of one parent, or the first records of one and the last of the other. */
static void cross_class(struct scenario *out, const struct scenario *a, const struct scenario *b,
			unsigned int class, struct pd_rng *rng)
{
	unsigned int a0 = first_of(a, class), a1 = first_of(a, class + 1);
	unsigned int b0 = first_of(b, class), b1 = first_of(b, class + 1);

	switch (pd_below(rng, 4)) {
	case 0:
		append(out, a, a0, a1);
		break;
	case 1:
		append(out, b, b0, b1);
		break;
	default:
		append(out, a, a0, a0 + pd_below(rng, a1 - a0 + 1));
		append(out, b, b0 + pd_below(rng, b1 - b0 + 1), b1);
		break;
	}
}

void pd_crossover(struct scenario *out, const struct scenario *a, const struct scenario *b,
		  size_t max_records, struct pd_rng *rng)
{
	out->nr = 0;
	for (unsigned int class = 0; class < PD_NR_CLASSES; class++)
		cross_class(out, a, b, class, rng);
	drop_to(out, max_records, rng);
}
