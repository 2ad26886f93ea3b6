/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ioctl(UFFDIO_MOVE): anonymous pages go to another place without being copied.
 */
#include <stdio.h>

#include "model/op.h"

#include "args.h"

static const struct pd_field uffd_move_fields[] = {
	{ .form = PD_FORM_RANGE, .role = PD_ROLE_VA, .at = { 1, 0, 11 }, .more = { 3, 0, 11 },
	  .arg = offsetof(struct uffd_move_args, src),
	  .arg_more = offsetof(struct uffd_move_args, pages) },
	{ .name = "->", .form = PD_FORM_LITERAL, .arg = PD_NO_ARG },
	{ .form = PD_FORM_NUMBER, .role = PD_ROLE_DST, .at = { 2, 0, 11 },
	  .arg = offsetof(struct uffd_move_args, dst) },
	{ .name = "holes", .form = PD_FORM_FLAG, .at = { 0, 0, 1 },
	  .arg = offsetof(struct uffd_move_args, holes) },
	{ .name = "dontwake", .form = PD_FORM_FLAG, .at = { 0, 1, 1 },
	  .arg = offsetof(struct uffd_move_args, dontwake) },
	{ .name = "cap", .form = PD_FORM_NUMBER, .at = { 3, 11, 4 },
	  .arg = offsetof(struct uffd_move_args, batch_cap) },
	{ .form = PD_FORM_END },
};

static uint32_t uffd_move_min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t uffd_move_vma_left(const struct pd_vma *vma, uint32_t va)
{
	return (uint32_t)vma->start + vma->pages - va;
}

/*
 * Must the destination become a VMA like the source's first? Also where it is not registered for
 * write-protection and the source is: swap entries take their uffd-wp bit along.
 */
static bool uffd_move_needs_vma(const struct pd_vma *src, const struct pd_vma *dst)
{
	if (uffd_move_refuses(src, src))
		return false;
	return uffd_move_refuses(src, dst) || (src->flags & ~dst->flags & PD_VMA_UFFD_WP);
}

/* No page under migration is mapped writable, and exclusive to an entry, at the same time. */
static bool uffd_move_waits_for_mapped(const struct pd_state *s, const struct uffd_move_args *a)
{
	for (uint32_t va = a->src; va < a->src + a->pages; va++) {
		enum lpte_kind kind = lpte_kind(s->pte[va]);
		const struct pd_page *page = &s->page[lpte_pfn(s->pte[va]) % PD_NR_PFN];

		if (kind >= LPTE_KIND_MIGRATION_READ && kind <= LPTE_KIND_MIGRATION_WRITE &&
		    page->exclusive && page->mapped)
			return true;
	}
	return false;
}

static const char *uffd_move_fit(const struct pd_state *s, void *args)
{
	struct uffd_move_args *a = args;
	const struct pd_vma *src = pd_state_vma(s, a->src), *dst = pd_state_vma(s, a->dst);
	uint32_t apart = a->src > a->dst ? a->src - a->dst : a->dst - a->src;

	if (!apart)
		return "source and destination are the same";
	a->pages = uffd_move_min(a->pages, uffd_move_vma_left(src, a->src));
	a->pages = uffd_move_min(a->pages, PD_NR_VA - a->dst);
	a->pages = uffd_move_min(a->pages, apart);
	if (uffd_move_needs_vma(src, dst)) {
		if (s->nr_vmas + 2 > PD_MAX_VMAS)
			return "no room for another VMA";
	} else {
		a->pages = uffd_move_min(a->pages, uffd_move_vma_left(dst, a->dst));
	}
	if (uffd_move_waits_for_mapped(s, a))
		return "a page under migration is mapped";
	return NULL;
}

/* What was mapped at the destination goes, and a VMA like the source's takes its place. */
static void uffd_move_map(struct pd_state *s, const struct uffd_move_args *a)
{
	struct pd_vma vma = *pd_state_vma(s, a->src);

	vma.start = (uint16_t)a->dst;
	vma.pages = (uint16_t)a->pages;
	vma.pgoff = (uint16_t)a->dst;
	for (uint32_t va = a->dst; va < a->dst + a->pages; va++) {
		if (lpte_none(s->pte[va]))
			continue;
		pd_state_break_block(s, va);
		pd_state_set(s, va, 0);
	}
	pd_state_set_vma(s, &vma);
}

/*
 * A program that moves pages has seen to it that they can be moved there; and what was there
 * before has left the TLBs long ago.
 */
static void uffd_move_prepare(struct pd_state *s, const void *args)
{
	const struct uffd_move_args *a = args;

	if (uffd_move_needs_vma(pd_state_vma(s, a->src), pd_state_vma(s, a->dst)))
		uffd_move_map(s, a);
	for (unsigned int i = 0; i < s->nr_deferred; i++)
		if (s->deferred[i].va - a->dst < a->pages)
			s->deferred[i--] = s->deferred[--s->nr_deferred];
}

static struct pd_span uffd_move_span(const void *args)
{
	const struct uffd_move_args *a = args;

	return (struct pd_span){ .src = a->src, .dst = a->dst, .pages = a->pages };
}

#define ROW_PTE(f, p, m, w)	{ .field = (f), .subject = PD_SUBJECT_PTE, .place = (p),	\
				  .grade = PD_GRADE_EXACT, .mask = (m), .why = (w) }
#define ROW_FREE(f, p, w)	{ .field = (f), .subject = PD_SUBJECT_PTE, .place = (p),	\
				  .grade = PD_GRADE_DONT_CARE, .mask = LPTE_ENCODING, .why = (w) }
#define ROW(f, s, m, w)		{ .field = (f), .subject = (s), .mask = (m), .why = (w) }
#define ALL_BITS		(~0ULL)

static const struct pd_row uffd_move_rows[] = {
	ROW("access", PD_SUBJECT_ACCESS, 0,
	    "a batch ends at the table's end on either side, so no entry outside the tables is "
	    "ever touched; and every wait is over some time (a folio that cannot be split is given "
	    "up: \"userfaultfd: fix UFFDIO_MOVE livelock on large folio with extra references\")"),
	ROW("warn", PD_SUBJECT_WARN, 0,
	    "the kernel's own assertions hold: a folio is locked while its rmap changes, and so is "
	    "its own anon_vma where rmap walkers rely on that"),

	ROW_PTE("src.present", PD_PLACE_SRC, LPTE_KIND,
		"what has moved leaves none behind; the first page that cannot be moved, and all "
		"behind it, stay"),
	ROW_PTE("src.entry", PD_PLACE_SRC, ~(LPTE_KIND | LPTE_ENCODING),
		"a page that was not moved, or put back because it got pinned, is mapped as "
		"before"),
	ROW_FREE("src.encoding", PD_PLACE_SRC,
		 "splitting a large folio leaves no contpte block of it, wherever it is mapped"),

	ROW_PTE("dst.present", PD_PLACE_DST, LPTE_KIND,
		"entry i is of the kind that entry i of the source was; holes stay holes, and what "
		"was there before stays: the move ends in front of it"),
	ROW_PTE("dst.pfn", PD_PLACE_DST, LPTE_PFN,
		"entry i maps the page (or names the swap slot) that entry i of the source did"),
	ROW_PTE("dst.dirty", PD_PLACE_DST, LPTE_DIRTY,
		"dirty is copied, never made up (\"mm: userfaultfd: correct dirty flags set for "
		"both present and swap pte\"); every page is a folio of its own, so nothing may "
		"spread"),
	ROW_PTE("dst.soft-dirty", PD_PLACE_DST, LPTE_SOFT_DIRTY,
		"a moved page is soft-dirty, in memory or on swap: to the tracker the new address "
		"was written; the zero page is as if read there for the first time"),
	ROW_PTE("dst.write", PD_PLACE_DST, LPTE_WRITE,
		"an exclusive page of a writable VMA is mapped writable, whatever it was before; "
		"the zero page never"),
	ROW_PTE("dst.young", PD_PLACE_DST, LPTE_YOUNG,
		"the entry is made from the VMA's protection, in which pages are young"),
	ROW_PTE("dst.uffd-wp", PD_PLACE_DST, LPTE_UFFD_WP,
		"uffd-wp does not move along with a present page; a swap entry keeps it"),
	ROW_PTE("dst.prot", PD_PLACE_DST, LPTE_PROT | LPTE_PROTNONE | LPTE_SPECIAL,
		"protection comes from the destination's VMA; the zero page alone is special"),
	ROW_PTE("dst.swap", PD_PLACE_DST, LPTE_TYPE | LPTE_EXCLUSIVE, "swap entries move verbatim"),
	ROW_FREE("dst.encoding", PD_PLACE_DST, "how dirty is encoded is up to the arch"),

	ROW_PTE("edge.entry", PD_PLACE_EDGE, ~LPTE_ENCODING,
		"entries beside the ranges keep all they say; no block is folded or unfolded but "
		"by splitting its folio"),
	ROW_FREE("edge.encoding", PD_PLACE_EDGE,
		 "splitting a large folio leaves no contpte block of it"),
	ROW_PTE("rest.entry", PD_PLACE_REST, ~LPTE_ENCODING,
		"nothing outside the two ranges changes"),
	ROW_FREE("rest.encoding", PD_PLACE_REST,
		 "a folio that is split is split as a whole: its contpte blocks elsewhere are "
		 "gone, too"),

	ROW("folio.index", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_INDEX,
	    "rmap finds a page by its index: a moved page, or the cached folio of a moved swap "
	    "entry, has the linear index of the destination, any other keeps its own (\"mm: "
	    "userfaultfd: fix unexpected change to src_folio when UFFDIO_MOVE fails\")"),
	ROW("folio.anon_vma", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_ANON_VMA,
	    "what has moved belongs to the anon_vma of the destination, what has not to its old "
	    "one"),
	ROW("folio.flags", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_FLAGS,
	    "a large folio is split before its first page moves and not otherwise, with the head's "
	    "exclusivity deciding; every folio lock taken is dropped"),
	ROW("folio.refcount", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_REFCOUNT,
	    "the reference on the first folio of a batch is dropped once, the others are never "
	    "taken"),
	ROW("folio.mapcount", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_MAPCOUNT, "a move is no new mapping"),
	ROW("folio.node", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_NODE, "no memory is copied"),
	ROW("folio.exclusive", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_EXCLUSIVE,
	    "only exclusive pages move, and stay so"),
	ROW("counter", PD_SUBJECT_COUNTER, ALL_BITS,
	    "moving is neither mapping nor unmapping. ksm_zero_pages follows the kernel, which "
	    "forgets to count a zero page of KSM down when it moves it"),
	ROW("move", PD_SUBJECT_RESULT, 1u << UFFD_MOVE_FIELD,
	    "the bytes moved, holes included, or why the first page was not moved: the page that "
	    "ends a batch is tried again by itself, so that its errno is not lost"),
	ROW("wake", PD_SUBJECT_RESULT, 1u << UFFD_MOVE_WAKE,
	    "whoever waits for a page of the destination that was moved is woken, nobody else"),
	ROW("return", PD_SUBJECT_RETURN, 0,
	    "0 when all was moved, -EAGAIN when some was, else why the first page was not"),
	ROW("dst.overwrite", PD_SUBJECT_OVERWRITE, 0,
	    "the destination is none when an entry is set there, entry by entry: a page set over "
	    "another orphans it"),
	ROW("tlb", PD_SUBJECT_TLB, PD_TLB_ROW_NOT_DEFERRED,
	    "no CPU may reach a moved page at its old address once a page-table lock is dropped, "
	    "be it the source's or the destination's. What reclaim put off is not waited for: "
	    "nothing is concluded from an entry that is none"),
	ROW("bbm", PD_SUBJECT_BBM, 0,
	    "arm64: entries change between contiguous and not only through invalid entries and a "
	    "TLB invalidation"),
	ROW("raw", PD_SUBJECT_RAW, 0, "entries are encoded as the arch allows"),
	ROW("hw-dirty", PD_SUBJECT_HW_DIRTY, 0,
	    "what a CPU wrote during the move stays dirty: entries are cleared atomically, and "
	    "what was found is carried over"),
	ROW("lock", PD_SUBJECT_LOCK, 0,
	    "entries change only under their page-table lock; source and destination in one table "
	    "have one lock, taken once"),
	ROW("notifier", PD_SUBJECT_NOTIFY, 0,
	    "secondary MMUs are told around every change, in pairs"),
	{ .field = NULL }
};

static const char *const uffd_move_result_names[] = {
	[UFFD_MOVE_FIELD] = "move",
	[UFFD_MOVE_WAKE] = "wake",
	NULL
};

static void uffd_move_text(char *text, size_t size, const struct pd_fact *fact)
{
	if (fact->what == UFFD_MOVE_FIELD)
		snprintf(text, size, "%lld", (long long)fact->b);
	else
		snprintf(text, size, "%u, %llu pages", fact->a, (unsigned long long)fact->b);
}

const struct pd_op pd_op_uffd_move = {
	.name = "uffd_move",
	.kind = {
		.number = 0x12,
		.name = "uffd_move",
		.fields = uffd_move_fields,
		.what = "move anonymous pages (UFFDIO_MOVE, move_present_ptes())",
	},
	.args_size = sizeof(struct uffd_move_args),
	.fit = uffd_move_fit,
	.prepare = uffd_move_prepare,
	.reference = uffd_move_reference,
	.span = uffd_move_span,
	.call = PD_CALL_UFFD_MOVE,
	.rows = uffd_move_rows,
	.result_names = uffd_move_result_names,
	.result_text = uffd_move_text,
};
