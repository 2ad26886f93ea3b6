/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may be tried on one record or one field: each candidate differs from the scenario in one
 * place, or moves everything alike.
 */
#include "shrink.h"

struct pd_try {
	const struct scenario *from;
	struct scenario *to;		/* equal to @from between two candidates */
	bool (*use)(void *ctx, const struct scenario *sc);
	void *ctx;
};

/* Offer the scenario with record @i as @rec. */
static bool pd_offer(struct pd_try *t, unsigned int i, const struct pd_record *rec)
{
	bool taken;

	t->to->rec[i] = *rec;
	taken = t->use(t->ctx, t->to);
	t->to->rec[i] = t->from->rec[i];
	return taken;
}

static bool pd_try_value(struct pd_try *t, unsigned int i, struct pd_bits bits, unsigned int value)
{
	struct pd_record rec = t->from->rec[i];

	pd_record_set(&rec, bits, (uint16_t)value);
	return pd_offer(t, i, &rec);
}

/* Zero, then halves, then one less: the first that holds makes the largest step. */
static bool pd_try_smaller(struct pd_try *t, unsigned int i, struct pd_bits bits)
{
	unsigned int value = pd_record_get(&t->from->rec[i], bits);

	for (unsigned int cut = value; cut; cut /= 2)
		if (pd_try_value(t, i, bits, value - cut))
			return true;
	return false;
}

static bool pd_try_alignments(struct pd_try *t, unsigned int i, struct pd_bits bits)
{
	unsigned int value = pd_record_get(&t->from->rec[i], bits);

	for (unsigned int unit = PD_TABLE_PAGES; unit > 1; unit /= 2)
		if (value >= unit && pd_try_value(t, i, bits, value - unit))
			return true;
	return false;
}

/* Cut @cut pages off the front of a range; its destination goes along if it has one. */
static bool pd_try_front(struct pd_try *t, unsigned int i, const struct pd_field *range,
			 const struct pd_field *fields, unsigned int cut)
{
	struct pd_record rec = t->from->rec[i];
	unsigned int first = pd_record_get(&rec, range->at) + cut;

	if (first > pd_bits_mask(range->at))
		return false;
	pd_record_set(&rec, range->at, (uint16_t)first);
	pd_record_set(&rec, range->more, (uint16_t)(pd_record_get(&rec, range->more) - cut));
	if (pd_offer(t, i, &rec))
		return true;
	for (const struct pd_field *f = fields; f->form != PD_FORM_END; f++)
		if (f->role == PD_ROLE_DST || f->role == PD_ROLE_PFN)
			pd_record_set(&rec, f->at, (uint16_t)(pd_record_get(&rec, f->at) + cut));
	return pd_offer(t, i, &rec);
}

static bool pd_try_range(struct pd_try *t, unsigned int i, const struct pd_field *range,
			 const struct pd_field *fields)
{
	unsigned int more = pd_record_get(&t->from->rec[i], range->more);

	if (pd_try_smaller(t, i, range->more))
		return true;
	for (unsigned int cut = more; cut; cut /= 2)
		if (pd_try_front(t, i, range, fields, cut))
			return true;
	return pd_try_smaller(t, i, range->at) || pd_try_alignments(t, i, range->at);
}

static bool pd_try_pattern(struct pd_try *t, unsigned int i, struct pd_bits bits)
{
	unsigned int value = pd_record_get(&t->from->rec[i], bits);

	for (unsigned int b = 16; b-- > 0;)
		if ((value >> b & 1) && pd_try_value(t, i, bits, value & ~(1u << b)))
			return true;
	return (value & 1) == 0 && value && pd_try_value(t, i, bits, value >> 1);
}

static bool pd_try_field(struct pd_try *t, unsigned int i, const struct pd_field *f,
			 const struct pd_field *fields)
{
	switch (f->form) {
	case PD_FORM_RANGE:
		return pd_try_range(t, i, f, fields);
	case PD_FORM_PATTERN:
		return pd_try_pattern(t, i, f->at);
	case PD_FORM_FLAG:
	case PD_FORM_ENUM:
	case PD_FORM_TIMES:
		return pd_try_smaller(t, i, f->at);
	case PD_FORM_NUMBER:
		return pd_try_smaller(t, i, f->at) || pd_try_alignments(t, i, f->at);
	default:
		return false;
	}
}

static bool pd_try_fields(struct pd_try *t, unsigned int i)
{
	const struct pd_kind *kind = pd_kind_by_number(t->from->rec[i].kind);

	for (const struct pd_field *f = kind->fields; f->form != PD_FORM_END; f++)
		if (pd_try_field(t, i, f, kind->fields))
			return true;
	return false;
}

static bool pd_try_without(struct pd_try *t, unsigned int first, unsigned int nr)
{
	bool taken;

	for (unsigned int i = first; i + nr < t->from->nr; i++)
		t->to->rec[i] = t->from->rec[i + nr];
	t->to->nr -= nr;
	taken = t->use(t->ctx, t->to);
	for (unsigned int i = first; i < t->from->nr; i++)
		t->to->rec[i] = t->from->rec[i];
	t->to->nr = t->from->nr;
	return taken;
}

static bool pd_try_removals(struct pd_try *t)
{
	for (unsigned int nr = (t->from->nr + 1) / 2; nr; nr = nr > 1 ? (nr + 1) / 2 : 0)
		for (unsigned int end = t->from->nr; end; end -= end < nr ? end : nr)
			if (pd_try_without(t, end < nr ? 0 : end - nr, end < nr ? end : nr))
				return true;
	return false;
}

/* The lowest value of the fields whose role is @a or @b. */
static unsigned int pd_lowest(const struct scenario *sc, enum pd_role a, enum pd_role b)
{
	unsigned int lowest = UINT16_MAX;

	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_field *f = pd_kind_by_number(sc->rec[i].kind)->fields;

		for (; f->form != PD_FORM_END; f++) {
			unsigned int value = pd_record_get(&sc->rec[i], f->at);

			if ((f->role == a || f->role == b) && value < lowest)
				lowest = value;
		}
	}
	return lowest;
}

/* Everything of the roles @a and @b lower by @by. */
static bool pd_try_lower(struct pd_try *t, enum pd_role a, enum pd_role b, unsigned int by)
{
	bool taken;

	for (unsigned int i = 0; i < t->from->nr; i++) {
		const struct pd_field *f = pd_kind_by_number(t->from->rec[i].kind)->fields;

		for (; f->form != PD_FORM_END; f++)
			if (f->role == a || f->role == b)
				pd_record_set(&t->to->rec[i], f->at,
					      (uint16_t)(pd_record_get(&t->from->rec[i], f->at) - by));
	}
	taken = t->use(t->ctx, t->to);
	for (unsigned int i = 0; i < t->from->nr; i++)
		t->to->rec[i] = t->from->rec[i];
	return taken;
}

static bool pd_try_moves(struct pd_try *t, enum pd_role a, enum pd_role b)
{
	unsigned int lowest = pd_lowest(t->from, a, b);

	if (lowest == UINT16_MAX)
		return false;
	for (unsigned int unit = PD_TABLE_PAGES; unit; unit /= 2)
		if (lowest >= unit && pd_try_lower(t, a, b, lowest / unit * unit))
			return true;
	return false;
}

bool pd_reductions(const struct scenario *sc, bool (*use)(void *ctx, const struct scenario *sc),
		   void *ctx)
{
	struct scenario to = *sc;
	struct pd_try t = { .from = sc, .to = &to, .use = use, .ctx = ctx };

	if (pd_try_removals(&t) || pd_try_moves(&t, PD_ROLE_VA, PD_ROLE_DST) ||
	    pd_try_moves(&t, PD_ROLE_PFN, PD_ROLE_PFN))
		return true;
	for (unsigned int i = 0; i < sc->nr; i++)
		if (pd_try_fields(&t, i))
			return true;
	return false;
}
