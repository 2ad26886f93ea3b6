/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mbind() and migrate_pages(): the folios of a range that are on the wrong node are queued.
 */
#include <stdio.h>

#include "model/op.h"

#include "args.h"

#define ARG(member) .arg = offsetof(struct mempolicy_args, member)
#define FLAG(word, member, bit)	\
	{ .name = (word), .form = PD_FORM_FLAG, .at = { 0, (bit), 1 }, ARG(member) }

static const struct pd_field mempolicy_fields[] = {
	{ .form = PD_FORM_RANGE, .role = PD_ROLE_VA, .at = { 1, 0, 11 }, .more = { 2, 0, 11 },
	  ARG(va), .arg_more = offsetof(struct mempolicy_args, pages) },
	FLAG("strict", strict, 0),
	FLAG("move", move, 1),
	FLAG("move-all", move_all, 2),
	FLAG("invert", invert, 3),
	FLAG("node0", node[0], 4),
	FLAG("node1", node[1], 5),
	FLAG("node2", node[2], 6),
	FLAG("node3", node[3], 7),
	{ .name = "large", .form = PD_FORM_NUMBER, .role = PD_ROLE_PFN, .at = { 3, 0, 12 },
	  ARG(large) },
	{ .name = "cap", .form = PD_FORM_NUMBER, .at = { 2, 11, 4 }, ARG(batch_cap) },
	{ .form = PD_FORM_END },
};

static const char *mempolicy_fit(const struct pd_state *s, void *args)
{
	struct mempolicy_args *a = args;
	bool any = a->invert;

	if (!a->strict && !a->move && !a->move_all)
		return "without a flag there is no walk";
	for (unsigned int i = 0; i < MEMPOLICY_NODES; i++)
		any |= a->node[i];
	/* migrate_pages() empties one node after the other; none is no question. */
	if (!any)
		a->node[0] = 1;
	if (a->pages > PD_NR_VA - a->va)
		a->pages = PD_NR_VA - a->va;
	if (!pd_folio_of(s, a->large)->order)
		a->large = 0;
	return NULL;
}

static struct pd_span mempolicy_span(const void *args)
{
	const struct mempolicy_args *a = args;

	return (struct pd_span){ .src = a->va, .dst = a->va, .pages = a->pages };
}

/* ---- nr_failed: what a form that batches has to count ---- */

static const struct pd_fact *find_fact(const struct pd_results *r, uint32_t what)
{
	for (unsigned int i = 0; i < r->nr && i < PD_MAX_RESULTS; i++)
		if (r->list[i].what == what)
			return &r->list[i];
	return NULL;
}

/* What the scan compares; young, dirty, soft-dirty and write it does not. */
static lpte_t scanned_bits(enum pd_arch arch)
{
	lpte_t bits = LPTE_KIND | LPTE_PFN | LPTE_UFFD_WP | LPTE_PROTNONE | LPTE_SPECIAL |
		      LPTE_PROT;

	return arch == PD_ARCH_ARM64 ? bits | LPTE_CONT : bits;
}

/*
 * The length of the batch that begins at @va, from what entries say. The hint of a contpte block
 * changes nothing: the entries of a block are alike and of one folio.
 */
static unsigned int scan_length(const struct pd_check *check, unsigned int va)
{
	const struct pd_state *s = check->before;
	const struct mempolicy_args *a = check->args;
	unsigned int pfn = lpte_pfn(s->pte[va]), head = pd_head(s, pfn);
	unsigned int most = mempolicy_part_end(s, a, va) - va;
	unsigned int left = head + (1u << s->folio[head].order) - pfn;
	lpte_t bits = scanned_bits(check->arch);
	unsigned int nr = 1;

	most = most < left ? most : left;
	if (a->batch_cap && most > a->batch_cap)
		most = a->batch_cap;
	while (nr < most) {
		lpte_t expected = s->pte[va] + ((lpte_t)nr << LPTE_PFN_SHIFT);

		if ((s->pte[va + nr] ^ expected) & bits)
			break;
		nr++;
	}
	return nr;
}

/* Each failure of the reference is worth the batch that begins there. */
static uint32_t batched_failures(const struct pd_check *check, uint32_t failed)
{
	const struct pd_results *r = &check->expected->results;

	for (unsigned int i = 0; i < r->nr && i < PD_MAX_RESULTS; i++)
		if (r->list[i].what == MEMPOLICY_FAILED_AT)
			failed += scan_length(check, r->list[i].a) - 1;
	return failed;
}

static const char *accepts_failed(const struct pd_check *check)
{
	const struct pd_fact *want = find_fact(&check->expected->results, MEMPOLICY_FAILED);
	const struct pd_fact *got = find_fact(check->got, MEMPOLICY_FAILED);
	uint32_t exact;

	/* Who returns an error returns no number. */
	if (!want || !got)
		return want == got ? NULL : "a number and an error";
	if (!want->a != !got->a)
		return want->a ? "failures went unnoticed" : "there were no failures";
	exact = check->impl->never_batches ? want->a : batched_failures(check, want->a);
	if (got->a == exact)
		return NULL;
	return check->impl->never_batches ? "not one for each failure" :
					    "not the sum of the batches that failed";
}

/* ---- the contract ---- */

#define ROW_PTE(f, p, w)	{ .field = (f), .subject = PD_SUBJECT_PTE, .place = (p),	\
				  .grade = PD_GRADE_EXACT, .mask = ~0ULL, .why = (w) }
#define ROW(f, s, m, w)		{ .field = (f), .subject = (s), .mask = (m), .why = (w) }
#define RESULT(f, what, w)	ROW(f, PD_SUBJECT_RESULT, 1u << (what), w)

static const struct pd_row mempolicy_rows[] = {
	ROW("access", PD_SUBJECT_ACCESS, 0,
	    "a batch ends where the table, the VMA or the range ends, whichever comes first, and "
	    "every loop ends"),
	ROW("warn", PD_SUBJECT_WARN, 0, "the kernel's own assertions hold"),

	RESULT("queue", MEMPOLICY_QUEUED,
	       "the same folios are queued in the same order: whether one is queued depends on the "
	       "folio only, and all entries of a batch map the same"),
	RESULT("stop", MEMPOLICY_STOP,
	       "with STRICT alone the walk ends at the first misplaced page, whatever the batch"),
	RESULT("large", MEMPOLICY_LARGE,
	       "the large folio met last is remembered, over tables too: its next entry is no "
	       "second attempt, and no failure"),
	ROW("return", PD_SUBJECT_RETURN, 0,
	    "STRICT alone makes any misplaced or migrating page -EIO; else the walk succeeds, and "
	    "its caller looks at the number of failures"),
	RESULT("isolated", MEMPOLICY_ISOLATED,
	       "as many pages are accounted as isolated as the queued folios have"),
	{ .field = "counter.nr_failed", .subject = PD_SUBJECT_RESULT,
	  .mask = 1u << MEMPOLICY_FAILED, .accepts = accepts_failed,
	  .why = "mbind() asks only whether anything failed; the number that migrate_pages() "
		 "returns grew on purpose with batching: a failure counts the pages of its batch" },
	{ .field = "strict.nr_failed", .subject = PD_SUBJECT_RESULT,
	  .mask = 1u << MEMPOLICY_FAILED, .strict = true,
	  .why = "one entry at a time, a large folio that cannot be queued is one failure however "
		 "many entries map it, until another large one comes between" },

	ROW_PTE("src.entry", PD_PLACE_SRC, "queueing looks at entries and changes none"),
	ROW_PTE("edge.entry", PD_PLACE_EDGE, "nothing outside the range changes"),
	ROW_PTE("rest.entry", PD_PLACE_REST, "nothing outside the range changes"),

	ROW("folio.flags", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_FLAGS,
	    "a folio is taken off the LRU only to be queued, and is back there in the end"),
	ROW("folio.refcount", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_REFCOUNT,
	    "isolation takes one reference, and it is dropped once"),
	ROW("folio.node", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_NODE,
	    "what was queued is migrated, and nothing else"),
	ROW("folio.mapcount", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_MAPCOUNT,
	    "the same entries map the same pages"),
	ROW("folio.exclusive", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_EXCLUSIVE,
	    "a page is as exclusive as before"),
	ROW("folio.index", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_INDEX, "pages keep their place"),
	ROW("folio.anon_vma", PD_SUBJECT_FOLIO, PD_FOLIO_ROW_ANON_VMA, "pages keep their owner"),
	ROW("counter.rss", PD_SUBJECT_COUNTER, ~0ULL,
	    "nothing is mapped or unmapped, and nothing stays isolated"),

	ROW("tlb", PD_SUBJECT_TLB, PD_TLB_ROW_NOT_DEFERRED,
	    "no entry changes, so no flush is owed; what reclaim put off is for others to wait "
	    "for"),
	ROW("bbm", PD_SUBJECT_BBM, 0, "arm64: no contpte block is touched"),
	ROW("raw", PD_SUBJECT_RAW, 0, "entries are encoded as the arch allows"),
	ROW("hw-dirty", PD_SUBJECT_HW_DIRTY, 0, "what a CPU wrote during the walk stays dirty"),
	ROW("lock", PD_SUBJECT_LOCK, 0,
	    "entries are looked at under their page-table lock, which is dropped on every way out"),
	ROW("notifier", PD_SUBJECT_NOTIFY, 0, "secondary MMUs have nothing to be told"),
	{ .field = NULL }
};

static const char *const mempolicy_result_names[] = {
	[MEMPOLICY_QUEUED] = "queued",
	[MEMPOLICY_LARGE] = "large",
	[MEMPOLICY_STOP] = "stop",
	[MEMPOLICY_ISOLATED] = "isolated",
	[MEMPOLICY_FAILED] = "nr_failed",
	NULL
};

static void mempolicy_text(char *text, size_t size, const struct pd_fact *fact)
{
	if (fact->what == MEMPOLICY_QUEUED)
		snprintf(text, size, "folio %u, %llu pages", fact->a, (unsigned long long)fact->b);
	else if (fact->what == MEMPOLICY_ISOLATED)
		snprintf(text, size, "%llu %s", (unsigned long long)fact->b,
			 fact->a ? "file" : "anon");
	else if (fact->what != MEMPOLICY_FAILED && fact->a == MEMPOLICY_NONE)
		snprintf(text, size, "none");
	else
		snprintf(text, size, "%u", fact->a);
}

const struct pd_op pd_op_mempolicy = {
	.name = "mempolicy",
	.kind = {
		.number = 0x11,
		.name = "mempolicy",
		.fields = mempolicy_fields,
		.what = "queue misplaced folios (queue_folios_pte_range())",
	},
	.args_size = sizeof(struct mempolicy_args),
	.fit = mempolicy_fit,
	.reference = mempolicy_reference,
	.span = mempolicy_span,
	.call = PD_CALL_MBIND,
	.rows = mempolicy_rows,
	.result_names = mempolicy_result_names,
	.result_text = mempolicy_text,
};
