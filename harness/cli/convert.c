/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff convert: text to bytes and back, and the repaired form.
 */
#include "harness/cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum form {
	FORM_OTHER,		/* the one that the input is not */
	FORM_TEXT,
	FORM_BYTES,
};

struct options {
	const char *in, *out;
	enum form to;
	bool lenient, repair;
};

enum {
	KEY_STRICT = 256,
	KEY_LENIENT,
	KEY_REPAIR,
};

static const struct argp_option argp_options[] = {
	{ "to", 't', "FORM", 0, "text or bytes; the other one of the input's when not given", 0 },
	{ "strict", KEY_STRICT, NULL, 0, "A line that is not understood is an error (default)",
	  0 },
	{ "lenient", KEY_LENIENT, NULL, 0, "Skip lines that are not understood", 0 },
	{ "repair", KEY_REPAIR, NULL, 0, "Write the scenario that is judged: legal, and with a "
	  "comment for each repair (to text when --to is not given)", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *opt = state->input;

	switch (key) {
	case 't':
		if (strcmp(arg, "text") && strcmp(arg, "bytes"))
			argp_error(state, "--to: expected text or bytes, got '%s'", arg);
		opt->to = *arg == 't' ? FORM_TEXT : FORM_BYTES;
		return 0;
	case KEY_STRICT:
		opt->lenient = false;
		return 0;
	case KEY_LENIENT:
		opt->lenient = true;
		return 0;
	case KEY_REPAIR:
		opt->repair = true;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			argp_error(state, "more than two files");
		*(state->arg_num ? &opt->out : &opt->in) = arg;
		return 0;
	case ARGP_KEY_END:
		if (!opt->in)
			argp_error(state, "no file to convert");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = argp_options,
	.parser = parse_option,
	.args_doc = "FILE [OUTPUT]",
	.doc = "Convert a scenario between text, which people keep, and bytes, which engines "
	       "mutate. '-' is standard input or output; output goes there when not named."
	       "\v"
	       "Examples:\n"
	       "  ptediff convert crash-1a2b --to text\n"
	       "  ptediff convert crash-1a2b --repair\n"
	       "  ptediff convert scenario.pte scenario.bin\n"
	       "  ptediff random --print 1 | ptediff convert - --to bytes > seed\n",
};

static bool write_bytes(FILE *out, const struct pd_input *in)
{
	uint8_t *bytes = pd_alloc(PD_MAX_RECORDS, PD_RECORD_BYTES);
	size_t len = pd_encode(&in->sc, bytes, PD_MAX_BYTES);
	bool good = fwrite(bytes, 1, len, out) == len;

	if (len < in->sc.nr * (size_t)PD_RECORD_BYTES)
		fprintf(stderr, "%s: warning: %zu of %u records fit in the bytes of a scenario\n",
			in->parse.file, len / PD_RECORD_BYTES, in->sc.nr);
	free(bytes);
	return good;
}

/* Comments follow the first line, which has to say what the file is. */
static void write_text(FILE *out, const struct pd_input *in, char *log)
{
	const char *expect = in->parse.expect, *impl = in->parse.impl;
	char *text = NULL, *rest, *line, *at = log;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		return;
	pd_print(memory, &in->sc, *expect ? expect : NULL, *impl ? impl : NULL);
	fclose(memory);
	rest = text + strcspn(text, "\n");
	rest += *rest == '\n';
	fwrite(text, 1, (size_t)(rest - text), out);
	while ((line = strsep(&at, "\n")))
		if (*line)
			fprintf(out, "# repaired: %s\n", line);
	fputs(rest, out);
	free(text);
}

static char *repair(struct pd_input *in)
{
	struct scenario *fixed = pd_alloc(1, sizeof(*fixed));
	char *text = NULL;
	size_t size;
	FILE *log = open_memstream(&text, &size);

	pd_repair_scenario(&in->sc, fixed, log);
	if (log)
		fclose(log);
	in->sc = *fixed;
	free(fixed);
	return text;
}

static bool write_form(FILE *out, struct pd_input *in, const struct options *opt)
{
	char *log = opt->repair ? repair(in) : NULL;
	enum form to = opt->to;
	bool good = true;

	if (to == FORM_OTHER)
		to = in->text && !opt->repair ? FORM_BYTES : FORM_TEXT;
	if (to == FORM_BYTES)
		good = write_bytes(out, in);
	else
		write_text(out, in, log);
	free(log);
	return good && !ferror(out);
}

static bool convert(const struct options *opt, struct pd_input *in)
{
	bool std = !opt->out || !strcmp(opt->out, "-");
	FILE *out = std ? stdout : fopen(opt->out, "wb");
	bool good = out && write_form(out, in, opt);

	if (out && (std ? fflush(out) : fclose(out)))
		good = false;
	if (!good)
		fprintf(stderr, "%s: cannot be written: %s\n", std ? "<stdout>" : opt->out,
			strerror(errno));
	return good;
}

int pd_cmd_convert(int argc, char **argv)
{
	struct options opt = { 0 };
	struct pd_input *in = pd_alloc(1, sizeof(*in));
	bool good = !argp_parse(&argp, argc, argv, 0, NULL, &opt) &&
		    pd_input_load(in, opt.in, !opt.lenient) && convert(&opt, in);

	free(in);
	return good ? PD_EXIT_CLEAN : PD_EXIT_TROUBLE;
}
