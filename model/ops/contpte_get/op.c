/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contpte_get: reading entries that may belong to contpte blocks (ptep_get() of arm64).
 */
#include "model/op.h"

#include "args.h"

static const struct pd_field contpte_get_fields[] = {
	{ .form = PD_FORM_RANGE, .role = PD_ROLE_VA, .at = { 1, 0, 11 }, .more = { 2, 0, 5 },
	  .arg = offsetof(struct contpte_get_args, va),
	  .arg_more = offsetof(struct contpte_get_args, pages) },
	{ .name = "lockless", .form = PD_FORM_FLAG, .at = { 0, 0, 1 },
	  .arg = offsetof(struct contpte_get_args, lockless) },
	{ .form = PD_FORM_END },
};

static const char *contpte_get_fit(const struct pd_state *s, void *args)
{
	struct contpte_get_args *a = args;

	(void)s;
	if (a->pages > PD_NR_VA - a->va)
		a->pages = PD_NR_VA - a->va;
	return NULL;
}

static struct pd_span contpte_get_span(const void *args)
{
	const struct contpte_get_args *a = args;

	return (struct pd_span){ .src = a->va, .dst = a->va, .pages = a->pages };
}

/* ---- the rules about the words that were read ---- */

#define GATHERED (LPTE_YOUNG | LPTE_DIRTY)

/* Bits of word @i that are not as the reference has them. */
static lpte_t word_differs(const struct pd_check *check, unsigned int i, lpte_t *got)
{
	*got = check->decode(check->arch, check->got->list[i].b);
	return (*got ^ check->expected->results.list[i].b) & check->holds;
}

static const char *accepts_entry(const struct pd_check *check)
{
	const struct pd_results *want = &check->expected->results;
	lpte_t got;

	if (check->got->nr != want->nr)
		return "not one word for each page";
	for (unsigned int i = 0; i < want->nr; i++) {
		if (check->got->list[i].a != want->list[i].a)
			return "another page was read";
		if (word_differs(check, i, &got) & ~(GATHERED | LPTE_SWDIRTY))
			return "the word is not that of the entry";
	}
	return NULL;
}

/* What hardware may have added to the block of page @va while it was read. */
static lpte_t added_by_hardware(const struct pd_check *check, uint32_t va)
{
	uint32_t base = va / PD_GRANULE * PD_GRANULE;
	lpte_t added = 0;

	for (uint32_t i = 0; check->hw && i < PD_GRANULE; i++)
		added |= check->after->pte[base + i] & GATHERED;
	return added;
}

static const char *accepts_gathered(const struct pd_check *check, lpte_t bit)
{
	const struct pd_results *want = &check->expected->results;

	for (unsigned int i = 0; i < want->nr && i < check->got->nr; i++) {
		lpte_t got, differs = word_differs(check, i, &got) & bit;

		if (differs & ~got)
			return "lost: an entry of the block has it";
		if (differs & ~added_by_hardware(check, want->list[i].a))
			return "invented: no entry of the block has it";
	}
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

static const char *accepts_encoding(const struct pd_check *check)
{
	const struct pd_results *want = &check->expected->results;

	for (unsigned int i = 0; i < want->nr && i < check->got->nr; i++) {
		lpte_t got, differs = word_differs(check, i, &got) & LPTE_SWDIRTY;

		if (differs && !check->hw)
			return "dirty by hardware's bits alone";
	}
	return NULL;
}

/* ---- the contract ---- */

#define ROW_PTE(f, p, w)	{ .field = (f), .subject = PD_SUBJECT_PTE, .place = (p),	\
				  .grade = PD_GRADE_EXACT, .mask = ~0ULL, .why = (w) }
#define ROW(f, s, m, w)		{ .field = (f), .subject = (s), .mask = (m), .why = (w) }
#define ROW_WORD(f, a, w)	{ .field = (f), .subject = PD_SUBJECT_RESULT,			\
				  .mask = 1u << CONTPTE_GET_WORD, .accepts = (a), .why = (w) }

static const struct pd_row contpte_get_rows[] = {
	ROW("access", PD_SUBJECT_ACCESS, 0,
	    "a reader looks at the block of its entry and at nothing outside of the tables; "
	    "without the lock it may start again only as long as others change the block"),
	ROW("warn", PD_SUBJECT_WARN, 0, "the kernel's own assertions hold"),
	ROW_WORD("word.entry", accepts_entry,
		 "all but young and dirty is that of the entry itself, not of another one of its "
		 "block; an entry that is in no block, or not valid, is returned as it is"),
	ROW_WORD("word.dirty", accepts_dirty,
		 "dirty exactly if an entry of the block is, in whichever encoding, since hardware "
		 "may note it in any of them; with hardware at work, something between what was so "
		 "at the start and at the end"),
	ROW_WORD("word.young", accepts_young,
		 "young exactly if an entry of the block is, since hardware may note it in any of "
		 "them; with hardware at work, something between what was so at the start and at "
		 "the end"),
	{ .field = "strict.encoding", .subject = PD_SUBJECT_RESULT, .mask = 1u << CONTPTE_GET_WORD,
	  .accepts = accepts_encoding, .strict = true,
	  .why = "raw words are the same for all forms: dirt that is gathered sets the software "
		 "bit. Relaxed, since (write, dirty) has two encodings that say the same and a "
		 "loop that ends once young and dirty are known may leave out the second one" },

	ROW_PTE("src.entry", PD_PLACE_SRC, "a reader writes nothing"),
	ROW_PTE("edge.entry", PD_PLACE_EDGE,
		"a reader writes nothing, in the rest of a block neither"),
	ROW_PTE("rest.entry", PD_PLACE_REST, "a reader writes nothing, least of all elsewhere"),

	ROW("folio", PD_SUBJECT_FOLIO, ~0ULL,
	    "a reader takes no reference and maps nothing; what was gathered goes into the word, "
	    "not into the folio"),
	ROW("counter.rss", PD_SUBJECT_COUNTER, ~0ULL, "a reader maps and unmaps nothing"),
	ROW("tlb", PD_SUBJECT_TLB, PD_TLB_ROW_NOT_DEFERRED,
	    "nothing changes, so no translation becomes stale; flushes that were put off may stay "
	    "so"),
	ROW("bbm", PD_SUBJECT_BBM, 0, "nothing changes, so no block is broken or made"),
	ROW("raw", PD_SUBJECT_RAW, 0, "entries are encoded as the arch allows"),
	ROW("hw-dirty", PD_SUBJECT_HW_DIRTY, 0,
	    "what a CPU writes while an entry is read stays dirty somewhere in its folio"),
	ROW("lock", PD_SUBJECT_LOCK, 0, "locks are paired, and nothing is written without one"),
	ROW("notifier", PD_SUBJECT_NOTIFY, 0, "there is nothing to tell secondary MMUs"),
	{ .field = NULL }
};

static const char *const contpte_get_results[] = { [CONTPTE_GET_WORD] = "word", NULL };

const struct pd_op pd_op_contpte_get = {
	.name = "contpte_get",
	.kind = {
		.number = 0x13,
		.name = "contpte_get",
		.fields = contpte_get_fields,
		.what = "read entries, of contpte blocks too (ptep_get())",
	},
	.args_size = sizeof(struct contpte_get_args),
	.fit = contpte_get_fit,
	.reference = contpte_get_reference,
	.span = contpte_get_span,
	.rows = contpte_get_rows,
	.result_names = contpte_get_results,
	.result_entries = 1u << CONTPTE_GET_WORD,
};
