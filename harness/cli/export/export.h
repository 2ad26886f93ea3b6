/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of ``ptediff export`` share.
 */
#ifndef PD_EXPORT_H
#define PD_EXPORT_H

#include "harness/cli/cli.h"

/**
 * struct pd_export - a scenario to be written as a program
 * @file:	where it came from, for a comment
 * @signature:	the divergence that it shows, or empty: it is to be clean
 * @impl:	implementations that the program judges, or empty: all that are not known wrong
 */
struct pd_export {
	FILE *out;
	const struct scenario *sc;
	const char *file, *signature, *impl;
};

/* pd_export_c() - a test that links with the libraries of this project. */
void pd_export_c(const struct pd_export *e);

/* pd_export_kselftest() - a program of its own, which sets the layout up with system calls. */
void pd_export_kselftest(const struct pd_export *e);

/**
 * struct pd_reduced - what user space can make of a scenario
 * @why:	for each of its records NULL, or what was left out, and why
 */
struct pd_reduced {
	struct scenario sc;
	const char *why[PD_MAX_RECORDS];
};

/* pd_export_reduce() - @from without what no system call can make. */
void pd_export_reduce(const struct scenario *from, struct pd_reduced *to);

/* pd_export_field() - the value of the field called @name, or behind that word, or 0. */
unsigned int pd_export_field(const struct pd_record *rec, const char *name);

/* pd_export_string() - @text as a C string literal with its quotes. */
void pd_export_string(FILE *out, const char *text);

#endif
