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
 *	the contpte block that it lands in, if that block can fold, neighbours included,
 *
 * taken transitively. A run and a block lie in one folio, so it never reaches over two.
 *
 * All three are intervals, so a group is a stretch of entries of the range, found in one pass.
 */
#include <string.h>

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

static bool in_source_block(const struct pd_step *st, unsigned int i, unsigned int cont)
{
	unsigned int va = st->span.src + i;

	return cont > 1 && va / cont == (va + 1) / cont && (st->before->pte[va] & LPTE_CONT);
}

/* Could the aligned block of @cont entries at @base be folded when the operation is done? */
static bool can_fold(const struct pd_state *s, unsigned int base, unsigned int cont)
{
	if (!lpte_accessible(s->pte[base]) || lpte_pfn(s->pte[base]) % cont)
		return false;
	for (unsigned int i = base; i + 1 < base + cont; i++)
		if (!lpte_accessible(s->pte[i + 1]) ||
		    !same_folio_next(s, s->pte[i], s->pte[i + 1]) ||
		    ((s->pte[i] ^ s->pte[i + 1]) & ~NOT_RESPECTED))
			return false;
	return true;
}

static bool lands_in_block(const struct pd_step *st, unsigned int va, unsigned int cont)
{
	return cont > 1 && can_fold(st->expected, va / cont * cont, cont);
}

static bool in_landing_block(const struct pd_step *st, unsigned int i, unsigned int cont)
{
	unsigned int va = st->span.dst + i;

	return cont > 1 && va / cont == (va + 1) / cont && lands_in_block(st, va, cont);
}

/* OR over the entries of the block around @va that are outside [@first, @first + @pages). */
static lpte_t block_outside(const struct pd_state *s, unsigned int va, unsigned int cont,
			    unsigned int first, unsigned int pages)
{
	lpte_t bits = 0;

	for (unsigned int i = va / cont * cont; i < va / cont * cont + cont; i++)
		if (i - first >= pages)
			bits |= s->pte[i];
	return bits & SPREADS;
}

/* What entry @i brings into its group: its own bits and those of cut blocks around it. */
static lpte_t brings(const struct pd_step *st, unsigned int i, unsigned int cont)
{
	unsigned int src = st->span.src + i, dst = st->span.dst + i;
	lpte_t bits = st->before->pte[src] & SPREADS;

	if (cont > 1 && (st->before->pte[src] & LPTE_CONT))
		bits |= block_outside(st->before, src, cont, st->span.src, st->span.pages);
	if (lands_in_block(st, dst, cont))
		bits |= block_outside(st->before, dst, cont, st->span.dst, st->span.pages);
	return bits;
}

static void make(struct pd_step *st)
{
	struct pd_ceiling *c = st->ceiling;
	unsigned int cont = pd_arch_cont(st->arch);
	unsigned int first = 0;
	lpte_t bits = 0;

	for (unsigned int i = 0; i < st->span.pages; i++) {
		bits |= brings(st, i, cont);
		if (i + 1 < st->span.pages && (in_run(st, i) || in_source_block(st, i, cont) ||
					       in_landing_block(st, i, cont)))
			continue;
		for (; first <= i; first++)
			c->dst[first] = bits;
		bits = 0;
	}
	c->made = true;
}

/* An entry outside the ranges: its own block, and the block that moved entries complete. */
static lpte_t edge(struct pd_step *st, unsigned int va, unsigned int cont)
{
	lpte_t bits = st->before->pte[va] & SPREADS;

	if (st->before->pte[va] & LPTE_CONT)
		bits |= block_outside(st->before, va, cont, 0, 0);
	if (!lands_in_block(st, va, cont))
		return bits;
	for (unsigned int i = va / cont * cont; i < va / cont * cont + cont; i++)
		if (i - st->span.dst < st->span.pages)
			bits |= st->ceiling->dst[i - st->span.dst];
	return bits | block_outside(st->before, va, cont, st->span.dst, st->span.pages);
}

/* pd_ceiling_at() - the young and dirty bits that the entry at @va may have. */
lpte_t pd_ceiling_at(struct pd_step *st, enum pd_place place, unsigned int va)
{
	unsigned int cont = pd_arch_cont(st->arch);

	if (!st->ceiling->made)
		make(st);
	if (place == PD_PLACE_DST)
		return st->ceiling->dst[va - st->span.dst];
	if (place == PD_PLACE_SRC)
		return st->span.src == st->span.dst ? st->ceiling->dst[va - st->span.src] : 0;
	return cont > 1 ? edge(st, va, cont) : st->before->pte[va] & SPREADS;
}
