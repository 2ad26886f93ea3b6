/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The maps of a report: pages, folios and counters around the step that diverged.
 *
 * Pages that say the same are one line. Where expected and got differ they stand one above the
 * other, flag under flag, with carets below what must not differ.
 */
#include "report.h"

#include <string.h>

#include "entry_text.h"
#include "step.h"

#define CONTEXT		2u	/* pages shown with their entries around a difference */
#define MAX_BEFORE	20u	/* lines of the map before the step */
#define MAX_AFTER	8u	/* differing stretches of the map after it */
#define MAX_FOLIOS	6u	/* lines about folios */
#define LABEL		10	/* columns of the page numbers */
#define SIDE		24u	/* columns before an entry of the map after the step */

/* Everything of an entry that is not a flag. */
#define WHAT_BITS (LPTE_KIND | LPTE_PFN | LPTE_TYPE)

/* How a page is drawn. */
enum drawn {
	DRAWN_NOT,
	DRAWN_SAME,		/* equal, in a line with its neighbours */
	DRAWN_ALLOWED,		/* differs as the contract allows, in a line as well */
	DRAWN_CONTEXT,		/* next to a difference */
	DRAWN_DIFFERENT,
};

static enum pd_place place_of(const struct pd_report *r, unsigned int va)
{
	const struct pd_span *span = &r->span;

	if (va >= span->src && va < span->src + span->pages)
		return PD_PLACE_SRC;
	if (va >= span->dst && va < span->dst + span->pages)
		return PD_PLACE_DST;
	return PD_PLACE_REST;
}

/* Does @row hold at @va? Entries of an edge block lie outside both ranges, as the rest does. */
static bool row_at(const struct pd_report *r, const struct pd_row *row, unsigned int va)
{
	enum pd_place place = place_of(r, va);

	if (row->subject != PD_SUBJECT_PTE)
		return false;
	return row->place == place || (row->place == PD_PLACE_EDGE && place == PD_PLACE_REST);
}

static uint64_t differing(const struct pd_report *r, const struct pd_row *row, unsigned int va)
{
	uint64_t bits = r->d->expected->pte[va] ^ r->d->got->pte[va];

	return row_at(r, row, va) ? bits & row->mask & pd_arch_mask(r->d->arch) : 0;
}

/* The pages that differ from the lowest on, as many as were counted. */
static void mark_difference(struct pd_report *r, const struct pd_difference *diff)
{
	unsigned int left = diff->pages;

	for (unsigned int va = diff->va; va < PD_NR_VA && left; va++) {
		uint64_t bits = diff->row->subject == PD_SUBJECT_PTE ?
					differing(r, diff->row, va) : PD_MARK_PAGE;

		r->marks[va] |= bits;
		left -= bits != 0;
	}
}

static void show_range(struct pd_report *r, unsigned int first, unsigned int pages)
{
	for (unsigned int va = first; va < first + pages && va < PD_NR_VA; va++)
		r->shown[va] = true;
}

void pd_report_mark(struct pd_report *r)
{
	mark_difference(r, &r->d->first);
	for (unsigned int i = 0; i < r->d->nr_also; i++)
		mark_difference(r, &r->d->also[i]);
	show_range(r, r->span.src, r->span.pages);
	show_range(r, r->span.dst, r->span.pages);
	for (unsigned int va = 0; va < PD_NR_VA; va++) {
		unsigned int from = va > CONTEXT ? va - CONTEXT : 0;

		if (r->marks[va])
			show_range(r, from, va + CONTEXT + 1 - from);
	}
}

/* Pages from @va on that one line of the map before the step can say. */
static unsigned int before_run(const struct pd_report *r, unsigned int va)
{
	const lpte_t *pte = &r->d->before->pte[va];
	unsigned int nr = 1;

	while (va + nr < PD_NR_VA && r->shown[va + nr] &&
	       pd_entry_follows(pte[0], nr, pte[nr]))
		nr++;
	return nr;
}

static void put_label(const struct pd_report *r, unsigned int va, unsigned int nr)
{
	char pages[32];

	pd_pages_text(pages, sizeof(pages), va, nr);
	fprintf(r->out, "  %*s", LABEL, pages);
}

/* @text up to the width of the report, @used columns of which are taken. */
static void put_rest(const struct pd_report *r, unsigned int used, const char *text)
{
	fprintf(r->out, "%.*s\n", (int)(r->width > used ? r->width - used : 0), text);
}

static unsigned int skip_hidden(const struct pd_report *r, unsigned int va)
{
	while (va < PD_NR_VA && !r->shown[va])
		va++;
	return va;
}

void pd_report_before(const struct pd_report *r)
{
	unsigned int lines = 0, va = skip_hidden(r, 0), nr;
	char text[PD_ENTRY_CHARS];

	fputs("\npages before the step:\n", r->out);
	for (; va < PD_NR_VA; va = skip_hidden(r, va + nr)) {
		nr = before_run(r, va);
		if (++lines > MAX_BEFORE)
			continue;
		put_label(r, va, nr);
		pd_entry_text(text, sizeof(text), r->d->before->pte[va], nr);
		fputs("  ", r->out);
		put_rest(r, LABEL + 4, text);
	}
	if (lines > MAX_BEFORE)
		fprintf(r->out, "  %*s  %u more lines\n", LABEL, "...", lines - MAX_BEFORE);
}

static enum drawn drawn(const struct pd_report *r, unsigned int va)
{
	unsigned int from = va > CONTEXT ? va - CONTEXT : 0;

	if (!r->shown[va])
		return DRAWN_NOT;
	if (r->marks[va])
		return DRAWN_DIFFERENT;
	for (unsigned int near = from; near <= va + CONTEXT && near < PD_NR_VA; near++)
		if (r->marks[near])
			return DRAWN_CONTEXT;
	return (r->d->expected->pte[va] ^ r->d->got->pte[va]) & pd_arch_mask(r->d->arch) ?
		       DRAWN_ALLOWED : DRAWN_SAME;
}

/* Pages from @va on that are drawn together. */
static unsigned int after_run(const struct pd_report *r, unsigned int va)
{
	const lpte_t *expected = &r->d->expected->pte[va], *got = &r->d->got->pte[va];
	enum drawn how = drawn(r, va);
	unsigned int nr = 1;

	for (; va + nr < PD_NR_VA && drawn(r, va + nr) == how; nr++) {
		if (how == DRAWN_SAME || how == DRAWN_ALLOWED)
			continue;
		if (r->marks[va + nr] != r->marks[va] ||
		    !pd_entry_follows(expected[0], nr, expected[nr]) ||
		    !pd_entry_follows(got[0], nr, got[nr]))
			break;
	}
	return nr;
}

/* Carets below the differing parts of a line made by put_side(). */
static void put_carets(const struct pd_report *r, size_t what, uint64_t columns, uint64_t marks)
{
	char line[PD_REPORT_MAX_WIDTH + 1];
	size_t len = what, end;

	memset(line, ' ', sizeof(line));
	if (marks & WHAT_BITS)
		memset(line, '^', what);
	end = marks & WHAT_BITS ? what : 0;
	for (const struct pd_flag *flag = pd_flags; flag->name; flag++) {
		size_t width = strlen(flag->name);

		if (!(columns & flag->bit))
			continue;
		if (marks & flag->bit) {
			memset(line + len + 1, '^', width);
			end = len + 1 + width;
		}
		len += 1 + width;
	}
	line[end] = '\0';
	if (!end)
		return;
	fprintf(r->out, "%*s", (int)SIDE, "");
	put_rest(r, SIDE, line);
}

static void put_side(const struct pd_report *r, const char *side, const char *what, int width,
		     lpte_t pte, uint64_t columns)
{
	char flags[PD_ENTRY_CHARS], text[2 * PD_ENTRY_CHARS];

	pd_entry_flags(flags, sizeof(flags), pte, columns);
	snprintf(text, sizeof(text), "%-*s%s", width, what, flags);
	fprintf(r->out, "  %-8s  ", side);
	put_rest(r, SIDE, text);
}

/* Flags that are set on either side; only those that differ when there is no room for all. */
static uint64_t choose_columns(const struct pd_report *r, int width, lpte_t expected, lpte_t got)
{
	char flags[PD_ENTRY_CHARS];
	int len = pd_entry_flags(flags, sizeof(flags), 0, expected | got);

	return SIDE + (unsigned int)(width + len) > r->width ? expected ^ got : expected | got;
}

static void put_difference(const struct pd_report *r, unsigned int va, unsigned int nr)
{
	lpte_t expected = r->d->expected->pte[va], got = r->d->got->pte[va];
	char what[2][PD_ENTRY_CHARS];
	int a = pd_entry_what(what[0], sizeof(what[0]), expected, nr);
	int b = pd_entry_what(what[1], sizeof(what[1]), got, nr);
	int width = a > b ? a : b;
	uint64_t columns = choose_columns(r, width, expected, got);

	put_label(r, va, nr);
	put_side(r, "expected", what[0], width, expected, columns);
	fprintf(r->out, "  %*s", LABEL, "");
	put_side(r, "got", what[1], width, got, columns);
	put_carets(r, (size_t)width, columns, r->marks[va]);
}

static void put_equal(const struct pd_report *r, unsigned int va, unsigned int nr)
{
	char text[PD_ENTRY_CHARS];

	enum drawn how = drawn(r, va);

	put_label(r, va, nr);
	if (how != DRAWN_CONTEXT) {
		fprintf(r->out, "  %s\n", how == DRAWN_SAME ? "as expected" : "as allowed");
		return;
	}
	pd_entry_text(text, sizeof(text), r->d->got->pte[va], nr);
	fprintf(r->out, "  %-8s  ", "");
	put_rest(r, SIDE, text);
}

void pd_report_after(const struct pd_report *r)
{
	unsigned int va = skip_hidden(r, 0), differences = 0, hidden = 0, nr;

	fputs("\npages after the step:\n", r->out);
	for (; va < PD_NR_VA; va = skip_hidden(r, va + nr)) {
		nr = after_run(r, va);
		if (r->marks[va] && ++differences <= MAX_AFTER)
			put_difference(r, va, nr);
		else if (r->marks[va])
			hidden += nr;
		else if (differences <= MAX_AFTER)
			put_equal(r, va, nr);
	}
	if (hidden)
		fprintf(r->out, "  %*s  %u more pages differ\n", LABEL, "...", hidden);
}

static long page_value(const struct page *page, unsigned int row)
{
	switch (row) {
	case PD_FOLIO_ROW_INDEX:
		return (long)page->index;
	case PD_FOLIO_ROW_ANON_VMA:
		return (long)page->mapping;
	case PD_FOLIO_ROW_FLAGS:
		return (long)(page->flags & ~(unsigned long)PD_PG_ANON_EXCLUSIVE);
	case PD_FOLIO_ROW_REFCOUNT:
		return page->_refcount;
	case PD_FOLIO_ROW_MAPCOUNT:
		return page->_mapcount;
	default:
		return !!(page->flags & PD_PG_ANON_EXCLUSIVE);
	}
}

static unsigned int put_page(const struct pd_report *r, unsigned int pfn, uint64_t mask)
{
	static const char *const names[] = {
		"index", "anon_vma", "flags", "_refcount", "_mapcount", "exclusive",
	};
	const struct page *got = &r->world->memmap[pfn];
	struct page before, expected;
	unsigned int lines = 0;

	pd_page_image(&before, r->world->memmap, r->d->before, pfn);
	pd_page_image(&expected, r->world->memmap, r->d->expected, pfn);
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		unsigned int row = 1u << i;

		if (!(mask & row) || page_value(&expected, row) == page_value(got, row))
			continue;
		fprintf(r->out, "  pfn %u: %s before %#lx, expected %#lx, got %#lx\n", pfn,
			names[i], page_value(&before, row), page_value(&expected, row),
			page_value(got, row));
		lines++;
	}
	return lines;
}

/* Rows about @subject that differ, first or not, as one mask. */
static uint64_t subject_mask(const struct pd_report *r, enum pd_subject subject)
{
	uint64_t mask = 0;

	if (r->d->first.row->subject == subject)
		mask |= r->d->first.row->mask;
	for (unsigned int i = 0; i < r->d->nr_also; i++)
		if (r->d->also[i].row->subject == subject)
			mask |= r->d->also[i].row->mask;
	return mask;
}

void pd_report_folios(const struct pd_report *r)
{
	uint64_t mask = subject_mask(r, PD_SUBJECT_FOLIO);
	unsigned int lines = 0, g;

	if (!mask)
		return;
	fputs("\npages of folios after the step:\n", r->out);
	pd_for_each_granule(g, r->d->expected->pfn_touched, PD_PFN_WORDS)
		for (unsigned int i = 0; i < PD_GRANULE && lines < MAX_FOLIOS; i++)
			lines += put_page(r, g * PD_GRANULE + i, mask);
}

void pd_report_counters(const struct pd_report *r)
{
	static const char *const names[PD_NR_COUNTERS] = {
		[PD_COUNTER_ANON] = "anon",
		[PD_COUNTER_FILE] = "file",
		[PD_COUNTER_SWAP] = "swap",
		[PD_COUNTER_KSM_ZERO] = "ksm_zero",
		[PD_COUNTER_ISOLATED_ANON] = "isolated_anon",
		[PD_COUNTER_ISOLATED_FILE] = "isolated_file",
	};
	uint64_t mask = subject_mask(r, PD_SUBJECT_COUNTER);

	for (unsigned int i = 0; i < PD_NR_COUNTERS; i++) {
		if (!(mask >> i & 1) || r->d->expected->counter[i] == r->world->counter[i])
			continue;
		fprintf(r->out, "\ncounter %s: before %d, expected %d, got %d\n", names[i],
			r->d->before->counter[i], r->d->expected->counter[i],
			r->world->counter[i]);
	}
}
