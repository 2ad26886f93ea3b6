/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff show: a scenario as text and as a picture of its page tables.
 *
 * The picture has a row of 16 pages, the size of a contpte block, one column a page. Below the
 * row of folios there is a line for each bit that is set somewhere in the row.
 */
#include "harness/cli/cli.h"

#include <stdlib.h>
#include <string.h>

#include "harness/judge/entry_text.h"

#define ROW		PD_GRANULE
#define LETTERS		26u
#define MAX_LEGEND	64u

/* The picture of one scenario. */
struct picture {
	struct pd_state s;
	uint8_t letter[PD_NR_PFN];	/* of a large folio, at its head; 0: none yet */
	unsigned int nr_letters;
};

/* Bits of a row, as lines below it; exclusive is a bit of the page, not of the entry. */
static const struct {
	uint64_t bit;
	const char *name;
} lines[] = {
	{ LPTE_YOUNG, "young" },
	{ LPTE_DIRTY, "dirty" },
	{ LPTE_WRITE, "write" },
	{ LPTE_SOFT_DIRTY, "soft-dirty" },
	{ LPTE_UFFD_WP, "uffd-wp" },
	{ LPTE_PROTNONE, "protnone" },
	{ LPTE_EXCLUSIVE, "swap excl" },
	{ LPTE_SWDIRTY, "swdirty" },
	{ LPTE_PROT, "prot" },
	{ LPTE_CONT, "cont" },
};

static const struct argp argp = {
	.parser = pd_parse_file,
	.args_doc = "FILE",
	.doc = "Show a scenario, bytes or text, as text and as a picture of its page tables."
	       "\v"
	       "A row is 16 pages. A to Z are pages of large folios, the same letter for the same "
	       "folio; o is a page of an order-0 folio, z the zero page or a special entry, s a "
	       "swap entry, m a migration entry, d a device entry, p a poisoned page, k a marker, "
	       ". nothing. Below it, # marks the pages that have a bit.\n"
	       "Examples:\n"
	       "  ptediff show corpus/seeds/mremap/one.pte\n"
	       "  ptediff show crash-1a2b\n",
};

static char kind_letter(enum lpte_kind kind)
{
	static const char letters[LPTE_NR_KINDS] = {
		[LPTE_KIND_NONE] = '.',
		[LPTE_KIND_PRESENT] = 'o',
		[LPTE_KIND_SWAP] = 's',
		[LPTE_KIND_MIGRATION_READ] = 'm',
		[LPTE_KIND_MIGRATION_READ_EXCLUSIVE] = 'm',
		[LPTE_KIND_MIGRATION_WRITE] = 'm',
		[LPTE_KIND_DEVICE_PRIVATE_READ] = 'd',
		[LPTE_KIND_DEVICE_PRIVATE_WRITE] = 'd',
		[LPTE_KIND_DEVICE_EXCLUSIVE] = 'd',
		[LPTE_KIND_HWPOISON] = 'p',
		[LPTE_KIND_MARKER] = 'k',
	};

	return kind < LPTE_NR_KINDS ? letters[kind] : '?';
}

static char page_letter(struct picture *p, lpte_t pte)
{
	unsigned int head;

	if (!lpte_present(pte))
		return kind_letter(lpte_kind(pte));
	if (pte & LPTE_SPECIAL)
		return 'z';
	head = pd_head(&p->s, lpte_pfn(pte));
	if (!p->s.folio[head].order)
		return 'o';
	if (!p->letter[head])
		p->letter[head] = (uint8_t)(1 + p->nr_letters++ % LETTERS);
	return (char)('A' + p->letter[head] - 1);
}

static void put_frames(const lpte_t *pte)
{
	char text[PD_ENTRY_CHARS];
	unsigned int nr;

	for (unsigned int i = 0; i < ROW; i += nr) {
		lpte_t what = pte[i] & (LPTE_KIND | LPTE_PFN | LPTE_TYPE | LPTE_SPECIAL);

		for (nr = 1; i + nr < ROW; nr++) {
			lpte_t next = pte[i + nr] &
				      (LPTE_KIND | LPTE_PFN | LPTE_TYPE | LPTE_SPECIAL);

			if (!pd_entry_follows(what, nr, next))
				break;
		}
		if (lpte_none(what))
			continue;
		pd_entry_what(text, sizeof(text), what, nr);
		printf("  %s", text);
	}
	putchar('\n');
}

static void put_marks(const char *name, const bool mark[ROW])
{
	bool any = false;

	for (unsigned int i = 0; i < ROW; i++)
		any |= mark[i];
	if (!any)
		return;
	printf("  %12s  ", name);
	for (unsigned int i = 0; i < ROW; i++)
		putchar(mark[i] ? '#' : '.');
	putchar('\n');
}

static void put_exclusive(const struct picture *p, const lpte_t *pte)
{
	bool mark[ROW];

	for (unsigned int i = 0; i < ROW; i++)
		mark[i] = lpte_normal(pte[i]) && p->s.page[lpte_pfn(pte[i])].exclusive;
	put_marks("exclusive", mark);
}

static void put_row(struct picture *p, unsigned int va)
{
	const lpte_t *pte = &p->s.pte[va];
	char pages[32];
	bool mark[ROW];

	pd_pages_text(pages, sizeof(pages), va, ROW);
	printf("  %12s  ", pages);
	for (unsigned int i = 0; i < ROW; i++)
		putchar(page_letter(p, pte[i]));
	put_frames(pte);
	for (size_t line = 0; line < sizeof(lines) / sizeof(lines[0]); line++) {
		for (unsigned int i = 0; i < ROW; i++)
			mark[i] = pte[i] & lines[line].bit;
		put_marks(lines[line].name, mark);
	}
	put_exclusive(p, pte);
}

static bool row_used(const struct pd_state *s, unsigned int va)
{
	for (unsigned int i = 0; i < ROW; i++)
		if (!lpte_none(s->pte[va + i]))
			return true;
	return false;
}

/* Does the row at @va continue the one before it, frame by frame and bit by bit? */
static bool row_continues(const struct pd_state *s, unsigned int va)
{
	for (unsigned int i = 0; va && i < ROW; i++) {
		const lpte_t *before = &s->pte[va - ROW + i];

		if (!pd_entry_follows(before[0], ROW, before[ROW]))
			return false;
	}
	return va;
}

static void put_rows(struct picture *p)
{
	unsigned int alike = 0;

	puts("\npages:");
	for (unsigned int va = 0; va < PD_NR_VA; va += ROW) {
		bool used = row_used(&p->s, va);

		if (used && row_continues(&p->s, va)) {
			alike++;
			continue;
		}
		if (alike)
			printf("  %12s  %u rows that continue this one\n", "...", alike);
		alike = 0;
		if (used)
			put_row(p, va);
	}
	if (alike)
		printf("  %12s  %u rows that continue this one\n", "...", alike);
}

static void put_folio(const struct picture *p, unsigned int head)
{
	static const char *const types[PD_NR_FOLIO_TYPES] = { "anon", "file", "ksm", "device" };
	const struct pd_folio *folio = &p->s.folio[head];
	char pages[32];

	pd_pages_text(pages, sizeof(pages), head, 1u << folio->order);
	printf("  %c  pfn %s  order %u  %s  node %u  index %u\n", 'A' + p->letter[head] - 1, pages,
	       folio->order, types[folio->type], folio->nid, folio->index);
}

/* A letter stands for more than one folio when there are more than 26 of them. */
static void put_folios(const struct picture *p)
{
	unsigned int nr = 0;

	if (p->nr_letters)
		puts("\nlarge folios:");
	for (unsigned int head = 0; head < PD_NR_PFN; head++) {
		if (!p->letter[head])
			continue;
		if (++nr <= MAX_LEGEND)
			put_folio(p, head);
	}
	if (nr > MAX_LEGEND)
		printf("  ...  %u more\n", nr - MAX_LEGEND);
}

static void show(const struct pd_input *in)
{
	const char *expect = in->parse.expect, *impl = in->parse.impl;
	struct picture *p = pd_alloc(1, sizeof(*p));
	struct pd_repair repair = { 0 };

	pd_print(stdout, &in->sc, *expect ? expect : NULL, *impl ? impl : NULL);
	pd_state_init(&p->s);
	pd_build(&in->sc, &p->s, &repair);
	if (repair.count)
		printf("\n%u repairs; 'ptediff convert --repair' says which\n", repair.count);
	put_rows(p);
	put_folios(p);
	free(p);
}

int pd_cmd_show(int argc, char **argv)
{
	struct pd_common common = { 0 };
	struct pd_input *in = pd_alloc(1, sizeof(*in));
	bool good = !argp_parse(&argp, argc, argv, 0, NULL, &common) &&
		    pd_input_load(in, common.file, false);

	if (good)
		show(in);
	free(in);
	return good ? PD_EXIT_CLEAN : PD_EXIT_TROUBLE;
}
