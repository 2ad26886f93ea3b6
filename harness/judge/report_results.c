/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of the report about what an operation says beside the state: results, return value.
 */
#include <string.h>

#include "entry_text.h"
#include "report.h"

#define MAX_SHOWN	24u
#define MAX_FACT	256u	/* characters of one, with its word */

static const char *fact_name(const struct pd_report *r, const struct pd_fact *fact)
{
	const char *const *names = r->d->entry->op->result_names;

	for (unsigned int i = 0; names && names[i]; i++)
		if (i == fact->what)
			return names[i];
	return "result";
}

void pd_result_text(char *text, size_t size, const struct pd_divergence *d,
		    const struct pd_fact *fact, bool got)
{
	const struct pd_op *op = d->entry->op;
	char entry[PD_ENTRY_CHARS];

	if (op->result_entries >> fact->what & 1) {
		lpte_t pte = got ? pd_raw_decode(d->arch, fact->b) : fact->b;

		pd_entry_text(entry, sizeof(entry), pte & pd_arch_mask(d->arch), 1);
		snprintf(text, size, "%u: %s", fact->a, entry);
	} else if (op->result_text) {
		op->result_text(text, size, fact);
	} else if (fact->b) {
		snprintf(text, size, "%u %llu", fact->a, (unsigned long long)fact->b);
	} else {
		snprintf(text, size, "%u", fact->a);
	}
}

void pd_return_text(char *text, size_t size, const struct pd_divergence *d, long value)
{
	if (d->entry->op->return_text)
		d->entry->op->return_text(text, size, value);
	else
		snprintf(text, size, "%ld", value);
}

/* The facts of the kinds in @mask in one paragraph, in their order. */
static void put_facts(const struct pd_report *r, const char *lead, bool got, uint64_t mask)
{
	const struct pd_results *results = got ? &r->world->results : &r->d->expected->results;
	unsigned int nr = results->nr < PD_MAX_RESULTS ? results->nr : PD_MAX_RESULTS;
	char text[MAX_SHOWN * MAX_FACT] = "", fact[MAX_FACT / 2];
	unsigned int shown = 0;
	size_t len = 0;

	for (unsigned int i = 0; i < nr; i++) {
		if (!(mask >> results->list[i].what & 1))
			continue;
		if (shown++ == MAX_SHOWN - 1) {
			snprintf(text + len, sizeof(text) - len, ", ...");
			break;
		}
		pd_result_text(fact, sizeof(fact), r->d, &results->list[i], got);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%.32s %s",
					len ? ", " : "", fact_name(r, &results->list[i]), fact);
	}
	pd_wrap(r->out, r->width, lead, shown ? text : "none", "");
}

void pd_report_results(const struct pd_report *r)
{
	const struct pd_row *row = r->d->first.row;
	char want[64], got[64];

	if (row->subject == PD_SUBJECT_RETURN) {
		pd_return_text(want, sizeof(want), r->d, r->d->want_ret);
		pd_return_text(got, sizeof(got), r->d, r->d->got_ret);
		fprintf(r->out, "\nreturn value: expected %s, got %s\n", want, got);
	}
	if (row->subject != PD_SUBJECT_RESULT)
		return;
	fputs("\nresults:\n", r->out);
	put_facts(r, "  expected  ", false, row->mask);
	put_facts(r, "  got       ", true, row->mask);
}
