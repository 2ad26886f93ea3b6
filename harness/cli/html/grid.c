/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page tables as a grid: a row of 16 pages, the size of a contpte block, one cell an entry.
 *
 * In a cell: the letter of its large folio and its frame; then young, dirty and writable at fixed
 * places; then the other flags. A bar at its foot joins the entries of a contpte block.
 */
#include "harness/cli/html/html.h"

#include <stdlib.h>
#include <string.h>

#include "harness/judge/entry_text.h"

#define LABEL_W	88
#define CELL_W	56
#define CELL_H	50
#define BAR_H	4		/* at the foot, of a contpte block */
#define EMPTY_H	16		/* of a row without entries */
#define GAP	18		/* between rows: room for span lines and arrows */
#define TITLE_H	26
#define COLUMNS	16u
#define NR_ROWS	(PD_NR_VA / COLUMNS)
#define MAX_ROWS 10u		/* of a grid */
#define COLOURS	8u

enum side {
	SIDE_BEFORE,
	SIDE_EXPECTED,
	SIDE_GOT,
};

struct grid {
	struct pd_html *p;
	enum side side;
	const struct pd_state *s;
	const bool *row;	/* rows that are drawn */
	int y, height;		/* of the row at hand */
};

static const uint64_t in_place[] = { LPTE_YOUNG, LPTE_DIRTY, LPTE_WRITE };
#define IN_PLACE (LPTE_YOUNG | LPTE_DIRTY | LPTE_WRITE)

static bool inside(unsigned int va, unsigned int first, unsigned int pages)
{
	return va - first < pages;
}

/* ---- which rows ---- */

static bool row_matters(const struct pd_report *r, unsigned int row)
{
	const struct pd_span *span = &r->span;
	unsigned int first = row * COLUMNS;

	for (unsigned int va = first; va < first + COLUMNS; va++) {
		bool end = va == span->src || va == span->dst ||
			   va + 1 == span->src + span->pages || va + 1 == span->dst + span->pages;

		if (r->marks[va] || (r->shown[va] && end))
			return true;
	}
	return false;
}

/* Is there anything in the row, at any time? */
static bool row_shown(const struct pd_report *r, unsigned int row)
{
	for (unsigned int va = row * COLUMNS; va < (row + 1) * COLUMNS; va++) {
		bool filled = !lpte_none(r->d->before->pte[va]) ||
			      !lpte_none(r->d->expected->pte[va]) || !lpte_none(r->d->got->pte[va]);

		if (r->shown[va] && (filled || row_matters(r, row)))
			return true;
	}
	return false;
}

/* Rows with a difference or an end of a range come before the others. */
static unsigned int choose_rows(const struct pd_report *r, bool *row)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < NR_ROWS && nr < MAX_ROWS; i++)
		if (row_matters(r, i) && row_shown(r, i))
			nr += row[i] = true;
	for (unsigned int i = 0; i < NR_ROWS && nr < MAX_ROWS; i++)
		if (row_shown(r, i) && !row[i])
			nr += row[i] = true;
	return nr;
}

/* ---- where rows are ---- */

static int row_height(const struct grid *g, unsigned int row)
{
	for (unsigned int va = row * COLUMNS; va < (row + 1) * COLUMNS; va++)
		if (!lpte_none(g->s->pte[va]) ||
		    (g->side != SIDE_BEFORE && g->p->report.marks[va]))
			return CELL_H;
	return EMPTY_H;
}

static int row_y(const struct grid *g, unsigned int which)
{
	int y = TITLE_H + 8;

	for (unsigned int i = 0; i < which; i++)
		y += g->row[i] ? row_height(g, i) + GAP : 0;
	return y;
}

/* ---- a cell ---- */

/* None that is a flag, too: A is young. */
static const char letters[] = "FGHJKLMNPQRSTUVXYZ";
#define NR_LETTERS (sizeof(letters) - 1)

static char letter_of(struct pd_html *p, const struct pd_state *s, lpte_t pte)
{
	unsigned int head = pd_head(s, lpte_pfn(pte));

	if (!s->folio[head].order)
		return 0;
	if (!p->letter[head])
		p->letter[head] = (uint8_t)(1 + p->nr_letters++ % NR_LETTERS);
	return letters[p->letter[head] - 1];
}

static const char *kind_word(lpte_t pte)
{
	static const char *const words[LPTE_NR_KINDS] = {
		[LPTE_KIND_SWAP] = "swap",
		[LPTE_KIND_MIGRATION_READ] = "migr r",
		[LPTE_KIND_MIGRATION_READ_EXCLUSIVE] = "migr rx",
		[LPTE_KIND_MIGRATION_WRITE] = "migr w",
		[LPTE_KIND_DEVICE_PRIVATE_READ] = "dev r",
		[LPTE_KIND_DEVICE_PRIVATE_WRITE] = "dev w",
		[LPTE_KIND_DEVICE_EXCLUSIVE] = "dev x",
		[LPTE_KIND_HWPOISON] = "poison",
		[LPTE_KIND_MARKER] = "marker",
	};
	enum lpte_kind kind = lpte_kind(pte);

	return kind < LPTE_NR_KINDS && words[kind] ? words[kind] : "?";
}

/* Second line of a cell that is not present: what is marked, or slot or frame. */
static void kind_detail(lpte_t pte, char *text, size_t size)
{
	static const char *const marks[LPTE_NR_MARKERS] = {
		[LPTE_MARKER_UFFD_WP] = "uffd-wp",
		[LPTE_MARKER_POISON] = "poison",
		[LPTE_MARKER_GUARD] = "guard",
	};
	unsigned int type = lpte_type(pte);

	if (lpte_kind(pte) == LPTE_KIND_MARKER)
		snprintf(text, size, "%s", type < LPTE_NR_MARKERS ? marks[type] : "?");
	else if (lpte_kind(pte) == LPTE_KIND_SWAP)
		snprintf(text, size, "%u:%u", type, lpte_pfn(pte));
	else
		snprintf(text, size, "%u", lpte_pfn(pte));
}

/* Class of the cell, and its first line. */
static const char *describe(struct pd_html *p, const struct pd_state *s, lpte_t pte, char *text,
			    size_t size)
{
	static const char *const fills[COLOURS] = {
		"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7",
	};
	char letter;

	text[0] = '\0';
	if (lpte_none(pte))
		return "none";
	if (!lpte_present(pte)) {
		snprintf(text, size, "%s", kind_word(pte));
		return "gone";
	}
	if (pte & LPTE_SPECIAL) {
		snprintf(text, size, lpte_pfn(pte) == PD_ZERO_PFN ? "zero" : "%u", lpte_pfn(pte));
		return "small";
	}
	letter = letter_of(p, s, pte);
	if (!letter) {
		snprintf(text, size, "%u", lpte_pfn(pte));
		return "small";
	}
	snprintf(text, size, "%c %u", letter, lpte_pfn(pte));
	return fills[(p->letter[pd_head(s, lpte_pfn(pte))] - 1u) % COLOURS];
}

/* A flag; where it must not differ it is a filled badge on the side that has it, else struck. */
static void put_flag(const struct grid *g, int x, int y, const char *name, bool set, bool differs)
{
	int width = 4 + 8 * (int)strlen(name);

	if (differs)
		fprintf(g->p->out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" "
			"height=\"14\" rx=\"2\"/>", set ? "has" : "lacks", x - 2, y - 11, width);
	fprintf(g->p->out, "<text x=\"%d\" y=\"%d\">%s</text>", x, y, name);
}

static void put_flags(const struct grid *g, int x, lpte_t pte, uint64_t marks)
{
	int at = x + 4;

	pte &= pd_arch_mask(g->p->report.d->arch);
	for (const struct pd_flag *flag = pd_flags; flag->name; flag++) {
		bool differs = g->side != SIDE_BEFORE && marks & flag->bit;
		bool set = pte & flag->bit;

		if (!set && !differs)
			continue;
		for (int i = 0; i < 3; i++)
			if (flag->bit == in_place[i])
				put_flag(g, x + 5 + 17 * i, g->y + 29, flag->name, set, differs);
		if (flag->bit & IN_PLACE || flag->bit == LPTE_CONT)
			continue;
		put_flag(g, at, g->y + 43, flag->name, set, differs);
		at += 6 + 8 * (int)strlen(flag->name);
	}
}

static void put_frame(const struct grid *g, int x, unsigned int va)
{
	const struct pd_divergence *d = g->p->report.d;
	uint64_t allowed = (d->expected->pte[va] ^ d->got->pte[va]) & pd_arch_mask(d->arch);
	const char *class = g->p->report.marks[va] ? "differs" : allowed ? "allowed" : NULL;
	int bar = g->s->pte[va] & LPTE_CONT ? BAR_H : 0;

	if (g->side == SIDE_BEFORE || !class)
		return;
	fprintf(g->p->out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
		class, x + 2, g->y + 2, CELL_W - 4, g->height - 4 - bar);
	if (g->p->report.marks[va])
		fprintf(g->p->out, "<text class=\"bold\" x=\"%d\" y=\"%d\" "
			"text-anchor=\"end\">\u2260</text>", x + CELL_W - 5, g->y + 16);
}

static void put_cell(const struct grid *g, unsigned int va)
{
	int x = LABEL_W + CELL_W * (int)(va % COLUMNS);
	lpte_t pte = g->s->pte[va];
	char text[24], detail[24];
	const char *class = describe(g->p, g->s, pte, text, sizeof(text));
	uint64_t marks = g->p->report.marks[va];

	fprintf(g->p->out, "<rect class=\"cell %s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
		class, x, g->y, CELL_W, g->height);
	if (!strcmp(class, "gone")) {
		kind_detail(pte, detail, sizeof(detail));
		fprintf(g->p->out, "<rect class=\"plate\" x=\"%d\" y=\"%d\" width=\"%d\" "
			"height=\"30\"/><text x=\"%d\" y=\"%d\">%s</text>", x + 2, g->y + 3,
			CELL_W - 4, x + 4, g->y + 29, detail);
	}
	if (*text)
		fprintf(g->p->out, "<text x=\"%d\" y=\"%d\">%s</text>", x + 4, g->y + 15, text);
	put_flags(g, x, pte, marks);
	if (pte & LPTE_CONT)
		fprintf(g->p->out, "<rect class=\"cont\" x=\"%d\" y=\"%d\" width=\"%d\" "
			"height=\"%d\"/>", x, g->y + CELL_H - BAR_H, CELL_W, BAR_H);
	put_frame(g, x, va);
	fputc('\n', g->p->out);
}

/* ---- rows, spans and the move ---- */

/* A line above the cells of a range in this row. */
static void put_span(const struct grid *g, unsigned int first_va, unsigned int first,
		     unsigned int pages, bool to)
{
	int from = -1, end = -1;

	for (unsigned int i = 0; i < COLUMNS; i++) {
		if (!inside(first_va + i, first, pages))
			continue;
		from = from < 0 ? (int)i : from;
		end = (int)i + 1;
	}
	if (from >= 0)
		fprintf(g->p->out, "<path class=\"span%s\" d=\"M%d %dH%d\"/>\n", to ? " to" : "",
			LABEL_W + CELL_W * from + 2, g->y - 4, LABEL_W + CELL_W * end - 2);
}

static void put_row(const struct grid *g, unsigned int row)
{
	const struct pd_span *span = &g->p->report.span;
	unsigned int first = row * COLUMNS;
	char pages[32];

	pd_pages_text(pages, sizeof(pages), first, COLUMNS);
	fprintf(g->p->out, "<text class=\"dimtext\" x=\"0\" y=\"%d\">%s</text>\n",
		g->y + g->height / 2 + 4, pages);
	for (unsigned int va = first; va < first + COLUMNS; va++)
		put_cell(g, va);
	put_span(g, first, span->src, span->pages, false);
	if (span->dst != span->src)
		put_span(g, first, span->dst, span->pages, true);
}

static int page_x(unsigned int va)
{
	return LABEL_W + CELL_W * (int)(va % COLUMNS) + CELL_W / 2;
}

/* Drawn from an end of the source that is next to the destination, so that it crosses no row. */
static void put_arrow(const struct grid *g)
{
	const struct pd_span *span = &g->p->report.span;
	unsigned int last = (span->src + span->pages - 1) / COLUMNS;
	unsigned int to = span->dst / COLUMNS;
	unsigned int from = to > last && g->row[last] ? last : span->src / COLUMNS;
	bool up = to < from, same = to == from;
	int x1, x2 = page_x(span->dst), y1, y2;

	if (span->src == span->dst || !span->pages || !g->row[from] || !g->row[to])
		return;
	x1 = page_x(from * COLUMNS > span->src ? from * COLUMNS : span->src);
	y1 = row_y(g, from) + (up ? -5 : row_height(g, from));
	y2 = row_y(g, to) + (same || up ? row_height(g, to) + 3 : -8);
	fprintf(g->p->out, "<path class=\"arrow\" d=\"M%d %dC%d %d %d %d %d %d\" "
		"marker-end=\"url(#head)\"/>\n", x1, y1, x1, y1 + (up ? -14 : 18), x2,
		y2 + (same || up ? 14 : -14), x2, y2);
}

static void put_grid(struct grid *g, const char *title)
{
	fprintf(g->p->out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" "
		"aria-label=\"page tables %s\">\n"
		"<text class=\"side\" x=\"0\" y=\"16\">%s</text>\n",
		PD_HTML_WIDTH, row_y(g, NR_ROWS) + 4, title, title);
	for (unsigned int row = 0; row < NR_ROWS; row++) {
		if (!g->row[row])
			continue;
		g->y = row_y(g, row);
		g->height = row_height(g, row);
		put_row(g, row);
	}
	if (g->side == SIDE_BEFORE)
		put_arrow(g);
	fputs("</svg>\n", g->p->out);
}

/* ---- around the grids ---- */

static void put_definitions(FILE *out)
{
	fputs("<svg width=\"0\" height=\"0\" style=\"position:absolute\"><defs>"
	      "<pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
	      "patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 0V7\"/></pattern>"
	      "<marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" markerWidth=\"7\" "
	      "markerHeight=\"7\" orient=\"auto\"><path class=\"head\" d=\"M0 0L10 5L0 10z\"/>"
	      "</marker></defs></svg>\n", out);
}

static bool marked(const struct pd_html *p)
{
	for (unsigned int va = 0; va < PD_NR_VA; va++)
		if (p->report.marks[va])
			return true;
	return false;
}

/* Is there an entry that differs and may? */
static bool tolerated(const struct pd_html *p)
{
	const struct pd_divergence *d = p->report.d;

	for (unsigned int va = 0; va < PD_NR_VA; va++)
		if (p->report.shown[va] && !p->report.marks[va] &&
		    (d->expected->pte[va] ^ d->got->pte[va]) & pd_arch_mask(d->arch))
			return true;
	return false;
}

static void put_legend(struct pd_html *p)
{
	const struct pd_divergence *d = p->report.d;
	uint64_t used = 0;

	for (unsigned int va = 0; va < PD_NR_VA; va++)
		if (row_shown(&p->report, va / COLUMNS))
			used |= d->before->pte[va] | d->expected->pte[va] | d->got->pte[va];
	used &= pd_arch_mask(d->arch);
	fputs("<p class=\"dim\">", p->out);
	if (p->nr_letters)
		fputs("A letter and a tint: a large folio; the number is the frame. ", p->out);
	for (const struct pd_flag *flag = pd_flags; flag->name; flag++) {
		if (!(used & flag->bit) || flag->bit == LPTE_CONT)
			continue;
		fprintf(p->out, "<b>%s</b> %s. ", flag->name, flag->meaning);
	}
	if (used & LPTE_CONT)
		fputs("A bar at the foot: a contpte block. ", p->out);
	if (marked(p))
		fputs("A thick frame and \u2260: must not differ; a filled letter is set, a struck "
		      "one is not. ", p->out);
	if (tolerated(p))
		fputs("A dashed frame: differs as the contract allows. ", p->out);
	if (p->report.span.src != p->report.span.dst)
		fputs("A line above: the source; dashed: the destination.", p->out);
	fputs("</p>\n", p->out);
}

/* Do both states say the same of the rows that are drawn? */
static bool same_rows(const bool *row, const struct pd_state *a, const struct pd_state *b)
{
	for (unsigned int va = 0; va < PD_NR_VA; va++)
		if (row[va / COLUMNS] && a->pte[va] != b->pte[va])
			return false;
	return true;
}

/* States that say the same are one grid. */
static void put_sides(struct pd_html *p, const bool *row)
{
	const struct pd_divergence *d = p->report.d;
	struct grid g = { .p = p, .side = SIDE_BEFORE, .s = d->before, .row = row };
	bool got = same_rows(row, d->expected, d->got) && !marked(p);
	bool all = got && same_rows(row, d->before, d->got);

	put_grid(&g, all ? "before; expected and got are the same" : "before");
	if (all)
		return;
	g.side = SIDE_EXPECTED;
	g.s = d->expected;
	put_grid(&g, got ? "expected, and got" : "expected: the reference");
	if (got)
		return;
	g.side = SIDE_GOT;
	g.s = d->got;
	put_grid(&g, "got: the implementation");
}

void pd_html_grids(struct pd_html *p)
{
	bool row[NR_ROWS] = { false };
	unsigned int nr = choose_rows(&p->report, row), hidden = 0;

	put_definitions(p->out);
	if (!nr)
		return;
	for (unsigned int i = 0; i < NR_ROWS; i++)
		hidden += !row[i] && row_shown(&p->report, i);
	fputs("<section>\n<h2>Page tables</h2>\n", p->out);
	put_sides(p, row);
	if (hidden)
		fprintf(p->out, "<p class=\"dim\">%u more rows of the ranges are not drawn.</p>\n",
			hidden);
	put_legend(p);
	fputs("</section>\n", p->out);
}
