/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zero_folio: clearing a folio that is about to be mapped (folio_zero_user()).
 */
#include <stdio.h>
#include <string.h>

#include "model/op.h"

#include "args.h"
#include "chunks.h"

#define ARG(member) .arg = offsetof(struct zero_folio_args, member)

static const char *const zero_folio_preempts[8] = {
	[ZERO_FOLIO_PREEMPT_NONE] = "",
	[ZERO_FOLIO_PREEMPT_VOLUNTARY] = "voluntary",
	[ZERO_FOLIO_PREEMPT_FULL] = "full",
	[ZERO_FOLIO_PREEMPT_LAZY] = "lazy",
	[ZERO_FOLIO_PREEMPT_RT] = "rt",
};

static const struct pd_field zero_folio_fields[] = {
	{ .name = "order", .form = PD_FORM_LITERAL, .arg = PD_NO_ARG },
	{ .form = PD_FORM_NUMBER, .at = { 0, 0, 5 }, ARG(order) },
	{ .form = PD_FORM_ENUM, .at = { 0, 5, 3 }, .names = zero_folio_preempts, ARG(preempt) },
	{ .name = "hint", .form = PD_FORM_NUMBER, .at = { 2, 0, 16 }, ARG(hint) },
	{ .name = "hint-high", .form = PD_FORM_NUMBER, .at = { 3, 0, 2 }, ARG(hint_high) },
	{ .name = "byte", .form = PD_FORM_NUMBER, .at = { 3, 2, 12 }, ARG(byte) },
	{ .name = "unit", .form = PD_FORM_NUMBER, .at = { 1, 0, 13 }, ARG(unit) },
	{ .name = "no-clear-pages", .form = PD_FORM_FLAG, .at = { 1, 13, 1 }, ARG(no_clear_pages) },
	{ .name = "highmem", .form = PD_FORM_FLAG, .at = { 1, 14, 1 }, ARG(highmem) },
	{ .name = "arch-page", .form = PD_FORM_FLAG, .at = { 1, 15, 1 }, ARG(arch_page) },
	{ .form = PD_FORM_END },
};

static const char *zero_folio_fit(const struct pd_state *s, void *args)
{
	struct zero_folio_args *a = args;
	uint32_t hint;

	(void)s;
	a->order %= ZERO_FOLIO_MAX_ORDER + 1;
	hint = zero_folio_hint(a) & (zero_folio_pages(a) - 1);
	a->hint = hint & 0xffff;
	a->hint_high = hint >> 16;
	if (a->preempt > ZERO_FOLIO_PREEMPT_RT)
		a->preempt = ZERO_FOLIO_PREEMPT_NONE;
	return NULL;
}

/* No entry is worked on: the folio is not mapped yet. */
static struct pd_span zero_folio_span(const void *args)
{
	(void)args;
	return (struct pd_span){ 0 };
}

#define ROW(f, s, m, w)		{ .field = (f), .subject = (s), .mask = (m), .why = (w) }
#define ROW_CHUNKS(f, a, w)	{ .field = (f), .subject = PD_SUBJECT_RESULT,			\
				  .mask = 1u << ZERO_FOLIO_CHUNKS, .accepts = (a), .why = (w) }

static const struct pd_row zero_folio_rows[] = {
	ROW("access", PD_SUBJECT_ACCESS, 0, "no page-table entry is touched, and every loop ends"),
	ROW("warn", PD_SUBJECT_WARN, 0, "the kernel's own assertions hold"),
	ROW_CHUNKS("pages.outside", zero_folio_inside,
		   "no page outside of the folio is cleared: it belongs to somebody else"),
	ROW_CHUNKS("pages.once", zero_folio_once,
		   "every page is cleared, or its old contents go to another process; and once, or "
		   "the time is wasted"),
	ROW_CHUNKS("extent", zero_folio_extents,
		   "where the kernel is not preemptible a chunk is no longer than the unit; a "
		   "chunk does not reach over two of the parts in which the form clears"),
	ROW_CHUNKS("order", zero_folio_order,
		   "what is cleared last stays in the cache: the faulting page, or what lies "
		   "around it, after all others. Forms before extents go from both ends inwards, "
		   "later ones clear the right part, the left one, then the middle, each upwards"),
	ROW_CHUNKS("resched", zero_folio_resched,
		   "cond_resched() once for each chunk, on the side of it that the form says, and "
		   "never inside of one: it bounds the time that others wait"),
	{ .field = "address", .subject = PD_SUBJECT_RESULT, .mask = 1u << ZERO_FOLIO_ADDRESS,
	  .accepts = zero_folio_address,
	  .why = "page i is cleared for the user's address base + i pages, wherever in the folio "
		 "the fault was: an arch with cache colours clears through an alias of that "
		 "address (\"mm: use aligned address in clear_gigantic_page()\")" },
	{ .field = NULL }
};

static const char *const zero_folio_results[] = {
	[ZERO_FOLIO_CHUNKS] = "chunks", [ZERO_FOLIO_ADDRESS] = "address",
	[ZERO_FOLIO_RESCHED] = "resched", [ZERO_FOLIO_CALLS] = "calls",
	[ZERO_FOLIO_FORM] = "form", NULL
};

static void zero_folio_chunks_text(char *text, size_t size, const struct pd_fact *fact)
{
	uint32_t pages = fact->b & 0xfffff, times = fact->b >> 20 & 0xfffff;
	uint32_t before = fact->b >> 40 & 0xff, gap = fact->b >> 48 & 0xff;
	uint32_t last = fact->a + pages * times - 1;

	if (before || gap)
		snprintf(text, size, "%u..%u, %u at once, resched %u, then %u", fact->a, last,
			 pages, before, gap);
	else
		snprintf(text, size, "%u..%u, %u at once", fact->a, last, pages);
}

static void zero_folio_text(char *text, size_t size, const struct pd_fact *fact)
{
	if (fact->what == ZERO_FOLIO_CHUNKS)
		zero_folio_chunks_text(text, size, fact);
	else if (fact->what == ZERO_FOLIO_ADDRESS)
		snprintf(text, size, "%u: %#llx", fact->a, (unsigned long long)fact->b);
	else if (fact->what == ZERO_FOLIO_FORM)
		snprintf(text, size, "%s, unit %llu",
			 fact->a & ZERO_FOLIO_FORM_ORDER ? "right, left, middle" : "page by page",
			 (unsigned long long)fact->b);
	else
		snprintf(text, size, "%u", fact->a);
}

const struct pd_op pd_op_zero_folio = {
	.name = "zero_folio",
	.kind = {
		.number = 0x14,
		.name = "zero_folio",
		.fields = zero_folio_fields,
		.what = "clear a folio for a user (folio_zero_user())",
	},
	.args_size = sizeof(struct zero_folio_args),
	.fit = zero_folio_fit,
	.reference = zero_folio_reference,
	.span = zero_folio_span,
	.call = PD_CALL_FAULT,
	.rows = zero_folio_rows,
	.result_names = zero_folio_results,
	.result_text = zero_folio_text,
};
