/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of fuzz/ share: the entry points that an engine calls, and the counters.
 */
#ifndef PD_FUZZ_H
#define PD_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "harness/judge/judge.h"

#define PD_FUZZ_CLEAN		0
#define PD_FUZZ_FINDINGS	1
#define PD_FUZZ_TROUBLE		2

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b, size_t nb,
				 uint8_t *out, size_t max, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/**
 * pd_fuzz_read() - the first @room bytes of the file @path
 *
 * Return: how many there were, or -1 after a message.
 */
long pd_fuzz_read(const char *path, void *data, size_t room);

/*
 * The counters file: verdicts and work by implementation and arch, in a shared mapping, so that
 * they outlive a target that its engine kills. One header, then @nr rows, in the byte order and
 * layout of the program that wrote it; `counters_print` of the same build turns it into text.
 */
#define PD_COUNTERS_MAGIC "ptediff counters 1"

struct pd_counters_header {
	char magic[24];
	uint64_t scenarios;
	uint64_t nr;
};

struct pd_counters_row {
	char op[32];
	char impl[96];
	uint32_t arch;
	uint32_t never_batches;
	struct pd_tally tally;
};

struct pd_counters {
	struct pd_counters_header header;
	struct pd_counters_row row[];
};

/**
 * pd_counters_open() - map the counters file @path, made when it does not exist
 * @sel:	a row for each of these that is supported
 *
 * A file of the same rows is added to. Return: NULL with errno set.
 */
struct pd_counters *pd_counters_open(const char *path, const struct pd_selection *sel);

/* pd_counters_take() - add what @j counted to @counters and start @j's tally of it afresh. */
void pd_counters_take(struct pd_counters *counters, struct pd_judge *j,
		      const struct pd_selection *sel);

/* Signatures, each on a line; the first byte of @text ends a line. NULL: none. */
struct pd_known {
	char *text;
};

/**
 * pd_known_read() - read signatures, one a line, from @path
 * @known:	receives them; none when there is no such file
 *
 * Return: false with errno set.
 */
bool pd_known_read(struct pd_known *known, const char *path);

/* pd_known_has() - is @signature one of them? */
bool pd_known_has(const struct pd_known *known, const char *signature);

#endif
