/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff bucket: the table.
 */
#include "harness/cli/bucket/bucket.h"

#include <stdlib.h>
#include <string.h>

static const char *const reasons[PD_NR_LEFT] = {
	[PD_LEFT_UNREADABLE] = "cannot be read",
	[PD_LEFT_ABSENT] = "about an implementation that is not here",
	[PD_LEFT_SHOWS_NOTHING] = "show nothing here",
};

/* What follows the implementation in a signature: field/relation. */
static const char *field_of(const struct pd_bucket *b)
{
	return b->signature + strlen(b->entry->op->name) + strlen(b->entry->name) + 2;
}

static int widest(const struct pd_buckets *all, bool impl)
{
	size_t width = 14;

	for (unsigned int i = 0; i < all->nr; i++) {
		size_t len = strlen(impl ? all->bucket[i]->entry->name :
					   field_of(all->bucket[i]));

		width = len > width ? len : width;
	}
	return (int)width;
}

static void put_rows(const struct pd_buckets *all)
{
	int impl = widest(all, true), field = widest(all, false);

	printf("%5s  %-19s  %-11s  %-*s  %-*s  %-9s  %s\n", "files", "first seen", "operation",
	       impl, "implementation", field, "field", "records", "smallest input");
	for (unsigned int i = 0; i < all->nr; i++) {
		const struct pd_bucket *b = all->bucket[i];
		char when[32] = "?", records[32];
		struct tm tm;

		if (localtime_r(&b->first.when, &tm))
			strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &tm);
		snprintf(records, sizeof(records), "%u -> %u%s", b->how.before, b->how.after,
			 b->flaky ? "!" : b->how.done ? "" : "+");
		printf("%5u  %-19s  %-11s  %-*s  %-*s  %-9s  %s\n", b->count, when,
		       b->entry->op->name, impl, b->entry->name, field, field_of(b), records,
		       b->smallest.file);
	}
}

static void put_left(const struct pd_buckets *all, enum pd_left_out why)
{
	const struct pd_files *files = &all->opt.on.files;
	unsigned int nr = 0;

	for (size_t i = 0; i < all->sorted; i++)
		nr += all->left[i] == why;
	if (!nr)
		return;
	printf("\n%u %s:\n", nr, reasons[why]);
	for (size_t i = 0; i < all->sorted; i++)
		if (all->left[i] == why)
			printf("  %s\n", files->name[i]);
}

static size_t in_buckets(const struct pd_buckets *all)
{
	size_t nr = 0;

	for (size_t i = 0; i < all->sorted; i++)
		nr += all->left[i] == PD_LEFT_NOT;
	return nr;
}

static void put_met(const struct pd_buckets *all)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < all->pin.nr_finds; i++) {
		char *path;

		if (!pd_bucket_find_is_new(all, &all->pin.find[i]))
			continue;
		path = pd_bucket_met_path(all, &all->pin.find[i]);
		printf("%s  %s\n", nr++ ? "" : "\nmet on the way, shown by no file:\n", path);
		free(path);
	}
}

void pd_bucket_table(const struct pd_buckets *all)
{
	unsigned int unfinished = 0, flaky = 0;

	if (all->nr)
		put_rows(all);
	for (unsigned int i = 0; i < all->nr; i++)
		if (all->bucket[i]->flaky)
			flaky++;
		else
			unfinished += !all->bucket[i]->how.done;
	if (unfinished)
		printf("+ not minimized to the end: see --budget\n");
	if (flaky)
		printf("! not reproducible: two runs differ\n");
	if (all->lost)
		printf("%u more divergences of yet other signatures\n", all->lost);
	for (unsigned int why = PD_LEFT_UNREADABLE; why < PD_NR_LEFT; why++)
		put_left(all, (enum pd_left_out)why);
	put_met(all);
	if (all->sorted < all->opt.on.files.nr)
		printf("\ninterrupted: %zu files were not looked at\n",
		       all->opt.on.files.nr - all->sorted);
	printf("%sfiles: %zu, in buckets: %zu, signatures: %u", all->nr ? "\n" : "", all->sorted,
	       in_buckets(all), all->nr);
	if (all->nr)
		printf(", in %s/", all->opt.out);
	putchar('\n');
}
