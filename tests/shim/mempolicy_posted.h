/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loop of the shape that the patch on the list has, with the scan of nine arguments and its flags
 * to ignore, compiles as it stands and does what the reference does: over generated scenarios, the
 * same queue, the same last large folio, the same return value.
 */
#ifndef PD_TESTS_SHIM_MEMPOLICY_POSTED_H
#define PD_TESTS_SHIM_MEMPOLICY_POSTED_H

#include "tests/shim/world.h"

#include "model/ops/mempolicy/queue.h"

static void queue_folios_pmd(pmd_t *pmd, struct mm_walk *walk)
{
	(void)pmd;
	(void)walk;
	fail_msg("no huge page is mapped as one here");
}

static int posted_loop(pmd_t *pmd, unsigned long addr, unsigned long end, struct mm_walk *walk)
{
	const fpb_t ignored = FPB_IGNORE_DIRTY | FPB_IGNORE_SOFT_DIRTY;
	struct queue_pages *qp = walk->private;
	bool may_move = qp->flags & (MPOL_MF_MOVE | MPOL_MF_MOVE_ALL);
	pte_t *first, *pte, entry;
	struct folio *folio;
	int left, nr;
	spinlock_t *ptl;

	ptl = pmd_trans_huge_lock(pmd, walk->vma);
	if (ptl) {
		queue_folios_pmd(pmd, walk);
		spin_unlock(ptl);
		goto done;
	}
	first = pte_offset_map_lock(walk->mm, pmd, addr, &ptl);
	if (!first) {
		walk->action = ACTION_AGAIN;
		return 0;
	}
	for (pte = first; addr != end; pte += nr, addr += nr * PAGE_SIZE) {
		nr = 1;
		left = (end - addr) >> PAGE_SHIFT;
		entry = ptep_get(pte);
		if (!pte_present(entry)) {
			if (!pte_none(entry) && is_migration_entry(pte_to_swp_entry(entry)))
				qp->nr_failed++;
			continue;
		}
		folio = vm_normal_folio(walk->vma, addr, entry);
		if (!folio || folio_is_zone_device(folio))
			continue;
		if (folio_test_large(folio) && left != 1)
			nr = folio_pte_batch(folio, addr, pte, entry, left, ignored, NULL, NULL,
					     NULL);
		if (folio_test_reserved(folio) || !queue_folio_required(folio, qp))
			continue;
		if (folio_test_large(folio) && folio == qp->large)
			continue;
		if (folio_test_large(folio))
			qp->large = folio;
		if (may_move && vma_migratable(walk->vma) &&
		    migrate_folio_add(folio, qp->pagelist, qp->flags))
			continue;
		qp->nr_failed += nr;
		if (strictly_unmovable(qp->flags))
			break;
	}
	pte_unmap_unlock(first, ptl);
	cond_resched();
done:
	return strictly_unmovable(qp->flags) && qp->nr_failed ? -EIO : 0;
}

/* ---- held against the reference ---- */

#define SCENARIOS 3000u

static struct pd_state s;
static struct scenario sc;
static unsigned long walks, queued, failures;

static void load(void)
{
	unsigned int g;

	pd_for_each_granule(g, s.va_touched, PD_VA_WORDS)
		for (unsigned int va = g * PD_GRANULE; va < (g + 1) * PD_GRANULE; va++)
			*at(va) = encoded(s.pte[va]);
	pd_for_each_granule(g, s.pfn_touched, PD_PFN_WORDS)
		pd_load_pages(pd_world, &s, g);
	pd_load_vmas(pd_world, &s);
}

static void unload(void)
{
	unsigned int g;

	pd_for_each_granule(g, s.va_touched, PD_VA_WORDS)
		for (unsigned int va = g * PD_GRANULE; va < (g + 1) * PD_GRANULE; va++)
			*at(va) = __pte(0);
}

static const struct pd_fact *next_fact(const struct pd_results *r, unsigned int *i)
{
	while (*i < r->nr && r->list[*i].what == MEMPOLICY_FAILED_AT)
		++*i;
	return *i < r->nr ? &r->list[(*i)++] : NULL;
}

static void compare_facts(const struct pd_results *want, const struct pd_results *got)
{
	unsigned int i = 0, k = 0;
	const struct pd_fact *a, *b;

	while ((a = next_fact(want, &i))) {
		b = next_fact(got, &k);
		assert_non_null(b);
		assert_int_equal(a->what, b->what);
		if (a->what == MEMPOLICY_FAILED) {
			assert_int_equal(!a->a, !b->a);
			assert_true(a->a <= b->a);
			failures += a->a;
			continue;
		}
		assert_int_equal(a->a, b->a);
		assert_int_equal(a->b, b->b);
		queued += a->what == MEMPOLICY_QUEUED;
	}
	assert_null(next_fact(got, &k));
}

/* The first operation of the scenario, where it fits. */
static void check_scenario(const struct pd_op *op)
{
	const struct pd_record *rec = sc.rec;
	struct mempolicy_args args;
	struct pd_outcome outcome;

	while (rec->kind != op->kind.number)
		rec++;
	pd_op_args(op, rec, &args);
	if (op->fit(&s, &args))
		return;
	load();
	pd_world_reset(pd_world);
	pd_world->stop = pd_world->budget = UINT32_MAX;
	outcome = op->reference(&s, &args);
	assert_int_equal(pd_mempolicy(&args, posted_loop), outcome.ret);
	compare_facts(&s.results, &pd_world->results);
	walks++;
	unload();
}

static void test_posted_loop(void **state)
{
	struct pd_rng rng;

	(void)state;
	pd_state_init(&s);
	for (unsigned int i = 0; i < SCENARIOS; i++) {
		const struct pd_op *op = pd_op_by_kind(0x11);

		pd_rng_seed(&rng, 8, i);
		pd_generate(&sc, op, &rng);
		pd_state_clear(&s);
		pd_build(&sc, &s, NULL);
		check_scenario(op);
	}
	assert_true(walks > SCENARIOS / 2 && queued > SCENARIOS / 4 && failures > SCENARIOS / 8);
	assert_int_equal(pd_world->incidents, 0);
}

static inline int run_mempolicy_posted(void)
{
	const struct CMUnitTest tests[] = { TEST(test_posted_loop) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
