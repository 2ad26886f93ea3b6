/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff export --kselftest: what user space can make of a scenario, and why not the rest.
 *
 * What is expected of the kernel is computed from the reduced scenario, so that it does not
 * depend on what was left out.
 */
#include <string.h>

#include "harness/cli/export/export.h"
#include "harness/scenario/layout.h"

static const char *field_name(const struct pd_record *rec, const struct pd_field *f)
{
	if (f->form == PD_FORM_LITERAL)
		return NULL;
	return f->form == PD_FORM_ENUM ? f->names[pd_record_get(rec, f->at)] : f->name;
}

/* Clear the fields of @rec whose names are not in @known: was one set? */
static bool keep_only(struct pd_record *rec, const char *known)
{
	const struct pd_field *f = pd_kind_by_number(rec->kind)->fields;
	bool cleared = false;

	for (; f->form != PD_FORM_END; f++) {
		const char *name = field_name(rec, f);

		if (!name || !*name || !pd_record_get(rec, f->at) || strstr(known, name))
			continue;
		pd_record_set(rec, f->at, 0);
		cleared = true;
	}
	return cleared;
}

unsigned int pd_export_field(const struct pd_record *rec, const char *name)
{
	const struct pd_field *f = pd_kind_by_number(rec->kind)->fields;

	for (; f->form != PD_FORM_END; f++)
		if (f->name && !strcmp(f->name, name))
			return pd_record_get(rec, f->form == PD_FORM_LITERAL ? f[1].at : f->at);
	return 0;
}

static const char *reduce_folio(struct pd_record *rec)
{
	return keep_only(rec, "order index anon-vma") ?
		       "made anonymous; flags, node and further mappings are left out" : NULL;
}

static unsigned int frame_of(const struct pd_record *rec, unsigned int page)
{
	unsigned int pfn = pd_record_get(rec, PD_MAP_F_PFN);

	switch (pd_record_get(rec, PD_MAP_F_STEP)) {
	case PD_STEP_DOWN:
		return (pfn - page) % PD_NR_PFN;
	case PD_STEP_STRIDE2:
		return (pfn + 2 * page) % PD_NR_PFN;
	default:
		return (pfn + page) % PD_NR_PFN;
	}
}

/* A frame has one place in the program. */
static bool maps_again(const struct pd_record *rec, bool *mapped)
{
	unsigned int pages = pd_record_get(rec, PD_MAP_F_PAGES) + 1u;
	bool again = pd_record_get(rec, PD_MAP_F_STEP) == PD_STEP_SAME && pages > 1;

	for (unsigned int i = 0; i < pages; i++)
		again |= mapped[frame_of(rec, i)];
	for (unsigned int i = 0; i < pages && !again; i++)
		mapped[frame_of(rec, i)] = true;
	return again;
}

static const char *reduce_map(struct pd_record *rec, bool *mapped, bool *drop)
{
	*drop = true;
	if (pd_record_get(rec, PD_MAP_F_SPECIAL))
		return "left out: entries without a struct page";
	if (maps_again(rec, mapped))
		return "left out: a frame that is mapped elsewhere";
	*drop = false;
	return keep_only(rec, "pfn write excl cont down stride2") ?
		       "young, dirty and the other bits are not compared" : NULL;
}

static const char *reduce_bits(const struct pd_record *rec, bool *drop)
{
	unsigned int field = pd_record_get(rec, PD_BITS_F_FIELD);

	*drop = field != PD_FIELD_WRITE && field != PD_FIELD_EXCL;
	if (!*drop)
		return NULL;
	if (field == PD_FIELD_YOUNG || field == PD_FIELD_DIRTY)
		return "young and dirty are not compared";
	return "left out: user space cannot set this bit for single pages";
}

static const char *reduce_nonpresent(const struct pd_record *rec, bool *drop)
{
	unsigned int kind = pd_record_get(rec, PD_NP_F_KIND);

	*drop = kind != PD_NP_HOLE;
	if (!*drop)
		return NULL;
	return kind == PD_NP_SWAP ? "left out: a swap entry needs a swap device" :
				    "left out: user space cannot make such an entry";
}

/* Anonymous folios have 4 pages or more, and are no larger than what one PMD entry maps. */
static const char *reduce_fault(struct pd_record *rec, bool *drop)
{
	unsigned int order = pd_export_field(rec, "order");

	*drop = order < 2 || order > PD_MAX_ORDER;
	if (*drop)
		return "left out: a fault makes folios of order 2 to 9";
	return keep_only(rec, "order hint byte") ? "in which way it clears is the kernel's choice" :
						   NULL;
}

static const char *reduce_op(struct pd_record *rec, bool *drop)
{
	const struct pd_op *op = pd_op_by_kind(rec->kind);

	*drop = !op || !op->call;
	if (!op)
		return "left out: hardware and faults cannot be timed from user space";
	if (!op->call)
		return "left out: no system call asks for this operation alone";
	if (op->call == PD_CALL_FAULT)
		return reduce_fault(rec, drop);
	return keep_only(rec, "holes move") ?
		       "options that the program does not use are left out" : NULL;
}

/* NULL, or what of @rec is not in the program, and why. @drop: nothing of it is. */
static const char *reduce(struct pd_record *rec, bool *mapped, bool *drop)
{
	switch (rec->kind) {
	case PD_KIND_CONFIG:
		*drop = true;
		return "left out: a property of the CPU";
	case PD_KIND_VMA:
		*drop = true;
		return keep_only(rec, "pgoff") ? "one private, anonymous and writable mapping" :
						 NULL;
	case PD_KIND_FOLIO:
		return reduce_folio(rec);
	case PD_KIND_MAP:
		return reduce_map(rec, mapped, drop);
	case PD_KIND_BITS:
		return reduce_bits(rec, drop);
	case PD_KIND_NONPRESENT:
		return reduce_nonpresent(rec, drop);
	default:
		return reduce_op(rec, drop);
	}
}

void pd_export_reduce(const struct scenario *from, struct pd_reduced *to)
{
	bool mapped[PD_NR_PFN] = { false };

	to->sc.nr = 0;
	for (unsigned int i = 0; i < from->nr; i++) {
		struct pd_record rec = from->rec[i];
		bool drop = false;

		to->why[i] = reduce(&rec, mapped, &drop);
		if (!drop)
			to->sc.rec[to->sc.nr++] = rec;
	}
}
