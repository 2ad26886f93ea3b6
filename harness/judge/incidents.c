/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the world noticed while the operation ran, and what must be over when it returns.
 */
#include <string.h>

#include "step.h"

static const struct {
	enum pd_subject subject;
	enum pd_relation relation;
} meaning[PD_NR_INCIDENTS] = {
	[PD_INCIDENT_OOB] = { PD_SUBJECT_ACCESS, PD_RELATION_OOB },
	[PD_INCIDENT_NO_PROGRESS] = { PD_SUBJECT_ACCESS, PD_RELATION_NO_PROGRESS },
	[PD_INCIDENT_STALE] = { PD_SUBJECT_TLB, PD_RELATION_STALE },
	[PD_INCIDENT_BBM] = { PD_SUBJECT_BBM, PD_RELATION_ORDER },
	[PD_INCIDENT_UNLOCKED] = { PD_SUBJECT_LOCK, PD_RELATION_MISSING },
	[PD_INCIDENT_LOCK] = { PD_SUBJECT_LOCK, PD_RELATION_WRONG },
	[PD_INCIDENT_WARN] = { PD_SUBJECT_WARN, PD_RELATION_WARN },
	[PD_INCIDENT_NOTIFY] = { PD_SUBJECT_NOTIFY, PD_RELATION_WRONG },
	[PD_INCIDENT_OVERWRITE] = { PD_SUBJECT_OVERWRITE, PD_RELATION_WRONG },
	[PD_INCIDENT_CRASH] = { PD_SUBJECT_ACCESS, PD_RELATION_CRASH },
};

static void hit_subject(struct pd_step *st, enum pd_subject subject, enum pd_relation relation,
			unsigned int va, const char *text)
{
	for (const struct pd_row *row = st->op->rows; row->field; row++)
		if (row->subject == subject && pd_row_holds(st, row))
			pd_hit(st, row, relation, va, text);
}

/* May a CPU go on with @cached when the tables say @now? The judge's own reading. */
static bool allows(lpte_t cached, lpte_t now)
{
	const lpte_t same = LPTE_PFN | LPTE_PROT;

	return lpte_accessible(now) && !((cached ^ now) & same) && !(cached & ~now & LPTE_WRITE);
}

static bool owes_deferred(const struct pd_step *st)
{
	for (const struct pd_row *row = st->op->rows; row->field; row++)
		if (row->subject == PD_SUBJECT_TLB && (row->mask & PD_TLB_ROW_NOT_DEFERRED))
			return false;
	return true;
}

static void check_stale(struct pd_step *st)
{
	bool deferred = owes_deferred(st);

	for (unsigned int i = 0; i < st->world->nr_stale; i++) {
		const struct pd_stale *s = &st->world->stale[i];
		lpte_t cached = pd_raw_decode(st->arch, s->raw);

		if (s->deferred && !deferred)
			continue;
		for (unsigned int k = 0; k < s->nr; k++) {
			const uint64_t *raw = pd_world_entry(st->world, s->va + k);
			lpte_t now = raw ? pd_raw_decode(st->arch, *raw) : 0;

			if ((unsigned int)s->va + k - st->span.src >= st->span.pages)
				continue;
			if (!allows(cached + ((lpte_t)k << LPTE_PFN_SHIFT), now))
				hit_subject(st, PD_SUBJECT_TLB, PD_RELATION_STALE, s->va + k,
					    "still stale at the end");
		}
	}
}

static void check_notifier(struct pd_step *st)
{
	const struct pd_world *w = st->world;
	bool whole = w->notify.count == 1 && w->notify.va == st->span.src &&
		     w->notify.pages == st->span.pages;

	if (w->notify.active)
		hit_subject(st, PD_SUBJECT_NOTIFY, PD_RELATION_MISSING, PD_NR_VA, "never ended");
	else if (st->outcome.notify && !whole)
		hit_subject(st, PD_SUBJECT_NOTIFY, PD_RELATION_MISSING, PD_NR_VA,
			    "not one start and end over the range");
}

/* pd_compare_incidents() - incidents and loose ends as differences. */
void pd_compare_incidents(struct pd_step *st)
{
	const struct pd_world *w = st->world;

	for (unsigned int k = 0; w->incidents && k < PD_NR_INCIDENTS; k++)
		if (w->incident[k].seen)
			hit_subject(st, meaning[k].subject, meaning[k].relation,
				    w->incident[k].va, w->incident[k].text);
	if (w->nr_stale)
		check_stale(st);
	/* An operation that never ended cannot have put things back. */
	if (w->incident[PD_INCIDENT_NO_PROGRESS].seen || w->incident[PD_INCIDENT_CRASH].seen)
		return;
	if (w->held)
		hit_subject(st, PD_SUBJECT_LOCK, PD_RELATION_WRONG, PD_NR_VA, "never dropped");
	if (w->maps)
		hit_subject(st, PD_SUBJECT_LOCK, PD_RELATION_WRONG, PD_NR_VA, "never unmapped");
	if (w->lazy)
		hit_subject(st, PD_SUBJECT_WARN, PD_RELATION_WARN, PD_NR_VA,
			    "lazy MMU mode was never left");
	check_notifier(st);
}
