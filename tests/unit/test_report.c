/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of a hand-made divergence: what it says, and that no line is too long.
 *
 *	page	     0 .. 3	 1024 .. 1027
 *	before	     512..515	 none		page 0 is writable
 *	expected     none	 512..515	page 1024 is writable
 *	got	     none	 512..515	pages 1024 to 1027 are
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/judge/entry_text.h"
#include "harness/judge/judge.h"
#include "harness/judge/step.h"

#define SRC	0u
#define DST	1024u
#define PAGES	4u

static const struct pd_row write_row = {
	.field = "dst.write", .subject = PD_SUBJECT_PTE, .place = PD_PLACE_DST,
	.grade = PD_GRADE_EXACT, .mask = LPTE_WRITE,
	.why = "a move changes no permission: an entry that becomes writable lets a process write "
	       "to a page that it shares",
};

static const struct pd_row dirty_row = {
	.field = "dst.dirty", .subject = PD_SUBJECT_PTE, .place = PD_PLACE_DST,
	.grade = PD_GRADE_OR, .mask = LPTE_DIRTY, .why = "a dirty bit is never lost",
};

static const struct pd_row folio_row = {
	.field = "folio.index", .subject = PD_SUBJECT_FOLIO, .mask = PD_FOLIO_ROW_INDEX,
	.why = "rmap finds a page by its index",
};

static const struct pd_row counter_row = {
	.field = "counter.anon", .subject = PD_SUBJECT_COUNTER, .mask = 1u << PD_COUNTER_ANON,
	.why = "a move maps as many pages as it unmaps",
};

/* Everything that a report is made from. */
struct fixture {
	struct pd_state before, expected, got;
	struct scenario sc;
	struct pd_judge j;
	struct pd_world world;
	struct page memmap[PD_NR_PFN];
	char *text;
};

static const struct pd_op *find_mremap(void)
{
	for (unsigned int i = 0; i < pd_nr_ops; i++)
		if (!strcmp(pd_ops[i]->name, "mremap"))
			return pd_ops[i];
	return NULL;
}

static const struct pd_impl_entry *find_impl(const struct pd_op *op)
{
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		if (pd_impls[i].op == op)
			return &pd_impls[i];
	return NULL;
}

static void parse(struct scenario *sc)
{
	static const char text[] =
		"ptediff scenario v1\n"
		"folio 512 order 2\n"
		"map 0..3 pfn 512 young dirty excl soft-dirty\n"
		"bits 0..3 write set 1000000000000000\n"
		"mremap 0..3 -> 1024\n";
	struct pd_parse how = { .file = "text" };

	assert_true(pd_parse(sc, text, sizeof(text) - 1, &how));
}

static void put_states(struct fixture *f)
{
	pd_state_init(&f->before);
	pd_state_init(&f->expected);
	pd_state_init(&f->got);
	for (unsigned int i = 0; i < PAGES; i++) {
		lpte_t pte = lpte_make(LPTE_KIND_PRESENT, 512 + i) | LPTE_YOUNG | LPTE_DIRTY;

		pte |= i ? 0 : LPTE_WRITE;
		pd_state_set(&f->before, SRC + i, pte);
		pd_state_set(&f->expected, DST + i, pte);
		pd_state_set(&f->got, DST + i, pte | LPTE_WRITE);
	}
	for (unsigned int pfn = 0; pfn < PD_NR_PFN; pfn++)
		pd_page_image(&f->memmap[pfn], f->memmap, &f->expected, pfn);
	f->world.memmap = f->memmap;
	f->world.counter[PD_COUNTER_ANON] = f->expected.counter[PD_COUNTER_ANON];
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct pd_divergence *d;

	if (!f)
		return -1;
	*state = f;
	put_states(f);
	parse(&f->sc);
	d = &f->j.divergence;
	f->j.world = &f->world;
	d->entry = find_impl(find_mremap());
	assert_non_null(d->entry);
	d->arch = PD_ARCH_ARM64;
	d->record = f->sc.rec[f->sc.nr - 1];
	d->first = (struct pd_difference){ &write_row, PD_RELATION_EXTRA, DST + 1, 3, NULL };
	snprintf(d->signature, sizeof(d->signature), "mremap/%s/dst.write/extra",
		 d->entry->name);
	d->before = &f->before;
	d->expected = &f->expected;
	d->got = &f->got;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	free(f->text);
	free(f);
	return 0;
}

static const char *report(struct fixture *f, unsigned int width, const char *file)
{
	size_t size;
	FILE *out;

	free(f->text);
	out = open_memstream(&f->text, &size);
	assert_non_null(out);
	pd_report(out, &f->j, &f->sc, width, file);
	fclose(out);
	return f->text;
}

static void assert_says(const char *text, const char *what)
{
	if (!strstr(text, what))
		print_error("'%s' is missing in:\n%s", what, text);
	assert_non_null(strstr(text, what));
}

static void assert_width(const char *text, size_t width)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		if (len > width)
			print_error("%zu columns: %.*s\n", len, (int)len, text);
		assert_true(len <= width);
		for (size_t i = 0; i < len; i++)
			assert_in_range(text[i], ' ', '~');
		text += len + 1;
	}
}

static void test_content(void **state)
{
	struct fixture *f = *state;
	const char *text = report(f, 100, "findings/one.pte");

	assert_says(text, f->j.divergence.signature);
	assert_says(text, "mremap 0..3 -> 1024 (step 0, arm64)\n");
	assert_says(text, "    bits 0..3 write set 1000000000000000\n");
	assert_says(text, "pfn 513..515 A D\n");
	assert_says(text, "a move changes no permission");
	assert_says(text, "extra: ");
	assert_says(text, "ptediff run findings/one.pte --impl ");
	assert_says(text, "--arch arm64 --trace\n");
	assert_says(text, "break pd_divergence_found");
}

/* The differing flag has a caret below it and dots where it is clear. */
static void test_marks(void **state)
{
	const char *text = report(*state, 100, NULL);

	assert_says(text,
		    "        1024            pfn 512 A D W\n"
		    "  1025..1027  expected  pfn 513..515 A D .\n"
		    "              got       pfn 513..515 A D W\n"
		    "                                         ^\n");
	assert_says(text, "        0..3  as expected\n");
}

static void test_frame_differs(void **state)
{
	struct fixture *f = *state;
	static const struct pd_row row = {
		.field = "dst.pfn", .subject = PD_SUBJECT_PTE, .place = PD_PLACE_DST,
		.mask = LPTE_PFN, .why = "a move moves",
	};

	f->got.pte[DST + 3] = lpte_make(LPTE_KIND_PRESENT, 7) | LPTE_YOUNG | LPTE_DIRTY;
	f->j.divergence.first = (struct pd_difference){ &row, PD_RELATION_WRONG, DST + 3, 1, NULL };
	assert_says(report(f, 100, NULL),
		    "        1027  expected  pfn 515 A D\n"
		    "              got       pfn 7   A D\n"
		    "                        ^^^^^^^\n");
}

static void test_also(void **state)
{
	struct fixture *f = *state;
	struct pd_divergence *d = &f->j.divergence;

	f->got.pte[DST + 2] &= ~LPTE_DIRTY;
	f->got.pte[DST + 3] |= LPTE_SOFT_DIRTY;		/* of no row: not marked */
	d->also[d->nr_also++] =
		(struct pd_difference){ &dirty_row, PD_RELATION_MISSING, DST + 2, 1, NULL };
	d->also[d->nr_also++] =
		(struct pd_difference){ &folio_row, PD_RELATION_WRONG, PD_NR_VA, 0, NULL };
	d->also[d->nr_also++] =
		(struct pd_difference){ &counter_row, PD_RELATION_WRONG, PD_NR_VA, 0, NULL };
	f->world.memmap[512].index = 9;
	f->world.counter[PD_COUNTER_ANON] = 8;
	report(f, 100, NULL);
	assert_says(f->text, "also: dst.dirty/missing at page 1026 (1 page)\n");
	assert_says(f->text, "expected  pfn 514 A D .\n");
	assert_says(f->text, "got       pfn 514 A . W\n");
	assert_says(f->text, "                    ^ ^\n");
	assert_says(f->text, "pfn 512: index before 0, expected 0, got 0x9\n");
	assert_says(f->text, "counter anon: before 4, expected 4, got 8\n");
}

/* A page is named when no bit of its entry is to blame. */
static void test_no_bits(void **state)
{
	static const struct pd_row row = {
		.field = "tlb", .subject = PD_SUBJECT_TLB, .why = "nothing stale is left behind",
	};
	struct fixture *f = *state;

	for (unsigned int i = 0; i < PAGES; i++)
		f->got.pte[DST + i] = f->expected.pte[DST + i];
	f->j.divergence.first = (struct pd_difference){ &row, PD_RELATION_STALE, 2, 1, "unlock" };
	f->world.incident[PD_INCIDENT_STALE] = (struct pd_incident_info){
		.seen = true, .va = 2,
		.raw = pd_raw_encode(PD_ARCH_ARM64, lpte_make(LPTE_KIND_PRESENT, 514) | LPTE_YOUNG),
	};
	report(f, 100, NULL);
	assert_says(f->text, "           2  expected  none\n              got       none\n");
	assert_says(f->text, "stale: page 2 as pfn 514 A");
	assert_says(f->text, "detail: unlock\n");
}

/* The worst that can happen: every kind and flag, every page different, a long scenario. */
static void test_width(void **state)
{
	struct fixture *f = *state;
	const struct pd_record map = f->sc.rec[1], op = f->sc.rec[f->sc.nr - 1];

	f->j.divergence.first.pages = PAGES;
	for (unsigned int va = 0; va < PD_NR_VA; va++) {
		enum lpte_kind kind = (enum lpte_kind)(va / 8 % LPTE_NR_KINDS);

		f->expected.pte[va] = lpte_make(kind, va * 7 % 4096);
		f->got.pte[va] = f->expected.pte[va];
		for (const struct pd_flag *flag = pd_flags; flag->name; flag++)
			f->got.pte[va] |= flag->bit;
		f->before.pte[va] = f->got.pte[va];
	}
	for (f->sc.nr = 1; f->sc.nr < 200; f->sc.nr++) {
		struct pd_record *rec = &f->sc.rec[f->sc.nr];

		*rec = map;
		memset(rec->h, 0xff, sizeof(rec->h));
		pd_record_clean(rec);
	}
	f->sc.rec[f->sc.nr++] = op;
	assert_width(report(f, 100, "findings/mremap-batched_posted_v3-dst.write-extra.pte"), 100);
	assert_says(f->text, "more lines ...\n");
	assert_width(report(f, 72, "findings/mremap-batched_posted_v3-dst.write-extra.pte"), 72);
	assert_says(f->text, " \\\n");
}

static void test_mail(void **state)
{
	const char *text = report(*state, 72, "one.pte");

	assert_width(text, 72);
	assert_says(text, "  1025..1027  expected  pfn 513..515 A D .\n");
}

static void test_trace(void **state)
{
	struct fixture *f = *state;
	lpte_t pte = lpte_make(LPTE_KIND_PRESENT, 512) | LPTE_YOUNG | LPTE_WRITE | LPTE_DIRTY;
	uint64_t raw = pd_raw_encode(PD_ARCH_X86, pte);
	const struct pd_event events[] = {
		{ PD_EVENT_LOCK, 0, 0, 0 },
		{ PD_EVENT_READ, 5, raw, 0 },
		{ PD_EVENT_XCHG, 5, 0, raw },
		{ PD_EVENT_FLUSH, 4, 8, 0 },
		{ PD_EVENT_WARN, 0, 0, 0 },
	};
	size_t size;
	FILE *out = open_memstream(&f->text, &size);

	f->world.arch = PD_ARCH_X86;
	f->world.incident[PD_INCIDENT_WARN] =
		(struct pd_incident_info){ .seen = true, .text = "pte_present(pte)" };
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		f->world.event[f->world.nr_events++] = events[i];
	assert_non_null(out);
	pd_report_trace(out, &f->j);
	fclose(out);
	assert_width(f->text, 100);
	assert_says(f->text, "  lock          table 0\n");
	assert_says(f->text, "  read          page 5      0x");
	assert_says(f->text, "pfn 512 A D W\n");
	assert_says(f->text, "  flush         pages 4..11\n");
	assert_says(f->text, "  warn          pte_present(pte)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_content, setup, teardown),
		cmocka_unit_test_setup_teardown(test_marks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_frame_differs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_also, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_bits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_width, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mail, setup, teardown),
		cmocka_unit_test_setup_teardown(test_trace, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
