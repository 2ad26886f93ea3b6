/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations, and what happens during them: hardware accesses and faults.
 *
 * An operation is known here by the fields of its kind only. Its range is aimed at the arena or
 * at what the operation before it moved; the other fields follow from form and role.
 */
#include "harness/scenario/generate/generate.h"
#include "model/shim/include/pd/world.h"

#define MAX_STEP	200u	/* of a hardware access: within the first few batches */

/* Where the operation works: chosen once, its fields are made from it. */
struct target {
	unsigned int va, pages, dst;
};

static const struct pd_field *field_of(const struct pd_kind *kind, enum pd_role role)
{
	for (const struct pd_field *f = kind->fields; f->form != PD_FORM_END; f++)
		if (f->role == role && f->at.width)
			return f;
	return NULL;
}

/* ---- the range ---- */

/* From one place where something changes to another. */
static void between_marks(struct pd_gen *g, struct target *t)
{
	unsigned int a = g->mark[pd_below(g->rng, g->nr_marks)];
	unsigned int b = g->mark[pd_below(g->rng, g->nr_marks)];

	if (a == b)
		b = g->mark[pd_below(g->rng, g->nr_marks)];
	t->va = a < b ? a : b;
	t->pages = a < b ? b - a : a - b;
}

/* The extent that the arena was made for, from its start, its end, or shifted a little. */
static void over_arena(struct pd_gen *g, struct target *t)
{
	static const uint8_t shifts[] = { 0, 0, 0, 0, 1, 2, 7, 8 };
	unsigned int slack = g->hi - g->lo > g->extent ? g->hi - g->lo - g->extent : 0;
	unsigned int shift = PD_PICK(g->rng, shifts);

	t->pages = g->extent;
	t->va = g->lo + (pd_chance(g->rng, 1, 3) ? slack : shift < slack ? shift : 0);
}

/* What the operation before left, all of it or a part. */
static void over_hot(struct pd_gen *g, struct target *t)
{
	unsigned int first = pd_chance(g->rng, 1, 2) ? 0 : pd_below(g->rng, g->hot_pages);

	t->va = g->hot_va + first;
	t->pages = g->hot_pages - first;
	if (t->pages > 1 && pd_chance(g->rng, 1, 3))
		t->pages = 1 + pd_below(g->rng, t->pages);
}

/* One page more or less at one end. */
static void nudge(struct pd_gen *g, struct target *t)
{
	switch (pd_below(g->rng, 16)) {
	case 0:
		t->va += t->pages > 1;
		t->pages -= t->pages > 1;
		break;
	case 1:
		t->pages -= t->pages > 1;
		break;
	case 2:
		t->pages++;
		break;
	default:
		break;
	}
}

static void choose_range(struct pd_gen *g, struct target *t, unsigned int most)
{
	bool first = g->hot_va == g->lo;

	if (!first && pd_chance(g->rng, 3, 5))
		over_hot(g, t);
	else if (g->nr_marks > 2 && pd_chance(g->rng, first ? 2 : 4, 6))
		between_marks(g, t);
	else
		over_arena(g, t);
	nudge(g, t);
	if (!t->pages)
		t->pages = 1;
	if (t->pages > most)
		t->pages = most;
	if (t->va >= PD_NR_VA)
		t->va = PD_NR_VA - 1;
	if (t->pages > PD_NR_VA - t->va)
		t->pages = PD_NR_VA - t->va;
}

/* ---- where to ---- */

/* The page within its table: as the source lies, a little off, or short of the table's end. */
static unsigned int choose_offset(struct pd_gen *g, const struct target *t)
{
	static const uint8_t shifts[] = { 0, 0, 0, 0, 0, 0, 0, 1, 1, 8, 8, 16, 16, 17 };
	static const uint8_t before[] = { 1, 4, 8, 15, 16, 24, 32 };

	if (t->pages >= PD_TABLE && pd_chance(g->rng, 3, 4))
		return t->va % PD_TABLE;
	switch (pd_below(g->rng, 10)) {
	case 0:
		return pd_below(g->rng, PD_TABLE);
	case 1:
		return PD_TABLE - PD_PICK(g->rng, before);
	case 2:
		return PD_TABLE - 1 - pd_below(g->rng, t->pages) % PD_TABLE;
	case 3:
		return t->va % PD_BLOCK + PD_BLOCK * pd_below(g->rng, PD_TABLE / PD_BLOCK - 1);
	default:
		return (t->va + PD_PICK(g->rng, shifts)) % PD_TABLE;
	}
}

static bool overlaps(unsigned int a, unsigned int b, unsigned int pages)
{
	return a < b + pages && b < a + pages;
}

static void choose_dst(struct pd_gen *g, struct target *t)
{
	unsigned int tables = PD_NR_VA / PD_TABLE, here = t->va / PD_TABLE;
	unsigned int gap = (t->pages + PD_BLOCK - 1) & ~(PD_BLOCK - 1);

	if (t->pages < PD_TABLE / 2 && pd_chance(g->rng, 1, 6)) {
		t->dst = t->va % PD_TABLE < PD_TABLE / 2 ? t->va + gap : t->va - gap;
		t->dst += PD_BLOCK / 2 * pd_below(g->rng, 3);
		if (t->dst + t->pages <= PD_NR_VA && !overlaps(t->dst, t->va, t->pages))
			return;
	}
	for (unsigned int tries = 0; tries < 3; tries++) {
		unsigned int table = (here + 1 + pd_below(g->rng, tables - 1)) % tables;

		t->dst = table * PD_TABLE + choose_offset(g, t) % PD_TABLE;
		if (t->dst > PD_NR_VA - t->pages)
			t->dst = PD_NR_VA - t->pages;
		if (!overlaps(t->dst, t->va, t->pages))
			return;
	}
}

/* Now and then something is mapped already where the pages go. */
static void occupy_dst(struct pd_gen *g, const struct target *t)
{
	unsigned int first = pd_below(g->rng, t->pages);

	if (pd_chance(g->rng, 1, 12))
		pd_gen_piece(g, t->dst + first, t->pages - first);
}

/* ---- the fields ---- */

static unsigned int most_pages(const struct pd_field *range)
{
	return range && range->form == PD_FORM_RANGE ? 1u + pd_bits_mask(range->more) : 1;
}

/*
 * What an operation in place does is up to its flags; of one that moves pages they mean most where
 * whole tables are concerned.
 */
static bool choose_flag(struct pd_gen *g, const struct target *t)
{
	bool whole = t->pages >= PD_TABLE && t->va % PD_TABLE == t->dst % PD_TABLE;

	if (t->dst == t->va)
		return pd_chance(g->rng, 1, 2);
	return whole ? pd_chance(g->rng, 3, 4) : pd_chance(g->rng, 1, 4);
}

/*
 * A number without a word is what the operation is about: of any magnitude, the largest least
 * often. The order of a folio is one, and to clear a gigantic one is 262,144 pages of work.
 */
static uint16_t subject(struct pd_gen *g, unsigned int width)
{
	unsigned int a = pd_below(g->rng, width), b = pd_below(g->rng, width);

	return (uint16_t)pd_below(g->rng, 2u << (a < b ? a : b));
}

static uint16_t plain_value(struct pd_gen *g, const struct pd_field *f, const struct target *t)
{
	switch (f->form) {
	case PD_FORM_FLAG:
		return choose_flag(g, t);
	case PD_FORM_ENUM:
		return pd_gen_enum(g->rng, f);
	case PD_FORM_PATTERN:
		return pd_gen_pattern(g->rng);
	default:
		return f->name ? pd_gen_number(g->rng, f->at.width) : subject(g, f->at.width);
	}
}

static uint16_t value_for(struct pd_gen *g, const struct pd_field *f, const struct target *t)
{
	switch (f->role) {
	case PD_ROLE_VA:
		return (uint16_t)t->va;
	case PD_ROLE_DST:
		return (uint16_t)t->dst;
	case PD_ROLE_PFN:
		return (uint16_t)pd_below(g->rng, g->pfn + 1);
	case PD_ROLE_STEP:
		return (uint16_t)pd_below(g->rng, MAX_STEP + 1);
	default:
		return plain_value(g, f, t);
	}
}

static void fill_fields(struct pd_gen *g, struct pd_record *rec, const struct pd_field *f,
			const struct target *t)
{
	for (; f->form != PD_FORM_END; f++) {
		if (f->at.width)
			pd_record_set(rec, f->at, value_for(g, f, t));
		if (f->form == PD_FORM_RANGE && f->more.width)
			pd_record_set(rec, f->more, (uint16_t)(t->pages - 1));
	}
}

/* ---- meanwhile ---- */

static void add_hw(struct pd_gen *g, const struct target *t)
{
	static const uint8_t whats[] = { PD_HW_WRITE, PD_HW_WRITE, PD_HW_WRITE, PD_HW_READ,
					 PD_HW_READ, PD_HW_PIN };
	static const uint8_t steps[] = { 8, 40, MAX_STEP + 1 };
	unsigned int first = pd_below(g->rng, t->pages), pages = t->pages - first;
	struct pd_record *rec = pd_gen_add(g, PD_KIND_HW);

	pd_record_set(rec, PD_HW_F_WHAT, PD_PICK(g->rng, whats));
	pd_record_set(rec, PD_HW_F_VA, (uint16_t)(t->va + first));
	pd_record_set(rec, PD_HW_F_STEP, (uint16_t)pd_below(g->rng, PD_PICK(g->rng, steps)));
	if (pd_chance(g->rng, 1, 2))
		pages = 1;
	pd_record_set(rec, PD_HW_F_PAGES, (uint16_t)(pages - 1));
}

static void add_fault(struct pd_gen *g, const struct target *t)
{
	struct pd_record *rec = pd_gen_add(g, PD_KIND_FAULT);
	bool map = pd_chance(g->rng, 1, 2);
	unsigned int va = t->va + pd_below(g->rng, t->pages);

	if (map && pd_chance(g->rng, 1, 2))
		va = t->dst + pd_below(g->rng, t->pages);
	pd_record_set(rec, PD_FAULT_F_SITE,
		      (uint16_t)(map ? PD_FAULT_MAP : pd_below(g->rng, PD_NR_FAULT_SITES)));
	pd_record_set(rec, PD_FAULT_F_TIMES, (uint16_t)pd_below(g->rng, 3));
	pd_record_set(rec, PD_FAULT_F_VA, (uint16_t)va);
}

void pd_gen_op(struct pd_gen *g, const struct pd_op *op)
{
	const struct pd_field *range = field_of(&op->kind, PD_ROLE_VA);
	struct target t;

	choose_range(g, &t, most_pages(range));
	t.dst = t.va;
	if (field_of(&op->kind, PD_ROLE_DST)) {
		choose_dst(g, &t);
		occupy_dst(g, &t);
	}
	if (pd_chance(g->rng, 1, 16))
		for (unsigned int left = 1 + pd_below(g->rng, 2); left; left--)
			add_hw(g, &t);
	if (pd_chance(g->rng, 1, 32))
		add_fault(g, &t);
	fill_fields(g, pd_gen_add(g, op->kind.number), op->kind.fields, &t);
	if (range) {
		g->hot_va = t.dst;
		g->hot_pages = t.pages;
	}
}
