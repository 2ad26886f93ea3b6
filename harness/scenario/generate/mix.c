/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs from page to page within a folio: the bits records of a piece.
 *
 * A field is changed only where the entries stay legal, so that little is repaired away.
 */
#include "harness/scenario/generate/generate.h"

static void add_bits(struct pd_gen *g, unsigned int field, unsigned int mode,
		     const struct pd_record *where)
{
	struct pd_record *rec = pd_gen_add(g, PD_KIND_BITS);

	*rec = *where;
	pd_record_set(rec, PD_BITS_F_FIELD, (uint16_t)field);
	pd_record_set(rec, PD_BITS_F_MODE, (uint16_t)mode);
}

static void set_range(struct pd_record *rec, unsigned int va, unsigned int pages)
{
	pd_record_set(rec, PD_BITS_F_VA, (uint16_t)va);
	pd_record_set(rec, PD_BITS_F_PAGES, (uint16_t)(pages - 1));
}

/* Which pages differ: by a pattern, or one stretch of the piece. */
static void choose_pages(struct pd_gen *g, const struct pd_piece *p, struct pd_record *rec)
{
	unsigned int at = pd_below(g->rng, p->pages);

	pd_record_set(rec, PD_BITS_F_PATTERN, UINT16_MAX);
	switch (pd_below(g->rng, 10)) {
	case 0:
		set_range(rec, p->va, 1);
		break;
	case 1:
		set_range(rec, p->va + p->pages - 1, 1);
		break;
	case 2:
		set_range(rec, p->va, (p->pages + 1) / 2);
		break;
	case 3:
		set_range(rec, p->va + at, 1);
		break;
	case 4:
		set_range(rec, p->va + at, 1 + pd_below(g->rng, p->pages - at));
		break;
	default:
		set_range(rec, p->va, p->pages);
		pd_record_set(rec, PD_BITS_F_PATTERN, pd_gen_pattern(g->rng));
		break;
	}
}

/* One whole block of a piece, or the piece when it holds none. */
static void choose_block(struct pd_gen *g, const struct pd_piece *p, struct pd_record *rec)
{
	unsigned int first = (p->va + PD_BLOCK - 1) & ~(PD_BLOCK - 1);
	unsigned int blocks = p->va + p->pages >= first ? (p->va + p->pages - first) / PD_BLOCK : 0;

	pd_record_set(rec, PD_BITS_F_PATTERN, UINT16_MAX);
	if (blocks)
		set_range(rec, first + PD_BLOCK * pd_below(g->rng, blocks), PD_BLOCK);
	else
		set_range(rec, p->va, p->pages);
}

/* Fields in which the entries of a contpte block may differ. */
static bool varies_in_block(unsigned int field)
{
	return field == PD_FIELD_YOUNG || field == PD_FIELD_DIRTY || field == PD_FIELD_SWDIRTY ||
	       field == PD_FIELD_SOFT_DIRTY || field == PD_FIELD_EXCL;
}

static unsigned int choose_field(struct pd_gen *g, const struct pd_piece *p)
{
	static const uint8_t fields[] = {
		PD_FIELD_WRITE, PD_FIELD_WRITE, PD_FIELD_WRITE, PD_FIELD_WRITE, PD_FIELD_WRITE,
		PD_FIELD_YOUNG, PD_FIELD_YOUNG, PD_FIELD_YOUNG, PD_FIELD_DIRTY, PD_FIELD_DIRTY,
		PD_FIELD_DIRTY, PD_FIELD_SOFT_DIRTY, PD_FIELD_SOFT_DIRTY, PD_FIELD_EXCL,
		PD_FIELD_EXCL, PD_FIELD_PROTNONE, PD_FIELD_SWDIRTY, PD_FIELD_CONT, PD_FIELD_PROT0,
		PD_FIELD_PROT1, PD_FIELD_SHARED,
	};

	if (g->vma.uffd && pd_in_vma(&g->vma, p) && pd_chance(g->rng, 2, 3))
		return PD_FIELD_UFFD_WP;
	if (p->cont && p->pages >= 2 * PD_BLOCK && pd_chance(g->rng, 1, 3))
		return PD_FIELD_WRITE;
	return PD_PICK(g->rng, fields);
}

/* Would some of the piece's entries be repaired if @field changed? */
static bool allowed(const struct pd_gen *g, const struct pd_piece *p, unsigned int field)
{
	switch (field) {
	case PD_FIELD_WRITE:
		return pd_may_write(g, p) && !p->frozen;
	case PD_FIELD_EXCL:
		return p->alone && !p->write;
	case PD_FIELD_SHARED:
		return !p->excl;
	case PD_FIELD_SWDIRTY:
		return p->write && p->dirty;
	case PD_FIELD_CONT:
		return p->cont;
	default:
		return true;
	}
}

void pd_gen_mix(struct pd_gen *g, struct pd_piece *p)
{
	unsigned int field = choose_field(g, p);
	bool bars_write = field == PD_FIELD_UFFD_WP || field == PD_FIELD_PROTNONE;
	struct pd_record where = { .kind = PD_KIND_BITS };
	unsigned int mode = PD_MODE_XOR;

	if (!allowed(g, p, field))
		field = pd_chance(g->rng, 1, 2) ? PD_FIELD_DIRTY : PD_FIELD_YOUNG;
	if (p->cont && !varies_in_block(field) && pd_chance(g->rng, 7, 8))
		choose_block(g, p, &where);
	else
		choose_pages(g, p, &where);
	if (bars_write) {
		if (p->write)
			add_bits(g, PD_FIELD_WRITE, PD_MODE_CLEAR, &where);
		p->frozen = true;
		mode = PD_MODE_SET;
	} else if (pd_chance(g->rng, 1, 3)) {
		mode = PD_MODE_ASSIGN;
	}
	add_bits(g, field, mode, &where);
	p->write |= field == PD_FIELD_WRITE;
	p->excl &= field != PD_FIELD_EXCL;
	p->dirty &= field != PD_FIELD_DIRTY;
}
