/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff export --kselftest: tables from the scenario and from what the reference makes of it;
 * the program around them is kselftest/.
 */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "harness/scenario/layout.h"
#include "kselftest_text.h"

#define MAX_LISTED 512u

/* A folio that can be made: at one place, aligned there. */
struct placed {
	unsigned int head, order;
	int first;
};

struct plan {
	const struct pd_export *e;
	struct pd_state *before, *after;
	struct placed folio[MAX_LISTED];
	unsigned int nr_folios, shift;
	unsigned int va[MAX_LISTED];	/* of the pages */
	unsigned int nr_pages;
	bool uffd, moves;
};

static const char *const call_names[PD_NR_CALLS] = {
	[PD_CALL_MREMAP] = "OP_MREMAP",
	[PD_CALL_UFFD_MOVE] = "OP_UFFD_MOVE",
	[PD_CALL_MBIND] = "OP_MBIND",
	[PD_CALL_FAULT] = "OP_FAULT",
};

/* ---- what is left out, and why ---- */

/* Is a field of @rec that is not in @known set? @known: names separated by spaces. */
static bool has_more(const struct pd_record *rec, const char *known)
{
	const struct pd_field *f = pd_kind_by_number(rec->kind)->fields;

	for (; f->form != PD_FORM_END; f++) {
		const char *name = f->name;

		if (f->form == PD_FORM_ENUM)
			name = f->names[pd_record_get(rec, f->at)];
		if (f->form == PD_FORM_LITERAL || !name || !*name || !pd_record_get(rec, f->at))
			continue;
		if (!strstr(known, name))
			return true;
	}
	return false;
}

static const char *nonpresent_reason(const struct pd_record *rec)
{
	switch (pd_record_get(rec, PD_NP_F_KIND)) {
	case PD_NP_HOLE:
		return NULL;
	case PD_NP_SWAP:
		return "a swap entry needs a swap device";
	default:
		return "user space cannot make such an entry";
	}
}

/* A literal names the number behind it. */
static unsigned int field_value(const struct pd_record *rec, const char *name)
{
	const struct pd_field *f = pd_kind_by_number(rec->kind)->fields;

	for (; f->form != PD_FORM_END; f++)
		if (f->name && !strcmp(f->name, name))
			return pd_record_get(rec, f->form == PD_FORM_LITERAL ? f[1].at : f->at);
	return 0;
}

/* Is the folio larger than what a page fault brings? Such ones come from a pool (hugetlbfs). */
static bool too_large(const struct pd_op *op, const struct pd_record *rec)
{
	return op->call == PD_CALL_FAULT && field_value(rec, "order") > PD_MAX_ORDER;
}

static const char *op_reason(const struct pd_op *op, const struct pd_record *rec)
{
	if (!op)
		return "hardware and faults cannot be timed from user space";
	if (!op->call)
		return "no system call asks for this operation alone";
	if (too_large(op, rec))
		return "no page fault brings a folio of that size";
	return has_more(rec, "order hint holes move strict nodes") ?
		       "options that no system call has are dropped" : NULL;
}

static const char *bits_reason(const struct pd_record *rec)
{
	unsigned int field = pd_record_get(rec, PD_BITS_F_FIELD);

	if (field == PD_FIELD_WRITE || field == PD_FIELD_EXCL)
		return NULL;
	if (field == PD_FIELD_YOUNG || field == PD_FIELD_DIRTY)
		return "young and dirty are not compared";
	return "user space cannot set this bit for single pages";
}

/* NULL, or why @rec is not, or not fully, in the program. */
static const char *reason(const struct pd_record *rec)
{
	switch (rec->kind) {
	case PD_KIND_CONFIG:
		return "a property of the CPU";
	case PD_KIND_VMA:
		return has_more(rec, "") ? "the mapping is private, anonymous and writable" : NULL;
	case PD_KIND_FOLIO:
		return has_more(rec, "order index anon-vma") ?
			       "anonymous; flags and node are the kernel's choice" :
			       NULL;
	case PD_KIND_MAP:
		if (pd_record_get(rec, PD_MAP_F_SPECIAL))
			return "entries without a struct page";
		return has_more(rec, "pfn write excl cont down stride2") ?
			       "young, dirty and the other bits are not compared" : NULL;
	case PD_KIND_BITS:
		return bits_reason(rec);
	case PD_KIND_NONPRESENT:
		return nonpresent_reason(rec);
	default:
		return op_reason(pd_op_by_kind(rec->kind), rec);
	}
}

static void put_left_out(const struct plan *p)
{
	char record[PD_MAX_LINE], line[2 * PD_MAX_LINE];

	fputs("static const char *const left_out[] = {\n", p->e->out);
	for (unsigned int i = 0; i < p->e->sc->nr; i++) {
		const char *why = reason(&p->e->sc->rec[i]);

		if (!why)
			continue;
		pd_print_record(record, sizeof(record), &p->e->sc->rec[i]);
		snprintf(line, sizeof(line), "%s: %s", record, why);
		fputc('\t', p->e->out);
		pd_export_string(p->e->out, line);
		fputs(",\n", p->e->out);
	}
	for (unsigned int i = 0; i < p->nr_folios; i++)
		if (p->before->folio[p->folio[i].head].order != p->folio[i].order)
			fprintf(p->e->out, "\t\"folio %u order %u: made with order %u: %s\",\n",
				p->folio[i].head, p->before->folio[p->folio[i].head].order,
				p->folio[i].order, p->folio[i].order ? "there are none of order 1" :
				"not in place, or not to be aligned with the others");
	if (p->uffd)
		fputs("\t\"write permission: not compared, UFFDIO_MOVE sets it\",\n", p->e->out);
	fputs("\tNULL\n};\n", p->e->out);
}

/* ---- the plan ---- */

static bool usable(lpte_t pte)
{
	return lpte_normal(pte);
}

static struct placed *folio_at(struct plan *p, unsigned int head)
{
	for (unsigned int i = 0; i < p->nr_folios; i++)
		if (p->folio[i].head == head)
			return &p->folio[i];
	return NULL;
}

/* A folio that is mapped out of place is made of single pages. */
static void add_page(struct plan *p, unsigned int va)
{
	unsigned int pfn = lpte_pfn(p->before->pte[va]), head = pd_head(p->before, pfn);
	struct placed *f = folio_at(p, head);
	int first = (int)va - (int)(pfn - head);

	if (p->nr_pages == MAX_LISTED)
		return;
	p->va[p->nr_pages++] = va;
	if (!f) {
		f = &p->folio[p->nr_folios++];
		*f = (struct placed){ .head = head, .first = first,
				     .order = p->before->folio[head].order };
		if (f->order == 1)
			f->order = 2;
	} else if (f->first != first) {
		f->order = 0;
	}
}

static bool aligned(const struct placed *f, unsigned int shift)
{
	return ((unsigned int)(f->first + (int)PD_TABLE_PAGES) + shift) % (1u << f->order) == 0;
}

/* The shift under which most folios are aligned, the largest of them counting most. */
static void choose_shift(struct plan *p)
{
	unsigned int best = 0;

	for (unsigned int shift = 0; shift < PD_TABLE_PAGES; shift++) {
		unsigned int good = 0;

		for (unsigned int i = 0; i < p->nr_folios; i++)
			if (aligned(&p->folio[i], shift))
				good += 1u << p->folio[i].order;
		if (good > best) {
			best = good;
			p->shift = shift;
		}
	}
	for (unsigned int i = 0; i < p->nr_folios; i++)
		if (!aligned(&p->folio[i], p->shift))
			p->folio[i].order = 0;
}

static int by_order(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	return (x->first > y->first) - (x->first < y->first);
}

static void make_plan(struct plan *p)
{
	const struct scenario *sc = p->e->sc;
	uint64_t args[PD_MAX_ARGS / sizeof(uint64_t)];

	pd_state_init(p->before);
	pd_state_init(p->after);
	pd_build(sc, p->before, NULL);
	for (unsigned int va = 0; va < PD_NR_VA; va++)
		if (usable(p->before->pte[va]))
			add_page(p, va);
	choose_shift(p);
	qsort(p->folio, p->nr_folios, sizeof(p->folio[0]), by_order);
	pd_state_copy(p->after, p->before);
	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_op *op = pd_op_by_kind(sc->rec[i].kind);

		if (!op || !op->call)
			continue;
		p->uffd |= op->call == PD_CALL_UFFD_MOVE;
		pd_op_args(op, &sc->rec[i], args);
		p->moves |= op->span(args).src != op->span(args).dst;
		if (op->prepare)
			op->prepare(p->after, args);
		op->reference(p->after, args);
	}
}

/* ---- the tables ---- */

/* The end of a table: one row more, for C has no empty arrays, and the number of the others. */
static void put_end(const struct plan *p, const char *row, const char *name, unsigned int nr)
{
	fprintf(p->e->out, "\t%s\n};\nstatic const unsigned int %s = %u;\n\n", row, name, nr);
}

static void put_folios(const struct plan *p)
{
	unsigned int nr = 0;

	fputs("static const struct folio_spec folios[] = {\n", p->e->out);
	for (unsigned int i = 0; i < p->nr_folios && p->folio[i].order; i++, nr++)
		fprintf(p->e->out, "\t{ %d, %u },\n", p->folio[i].first, p->folio[i].order);
	put_end(p, "{ 0, 0 }", "nr_folios", nr);
}

static void put_pages(const struct plan *p)
{
	fputs("static const struct page_spec pages[] = {\n", p->e->out);
	for (unsigned int i = 0; i < p->nr_pages; i++)
		fprintf(p->e->out, "\t{ %u, %s },\n", p->va[i],
			p->uffd || p->before->pte[p->va[i]] & LPTE_WRITE ? "true" : "false");
	put_end(p, "{ 0, false }", "nr_pages", p->nr_pages);
}

/* The page before the operations that had the frame which is now at @va. */
static bool origin(const struct plan *p, unsigned int va, unsigned int *page)
{
	unsigned int pfn = lpte_pfn(p->after->pte[va]), nr = 0;

	for (unsigned int i = 0; i < p->nr_pages; i++)
		if (lpte_pfn(p->before->pte[p->va[i]]) == pfn && !nr++)
			*page = i;
	return usable(p->after->pte[va]) && nr == 1;
}

static void put_after(const struct plan *p)
{
	unsigned int nr = 0, page;

	fputs("static const struct after_spec after[] = {\n", p->e->out);
	for (unsigned int va = 0; va < PD_NR_VA && nr < MAX_LISTED; va++) {
		if (!origin(p, va, &page))
			continue;
		fprintf(p->e->out, "\t{ %u, %u, %s },\n", va, page,
			p->after->pte[va] & LPTE_WRITE ? "true" : "false");
		nr++;
	}
	put_end(p, "{ 0, 0, false }", "nr_after", nr);
}

static void put_ops(const struct plan *p)
{
	uint64_t args[PD_MAX_ARGS / sizeof(uint64_t)];
	unsigned int nr = 0;

	fputs("static const struct op_spec ops[] = {\n", p->e->out);
	for (unsigned int i = 0; i < p->e->sc->nr; i++) {
		const struct pd_record *rec = &p->e->sc->rec[i];
		const struct pd_op *op = pd_op_by_kind(rec->kind);
		struct pd_span span;

		if (!op || !op->call || too_large(op, rec))
			continue;
		pd_op_args(op, rec, args);
		span = op->span(args);
		if (op->call == PD_CALL_FAULT)
			span = (struct pd_span){ .src = field_value(rec, "hint") };
		fprintf(p->e->out, "\t{ %s, %u, %u, %u, %u, %s },\n",
			call_names[op->call], span.src, span.dst, span.pages,
			field_value(rec, "order"), field_value(rec, "holes") ? "true" : "false");
		nr++;
	}
	put_end(p, "{ OP_MREMAP, 0, 0, 0, 0, false }", "nr_ops", nr);
}

static void put_head(const struct pd_export *e)
{
	char record[PD_MAX_LINE];

	fputs("// SPDX-License-Identifier: GPL-2.0-or-later\n/*\n", e->out);
	if (*e->signature)
		fprintf(e->out, " * %s\n *\n", e->signature);
	fputs(" * Written by ptediff from this scenario:\n *\n", e->out);
	for (unsigned int i = 0; i < e->sc->nr; i++) {
		pd_print_record(record, sizeof(record), &e->sc->rec[i]);
		fprintf(e->out, " *	%s\n", record);
	}
	fputs(" *\n * cc -Wall -Wextra this.c -o this && ./this\n *\n"
	      " * Output is TAP. Exit code: 0 pass, 1 fail, 4 skip. As root it compares page\n"
	      " * frames, too, and can ask for folios of any order.\n */\n", e->out);
}

void pd_export_kselftest(const struct pd_export *e)
{
	struct plan *p = pd_alloc(1, sizeof(*p));

	p->e = e;
	p->before = pd_alloc(1, sizeof(*p->before));
	p->after = pd_alloc(1, sizeof(*p->after));
	make_plan(p);
	put_head(e);
	fputs(pd_kselftest_head, e->out);
	fprintf(e->out, "#define NAME \"%s\"\n", *e->signature ? e->signature : "ptediff");
	fprintf(e->out, "#define SHIFT %uu\t\t/* of all pages, so that folios are aligned */\n",
		p->shift);
	fprintf(e->out, "#define SAME_FRAME %s\n#define CHECK_WRITE %s\n\n",
		p->moves ? "true" : "false", p->moves && !p->uffd ? "true" : "false");
	put_folios(p);
	put_pages(p);
	put_after(p);
	put_ops(p);
	put_left_out(p);
	fputs(pd_kselftest_body, e->out);
	free(p->before);
	free(p->after);
	free(p);
}
