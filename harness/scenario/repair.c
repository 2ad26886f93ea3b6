/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Making a state legal, and saying how.
 *
 * Every repair is a record: a bits record that clears a bit, or a hole. Appended to the layout,
 * they build the same state with nothing left to repair, which is what a reproducer needs.
 */
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "model/shim/include/pd/world.h"
#include "model/state/legal.h"

void pd_repair_keep(struct pd_builder *b, const struct pd_record *rec)
{
	struct scenario *fixed = b->repair ? b->repair->fixed : NULL;

	if (fixed && fixed->nr < PD_MAX_RECORDS)
		fixed->rec[fixed->nr++] = *rec;
}

void pd_repair_note(struct pd_builder *b, const struct pd_record *rec, const char *why)
{
	char line[256];

	if (!b->repair)
		return;
	b->repair->count++;
	if (!b->repair->log)
		return;
	pd_print_record(line, sizeof(line), rec);
	fprintf(b->repair->log, "%s  # %s\n", line, why);
}

/* What can be done about a broken rule. */
enum pd_fix {
	PD_FIX_HOLE,
	PD_FIX_EXCL,
	PD_FIX_UFFD_WP,
	PD_FIX_WRITE,
	PD_NR_FIXES
};

/* Fixes of one kind over neighbouring pages are one record. */
struct pd_fix_run {
	unsigned int va, pages;
	const char *why;
};

static void pd_fix_flush(struct pd_builder *b, enum pd_fix fix, struct pd_fix_run *run)
{
	static const uint8_t fields[PD_NR_FIXES] = {
		[PD_FIX_EXCL] = PD_FIELD_EXCL,
		[PD_FIX_UFFD_WP] = PD_FIELD_UFFD_WP,
		[PD_FIX_WRITE] = PD_FIELD_WRITE,
	};
	struct pd_record rec = { .kind = PD_KIND_NONPRESENT };

	if (!run->pages)
		return;
	if (fix == PD_FIX_HOLE) {
		pd_record_set(&rec, PD_NP_F_VA, (uint16_t)run->va);
		pd_record_set(&rec, PD_NP_F_PAGES, (uint16_t)(run->pages - 1));
	} else {
		rec.kind = PD_KIND_BITS;
		pd_record_set(&rec, PD_BITS_F_FIELD, fields[fix]);
		pd_record_set(&rec, PD_BITS_F_MODE, PD_MODE_CLEAR);
		pd_record_set(&rec, PD_BITS_F_VA, (uint16_t)run->va);
		pd_record_set(&rec, PD_BITS_F_PAGES, (uint16_t)(run->pages - 1));
		pd_record_set(&rec, PD_BITS_F_PATTERN, UINT16_MAX);
	}
	pd_repair_keep(b, &rec);
	pd_repair_note(b, &rec, run->why);
	run->pages = 0;
}

static void pd_fix_note(struct pd_builder *b, struct pd_fix_run *runs, enum pd_fix fix,
			unsigned int va, const char *why)
{
	struct pd_fix_run *run = &runs[fix];

	if (!b->repair)
		return;
	if (run->pages && run->va + run->pages == va && run->why == why) {
		run->pages++;
		return;
	}
	pd_fix_flush(b, fix, run);
	*run = (struct pd_fix_run){ .va = va, .pages = 1, .why = why };
}

static enum pd_fix pd_fix_for(enum pd_rule rule, lpte_t pte)
{
	switch (rule) {
	case PD_RULE_FRAME:
	case PD_RULE_VMA_TYPE:
		return PD_FIX_HOLE;
	case PD_RULE_VMA_UFFD:
		return lpte_present(pte) ? PD_FIX_UFFD_WP : PD_FIX_HOLE;
	case PD_RULE_EXCLUSIVE_ONCE:
		return PD_FIX_EXCL;
	default:
		return PD_FIX_WRITE;
	}
}

static void pd_fix_entry(struct pd_builder *b, struct pd_fix_run *runs, unsigned int va)
{
	struct pd_state *s = b->s;
	enum pd_rule rule;

	while ((rule = pd_legal_pte(s, va)) != PD_RULE_NONE) {
		enum pd_fix fix = pd_fix_for(rule, s->pte[va]);

		if (fix == PD_FIX_HOLE)
			pd_state_set(s, va, 0);
		else if (fix == PD_FIX_EXCL)
			s->page[lpte_pfn(s->pte[va])].exclusive = false;
		else
			s->pte[va] &= ~(fix == PD_FIX_WRITE ? LPTE_WRITE : LPTE_UFFD_WP);
		pd_fix_note(b, runs, fix, va, pd_rule_text(rule));
	}
	/* Not every arch can hold an executable entry that nobody may access. */
	if (s->pte[va] & LPTE_PROTNONE)
		s->pte[va] &= ~(1ULL << LPTE_PROT_SHIFT);
	/* Only a writable dirty entry has a second encoding. */
	if ((s->pte[va] & (LPTE_WRITE | LPTE_DIRTY)) != (LPTE_WRITE | LPTE_DIRTY))
		s->pte[va] &= ~LPTE_SWDIRTY;
}

/*
 * To ask for contpte is to ask for blocks where there can be some, so clearing the rest is no
 * repair. A granule is as long as a block.
 */
static void pd_settle_block(struct pd_state *s, unsigned int base)
{
	if (pd_legal_block(s, base, PD_GRANULE) == PD_RULE_NONE)
		return;
	for (unsigned int va = base; va < base + PD_GRANULE; va++)
		s->pte[va] &= ~LPTE_CONT;
}

void pd_repair_entries(struct pd_builder *b)
{
	struct pd_fix_run runs[PD_NR_FIXES] = { 0 };
	unsigned int g;

	pd_for_each_granule(g, b->s->va_touched, PD_VA_WORDS)
		for (unsigned int va = g * PD_GRANULE; va < (g + 1) * PD_GRANULE; va++)
			pd_fix_entry(b, runs, va);
	pd_for_each_granule(g, b->s->va_touched, PD_VA_WORDS)
		pd_settle_block(b->s, g * PD_GRANULE);
	for (unsigned int fix = 0; fix < PD_NR_FIXES; fix++)
		pd_fix_flush(b, (enum pd_fix)fix, &runs[fix]);
}

/* One operation: its arguments as they will be used; the state goes on behind it. Return: false
 * when it would be skipped. */
static bool pd_repair_op(struct pd_builder *b, struct pd_state *s, const struct pd_op *op,
			 struct pd_record rec)
{
	uint64_t args[PD_MAX_ARGS / sizeof(uint64_t)];
	struct pd_record fitted = { .kind = rec.kind };
	const char *skip;

	pd_op_args(op, &rec, args);
	skip = op->fit(s, args);
	if (skip) {
		pd_repair_note(b, &rec, skip);
		return false;
	}
	pd_op_record(op, args, &fitted);
	if (memcmp(fitted.h, rec.h, sizeof(rec.h)))
		pd_repair_note(b, &fitted, "made to fit the state");
	pd_repair_keep(b, &fitted);
	if (op->prepare)
		op->prepare(s, args);
	s->results.nr = 0;
	op->reference(s, args);
	return true;
}

/* Only so many hardware accesses and faults are bound to one operation. */
static void pd_repair_bound(struct pd_builder *b, const struct pd_record *rec, unsigned int *nr_hw,
			    unsigned int *nr_faults)
{
	bool hw = rec->kind == PD_KIND_HW;

	if (hw ? *nr_hw == PD_MAX_HW : *nr_faults == PD_MAX_FAULTS) {
		pd_repair_note(b, rec, "dropped: too many before one operation");
		return;
	}
	++*(hw ? nr_hw : nr_faults);
	pd_repair_keep(b, rec);
}

void pd_repair_ops(struct pd_builder *b, const struct scenario *sc, unsigned int first)
{
	struct scenario *fixed = b->repair->fixed;
	unsigned int nr_hw = 0, nr_faults = 0, nr_ops = 0;
	struct pd_state *s = malloc(sizeof(*s));
	unsigned int mark = fixed ? fixed->nr : 0, bound = first;

	if (!s)
		return;
	pd_state_init(s);
	pd_state_copy(s, b->s);
	for (unsigned int i = first; i < sc->nr; i++) {
		const struct pd_op *op = pd_op_by_kind(sc->rec[i].kind);

		if (!op) {
			pd_repair_bound(b, &sc->rec[i], &nr_hw, &nr_faults);
			continue;
		}
		if (nr_ops++ == PD_MAX_OPS) {
			pd_repair_note(b, &sc->rec[i],
				       "dropped with all after it: too many operations");
			break;
		}
		pd_faults_bound(&s->faults, &sc->rec[bound], &sc->rec[i]);
		bound = i + 1;
		/* What was bound to an operation that is dropped goes with it. */
		if (!pd_repair_op(b, s, op, sc->rec[i]) && fixed)
			fixed->nr = mark;
		mark = fixed ? fixed->nr : 0;
		nr_hw = 0;
		nr_faults = 0;
	}
	if (nr_hw + nr_faults)
		pd_repair_note(b, &sc->rec[sc->nr - 1], "dropped: no operation follows");
	if (fixed)
		fixed->nr = mark;
	free(s);
}
