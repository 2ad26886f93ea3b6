/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time line: time goes down, the pages of both ranges go across.
 *
 * Events of one kind on neighbouring pages are one line. Left of the pages are bars for as long
 * as a page-table lock, a notifier range or the lazy MMU mode lasts; right of them is what
 * happened, in words.
 */
#include "harness/cli/html/html.h"

#include <stdlib.h>
#include <string.h>

#include "harness/judge/entry_text.h"

#define NR_LANES	(PD_NR_TABLES + 2u)	/* locks, notifier, lazy mode */
#define LANE_W		14
#define NUMBER_W	34
#define PAGES_X		(NUMBER_W + (int)NR_LANES * LANE_W + 10)
#define PAGES_W		430
#define WORDS_X		(PAGES_X + PAGES_W + 16)
#define LINE_H		20
#define TOP		30
#define MAX_LINES	120u
#define PART_LINES	44u	/* of one picture: they fit on a printed page */
#define MIN_COLUMNS	16u	/* fewer pages are not drawn wider */

/* Events of one kind on pages [@va, @va + @pages), from event number @at on. */
struct line {
	enum pd_event_kind kind;
	unsigned int at, va, pages;
	struct pd_event event;	/* the first of them */
};

struct timeline {
	struct pd_html *p;
	struct line line[MAX_LINES];
	unsigned int nr, left;
	unsigned int from, to;	/* lines of the part at hand */
	uint16_t column[PD_NR_VA];	/* of the pages that are drawn, from 1 */
	unsigned int columns;
};

static bool has_pages(enum pd_event_kind kind)
{
	return kind == PD_EVENT_FLUSH || kind == PD_EVENT_NOTIFY_START ||
	       kind == PD_EVENT_NOTIFY_END || kind == PD_EVENT_BATCH;
}

static bool is_access(enum pd_event_kind kind)
{
	return kind == PD_EVENT_READ || kind == PD_EVENT_SET || kind == PD_EVENT_XCHG;
}

static void add_event(struct timeline *t, unsigned int at, const struct pd_event *event)
{
	struct line *last = t->nr ? &t->line[t->nr - 1] : NULL;

	if (last && last->kind == event->kind && is_access(event->kind) && !t->left &&
	    event->a == last->va + last->pages) {
		last->pages++;
		return;
	}
	if (t->nr == MAX_LINES) {
		t->left++;
		return;
	}
	t->line[t->nr++] = (struct line){
		.kind = event->kind, .at = at, .event = *event, .va = event->a,
		.pages = has_pages(event->kind) ? (unsigned int)event->b : 1,
	};
}

static void collect(struct timeline *t)
{
	const struct pd_world *w = t->p->report.world;
	unsigned int nr = w->nr_events < PD_MAX_EVENTS ? w->nr_events : PD_MAX_EVENTS;

	for (unsigned int i = 0; i < nr; i++)
		add_event(t, i, &w->event[i]);
}

static void mark_accessed(const struct line *line, bool *pages)
{
	for (unsigned int i = 0; is_access(line->kind) && i < line->pages; i++)
		if (line->va + i < PD_NR_VA)
			pages[line->va + i] = true;
}

/* Pages of both ranges, those that differ, and whatever was accessed, side by side. */
static void number_columns(struct timeline *t)
{
	bool pages[PD_NR_VA];

	memcpy(pages, t->p->report.shown, sizeof(pages));
	for (unsigned int i = 0; i < t->nr; i++)
		mark_accessed(&t->line[i], pages);
	for (unsigned int va = 0; va < PD_NR_VA; va++)
		if (pages[va])
			t->column[va] = (uint16_t)++t->columns;
}

/* ---- drawing ---- */

static double column_x(const struct timeline *t, unsigned int column)
{
	unsigned int columns = t->columns > MIN_COLUMNS ? t->columns : MIN_COLUMNS;

	return PAGES_X + (double)PAGES_W * (column - 1) / columns;
}

static int line_y(const struct timeline *t, unsigned int line)
{
	return TOP + LINE_H * (int)(line - t->from);
}

/* The drawn part of pages [@va, @va + @pages); false: none of them is drawn. */
static bool extent(const struct timeline *t, unsigned int va, unsigned int pages, double *x1,
		   double *x2)
{
	unsigned int first = 0, last = 0;

	for (unsigned int i = va; i < va + pages && i < PD_NR_VA; i++) {
		first = first ? first : t->column[i];
		last = t->column[i] ? t->column[i] : last;
	}
	*x1 = column_x(t, first ? first : 1);
	*x2 = column_x(t, last + 1);
	return first;
}

static void put_mark(const struct timeline *t, const struct line *line, int y)
{
	static const char *const classes[PD_NR_EVENT_KINDS] = {
		[PD_EVENT_READ] = "read",
		[PD_EVENT_SET] = "write",
		[PD_EVENT_XCHG] = "write",
		[PD_EVENT_FLUSH] = "flush",
		[PD_EVENT_BATCH] = "batch",
		[PD_EVENT_HW] = "hw",
	};
	FILE *out = t->p->out;
	double x1, x2, x;

	if (!classes[line->kind] || !extent(t, line->va, line->pages, &x1, &x2))
		return;
	x = (x1 + x2) / 2;
	if (line->kind == PD_EVENT_HW)
		fprintf(out, "<path class=\"hw\" d=\"M%.1f %dl7 8h-5l4 7-11-9h5l-4-6z\"/>", x,
			y - 7);
	else if (line->kind == PD_EVENT_FLUSH || line->kind == PD_EVENT_BATCH)
		fprintf(out, "<path class=\"%s\" d=\"M%.1f %dv12M%.1f %dH%.1fM%.1f %dv12\"/>",
			classes[line->kind], x1 + 1, y - 6, x1 + 1, y, x2 - 1, x2 - 1, y - 6);
	else
		fprintf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" "
			"height=\"10\"/>", classes[line->kind], x1 + 1, y - 5,
			x2 - x1 > 3 ? x2 - x1 - 2 : 1);
}

static void entry_words(const struct timeline *t, const struct line *line, char *text, size_t size)
{
	enum pd_arch arch = t->p->report.d->arch;
	lpte_t now = pd_raw_decode(arch, line->event.b), was = pd_raw_decode(arch, line->event.c);
	const char *verb = line->kind == PD_EVENT_READ ? "read" :
			   line->kind == PD_EVENT_SET ? "set" : "exchange";
	char pages[32], a[PD_ENTRY_CHARS], b[PD_ENTRY_CHARS];

	pd_pages_text(pages, sizeof(pages), line->va, line->pages);
	pd_entry_text(a, sizeof(a), now, line->pages);
	pd_entry_text(b, sizeof(b), was, line->pages);
	if (line->pages > 1)
		snprintf(text, size, "%s %s", verb, pages);
	else if (line->kind == PD_EVENT_XCHG)
		snprintf(text, size, "%s %s: %s for %s", verb, pages, b, a);
	else
		snprintf(text, size, "%s %s: %s", verb, pages, a);
}

static void range_words(const struct line *line, char *text, size_t size)
{
	static const char *const verbs[PD_NR_EVENT_KINDS] = {
		[PD_EVENT_FLUSH] = "flush",
		[PD_EVENT_NOTIFY_START] = "notify start",
		[PD_EVENT_NOTIFY_END] = "notify end",
		[PD_EVENT_BATCH] = "batch",
	};
	char pages[32];

	pd_pages_text(pages, sizeof(pages), line->va, line->pages);
	snprintf(text, size, "%s %s", verbs[line->kind], pages);
}

static void words(const struct timeline *t, const struct line *line, char *text, size_t size)
{
	const struct pd_incident_info *warn = &t->p->report.world->incident[PD_INCIDENT_WARN];
	const struct pd_event *event = &line->event;

	if (is_access(line->kind)) {
		entry_words(t, line, text, size);
		return;
	}
	if (has_pages(line->kind)) {
		range_words(line, text, size);
		return;
	}
	switch (line->kind) {
	case PD_EVENT_LOCK:
	case PD_EVENT_UNLOCK:
		snprintf(text, size, "%s table %u", line->kind == PD_EVENT_LOCK ? "lock" : "unlock",
			 event->a);
		return;
	case PD_EVENT_HW:
		snprintf(text, size, "CPU %s %u%s", event->b ? "writes" : "reads", event->a,
			 event->c ? "" : ": faults");
		return;
	case PD_EVENT_MOVE_TABLE:
		snprintf(text, size, "table %u to %u", event->a, (unsigned int)event->b);
		return;
	case PD_EVENT_WARN:
		snprintf(text, size, "assertion: %s", warn->text ? warn->text : "");
		return;
	case PD_EVENT_FLUSH_PENDING:
		snprintf(text, size, "flush what is pending");
		return;
	default:
		snprintf(text, size, "lazy mode %s",
			 line->kind == PD_EVENT_LAZY_ENTER ? "on" : "off");
	}
}

/* ---- lanes: what lasts ---- */

static int lane_of(const struct line *line)
{
	switch (line->kind) {
	case PD_EVENT_LOCK:
	case PD_EVENT_UNLOCK:
		return (int)(line->event.a % PD_NR_TABLES);
	case PD_EVENT_NOTIFY_START:
	case PD_EVENT_NOTIFY_END:
		return PD_NR_TABLES;
	case PD_EVENT_LAZY_ENTER:
	case PD_EVENT_LAZY_LEAVE:
		return PD_NR_TABLES + 1;
	default:
		return -1;
	}
}

static bool opens(enum pd_event_kind kind)
{
	return kind == PD_EVENT_LOCK || kind == PD_EVENT_NOTIFY_START ||
	       kind == PD_EVENT_LAZY_ENTER;
}

static void put_lane(const struct timeline *t, unsigned int lane, unsigned int from,
		     unsigned int to)
{
	const char *class = lane < PD_NR_TABLES ? "lock" : lane == PD_NR_TABLES ? "notify" : "lazy";
	int x = NUMBER_W + (int)lane * LANE_W;

	if (from >= t->to || to < t->from)
		return;
	from = from > t->from ? from : t->from;
	to = to < t->to ? to : t->to - 1;
	fprintf(t->p->out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"8\" height=\"%d\" "
		"rx=\"2\"/>\n", class, x, line_y(t, from) - 4, LINE_H * (int)(to - from) + 8);
}

static void put_lanes(const struct timeline *t)
{
	int since[NR_LANES];

	memset(since, -1, sizeof(since));
	for (unsigned int i = 0; i < t->nr; i++) {
		int lane = lane_of(&t->line[i]);

		if (lane < 0)
			continue;
		if (opens(t->line[i].kind)) {
			since[lane] = since[lane] < 0 ? (int)i : since[lane];
		} else if (since[lane] >= 0) {
			put_lane(t, (unsigned int)lane, (unsigned int)since[lane], i);
			since[lane] = -1;
		}
	}
	for (unsigned int lane = 0; lane < NR_LANES; lane++)
		if (since[lane] >= 0)
			put_lane(t, lane, (unsigned int)since[lane], t->nr - 1);
}

/* ---- around the lines ---- */

/* Does the number of page @va stand above it? A run of neighbours starts, or one of the ranges. */
static bool labelled(const struct timeline *t, unsigned int va)
{
	const struct pd_span *span = &t->p->report.span;

	return t->column[va] && (!va || !t->column[va - 1] || va == span->src || va == span->dst);
}

/* Numbers, with a line all the way down. */
static void put_axis(const struct timeline *t)
{
	for (unsigned int va = 0; va < PD_NR_VA; va++) {
		double x = column_x(t, t->column[va]);

		if (!labelled(t, va))
			continue;
		fprintf(t->p->out, "<path class=\"guide\" d=\"M%.1f 18V%d\"/>"
			"<text class=\"dimtext\" x=\"%.1f\" y=\"12\">%u</text>\n", x,
			line_y(t, t->to), x, va);
	}
	for (unsigned int lane = 0; lane < NR_LANES; lane++) {
		char name[8];

		snprintf(name, sizeof(name), lane < PD_NR_TABLES ? "%u" :
			 lane == PD_NR_TABLES ? "n" : "z", lane);
		fprintf(t->p->out, "<text class=\"dimtext\" x=\"%d\" y=\"12\">%s</text>",
			NUMBER_W + (int)lane * LANE_W, name);
	}
}

static void put_lines(const struct timeline *t)
{
	char text[3 * PD_ENTRY_CHARS];

	for (unsigned int i = t->from; i < t->to; i++) {
		int y = line_y(t, i);

		words(t, &t->line[i], text, sizeof(text));
		fprintf(t->p->out, "<text class=\"dimtext\" x=\"0\" y=\"%d\">%u</text>", y + 4,
			t->line[i].at);
		put_mark(t, &t->line[i], y);
		fprintf(t->p->out, "<text x=\"%d\" y=\"%d\">", WORDS_X, y + 4);
		pd_html_text(t->p->out, text);
		fputs("</text>\n", t->p->out);
	}
}

/* Only what there is in the picture. */
static void put_legend(const struct timeline *t)
{
	static const struct {
		enum pd_event_kind kind;
		const char *text;
	} legend[] = {
		{ PD_EVENT_LOCK, " Bars 0 to 3: the lock of that table is held." },
		{ PD_EVENT_NOTIFY_START, " Bar <b>n</b>: a notifier range is open." },
		{ PD_EVENT_LAZY_ENTER, " Bar <b>z</b>: lazy MMU mode." },
		{ PD_EVENT_READ, " Hollow: read." },
		{ PD_EVENT_SET, " Filled: set." },
		{ PD_EVENT_XCHG, " Filled, exchanged: set, and what was there is taken." },
		{ PD_EVENT_BATCH, " Bracket: a batch." },
		{ PD_EVENT_FLUSH, " Dashed bracket: a TLB flush." },
		{ PD_EVENT_HW, " Bolt: hardware." },
	};

	fputs("<p class=\"dim\">Time goes down, pages across.", t->p->out);
	for (size_t i = 0; i < sizeof(legend) / sizeof(legend[0]); i++)
		for (unsigned int k = 0; k < t->nr; k++)
			if (t->line[k].kind == legend[i].kind) {
				fputs(legend[i].text, t->p->out);
				break;
			}
	fputs("</p>\n", t->p->out);
}

static void put_part(struct timeline *t)
{
	fprintf(t->p->out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"time line\">\n",
		PD_HTML_WIDTH, line_y(t, t->to));
	put_axis(t);
	put_lanes(t);
	put_lines(t);
	fputs("</svg>\n", t->p->out);
}

static void put_picture(struct timeline *t)
{
	FILE *out = t->p->out;

	fputs("<section>\n<h2>What the implementation did</h2>\n", out);
	for (; t->from < t->nr; t->from = t->to) {
		t->to = t->nr - t->from > PART_LINES ? t->from + PART_LINES : t->nr;
		put_part(t);
	}
	if (t->left)
		fprintf(out, "<p class=\"dim\">%u more events: ptediff run --trace.</p>\n",
			t->left);
	put_legend(t);
	fputs("</section>\n", out);
}

void pd_html_timeline(struct pd_html *p)
{
	struct timeline *t = pd_alloc(1, sizeof(*t));

	t->p = p;
	collect(t);
	number_columns(t);
	if (t->nr)
		put_picture(t);
	free(t);
}
