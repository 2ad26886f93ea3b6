/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff export --c: a test against the model, as one C file.
 *
 * It fails as long as the divergence shows and passes once the bug is fixed, so it can go into
 * the tests of whoever owns the implementation.
 */
#include <ctype.h>

#include "harness/cli/export/export.h"

void pd_export_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		if (isprint((unsigned char)*text))
			fputc(*text, out);
	}
	fputc('"', out);
}

static void put_head(const struct pd_export *e)
{
	fputs("/* SPDX-License-Identifier: GPL-2.0-or-later */\n/*\n * ", e->out);
	if (*e->signature)
		fprintf(e->out, "Does not show %s.\n", e->signature);
	else
		fputs("Implementations agree with the reference.\n", e->out);
	fputs(" *\n"
	      " * Build it at the top of ptediff's sources, where BUILD is a build folder of the\n"
	      " * same compiler and flags:\n *\n"
	      " *	cc -Wall -Wextra -Werror -I. this.c -o this BUILD/libpd_harness.a \\\n"
	      " *		BUILD/libpd_{registry,model,hash}.a -lxxhash\n *\n"
	      " * Exit code: 0 all is well, 1 the divergence shows, 125 no such implementation.\n"
	      " */\n"
	      "#include <stdio.h>\n\n"
	      "#include \"harness/judge/judge.h\"\n\n", e->out);
}

static void put_scenario(const struct pd_export *e)
{
	char record[PD_MAX_LINE];

	fputs("static const char scenario[] =\n\t\"ptediff scenario v1\\n\"\n", e->out);
	for (unsigned int i = 0; i < e->sc->nr; i++) {
		pd_print_record(record, sizeof(record), &e->sc->rec[i]);
		fprintf(e->out, "\t\"%s\\n\"%s\n", record, i + 1 < e->sc->nr ? "" : ";");
	}
	if (!e->sc->nr)
		fputs("\t\"\";\n", e->out);
	fputs("static const char *const impl = ", e->out);
	if (*e->impl)
		pd_export_string(e->out, e->impl);
	else
		fputs("NULL", e->out);
	fputs(";\n\n", e->out);
}

static const char body[] =
	"int main(void)\n"
	"{\n"
	"\tstatic struct scenario sc;\n"
	"\tstruct pd_parse how = { .strict = true, .file = \"scenario\" };\n"
	"\tstruct pd_judge *judge = pd_judge_new();\n"
	"\tstruct pd_selection sel;\n"
	"\tchar error[256];\n"
	"\tbool clean;\n"
	"\n"
	"\tif (!judge || !pd_parse(&sc, scenario, sizeof(scenario) - 1, &how)) {\n"
	"\t\tfprintf(stderr, \"%u:%u: %s\\n\", how.line, how.column, how.error);\n"
	"\t\tpd_judge_free(judge);\n"
	"\t\treturn 2;\n"
	"\t}\n"
	"\tif (!pd_select(&sel, NULL, impl, NULL, error, sizeof(error))) {\n"
	"\t\tfprintf(stderr, \"%s\\n\", error);\n"
	"\t\tpd_judge_free(judge);\n"
	"\t\treturn 125;\n"
	"\t}\n"
	"\tclean = pd_judge_run(judge, &sc, &sel);\n"
	"\tif (!clean)\n"
	"\t\tpd_report(stdout, judge, &sc, 100, NULL);\n"
	"\tprintf(\"%s\\n\", clean ? \"ok\" : \"not ok\");\n"
	"\tpd_judge_free(judge);\n"
	"\treturn clean ? 0 : 1;\n"
	"}\n";

void pd_export_c(const struct pd_export *e)
{
	put_head(e);
	put_scenario(e);
	fputs(body, e->out);
}
