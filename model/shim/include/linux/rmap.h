/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose anonymous page it is. An anon_vma is no more than an identity here: the VMAs of this
 * address space all have the one that is null, so it is a pointer to nowhere in any case.
 */
#ifndef PD_LINUX_RMAP_H
#define PD_LINUX_RMAP_H

#include <linux/pagemap.h>

static inline struct anon_vma *folio_anon_vma(const struct folio *folio)
{
	return (struct anon_vma *)folio->page.mapping;
}

static inline void anon_vma_lock_write(struct anon_vma *anon_vma)
{
	pd_world->anon_vma = (struct pd_anon_vma){ true, (uintptr_t)anon_vma };
}

static inline void anon_vma_unlock_write(struct anon_vma *anon_vma)
{
	VM_WARN_ON(pd_world->anon_vma.identity != (uintptr_t)anon_vma);
	pd_world->anon_vma.held = false;
}

/*
 * Whoever locks an anon_vma for this locks the one that the folio has: up to 6.18 rmap walkers
 * relied on that. Later ones rely on the lock of the folio.
 */
static inline void folio_move_anon_rmap(struct folio *folio, struct vm_area_struct *vma)
{
	const struct pd_anon_vma *lock = &pd_world->anon_vma;

	VM_BUG_ON_FOLIO(!folio_test_locked(folio), folio);
	VM_BUG_ON_FOLIO(lock->held && lock->identity != folio->page.mapping, folio);
	folio->page.mapping = (uintptr_t)vma->anon_vma;
}

#endif
