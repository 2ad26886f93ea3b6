/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The world: the memory of one simulated machine, as plain data.
 *
 * The harness allocates it, loads a state into it and reads the result back with its own
 * encoder and decoder. The shim, compiled once for each arch and implementation, gives it
 * meaning under the kernel's names. Only data is declared here, so that judging never depends
 * on an accessor.
 */
#ifndef PD_WORLD_H
#define PD_WORLD_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/op.h"

#define PD_TABLE_BYTES	4096u
#define PD_NR_TABLES	(PD_NR_VA / PD_TABLE_PAGES)

/* Page tables with a guard page before, between and after them: guard, table, guard, ... */
#define PD_TABLES_BYTES	((2u * PD_NR_TABLES + 1u) * PD_TABLE_BYTES)

/* First address of the address space; aligned to every table size. */
#define PD_VA_BASE	0x40000000UL

/**
 * struct pd_stale - translations that hardware may hold although the tables no longer say them
 * @va:		first page
 * @nr:		pages
 * @deferred:	gone since before the operation: owed when it ends, not at every unlock
 * @raw:	the entry of the first page; the others have ascending frames
 */
struct pd_stale {
	uint16_t va, nr;
	bool deferred;
	uint64_t raw;
};

#define PD_MAX_STALE	(2u * PD_NR_VA)

enum pd_event_kind {
	PD_EVENT_READ,		/* a: page, b: raw value */
	PD_EVENT_SET,		/* a: page, b: raw value, c: value before */
	PD_EVENT_XCHG,		/* a: page, b: raw value, c: value before */
	PD_EVENT_LOCK,		/* a: table */
	PD_EVENT_UNLOCK,	/* a: table */
	PD_EVENT_FLUSH,		/* a: first page, b: pages */
	PD_EVENT_FLUSH_PENDING,
	PD_EVENT_NOTIFY_START,	/* a: first page, b: pages */
	PD_EVENT_NOTIFY_END,	/* a: first page, b: pages */
	PD_EVENT_LAZY_ENTER,
	PD_EVENT_LAZY_LEAVE,
	PD_EVENT_BATCH,		/* a: first page, b: length found by folio_pte_batch() */
	PD_EVENT_MOVE_TABLE,	/* a: from table slot, b: to table slot */
	PD_EVENT_HW,		/* a: page, b: 1 for a write, c: 1 when it took effect */
	PD_EVENT_WARN,		/* an assertion failed; the incident has its condition */
	PD_NR_EVENT_KINDS
};

struct pd_event {
	enum pd_event_kind kind;
	uint32_t a;
	uint64_t b, c;
};

#define PD_MAX_EVENTS	16384u

/* What the world saw go wrong by itself; the first of each kind is kept. */
enum pd_incident {
	PD_INCIDENT_OOB,	/* an entry outside the page tables was accessed; va: near */
	PD_INCIDENT_NO_PROGRESS,
	PD_INCIDENT_STALE,	/* a stale translation at a point where a flush was owed */
	PD_INCIDENT_BBM,	/* a block changed without break-before-make */
	PD_INCIDENT_UNLOCKED,	/* an entry changed without its lock */
	PD_INCIDENT_LOCK,	/* a lock taken twice, dropped twice or never dropped */
	PD_INCIDENT_WARN,	/* an assertion of kernel code failed */
	PD_INCIDENT_NOTIFY,	/* entries changed outside a notifier range, or unpaired */
	PD_INCIDENT_OVERWRITE,	/* set_ptes() over an entry that was not none */
	PD_INCIDENT_CRASH,	/* a signal ended it: pd_judge_crashed() */
	PD_NR_INCIDENTS
};

struct pd_incident_info {
	bool seen;
	uint32_t va;
	uint64_t raw;
	const char *text;	/* static storage: function or condition */
};

/* The anon_vma that the operation has locked; one at a time, and it is only an identity. */
struct pd_anon_vma {
	bool held;
	unsigned long identity;
};

/* A page-table lock; the shim's spinlock_t. */
struct pd_lock {
	unsigned int table;
};

/* A hardware access between two raw accesses of the operation. */
struct pd_hw {
	uint32_t step;		/* happens before the raw access of this number, from 0 */
	uint16_t va, pages;
	uint8_t what;		/* enum pd_hw_what */
};

enum pd_hw_what {
	PD_HW_READ,
	PD_HW_WRITE,
	PD_HW_PIN,
	PD_HW_UNPIN,
};

#define PD_MAX_HW	16u

/* A pin or unpin that found a page; @large: of a large folio, all of which is pinned. */
struct pd_hw_pinned {
	uint16_t va;
	bool pin, large;
};

/* Work counted as it happens: cost, never correctness. */
struct pd_work {
	uint64_t reads, xchgs, sets, flushes, folio_lookups, batches, long_batches;
	uint64_t dirty_tests, young_tests, result_tests;	/* counted by contpte_get only */
};

struct list_head {
	struct list_head *next, *prev;
};

/*
 * struct page and struct folio: one memmap array in which a folio overlays the pages that it
 * consists of, so that &folio->page and folio_page() are what kernel code expects.
 */
struct page {
	unsigned long flags;		/* PD_PG_* */
	union {
		struct {
			unsigned long compound_head;	/* tail: head | 1 */
			unsigned long pd_unused;
		};
		struct list_head lru;	/* head: null unless isolated and on a list */
	};
	unsigned long mapping;		/* head: anon_vma identity */
	unsigned long index;		/* head: linear page index of the head */
	int _mapcount;			/* mappings of this page, less one */
	int _refcount;			/* head */
	unsigned int order;		/* head */
	unsigned int nid;		/* head */
};

struct folio {
	union {
		struct page page;
		struct {
			unsigned long flags;
			union {
				struct list_head lru;
				struct { unsigned long val; } swap;	/* in the swap cache */
			};
			unsigned long mapping;
			unsigned long index;
		};
	};
};

/* struct page flags; a shim of our own, so the numbers are too. */
enum {
	PD_PG_ANON		= 1 << 0,
	PD_PG_KSM		= 1 << 1,
	PD_PG_DEVICE		= 1 << 2,
	PD_PG_ANON_EXCLUSIVE	= 1 << 3,	/* of the page, not of the folio */
	PD_PG_PINNED		= 1 << 4,
	PD_PG_RESERVED		= 1 << 5,
	PD_PG_SWAPCACHE		= 1 << 6,
	PD_PG_LRU		= 1 << 7,
	PD_PG_DIRTY		= 1 << 8,
	PD_PG_SWAPBACKED	= 1 << 9,
	PD_PG_MLOCKED		= 1 << 10,
	PD_PG_ACTIVE		= 1 << 11,
	PD_PG_LOCKED		= 1 << 12,
	PD_PG_LARGE		= 1 << 13,
	PD_PG_SHARED		= 1 << 14,	/* folio: mapped by another address space */
};

struct pd_clearing;

/**
 * struct pd_world - one machine
 * @tables:	PD_TABLES_BYTES, page aligned; table t starts at (2 t + 1) * PD_TABLE_BYTES
 * @pmd:	for each table slot of the address space the address of its table, or 0
 * @slot_of:	for each table the slot that it is in
 * @lock:	the lock of each table
 * @memmap:	PD_NR_PFN pages
 * @held:	bit t: the lock of table t is held
 * @maps:	entries that are mapped: each pte_offset_map() ends with a pte_unmap()
 * @owed:	source range of the running operation: no stale translation of it may be left
 *		when a lock is dropped
 * @fresh:	pages [fresh.dst, + fresh.pages) that were none and may be set only while none
 * @steps:	raw accesses so far in this operation
 * @stop:	the value of @steps at which hardware or the budget has something to say
 * @hw:		hardware accesses in order of their step; @hw_done of them have happened
 * @pin:	pins and unpins that found a page, @nr_pins of them in order
 * @stale_map:	bit va: some entry of @stale covers the page
 * @written:	frames that hardware wrote to during this operation, @nr_written of them
 * @pte_written: granules of the address space whose entries were written
 * @used:	granules, by table slot when all tables are in their own, to be emptied at the end
 * @deferred:	a TLB flush is pending from before the operation
 * @batch_cap:	0, or the longest run that folio_pte_batch() may report
 * @clearing:	the folio that is being cleared (<linux/highmem.h>), and @memory its bytes: NULL
 *		unless a test wants to see them
 * @lookup:	the page whose entry vm_normal_page() was last asked about
 * @results:	what the operation produced beside the state
 * @trace:	record an event for every raw access, not only for locks and flushes
 */
struct pd_world {
	enum pd_arch arch;
	uint8_t *tables;
	uintptr_t pmd[PD_NR_TABLES];
	uint8_t slot_of[PD_NR_TABLES];
	struct pd_lock lock[PD_NR_TABLES];
	struct page *memmap;

	uint64_t steps, stop, budget;
	uint32_t held;
	bool deferred, bbml, trace;
	unsigned int batch_cap;
	struct pd_clearing *clearing;
	uint8_t *memory;
	unsigned int lazy, maps;
	unsigned int lookup;
	struct pd_span owed;
	struct pd_span fresh;
	struct {
		bool active;
		unsigned int va, pages, count;
	} notify;

	struct pd_stale stale[PD_MAX_STALE];
	unsigned int nr_stale;
	uint64_t stale_map[PD_NR_VA / 64u];
	uint64_t pte_written[PD_VA_WORDS];
	uint64_t used[PD_VA_WORDS];

	struct pd_hw hw[PD_MAX_HW];
	unsigned int nr_hw, hw_done;
	struct pd_hw_pinned pin[PD_NR_VA];
	unsigned int nr_pins;
	struct pd_faults faults;
	uint16_t written[PD_NR_VA];
	unsigned int nr_written;

	struct pd_anon_vma anon_vma;
	struct pd_vma vma[PD_MAX_VMAS];
	unsigned int nr_vmas;
	int32_t counter[PD_NR_COUNTERS];

	struct pd_results results;

	struct pd_incident_info incident[PD_NR_INCIDENTS];
	unsigned int incidents;		/* bit of each kind seen */
	struct pd_work work;
	struct pd_event event[PD_MAX_EVENTS];
	unsigned int nr_events;		/* goes on counting when the array is full */

	jmp_buf escape;			/* a step budget that ran out leaves through here */
};

/**
 * struct pd_memory - where worlds and judges live
 * @get:	zeroed memory for as long as they are used, or NULL
 */
struct pd_memory {
	void *(*get)(void *ctx, size_t align, size_t size);
	void *ctx;
};

/* Memory of the heap, to be given back with free(). */
extern const struct pd_memory pd_heap;

/* pd_world_new() - a world with empty tables and memmap; NULL when memory runs out. */
struct pd_world *pd_world_new(void);
struct pd_world *pd_world_new_in(const struct pd_memory *memory);

/* pd_world_free() - one of the heap. */
void pd_world_free(struct pd_world *w);

/**
 * pd_world_reset() - forget what the last operation did, before the next one
 *
 * Steps, locks, events, incidents, work, hardware accesses and faults start anew. Tables, memmap,
 * VMAs and translations that are still stale stay.
 */
void pd_world_reset(struct pd_world *w);

/* pd_world_incident() - keep the first incident of a kind. @text must be static. */
void pd_world_incident(struct pd_world *w, enum pd_incident kind, unsigned int va, uint64_t raw,
		       const char *text);

/* pd_world_event() - append an event; past PD_MAX_EVENTS it is only counted. */
void pd_world_event(struct pd_world *w, enum pd_event_kind kind, unsigned int a, uint64_t b,
		    uint64_t c);

/* pd_world_entry() - where the entry of page @va is, or NULL when its table is none. */
static inline uint64_t *pd_world_entry(const struct pd_world *w, unsigned int va)
{
	uintptr_t table = w->pmd[va / PD_TABLE_PAGES];

	return table ? (uint64_t *)table + va % PD_TABLE_PAGES : NULL;
}

#endif
