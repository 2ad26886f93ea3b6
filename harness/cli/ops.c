/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff ops: what there is to test, against what, by which rules.
 */
#include "harness/cli/cli.h"

#include <string.h>

#include "harness/judge/report.h"

struct options {
	const char *contract;
	bool contracts, records;
};

static const struct argp_option argp_options[] = {
	{ "contract", 'c', "OP", 0, "The rows of an operation's contract, each with its reason",
	  0 },
	{ "contracts", 'C', NULL, 0, "The contracts of all operations as a page of Markdown", 0 },
	{ "records", 'r', NULL, 0, "The kinds of lines in a scenario, with their fields", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *opt = state->input;

	switch (key) {
	case 'c':
		opt->contract = arg;
		return 0;
	case 'C':
		opt->contracts = true;
		return 0;
	case 'r':
		opt->records = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "no argument expected, got '%s'", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = argp_options,
	.parser = parse_option,
	.doc = "List operations and their implementations on each arch, with the kernel code "
	       "that each mirrors. Those marked 'wrong', bugs and kernel trees run only when "
	       "--impl names them."
	       "\v"
	       "Examples:\n"
	       "  ptediff ops\n"
	       "  ptediff ops --contract mremap\n"
	       "  ptediff ops --contracts >docs/contracts.md\n"
	       "  ptediff ops --records\n",
};

static void print_impl(const struct pd_impl_entry *entry)
{
	const struct pd_impl *known = NULL;
	const char *mark = entry->bug ? "  (bug)" : entry->tree ? "  (kernel tree)" : "";

	for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++)
		if (entry->impl[arch] && !entry->impl[arch]->unsupported)
			known = entry->impl[arch];
	if (known && known->wrong && !entry->bug)
		mark = "  (wrong)";
	printf("  %s%s\n", entry->name, mark);
	if (known && known->mirrors)
		pd_wrap(stdout, PD_TERMINAL_WIDTH, "      mirrors ", known->mirrors, "");
	for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
		const struct pd_impl *impl = entry->impl[arch];
		const char *why = !impl ? "not built" : impl->unsupported;

		printf("      %-6s ", pd_arch_name((enum pd_arch)arch));
		if (why)
			printf("no: %s\n", why);
		else if (impl->never_batches)
			printf("yes, never batches: %s\n", impl->never_batches);
		else
			puts("yes");
	}
}

static void print_op(const struct pd_op *op)
{
	printf("%s: %s\n", op->name, op->kind.what ? op->kind.what : "");
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		if (pd_impls[i].op == op)
			print_impl(&pd_impls[i]);
}

static int print_contract(const char *name)
{
	const struct pd_op *op = pd_op_by_name(name);

	if (!op) {
		fprintf(stderr, "ptediff: no operation '%s'; 'ptediff ops' lists them\n", name);
		return PD_EXIT_TROUBLE;
	}
	pd_print_contract(op);
	return PD_EXIT_CLEAN;
}

/* In brackets when there is a choice that prints as nothing. */
static void print_names(const struct pd_field *field)
{
	bool optional = !field->names[0] || !*field->names[0];
	const char *separator = "";

	fputs(optional ? "[" : "", stdout);
	for (unsigned int i = 0; i < 1u << field->at.width; i++) {
		if (!field->names[i] || !*field->names[i])
			continue;
		printf("%s%s", separator, field->names[i]);
		separator = "|";
	}
	fputs(optional ? "]" : "", stdout);
}

static void print_field(const struct pd_field *field)
{
	putchar(' ');
	switch (field->form) {
	case PD_FORM_NUMBER:
		printf(field->name ? "[%s N]" : "N", field->name);
		break;
	case PD_FORM_ENUM:
		print_names(field);
		break;
	case PD_FORM_RANGE:
		printf("%s%sPAGES", field->name ? field->name : "", field->name ? " " : "");
		break;
	case PD_FORM_TIMES:
		fputs("[xN]", stdout);
		break;
	case PD_FORM_PATTERN:
		fputs("PATTERN", stdout);
		break;
	case PD_FORM_LITERAL:
		fputs(field->name, stdout);
		break;
	default:
		printf("[%s]", field->name);
		break;
	}
}

static void print_records(void)
{
	const struct pd_kind *kind;

	for (unsigned int i = 0; (kind = pd_kind_at(i)); i++) {
		printf("%02x  %s", kind->number, kind->name);
		for (const struct pd_field *field = kind->fields; field->form; field++)
			print_field(field);
		putchar('\n');
		if (kind->what)
			pd_wrap(stdout, PD_TERMINAL_WIDTH, "      ", kind->what, "");
	}
}

int pd_cmd_ops(int argc, char **argv)
{
	struct options opt = { 0 };

	if (argp_parse(&argp, argc, argv, 0, NULL, &opt))
		return PD_EXIT_TROUBLE;
	if (opt.contract)
		return print_contract(opt.contract);
	if (opt.contracts) {
		pd_print_contracts();
		return PD_EXIT_CLEAN;
	}
	if (opt.records) {
		print_records();
		return PD_EXIT_CLEAN;
	}
	for (unsigned int i = 0; i < pd_nr_ops; i++)
		print_op(pd_ops[i]);
	return PD_EXIT_CLEAN;
}
