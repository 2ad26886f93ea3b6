/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contpte_api: single calls of the page-table batch API, on a contpte block and its neighbours.
 */
#include "model/op.h"

#include "args.h"

#define ARG(member) .arg = offsetof(struct contpte_api_args, member)

static const char *const contpte_api_calls[16] = {
	[CONTPTE_API_GET_AND_CLEAR] = "get-and-clear",
	[CONTPTE_API_CLEAR] = "clear",
	[CONTPTE_API_SET] = "set",
	[CONTPTE_API_WRPROTECT] = "wrprotect",
	[CONTPTE_API_CLEAR_YOUNG_DIRTY] = "clear-young-dirty",
	[CONTPTE_API_TEST_YOUNG] = "test-young",
	[CONTPTE_API_ACCESS_FLAGS] = "access-flags",
	[CONTPTE_API_MODIFY_PROT] = "modify-prot",
};

static const struct pd_field contpte_api_fields[] = {
	{ .form = PD_FORM_RANGE, .role = PD_ROLE_VA, .at = { 1, 0, 11 }, .more = { 2, 0, 7 },
	  ARG(va), .arg_more = offsetof(struct contpte_api_args, pages) },
	{ .form = PD_FORM_ENUM, .at = { 0, 0, 4 }, .names = contpte_api_calls, ARG(call) },
	{ .name = "pfn", .form = PD_FORM_NUMBER, .role = PD_ROLE_PFN, .at = { 3, 0, 12 },
	  ARG(pfn) },
	{ .name = "young", .form = PD_FORM_FLAG, .at = { 0, 4, 1 }, ARG(young) },
	{ .name = "dirty", .form = PD_FORM_FLAG, .at = { 0, 5, 1 }, ARG(dirty) },
	{ .name = "write", .form = PD_FORM_FLAG, .at = { 0, 6, 1 }, ARG(write) },
	{ .name = "protnone", .form = PD_FORM_FLAG, .at = { 0, 7, 1 }, ARG(protnone) },
	{ .name = "soft-dirty", .form = PD_FORM_FLAG, .at = { 1, 11, 1 }, ARG(soft_dirty) },
	{ .name = "full", .form = PD_FORM_FLAG, .at = { 1, 12, 1 }, ARG(full) },
	{ .name = "prot", .form = PD_FORM_NUMBER, .at = { 3, 12, 2 }, ARG(prot) },
	{ .form = PD_FORM_END },
};

/* ---- making arguments fit ---- */

/* Pages from @va on that are in its VMA and its table, at most @pages. */
static uint32_t within_bounds(const struct pd_state *s, uint32_t va, uint32_t pages)
{
	const struct pd_vma *vma = pd_state_vma(s, va);
	uint32_t in_vma = (uint32_t)vma->start + vma->pages - va;
	uint32_t in_table = PD_TABLE_PAGES - va % PD_TABLE_PAGES;

	pages = pages < in_vma ? pages : in_vma;
	return pages < in_table ? pages : in_table;
}

/* What callers let differ within a batch; mprotect() respects write and soft-dirty. */
static lpte_t may_differ(const struct contpte_api_args *a)
{
	lpte_t mask = LPTE_YOUNG | LPTE_DIRTY | LPTE_ENCODING | LPTE_PFN;

	return a->call == CONTPTE_API_MODIFY_PROT ? mask : mask | LPTE_WRITE | LPTE_SOFT_DIRTY;
}

static uint32_t run_length(const struct pd_state *s, const struct contpte_api_args *a)
{
	uint32_t most = within_bounds(s, a->va, a->pages), nr = 1;
	lpte_t first = s->pte[a->va];

	while (nr < most) {
		lpte_t pte = s->pte[a->va + nr];

		if (((pte ^ first) & ~may_differ(a)) || lpte_pfn(pte) != lpte_pfn(first) + nr ||
		    pd_head(s, lpte_pfn(pte)) != pd_head(s, lpte_pfn(first)))
			break;
		nr++;
	}
	return nr;
}

/* May an entry of @vma for this page be writable? */
static bool writable(const struct pd_state *s, const struct pd_vma *vma, uint32_t pfn)
{
	unsigned int type = pd_folio_of(s, pfn)->type;

	if (vma->flags & PD_VMA_RO)
		return false;
	return type == PD_FOLIO_FILE ? vma->flags & PD_VMA_SHARED : s->page[pfn].exclusive;
}

/* May page @pfn be mapped at @va, in place of what is there? */
static bool mappable(const struct pd_state *s, uint32_t va, uint32_t pfn)
{
	const struct pd_vma *vma = pd_state_vma(s, va);
	const struct pd_page *page = &s->page[pfn];
	bool file = pd_folio_of(s, pfn)->type == PD_FOLIO_FILE;
	bool here = lpte_normal(s->pte[va]) && lpte_pfn(s->pte[va]) == pfn;

	if (vma->flags & PD_VMA_PFNMAP)
		return false;
	if (vma->flags & PD_VMA_SHARED ? !file : file && !(vma->flags & PD_VMA_FILE))
		return false;
	return !page->exclusive || page->mapped == (here ? 1 : 0);
}

static uint32_t mappable_pages(const struct pd_state *s, const struct contpte_api_args *a,
			       uint32_t pfn)
{
	uint32_t most = within_bounds(s, a->va, a->pages), nr = 0;

	while (nr < most && pfn + nr < PD_ZERO_PFN && pd_head(s, pfn + nr) == pd_head(s, pfn) &&
	       mappable(s, a->va + nr, pfn + nr))
		nr++;
	return nr;
}

static const char *fit_set(const struct pd_state *s, struct contpte_api_args *a)
{
	uint32_t nr = mappable_pages(s, a, a->pfn);

	/* Map again what is there. */
	if (!nr && lpte_normal(s->pte[a->va])) {
		a->pfn = lpte_pfn(s->pte[a->va]);
		nr = mappable_pages(s, a, a->pfn);
	}
	if (!nr)
		return "the page cannot be mapped there";
	a->pages = nr;
	a->write &= !a->protnone;
	for (uint32_t i = 0; i < nr; i++)
		a->write &= writable(s, pd_state_vma(s, a->va), a->pfn + i);
	if (a->protnone)
		a->prot &= ~1u;
	a->full = 0;
	return NULL;
}

/* Nothing but what the call has a use for. */
static void fit_flags(struct contpte_api_args *a)
{
	const struct contpte_api_args given = *a;

	*a = (struct contpte_api_args){ .va = given.va, .pages = given.pages, .call = given.call };
	switch ((enum contpte_api_call)given.call) {
	case CONTPTE_API_GET_AND_CLEAR:
	case CONTPTE_API_CLEAR:
		a->full = given.full;
		break;
	case CONTPTE_API_CLEAR_YOUNG_DIRTY:
		a->young = given.young || !given.dirty;
		a->dirty = given.dirty;
		break;
	case CONTPTE_API_ACCESS_FLAGS:
		a->dirty = given.dirty;
		a->write = given.write;
		break;
	case CONTPTE_API_MODIFY_PROT:
		a->protnone = given.protnone;
		a->prot = given.protnone ? given.prot & ~1u : given.prot;
		break;
	default:
		break;
	}
}

static const char *fit_access_flags(const struct pd_state *s, struct contpte_api_args *a)
{
	lpte_t pte = s->pte[a->va];

	a->pages = 1;
	if (!lpte_accessible(pte))
		return "nobody may access the page";
	/* Permission is given where it was missing, to a write that is allowed. */
	if ((pte & (LPTE_UFFD_WP | LPTE_WRITE)) ||
	    !writable(s, pd_state_vma(s, a->va), lpte_pfn(pte)))
		a->write = 0;
	a->dirty |= a->write;
	return NULL;
}

static const char *contpte_api_fit(const struct pd_state *s, void *args)
{
	struct contpte_api_args *a = args;
	uint32_t end = a->va + a->pages;

	if (a->call == CONTPTE_API_SET)
		return fit_set(s, a);
	fit_flags(a);
	end = end < PD_NR_VA ? end : PD_NR_VA;
	while (a->va < end && !lpte_normal(s->pte[a->va]))
		a->va++;
	if (a->va == end)
		return "no page is mapped there";
	a->pages = end - a->va;
	a->pages = run_length(s, a);
	return a->call == CONTPTE_API_ACCESS_FLAGS ? fit_access_flags(s, a) : NULL;
}

/* Whoever sets entries has seen to it that they are none. */
static void contpte_api_prepare(struct pd_state *s, const void *args)
{
	const struct contpte_api_args *a = args;

	if (a->call != CONTPTE_API_SET)
		return;
	for (uint32_t va = a->va; va < a->va + a->pages; va++) {
		pd_state_break_block(s, va);
		pd_state_set(s, va, 0);
	}
}

static struct pd_span contpte_api_span(const void *args)
{
	const struct contpte_api_args *a = args;

	return (struct pd_span){ .src = a->va, .dst = a->va, .pages = a->pages };
}

/* ---- for which calls a row holds ---- */

static enum contpte_api_call call_of(const void *args)
{
	return (enum contpte_api_call)((const struct contpte_api_args *)args)->call;
}

static bool clears_flags(const void *args)
{
	return call_of(args) == CONTPTE_API_CLEAR_YOUNG_DIRTY ||
	       call_of(args) == CONTPTE_API_TEST_YOUNG;
}

static bool clears_young(const void *args)
{
	const struct contpte_api_args *a = args;

	return call_of(args) == CONTPTE_API_TEST_YOUNG ||
	       (call_of(args) == CONTPTE_API_CLEAR_YOUNG_DIRTY && a->young);
}

static bool clears_dirty(const void *args)
{
	return call_of(args) == CONTPTE_API_CLEAR_YOUNG_DIRTY &&
	       ((const struct contpte_api_args *)args)->dirty;
}

static bool leaves_young(const void *args)
{
	return clears_flags(args) && !clears_young(args);
}

static bool leaves_dirty(const void *args)
{
	return clears_flags(args) && !clears_dirty(args);
}

/* The other calls may have to fold or unfold blocks. */
static bool may_fold(const void *args)
{
	return !clears_flags(args);
}

static bool merges(const void *args)
{
	return call_of(args) == CONTPTE_API_MODIFY_PROT;
}

static bool does_not_merge(const void *args)
{
	return !merges(args);
}

static bool returns_entry(const void *args)
{
	return call_of(args) == CONTPTE_API_GET_AND_CLEAR || merges(args);
}

static bool keeps_dirty(const void *args)
{
	enum contpte_api_call call = call_of(args);

	return call != CONTPTE_API_GET_AND_CLEAR && call != CONTPTE_API_CLEAR &&
	       !clears_dirty(args);
}

/* ---- rules of their own ---- */

#define GATHERED (LPTE_YOUNG | LPTE_DIRTY)

/* Young and dirty, at entry, of the range and of the blocks that it touches. */
static lpte_t gathered(const struct pd_check *check)
{
	const struct contpte_api_args *a = check->args;
	uint32_t first = a->va / PD_GRANULE * PD_GRANULE;
	uint32_t last = (a->va + a->pages - 1) / PD_GRANULE * PD_GRANULE + PD_GRANULE;
	lpte_t bits = 0;

	for (uint32_t va = first; va < last; va++)
		if (va - a->va < a->pages || (check->before->pte[va] & LPTE_CONT))
			bits |= check->before->pte[va] & GATHERED;
	return check->hw ? GATHERED : bits;
}

/* Bits of the returned entry that are not as the reference has them. */
static lpte_t word_differs(const struct pd_check *check, lpte_t *got)
{
	*got = check->decode(check->arch, check->got->list[0].b);
	return (*got ^ check->expected->results.list[0].b) & check->holds & ~LPTE_ENCODING;
}

static const char *accepts_entry(const struct pd_check *check)
{
	const struct contpte_api_args *a = check->args;
	lpte_t got;

	if (check->got->nr != 1 || check->got->list[0].a != a->va)
		return "not one entry is returned";
	if (word_differs(check, &got) & ~(GATHERED | LPTE_SOFT_DIRTY))
		return "not that of the first entry";
	/* pte_mkdirty() sets it too, where there is one. */
	if ((word_differs(check, &got) & LPTE_SOFT_DIRTY) && !(got & LPTE_SOFT_DIRTY & ~LPTE_DIRTY))
		return "soft-dirty of the first entry is lost";
	return NULL;
}

static const char *accepts_gathered(const struct pd_check *check, lpte_t bit)
{
	lpte_t got, differs;

	if (check->got->nr != 1)
		return NULL;
	differs = word_differs(check, &got) & bit;
	if (differs & ~got)
		return "lost: an entry of the batch has it";
	if (differs & ~gathered(check))
		return "invented: no entry of the batch or of a block that it cuts has it";
	return NULL;
}

static const char *accepts_dirty(const struct pd_check *check)
{
	return accepts_gathered(check, LPTE_DIRTY);
}

static const char *accepts_young(const struct pd_check *check)
{
	return accepts_gathered(check, LPTE_YOUNG);
}

static const char *accepts_test_young(const struct pd_check *check)
{
	if (check->want_ret && !check->got_ret)
		return "young pages reported as old";
	if (check->got_ret && !(gathered(check) & LPTE_YOUNG))
		return "old pages reported as young";
	return NULL;
}

/* Whether anything changed: what the entry says, or how that is encoded, or a block around it. */
static const char *accepts_changed(const struct pd_check *check)
{
	const struct contpte_api_args *a = check->args;
	lpte_t old = check->before->pte[a->va];
	lpte_t diff = (old ^ check->expected->pte[a->va]) & check->holds & ~LPTE_ENCODING;

	if (diff && !check->got_ret && !check->hw)
		return "reported as unchanged";
	if (!diff && check->got_ret && !check->hw && !(old & LPTE_CONT) &&
	    !(a->dirty && (old & LPTE_WRITE)))
		return "reported as changed";
	return NULL;
}

static const char *accepts_return(const struct pd_check *check)
{
	switch (call_of(check->args)) {
	case CONTPTE_API_TEST_YOUNG:
		return accepts_test_young(check);
	case CONTPTE_API_ACCESS_FLAGS:
		return accepts_changed(check);
	default:
		return check->got_ret == check->want_ret ? NULL : "another value";
	}
}

/*
 * ---- the contract ----
 *
 * No row about stale translations: the calls leave it to their caller to flush.
 */

#define ROW_PTE(f, p, g, m, n, w)	{ .field = (f), .subject = PD_SUBJECT_PTE,		\
					  .place = (p), .grade = (g), .mask = (m), .when = (n),	\
					  .why = (w) }
#define ROW(f, s, m, w)			{ .field = (f), .subject = (s), .mask = (m), .why = (w) }
#define ROW_WORD(f, a, w)		{ .field = (f), .subject = PD_SUBJECT_RESULT,		\
					  .mask = 1u << CONTPTE_API_WORD, .accepts = (a),	\
					  .when = returns_entry, .why = (w) }
#define VARIES				(GATHERED | LPTE_SOFT_DIRTY | LPTE_ENCODING)

static const struct pd_row contpte_api_rows[] = {
	ROW("access", PD_SUBJECT_ACCESS, 0,
	    "a call works on its range and on the blocks that it cuts, all in one table, and ends"),
	ROW("warn", PD_SUBJECT_WARN, 0, "the kernel's own assertions hold"),
	ROW_WORD("word.entry", accepts_entry,
		 "entries that are taken away are told by the first one; with soft-dirty, which "
		 "may also come with the dirty bit of another one"),
	ROW_WORD("word.dirty", accepts_dirty,
		 "dirty if an entry of the batch was; a block that the range cuts may lend its "
		 "bits"),
	ROW_WORD("word.young", accepts_young,
		 "young if an entry of the batch was; a block that the range cuts may lend its "
		 "bits"),

	ROW_PTE("src.entry", PD_PLACE_SRC, PD_GRADE_EXACT, ~(VARIES | LPTE_WRITE), NULL,
		"every entry of the range becomes what the call says, with the frame that is its "
		"own"),
	ROW_PTE("src.write", PD_PLACE_SRC, PD_GRADE_EXACT, LPTE_WRITE, NULL,
		"write permission is taken from and given to exactly the entries of the range"),
	ROW_PTE("src.soft-dirty", PD_PLACE_SRC, PD_GRADE_EXACT, LPTE_SOFT_DIRTY, does_not_merge,
		"soft-dirty stays as it is, or is what the call sets"),
	ROW_PTE("src.soft-dirty-merged", PD_PLACE_SRC, PD_GRADE_OR, LPTE_SOFT_DIRTY, merges,
		"a batch that is taken away and put back as one gets soft-dirty along with dirty: "
		"pte_mkdirty() sets both where an arch has both"),
	ROW_PTE("src.dirty", PD_PLACE_SRC, PD_GRADE_OR, LPTE_DIRTY, may_fold,
		"dirty is never lost; batches and blocks of one folio may spread it"),
	ROW_PTE("src.dirty-cleared", PD_PLACE_SRC, PD_GRADE_EXACT, LPTE_DIRTY, clears_dirty,
		"what is to be cleaned is clean, every entry of it"),
	ROW_PTE("src.dirty-kept", PD_PLACE_SRC, PD_GRADE_EXACT, LPTE_DIRTY, leaves_dirty,
		"clearing young leaves dirty alone, and no block is folded or unfolded for it"),
	ROW_PTE("src.young", PD_PLACE_SRC, PD_GRADE_OR, LPTE_YOUNG, may_fold,
		"young is never lost; batches and blocks of one folio may spread it"),
	ROW_PTE("src.young-cleared", PD_PLACE_SRC, PD_GRADE_EXACT, LPTE_YOUNG, clears_young,
		"what is to become old is old, every entry of it"),
	ROW_PTE("src.young-kept", PD_PLACE_SRC, PD_GRADE_EXACT, LPTE_YOUNG, leaves_young,
		"clearing dirty leaves young alone, and no block is folded or unfolded for it"),
	ROW_PTE("src.encoding", PD_PLACE_SRC, PD_GRADE_DONT_CARE, LPTE_ENCODING, NULL,
		"which entries form a contpte block, and how dirty is encoded, is up to the arch"),

	ROW_PTE("edge.entry", PD_PLACE_EDGE, PD_GRADE_EXACT, ~(GATHERED | LPTE_ENCODING), NULL,
		"a contpte block that the range cuts: its other entries keep all they say"),
	ROW_PTE("edge.dirty", PD_PLACE_EDGE, PD_GRADE_OR, LPTE_DIRTY, may_fold,
		"folding and unfolding a block may spread dirty inside it, never lose it"),
	ROW_PTE("edge.dirty-cleared", PD_PLACE_EDGE, PD_GRADE_SUB, LPTE_DIRTY, clears_dirty,
		"a block that the range cuts may be cleaned whole rather than unfolded, since core "
		"code asks by folio; single entries beside the range stay dirty"),
	ROW_PTE("edge.dirty-kept", PD_PLACE_EDGE, PD_GRADE_EXACT, LPTE_DIRTY, leaves_dirty,
		"clearing young leaves dirty alone"),
	ROW_PTE("edge.young", PD_PLACE_EDGE, PD_GRADE_OR, LPTE_YOUNG, may_fold,
		"folding and unfolding a block may spread young inside it, never lose it"),
	ROW_PTE("edge.young-cleared", PD_PLACE_EDGE, PD_GRADE_SUB, LPTE_YOUNG, clears_young,
		"a block that the range cuts may become old as a whole rather than be unfolded, "
		"since core code asks by folio; single entries beside the range stay young"),
	ROW_PTE("edge.young-kept", PD_PLACE_EDGE, PD_GRADE_EXACT, LPTE_YOUNG, leaves_young,
		"clearing dirty leaves young alone"),
	ROW_PTE("edge.encoding", PD_PLACE_EDGE, PD_GRADE_DONT_CARE, LPTE_ENCODING, NULL,
		"a block that is cut may be one no more, one that is completed may become one"),
	ROW_PTE("rest.entry", PD_PLACE_REST, PD_GRADE_EXACT, ~0ULL, NULL,
		"nothing changes outside of the range and the blocks that it cuts"),

	ROW("folio", PD_SUBJECT_FOLIO, ~0ULL,
	    "the calls know of no folios: rmap and references are counted by the caller, by the "
	    "length of the batch"),
	ROW("counter.rss", PD_SUBJECT_COUNTER, ~0ULL,
	    "the caller counts by the length of the batch"),
	{ .field = "return", .subject = PD_SUBJECT_RETURN, .accepts = accepts_return,
	  .why = "whether a page was young: never no for a young one, yes for an old one only with "
		 "a young one in a block that the range cuts; whether access flags changed: yes if "
		 "they did, and on a block that was not like that already" },
	{ .field = "bbm", .subject = PD_SUBJECT_BBM, .when = does_not_merge,
	  .why = "arm64: entries change between contiguous and not only through invalid entries "
		 "and a TLB invalidation, which is the call's own business" },
	{ .field = "strict.bbm", .subject = PD_SUBJECT_BBM, .when = merges, .strict = true,
	  .why = "the same for a batch that is taken away and put back with another protection. "
		 "Relaxed: up to v7.3 there is no invalidation in between, so that single entries "
		 "may become a block beside what is cached of them (docs/findings.md)" },
	ROW("raw", PD_SUBJECT_RAW, 0,
	    "entries are encoded as the arch allows, those of a block alike but for young and "
	    "dirty"),
	{ .field = "hw-dirty", .subject = PD_SUBJECT_HW_DIRTY, .when = keeps_dirty,
	  .why = "what a CPU wrote during a call that is not to clear dirty stays dirty somewhere "
		 "in its folio" },
	ROW("lock", PD_SUBJECT_LOCK, 0, "entries change only under their page-table lock"),
	ROW("notifier", PD_SUBJECT_NOTIFY, 0, "the calls leave notifiers to their caller"),
	{ .field = NULL }
};

static const char *const contpte_api_results[] = { [CONTPTE_API_WORD] = "entry", NULL };

const struct pd_op pd_op_contpte_api = {
	.name = "contpte_api",
	.kind = {
		.number = 0x16,
		.name = "contpte_api",
		.fields = contpte_api_fields,
		.what = "one call of the batch API (set_ptes() and its kin)",
	},
	.args_size = sizeof(struct contpte_api_args),
	.fit = contpte_api_fit,
	.prepare = contpte_api_prepare,
	.reference = contpte_api_reference,
	.span = contpte_api_span,
	.rows = contpte_api_rows,
	.result_names = contpte_api_results,
	.result_entries = 1u << CONTPTE_API_WORD,
};
