/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of ``ptediff bucket`` share.
 */
#ifndef PD_BUCKET_H
#define PD_BUCKET_H

#include <time.h>

#include "harness/cli/min/pin.h"

#define PD_MAX_BUCKETS	256u

/* An input, and the scenario in it. */
struct pd_bucket_input {
	const char *file;
	time_t when;
	struct scenario sc;
};

/**
 * struct pd_bucket - everything that shows one signature
 * @arches:	bit of each arch on which some file shows it
 * @flaky:	two runs of @smallest differ: not minimized
 * @count:	files
 * @first:	the one changed longest ago
 * @smallest:	the one with the fewest records
 * @how:	of minimizing it; its result is @min
 * @folder:	where it was written, or empty
 */
struct pd_bucket {
	char signature[PD_MAX_SIGNATURE];
	const struct pd_impl_entry *entry;
	unsigned int arches;
	bool flaky;
	unsigned int count;
	struct pd_bucket_input first, smallest;
	struct pd_minimize how;
	struct scenario min;
	char folder[512];
};

/* Why a file is in no bucket. */
enum pd_left_out {
	PD_LEFT_NOT,
	PD_LEFT_UNREADABLE,
	PD_LEFT_ABSENT,		/* the implementation that it names is not here */
	PD_LEFT_SHOWS_NOTHING,
	PD_NR_LEFT
};

struct pd_bucket_options {
	struct pd_common on;
	const char *out;
	unsigned int budget;
	bool quiet;
};

/**
 * struct pd_buckets - one run of the command
 * @sorted:	files that were looked at: all, unless somebody pressed Ctrl-C
 * @left:	for each file why it is in no bucket
 * @lost:	files with yet another signature than PD_MAX_BUCKETS
 */
struct pd_buckets {
	struct pd_bucket_options opt;
	struct pd_pin pin;
	struct pd_input in;
	struct pd_bucket *bucket[PD_MAX_BUCKETS];
	unsigned int nr, lost;
	size_t sorted;
	enum pd_left_out *left;
};

/* pd_bucket_write() - minimize @b and write its folder; false after a message. */
bool pd_bucket_write(struct pd_buckets *all, struct pd_bucket *b);

/* pd_bucket_write_met() - save what was met and is in no bucket; false after a message. */
bool pd_bucket_write_met(const struct pd_buckets *all);

/* pd_bucket_find_is_new() - is @find in no bucket? */
bool pd_bucket_find_is_new(const struct pd_buckets *all, const struct pd_find *find);

/* pd_bucket_met_path() - where it is saved; to be freed. */
char *pd_bucket_met_path(const struct pd_buckets *all, const struct pd_find *find);

/* pd_bucket_table() - the buckets, and the files that are in none. */
void pd_bucket_table(const struct pd_buckets *all);

#endif
