/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters_print FILE - a counters file (fuzz.h) as text
 *
 * One line for each implementation and arch, fields separated by tabs:
 * op, implementation, arch, judgements, non-trivial, trivial, both-refuse, skipped, divergences,
 * with a batch longer than one, pages compared, pages changed, 1 when it never batches.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static void print_row(const struct pd_counters_row *row)
{
	const struct pd_tally *t = &row->tally;
	uint64_t judgements = 0;

	for (int v = 0; v < PD_NR_VERDICTS; v++)
		judgements += t->verdict[v];
	printf("%s\t%s\t%s\t%" PRIu64, row->op, row->impl, pd_arch_name((enum pd_arch)row->arch),
	       judgements);
	printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
	       t->verdict[PD_VERDICT_MATCH], t->verdict[PD_VERDICT_MATCH_TRIVIAL],
	       t->verdict[PD_VERDICT_BOTH_REFUSE], t->verdict[PD_VERDICT_SKIP],
	       t->verdict[PD_VERDICT_DIVERGENCE]);
	printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%u\n", t->batched, t->pages, t->changed,
	       row->never_batches);
}

int main(int argc, char **argv)
{
	struct pd_counters_header header;
	struct pd_counters_row row;
	uint64_t read = 0;
	FILE *in;

	if (argc != 2) {
		fprintf(stderr, "usage: %s FILE\n", argv[0]);
		return PD_FUZZ_TROUBLE;
	}
	in = fopen(argv[1], "rb");
	if (!in) {
		perror(argv[1]);
		return PD_FUZZ_TROUBLE;
	}
	if (fread(&header, sizeof(header), 1, in) == 1 &&
	    memcmp(header.magic, PD_COUNTERS_MAGIC, sizeof(PD_COUNTERS_MAGIC)) == 0) {
		for (; read < header.nr && fread(&row, sizeof(row), 1, in) == 1; read++)
			print_row(&row);
	} else {
		header.nr = 1;
	}
	fclose(in);
	if (read == header.nr)
		return PD_FUZZ_CLEAN;
	fprintf(stderr, "%s: not a whole counters file of this build\n", argv[1]);
	return PD_FUZZ_TROUBLE;
}
