/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ceiling CASES [SEED] - how far young and dirty may spread, against a fixpoint
 *
 * The judge computes groups of entries (harness/judge/ceiling.c). Here what an entry may have grows
 * until nothing changes, by rules that look at two entries at a time. Both must agree for every
 * entry of the range, over generated layouts and moves.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/judge/step.h"
#include "tests/build_text.h"

#define SPREADS		(LPTE_YOUNG | LPTE_DIRTY)
#define COMPARED	(LPTE_KIND | LPTE_WRITE | LPTE_UFFD_WP | LPTE_PROTNONE | LPTE_SPECIAL | \
			 LPTE_PROT)

static struct pd_state before, expected;
static struct pd_ceiling ceiling;
static struct scenario sc;
static lpte_t may[PD_NR_VA];	/* by page of the range */
static unsigned long compared, gained;

static bool in_src(const struct pd_step *st, unsigned int va)
{
	return va - st->span.src < st->span.pages;
}

static bool in_dst(const struct pd_step *st, unsigned int va)
{
	return va - st->span.dst < st->span.pages;
}

/* @b may follow @a in a batch or in a block. */
static bool follows(lpte_t a, lpte_t b)
{
	return lpte_normal(a) && lpte_normal(b) && lpte_pfn(b) == lpte_pfn(a) + 1 &&
	       pd_head(&before, lpte_pfn(a)) == pd_head(&before, lpte_pfn(b)) &&
	       !((a ^ b) & COMPARED);
}

/* What will be at @va when everything has landed. */
static lpte_t later(const struct pd_step *st, unsigned int va)
{
	return in_dst(st, va) ? expected.pte[va] : before.pte[va];
}

static bool block_lands_at(const struct pd_step *st, unsigned int base, unsigned int cont)
{
	for (unsigned int va = base; va + 1 < base + cont; va++)
		if (!follows(later(st, va), later(st, va + 1)))
			return false;
	return lpte_accessible(later(st, base)) && lpte_pfn(later(st, base)) % cont == 0;
}

/* What the entry at @va, in a block that some entry of the range leaves or lands in, brings. */
static lpte_t brings(const struct pd_step *st, unsigned int va, bool landing)
{
	if (landing && in_dst(st, va))
		return may[va - st->span.dst];
	if (in_src(st, va))
		return may[va - st->span.src];
	return before.pte[va] & SPREADS;
}

static lpte_t grow(const struct pd_step *st, unsigned int i, unsigned int cont)
{
	const lpte_t *pte = &before.pte[st->span.src];
	unsigned int src = st->span.src + i, dst = st->span.dst + i;
	lpte_t bits = may[i];

	if (i && src % PD_TABLE_PAGES && dst % PD_TABLE_PAGES && follows(pte[i - 1], pte[i]))
		bits |= may[i - 1];
	if (i + 1 < st->span.pages && (src + 1) % PD_TABLE_PAGES && (dst + 1) % PD_TABLE_PAGES &&
	    follows(pte[i], pte[i + 1]))
		bits |= may[i + 1];
	if (cont == 1)
		return bits;
	for (unsigned int k = 0; k < cont && (pte[i] & LPTE_CONT); k++)
		bits |= brings(st, src / cont * cont + k, false);
	for (unsigned int k = 0; k < cont && block_lands_at(st, dst / cont * cont, cont); k++)
		bits |= brings(st, dst / cont * cont + k, true);
	return bits;
}

/* A landing block that holds entries of the range gives to them, too. */
static lpte_t given(const struct pd_step *st, unsigned int i, unsigned int cont)
{
	unsigned int base = (st->span.src + i) / cont * cont;
	bool lands = false;
	lpte_t bits = 0;

	for (unsigned int k = 0; k < cont; k++)
		lands |= in_dst(st, base + k);
	for (unsigned int k = 0; k < cont && lands && block_lands_at(st, base, cont); k++)
		bits |= brings(st, base + k, true);
	return bits;
}

static void fixpoint(const struct pd_step *st)
{
	unsigned int cont = pd_arch_cont(st->arch);
	bool changed = true;

	for (unsigned int i = 0; i < st->span.pages; i++)
		may[i] = before.pte[st->span.src + i] & SPREADS;
	while (changed) {
		changed = false;
		for (unsigned int i = 0; i < st->span.pages; i++) {
			lpte_t bits = grow(st, i, cont) | (cont > 1 ? given(st, i, cont) : 0);

			changed |= bits != may[i];
			may[i] = bits;
		}
	}
}

static void check(const struct pd_op *op, const void *args, unsigned long n)
{
	for (enum pd_arch arch = 0; arch < PD_NR_ARCHES; arch++) {
		struct pd_step st = { .op = op, .arch = arch, .span = op->span(args),
				      .before = &before, .expected = &expected,
				      .ceiling = &ceiling };

		ceiling.made = false;
		fixpoint(&st);
		for (unsigned int i = 0; i < st.span.pages; i++) {
			lpte_t got = pd_ceiling_at(&st, PD_PLACE_DST, st.span.dst + i);

			compared++;
			gained += got != (before.pte[st.span.src + i] & SPREADS);
			if (got == may[i])
				continue;
			fprintf(stderr, "scenario %lu, %s, entry %u: %#lx, the fixpoint %#lx\n", n,
				pd_arch_name(arch), i, (unsigned long)got, (unsigned long)may[i]);
			pd_print(stderr, &sc, NULL, NULL);
			exit(1);
		}
	}
}

static void check_scenario(unsigned long n)
{
	for (unsigned int rec = 0; rec < sc.nr; rec++) {
		const struct pd_op *op = pd_op_by_kind(sc.rec[rec].kind);
		uint64_t args[PD_MAX_ARGS / 8];

		if (!op)
			continue;
		pd_op_args(op, &sc.rec[rec], args);
		if (op->fit(&before, args))
			return;
		if (op->prepare)
			op->prepare(&before, args);
		pd_state_copy(&expected, &before);
		op->reference(&expected, args);
		check(op, args, n);
		pd_state_copy(&before, &expected);
	}
}

int main(int argc, char **argv)
{
	unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 0) : 5000;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	const struct pd_op *mremap = NULL;
	struct pd_rng rng;

	for (unsigned int i = 0; i < pd_nr_ops; i++)
		if (!strcmp(pd_ops[i]->name, "mremap"))
			mremap = pd_ops[i];
	pd_state_init(&before);
	pd_state_init(&expected);
	for (unsigned long i = 0; i < cases; i++) {
		pd_rng_seed(&rng, seed, i);
		pd_generate(&sc, mremap, &rng);
		pd_state_clear(&before);
		pd_build(&sc, &before, NULL);
		check_scenario(i);
	}
	printf("%lu scenarios, %lu entries compared, %lu may gain a bit\n", cases, compared,
	       gained);
	return 0;
}
