/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of what was judged.
 */
#include "harness/cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct pd_coverage *pd_cover(void)
{
	struct pd_coverage *coverage = pd_coverage_new();

	if (!coverage) {
		fprintf(stderr, "ptediff: out of memory\n");
		exit(PD_EXIT_TROUBLE);
	}
	return coverage;
}

bool pd_coverage_write(const char *path, const struct pd_coverage *coverage)
{
	FILE *out = fopen(path, "w");
	bool good;

	if (!out) {
		fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
		return false;
	}
	pd_coverage_print(out, coverage);
	good = !ferror(out);
	if (fclose(out) || !good) {
		fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
		return false;
	}
	return true;
}
