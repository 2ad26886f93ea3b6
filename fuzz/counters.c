/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verdict counters in a shared file mapping: see fuzz.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

/* The next row after (*i, *a): a selected implementation that exists on that arch. */
static bool next_row(const struct pd_selection *sel, unsigned int *i, unsigned int *a)
{
	for (; *i < pd_nr_impls; (*i)++, *a = 0) {
		if (!pd_selected(sel, *i))
			continue;
		for (; *a < PD_NR_ARCHES; (*a)++) {
			if (sel->arch >> *a & 1 && !pd_impls[*i].impl[*a]->unsupported)
				return true;
		}
	}
	return false;
}

#define for_each_row(sel, i, a)								\
	for (unsigned int i = 0, a = 0; next_row((sel), &i, &a); a++)

static size_t count_rows(const struct pd_selection *sel)
{
	size_t nr = 0;

	for_each_row(sel, i, a)
		nr++;
	return nr;
}

static void name_row(struct pd_counters_row *row, unsigned int i, unsigned int a)
{
	snprintf(row->op, sizeof(row->op), "%s", pd_impls[i].op->name);
	snprintf(row->impl, sizeof(row->impl), "%s", pd_impls[i].name);
	row->arch = a;
	row->never_batches = pd_impls[i].impl[a]->never_batches != NULL;
}

static void start(struct pd_counters *counters, size_t nr, const struct pd_selection *sel)
{
	size_t at = 0;

	for_each_row(sel, i, a)
		name_row(&counters->row[at++], i, a);
	counters->header.nr = nr;
	memcpy(counters->header.magic, PD_COUNTERS_MAGIC, sizeof(PD_COUNTERS_MAGIC));
}

struct pd_counters *pd_counters_open(const char *path, const struct pd_selection *sel)
{
	size_t nr = count_rows(sel);
	size_t size = sizeof(struct pd_counters) + nr * sizeof(struct pd_counters_row);
	struct pd_counters *counters = MAP_FAILED;
	struct stat st;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && st.st_size != 0 && (size_t)st.st_size != size)
		errno = EEXIST;
	else if (ftruncate(fd, (off_t)size) == 0)
		counters = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (counters == MAP_FAILED)
		return NULL;
	if (strcmp(counters->header.magic, PD_COUNTERS_MAGIC) != 0)
		start(counters, nr, sel);
	return counters;
}

void pd_counters_take(struct pd_counters *counters, struct pd_judge *j,
		      const struct pd_selection *sel)
{
	size_t at = 0;

	counters->header.scenarios++;
	for_each_row(sel, i, a) {
		struct pd_tally *tally = &j->tally[i][a];

		pd_tally_add(&counters->row[at++].tally, tally);
		memset(tally, 0, sizeof(*tally));
	}
}
