/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk that reads entries, one for all implementations, and ptep_get() around what each of
 * them has of its own: the gathering over a block.
 *
 * Tests of young and dirty are counted (struct pd_work), those of the result (a word named
 * orig_pte, as in the kernel) apart from those of entries: the forms differ in nothing else.
 */
#ifndef PD_CONTPTE_GET_CALLER_H
#define PD_CONTPTE_GET_CALLER_H

#include <linux/mm.h>

#include "args.h"

#define PD_CONTPTE_GET_ARM64_ONLY "contpte blocks are arm64's"

#ifdef CONFIG_ARM64

typedef pte_t (*contpte_gather_fn)(const pte_t *ptep, pte_t orig_pte);
typedef pte_t (*ptep_get_fn)(const pte_t *ptep);

static inline const pte_t *contpte_align_down(const pte_t *ptep)
{
	return PTR_ALIGN_DOWN(ptep, sizeof(*ptep) * CONT_PTES);
}

/* ---- counting ---- */

static inline bool pd_test_dirty(pte_t pte, bool result)
{
	if (result)
		pd_world->work.result_tests++;
	else
		pd_world->work.dirty_tests++;
	return pte_dirty(pte);
}

static inline bool pd_test_young(pte_t pte, bool result)
{
	if (result)
		pd_world->work.result_tests++;
	else
		pd_world->work.young_tests++;
	return pte_young(pte);
}

#define pte_dirty(word) pd_test_dirty(word, !strcmp(#word, "orig_pte"))
#define pte_young(word) pd_test_young(word, !strcmp(#word, "orig_pte"))

/* ---- ptep_get() ---- */

static inline pte_t pd_ptep_get(const pte_t *ptep, contpte_gather_fn gather)
{
	pte_t pte = __ptep_get(ptep);

	return pte_valid_cont(pte) ? gather(ptep, pte) : pte;
}

/* Is @pte what the block of @orig_prot has at @pfn? Without the lock it need not be. */
static inline bool contpte_is_consistent(pte_t pte, unsigned long pfn, pgprot_t orig_prot)
{
	pgprot_t prot = pte_pgprot(pte_mkold(pte_mkclean(pte)));

	return pte_valid_cont(pte) && pte_pfn(pte) == pfn &&
	       pgprot_val(prot) == pgprot_val(orig_prot);
}

/* ---- the walk ---- */

static inline void pd_contpte_read_holes(unsigned long addr, unsigned long end)
{
	for (; addr < end; addr += PAGE_SIZE)
		pd_fact(CONTPTE_GET_WORD, (u32)((addr - PD_VA_BASE) >> PAGE_SHIFT), 0);
}

/* Pages [@addr, @end) of one table. False: the table could not be mapped this time. */
static inline bool pd_contpte_read_table(unsigned long addr, unsigned long end, bool lock,
					 ptep_get_fn read)
{
	struct mm_struct mm = { .pd_world = pd_world };
	pmd_t *pmd = pd_pmd(addr);
	const pte_t *ptep;
	spinlock_t *ptl;

	if (pmd_none(*pmd)) {
		pd_contpte_read_holes(addr, end);
		return true;
	}
	ptep = lock ? pte_offset_map_lock(&mm, pmd, addr, &ptl) : pte_offset_map(pmd, addr);
	if (!ptep)
		return false;
	for (; addr < end; addr += PAGE_SIZE, ptep++)
		pd_fact(CONTPTE_GET_WORD, (u32)((addr - PD_VA_BASE) >> PAGE_SHIFT),
			pte_val(read(ptep)));
	if (lock)
		spin_unlock(ptl);
	pte_unmap(ptep);
	return true;
}

/* @read_lockless: NULL when the form has none; the lock is then always taken. */
static inline long pd_contpte_get(const struct contpte_get_args *args, ptep_get_fn read,
				  ptep_get_fn read_lockless)
{
	unsigned long addr = pd_addr(args->va), end = pd_addr(args->va + args->pages);
	bool lock = !args->lockless || !read_lockless;

	while (addr < end) {
		unsigned long next = pmd_addr_end(addr, end);

		if (pd_contpte_read_table(addr, next, lock, lock ? read : read_lockless))
			addr = next;
	}
	return (long)args->pages;
}

/*
 * PD_CONTPTE_GET_IMPL() - the implementation that gathers with @gather, and reads with @lockless
 * (NULL: it has no such form) when there is no lock
 *
 * Whoever only wants the functions of an implementation defines it otherwise.
 */
#ifndef PD_CONTPTE_GET_IMPL
#define PD_CONTPTE_GET_IMPL(what, gather, lockless)		\
static pte_t read_locked(const pte_t *ptep)			\
{								\
	return pd_ptep_get(ptep, gather);			\
}								\
								\
static long run(const void *args)				\
{								\
	return pd_contpte_get(args, read_locked, lockless);	\
}								\
								\
const struct pd_impl impl = {					\
	.mirrors = what,					\
	.never_batches = "an entry at a time is read",		\
	.bind = pd_bind,					\
	.run = run,						\
}
#endif

#else

#define PD_CONTPTE_GET_IMPL(what, gather, lockless) \
	const struct pd_impl impl = { .unsupported = PD_CONTPTE_GET_ARM64_ONLY }

#endif
#endif
