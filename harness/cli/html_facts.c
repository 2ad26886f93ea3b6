/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What there is beside the entries: return value, results, folios and counters that differ.
 */
#include "html.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FACTS	40u	/* rows of the table */

static unsigned int nr_facts(const struct pd_results *results)
{
	return results->nr < PD_MAX_RESULTS ? results->nr : PD_MAX_RESULTS;
}

static void fact_text(const struct pd_html *p, const struct pd_results *results, unsigned int i,
		      char *text, size_t size)
{
	const char *const *names = p->report.d->entry->op->result_names;
	const struct pd_fact *fact = &results->list[i];
	unsigned int known = 0;

	text[0] = '\0';
	if (i >= nr_facts(results))
		return;
	while (names && names[known])
		known++;
	if (fact->b)
		snprintf(text, size, "%s %u, %llu", fact->what < known ? names[fact->what] :
			 "result", fact->a, (unsigned long long)fact->b);
	else
		snprintf(text, size, "%s %u", fact->what < known ? names[fact->what] : "result",
			 fact->a);
}

static void put_pair(struct pd_html *p, const char *what, const char *expected, const char *got)
{
	bool differs = strcmp(expected, got);

	fprintf(p->out, "<tr%s><td>%s</td><td>", differs ? " class=\"diff\"" : "", what);
	pd_html_text(p->out, expected);
	fputs("</td><td>", p->out);
	pd_html_text(p->out, got);
	fprintf(p->out, "</td><td>%s</td></tr>\n", differs ? "\u2260" : "");
}

static void put_results(struct pd_html *p)
{
	const struct pd_results *expected = &p->report.d->expected->results;
	const struct pd_results *got = &p->report.world->results;
	unsigned int nr = nr_facts(expected) > nr_facts(got) ? nr_facts(expected) : nr_facts(got);
	char a[96], b[96], what[32];

	for (unsigned int i = 0; i < nr && i < MAX_FACTS; i++) {
		snprintf(what, sizeof(what), "result %u", i);
		fact_text(p, expected, i, a, sizeof(a));
		fact_text(p, got, i, b, sizeof(b));
		put_pair(p, what, a, b);
	}
	if (nr > MAX_FACTS)
		fprintf(p->out, "<tr><td colspan=\"4\">%u more</td></tr>\n", nr - MAX_FACTS);
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
	char want[32], got[32];

	snprintf(want, sizeof(want), "%ld", d->want_ret);
	snprintf(got, sizeof(got), "%ld", d->got_ret);
	if (d->want_ret == d->got_ret && !nr_facts(&d->expected->results) &&
	    !nr_facts(&p->report.world->results)) {
		fprintf(p->out, "<p>Return value: %s, as expected.</p>\n", want);
		put_folios(p);
		return;
	}
	fputs("<section>\n<h2>Return value and results</h2>\n<table>\n<tr><th></th>"
	      "<th>expected</th><th>got</th><th></th></tr>\n", p->out);
	put_pair(p, "return value", want, got);
	put_results(p);
	fputs("</table>\n", p->out);
	put_folios(p);
	fputs("</section>\n", p->out);
}
