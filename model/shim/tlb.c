/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The TLB: not what a CPU holds, but what some CPU could hold.
 *
 * Whatever is valid in a table may be cached at any time, so only translations that a table no
 * longer allows are kept, until a flush covers them. At a point where the flush is owed, each of
 * them inside the owed range is a stale translation that somebody can still use.
 */
#include "pd/raw.h"

/* May a CPU that holds @cached go on using it when the table says @now? */
bool pd_tlb_allows(pteval_t cached, pteval_t now)
{
	return pd_hw_valid(now) && pd_hw_pfn(cached) == pd_hw_pfn(now) &&
	       pd_hw_perm(cached) == pd_hw_perm(now) &&
	       (!pd_hw_writable(cached) || pd_hw_writable(now));
}

static void pd_tlb_rebuild_map(struct pd_world *w)
{
	memset(w->stale_map, 0, sizeof(w->stale_map));
	for (unsigned int i = 0; i < w->nr_stale; i++)
		for (unsigned int va = w->stale[i].va; va < w->stale[i].va + w->stale[i].nr; va++)
			w->stale_map[va / 64] |= 1ULL << (va % 64);
}

/* Cut pages [@first, @end) out of every remembered translation. */
static void pd_tlb_cut(struct pd_world *w, unsigned int first, unsigned int end)
{
	struct pd_stale *from = w->stale;
	unsigned int n = w->nr_stale, kept = 0;

	for (unsigned int i = 0; i < n; i++) {
		struct pd_stale s = from[i];
		unsigned int s_end = (unsigned int)s.va + s.nr;
		struct pd_stale head = s, tail = s;

		if (s_end <= first || s.va >= end) {
			from[kept++] = s;
			continue;
		}
		if (s.va < first) {
			head.nr = (u16)(first - s.va);
			from[kept++] = head;
		}
		if (s_end <= end)
			continue;
		tail.raw = pd_hw_next(s.raw, end - s.va);
		tail.va = (u16)end;
		tail.nr = (u16)(s_end - end);
		if (kept <= i)
			from[kept++] = tail;
		else if (w->nr_stale < PD_MAX_STALE)
			from[w->nr_stale++] = tail;
	}
	/* Tails that found no room in place were appended behind the old end. */
	memmove(&from[kept], &from[n], (w->nr_stale - n) * sizeof(*from));
	w->nr_stale = kept + (w->nr_stale - n);
	pd_tlb_rebuild_map(w);
}

/* pd_tlb_flush() - no CPU holds a translation of [@start, @end) any more. */
void pd_tlb_flush(unsigned long start, unsigned long end)
{
	struct pd_world *w = pd_world;
	unsigned int first, last;

	w->work.flushes++;
	if (start < PD_VA_BASE)
		start = PD_VA_BASE;
	if (end <= start)
		return;
	first = (unsigned int)((start - PD_VA_BASE) / PAGE_SIZE);
	last = (unsigned int)((end - PD_VA_BASE + PAGE_SIZE - 1) / PAGE_SIZE);
	pd_world_event(w, PD_EVENT_FLUSH, first, last - first, 0);
	if (w->nr_stale)
		pd_tlb_cut(w, first, last);
}

void pd_tlb_flush_all(void)
{
	struct pd_world *w = pd_world;

	w->work.flushes++;
	pd_world_event(w, PD_EVENT_FLUSH_PENDING, 0, PD_NR_VA, 0);
	w->deferred = false;
	if (!w->nr_stale)
		return;
	w->nr_stale = 0;
	memset(w->stale_map, 0, sizeof(w->stale_map));
}

/*
 * pd_tlb_owed() - here the flush of the operation's source range has to have happened
 *
 * What reclaim deferred is not owed yet: a caller that only takes the lock and fails to map a
 * table may drop it again. The judge looks for those at the end.
 */
void pd_tlb_owed(void)
{
	struct pd_world *w = pd_world;

	for (unsigned int i = 0; i < w->nr_stale; i++) {
		const struct pd_stale *s = &w->stale[i];

		for (unsigned int k = 0; k < s->nr; k++) {
			unsigned int va = s->va + k;
			const uint64_t *now = pd_world_entry(w, va);
			pteval_t cached = pd_hw_next(s->raw, k);

			if (s->deferred || va - w->owed.src >= w->owed.pages)
				continue;
			if (!now || !pd_tlb_allows(cached, *now))
				pd_world_incident(w, PD_INCIDENT_STALE, va, cached, "lock dropped");
		}
	}
}
