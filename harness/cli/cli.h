/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the subcommands of ptediff share.
 */
#ifndef PD_CLI_H
#define PD_CLI_H

#include <argp.h>

#include "harness/judge/coverage.h"
#include "harness/judge/judge.h"
#include "harness/cli/child/isolate.h"

/* Exit codes. 125 is what git bisect reads as "cannot be tested here". */
enum {
	PD_EXIT_CLEAN		= 0,
	PD_EXIT_FINDINGS	= 1,
	PD_EXIT_TROUBLE		= 2,
	PD_EXIT_UNTESTABLE	= 125,
	PD_EXIT_INTERRUPTED	= 130,
};

#define PD_TERMINAL_WIDTH	100u
#define PD_MAIL_WIDTH		72u

/* ---- the subcommands, one file each ---- */

int pd_cmd_run(int argc, char **argv);
int pd_cmd_show(int argc, char **argv);
int pd_cmd_random(int argc, char **argv);
int pd_cmd_compare(int argc, char **argv);
int pd_cmd_min(int argc, char **argv);
int pd_cmd_add(int argc, char **argv);
int pd_cmd_bucket(int argc, char **argv);
int pd_cmd_report(int argc, char **argv);
int pd_cmd_export(int argc, char **argv);
int pd_cmd_convert(int argc, char **argv);
int pd_cmd_ops(int argc, char **argv);

/* ---- files.c ---- */

/* A growing list of file names. */
struct pd_files {
	char **name;
	size_t nr, room;
};

/* pd_files_add() - @path, or every file below it in sorted order; false after a message. */
bool pd_files_add(struct pd_files *files, const char *path);
void pd_files_free(struct pd_files *files);

/* ---- options.c ---- */

/* What most subcommands are run on: implementations and arches, and a file or files. */
struct pd_common {
	const char *impl, *arch;
	const char *file;
	struct pd_files files;
};

/* pd_parse_file() - the parser of an argp that takes FILE, and of pd_file_argp. */
error_t pd_parse_file(int key, char *arg, struct argp_state *state);

/* Children of a subcommand's argp; their input is a struct pd_common. */
extern const struct argp pd_impl_argp;	/* --impl and --arch */
extern const struct argp pd_file_argp;	/* FILE */
extern const struct argp pd_files_argp;	/* FILE|FOLDER... */

/* pd_option_number() - @arg as a number up to @max; a usage error ends the program. */
uint64_t pd_option_number(struct argp_state *state, const char *name, const char *arg,
			  uint64_t max);

/* pd_option_select() - pd_select() that says what was wrong, with the names that exist. */
bool pd_option_select(struct pd_selection *sel, const char *op, const char *impl,
		      const char *arch);

/* pd_option_supported() - is there code for anything of @sel here? If not, say why not. */
bool pd_option_supported(const struct pd_selection *sel);

/* pd_op_by_name() - the operation, or NULL. */
const struct pd_op *pd_op_by_name(const char *name);

/* pd_alloc() - zeroed memory; running out of it ends the program with a message. */
void *pd_alloc(size_t nr, size_t size);

/**
 * pd_repair_scenario() - how many repairs building @sc takes
 * @fixed:	when not NULL, receives the scenario that needs none
 * @log:	when not NULL, receives a line for each
 */
unsigned int pd_repair_scenario(const struct scenario *sc, struct scenario *fixed, FILE *log);

/* pd_catch_crashes() - a crash of an implementation is a divergence, not the end. */
void pd_catch_crashes(void);

/* ---- contract.c ---- */

/* pd_print_contract() - the rows of @op, for a terminal. */
void pd_print_contract(const struct pd_op *op);

/* pd_print_contracts() - those of all operations, as Markdown: docs/contracts.md. */
void pd_print_contracts(void);

/* ---- coverage.c ---- */

/* pd_cover() - pd_coverage_new(); running out of memory ends the program with a message. */
struct pd_coverage *pd_cover(void);

/* pd_coverage_write() - the counts as lines in the file @path; false after a message. */
bool pd_coverage_write(const char *path, const struct pd_coverage *coverage);

/* ---- input.c ---- */

/**
 * struct pd_input - a scenario as it was read
 * @parse:	how it was read: headers, lines skipped; see struct pd_parse
 * @text:	it was text, not bytes
 */
struct pd_input {
	struct scenario sc;
	struct pd_parse parse;
	bool text;
};

/**
 * pd_input_load() - read bytes or text, whichever @path holds
 * @path:	a file, or "-" for standard input
 * @strict:	see struct pd_parse
 *
 * Return: true, or false after a message with file, line, column and what was expected.
 */
bool pd_input_load(struct pd_input *in, const char *path, bool strict);

/* ---- signature.c ---- */

/* pd_signature_impl() - the implementation in op/implementation/field/relation. */
bool pd_signature_impl(const char *signature, char *impl, size_t size);

/* pd_signature_file() - the signature as part of a file name: only letters, digits, . _ - */
void pd_signature_file(const char *signature, char *name, size_t size);

/**
 * pd_select_for() - what to judge on @in: @impl, else what its headers name, else the default
 *
 * Return: false with @error set.
 */
bool pd_select_for(struct pd_selection *sel, const struct pd_input *in, const char *impl,
		   const char *arch, char *error, size_t size);

/* pd_select_signature() - the same, but what @signature names, if not NULL, goes before headers. */
bool pd_select_signature(struct pd_selection *sel, const struct pd_input *in, const char *impl,
			 const char *arch, const char *signature, char *error, size_t size);

/* pd_save() - @sc as text with its headers (NULL: none); false after a message. */
bool pd_save(const char *path, const struct scenario *sc, const char *expect, const char *impl);

/* pd_make_folder() - false after a message, unless it is there already. */
bool pd_make_folder(const char *path);

#endif
