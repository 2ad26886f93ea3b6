/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What came of each file that ``ptediff run`` was given.
 */
#ifndef PD_RESULTS_H
#define PD_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pd_result_kind {
	PD_RESULT_CLEAN,	/* no divergence, none expected */
	PD_RESULT_MATCHED,	/* the divergence that the file expects */
	PD_RESULT_UNEXPECTED,	/* another divergence, or not the one expected */
	PD_RESULT_SKIPPED,	/* cannot be judged here; @detail says why */
	PD_RESULT_UNREADABLE,
	PD_NR_RESULT_KINDS
};

/**
 * struct pd_result - one file
 * @file:	its name; not owned
 * @verdict:	one word for the line
 * @detail:	signature or reason, may be empty
 * @digest:	over states, events and verdicts, when asked for; 0 where nothing was judged
 * @report:	what there is to print below the line; may be NULL
 */
struct pd_result {
	const char *file;
	enum pd_result_kind kind;
	const char *verdict;
	char detail[384];
	uint64_t digest;
	char *report;
};

/* pd_junit_write() - the results as a JUnit XML file; false after a message. */
bool pd_junit_write(const char *path, const struct pd_result *result, size_t nr);

#endif
