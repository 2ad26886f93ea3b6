/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk of mbind() and migrate_pages() for misplaced folios, one entry at a time, and what
 * becomes of the folios that it queued.
 */
#include <errno.h>

#include "args.h"

/* A walk: @failed and @large are what the kernel keeps in struct queue_pages. */
struct walk {
	struct pd_state *s;
	const struct mempolicy_args *a;
	unsigned int large, stop;
	unsigned int queued, failed;
	unsigned int isolated[2];
};

static bool may_move(const struct mempolicy_args *a)
{
	return a->move || a->move_all;
}

/* STRICT alone asks whether all is well: one misplaced page is answer enough. */
static bool strictly_unmovable(const struct mempolicy_args *a)
{
	return a->strict && !may_move(a);
}

static bool migratable(const struct pd_state *s, unsigned int va)
{
	return !(pd_state_vma(s, va)->flags & (PD_VMA_UNMIGRATABLE | PD_VMA_PFNMAP));
}

/* STRICT counts what cannot be moved, so it has to look there, too. */
static bool walks_vma(const struct walk *w, unsigned int va)
{
	if (!migratable(w->s, va) && !w->a->strict)
		return false;
	return w->a->strict || may_move(w->a);
}

static bool required(const struct walk *w, const struct pd_folio *folio)
{
	return !w->a->node[folio->nid % MEMPOLICY_NODES] == !!w->a->invert;
}

/*
 * Mapped by others? Of a large folio the kernel has an estimate, which is an input here; a small
 * one counts as shared when it is mapped more than once, even if twice by us.
 */
static bool shared(const struct pd_state *s, unsigned int head)
{
	bool any = false;

	if (!s->folio[head].order)
		return s->page[head].mapped + s->page[head].other > 1;
	for (unsigned int i = head; i < head + (1u << s->folio[head].order); i++)
		any |= s->page[i].other > 0;
	return any;
}

/* Take the folio off its LRU list and queue it. Return: false when it is on none. */
static bool isolate(struct walk *w, unsigned int head)
{
	struct pd_folio *folio = &w->s->folio[head];

	if ((folio->flags & PD_FOLIO_NOLRU) || pd_state_folio_fails(w->s, PD_FAULT_ISOLATE, head))
		return false;
	folio->flags |= PD_FOLIO_NOLRU;
	folio->refs++;
	pd_touch_pfn(w->s, head);
	w->isolated[!!(folio->flags & PD_FOLIO_LAZYFREE)] += 1u << folio->order;
	pd_results_add(&w->s->results, MEMPOLICY_QUEUED, head, 1u << folio->order);
	w->queued++;
	return true;
}

/* Return: false when the folio could not be queued. Sparing a shared one is no failure. */
static bool queue_folio(struct walk *w, unsigned int va, unsigned int head)
{
	if (!may_move(w->a) || !migratable(w->s, va))
		return false;
	if (!w->a->move_all && shared(w->s, head))
		return true;
	return isolate(w, head);
}

/* The folio of the entry at @va if it is misplaced and was not the last one met. */
static bool meets(struct walk *w, unsigned int va, unsigned int *head)
{
	lpte_t pte = w->s->pte[va];
	const struct pd_folio *folio;

	if (!lpte_normal(pte))
		return false;
	*head = pd_head(w->s, lpte_pfn(pte));
	folio = &w->s->folio[*head];
	if (folio->type == PD_FOLIO_DEVICE || (folio->flags & PD_FOLIO_RESERVED) ||
	    !required(w, folio))
		return false;
	if (!folio->order)
		return true;
	/* A large folio counts once in a row, however many entries map it. */
	if (*head == w->large)
		return false;
	w->large = *head;
	return true;
}

static bool is_migration(lpte_t pte)
{
	return lpte_kind(pte) == LPTE_KIND_MIGRATION_READ ||
	       lpte_kind(pte) == LPTE_KIND_MIGRATION_READ_EXCLUSIVE ||
	       lpte_kind(pte) == LPTE_KIND_MIGRATION_WRITE;
}

/* Return: 0 or -EIO. A page under migration cannot be queued, but does not stop the walk here. */
static int walk_part(struct walk *w, unsigned int va, unsigned int end)
{
	unsigned int head;

	for (; va < end && w->stop == MEMPOLICY_NONE; va++) {
		w->failed += is_migration(w->s->pte[va]);
		if (!meets(w, va, &head) || queue_folio(w, va, head))
			continue;
		w->failed++;
		pd_results_add(&w->s->results, MEMPOLICY_FAILED_AT, va, 0);
		if (strictly_unmovable(w->a))
			w->stop = va;
	}
	return w->failed && strictly_unmovable(w->a) ? -EIO : 0;
}

uint32_t mempolicy_part_end(const struct pd_state *s, const struct mempolicy_args *a, uint32_t va)
{
	const struct pd_vma *vma = pd_state_vma(s, va);
	uint32_t table = (va / PD_TABLE_PAGES + 1) * PD_TABLE_PAGES;
	uint32_t last = (uint32_t)vma->start + vma->pages;

	last = last < a->va + a->pages ? last : a->va + a->pages;
	return table < last ? table : last;
}

static int walk_range(struct walk *w)
{
	uint32_t end = w->a->va + w->a->pages, next;
	int ret = 0;

	for (uint32_t va = w->a->va; va < end && !ret; va = next) {
		next = mempolicy_part_end(w->s, w->a, va);
		if (walks_vma(w, va))
			ret = walk_part(w, va, next);
	}
	return ret;
}

static void say(const struct walk *w, int ret)
{
	struct pd_results *r = &w->s->results;

	pd_results_add(r, MEMPOLICY_LARGE, w->large, 0);
	pd_results_add(r, MEMPOLICY_STOP, w->stop, 0);
	pd_results_add(r, MEMPOLICY_ISOLATED, 0, w->isolated[0]);
	pd_results_add(r, MEMPOLICY_ISOLATED, 1, w->isolated[1]);
	if (!ret)
		pd_results_add(r, MEMPOLICY_FAILED, w->failed, 0);
}

/*
 * The rest of the system call, as simple as can be: folios are on the new node or, when somebody
 * holds a reference that nothing explains, where they were; in either case on the LRU again. A
 * folio keeps its frames; the kernel would copy it to others and make new entries, which is
 * another operation's business.
 */
static void migrate(struct walk *w, unsigned int first)
{
	const struct pd_results *r = &w->s->results;
	uint32_t node = mempolicy_migrates_to(w->a);

	for (unsigned int i = first; i < r->nr && i < PD_MAX_RESULTS; i++) {
		struct pd_folio *folio = &w->s->folio[r->list[i].a % PD_NR_PFN];

		if (r->list[i].what != MEMPOLICY_QUEUED)
			continue;
		folio->flags &= (uint8_t)~PD_FOLIO_NOLRU;
		folio->refs--;
		if (!folio->refs && node < MEMPOLICY_NODES)
			folio->nid = (uint8_t)node;
	}
}

struct pd_outcome mempolicy_reference(struct pd_state *s, const void *args)
{
	const struct mempolicy_args *a = args;
	struct walk w = { .s = s, .a = a, .stop = MEMPOLICY_NONE, .large = MEMPOLICY_NONE };
	unsigned int first = s->results.nr;
	int ret;

	if (a->large)
		w.large = pd_head(s, a->large);
	ret = walk_range(&w);
	say(&w, ret);
	migrate(&w, first);
	return (struct pd_outcome){ .ret = ret, .changed = w.queued + w.failed };
}
