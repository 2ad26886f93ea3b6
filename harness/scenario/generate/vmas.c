/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The VMAs of a scenario: what the arena lies in, and where it is cut.
 */
#include "harness/scenario/generate/generate.h"

static struct pd_record *add_vma(struct pd_gen *g, unsigned int lo, unsigned int hi)
{
	struct pd_record *rec = pd_gen_add(g, PD_KIND_VMA);

	hi = hi > PD_NR_VA ? PD_NR_VA : hi;
	pd_record_set(rec, PD_VMA_F_VA, (uint16_t)lo);
	pd_record_set(rec, PD_VMA_F_PAGES, (uint16_t)(hi - lo - 1));
	pd_gen_mark(g, lo);
	pd_gen_mark(g, hi);
	return rec;
}

/* Memory of a file; what is shared may be write-protected by userfaultfd, too. */
static void file_vma(struct pd_gen *g, struct pd_record *rec)
{
	g->vma.file = true;
	g->vma.shared = pd_chance(g->rng, 1, 2);
	g->vma.uffd = g->vma.shared && pd_chance(g->rng, 1, 3);
	pd_record_set(rec, PD_VMA_F_FILE, 1);
	pd_record_set(rec, PD_VMA_F_SHARED, g->vma.shared);
	if (g->vma.uffd)
		pd_record_set(rec, PD_VMA_F_UFFD, PD_UFFD_WP);
}

/* What matters rarely; a driver's memory without a struct page. */
static void other_vma(struct pd_gen *g, struct pd_record *rec)
{
	g->vma.pfnmap = pd_chance(g->rng, 1, 4);
	pd_record_set(rec, PD_VMA_F_PFNMAP, g->vma.pfnmap);
	pd_record_set(rec, PD_VMA_F_LOCKED, pd_chance(g->rng, 1, 2));
	pd_record_set(rec, PD_VMA_F_SOFT_DIRTY, 1);
	pd_record_set(rec, PD_VMA_F_UNMIGRATABLE, pd_chance(g->rng, 1, 4));
}

/* Read-only, file, driver's or userfaultfd memory: what it asks of its entries is in @g->vma. */
static void choose_vma(struct pd_gen *g, struct pd_record *rec)
{
	static const uint8_t uffd[] = { PD_UFFD_WP, PD_UFFD_WP, PD_UFFD_WP_REMAP, PD_UFFD_MISSING };
	uint16_t mode = PD_PICK(g->rng, uffd);

	switch (pd_below(g->rng, 8)) {
	case 0:
		g->vma.ro = true;
		pd_record_set(rec, PD_VMA_F_RO, 1);
		break;
	case 1:
		file_vma(g, rec);
		break;
	case 2:
		other_vma(g, rec);
		break;
	default:
		g->vma.uffd = mode != PD_UFFD_MISSING;
		pd_record_set(rec, PD_VMA_F_UFFD, mode);
		break;
	}
}

void pd_gen_vmas(struct pd_gen *g)
{
	const unsigned int cuts[] = { 0, 0, 0, 1, 8, PD_BLOCK, PD_BLOCK + 8, g->extent / 2 };
	unsigned int lo = g->lo + PD_PICK(g->rng, cuts), hi;
	static const uint8_t beyond[] = { 0, 8, 64, 64, 128 };

	if (lo >= PD_NR_VA)
		lo = g->lo;
	hi = lo + g->extent + PD_PICK(g->rng, beyond);
	g->vma.lo = lo;
	g->vma.hi = hi > PD_NR_VA ? PD_NR_VA : hi;
	choose_vma(g, add_vma(g, lo, hi));
	if (hi + PD_BLOCK <= PD_NR_VA && pd_chance(g->rng, 1, 4))
		pd_record_set(add_vma(g, hi, hi + PD_BLOCK), PD_VMA_F_PGOFF,
			      (uint16_t)pd_below(g->rng, PD_TABLE));
}
