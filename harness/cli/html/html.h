/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A divergence as one static page: HTML with pictures in SVG, no script, nothing from elsewhere.
 */
#ifndef PD_HTML_H
#define PD_HTML_H

#include "harness/cli/cli.h"
#include "harness/judge/report.h"

#define PD_HTML_WIDTH	984	/* of the pictures, in their own units */

/**
 * struct pd_html - a page being written
 * @report:	what differs and where: the pages to draw
 * @file:	name of the reproducer in the commands
 * @letter:	of each large folio, at its head: from 1; 0: none yet
 */
struct pd_html {
	FILE *out;
	const struct pd_judge *j;
	const struct scenario *sc;
	const char *file;
	struct pd_report report;
	uint8_t letter[PD_NR_PFN];
	unsigned int nr_letters;
};

/**
 * pd_html_write() - the divergence in @j, which @sc shows, as a page
 *
 * @j ran with @j->trace. Return: false when @out failed.
 */
bool pd_html_write(FILE *out, const struct pd_judge *j, const struct scenario *sc,
		   const char *file);

/* pd_html_text() - @text with what HTML gives a meaning to escaped. */
void pd_html_text(FILE *out, const char *text);

/* pd_html_style() - the style sheet; light, dark and print. */
void pd_html_style(FILE *out);

/* pd_html_grids() - the page tables before, expected and got. */
void pd_html_grids(struct pd_html *p);

/* pd_html_timeline() - locks, accesses, flushes and hardware in their order. */
void pd_html_timeline(struct pd_html *p);

/* pd_html_facts() - results, return value, folios and counters that differ. */
void pd_html_facts(struct pd_html *p);

#endif
