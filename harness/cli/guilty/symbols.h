/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From addresses of this program to functions and lines of the source.
 */
#ifndef PD_SYMBOLS_H
#define PD_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

/* A function that an address belongs to, and the line in it. */
struct pd_frame {
	const char *function, *file;
	unsigned int line;
};

/**
 * pd_symbolize() - call @use for each function that each address is in
 * @pc:	@nr addresses
 * @use:	@index: of the address; inlined functions come before those that they are inlined
 *		into. Addresses without debug information are left out
 *
 * Reads the debug information with llvm-symbolizer. Return: false when that cannot be run.
 */
bool pd_symbolize(const uintptr_t *pc, unsigned int nr,
		  void (*use)(void *ctx, unsigned int index, const struct pd_frame *frame),
		  void *ctx);

/* Whose code a file is. */
enum pd_owner {
	PD_OWNER_TESTED,	/* what is under test, and its caller */
	PD_OWNER_SHIM,
	PD_OWNER_HARNESS,
};

enum pd_owner pd_owner_of(const char *file);

/* pd_short_path() - @file as seen from @root, or from the top of the repository. */
const char *pd_short_path(const char *file, const char *root);

#endif
