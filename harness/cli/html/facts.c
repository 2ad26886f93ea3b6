/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What there is beside the entries: return value, results, folios and counters that differ.
 */
#include "harness/cli/html/html.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FACTS	40u	/* rows of the table */
#define MAX_KINDS	32u	/* of facts */

static unsigned int nr_facts(const struct pd_results *results)
{
	return results->nr < PD_MAX_RESULTS ? results->nr : PD_MAX_RESULTS;
}

static unsigned int nr_names(const struct pd_html *p)
{
	const char *const *names = p->report.d->entry->op->result_names;
	unsigned int nr = 0;

	while (names && names[nr])
		nr++;
	return nr;
}

/* The number @i of the facts of kind @what as text; empty when there are fewer. */
static void fact_text(const struct pd_html *p, bool got, unsigned int what, unsigned int i,
		      char *text, size_t size)
{
	const struct pd_divergence *d = p->report.d;
	const struct pd_results *results = got ? &p->report.world->results : &d->expected->results;

	text[0] = '\0';
	for (unsigned int k = 0; k < nr_facts(results); k++) {
		if (results->list[k].what != what || i--)
			continue;
		pd_result_text(text, size, d, &results->list[k], got);
		return;
	}
}

static void put_pair(struct pd_html *p, const char *what, const char *expected, const char *got,
		     bool compared)
{
	bool differs = compared && strcmp(expected, got);

	fprintf(p->out, "<tr%s><td>%s</td><td>", differs ? " class=\"diff\"" : "", what);
	pd_html_text(p->out, expected);
	fputs("</td><td>", p->out);
	pd_html_text(p->out, got);
	fprintf(p->out, "</td><td>%s</td></tr>\n", differs ? "\u2260" : "");
}

/* Do facts of a kind have to be equal, or is theirs the rule that was broken? */
static bool compared(const struct pd_html *p, unsigned int kind)
{
	const struct pd_row *first = p->report.d->first.row;

	for (const struct pd_row *row = p->report.d->entry->op->rows; row->field; row++)
		if (row->subject == PD_SUBJECT_RESULT && row->mask >> kind & 1 &&
		    (!row->accepts || row == first))
			return true;
	return false;
}

/* Kind by kind. A kind without a name, where others have one, is not for people. */
static void put_results(struct pd_html *p)
{
	unsigned int known = nr_names(p), shown = 0;
	char a[128], b[128];

	for (unsigned int kind = 0; kind < (known ? known : MAX_KINDS); kind++)
		for (unsigned int i = 0; shown < MAX_FACTS; i++, shown++) {
			fact_text(p, false, kind, i, a, sizeof(a));
			fact_text(p, true, kind, i, b, sizeof(b));
			if (!*a && !*b)
				break;
			put_pair(p, known ? p->report.d->entry->op->result_names[kind] : "result",
				 a, b, compared(p, kind));
		}
	if (shown == MAX_FACTS)
		fputs("<tr><td colspan=\"4\">and so on</td></tr>\n", p->out);
}

static void put_folios(struct pd_html *p)
{
	struct pd_report report = p->report;
	char *text = NULL;
	size_t size = 0;

	report.out = open_memstream(&text, &size);
	if (!report.out)
		return;
	pd_report_folios(&report);
	pd_report_counters(&report);
	fclose(report.out);
	if (size) {
		fputs("<pre>", p->out);
		pd_html_text(p->out, text + (*text == '\n'));
		fputs("</pre>\n", p->out);
	}
	free(text);
}

void pd_html_facts(struct pd_html *p)
{
	const struct pd_divergence *d = p->report.d;
	char want[64], got[64];

	pd_return_text(want, sizeof(want), d, d->want_ret);
	pd_return_text(got, sizeof(got), d, d->got_ret);
	if (d->want_ret == d->got_ret && !nr_facts(&d->expected->results) &&
	    !nr_facts(&p->report.world->results)) {
		fprintf(p->out, "<p>Return value: %s, as expected.</p>\n", want);
		put_folios(p);
		return;
	}
	fputs("<section>\n<h2>Return value and results</h2>\n<table>\n<tr><th></th>"
	      "<th>expected</th><th>got</th><th></th></tr>\n", p->out);
	put_pair(p, "return value", want, got, true);
	put_results(p);
	fputs("</table>\n", p->out);
	put_folios(p);
	fputs("</section>\n", p->out);
}
