/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff bucket: from a folder of crashes to the distinct bugs.
 */
#include "harness/cli/bucket/bucket.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_BUDGET	5u
#define SAY_EVERY	8u	/* files */
#define MAX_BUDGET	86400u

static const struct argp_option argp_options[] = {
	{ "out", 'o', "FOLDER", 0, "Where the folders of the signatures go (default ./buckets)",
	  0 },
	{ "budget", 'b', "SECONDS", 0, "To minimize one signature (default 5); 0: no limit", 0 },
	{ "quiet", 'q', NULL, 0, "No progress", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct pd_bucket_options *opt = state->input;

	switch (key) {
	case 'o':
		opt->out = arg;
		return 0;
	case 'b':
		opt->budget = (unsigned int)pd_option_number(state, "--budget", arg, MAX_BUDGET);
		return 0;
	case 'q':
		opt->quiet = true;
		return 0;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &opt->on;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{ .argp = &pd_impl_argp },
	{ .argp = &pd_files_argp },
	{ 0 },
};

static const struct argp argp = {
	.options = argp_options,
	.parser = parse_option,
	.children = children,
	.args_doc = "FOLDER|FILE...",
	.doc = "The distinct divergences in a folder of crash files: bytes of libFuzzer or AFL++, "
	       "text, or a mix."
	       "\v"
	       "Every file is judged and counted under each signature that it shows. For each "
	       "signature a folder is written:\n"
	       "  first.pte    the file that was changed longest ago, as text\n"
	       "  min.pte      the smallest scenario, from the smallest file\n"
	       "  report.txt   what went wrong\n"
	       "  meta.json    counts, times, files\n"
	       "Signatures that no file shows but a candidate on the way to the smallest did are "
	       "saved in the folder 'met'. Files that cannot be read or show nothing are listed "
	       "at the end.\n"
	       "Examples:\n"
	       "  ptediff bucket crashes --impl tree:mine\n"
	       "  ptediff bucket findings out/default/crashes -o bugs\n"
	       "Exit codes: 0 no file shows anything, 1 there are buckets, 2 trouble, 130 "
	       "interrupted.",
};

static struct pd_bucket *bucket_of(struct pd_buckets *all, const struct pd_divergence *d)
{
	struct pd_bucket *b;

	for (unsigned int i = 0; i < all->nr; i++)
		if (!strcmp(all->bucket[i]->signature, d->signature))
			return all->bucket[i];
	if (all->nr == PD_MAX_BUCKETS) {
		all->lost++;
		return NULL;
	}
	b = pd_alloc(1, sizeof(*b));
	memcpy(b->signature, d->signature, sizeof(b->signature));
	b->entry = d->entry;
	all->bucket[all->nr++] = b;
	return b;
}

static void put_into(struct pd_bucket *b, const char *file, time_t when,
		     const struct scenario *sc)
{
	const struct pd_bucket_input input = { .file = file, .when = when };

	if (!b->count || when < b->first.when) {
		b->first = input;
		b->first.sc = *sc;
	}
	if (!b->count || sc->nr < b->smallest.sc.nr) {
		b->smallest = input;
		b->smallest.sc = *sc;
	}
	b->count++;
}

static time_t changed(const char *file)
{
	struct stat st;

	return stat(file, &st) ? 0 : st.st_mtime;
}

/* The second arch with the same signature is the same file again: it is counted once. */
static enum pd_left_out sort_file(struct pd_buckets *all, const char *file)
{
	struct pd_bucket *seen[PD_MAX_BUCKETS];
	unsigned int nr_seen = 0;
	struct pd_divergences d;
	char error[256];

	if (!pd_input_load(&all->in, file, false))
		return PD_LEFT_UNREADABLE;
	if (!pd_select_for(&all->pin.sel, &all->in, all->opt.on.impl, all->opt.on.arch, error,
			   sizeof(error)))
		return PD_LEFT_ABSENT;
	pd_divergences_start(&d, all->pin.j, &all->in.sc, &all->pin.sel);
	while (pd_divergences_next(&d)) {
		struct pd_bucket *b = bucket_of(all, &all->pin.j->divergence);
		bool again = !b || nr_seen == PD_MAX_BUCKETS;

		if (b)
			b->arches |= 1u << all->pin.j->divergence.arch;
		for (unsigned int i = 0; i < nr_seen; i++)
			again |= seen[i] == b;
		if (again)
			continue;
		seen[nr_seen++] = b;
		put_into(b, file, changed(file), &all->in.sc);
	}
	return nr_seen ? PD_LEFT_NOT : PD_LEFT_SHOWS_NOTHING;
}

static int by_count(const void *a, const void *b)
{
	const struct pd_bucket *const *x = a, *const *y = b;

	if ((*x)->count != (*y)->count)
		return (*x)->count < (*y)->count ? 1 : -1;
	return strcmp((*x)->signature, (*y)->signature);
}

static bool progress(const struct pd_buckets *all)
{
	return !all->opt.quiet && isatty(STDERR_FILENO);
}

static void say_end(const struct pd_buckets *all)
{
	if (progress(all))
		fprintf(stderr, "\r%40s\r", "");
}

static bool write_all(struct pd_buckets *all)
{
	bool good = pd_make_folder(all->opt.out);

	for (unsigned int i = 0; i < all->nr && good && !pd_minimize_interrupted(); i++) {
		if (progress(all))
			fprintf(stderr, "\r%u of %u signatures ", i, all->nr);
		good = pd_bucket_write(all, all->bucket[i]);
	}
	say_end(all);
	return good && pd_bucket_write_met(all);
}

/* Return: how many cannot be read. */
static unsigned int sort_all(struct pd_buckets *all)
{
	const struct pd_files *files = &all->opt.on.files;
	unsigned int unreadable = 0;

	for (; all->sorted < files->nr && !pd_minimize_interrupted(); all->sorted++) {
		size_t i = all->sorted;

		if (progress(all) && i % SAY_EVERY == 0)
			fprintf(stderr, "\r%zu of %zu files ", i, files->nr);
		all->left[i] = sort_file(all, files->name[i]);
		unreadable += all->left[i] == PD_LEFT_UNREADABLE;
	}
	say_end(all);
	return unreadable;
}

static int bucket_all(struct pd_buckets *all)
{
	unsigned int unreadable = sort_all(all);

	qsort(all->bucket, all->nr, sizeof(struct pd_bucket *), by_count);
	if (all->nr && !write_all(all))
		return PD_EXIT_TROUBLE;
	pd_bucket_table(all);
	if (pd_minimize_interrupted())
		return PD_EXIT_INTERRUPTED;
	if (all->nr)
		return PD_EXIT_FINDINGS;
	return unreadable ? PD_EXIT_TROUBLE : PD_EXIT_CLEAN;
}

int pd_cmd_bucket(int argc, char **argv)
{
	struct pd_buckets *all = pd_alloc(1, sizeof(*all));
	int code = PD_EXIT_TROUBLE;

	all->opt.budget = DEFAULT_BUDGET;
	all->opt.out = "buckets";
	if (!argp_parse(&argp, argc, argv, 0, NULL, &all->opt) &&
	    pd_option_select(&all->pin.sel, NULL, all->opt.on.impl, all->opt.on.arch)) {
		all->pin.j = pd_judge_open();
		all->pin.find = pd_alloc(PD_MAX_FINDS, sizeof(*all->pin.find));
		all->left = pd_alloc(all->opt.on.files.nr, sizeof(*all->left));
		pd_minimize_catch();
		if (all->pin.j)
			code = bucket_all(all);
	}
	for (unsigned int i = 0; i < all->nr; i++)
		free(all->bucket[i]);
	pd_judge_close(all->pin.j);
	pd_files_free(&all->opt.on.files);
	free(all->pin.find);
	free(all->left);
	free(all);
	return code;
}
