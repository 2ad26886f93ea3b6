/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A divergence for people.
 *
 * From top to bottom: what broke (the signature), the scenario, the pages before and after, the
 * rule and its reason, what else differs, and the commands that show it again.
 */
#include "report.h"

#include <stdarg.h>
#include <string.h>

#include "entry_text.h"

/* Lines of a long scenario: so many from its start, so many from its end. */
#define HEAD_LINES 24u
#define TAIL_LINES 12u

static const char *const relation_texts[PD_NR_RELATIONS] = {
	[PD_RELATION_MISSING] = "the reference has it, the implementation lost it",
	[PD_RELATION_EXTRA] = "the implementation has it, the contract does not allow it",
	[PD_RELATION_WRONG] = "the implementation left another value than the reference",
	[PD_RELATION_ORDER] = "the implementation did the right things in a wrong order",
	[PD_RELATION_STALE] = "a translation is still usable that the tables no longer allow",
	[PD_RELATION_OOB] = "an entry outside the page tables was accessed",
	[PD_RELATION_NO_PROGRESS] = "the operation ran out of its budget of accesses",
	[PD_RELATION_WARN] = "an assertion of the kernel code failed",
	[PD_RELATION_CRASH] = "the implementation crashed",
};

const char *pd_relation_text(enum pd_relation relation)
{
	return relation_texts[relation];
}

/* How much of @text goes on a line with room for @room columns. */
static size_t line_fit(const char *text, size_t room, size_t more)
{
	size_t len = strlen(text), cut;

	if (len <= room)
		return len;
	for (cut = room - more; cut && text[cut] != ' '; cut--)
		;
	return cut ? cut : strcspn(text, " ");
}

void pd_wrap(FILE *out, unsigned int width, const char *lead, const char *text, const char *more)
{
	size_t indent = strlen(lead);
	size_t room = width > indent + 20 ? width - indent : 20;

	fputs(lead, out);
	for (;;) {
		size_t len = line_fit(text, room, strlen(more));

		fwrite(text, 1, len, out);
		text += len + strspn(text + len, " ");
		if (!*text)
			break;
		fprintf(out, "%s\n%*s", more, (int)indent, "");
	}
	fputc('\n', out);
}

static void wrapf(const struct pd_report *r, const char *lead, const char *more,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));

static void wrapf(const struct pd_report *r, const char *lead, const char *more,
		  const char *format, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	pd_wrap(r->out, r->width, lead, text, more);
}

static void put_head(const struct pd_report *r, const struct pd_judge *j)
{
	const struct pd_divergence *d = r->d;
	char record[256];

	pd_wrap(r->out, r->width, "divergence: ", d->signature, "");
	pd_print_record(record, sizeof(record), &d->record);
	wrapf(r, "operation:  ", "", "%s (step %u, %s%s)", record, d->step,
	      pd_arch_name(d->arch), j->strict ? ", strict" : "");
	wrapf(r, "source:     ", "", "%s", d->entry->file ? d->entry->file : d->entry->name);
}

static void put_scenario(const struct pd_report *r, const struct scenario *sc)
{
	bool cut = sc->nr > HEAD_LINES + TAIL_LINES + 1;
	char record[256];

	fputs("\nscenario:\n", r->out);
	for (unsigned int i = 0; i < sc->nr; i++) {
		if (cut && i == HEAD_LINES) {
			unsigned int left = sc->nr - HEAD_LINES - TAIL_LINES;

			fprintf(r->out, "    ... %u more lines ...\n", left);
			i += left;
		}
		pd_print_record(record, sizeof(record), &sc->rec[i]);
		pd_wrap(r->out, r->width, "    ", record, "");
	}
}

static void put_rule(const struct pd_report *r)
{
	const struct pd_difference *first = &r->d->first;

	fputc('\n', r->out);
	wrapf(r, "rule: ", "", "%s: %s", first->row->field, first->row->why);
	wrapf(r, "      ", "", "%s: %s.", pd_relation_name(first->relation),
	      relation_texts[first->relation]);
	if (first->text)
		wrapf(r, "detail: ", "", "%s", first->text);
	if (*r->d->guilty)
		wrapf(r, "guilty: ", "", "%s", r->d->guilty);
	if (*r->d->shim)
		wrapf(r, "shim:   ", "", "%s", r->d->shim);
}

/* The translation itself, when a stale one is what broke the contract. */
static void put_stale(const struct pd_report *r)
{
	const struct pd_incident_info *stale;
	char text[PD_ENTRY_CHARS];

	if (r->d->first.relation != PD_RELATION_STALE)
		return;
	stale = &r->world->incident[PD_INCIDENT_STALE];
	if (!stale->seen)
		return;
	pd_entry_text(text, sizeof(text), pd_raw_decode(r->d->arch, stale->raw), 1);
	wrapf(r, "stale: ", "", "page %u as %s", stale->va, text);
}

static void put_also(const struct pd_report *r)
{
	for (unsigned int i = 0; i < r->d->nr_also; i++) {
		const struct pd_difference *also = &r->d->also[i];
		char where[64] = "";

		if (also->va < PD_NR_VA)
			snprintf(where, sizeof(where), " at page %u (%u page%s)", also->va,
				 also->pages, also->pages == 1 ? "" : "s");
		wrapf(r, "also: ", "", "%s/%s%s%s%s", also->row->field,
		      pd_relation_name(also->relation), where, also->text ? ": " : "",
		      also->text ? also->text : "");
	}
}

/* The flags that occur on the shown pages, in words. */
static void put_legend(const struct pd_report *r)
{
	uint64_t used = 0;
	char text[256] = "";
	size_t len = 0;

	for (unsigned int va = 0; va < PD_NR_VA; va++)
		if (r->shown[va])
			used |= r->d->before->pte[va] | r->d->expected->pte[va] |
				r->d->got->pte[va];
	for (const struct pd_flag *flag = pd_flags; flag->name; flag++)
		if (used & flag->bit && len < sizeof(text))
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s %s",
						len ? ", " : "", flag->name, flag->meaning);
	if (len)
		pd_wrap(r->out, r->width, "  where ", text, "");
}

static void put_commands(const struct pd_report *r, const char *file, const char *strict)
{
	const char *impl = r->d->entry->name, *arch = pd_arch_name(r->d->arch);

	if (!file)
		file = "FILE";
	fputc('\n', r->out);
	wrapf(r, "replay: ", " \\", "ptediff run %s --impl %s --arch %s%s", file, impl, arch,
	      strict);
	wrapf(r, "trace:  ", " \\", "ptediff run %s --impl %s --arch %s%s --trace", file, impl,
	      arch, strict);
	wrapf(r, "debug:  ", " \\",
	      "gdb -ex \"break pd_divergence_found\" -ex run --args ptediff run %s --impl %s "
	      "--arch %s%s", file, impl, arch, strict);
}

void pd_report(FILE *out, const struct pd_judge *j, const struct scenario *sc,
	       unsigned int width, const char *file)
{
	const struct pd_divergence *d = &j->divergence;
	_Alignas(uint64_t) uint8_t args[PD_MAX_ARGS];
	struct pd_report r = {
		.out = out,
		.width = width < PD_REPORT_MAX_WIDTH ? width : PD_REPORT_MAX_WIDTH,
		.d = d,
		.world = j->world,
	};

	pd_op_args(d->entry->op, &d->record, args);
	r.span = d->entry->op->span(args);
	pd_report_mark(&r);
	put_head(&r, j);
	put_scenario(&r, sc);
	pd_report_before(&r);
	pd_report_after(&r);
	put_legend(&r);
	pd_report_folios(&r);
	pd_report_counters(&r);
	pd_report_results(&r);
	put_rule(&r);
	put_stale(&r);
	put_also(&r);
	put_commands(&r, file, j->strict ? " --strict" : "");
}
