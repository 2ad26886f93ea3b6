/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff random: what was found, on disk and as a report.
 */
#include "harness/cli/random/random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/guilty/path.h"

/* Find @finding again on @sc; its divergence is then in @r->judge. */
static bool replay(struct pd_random *r, const struct pd_finding *finding,
		   const struct scenario *sc)
{
	struct pd_divergences d;

	pd_divergences_start(&d, r->judge, sc, &r->sel);
	while (pd_divergences_next(&d))
		if (!strcmp(r->judge->divergence.signature, finding->signature))
			return true;
	return false;
}

/* FOLDER/op-implementation-field-relation.pte */
static void save(struct pd_random *r, struct pd_finding *finding, const struct scenario *sc)
{
	char name[PD_MAX_SIGNATURE];

	pd_signature_file(finding->signature, name, sizeof(name));
	snprintf(finding->file, sizeof(finding->file), "%s/%s.pte", r->opt->out, name);
	if (!pd_make_folder(r->opt->out) ||
	    !pd_save(finding->file, sc, finding->signature, finding->entry->name))
		finding->file[0] = '\0';
}

/*
 * The repaired form is saved: it is the one that people read and that replays as it stands. When
 * not even the scenario as it was generated shows the same again, there is nothing to report on:
 * something is left from the scenarios before it.
 */
static void save_one(struct pd_random *r, struct pd_finding *finding)
{
	struct scenario *sc = pd_alloc(2, sizeof(*sc));
	const struct scenario *best = &sc[1];
	uint64_t number = pd_random_number(r, finding->position);
	bool shows;

	pd_random_scenario(r, finding->position, &sc[0]);
	pd_repair_scenario(&sc[0], &sc[1], NULL);
	shows = replay(r, finding, best);
	if (!shows) {
		fprintf(stderr, "ptediff: scenario %" PRIu64 " in its repaired form does not show "
			"%s: saved as generated\n", number, finding->signature);
		best = &sc[0];
		shows = replay(r, finding, best);
	}
	save(r, finding, best);
	fprintf(r->people, "scenario %" PRIu64 " of seed %" PRIu64 "\n", number, r->opt->seed);
	if (shows) {
		pd_find_path(&r->judge->divergence, best, &r->sel);
		pd_report(r->people, r->judge, best, PD_TERMINAL_WIDTH,
			  *finding->file ? finding->file : NULL);
	} else {
		fprintf(r->people, "divergence: %s\nIt does not show again when the scenario is "
			"judged alone: %s keeps something from call to call, for example in a "
			"static variable, or ptediff does, which would be a bug of it.\n"
			"saved: %s\n", finding->signature, finding->entry->name, finding->file);
	}
	fputc('\n', r->people);
	free(sc);
}

void pd_random_save(struct pd_random *r, unsigned int first)
{
	for (unsigned int i = first; i < r->total.findings.nr; i++)
		save_one(r, &r->total.findings.finding[i]);
}
