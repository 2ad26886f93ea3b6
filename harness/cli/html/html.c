/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page from top to bottom: what broke and which rule, the page tables, the time line, what
 * else differs, the scenario, the commands, and the report as text.
 */
#include "harness/cli/html/html.h"

#include <stdlib.h>
#include <string.h>

void pd_html_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '>')
			fputs("&gt;", out);
		else if (*text == '"')
			fputs("&quot;", out);
		else
			fputc(*text, out);
	}
}

static void put_head(struct pd_html *p)
{
	const char *signature = p->report.d->signature;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<title>", p->out);
	pd_html_text(p->out, signature);
	fputs("</title>\n", p->out);
	pd_html_style(p->out);
	fputs("</head>\n<body>\n<main>\n<h1>", p->out);
	pd_html_text(p->out, signature);
	fputs("</h1>\n", p->out);
}

static void put_what(struct pd_html *p)
{
	const struct pd_divergence *d = p->report.d;
	const struct pd_impl *impl = d->entry->impl[d->arch];
	char record[256];

	pd_print_record(record, sizeof(record), &d->record);
	fputs("<p><code>", p->out);
	pd_html_text(p->out, record);
	fprintf(p->out, "</code>, step %u, on %s</p>\n<p class=\"dim\">Implementation <code>",
		d->step, pd_arch_name(d->arch));
	pd_html_text(p->out, d->entry->name);
	fputs("</code>", p->out);
	if (d->entry->file)
		fprintf(p->out, ", <code>%s</code>", d->entry->file);
	if (impl->mirrors) {
		fputs(": mirrors ", p->out);
		pd_html_text(p->out, impl->mirrors);
	}
	fputs("</p>\n", p->out);
}

static void put_difference(struct pd_html *p, const struct pd_difference *diff)
{
	fprintf(p->out, "<code>%s</code> %s", diff->row->field, pd_relation_name(diff->relation));
	if (diff->va < PD_NR_VA)
		fprintf(p->out, " at page %u (%u page%s)", diff->va, diff->pages,
			diff->pages == 1 ? "" : "s");
	if (diff->text) {
		fputs(": ", p->out);
		pd_html_text(p->out, diff->text);
	}
}

static void put_rule(struct pd_html *p)
{
	const struct pd_divergence *d = p->report.d;

	fputs("<section class=\"rule\">\n<p><b>", p->out);
	put_difference(p, &d->first);
	fputs("</b></p>\n<p>", p->out);
	pd_html_text(p->out, pd_relation_text(d->first.relation));
	fputs(".</p>\n<p><b>The rule:</b> ", p->out);
	pd_html_text(p->out, d->first.row->why);
	fputs(".</p>\n", p->out);
	for (unsigned int i = 0; i < d->nr_also; i++) {
		fputs("<p>Also: ", p->out);
		put_difference(p, &d->also[i]);
		fputs("</p>\n", p->out);
	}
	fputs("</section>\n", p->out);
}

/* Text that a library function writes into a stream, escaped. */
static void put_pre(struct pd_html *p, char *text)
{
	fputs("<pre>", p->out);
	pd_html_text(p->out, text ? text : "");
	fputs("</pre>\n", p->out);
	free(text);
}

static void put_scenario(struct pd_html *p)
{
	const struct pd_divergence *d = p->report.d;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs("<section>\n<h2>Scenario</h2>\n", p->out);
	if (out) {
		pd_print(out, p->sc, d->signature, d->entry->name);
		fclose(out);
	}
	put_pre(p, text);
	fputs("</section>\n", p->out);
}

static void put_commands(struct pd_html *p)
{
	const struct pd_divergence *d = p->report.d;
	const char *arch = pd_arch_name(d->arch), *impl = d->entry->name;

	fputs("<section>\n<h2>Commands</h2>\n<pre>", p->out);
	fputs("# again\nptediff run ", p->out);
	pd_html_text(p->out, p->file);
	fprintf(p->out, " --impl %s --arch %s\n# every access\nptediff run ", impl, arch);
	pd_html_text(p->out, p->file);
	fprintf(p->out, " --impl %s --arch %s --trace\n# the smallest scenario\nptediff min ", impl,
		arch);
	pd_html_text(p->out, p->file);
	fprintf(p->out, " --impl %s\n# as a C program\nptediff export --c ", impl);
	pd_html_text(p->out, p->file);
	fputs("</pre>\n</section>\n", p->out);
}

static void put_report(struct pd_html *p)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs("<section>\n<h2>As text, for a mail</h2>\n", p->out);
	if (out) {
		pd_report(out, p->j, p->sc, PD_MAIL_WIDTH, p->file);
		fclose(out);
	}
	put_pre(p, text);
	fputs("</section>\n", p->out);
}

bool pd_html_write(FILE *out, const struct pd_judge *j, const struct scenario *sc,
		   const char *file)
{
	const struct pd_divergence *d = &j->divergence;
	_Alignas(uint64_t) uint8_t args[PD_MAX_ARGS];
	struct pd_html *p = pd_alloc(1, sizeof(*p));

	*p = (struct pd_html){
		.out = out, .j = j, .sc = sc, .file = file,
		.report = { .out = out, .width = PD_MAIL_WIDTH, .d = d, .world = j->world },
	};
	pd_op_args(d->entry->op, &d->record, args);
	p->report.span = d->entry->op->span(args);
	pd_report_mark(&p->report);
	put_head(p);
	put_what(p);
	put_rule(p);
	pd_html_grids(p);
	pd_html_facts(p);
	pd_html_timeline(p);
	put_scenario(p);
	put_commands(p);
	put_report(p);
	fputs("</main>\n</body>\n</html>\n", out);
	free(p);
	return !ferror(out);
}
