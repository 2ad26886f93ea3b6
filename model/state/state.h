/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The logical state: one address space, its folios and its counters, arch-free.
 *
 * World v1 has 2,048 pages of address space and 4,096 page frames. Everything is named by its
 * page number in the address space (va) and its page frame number (pfn). All-zero is the empty
 * state: no entry, and every frame an order-0 anonymous folio.
 *
 * The arrays are large and scenarios small, so a state keeps count of what it touched, in
 * granules of 16 pages: clearing, copying and comparing go by granule.
 */
#ifndef PD_STATE_STATE_H
#define PD_STATE_STATE_H

#include "fault.h"
#include "pte.h"
#include "results.h"

#define PD_NR_VA	2048u
#define PD_NR_PFN	4096u
#define PD_ZERO_PFN	(PD_NR_PFN - 1u)	/* the shared zero page; only ever mapped special */
#define PD_MAX_ORDER	9u
#define PD_MAX_VMAS	64u
#define PD_MAX_DEFERRED	32u
#define PD_GRANULE	16u
#define PD_TABLE_PAGES	512u	/* pages that one page table maps */
#define PD_VA_WORDS	(PD_NR_VA / PD_GRANULE / 64u)
#define PD_PFN_WORDS	(PD_NR_PFN / PD_GRANULE / 64u)

/* struct pd_vma flags. None set: private, anonymous, writable. */
enum {
	PD_VMA_RO		= 1 << 0,	/* without VM_WRITE */
	PD_VMA_SHARED		= 1 << 1,
	PD_VMA_FILE		= 1 << 2,
	PD_VMA_UFFD_WP		= 1 << 3,	/* registered for write-protection */
	PD_VMA_UFFD_NO_REMAP	= 1 << 4,	/* userfaultfd context without EVENT_REMAP */
	PD_VMA_LOCKED		= 1 << 5,
	PD_VMA_SOFT_DIRTY	= 1 << 6,
	PD_VMA_UNMIGRATABLE	= 1 << 7,
	PD_VMA_PFNMAP		= 1 << 8,
};

/**
 * struct pd_vma - pages [@start, @start + @pages) of the address space
 * @pgoff:	linear page index of @start
 * @flags:	PD_VMA_*
 */
struct pd_vma {
	uint16_t start, pages;
	uint16_t pgoff;
	uint16_t flags;
};

enum pd_folio_type {
	PD_FOLIO_ANON,
	PD_FOLIO_FILE,
	PD_FOLIO_KSM,
	PD_FOLIO_DEVICE,	/* zone device, coherent */
	PD_NR_FOLIO_TYPES
};

/* struct pd_folio flags */
enum {
	PD_FOLIO_PINNED		= 1 << 0,
	PD_FOLIO_RESERVED	= 1 << 1,
	PD_FOLIO_SWAPCACHE	= 1 << 2,
	PD_FOLIO_NOLRU		= 1 << 3,
	PD_FOLIO_DIRTY		= 1 << 4,
	PD_FOLIO_LAZYFREE	= 1 << 5,
	PD_FOLIO_MLOCKED	= 1 << 6,
	PD_FOLIO_ACTIVE		= 1 << 7,
};

/**
 * struct pd_folio - a folio, kept at its head's page frame number
 * @order:	0 to PD_MAX_ORDER; the head is aligned to it
 * @type:	enum pd_folio_type
 * @nid:	NUMA node, 0 to 3
 * @anon_vma:	identity of its anon_vma
 * @refs:	references beyond those of mappings
 * @flags:	PD_FOLIO_*
 * @index:	linear page index of the head
 */
struct pd_folio {
	uint8_t order, type, nid, anon_vma, refs;
	uint8_t flags;
	uint16_t index;
};

/**
 * struct pd_page - what is known of one page of a folio
 * @offset:	its place in the folio: the head is at pfn - @offset
 * @mapped:	entries of this address space that map it (present or device-exclusive)
 * @other:	mappings by other address spaces
 * @exclusive:	PageAnonExclusive
 * @pinned:	its folio is pinned as soon as it is a folio of its own; until then nothing is
 */
struct pd_page {
	uint16_t offset;
	uint16_t mapped;
	uint8_t other;
	bool exclusive : 1, pinned : 1;
};

enum pd_counter {
	PD_COUNTER_ANON,
	PD_COUNTER_FILE,
	PD_COUNTER_SWAP,
	PD_COUNTER_KSM_ZERO,
	PD_COUNTER_ISOLATED_ANON,	/* pages off their LRU list, between operations none */
	PD_COUNTER_ISOLATED_FILE,
	PD_NR_COUNTERS
};

/* A translation already gone from the tables whose TLB flush is still owed. */
struct pd_deferred {
	uint16_t va;
	lpte_t pte;
};

struct pd_state {
	lpte_t pte[PD_NR_VA];
	struct pd_page page[PD_NR_PFN];
	struct pd_folio folio[PD_NR_PFN];
	uint64_t va_touched[PD_VA_WORDS], pfn_touched[PD_PFN_WORDS];
	struct pd_vma vma[PD_MAX_VMAS];		/* sorted; covers the address space */
	unsigned int nr_vmas;
	struct pd_deferred deferred[PD_MAX_DEFERRED];
	unsigned int nr_deferred;
	int32_t counter[PD_NR_COUNTERS];
	bool bbml;			/* arm64: a block may change without break-before-make */
	struct pd_faults faults;		/* of the operation about to be performed */
	struct pd_results results;		/* of the operation just performed */
};

/* pd_state_init() - make uninitialised memory the empty state. */
void pd_state_init(struct pd_state *s);

/* pd_state_clear() - back to the empty state, in time proportional to what was touched. */
void pd_state_clear(struct pd_state *s);

/* pd_state_copy() - make @to, an initialised state, equal to @from; without its results. */
void pd_state_copy(struct pd_state *to, const struct pd_state *from);

/* pd_state_vma() - the VMA that holds page @va. */
const struct pd_vma *pd_state_vma(const struct pd_state *s, unsigned int va);

/**
 * pd_state_set_vma() - make [@vma->start, @vma->start + @vma->pages) one VMA of its own
 *
 * Older VMAs are cut or vanish where the new one lies. Return: false when PD_MAX_VMAS would be
 * exceeded; the state is then unchanged.
 */
bool pd_state_set_vma(struct pd_state *s, const struct pd_vma *vma);

/**
 * pd_state_set() - replace the entry at @va and keep page and rss counters right
 *
 * The one way to write an entry: mappings, anon, file and swap counters follow it.
 */
void pd_state_set(struct pd_state *s, unsigned int va, lpte_t pte);

/**
 * pd_state_break_block() - the contpte block around @va, if it is in one, is a block no more
 *
 * Every entry keeps what it says by itself.
 */
void pd_state_break_block(struct pd_state *s, unsigned int va);

/**
 * pd_state_folio_fails() - does a fault at @site make the next attempt on a folio fail?
 * @head:	its head; a fault is about the folio of the present entry at its page
 *
 * Asking is the attempt: it counts.
 */
bool pd_state_folio_fails(struct pd_state *s, enum pd_fault_site site, unsigned int head);

/* pd_state_linear() - linear page index of @va: pgoff of its VMA plus the offset in it. */
unsigned int pd_state_linear(const struct pd_state *s, unsigned int va);

static inline void pd_touch_va(struct pd_state *s, unsigned int va)
{
	s->va_touched[va / PD_GRANULE / 64] |= 1ULL << (va / PD_GRANULE % 64);
}

static inline void pd_touch_pfn(struct pd_state *s, unsigned int pfn)
{
	s->pfn_touched[pfn / PD_GRANULE / 64] |= 1ULL << (pfn / PD_GRANULE % 64);
}

static inline unsigned int pd_head(const struct pd_state *s, unsigned int pfn)
{
	return pfn - s->page[pfn].offset;
}

static inline const struct pd_folio *pd_folio_of(const struct pd_state *s, unsigned int pfn)
{
	return &s->folio[pd_head(s, pfn)];
}

/*
 * Not instrumented for fuzzing engines: how much there is to clear is a matter of the run before,
 * and the edges of a scenario have to be its own.
 */
#ifdef __clang__
#define PD_NO_COVERAGE __attribute__((no_sanitize("coverage")))
#else
#define PD_NO_COVERAGE
#endif

/* Walk the set bits of a touched map: @g takes each granule number in turn. */
#define pd_for_each_granule(g, map, words)						\
	for (unsigned int pd_w_ = 0; pd_w_ < (words); pd_w_++)				\
		for (uint64_t pd_m_ = (map)[pd_w_];					\
		     pd_m_ && ((g) = pd_w_ * 64u + (unsigned int)__builtin_ctzll(pd_m_), 1);	\
		     pd_m_ &= pd_m_ - 1)

#endif
