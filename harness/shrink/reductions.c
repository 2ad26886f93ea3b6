/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may be tried on one record or one field: each candidate differs from the scenario in one
 * place, or moves everything alike.
 */
#include <string.h>

#include "try.h"

bool pd_offer(struct pd_try *t, unsigned int i, const struct pd_record *rec)
{
	bool taken;

	t->to->rec[i] = *rec;
	taken = t->use(t->ctx, t->to);
	t->to->rec[i] = t->from->rec[i];
	return taken;
}

bool pd_offer_whole(struct pd_try *t)
{
	bool taken = t->use(t->ctx, t->to);

	t->to->nr = t->from->nr;
	memcpy(t->to->rec, t->from->rec, t->from->nr * sizeof(t->from->rec[0]));
	return taken;
}

bool pd_try_value(struct pd_try *t, unsigned int i, struct pd_bits bits, unsigned int value)
{
	struct pd_record rec = t->from->rec[i];

	pd_record_set(&rec, bits, (uint16_t)value);
	return pd_offer(t, i, &rec);
}

const struct pd_field *pd_field_of(uint8_t kind, enum pd_role role)
{
	const struct pd_field *f = pd_kind_by_number(kind)->fields;

	while (f->form != PD_FORM_END && f->role != role)
		f++;
	return f->form == PD_FORM_END ? NULL : f;
}

#define TRY_ALL 16u	/* small steps are all tried */

unsigned int pd_next_cut(unsigned int cut)
{
	return cut > TRY_ALL ? cut / 2 : cut - 1;
}

/* From the largest step to the smallest: the first that holds saves most. */
static bool pd_try_smaller(struct pd_try *t, unsigned int i, struct pd_bits bits)
{
	unsigned int value = pd_record_get(&t->from->rec[i], bits);

	for (unsigned int cut = value; cut; cut = pd_next_cut(cut))
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
	for (unsigned int cut = more; cut; cut = pd_next_cut(cut))
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

bool pd_reductions(const struct scenario *sc, bool (*use)(void *ctx, const struct scenario *sc),
		   void *ctx)
{
	struct scenario to = *sc;
	struct pd_try t = { .from = sc, .to = &to, .use = use, .ctx = ctx };

	if (pd_try_removals(&t) || pd_try_places(&t))
		return true;
	for (unsigned int i = 0; i < sc->nr; i++)
		if (pd_try_fields(&t, i))
			return true;
	return pd_try_squeezes(&t) || pd_try_forms(&t) || pd_try_trades(&t);
}
