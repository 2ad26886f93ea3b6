/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rare half of raw access: hardware, budget, what goes wrong.
 */
#include <asm/pgtable.h>

_Thread_local struct pd_world *pd_world;

void pd_bind(struct pd_world *world)
{
	pd_world = world;
}

static unsigned int pd_page_of(const struct pd_world *w, const pte_t *ptep)
{
	return pd_raw_va(w, pd_raw_offset(w, ptep));
}

/* Nobody keeps track of what is written through an entry without a struct page behind it. */
static void pd_hw_wrote(struct pd_world *w, pteval_t val)
{
	if (!pte_special(__pte(val)) && w->nr_written < PD_NR_VA)
		w->written[w->nr_written++] = (uint16_t)pd_hw_pfn(val);
}

/* A cached translation that is writable and dirty is written through without any walk. */
static bool pd_hw_through_tlb(struct pd_world *w, unsigned int va)
{
	if (!(w->stale_map[va / 64] >> (va % 64) & 1))
		return false;
	for (unsigned int i = 0; i < w->nr_stale; i++) {
		const struct pd_stale *s = &w->stale[i];
		pteval_t cached;

		if (va < s->va || va >= s->va + s->nr)
			continue;
		cached = pd_hw_next(s->raw, va - s->va);
		if (!pd_hw_writable(cached) || !pd_hw_dirty(cached))
			continue;
		pd_hw_wrote(w, cached);
		return true;
	}
	return false;
}

static bool pd_hw_walk(struct pd_world *w, unsigned int va, bool write)
{
	uint64_t *entry = pd_world_entry(w, va);

	if (!entry || !pd_hw_valid(*entry) || (write && !pd_hw_writable(*entry)))
		return false;
	*entry = pd_hw_access(*entry, write);
	w->pte_written[va / PD_GRANULE / 64] |= 1ULL << (va / PD_GRANULE % 64);
	if (write)
		pd_hw_wrote(w, *entry);
	return true;
}

static void pd_hw_pin(struct pd_world *w, unsigned int va, bool pin)
{
	const uint64_t *entry = pd_world_entry(w, va);
	struct page *page;

	if (!entry || !pd_hw_pinnable(*entry) || pd_hw_pfn(*entry) >= PD_NR_PFN)
		return;
	page = &w->memmap[pd_hw_pfn(*entry)];
	if (page->compound_head & 1)
		page = (struct page *)(page->compound_head - 1);
	page->flags = pin ? page->flags | PD_PG_PINNED : page->flags & ~(unsigned long)PD_PG_PINNED;
	if (w->nr_pins < PD_NR_VA)
		w->pin[w->nr_pins++] = (struct pd_hw_pinned){
			.va = (u16)va, .pin = pin, .large = page->flags & PD_PG_LARGE,
		};
}

static void pd_hw_act(struct pd_world *w, const struct pd_hw *hw)
{
	for (unsigned int va = hw->va; va < hw->va + hw->pages && va < PD_NR_VA; va++) {
		bool effect = true;

		if (hw->what >= PD_HW_PIN)
			pd_hw_pin(w, va, hw->what == PD_HW_PIN);
		else
			effect = (hw->what == PD_HW_WRITE && pd_hw_through_tlb(w, va)) ||
				 pd_hw_walk(w, va, hw->what == PD_HW_WRITE);
		pd_world_event(w, PD_EVENT_HW, va, hw->what, effect);
	}
}

void pd_raw_stop(struct pd_world *w)
{
	if (w->steps >= w->budget) {
		pd_world_incident(w, PD_INCIDENT_NO_PROGRESS, PD_NR_VA, 0, "step budget used up");
		longjmp(w->escape, 1);
	}
	while (w->hw_done < w->nr_hw && w->hw[w->hw_done].step <= w->steps)
		pd_hw_act(w, &w->hw[w->hw_done++]);
	w->stop = w->budget;
	if (w->hw_done < w->nr_hw && w->hw[w->hw_done].step < w->stop)
		w->stop = w->hw[w->hw_done].step;
}

void pd_raw_oob(const pte_t *ptep, const char *what)
{
	unsigned long offset = pd_raw_offset(pd_world, ptep);
	unsigned int va = PD_NR_VA;

	/* Name the last page before the guard, so that the report can point at it. */
	if (offset < PD_TABLES_BYTES && offset >= 2 * PD_TABLE_BYTES)
		va = pd_raw_va(pd_world, (offset & ~(PD_TABLE_BYTES - 1UL)) - sizeof(pteval_t));
	pd_world_incident(pd_world, PD_INCIDENT_OOB, va, offset, what);
}

void pd_raw_trace(enum pd_event_kind kind, const pte_t *ptep, pteval_t val, pteval_t old)
{
	pd_world_event(pd_world, kind, pd_page_of(pd_world, ptep), val, old);
}

void pd_raw_overwrite(unsigned int va, pteval_t old)
{
	if (va - pd_world->fresh.dst < pd_world->fresh.pages)
		pd_world_incident(pd_world, PD_INCIDENT_OVERWRITE, va, old, "set over an entry");
}

void pd_raw_unlocked(unsigned int va, pteval_t val)
{
	pd_world_incident(pd_world, PD_INCIDENT_UNLOCKED, va, val,
			  "entry changed without its lock");
}

/* With BBML an entry may change between CONT and not, as long as the address stays. */
static bool pd_bbm_conflict(pteval_t cached, pteval_t val)
{
	if (pd_hw_pfn(cached) != pd_hw_pfn(val))
		return true;
	return pd_hw_cont(cached) != pd_hw_cont(val) && !pd_world->bbml;
}

void pd_raw_break_before_make(unsigned int va, pteval_t old, pteval_t val)
{
	struct pd_world *w = pd_world;
	bool conflict = pd_hw_valid(old) && pd_bbm_conflict(old, val);

	for (unsigned int i = 0; i < w->nr_stale && !conflict; i++) {
		const struct pd_stale *s = &w->stale[i];

		if (va >= s->va && va < s->va + s->nr)
			conflict = pd_bbm_conflict(pd_hw_next(s->raw, va - s->va), val);
	}
	if (conflict)
		pd_world_incident(w, PD_INCIDENT_BBM, va, val, "break-before-make");
}

void pd_stale_append(struct pd_world *w, unsigned int va, pteval_t old)
{
	if (w->nr_stale == PD_MAX_STALE)
		return;
	w->stale[w->nr_stale++] = (struct pd_stale){ .va = (u16)va, .nr = 1, .raw = old };
	w->stale_map[va / 64] |= 1ULL << (va % 64);
}
