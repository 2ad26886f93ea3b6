/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff compare: a difference, told and shown.
 */
#include "harness/cli/compare/compare.h"

#include <inttypes.h>
#include <string.h>

#include "harness/judge/entry_text.h"
#include "harness/judge/report.h"

#define MAX_LINES 8u	/* pages that are shown */

static void say_broken(FILE *out, struct pd_side *const side[2], const struct pd_change *change)
{
	for (unsigned int i = 0; i < 2; i++) {
		if (*change->signature[i])
			fprintf(out, "      %s: %s\n", side[i]->name, change->signature[i]);
		else
			fprintf(out, "      %s: as the reference\n", side[i]->name);
	}
}

static void say_what(FILE *out, struct pd_side *const side[2], const struct pd_change *change)
{
	const char *field = change->row ? change->row->field : "what no row is about";
	const char *a = side[0]->name, *b = side[1]->name;

	fprintf(out, "\n  %s %s on", change->op->name, field);
	for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++)
		if (change->arches >> arch & 1)
			fprintf(out, " %s", pd_arch_name((enum pd_arch)arch));
	if (change->class != PD_CHANGE_ALLOWED)
		fprintf(out, "\n");
	else if (change->how == PD_CHANGE_GAINED)
		fprintf(out, ": more in %s than in %s\n", b, a);
	else if (change->how == PD_CHANGE_LOST)
		fprintf(out, ": less in %s than in %s\n", b, a);
	else
		fprintf(out, ": %s differs from %s\n", b, a);
}

static bool follows(const struct pd_state *s, unsigned int va, unsigned int nr)
{
	return pd_entry_follows(s->pte[va], nr, s->pte[va + nr]);
}

/* How many pages from @va on differ in the same way. */
static unsigned int run_of(struct pd_side *const side[2], unsigned int va)
{
	const struct pd_state *a = &side[0]->after, *b = &side[1]->after;
	unsigned int nr = 1;

	while (va + nr < PD_NR_VA && a->pte[va + nr] != b->pte[va + nr] && follows(a, va, nr) &&
	       follows(b, va, nr) && follows(&side[0]->before, va, nr))
		nr++;
	return nr;
}

static void put_entry(FILE *out, const char *who, int width, lpte_t pte, unsigned int nr)
{
	char text[PD_ENTRY_CHARS];

	pd_entry_text(text, sizeof(text), pte, nr);
	fprintf(out, "%-*s  %s\n", width, who, text);
}

static void put_pages(FILE *out, struct pd_side *const side[2])
{
	const struct pd_state *a = &side[0]->after, *b = &side[1]->after;
	size_t longest = strlen(side[strlen(side[1]->name) > strlen(side[0]->name)]->name);
	int width = longest > 6 ? (int)longest : 6;
	unsigned int lines = 0, nr;

	for (unsigned int va = 0; va < PD_NR_VA; va += nr) {
		char pages[32];

		nr = 1;
		if (a->pte[va] == b->pte[va] || lines++ >= MAX_LINES)
			continue;
		nr = run_of(side, va);
		pd_pages_text(pages, sizeof(pages), va, nr);
		fprintf(out, "      %10s  ", pages);
		put_entry(out, "before", width, side[0]->before.pte[va], nr);
		fprintf(out, "%18s", "");
		put_entry(out, side[0]->name, width, a->pte[va], nr);
		fprintf(out, "%18s", "");
		put_entry(out, side[1]->name, width, b->pte[va], nr);
	}
	if (lines > MAX_LINES)
		fprintf(out, "      and %u more\n", lines - MAX_LINES);
}

static void put_facts(FILE *out, const struct pd_side *side, const struct pd_change *change)
{
	const char *const *names = change->op->result_names;
	unsigned int nr = side->results.nr < MAX_LINES ? side->results.nr : MAX_LINES;

	fprintf(out, "      %s: returns %ld", side->name, side->ret);
	for (unsigned int i = 0; i < nr; i++) {
		const struct pd_fact *fact = &side->results.list[i];

		fprintf(out, ", %s %u", names ? names[fact->what] : "result", fact->a);
		if (fact->b)
			fprintf(out, " %" PRIu64, fact->b);
	}
	fprintf(out, "%s\n", side->results.nr > nr ? ", ..." : "");
}

static void put_scenario(FILE *out, const struct scenario *sc)
{
	char record[256];

	for (unsigned int i = 0; i < sc->nr; i++) {
		pd_print_record(record, sizeof(record), &sc->rec[i]);
		fprintf(out, "        %s\n", record);
	}
}

static void say_count(FILE *out, const struct pd_change *change, const char *file)
{
	fprintf(out, "      %" PRIu64 " scenario%s, first %" PRIu64, change->count,
		change->count == 1 ? "" : "s", change->first);
	if (file)
		fprintf(out, ": %s", file);
	fprintf(out, "\n");
}

void pd_change_print(FILE *out, struct pd_side *const side[2], const struct pd_change *change,
		     const struct scenario *sc, const char *file)
{
	bool results = side[0]->ret != side[1]->ret ||
		       memcmp(&side[0]->results, &side[1]->results, sizeof(side[0]->results));

	say_what(out, side, change);
	if (change->class != PD_CHANGE_ALLOWED)
		say_broken(out, side, change);
	say_count(out, change, file);
	if (change->row)
		pd_wrap(out, PD_TERMINAL_WIDTH, "      rule: ", change->row->why, "");
	put_scenario(out, sc);
	put_pages(out, side);
	for (unsigned int i = 0; i < 2 && results; i++)
		put_facts(out, side[i], change);
}
