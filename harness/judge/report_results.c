/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of the report about what an operation says beside the state: results, return value.
 */
#include <string.h>

#include "report.h"

#define MAX_SHOWN	24u

static const char *fact_name(const struct pd_report *r, const struct pd_fact *fact)
{
	const char *const *names = r->d->entry->op->result_names;

	for (unsigned int i = 0; names && names[i]; i++)
		if (i == fact->what)
			return names[i];
	return "result";
}

/* The facts of the kinds in @mask in one paragraph, in their order: word, a, and b unless 0. */
static void put_facts(const struct pd_report *r, const char *lead, const struct pd_results *results,
		      uint64_t mask)
{
	unsigned int nr = results->nr < PD_MAX_RESULTS ? results->nr : PD_MAX_RESULTS;
	unsigned int shown = 0;
	char text[2048] = "";
	size_t len = 0;

	for (unsigned int i = 0; i < nr; i++) {
		const struct pd_fact *fact = &results->list[i];

		if (!(mask >> fact->what & 1))
			continue;
		if (shown++ == MAX_SHOWN) {
			snprintf(text + len, sizeof(text) - len, ", ...");
			break;
		}
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s %u",
					len ? ", " : "", fact_name(r, fact), fact->a);
		if (fact->b)
			len += (size_t)snprintf(text + len, sizeof(text) - len, " %llu",
						(unsigned long long)fact->b);
	}
	pd_wrap(r->out, r->width, lead, shown ? text : "none", "");
}

void pd_report_results(const struct pd_report *r)
{
	const struct pd_row *row = r->d->first.row;

	if (row->subject == PD_SUBJECT_RETURN)
		fprintf(r->out, "\nreturn value: expected %ld, got %ld\n", r->d->want_ret,
			r->d->got_ret);
	if (row->subject != PD_SUBJECT_RESULT)
		return;
	fputs("\nresults:\n", r->out);
	put_facts(r, "  expected  ", &r->d->expected->results, row->mask);
	put_facts(r, "  got       ", &r->world->results, row->mask);
}
