/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mremap(): the entries of a range move to another place in the address space.
 */
#include "model/op.h"

#include "args.h"

static const struct pd_field mremap_fields[] = {
	{ .form = PD_FORM_RANGE, .role = PD_ROLE_VA, .at = { 1, 0, 11 }, .more = { 3, 0, 11 },
	  .arg = offsetof(struct mremap_args, src),
	  .arg_more = offsetof(struct mremap_args, pages) },
	{ .name = "->", .form = PD_FORM_LITERAL, .arg = PD_NO_ARG },
	{ .form = PD_FORM_NUMBER, .role = PD_ROLE_DST, .at = { 2, 0, 11 },
	  .arg = offsetof(struct mremap_args, dst) },
	{ .name = "rmap-locks", .form = PD_FORM_FLAG, .at = { 0, 0, 1 },
	  .arg = offsetof(struct mremap_args, rmap_locks) },
	{ .name = "whole-table", .form = PD_FORM_FLAG, .at = { 0, 1, 1 },
	  .arg = offsetof(struct mremap_args, whole_table) },
	{ .name = "cap", .form = PD_FORM_NUMBER, .at = { 3, 11, 4 },
	  .arg = offsetof(struct mremap_args, batch_cap) },
	{ .form = PD_FORM_END },
};

static uint32_t mremap_min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/*
 * The kernel moves inside one VMA at a time. Ranges that overlap occur only when exec shifts a
 * stack down, with a temporary VMA of its own; that use is out of scope.
 */
static const char *mremap_fit(const struct pd_state *s, void *args)
{
	struct mremap_args *a = args;
	const struct pd_vma *vma = pd_state_vma(s, a->src);
	uint32_t apart = a->src > a->dst ? a->src - a->dst : a->dst - a->src;

	if (!apart)
		return "source and destination are the same";
	if (s->nr_vmas + 2 > PD_MAX_VMAS)
		return "no room for another VMA";
	a->pages = mremap_min(a->pages, (uint32_t)vma->start + vma->pages - a->src);
	a->pages = mremap_min(a->pages, PD_NR_VA - a->dst);
	a->pages = mremap_min(a->pages, apart);
	return NULL;
}

/*
 * MREMAP_FIXED: whatever is at the destination is unmapped, and the destination becomes a VMA
 * like the source's. A userfaultfd context that did not ask for remap events stays behind
 * ("mm: clear uffd-wp PTE/PMD state on mremap()").
 */
static void mremap_prepare(struct pd_state *s, const void *args)
{
	const struct mremap_args *a = args;
	struct pd_vma vma = *pd_state_vma(s, a->src);

	vma.pgoff = (uint16_t)pd_state_linear(s, a->src);
	vma.start = (uint16_t)a->dst;
	vma.pages = (uint16_t)a->pages;
	if (vma.flags & PD_VMA_UFFD_NO_REMAP)
		vma.flags &= (uint16_t)~(PD_VMA_UFFD_NO_REMAP | PD_VMA_UFFD_WP);
	for (uint32_t va = a->dst; va < a->dst + a->pages; va++) {
		if (lpte_none(s->pte[va]))
			continue;
		pd_state_break_block(s, va);
		pd_state_set(s, va, 0);
	}
	for (unsigned int i = 0; i < s->nr_deferred; i++)
		if (s->deferred[i].va - a->dst < a->pages)
			s->deferred[i--] = s->deferred[--s->nr_deferred];
	pd_state_set_vma(s, &vma);
}

static struct pd_span mremap_span(const void *args)
{
	const struct mremap_args *a = args;

	return (struct pd_span){ .src = a->src, .dst = a->dst, .pages = a->pages };
}

#define ROW_PTE(f, p, g, m, w)	{ .field = (f), .subject = PD_SUBJECT_PTE, .place = (p),	\
				  .grade = (g), .mask = (m), .why = (w) }
#define ROW(f, s, m, w)		{ .field = (f), .subject = (s), .mask = (m), .why = (w) }
#define ALL_BITS		(~0ULL)

static const struct pd_row mremap_rows[] = {
	ROW("access", PD_SUBJECT_ACCESS, 0,
	    "an extent ends at the table's end on either side, so no entry outside the tables is "
	    "ever touched, and every loop ends"),
	ROW("warn", PD_SUBJECT_WARN, 0, "the kernel's own assertions hold"),

	ROW_PTE("src.present", PD_PLACE_SRC, PD_GRADE_EXACT, ALL_BITS,
		"every entry of the source range is none afterwards: what was there has moved"),

	ROW_PTE("dst.present", PD_PLACE_DST, PD_GRADE_EXACT, LPTE_KIND,
		"entry i of the destination is of the kind that entry i of the source was; holes "
		"stay holes, and a uffd-wp marker is dropped when the context stays behind"),
	ROW_PTE("dst.pfn", PD_PLACE_DST, PD_GRADE_EXACT, LPTE_PFN,
		"entry i maps the page (or names the swap slot) that entry i of the source did"),
	ROW_PTE("dst.write", PD_PLACE_DST, PD_GRADE_EXACT, LPTE_WRITE,
		"write permission is per page, a fact of copy-on-write: giving it to the rest of a "
		"folio shares writes with another process (\"mm/mremap: honour writable bit in "
		"mremap pte batching\")"),
	ROW_PTE("dst.uffd-wp", PD_PLACE_DST, PD_GRADE_EXACT, LPTE_UFFD_WP,
		"uffd-wp is per page, and cleared in all its forms when the destination is not "
		"registered (\"mm: clear uffd-wp PTE/PMD state on mremap()\")"),
	ROW_PTE("dst.protnone", PD_PLACE_DST, PD_GRADE_EXACT, LPTE_PROTNONE,
		"a page that hardware may not touch stays so"),
	ROW_PTE("dst.prot", PD_PLACE_DST, PD_GRADE_EXACT, LPTE_PROT | LPTE_SPECIAL,
		"protection, attributes and special move unchanged"),
	ROW_PTE("dst.swap", PD_PLACE_DST, PD_GRADE_EXACT, LPTE_TYPE | LPTE_EXCLUSIVE,
		"non-present entries move verbatim"),
	ROW_PTE("dst.soft-dirty", PD_PLACE_DST, PD_GRADE_EXACT, LPTE_SOFT_DIRTY,
		"a moved entry is soft-dirty: to the tracker the new address was written. Only a "
		"table moved as a whole keeps what its entries said"),
	ROW_PTE("dst.dirty", PD_PLACE_DST, PD_GRADE_OR, LPTE_DIRTY,
		"dirty is never lost; core code uses it per folio, so a batch or contpte block of "
		"one folio may spread it, two folios never share it"),
	ROW_PTE("dst.young", PD_PLACE_DST, PD_GRADE_OR, LPTE_YOUNG,
		"young is never lost; core code uses it per folio, so a batch or contpte block of "
		"one folio may spread it, two folios never share it"),
	ROW_PTE("dst.encoding", PD_PLACE_DST, PD_GRADE_DONT_CARE, LPTE_ENCODING,
		"which entries form a contpte block, and how dirty is encoded, is up to the arch"),

	ROW_PTE("edge.entry", PD_PLACE_EDGE, PD_GRADE_EXACT,
		~(LPTE_DIRTY | LPTE_YOUNG | LPTE_ENCODING),
		"a contpte block that the range cuts is unfolded: its other entries keep all they "
		"say"),
	ROW_PTE("edge.dirty", PD_PLACE_EDGE, PD_GRADE_OR, LPTE_DIRTY,
		"folding and unfolding a block may spread dirty inside it, never lose it"),
	ROW_PTE("edge.young", PD_PLACE_EDGE, PD_GRADE_OR, LPTE_YOUNG,
		"folding and unfolding a block may spread young inside it, never lose it"),
	ROW_PTE("edge.encoding", PD_PLACE_EDGE, PD_GRADE_DONT_CARE, LPTE_ENCODING,
		"a cut block is no block any more"),

	ROW_PTE("rest.entry", PD_PLACE_REST, PD_GRADE_EXACT, ALL_BITS,
		"nothing outside the two ranges changes"),

	ROW("folio.index", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_INDEX,
		"the page offset of the VMA moves along, so no folio's index changes"),
	ROW("folio.anon_vma", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_ANON_VMA, "pages keep their owner"),
	ROW("folio.flags", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_FLAGS, "no folio state is touched"),
	ROW("folio.refcount", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_REFCOUNT,
		"a move takes no references"),
	ROW("folio.mapcount", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_MAPCOUNT, "a move is no new mapping"),
	ROW("folio.exclusive", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_EXCLUSIVE,
		"a page is as exclusive as before"),
	ROW("counter.rss", PD_SUBJECT_COUNTER, ALL_BITS, "moving is neither mapping nor unmapping"),
	ROW("return", PD_SUBJECT_RETURN, 0, "the whole length is moved"),
	ROW("dst.overwrite", PD_SUBJECT_OVERWRITE, 0,
		"the destination is none when an entry is set there; setting over a mapped page "
		"orphans it"),
	ROW("tlb", PD_SUBJECT_TLB, 0,
		"no CPU may reach a moved page at its old address once a page-table lock is "
		"dropped: the flush comes after the clear and before the unlock, and covers "
		"flushes that reclaim had put off"),
	ROW("bbm", PD_SUBJECT_BBM, 0,
		"arm64: entries change between contiguous and not only through invalid entries and "
		"a TLB invalidation"),
	ROW("raw", PD_SUBJECT_RAW, 0, "entries are encoded as the arch allows"),
	ROW("hw-dirty", PD_SUBJECT_HW_DIRTY, 0,
		"what a CPU wrote during the move stays dirty somewhere in its folio: entries are "
		"cleared atomically and the bits found are carried over"),
	ROW("lock", PD_SUBJECT_LOCK, 0, "entries change only under their page-table lock"),
	ROW("notifier", PD_SUBJECT_NOTIFY, 0,
		"secondary MMUs are told of the whole source range, once, around the move"),
	{ .field = NULL }
};

const struct pd_op pd_op_mremap = {
	.name = "mremap",
	.kind = {
		.number = 0x10,
		.name = "mremap",
		.fields = mremap_fields,
		.what = "move the entries of a range (move_ptes())",
	},
	.args_size = sizeof(struct mremap_args),
	.fit = mremap_fit,
	.prepare = mremap_prepare,
	.reference = mremap_reference,
	.span = mremap_span,
	.call = PD_CALL_MREMAP,
	.rows = mremap_rows,
};
