/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reference_local CASES [SEED] - laws of the references, through the chains of generated scenarios
 *
 *	legal before, legal after: what the caller prepares, and what the reference leaves;
 *	deterministic;
 *	local: entries change only where the operation works, but for the CONT bit of a block that
 *	it cuts and for what its contract leaves open there;
 *	arguments that fit are left alone by a second fitting.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/scenario/scenario.h"
#include "model/state/legal.h"
#include "tests/build_text.h"

static struct pd_state s, before, again;
static struct scenario sc;
static uint64_t seed = 1;
static unsigned long steps, skipped, changed;

static void failed(const char *law, unsigned long i, unsigned int rec)
{
	fprintf(stderr, "%s: record %u of scenario %lu, seed %lu\n", law, rec, i, seed);
	pd_print(stderr, &sc, NULL, NULL);
	exit(1);
}

static bool inside(const struct pd_span *span, unsigned int va)
{
	return va - span->src < span->pages || va - span->dst < span->pages;
}

/* Is @va in a block of which the range has a part? */
static bool at_edge(const struct pd_span *span, unsigned int va)
{
	for (unsigned int k = va / PD_GRANULE * PD_GRANULE, i = 0; i < PD_GRANULE; i++)
		if (inside(span, k + i))
			return true;
	return false;
}

/* Splitting a folio, for one, ends its blocks wherever they are. */
static lpte_t left_open(const struct pd_op *op, enum pd_place place)
{
	lpte_t bits = 0;

	for (const struct pd_row *row = op->rows; row->field; row++)
		if (row->subject == PD_SUBJECT_PTE && row->place == place &&
		    row->grade == PD_GRADE_DONT_CARE)
			bits |= row->mask;
	return bits;
}

static bool local(const struct pd_op *op, const struct pd_span *span, const struct pd_state *a,
		  const struct pd_state *b)
{
	lpte_t edge = LPTE_CONT | left_open(op, PD_PLACE_EDGE);
	lpte_t rest = left_open(op, PD_PLACE_REST);

	for (unsigned int va = 0; va < PD_NR_VA; va++) {
		lpte_t may_differ = inside(span, va) ? ~0ULL : at_edge(span, va) ? edge : rest;

		if ((a->pte[va] ^ b->pte[va]) & ~may_differ)
			return false;
	}
	return true;
}

static void check_legal(const char *law, unsigned long i, unsigned int rec)
{
	unsigned int va;
	enum pd_rule rule = pd_legal(&s, PD_GRANULE, &va);

	if (rule == PD_RULE_NONE)
		return;
	fprintf(stderr, "page %u: %s\n", va, pd_rule_text(rule));
	failed(law, i, rec);
}

static void check_reference(const struct pd_op *op, const void *args, unsigned long i,
			    unsigned int rec)
{
	struct pd_span span = op->span(args);
	struct pd_outcome first, second;

	pd_state_copy(&before, &s);
	if (op->prepare)
		op->prepare(&s, args);
	check_legal("the caller leaves an illegal state", i, rec);
	if (!local(op, &span, &before, &s))
		failed("the caller changes other entries", i, rec);
	pd_state_copy(&before, &s);
	first = op->reference(&s, args);
	check_legal("the reference leaves an illegal state", i, rec);
	if (!local(op, &span, &before, &s))
		failed("the reference changes other entries", i, rec);
	pd_state_copy(&again, &before);
	second = op->reference(&again, args);
	if (!same_state(&s, &again) || first.ret != second.ret ||
	    first.changed != second.changed || first.notify != second.notify)
		failed("the reference is not deterministic", i, rec);
	steps++;
	changed += first.changed;
}

static void check(unsigned long i)
{
	for (unsigned int rec = 0; rec < sc.nr; rec++) {
		const struct pd_op *op = pd_op_by_kind(sc.rec[rec].kind);
		uint64_t args[PD_MAX_ARGS / 8] = { 0 }, fitted[PD_MAX_ARGS / 8];

		if (!op)
			continue;
		pd_op_args(op, &sc.rec[rec], args);
		if (op->fit(&s, args)) {
			skipped++;
			continue;
		}
		memcpy(fitted, args, sizeof(fitted));
		if (op->fit(&s, fitted) || memcmp(fitted, args, op->args_size))
			failed("what fits is fitted again", i, rec);
		check_reference(op, args, i, rec);
	}
}

int main(int argc, char **argv)
{
	unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
	struct pd_rng rng;

	if (argc > 2)
		seed = strtoull(argv[2], NULL, 0);
	pd_state_init(&s);
	pd_state_init(&before);
	pd_state_init(&again);
	for (unsigned long i = 0; i < cases; i++) {
		pd_rng_seed(&rng, seed, i);
		pd_generate(&sc, NULL, &rng);
		pd_state_clear(&s);
		pd_build(&sc, &s, NULL);
		check(i);
	}
	printf("%lu scenarios, %lu operations, %lu skipped, %lu entries changed\n", cases, steps,
	       skipped, changed);
	return 0;
}
