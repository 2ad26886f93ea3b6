/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules about what was cleared: a list of runs of chunks against the folio's arguments.
 */
#ifndef PD_ZERO_FOLIO_CHUNKS_H
#define PD_ZERO_FOLIO_CHUNKS_H

#include <string.h>

#include "model/op.h"

#include "args.h"

/* Some chunks of one size, one behind the other. */
struct zero_run {
	uint32_t first, pages, times;
	uint32_t before, gap;	/* cond_resched() before the first, before each of the others */
};

/* The folio as its arguments have it, and what the implementation says of itself. */
struct zero_folio {
	const struct zero_folio_args *args;
	uint32_t pages, fault;
	uint32_t form, unit;
	bool resched_after;
};

/* A part of the folio: pages [@start, @end). */
struct zero_part {
	uint32_t start, end;
};

static inline struct zero_folio zero_folio_of(const struct pd_check *check)
{
	const struct pd_results *got = check->got;
	struct zero_folio f = { .args = check->args };

	f.pages = zero_folio_pages(f.args);
	f.fault = zero_folio_hint(f.args);
	for (unsigned int i = 0; i < got->nr && i < PD_MAX_RESULTS; i++) {
		if (got->list[i].what != ZERO_FOLIO_FORM)
			continue;
		f.form = got->list[i].a & ZERO_FOLIO_FORM_ORDER;
		f.resched_after = got->list[i].a & ZERO_FOLIO_FORM_RESCHED_AFTER;
		f.unit = (uint32_t)got->list[i].b;
	}
	return f;
}

/* The next run at or after *@i; false at the end. */
static inline bool zero_next_run(const struct pd_check *check, unsigned int *i,
				 struct zero_run *run)
{
	const struct pd_results *got = check->got;

	for (; *i < got->nr && *i < PD_MAX_RESULTS; ++*i) {
		const struct pd_fact *fact = &got->list[*i];

		if (fact->what != ZERO_FOLIO_CHUNKS)
			continue;
		*run = (struct zero_run){
			.first = fact->a,
			.pages = (uint32_t)(fact->b & 0xfffff),
			.times = (uint32_t)(fact->b >> 20 & 0xfffff),
			.before = (uint32_t)(fact->b >> 40 & 0xff),
			.gap = (uint32_t)(fact->b >> 48 & 0xff),
		};
		++*i;
		return true;
	}
	return false;
}

#define zero_for_each_run(run, check) \
	for (unsigned int zero_i_ = 0; zero_next_run(check, &zero_i_, &(run));)

/* ---- which pages ---- */

static inline bool zero_run_inside(const struct zero_run *run, uint32_t pages)
{
	uint64_t len = (uint64_t)run->pages * run->times;

	return run->first <= pages && len <= pages - run->first;
}

static inline const char *zero_folio_inside(const struct pd_check *check)
{
	uint32_t pages = zero_folio_pages(check->args);
	struct zero_run run;

	zero_for_each_run(run, check)
		if (!zero_run_inside(&run, pages))
			return "pages behind the folio are cleared";
	return NULL;
}

/* Set bits [@first, @end) of @map. False: one of them was set. */
static inline bool zero_mark(uint64_t *map, uint32_t first, uint32_t end)
{
	while (first < end) {
		uint32_t bit = first % 64, len = end - first < 64 - bit ? end - first : 64 - bit;
		uint64_t mask = (len < 64 ? (1ULL << len) - 1 : ~0ULL) << bit;

		if (map[first / 64] & mask)
			return false;
		map[first / 64] |= mask;
		first += len;
	}
	return true;
}

static inline const char *zero_folio_once(const struct pd_check *check)
{
	uint32_t pages = zero_folio_pages(check->args), cleared = 0;
	uint64_t map[(1u << ZERO_FOLIO_MAX_ORDER) / 64];
	struct zero_run run;

	if (check->got->nr > PD_MAX_RESULTS)
		return "cleared in too many pieces";
	memset(map, 0, (pages + 63) / 64 * sizeof(map[0]));
	zero_for_each_run(run, check) {
		if (!zero_run_inside(&run, pages))
			return NULL;
		if (!zero_mark(map, run.first, run.first + run.pages * run.times))
			return "a page is cleared twice";
		cleared += run.pages * run.times;
	}
	return cleared == pages ? NULL : "a page is not cleared";
}

/* ---- in which parts ---- */

static inline bool zero_in_parts(const struct zero_folio *f)
{
	return f->form == ZERO_FOLIO_FORM_REGIONS ||
	       (f->form == ZERO_FOLIO_FORM_REGIONS_SMALL && f->pages <= ZERO_FOLIO_GIGANTIC);
}

/* Right, left, around the faulting page: in this order. Return: how many parts there are. */
static inline unsigned int zero_parts(const struct zero_folio *f, struct zero_part parts[3])
{
	uint32_t left = f->fault > 2 ? f->fault - 2 : 0;
	uint32_t right = f->fault + 3 < f->pages ? f->fault + 3 : f->pages;

	parts[0] = (struct zero_part){ 0, f->pages };
	if (!zero_in_parts(f))
		return 1;
	parts[0] = (struct zero_part){ right, f->pages };
	parts[1] = (struct zero_part){ 0, left };
	parts[2] = (struct zero_part){ left, right };
	return 3;
}

/* The part that holds page @page. */
static inline unsigned int zero_part_of(const struct zero_part *parts, unsigned int nr,
					uint32_t page)
{
	for (unsigned int i = 0; i < nr; i++)
		if (page >= parts[i].start && page < parts[i].end)
			return i;
	return 0;
}

static inline const char *zero_folio_extents(const struct pd_check *check)
{
	struct zero_folio f = zero_folio_of(check);
	struct zero_part parts[3];
	unsigned int nr = zero_parts(&f, parts);
	bool bounded = f.form == ZERO_FOLIO_FORM_PAGES || !zero_folio_preemptible(f.args);
	struct zero_run run;

	zero_for_each_run(run, check) {
		const struct zero_part *part = &parts[zero_part_of(parts, nr, run.first)];
		uint32_t len = run.pages * run.times;

		if (bounded && run.pages > f.unit)
			return "a chunk is longer than the unit";
		if (run.first + len <= part->end)
			continue;
		/* A run may go on in the next part, a chunk may not. */
		if ((part->end - run.first) % run.pages)
			return "a chunk reaches over two parts";
	}
	return NULL;
}

/* ---- in which order ---- */

/* Page @i of the order that v6.12 has. */
static inline uint32_t zero_inwards(const struct zero_folio *f, uint32_t i)
{
	uint32_t n = f->fault, nr = f->pages, straight, first, k;

	if (nr > ZERO_FOLIO_GIGANTIC)
		return i;
	straight = 2 * n <= nr ? nr - 2 * n : 2 * n - nr;
	if (i < straight)
		return 2 * n <= nr ? nr - 1 - i : i;
	first = 2 * n <= nr ? 0 : straight;
	k = i - straight;
	return k % 2 ? first + (nr - straight) - 1 - k / 2 : first + k / 2;
}

static inline const char *zero_order_inwards(const struct pd_check *check,
					     const struct zero_folio *f)
{
	struct zero_run run;
	uint32_t i = 0;

	zero_for_each_run(run, check) {
		uint32_t len = run.pages * run.times;

		/* Gigantic folios, straight on: there is no need to look at every page. */
		if (f->pages > ZERO_FOLIO_GIGANTIC && run.first == i) {
			i += len;
			continue;
		}
		for (uint32_t k = 0; k < len; k++)
			if (i >= f->pages || zero_inwards(f, i++) != run.first + k)
				return "not from both ends to the faulting page";
	}
	return NULL;
}

static inline const char *zero_folio_order(const struct pd_check *check)
{
	struct zero_folio f = zero_folio_of(check);
	struct zero_part parts[3];
	unsigned int nr = zero_parts(&f, parts), part = 0;
	uint32_t next = parts[0].start;
	struct zero_run run;

	if (zero_folio_inside(check))
		return NULL;
	if (f.form == ZERO_FOLIO_FORM_PAGES)
		return zero_order_inwards(check, &f);
	zero_for_each_run(run, check) {
		unsigned int now = zero_part_of(parts, nr, run.first);

		if (now < part)
			return "a part is cleared after one that ought to come later";
		if (now > part)
			next = parts[now].start;
		if (run.first < next)
			return "not upwards";
		next = run.first + run.pages * run.times;
		part = zero_part_of(parts, nr, next - 1);
	}
	return part + 1 == nr ? NULL : "the faulting page is not cleared last";
}

/* ---- meanwhile ---- */

static inline uint32_t zero_resched_at_end(const struct pd_check *check)
{
	for (unsigned int i = 0; i < check->got->nr && i < PD_MAX_RESULTS; i++)
		if (check->got->list[i].what == ZERO_FOLIO_RESCHED)
			return check->got->list[i].a;
	return 0;
}

static inline const char *zero_folio_resched(const struct pd_check *check)
{
	struct zero_folio f = zero_folio_of(check);
	uint32_t before = f.resched_after ? 0 : 1;
	struct zero_run run;

	zero_for_each_run(run, check) {
		if (run.before != before)
			return "not one cond_resched() for each chunk, where the form has it";
		if (run.times > 1 && run.gap != 1)
			return "not one cond_resched() between two chunks";
		before = 1;
	}
	if (zero_resched_at_end(check) != (f.resched_after ? 1 : 0))
		return "not one cond_resched() for each chunk, where the form has it";
	return NULL;
}

static inline const char *zero_folio_address(const struct pd_check *check)
{
	const struct pd_results *got = check->got;

	for (unsigned int i = 0; i < got->nr && i < PD_MAX_RESULTS; i++)
		if (got->list[i].what == ZERO_FOLIO_ADDRESS &&
		    got->list[i].b !=
			    ZERO_FOLIO_BASE + (uint64_t)got->list[i].a * ZERO_FOLIO_PAGE)
			return "not the address of the page";
	return NULL;
}

#endif
