/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff export --kselftest: tables from the scenario and from what the reference makes of it;
 * the program around them is kselftest/.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/cli/export/export.h"
#include "harness/cli/export/kselftest_text.h"

/* A folio that can be made: at one place, aligned there. */
struct placed {
	unsigned int head, order;
	int first;
};

/* A system call. @ret: what the reference returns. */
struct call {
	const struct pd_op *op;
	struct pd_record rec;
	struct pd_span span;
	long ret;
};

struct plan {
	const struct pd_export *e;
	struct pd_reduced reduced;
	struct pd_state before, after;
	struct placed folio[PD_NR_VA];
	unsigned int nr_folios, shift;
	unsigned int va[PD_NR_VA];	/* of the pages */
	unsigned int nr_pages;
	struct call call[PD_MAX_OPS];
	unsigned int nr_calls;
	bool uffd, moves;
};

static const char *const call_names[PD_NR_CALLS] = {
	[PD_CALL_MREMAP] = "OP_MREMAP",
	[PD_CALL_UFFD_MOVE] = "OP_UFFD_MOVE",
	[PD_CALL_MBIND] = "OP_MBIND",
	[PD_CALL_FAULT] = "OP_FAULT",
};

static void put_left_out(const struct plan *p)
{
	char record[PD_MAX_LINE], line[2 * PD_MAX_LINE];

	fputs("static const char *const left_out[] = {\n", p->e->out);
	for (unsigned int i = 0; i < p->e->sc->nr; i++) {
		const char *why = p->reduced.why[i];

		if (!why)
			continue;
		pd_print_record(record, sizeof(record), &p->e->sc->rec[i]);
		snprintf(line, sizeof(line), "%s: %s", record, why);
		fputc('\t', p->e->out);
		pd_export_string(p->e->out, line);
		fputs(",\n", p->e->out);
	}
	for (unsigned int i = 0; i < p->nr_folios; i++)
		if (p->before.folio[p->folio[i].head].order != p->folio[i].order)
			fprintf(p->e->out, "\t\"folio %u order %u: made with order %u: %s\",\n",
				p->folio[i].head, p->before.folio[p->folio[i].head].order,
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
	unsigned int pfn = lpte_pfn(p->before.pte[va]), head = pd_head(&p->before, pfn);
	struct placed *f = folio_at(p, head);
	int first = (int)va - (int)(pfn - head);

	p->va[p->nr_pages++] = va;
	if (!f) {
		f = &p->folio[p->nr_folios++];
		*f = (struct placed){ .head = head, .first = first,
				     .order = p->before.folio[head].order };
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

static void add_call(struct plan *p, const struct pd_op *op, const struct pd_record *rec)
{
	uint64_t args[PD_MAX_ARGS / sizeof(uint64_t)];
	struct call *call = &p->call[p->nr_calls];

	pd_op_args(op, rec, args);
	if (p->nr_calls == PD_MAX_OPS || op->fit(&p->after, args))
		return;
	*call = (struct call){ .op = op, .span = op->span(args) };
	pd_op_record(op, args, &call->rec);
	if (op->prepare)
		op->prepare(&p->after, args);
	call->ret = op->reference(&p->after, args).ret;
	p->uffd |= op->call == PD_CALL_UFFD_MOVE;
	p->moves |= call->span.src != call->span.dst;
	p->nr_calls++;
}

static void make_plan(struct plan *p)
{
	const struct scenario *sc = &p->reduced.sc;

	pd_export_reduce(p->e->sc, &p->reduced);
	pd_state_init(&p->before);
	pd_state_init(&p->after);
	pd_build(sc, &p->before, NULL);
	for (unsigned int va = 0; va < PD_NR_VA; va++)
		if (usable(p->before.pte[va]))
			add_page(p, va);
	choose_shift(p);
	qsort(p->folio, p->nr_folios, sizeof(p->folio[0]), by_order);
	pd_state_copy(&p->after, &p->before);
	for (unsigned int i = 0; i < sc->nr; i++) {
		const struct pd_op *op = pd_op_by_kind(sc->rec[i].kind);

		if (op)
			add_call(p, op, &sc->rec[i]);
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

/* UFFDIO_MOVE wants pages that are exclusive; for the rest, those that are not are read-only. */
static bool written(const struct plan *p, unsigned int va)
{
	return p->uffd ? p->before.page[lpte_pfn(p->before.pte[va])].exclusive :
			 p->before.pte[va] & LPTE_WRITE;
}

static void put_pages(const struct plan *p)
{
	fputs("static const struct page_spec pages[] = {\n", p->e->out);
	for (unsigned int i = 0; i < p->nr_pages; i++)
		fprintf(p->e->out, "\t{ %u, %s },\n", p->va[i],
			written(p, p->va[i]) ? "true" : "false");
	put_end(p, "{ 0, false }", "nr_pages", p->nr_pages);
}

/* The page before the operations that had the frame which is now at @va. */
static bool origin(const struct plan *p, unsigned int va, unsigned int *page)
{
	unsigned int pfn = lpte_pfn(p->after.pte[va]), nr = 0;

	for (unsigned int i = 0; i < p->nr_pages; i++)
		if (lpte_pfn(p->before.pte[p->va[i]]) == pfn && !nr++)
			*page = i;
	return usable(p->after.pte[va]) && nr == 1;
}

static void put_after(const struct plan *p)
{
	unsigned int nr = 0, page;

	fputs("static const struct after_spec after[] = {\n", p->e->out);
	for (unsigned int va = 0; va < PD_NR_VA; va++) {
		if (!origin(p, va, &page))
			continue;
		fprintf(p->e->out, "\t{ %u, %u, %s },\n", va, page,
			p->after.pte[va] & LPTE_WRITE ? "true" : "false");
		nr++;
	}
	put_end(p, "{ 0, 0, false }", "nr_after", nr);
}

static void put_call(const struct plan *p, const struct call *call)
{
	FILE *out = p->e->out;

	fprintf(out, "\t{ .op = %s, ", call_names[call->op->call]);
	if (call->op->call == PD_CALL_FAULT)
		fprintf(out, ".src = %u, .order = %u, .byte = %u },\n",
			pd_export_field(&call->rec, "hint"), pd_export_field(&call->rec, "order"),
			pd_export_field(&call->rec, "byte"));
	else
		fprintf(out, ".src = %u, .dst = %u, .pages = %u, .holes = %s, .error = %ld },\n",
			call->span.src, call->span.dst, call->span.pages,
			pd_export_field(&call->rec, "holes") ? "true" : "false",
			call->op->call == PD_CALL_UFFD_MOVE ? -call->ret : 0);
}

static void put_calls(const struct plan *p)
{
	fputs("static const struct op_spec ops[] = {\n", p->e->out);
	for (unsigned int i = 0; i < p->nr_calls; i++)
		put_call(p, &p->call[i]);
	put_end(p, "{ .op = OP_MREMAP }", "nr_ops", p->nr_calls);
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
	put_calls(p);
	put_left_out(p);
	fputs(pd_kselftest_body, e->out);
	free(p);
}
