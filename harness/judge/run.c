/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running a scenario: every selected implementation on every selected arch, step by step.
 *
 * The world is kept from step to step, so that what an implementation may choose freely (which
 * entries form a block, how dirty is encoded) meets the next operation. Only the reference starts
 * anew from the state that the implementation left.
 *
 * As long as implementations leave exactly what the reference left, their next steps start alike:
 * such a step is planned once for a scenario. Only after a difference that the contract allows
 * does a chain go on with plans of its own.
 */
#include <string.h>

#include "coverage.h"
#include "private.h"

/* ---- planning a step ---- */

static void pd_find_actions(struct pd_private *p, const struct scenario *sc)
{
	unsigned int bound = sc->nr;

	p->nr_actions = 0;
	for (unsigned int i = 0; i < sc->nr && p->nr_actions < PD_MAX_OPS; i++) {
		const struct pd_op *op;

		if (pd_kind_class(sc->rec[i].kind) < pd_kind_class(PD_KIND_HW))
			continue;
		if (bound == sc->nr)
			bound = i;
		op = pd_op_by_kind(sc->rec[i].kind);
		if (!op)
			continue;
		p->action[p->nr_actions++] = (struct pd_action){ op, &sc->rec[i], bound };
		bound = sc->nr;
	}
}

/* The judge whose implementation this thread is in just now. */
static _Thread_local struct pd_judge *volatile pd_inside;

/* In a frame of its own: a step budget that runs out, and a crash, come back by longjmp(). */
static __attribute__((__noinline__)) long pd_call(struct pd_judge *j, const struct pd_impl *impl,
						  const void *args)
{
	long ret = -1;

	impl->bind(j->world);
	if (!setjmp(j->world->escape)) {
		pd_inside = j;
		if (j->entering)
			j->entering(j);
		ret = impl->run(args);
	}
	pd_inside = NULL;
	return ret;
}

void pd_judge_crashed(const char *what)
{
	struct pd_judge *j = pd_inside;

	if (!j)
		return;
	pd_world_incident(j->world, PD_INCIDENT_CRASH, PD_NR_VA, 0, what);
	longjmp(j->world->escape, 1);
}

const struct pd_judge *pd_judge_running(void)
{
	return pd_inside;
}

/* ---- verdicts ---- */

__attribute__((__noinline__)) void pd_divergence_found(const struct pd_divergence *divergence)
{
	__asm__ volatile("" : : "r"(divergence) : "memory");
}

static void pd_also(struct pd_divergence *d, const struct pd_step *st)
{
	d->nr_also = 0;
	for (const struct pd_row *row = st->op->rows; row->field; row++) {
		const struct pd_difference *hit = &st->hits[row - st->op->rows];

		if (hit->row && hit->row != d->first.row && d->nr_also < PD_MAX_ALSO)
			d->also[d->nr_also++] = *hit;
	}
}

/* The first row that is broken; but whatever else a crash leaves behind comes from it. */
static const struct pd_row *pd_naming_row(const struct pd_step *st)
{
	const struct pd_row *first = NULL;

	for (const struct pd_row *row = st->op->rows; row->field; row++) {
		const struct pd_difference *hit = &st->hits[row - st->op->rows];

		if (hit->row && hit->relation == PD_RELATION_CRASH)
			return row;
		if (hit->row && !first)
			first = row;
	}
	return first;
}

static void pd_diverged(struct pd_judge *j, const struct pd_step *st,
			const struct pd_impl_entry *entry, unsigned int step,
			const struct pd_plan *plan)
{
	const struct pd_row *row = pd_naming_row(st);
	struct pd_divergence *d = &j->divergence;

	*d = (struct pd_divergence){
		.entry = entry, .arch = st->arch, .step = step,
		.record = { .kind = st->op->kind.number },
		.first = st->hits[row - st->op->rows],
		.before = plan->before, .expected = st->expected,
		.got = st->got_differs ? st->got : st->expected,
		.want_ret = st->outcome.ret, .got_ret = st->ret,
	};
	pd_op_record(st->op, plan->args, &d->record);
	pd_also(d, st);
	if (d->first.relation == PD_RELATION_CRASH)
		pd_name_crash(d, "unknown");
	else
		snprintf(d->signature, sizeof(d->signature), "%s/%s/%s/%s", st->op->name,
			 entry->name, row->field, pd_relation_name(d->first.relation));
	pd_divergence_found(d);
}

void pd_name_crash(struct pd_divergence *d, const char *function)
{
	snprintf(d->signature, sizeof(d->signature), "%s/%s/crash/%s", d->entry->op->name,
		 d->entry->name, function);
}

void pd_judge_died(struct pd_judge *j, const char *what)
{
	const struct pd_running *run = &j->running;
	const struct pd_op *op = run->entry->op;
	const struct pd_row *row = op->rows;
	struct pd_divergence *d = &j->divergence;

	while (row->field && row->subject != PD_SUBJECT_ACCESS)
		row++;
	*d = (struct pd_divergence){
		.entry = run->entry, .arch = run->arch, .step = run->step,
		.record = { .kind = op->kind.number },
		.first = { row->field ? row : op->rows, PD_RELATION_CRASH, PD_NR_VA, 0, what },
		.before = run->plan->before, .expected = run->plan->expected,
		.got = run->plan->expected,
		.want_ret = run->plan->outcome.ret, .got_ret = -1,
	};
	pd_op_record(op, run->plan->args, &d->record);
	pd_name_crash(d, "unknown");
	j->tally[run->entry - pd_impls][run->arch].verdict[PD_VERDICT_DIVERGENCE]++;
	pd_divergence_found(d);
}

static enum pd_verdict pd_verdict(const struct pd_step *st)
{
	if (st->nr_hits)
		return PD_VERDICT_DIVERGENCE;
	if (st->outcome.changed)
		return PD_VERDICT_MATCH;
	return st->outcome.ret < 0 ? PD_VERDICT_BOTH_REFUSE : PD_VERDICT_MATCH_TRIVIAL;
}

static void pd_count(struct pd_judge *j, struct pd_tally *tally, const struct pd_step *st,
		     enum pd_verdict verdict)
{
	const struct pd_work *work = &j->world->work;

	tally->verdict[verdict]++;
	tally->pages += st->span.pages;
	tally->changed += st->outcome.changed;
	tally->batched += work->long_batches > 0;
	tally->work.reads += work->reads;
	tally->work.xchgs += work->xchgs;
	tally->work.sets += work->sets;
	tally->work.flushes += work->flushes;
	tally->work.folio_lookups += work->folio_lookups;
	tally->work.batches += work->batches;
	tally->work.long_batches += work->long_batches;
}

/* Order counts inside a scenario, not between scenarios: their digests are added up. */
static void pd_digest(struct pd_judge *j, const struct pd_step *st, enum pd_verdict verdict,
		      uint64_t *digest)
{
	const struct pd_state *s = st->got_differs ? st->got : st->expected;
	const struct pd_world *w = j->world;
	unsigned int nr = w->nr_events < PD_MAX_EVENTS ? w->nr_events : PD_MAX_EVENTS;
	unsigned int nr_results = w->results.nr < PD_MAX_RESULTS ? w->results.nr : PD_MAX_RESULTS;
	const uint64_t facts[] = { verdict, st->arch, (uint64_t)st->ret, w->steps, w->incidents };
	unsigned int g;

	*digest = pd_hash(facts, sizeof(facts), *digest);
	*digest = pd_hash(w->results.list, nr_results * sizeof(w->results.list[0]), *digest);
	*digest = pd_hash(w->event, nr * sizeof(w->event[0]), *digest);
	pd_for_each_granule(g, s->va_touched, PD_VA_WORDS)
		*digest = pd_hash(&s->pte[g * PD_GRANULE], PD_GRANULE * sizeof(lpte_t),
				  *digest + g);
}

/* ---- a chain: one implementation of each operation, on one arch, through all steps ---- */

static unsigned int pd_nr_of_op(const struct pd_selection *sel, const struct pd_op *op,
				enum pd_arch arch)
{
	unsigned int nr = 0;

	for (unsigned int i = pd_next_selected(sel, 0); i < pd_nr_impls;
	     i = pd_next_selected(sel, i + 1))
		nr += pd_impls[i].op == op && !pd_impls[i].impl[arch]->unsupported;
	return nr;
}

/* Who does an operation of which nothing is selected, or NULL where @arch does not have it. */
static const struct pd_impl_entry *pd_stand_in(const struct pd_op *op, enum pd_arch arch)
{
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		if (pd_impls[i].op == op && !pd_impls[i].impl[arch]->unsupported &&
		    !pd_only_named(&pd_impls[i]))
			return &pd_impls[i];
	return NULL;
}

static const struct pd_impl_entry *pd_chain_impl(const struct pd_selection *sel,
						 const struct pd_op *op, enum pd_arch arch,
						 unsigned int chain)
{
	unsigned int nr = pd_nr_of_op(sel, op, arch);

	if (!nr)
		return pd_stand_in(op, arch);
	chain %= nr;
	for (unsigned int i = pd_next_selected(sel, 0);; i = pd_next_selected(sel, i + 1))
		if (pd_impls[i].op == op && !pd_impls[i].impl[arch]->unsupported && !chain--)
			return &pd_impls[i];
}

static unsigned int pd_nr_chains(const struct pd_private *p, const struct pd_selection *sel,
				 enum pd_arch arch)
{
	unsigned int chains = 0;

	for (unsigned int i = 0; i < p->nr_actions; i++) {
		unsigned int nr = pd_nr_of_op(sel, p->action[i].op, arch);

		chains = nr > chains ? nr : chains;
	}
	return chains;
}

/* Steps up to the last one of which something is selected: nobody looks at what comes after it. */
static unsigned int pd_nr_steps(const struct pd_private *p, const struct pd_selection *sel,
				enum pd_arch arch)
{
	unsigned int n = p->nr_actions;

	while (n && !pd_nr_of_op(sel, p->action[n - 1].op, arch))
		n--;
	return n;
}

static const struct pd_masks *pd_op_masks(const struct pd_private *p, const struct pd_op *op)
{
	unsigned int i = 0;

	while (pd_ops[i] != op)
		i++;
	return &p->masks[i];
}

/* What is expected of a step during which hardware pinned pages. */
static void pd_raced(struct pd_private *p, struct pd_step *st, const struct pd_plan *plan)
{
	struct pd_plan *raced = &p->raced;

	pd_plan_race(raced, plan, st->op, st->world);
	st->image = pd_image_of(&raced->image[st->arch], st->arch, raced->expected, st->image,
				plan->expected);
	st->expected = raced->expected;
	st->outcome = raced->outcome;
	st->pages_changed = raced->pages_changed;
}

static const struct pd_masks *pd_step_masks(struct pd_private *p, const struct pd_op *op,
					    const void *args)
{
	const struct pd_masks *masks = pd_op_masks(p, op);

	if (!masks->conditional)
		return masks;
	p->step_masks = *masks;
	pd_masks_add(&p->step_masks, op->rows, args);
	return &p->step_masks;
}

static void pd_tell(struct pd_judge *j, const struct pd_step *st, enum pd_verdict verdict)
{
	const struct pd_observed step = {
		.entry = j->running.entry, .arch = st->arch, .step = j->running.step,
		.span = st->span, .before = st->before,
		.state = st->got_differs ? st->got : st->expected, .ret = st->ret,
		.diverged = verdict == PD_VERDICT_DIVERGENCE,
	};

	j->observe(j, &step);
}

/* Judge one step, for nobody's @tally when it is NULL. Return: may the chain go on? */
static bool pd_step(struct pd_judge *j, const struct pd_impl_entry *entry, enum pd_arch arch,
		    unsigned int n, struct pd_plan *plan, struct pd_tally *tally, uint64_t *digest)
{
	struct pd_private *p = j->private;
	const struct pd_action *action = &p->action[n];
	struct pd_step st = {
		.op = action->op, .masks = pd_step_masks(p, action->op, plan->args),
		.arch = arch,
		.world = j->world, .span = action->op->span(plan->args),
		.outcome = plan->outcome, .before = plan->before, .expected = plan->expected,
		.got = j->got, .ceiling = &p->ceiling, .hits = p->hits, .pages = p->pages,
		.pages_changed = plan->pages_changed,
		.args = plan->args, .impl = entry->impl[arch], .strict = j->strict,
	};
	enum pd_verdict verdict;

	p->ceiling.made = false;
	pd_arm(j, action, plan);
	st.hw = j->world->nr_hw > 0;
	st.image = pd_image_of(&plan->image[arch], arch, plan->expected, p->image, p->image_of);
	j->running = (struct pd_running){ entry, arch, n, plan, j->running.number + 1 };
	st.ret = pd_call(j, entry->impl[arch], plan->args);
	if (j->world->nr_pins)
		pd_raced(p, &st, plan);
	pd_mark_used(j->world, j->world->pte_written);
	pd_compare(&st);
	for (unsigned int i = 0; i < PD_PFN_WORDS; i++)
		p->reload[i] |= st.pages_differ[i];
	verdict = pd_verdict(&st);
	if (tally)
		pd_count(j, tally, &st, verdict);
	if (j->coverage && tally)
		pd_coverage_step(j->coverage, entry, &st, verdict);
	if (j->want_digest)
		pd_digest(j, &st, verdict, digest);
	p->current = st.got_differs ? j->got : st.expected;
	p->image = st.image;
	p->image_of = st.expected;
	if (verdict == PD_VERDICT_DIVERGENCE) {
		pd_diverged(j, &st, entry, n, plan);
		memset(p->hits, 0, sizeof(p->hits));
	}
	if (j->observe)
		pd_tell(j, &st, verdict);
	return verdict != PD_VERDICT_DIVERGENCE;
}

/* The plan of step @n: the shared one while @shared, else the chain's own that is not in use. */
static struct pd_plan *pd_plan_step(struct pd_private *p, unsigned int n, bool shared)
{
	struct pd_plan *plan = shared ? &p->shared[n] : &p->own[p->image_of == p->own[0].expected];

	if (!shared || !plan->made)
		pd_plan_make(plan, p->action[n].op, p->action[n].rec,
			     &p->sc->rec[p->action[n].bound], p->current);
	return plan;
}

/* Return: true when no step diverged. */
static bool pd_chain(struct pd_judge *j, const struct pd_selection *sel, enum pd_arch arch,
		     unsigned int chain, uint64_t *digest)
{
	struct pd_private *p = j->private;
	unsigned int nr_steps = pd_nr_steps(p, sel, arch);
	bool loaded = false, shared = true;

	p->current = j->s0;
	for (unsigned int n = 0; n < nr_steps; n++) {
		const struct pd_op *op = p->action[n].op;
		const struct pd_impl_entry *entry = pd_chain_impl(sel, op, arch, chain);
		struct pd_tally *tally;
		struct pd_plan *plan;

		if (!entry) {
			shared = false;
			continue;
		}
		tally = pd_selected(sel, (unsigned int)(entry - pd_impls)) ?
				&j->tally[entry - pd_impls][arch] : NULL;
		plan = pd_plan_step(p, n, shared);
		if (plan->skip) {
			if (tally)
				tally->verdict[PD_VERDICT_SKIP]++;
			continue;
		}
		if (!loaded)
			pd_load(j, arch, plan);
		else
			pd_load_prepared(j, arch, op, plan);
		loaded = true;
		if (!pd_step(j, entry, arch, n, plan, tally, digest))
			return false;
		shared &= p->current == plan->expected;
	}
	return true;
}

/* Frames back to what no scenario mentions: those that the last one named, or that it changed. */
static void pd_forget_pages(struct pd_judge *j)
{
	struct pd_private *p = j->private;
	unsigned int g;

	for (unsigned int i = 0; i < PD_PFN_WORDS; i++)
		p->reload[i] |= j->s0->pfn_touched[i];
	pd_for_each_granule(g, p->reload, PD_PFN_WORDS)
		for (unsigned int pfn = g * PD_GRANULE; pfn < (g + 1) * PD_GRANULE; pfn++)
			j->world->memmap[pfn] = p->unmentioned;
}

bool pd_judge_run(struct pd_judge *j, const struct scenario *sc, const struct pd_selection *sel)
{
	struct pd_private *p = j->private;
	uint64_t digest = 0;
	bool clean = true;

	j->scenarios++;
	pd_forget_pages(j);
	pd_state_clear(j->s0);
	pd_build(sc, j->s0, NULL);
	memcpy(p->reload, j->s0->pfn_touched, sizeof(p->reload));
	p->sc = sc;
	pd_find_actions(p, sc);
	for (unsigned int n = 0; n < p->nr_actions; n++)
		p->shared[n].made = false;
	for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
		unsigned int chains = sel->arch >> arch & 1 ?
					      pd_nr_chains(p, sel, (enum pd_arch)arch) : 0;

		for (unsigned int c = 0; c < chains; c++) {
			if (pd_chain(j, sel, (enum pd_arch)arch, c, &digest))
				continue;
			clean = false;
			if (!j->all || j->divergence.first.relation == PD_RELATION_CRASH)
				return false;
		}
	}
	j->digest += digest;
	return clean;
}
