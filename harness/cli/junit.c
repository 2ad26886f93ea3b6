/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results as JUnit XML, which CI systems show.
 */
#include "harness/cli/results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '&')
			fputs("&amp;", out);
		else if (c == '<')
			fputs("&lt;", out);
		else if (c == '>')
			fputs("&gt;", out);
		else if (c == '"')
			fputs("&quot;", out);
		else
			fputc(c < ' ' && c != '\n' && c != '\t' ? '?' : c, out);
	}
}

static size_t count(const struct pd_result *result, size_t nr, enum pd_result_kind kind)
{
	size_t found = 0;

	for (size_t i = 0; i < nr; i++)
		found += result[i].kind == kind;
	return found;
}

static const char *element(enum pd_result_kind kind)
{
	switch (kind) {
	case PD_RESULT_UNEXPECTED:
		return "failure";
	case PD_RESULT_SKIPPED:
		return "skipped";
	case PD_RESULT_UNREADABLE:
		return "error";
	default:
		return NULL;
	}
}

static void put_case(FILE *out, const struct pd_result *result)
{
	const char *name = element(result->kind);

	fputs("  <testcase classname=\"ptediff\" name=\"", out);
	put_escaped(out, result->file);
	fputs(name ? "\">\n" : "\"/>\n", out);
	if (!name)
		return;
	fprintf(out, "    <%s message=\"", name);
	put_escaped(out, result->detail);
	fputs("\">", out);
	put_escaped(out, result->report ? result->report : "");
	fprintf(out, "</%s>\n  </testcase>\n", name);
}

bool pd_junit_write(const char *path, const struct pd_result *result, size_t nr)
{
	FILE *out = fopen(path, "w");
	bool good;

	if (!out) {
		fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
		return false;
	}
	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuite name=\"ptediff run\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
		"skipped=\"%zu\">\n", nr, count(result, nr, PD_RESULT_UNEXPECTED),
		count(result, nr, PD_RESULT_UNREADABLE), count(result, nr, PD_RESULT_SKIPPED));
	for (size_t i = 0; i < nr; i++)
		put_case(out, &result[i]);
	fputs("</testsuite>\n", out);
	good = !ferror(out);
	if (fclose(out) || !good) {
		fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
		return false;
	}
	return true;
}
