/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clearing a folio, as a list of what was done.
 *
 * No byte is touched unless there is memory behind the folio (a test gives it some): what is
 * cleared, in which order, and where cond_resched() comes, are facts that go to the results.
 * Pages that are cleared one after the other, with no cond_resched() in between, are one chunk;
 * chunks of one size that follow each other evenly are told as one run, since a folio may have
 * 262,144 of them.
 */
#ifndef PD_SHIM_CLEARING_H
#define PD_SHIM_CLEARING_H

#include "pd/raw.h"

enum pd_preempt {
	PD_PREEMPT_NONE,
	PD_PREEMPT_VOLUNTARY,
	PD_PREEMPT_FULL,
	PD_PREEMPT_LAZY,
	PD_PREEMPT_RT,
	PD_NR_PREEMPTS
};

/* Kinds of facts that a clearing produces; the operation says what they look like. */
struct pd_clearing_facts {
	u32 chunks, address, resched, calls;
};

/**
 * struct pd_clearing - a folio that is being cleared
 * @head:	the folio's first page; the others are behind it only by their number
 * @memory:	its bytes, or NULL
 * @preempt:	enum pd_preempt
 * @unit:	pages to clear at once when the kernel is not preemptible; 0: what the code has
 * @no_clear_pages, @highmem, @arch_page: what the arch has: no clear_pages() of its own; pages that
 *		must be mapped one by one; a clear_user_page() that looks at the user's address
 * @limit:	clears and cond_resched() after which it will never end
 * @resched:	cond_resched() since the last clear
 */
struct pd_clearing {
	struct folio *head;
	u8 *memory;
	unsigned int preempt, unit;
	bool no_clear_pages, highmem, arch_page;
	struct pd_clearing_facts facts;
	unsigned long events, limit, calls;
	unsigned int resched;
	struct pd_chunk {
		unsigned long first, pages, vaddr;
		unsigned int resched;
	} chunk;		/* not ended yet; none when it has no pages */
	struct pd_run {
		struct pd_chunk chunk;
		unsigned long times;
		unsigned int gap;
	} run;
};

/* What a fact about a run holds beside its first page. */
#define PD_RUN_PAGES(b)		((unsigned long)(b) & 0xfffff)
#define PD_RUN_TIMES(b)		((unsigned long)(b) >> 20 & 0xfffff)
#define PD_RUN_RESCHED(b)	((unsigned int)((b) >> 40) & 0xff)
#define PD_RUN_GAP(b)		((unsigned int)((b) >> 48) & 0xff)

/* The address at which the kernel has page 0 when there is no memory behind it. */
#define PD_CLEARING_KADDR	0x100000000000UL

static inline void pd_clearing_event(struct pd_clearing *c)
{
	if (likely(c->events++ < c->limit))
		return;
	pd_world_incident(pd_world, PD_INCIDENT_NO_PROGRESS, PD_NR_VA, 0, "clears without end");
	longjmp(pd_world->escape, 1);
}

static inline void pd_clearing_resched(struct pd_clearing *c)
{
	pd_clearing_event(c);
	c->resched++;
}

static inline void pd_run_end(struct pd_clearing *c)
{
	const struct pd_run *run = &c->run;

	if (!run->times)
		return;
	pd_fact(c->facts.chunks, (u32)run->chunk.first,
		(run->chunk.pages & 0xfffff) | (u64)(run->times & 0xfffff) << 20 |
		(u64)min(run->chunk.resched, 255u) << 40 | (u64)min(run->gap, 255u) << 48);
	if (run->chunk.vaddr)
		pd_fact(c->facts.address, (u32)run->chunk.first, run->chunk.vaddr);
	c->run.times = 0;
}

/* Does @chunk go on with the run, as even as it is? Its second one says how even. */
static inline bool pd_run_goes_on(const struct pd_run *run, const struct pd_chunk *chunk)
{
	unsigned long done = run->chunk.pages * run->times;

	return run->times && chunk->pages == run->chunk.pages &&
	       chunk->first == run->chunk.first + done &&
	       chunk->vaddr == (run->chunk.vaddr ? run->chunk.vaddr + done * PAGE_SIZE : 0) &&
	       (run->times == 1 || chunk->resched == run->gap);
}

static inline void pd_chunk_end(struct pd_clearing *c)
{
	if (!c->chunk.pages)
		return;
	if (pd_run_goes_on(&c->run, &c->chunk)) {
		c->run.gap = c->chunk.resched;
		c->run.times++;
	} else {
		pd_run_end(c);
		c->run = (struct pd_run){ .chunk = c->chunk, .times = 1 };
	}
	c->chunk.pages = 0;
}

static inline bool pd_chunk_goes_on(const struct pd_clearing *c, unsigned long first,
				    unsigned long vaddr)
{
	const struct pd_chunk *chunk = &c->chunk;

	return chunk->pages && !c->resched && first == chunk->first + chunk->pages &&
	       vaddr == (chunk->vaddr ? chunk->vaddr + chunk->pages * PAGE_SIZE : 0);
}

/* pd_clearing_bytes() - the memory of pages [@first, + @pages), if there is some. */
static inline void pd_clearing_bytes(struct pd_clearing *c, unsigned long first,
				     unsigned long pages)
{
	if (c->memory)
		memset(c->memory + first * PAGE_SIZE, 0, pages * PAGE_SIZE);
}

/* pd_clearing_pages() - pages from @first on are cleared; @vaddr: 0 when nobody looks at it. */
static inline void pd_clearing_pages(struct pd_clearing *c, unsigned long first,
				     unsigned long pages, unsigned long vaddr)
{
	pd_clearing_event(c);
	c->calls++;
	pd_world->work.batches++;
	pd_world->work.long_batches += pages > 1;
	pd_clearing_bytes(c, first, pages);
	if (pd_chunk_goes_on(c, first, vaddr)) {
		c->chunk.pages += pages;
		return;
	}
	pd_chunk_end(c);
	c->chunk = (struct pd_chunk){ first, pages, vaddr, c->resched };
	c->resched = 0;
}

/* pd_clearing_end() - what is left goes to the results. */
static inline void pd_clearing_end(struct pd_clearing *c)
{
	pd_chunk_end(c);
	pd_run_end(c);
	if (c->resched)
		pd_fact(c->facts.resched, c->resched, 0);
	pd_fact(c->facts.calls, (u32)c->calls, 0);
}

#endif
