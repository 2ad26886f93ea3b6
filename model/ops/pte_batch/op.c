/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folio_pte_batch(): how many entries map consecutive pages of one folio and may be handled as one?
 */
#include <stdio.h>

#include "model/op.h"

#include "args.h"

#define FLAG(n, bit, member)								\
	{ .name = (n), .form = PD_FORM_FLAG, .at = { 0, (bit), 1 },			\
	  .arg = offsetof(struct pte_batch_args, member) }

static const struct pd_field pte_batch_fields[] = {
	{ .form = PD_FORM_RANGE, .role = PD_ROLE_VA, .at = { 1, 0, 11 }, .more = { 3, 0, 11 },
	  .arg = offsetof(struct pte_batch_args, va),
	  .arg_more = offsetof(struct pte_batch_args, max_nr) },
	FLAG("respect-dirty", 0, respect_dirty),
	FLAG("respect-soft-dirty", 1, respect_soft_dirty),
	FLAG("respect-write", 2, respect_write),
	FLAG("merge-write", 3, merge_write),
	FLAG("merge-young-dirty", 4, merge_young_dirty),
	{ .form = PD_FORM_END },
};

static bool large_folio(const struct pd_state *s, unsigned int va)
{
	lpte_t pte = s->pte[va];

	return lpte_normal(pte) && lpte_pfn(pte) < PD_NR_PFN &&
	       pd_folio_of(s, lpte_pfn(pte))->order > 0;
}

/* Callers keep the scan inside the VMA and the page table, and start it at a large folio. */
static const char *pte_batch_fit(const struct pd_state *s, void *args)
{
	struct pte_batch_args *a = args;
	const struct pd_vma *vma;
	uint32_t end;

	for (uint32_t left = PD_NR_VA; left && !large_folio(s, a->va); left--)
		a->va = (a->va + 1) % PD_NR_VA;
	if (!large_folio(s, a->va))
		return "no large folio is mapped";
	vma = pd_state_vma(s, a->va);
	end = (uint32_t)vma->start + vma->pages;
	if (end > (a->va / PD_TABLE_PAGES + 1) * PD_TABLE_PAGES)
		end = (a->va / PD_TABLE_PAGES + 1) * PD_TABLE_PAGES;
	if (a->max_nr > end - a->va)
		a->max_nr = end - a->va;
	return NULL;
}

static struct pd_span pte_batch_span(const void *args)
{
	const struct pte_batch_args *a = args;

	return (struct pd_span){ .src = a->va, .dst = a->va, .pages = a->max_nr };
}

/* ---- the return value: exact on every arch, as that arch sees the entries ---- */

static long wrong_bits(const struct pd_check *check)
{
	long want = check->want_ret;

	/* What a scan sees depends on the moment when hardware acts in the middle of it. */
	if (check->hw)
		return 0;
	if (check->arch != PD_ARCH_ARM64)
		return want ^ check->got_ret;
	want = pte_batch_scan(check->before, check->args, PTE_BATCH_BLOCKS);
	/* 6.17 and later, told to respect dirty and write, end a run where the encoding changes. */
	if (pte_batch_scan(check->before, check->args, PTE_BATCH_RAW) == check->got_ret)
		return 0;
	return want ^ check->got_ret;
}

static const char *accepts_nr(const struct pd_check *check)
{
	return wrong_bits(check) & PTE_BATCH_NR ? "not the length of the run" : NULL;
}

static const char *accepts_write(const struct pd_check *check)
{
	return wrong_bits(check) & PTE_BATCH_WRITE ? "write of the copied entry" : NULL;
}

static const char *accepts_young(const struct pd_check *check)
{
	return wrong_bits(check) & PTE_BATCH_YOUNG ? "young of the copied entry" : NULL;
}

static const char *accepts_dirty(const struct pd_check *check)
{
	return wrong_bits(check) & PTE_BATCH_DIRTY ? "dirty of the copied entry" : NULL;
}

/* pte_mkdirty() sets it too where there is one, so that merging dirty may. */
static const char *accepts_soft_dirty(const struct pd_check *check)
{
	const struct pte_batch_args *a = check->args;

	if (!(wrong_bits(check) & PTE_BATCH_SOFT_DIRTY))
		return NULL;
	if (a->merge_young_dirty && (check->got_ret & PTE_BATCH_DIRTY) &&
	    (check->got_ret & PTE_BATCH_SOFT_DIRTY))
		return NULL;
	return "soft-dirty of the copied entry";
}

/* ---- without the relaxations ---- */

static const char *accepts_logical_nr(const struct pd_check *check)
{
	bool blocks = check->arch == PD_ARCH_ARM64;
	long want = pte_batch_scan(check->before, check->args,
				   blocks ? PTE_BATCH_BLOCKS : PTE_BATCH_LOGICAL);

	if (check->hw || !((want ^ check->got_ret) & PTE_BATCH_NR))
		return NULL;
	return "how dirty is encoded ended the run";
}

static const char *accepts_own_soft_dirty(const struct pd_check *check)
{
	return wrong_bits(check) & PTE_BATCH_SOFT_DIRTY ? "merging dirty set soft-dirty" : NULL;
}

#define ROW_PTE(f, p, w)	{ .field = (f), .subject = PD_SUBJECT_PTE, .place = (p),	\
				  .grade = PD_GRADE_EXACT, .mask = ~0ULL, .why = (w) }
#define ROW_RETURN(f, a, w)	{ .field = (f), .subject = PD_SUBJECT_RETURN, .accepts = (a),	\
				  .why = (w) }
#define ROW_STRICT(f, a, w)	{ .field = (f), .subject = PD_SUBJECT_RETURN, .accepts = (a),	\
				  .strict = true, .why = (w) }
#define ROW(f, s, m, w)		{ .field = (f), .subject = (s), .mask = (m), .why = (w) }

static const struct pd_row pte_batch_rows[] = {
	ROW("access", PD_SUBJECT_ACCESS, 0,
	    "the scan stays within the entries that the caller allowed, and ends"),
	ROW("warn", PD_SUBJECT_WARN, 0, "the kernel's own assertions hold"),
	ROW_RETURN("return.nr", accepts_nr,
		"the longest run of entries that map consecutive pages of the folio and agree in "
		"everything but young and what the flags leave out; a contpte block and what "
		"follows it as single entries differ, and its dirty is one"),
	ROW_RETURN("return.write", accepts_write,
		"the copy is writable if the first entry is or, with FPB_MERGE_WRITE, any of the "
		"run"),
	ROW_RETURN("return.young", accepts_young,
		"the copy is young if the first entry is or, with FPB_MERGE_YOUNG_DIRTY, any of "
		"the run"),
	ROW_RETURN("return.dirty", accepts_dirty,
		"the copy is dirty if the first entry is or, with FPB_MERGE_YOUNG_DIRTY, any of "
		"the run"),
	ROW_RETURN("return.soft-dirty", accepts_soft_dirty,
		"soft-dirty of the first entry is kept; pte_mkdirty() may set it along with dirty"),
	ROW_STRICT("strict.return.nr", accepts_logical_nr,
		"arm64: writable entries that hardware and software marked dirty are equally "
		"dirty"),
	ROW_STRICT("strict.return.soft-dirty", accepts_own_soft_dirty,
		"merging dirty is no reason to report a page as soft-dirty"),
	ROW_PTE("entry", PD_PLACE_SRC, "a scan changes nothing"),
	ROW_PTE("edge.entry", PD_PLACE_EDGE, "a scan changes nothing"),
	ROW_PTE("rest.entry", PD_PLACE_REST, "a scan changes nothing"),
	ROW("folio", PD_SUBJECT_FOLIO, ~0ULL, "a scan changes nothing"),
	ROW("counter", PD_SUBJECT_COUNTER, ~0ULL, "a scan changes nothing"),
	ROW("lock", PD_SUBJECT_LOCK, 0, "the page-table lock is held, and dropped once"),
	ROW("raw", PD_SUBJECT_RAW, 0, "entries are encoded as the arch allows"),
	{ .field = NULL }
};

static void pte_batch_return_text(char *text, size_t size, long value)
{
	snprintf(text, size, "%ld%s%s%s%s", value & PTE_BATCH_NR,
		 value & PTE_BATCH_WRITE ? " writable" : "",
		 value & PTE_BATCH_YOUNG ? " young" : "", value & PTE_BATCH_DIRTY ? " dirty" : "",
		 value & PTE_BATCH_SOFT_DIRTY ? " soft-dirty" : "");
}

const struct pd_op pd_op_pte_batch = {
	.name = "pte_batch",
	.kind = {
		.number = 0x15,
		.name = "pte_batch",
		.fields = pte_batch_fields,
		.what = "the longest run from a page on (folio_pte_batch())",
	},
	.args_size = sizeof(struct pte_batch_args),
	.fit = pte_batch_fit,
	.reference = pte_batch_reference,
	.span = pte_batch_span,
	.rows = pte_batch_rows,
	.return_text = pte_batch_return_text,
};
