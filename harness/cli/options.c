/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What several subcommands need: options, memory, the repaired form of a scenario.
 */
#include "harness/cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct argp_option impl_options[] = {
	{ "impl", 'i', "NAME,...", 0, "Implementations to judge, instead of those that a file "
	  "names or, when it names none, of all that are not known wrong", 0 },
	{ "arch", 'a', "ARCH", 0, "x86 or arm64; both when not given", 0 },
	{ 0 },
};

static error_t parse_impl(int key, char *arg, struct argp_state *state)
{
	struct pd_common *common = state->input;

	switch (key) {
	case 'i':
		common->impl = arg;
		return 0;
	case 'a':
		common->arch = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

error_t pd_parse_file(int key, char *arg, struct argp_state *state)
{
	struct pd_common *common = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (state->arg_num)
			argp_error(state, "more than one file");
		common->file = arg;
		return 0;
	case ARGP_KEY_END:
		if (!common->file)
			argp_error(state, "no file given");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_files(int key, char *arg, struct argp_state *state)
{
	struct pd_common *common = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (!pd_files_add(&common->files, arg))
			exit(PD_EXIT_TROUBLE);
		return 0;
	case ARGP_KEY_END:
		if (!common->files.nr)
			argp_error(state, "no file given");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp pd_impl_argp = { .options = impl_options, .parser = parse_impl };
const struct argp pd_file_argp = { .parser = pd_parse_file };
const struct argp pd_files_argp = { .parser = parse_files };

uint64_t pd_option_number(struct argp_state *state, const char *name, const char *arg,
			  uint64_t max)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(arg, &end, 0);
	if (errno || end == arg || *end || strchr(arg, '-') || value > max)
		argp_error(state, "%s: expected a number from 0 to %llu, got '%s'", name,
			   (unsigned long long)max, arg);
	return value;
}

const struct pd_op *pd_op_by_name(const char *name)
{
	for (unsigned int i = 0; i < pd_nr_ops; i++)
		if (!strcmp(pd_ops[i]->name, name))
			return pd_ops[i];
	return NULL;
}

bool pd_option_select(struct pd_selection *sel, const char *op, const char *impl,
		      const char *arch)
{
	char error[256];

	if (pd_select(sel, op, impl, arch, error, sizeof(error)))
		return true;
	fprintf(stderr, "ptediff: %s\n", error);
	fprintf(stderr, "ptediff: 'ptediff ops' lists operations and implementations\n");
	return false;
}

bool pd_option_supported(const struct pd_selection *sel)
{
	const struct pd_impl_entry *last = NULL;
	const char *why = NULL;

	for (unsigned int i = 0; i < pd_nr_impls; i++)
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
			if (!pd_selected(sel, i) || !(sel->arch >> arch & 1))
				continue;
			last = &pd_impls[i];
			why = last->impl[arch]->unsupported;
			if (!why)
				return true;
		}
	if (last)
		fprintf(stderr, "ptediff: %s/%s cannot be tested here: %s\n", last->op->name,
			last->name, why);
	return false;
}

void *pd_alloc(size_t nr, size_t size)
{
	void *memory = calloc(nr, size);

	if (memory)
		return memory;
	fprintf(stderr, "ptediff: out of memory\n");
	exit(PD_EXIT_TROUBLE);
}

unsigned int pd_repair_scenario(const struct scenario *sc, struct scenario *fixed, FILE *log)
{
	struct pd_repair repair = { .fixed = fixed, .log = log };
	struct pd_state *s = pd_alloc(1, sizeof(*s));

	pd_state_init(s);
	pd_build(sc, s, &repair);
	free(s);
	return repair.count;
}
