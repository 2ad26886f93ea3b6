/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the report share.
 */
#ifndef PD_REPORT_H
#define PD_REPORT_H

#include "judge.h"

/* The widest line that a report can be asked for. */
#define PD_REPORT_MAX_WIDTH 200u

/**
 * struct pd_report - a report being written
 * @width:	no line is longer
 * @world:	as the step left it: the judge decodes entries only
 * @span:	where the step worked
 * @shown:	pages that the maps cover
 * @marks:	for each page the bits that differ and should not; PD_MARK_PAGE alone when the
 *		page is to blame but no bit of its entry is
 */
struct pd_report {
	FILE *out;
	unsigned int width;
	const struct pd_divergence *d;
	const struct pd_world *world;
	struct pd_span span;
	bool shown[PD_NR_VA];
	uint64_t marks[PD_NR_VA];
};

#define PD_MARK_PAGE (1ULL << 63)

/* pd_report_mark() - fill in @shown and @marks. */
void pd_report_mark(struct pd_report *r);

/* pd_report_before() - the shown pages before the step. */
void pd_report_before(const struct pd_report *r);

/* pd_report_after() - the shown pages after it: where they differ, expected above got. */
void pd_report_after(const struct pd_report *r);

/* pd_report_folios() / pd_report_counters() - what differs, one a line. */
void pd_report_folios(const struct pd_report *r);
void pd_report_counters(const struct pd_report *r);

/* pd_result_text() - what @fact says; @got: an implementation said it, not the reference. */
void pd_result_text(char *text, size_t size, const struct pd_divergence *d,
		    const struct pd_fact *fact, bool got);

/* pd_return_text() - what the return value says. */
void pd_return_text(char *text, size_t size, const struct pd_divergence *d, long value);

/* pd_report_results() - results or return value, when these are what broke the contract. */
void pd_report_results(const struct pd_report *r);

/**
 * pd_wrap() - @text in lines of at most @width columns, broken at spaces
 * @lead:	starts the first line; the others are indented by its length
 * @more:	ends every line but the last, e.g. " \\"
 */
void pd_wrap(FILE *out, unsigned int width, const char *lead, const char *text,
	     const char *more);

#endif
