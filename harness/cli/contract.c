/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contracts in words: one for the terminal, all of them as docs/contracts.md.
 */
#include "harness/cli/cli.h"

#include "harness/judge/report.h"

static const char *const place_names[PD_NR_PLACES] = {
	[PD_PLACE_SRC] = "source",
	[PD_PLACE_DST] = "destination",
	[PD_PLACE_EDGE] = "edge block",
	[PD_PLACE_REST] = "elsewhere",
};

static const char *const subject_names[PD_NR_SUBJECTS] = {
	[PD_SUBJECT_PTE] = "entries",
	[PD_SUBJECT_FOLIO] = "folios",
	[PD_SUBJECT_COUNTER] = "counters",
	[PD_SUBJECT_RETURN] = "return value",
	[PD_SUBJECT_RESULT] = "results",
	[PD_SUBJECT_TLB] = "TLB",
	[PD_SUBJECT_BBM] = "break-before-make",
	[PD_SUBJECT_RAW] = "raw encoding",
	[PD_SUBJECT_HW_DIRTY] = "hardware writes",
	[PD_SUBJECT_LOCK] = "locks",
	[PD_SUBJECT_NOTIFY] = "notifiers",
	[PD_SUBJECT_ACCESS] = "accesses",
	[PD_SUBJECT_OVERWRITE] = "overwritten entries",
	[PD_SUBJECT_WARN] = "assertions",
};

static const char *grade_name(enum pd_grade grade)
{
	switch (grade) {
	case PD_GRADE_EXACT:
		return "exact";
	case PD_GRADE_OR:
		return "or, over the closure";
	case PD_GRADE_SUB:
		return "may be lost, at most";
	default:
		return "not compared";
	}
}

void pd_print_contract(const struct pd_op *op)
{
	for (const struct pd_row *row = op->rows; row->field; row++) {
		printf("%s: %s", row->field, subject_names[row->subject]);
		if (row->subject == PD_SUBJECT_PTE)
			printf(", %s, %s", place_names[row->place], grade_name(row->grade));
		putchar('\n');
		pd_wrap(stdout, PD_TERMINAL_WIDTH, "    ", row->why, "");
	}
}

static const char head[] =
	"# Contracts\n"
	"\n"
	"What an operation may leave behind, row by row, as `model/ops/<op>/op.c` states it. "
	"Generated: `ptediff ops --contracts >docs/contracts.md`.\n"
	"\n"
	"A row compares something of an implementation with the same of the reference, which works "
	"on one entry at a time:\n"
	"\n"
	"* **exact**: they are equal;\n"
	"* **or**: a bit is never lost; it may be gained up to the OR, at entry, over what batches "
	"and contpte blocks of one folio connect with the entry (the closure);\n"
	"* **may be lost**: a bit may be lost in entries of a contpte block that the range cuts, "
	"and is never gained;\n"
	"* **by a rule**: a function beside the row says what is right;\n"
	"* **must hold**: nothing to compare; the judge notices when it is broken;\n"
	"* **not compared**: free, for the reason given.\n"
	"\n"
	"Rows marked `--strict` are judged without the named relaxations only "
	"([divergences.md](divergences.md)). A row marked * holds for some arguments of the "
	"operation. An edge block is what lies outside the range in a contpte block that the range "
	"cuts. [bugs.md](bugs.md) has a bug for every row.\n";

static const char *how(const struct pd_row *row)
{
	if (row->accepts)
		return "by a rule";
	return row->subject < PD_SUBJECT_TLB ? grade_name(row->grade) : "must hold";
}

static void print_row(const struct pd_row *row)
{
	printf("| %s%s | %s", row->field, row->when ? " *" : "", subject_names[row->subject]);
	if (row->subject == PD_SUBJECT_PTE)
		printf(", %s", place_names[row->place]);
	printf(" | %s%s | %s |\n", how(row), row->strict ? ", `--strict`" : "", row->why);
}

void pd_print_contracts(void)
{
	fputs(head, stdout);
	for (unsigned int i = 0; i < pd_nr_ops; i++) {
		const struct pd_op *op = pd_ops[i];

		printf("\n## %s: %s\n\n", op->name, op->kind.what ? op->kind.what : "");
		puts("| row | compares | how | why |\n|---|---|---|---|");
		for (const struct pd_row *row = op->rows; row->field; row++)
			print_row(row);
	}
}
