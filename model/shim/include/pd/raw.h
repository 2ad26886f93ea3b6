/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only way from kernel code to the page tables.
 *
 * Every raw access counts a step, lets the hardware act when its turn has come, checks that the
 * pointer is inside a table, and tells the TLB model which translations are gone from the table
 * but may still be held by a CPU.
 */
#ifndef PD_SHIM_RAW_H
#define PD_SHIM_RAW_H

#include "pd/types.h"

#include <asm/pgtable-types.h>
#include <asm/pgtable-hw.h>

/* The world that the kernel names of this module stand for. */
extern _Thread_local struct pd_world *pd_world;

void pd_bind(struct pd_world *world);

/* raw.c: what happens rarely */
void pd_raw_stop(struct pd_world *w);
void pd_raw_oob(const pte_t *ptep, const char *what);
void pd_raw_trace(enum pd_event_kind kind, const pte_t *ptep, pteval_t val, pteval_t old);
void pd_raw_overwrite(unsigned int va, pteval_t old);
void pd_raw_unlocked(unsigned int va, pteval_t val);
void pd_raw_break_before_make(unsigned int va, pteval_t old, pteval_t val);
void pd_stale_append(struct pd_world *w, unsigned int va, pteval_t old);

/* tlb.c */
void pd_tlb_flush(unsigned long start, unsigned long end);
void pd_tlb_flush_all(void);
void pd_tlb_owed(void);
bool pd_tlb_allows(pteval_t cached, pteval_t now);

static inline unsigned long pd_raw_offset(const struct pd_world *w, const pte_t *ptep)
{
	return (uintptr_t)ptep - (uintptr_t)w->tables;
}

/* Tables lie at the odd pages of their area, guards at the even ones. */
static inline bool pd_raw_inside(unsigned long offset)
{
	return offset < PD_TABLES_BYTES && (offset & PD_TABLE_BYTES);
}

static inline unsigned int pd_raw_table(unsigned long offset)
{
	return (unsigned int)(offset / (2 * PD_TABLE_BYTES));
}

static inline unsigned int pd_raw_va(const struct pd_world *w, unsigned long offset)
{
	return w->slot_of[pd_raw_table(offset)] * (unsigned int)PTRS_PER_PTE +
	       (unsigned int)(offset % PD_TABLE_BYTES / sizeof(pteval_t));
}

/* pd_raw_step() - time passes: the hardware may act, the budget may run out. */
static inline void pd_raw_step(struct pd_world *w)
{
	if (unlikely(w->steps >= w->stop))
		pd_raw_stop(w);
	w->steps++;
}

static inline bool pd_raw_enter(struct pd_world *w, const pte_t *ptep, const char *what)
{
	pd_raw_step(w);
	if (likely(pd_raw_inside(pd_raw_offset(w, ptep))))
		return true;
	pd_raw_oob(ptep, what);
	return false;
}

/* Remember @old as still cached; runs of ascending frames share one record. */
static inline void pd_stale_push(struct pd_world *w, unsigned int va, pteval_t old)
{
	struct pd_stale *last = w->nr_stale ? &w->stale[w->nr_stale - 1] : NULL;

	old = pd_hw_access(old, false);
	if (last && !last->deferred && (unsigned int)last->va + last->nr == va &&
	    pd_hw_next(last->raw, last->nr) == old) {
		last->nr++;
		w->stale_map[va / 64] |= 1ULL << (va % 64);
	} else {
		pd_stale_append(w, va, old);
	}
}

/*
 * Bookkeeping of an entry that changed from @old to @val. A CPU may go on using what it cached,
 * unless the new entry allows no less; one that cached it as dirty writes without looking.
 */
static inline void pd_raw_changed(struct pd_world *w, const pte_t *ptep, pteval_t old, pteval_t val)
{
	unsigned long offset = pd_raw_offset(w, ptep);
	unsigned int va = pd_raw_va(w, offset);

	w->pte_written[va / PD_GRANULE / 64] |= 1ULL << (va / PD_GRANULE % 64);
	if (unlikely(!(w->held >> pd_raw_table(offset) & 1)))
		pd_raw_unlocked(va, val);
	if (unlikely(old && val))
		pd_raw_overwrite(va, old);
#ifdef CONFIG_ARM64
	if (pd_hw_valid(val) && (pd_hw_valid(old) || (w->stale_map[va / 64] >> (va % 64) & 1)))
		pd_raw_break_before_make(va, old, val);
#endif
	if (pd_hw_valid(old) &&
	    (!val || !pd_tlb_allows(old, val) || (pd_hw_dirty(old) && !pd_hw_dirty(val))))
		pd_stale_push(w, va, old);
}

/* pd_raw_read() - the entry at @ptep; 0 outside the tables. */
static inline pteval_t pd_raw_read(const pte_t *ptep)
{
	struct pd_world *w = pd_world;
	pteval_t val;

	if (unlikely(!pd_raw_enter(w, ptep, "read")))
		return 0;
	w->work.reads++;
	val = *(const volatile pteval_t *)&ptep->pte;
	if (unlikely(w->trace))
		pd_raw_trace(PD_EVENT_READ, ptep, val, val);
	return val;
}

/* pd_raw_set() - a plain store: a hardware update since the last read is overwritten. */
static inline void pd_raw_set(pte_t *ptep, pteval_t val)
{
	struct pd_world *w = pd_world;
	pteval_t old;

	if (unlikely(!pd_raw_enter(w, ptep, "set")))
		return;
	w->work.sets++;
	old = ptep->pte;
	ptep->pte = val;
	pd_raw_changed(w, ptep, old, val);
	if (unlikely(w->trace))
		pd_raw_trace(PD_EVENT_SET, ptep, val, old);
}

/* pd_raw_xchg() - atomic: returns the entry as hardware left it. */
static inline pteval_t pd_raw_xchg(pte_t *ptep, pteval_t val)
{
	struct pd_world *w = pd_world;
	pteval_t old;

	if (unlikely(!pd_raw_enter(w, ptep, "xchg")))
		return 0;
	w->work.xchgs++;
	old = ptep->pte;
	ptep->pte = val;
	pd_raw_changed(w, ptep, old, val);
	if (unlikely(w->trace))
		pd_raw_trace(PD_EVENT_XCHG, ptep, val, old);
	return old;
}

/* pd_fact() - something that the operation produced; what it means is the operation's business. */
static inline void pd_fact(u32 what, u32 a, u64 b)
{
	pd_results_add(&pd_world->results, what, a, b);
}

/* pd_count_batch() - @nr pages from @addr on were handled as one by code that does not scan. */
static inline void pd_count_batch(unsigned long addr, unsigned int nr)
{
	struct pd_world *w = pd_world;

	w->work.batches++;
	w->work.long_batches += nr > 1;
	if (unlikely(w->trace))
		pd_world_event(w, PD_EVENT_BATCH,
			       (unsigned int)((addr - PD_VA_BASE) >> PAGE_SHIFT), nr, 0);
}

/* pd_raw_cmpxchg() - atomic; on failure *@old is what the entry is now. */
static inline bool pd_raw_cmpxchg(pte_t *ptep, pteval_t *old, pteval_t val)
{
	struct pd_world *w = pd_world;

	if (unlikely(!pd_raw_enter(w, ptep, "cmpxchg")))
		return true;
	w->work.xchgs++;
	if (ptep->pte != *old) {
		*old = ptep->pte;
		return false;
	}
	ptep->pte = val;
	pd_raw_changed(w, ptep, *old, val);
	if (unlikely(w->trace))
		pd_raw_trace(PD_EVENT_XCHG, ptep, val, *old);
	return true;
}

#endif
