/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far young and dirty may spread.
 *
 * Core code treats them as facts about a folio, so a batch may give every entry the OR of the
 * batch, and arm64 may give it to a whole contpte block when it folds or unfolds one. What an
 * entry may gain is the OR, at entry of the operation, over everything reachable from it by
 *
 *	the widest legal run, cut to the range of the step and to the page tables,
 *	the contpte block that it leaves, other entries of that block included,
 *	the contpte block that it lands in, if that block can fold, with whatever else is there:
 *	neighbours, and entries of the range that wait there for their own move,
 *
 * taken transitively. A run and a block lie in one folio, so it never reaches over two. What an
 * operation in place sets by itself counts as if it had been there: a block may be given it whole.
 */
#include "step.h"

#define SPREADS		(LPTE_YOUNG | LPTE_DIRTY)
#define NOT_RESPECTED	(SPREADS | LPTE_SOFT_DIRTY | LPTE_ENCODING | LPTE_PFN)

static bool same_folio_next(const struct pd_state *s, lpte_t a, lpte_t b)
{
	return lpte_normal(a) && lpte_normal(b) && lpte_pfn(b) == lpte_pfn(a) + 1 &&
	       pd_head(s, lpte_pfn(a)) == pd_head(s, lpte_pfn(b));
}

static bool in_run(const struct pd_step *st, unsigned int i)
{
	lpte_t a = st->before->pte[st->span.src + i], b = st->before->pte[st->span.src + i + 1];

	if ((st->span.src + i + 1) % PD_TABLE_PAGES == 0 ||
	    (st->span.dst + i + 1) % PD_TABLE_PAGES == 0)
		return false;
	return same_folio_next(st->before, a, b) && !((a ^ b) & ~NOT_RESPECTED);
}

/* The entry at @va of a landing block when the entries that land there have landed. */
static lpte_t landed(const struct pd_step *st, unsigned int va)
{
	return va - st->span.dst < st->span.pages ? st->expected->pte[va] : st->before->pte[va];
}

/* Could the aligned block of @cont entries at @base be folded then? */
static bool can_fold(const struct pd_step *st, unsigned int base, unsigned int cont)
{
	lpte_t a = landed(st, base), b;

	if (!lpte_accessible(a) || lpte_pfn(a) % cont)
		return false;
	for (unsigned int va = base + 1; va < base + cont; va++, a = b) {
		b = landed(st, va);
		if (!lpte_accessible(b) || !same_folio_next(st->before, a, b) ||
		    ((a ^ b) & ~NOT_RESPECTED))
			return false;
	}
	return true;
}

/* Young and dirty of source entry @va at entry, and what the operation sets there in place. */
static lpte_t source_bits(const struct pd_step *st, unsigned int va)
{
	lpte_t bits = st->before->pte[va];

	if (st->span.src == st->span.dst)
		bits |= st->expected->pte[va];
	return bits & SPREADS;
}

static unsigned int find(struct pd_ceiling *c, unsigned int i)
{
	while (c->parent[i] != i)
		i = c->parent[i] = c->parent[c->parent[i]];
	return i;
}

static void join(struct pd_ceiling *c, unsigned int i, unsigned int k)
{
	unsigned int a = find(c, i), b = find(c, k);

	if (a == b)
		return;
	c->parent[b] = (uint16_t)a;
	c->bits[a] |= c->bits[b];
}

/* The block around source entry @i, of which entries outside the range may be a part. */
static void join_source_block(struct pd_step *st, unsigned int i, unsigned int cont)
{
	unsigned int va = st->span.src + i;

	if (!(st->before->pte[va] & LPTE_CONT))
		return;
	for (unsigned int k = va / cont * cont; k < va / cont * cont + cont; k++) {
		if (k - st->span.src < st->span.pages)
			join(st->ceiling, i, k - st->span.src);
		else
			st->ceiling->bits[find(st->ceiling, i)] |= st->before->pte[k] & SPREADS;
	}
}

/* The block that entry @i lands in, with all that is there. */
static void join_landing_block(struct pd_step *st, unsigned int i, unsigned int cont)
{
	unsigned int base = (st->span.dst + i) / cont * cont;

	if (!can_fold(st, base, cont))
		return;
	for (unsigned int va = base; va < base + cont; va++) {
		if (va - st->span.dst < st->span.pages)
			join(st->ceiling, i, va - st->span.dst);
		else if (va - st->span.src < st->span.pages)
			join(st->ceiling, i, va - st->span.src);
		else
			st->ceiling->bits[find(st->ceiling, i)] |= st->before->pte[va] & SPREADS;
	}
}

/* Is entry @i the first of the range in its block at @first + i? */
static bool starts_block(unsigned int first, unsigned int i, unsigned int cont)
{
	return i == 0 || (first + i) % cont == 0;
}

static void make(struct pd_step *st)
{
	unsigned int cont = pd_arch_cont(st->arch), pages = st->span.pages;
	struct pd_ceiling *c = st->ceiling;

	for (unsigned int i = 0; i < pages; i++) {
		c->parent[i] = (uint16_t)i;
		c->bits[i] = source_bits(st, st->span.src + i);
	}
	for (unsigned int i = 0; i + 1 < pages; i++)
		if (in_run(st, i))
			join(c, i, i + 1);
	for (unsigned int i = 0; cont > 1 && i < pages; i++) {
		if (starts_block(st->span.src, i, cont))
			join_source_block(st, i, cont);
		if (starts_block(st->span.dst, i, cont))
			join_landing_block(st, i, cont);
	}
	c->made = true;
}

/* An entry outside the ranges: its own block, and the block that moved entries complete. */
static lpte_t edge(struct pd_step *st, unsigned int va, unsigned int cont)
{
	unsigned int base = va / cont * cont;
	lpte_t bits = st->before->pte[va] & SPREADS;
	bool folds = can_fold(st, base, cont);

	for (unsigned int k = base; k < base + cont; k++) {
		if (st->before->pte[va] & LPTE_CONT)
			bits |= k - st->span.src < st->span.pages ? source_bits(st, k) :
								    st->before->pte[k] & SPREADS;
		if (folds && k - st->span.dst < st->span.pages)
			bits |= st->ceiling->bits[find(st->ceiling, k - st->span.dst)];
	}
	return bits;
}

/* pd_ceiling_at() - the young and dirty bits that the entry at @va may have. */
lpte_t pd_ceiling_at(struct pd_step *st, enum pd_place place, unsigned int va)
{
	unsigned int cont = pd_arch_cont(st->arch);

	if (!st->ceiling->made)
		make(st);
	if (place == PD_PLACE_DST)
		return st->ceiling->bits[find(st->ceiling, va - st->span.dst)];
	if (place == PD_PLACE_SRC)
		return st->ceiling->bits[find(st->ceiling, va - st->span.src)];
	return cont > 1 ? edge(st, va, cont) : st->before->pte[va] & SPREADS;
}
