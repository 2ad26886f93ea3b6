/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff compare: what a difference is, by the contract of the operation.
 */
#include "harness/cli/compare/compare.h"

#include <string.h>

bool pd_same_change(const struct pd_change *a, const struct pd_change *b)
{
	return a->class == b->class && a->op == b->op && a->row == b->row && a->how == b->how &&
	       !strcmp(a->signature[0], b->signature[0]) &&
	       !strcmp(a->signature[1], b->signature[1]);
}

void pd_changes_add(struct pd_changes *changes, const struct pd_change *change, uint64_t number)
{
	unsigned int i = 0;

	while (i < changes->nr && !pd_same_change(&changes->change[i], change))
		i++;
	if (i == PD_MAX_CHANGES) {
		changes->lost++;
		return;
	}
	if (i == changes->nr) {
		changes->change[changes->nr++] = *change;
		changes->change[i].count = changes->change[i].last = 0;
		changes->change[i].first = number;
	}
	changes->change[i].count += changes->change[i].last != number + 1;
	changes->change[i].last = number + 1;
	changes->change[i].arches |= change->arches;
}

/* operation-field-relation of what is broken, operation-field-gained of what is not. */
void pd_change_name(const struct pd_change *change, char *name, size_t size)
{
	static const char *const hows[] = { "gained", "lost", "changed" };
	const char *signature = change->signature[!change->signature[0][0]];
	const char *how = *signature ? strrchr(signature, '/') + 1 : hows[change->how];
	char text[256];

	snprintf(text, sizeof(text), "%s-%s-%s", change->op->name,
		 change->row ? change->row->field : "other", how);
	pd_signature_file(text, name, size);
}

/* One of the two breaks its contract at @step, or each in a way of its own. */
static bool broken(struct pd_side *const side[2], unsigned int step, struct pd_change *change)
{
	bool any = false;

	for (unsigned int i = 0; i < 2; i++) {
		change->signature[i][0] = '\0';
		if (side[i]->diverged != step)
			continue;
		memcpy(change->signature[i], side[i]->signature, sizeof(side[i]->signature));
		change->row = side[i]->row;
		any = true;
	}
	return any;
}

/* Page @va in a contpte block that the pages from @first on reach into. */
static bool shares_block(unsigned int va, unsigned int first, unsigned int pages,
			 unsigned int cont)
{
	unsigned int block = va / cont * cont;

	return cont > 1 && first < block + cont && first + pages > block;
}

/* Is page @va at the place of @row? As the judge sees it. */
static bool is_at(const struct pd_side *side, const struct pd_row *row, unsigned int va,
		  enum pd_arch arch)
{
	const struct pd_span *span = &side->span;
	unsigned int cont = pd_arch_cont(arch);
	bool edge;

	if (va - span->src < span->pages)
		return row->place == PD_PLACE_SRC;
	if (va - span->dst < span->pages)
		return row->place == PD_PLACE_DST;
	edge = shares_block(va, span->src, span->pages, cont) ||
	       shares_block(va, span->dst, span->pages, cont);
	return row->place == (edge ? PD_PLACE_EDGE : PD_PLACE_REST);
}

struct bits {
	uint64_t gained, lost;
};

/* What is different of @row: bits that the second has and the first has not, and the reverse. */
static struct bits row_bits(struct pd_side *const side[2], const struct pd_row *row,
			    enum pd_arch arch)
{
	const struct pd_state *a = &side[0]->after, *b = &side[1]->after;
	struct bits bits = { 0 };

	for (unsigned int va = 0; va < PD_NR_VA; va++) {
		if (a->pte[va] == b->pte[va] || !is_at(side[0], row, va, arch))
			continue;
		bits.gained |= ~a->pte[va] & b->pte[va] & row->mask;
		bits.lost |= a->pte[va] & ~b->pte[va] & row->mask;
	}
	return bits;
}

static bool same_results(struct pd_side *const side[2], uint64_t mask)
{
	const struct pd_results *a = &side[0]->results, *b = &side[1]->results;

	if (a->nr != b->nr)
		return false;
	for (unsigned int i = 0; i < a->nr && i < PD_MAX_RESULTS; i++)
		if ((mask >> a->list[i].what & 1 || mask >> b->list[i].what & 1) &&
		    memcmp(&a->list[i], &b->list[i], sizeof(a->list[i])))
			return false;
	return true;
}

/* Does what @row is about differ, and how? */
static bool row_differs(struct pd_side *const side[2], const struct pd_row *row,
			enum pd_arch arch, enum pd_change_how *how)
{
	struct bits bits;

	*how = PD_CHANGE_OTHER;
	switch (row->subject) {
	case PD_SUBJECT_PTE:
		bits = row_bits(side, row, arch);
		if (bits.gained && !bits.lost)
			*how = PD_CHANGE_GAINED;
		else if (bits.lost && !bits.gained)
			*how = PD_CHANGE_LOST;
		return bits.gained || bits.lost;
	case PD_SUBJECT_RESULT:
		return !same_results(side, row->mask);
	case PD_SUBJECT_RETURN:
		return side[0]->ret != side[1]->ret;
	case PD_SUBJECT_COUNTER:
		return memcmp(side[0]->counter, side[1]->counter, sizeof(side[0]->counter));
	default:
		return false;
	}
}

/* Whatever differs and breaks nothing, row by row. */
static void add_allowed(struct pd_side *const side[2], struct pd_change *change,
			struct pd_changes *changes)
{
	bool timing = change->class == PD_CHANGE_TIMING, found = false;

	change->signature[0][0] = change->signature[1][0] = '\0';
	for (const struct pd_row *row = change->op->rows; row->field && !timing; row++) {
		if (row->strict || !row_differs(side, row, change->arch, &change->how))
			continue;
		change->row = row;
		pd_changes_add(changes, change, 0);
		found = true;
	}
	if (found)
		return;
	change->row = NULL;
	change->how = PD_CHANGE_OTHER;
	pd_changes_add(changes, change, 0);
}

static bool hardware_acts(const struct scenario *sc, unsigned int step)
{
	unsigned int ops = 0;

	for (unsigned int i = 0; i < sc->nr && ops <= step; i++) {
		if (ops == step && sc->rec[i].kind == PD_KIND_HW)
			return true;
		ops += pd_op_by_kind(sc->rec[i].kind) != NULL;
	}
	return false;
}

void pd_classify(struct pd_side *const side[2], const struct scenario *sc, enum pd_arch arch,
		 unsigned int step, struct pd_changes *changes)
{
	struct pd_change change = {
		.arch = arch, .arches = 1u << arch, .how = PD_CHANGE_OTHER,
	};

	changes->nr = 0;
	changes->lost = 0;
	pd_sides_look(side, sc, arch, step, false);
	change.op = side[0]->entry ? side[0]->entry->op : side[1]->entry->op;
	change.class = PD_CHANGE_REAL;
	if (broken(side, step, &change)) {
		pd_changes_add(changes, &change, 0);
		return;
	}
	pd_sides_look(side, sc, arch, step, true);
	change.class = PD_CHANGE_RELAXED;
	if (broken(side, step, &change)) {
		pd_changes_add(changes, &change, 0);
		return;
	}
	change.class = hardware_acts(sc, step) ? PD_CHANGE_TIMING : PD_CHANGE_ALLOWED;
	change.row = NULL;
	add_allowed(side, &change, changes);
}
