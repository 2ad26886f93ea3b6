/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff run --trace: what an implementation did, access by access.
 */
#include "harness/cli/run/run.h"

#include <string.h>

/* A copy of @sc that ends with its operation number @last, counted from 0. */
static void cut_after(struct scenario *cut, const struct scenario *sc, unsigned int last)
{
	unsigned int nr = 0, seen = 0;

	while (nr < sc->nr && seen <= last)
		seen += pd_op_by_kind(sc->rec[nr++].kind) != NULL;
	cut->nr = nr;
	memcpy(cut->rec, sc->rec, nr * sizeof(cut->rec[0]));
}

static unsigned int count_ops(const struct scenario *sc)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < sc->nr; i++)
		nr += pd_op_by_kind(sc->rec[i].kind) != NULL;
	return nr;
}

/* Steps are traced by running ever longer parts of the scenario: a run keeps its last step. */
static void trace_one(const struct pd_run *run, FILE *out, unsigned int impl, unsigned int arch)
{
	unsigned int ops = count_ops(&run->in.sc);
	struct pd_selection sel;
	struct scenario cut;

	pd_selection_only(&sel, impl, arch);
	run->j->trace = true;
	for (unsigned int step = 0; step < ops; step++) {
		bool clean;

		cut_after(&cut, &run->in.sc, step);
		clean = pd_judge_scenario(run->j, &cut, &sel);
		fprintf(out, "trace of step %u: %s on %s%s\n", step, pd_impls[impl].name,
			pd_arch_name((enum pd_arch)arch), clean ? "" : ", diverges");
		pd_report_trace(out, run->j);
		if (!clean)
			break;
	}
	run->j->trace = false;
}

static bool has_op(const struct scenario *sc, const struct pd_op *op)
{
	for (unsigned int i = 0; i < sc->nr; i++)
		if (pd_op_by_kind(sc->rec[i].kind) == op)
			return true;
	return false;
}

void pd_run_trace(const struct pd_run *run, FILE *out)
{
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++)
			if (pd_selected(&run->sel, i) && run->sel.arch >> arch & 1 &&
			    pd_impls[i].impl[arch] && !pd_impls[i].impl[arch]->unsupported &&
			    has_op(&run->in.sc, pd_impls[i].op))
				trace_one(run, out, i, arch);
}
