/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a step, one a line.
 */
#include "judge.h"

#include "entry_text.h"

static const char *const event_names[PD_NR_EVENT_KINDS] = {
	[PD_EVENT_READ] = "read",
	[PD_EVENT_SET] = "set",
	[PD_EVENT_XCHG] = "xchg",
	[PD_EVENT_LOCK] = "lock",
	[PD_EVENT_UNLOCK] = "unlock",
	[PD_EVENT_FLUSH] = "flush",
	[PD_EVENT_FLUSH_PENDING] = "flush pending",
	[PD_EVENT_NOTIFY_START] = "notify start",
	[PD_EVENT_NOTIFY_END] = "notify end",
	[PD_EVENT_LAZY_ENTER] = "lazy enter",
	[PD_EVENT_LAZY_LEAVE] = "lazy leave",
	[PD_EVENT_BATCH] = "batch",
	[PD_EVENT_MOVE_TABLE] = "move table",
	[PD_EVENT_HW] = "hardware",
	[PD_EVENT_WARN] = "warn",
};

static void put_raw(FILE *out, enum pd_arch arch, uint64_t raw)
{
	char text[PD_ENTRY_CHARS];

	pd_entry_text(text, sizeof(text), pd_raw_decode(arch, raw), 1);
	fprintf(out, "0x%016llx %s", (unsigned long long)raw, text);
}

static void put_access(FILE *out, enum pd_arch arch, const struct pd_event *event)
{
	fprintf(out, "page %-6u ", event->a);
	put_raw(out, arch, event->b);
	if (event->kind == PD_EVENT_READ || event->b == event->c)
		return;
	fprintf(out, "\n%24swas ", "");
	put_raw(out, arch, event->c);
}

static void put_warning(FILE *out, const struct pd_incident_info *warn)
{
	fputs(warn->seen && warn->text ? warn->text : "an assertion failed", out);
}

static void put_details(FILE *out, const struct pd_world *world, const struct pd_event *event)
{
	char pages[32];

	switch (event->kind) {
	case PD_EVENT_READ:
	case PD_EVENT_SET:
	case PD_EVENT_XCHG:
		put_access(out, world->arch, event);
		break;
	case PD_EVENT_LOCK:
	case PD_EVENT_UNLOCK:
		fprintf(out, "table %u", event->a);
		break;
	case PD_EVENT_FLUSH:
	case PD_EVENT_NOTIFY_START:
	case PD_EVENT_NOTIFY_END:
	case PD_EVENT_BATCH:
		pd_pages_text(pages, sizeof(pages), event->a, (unsigned int)event->b);
		fprintf(out, "pages %s", pages);
		break;
	case PD_EVENT_MOVE_TABLE:
		fprintf(out, "slot %u to slot %u", event->a, (unsigned int)event->b);
		break;
	case PD_EVENT_HW:
		fprintf(out, "page %-6u %s%s", event->a, event->b ? "write" : "read",
			event->c ? "" : ", faults");
		break;
	case PD_EVENT_WARN:
		put_warning(out, &world->incident[PD_INCIDENT_WARN]);
		break;
	default:
		break;
	}
}

static bool has_no_details(enum pd_event_kind kind)
{
	return kind == PD_EVENT_FLUSH_PENDING || kind == PD_EVENT_LAZY_ENTER ||
	       kind == PD_EVENT_LAZY_LEAVE;
}

void pd_report_trace(FILE *out, const struct pd_judge *j)
{
	const struct pd_world *world = j->world;
	unsigned int kept = world->nr_events;

	if (kept > PD_MAX_EVENTS)
		kept = PD_MAX_EVENTS;
	for (unsigned int i = 0; i < kept; i++) {
		const struct pd_event *event = &world->event[i];

		if (has_no_details(event->kind)) {
			fprintf(out, "  %s\n", event_names[event->kind]);
			continue;
		}
		fprintf(out, "  %-13s ", event_names[event->kind]);
		put_details(out, world, event);
		fputc('\n', out);
	}
	if (world->nr_events > kept)
		fprintf(out, "  ... %u more events were not kept\n", world->nr_events - kept);
}
