/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables, locks, VMAs, notifiers, assertions: what the page-table code calls beside entries.
 */
#include <internal.h>
#include <linux/mmu_notifier.h>

void pd_warn(const char *condition)
{
	pd_world_incident(pd_world, PD_INCIDENT_WARN, PD_NR_VA, 0, condition);
}

void spin_lock(spinlock_t *lock)
{
	struct pd_world *w = pd_world;

	if (w->held >> lock->table & 1)
		pd_world_incident(w, PD_INCIDENT_LOCK, PD_NR_VA, lock->table, "taken twice");
	w->held |= 1u << lock->table;
	pd_world_event(w, PD_EVENT_LOCK, lock->table, 0, 0);
}

void spin_unlock(spinlock_t *lock)
{
	struct pd_world *w = pd_world;

	if (!(w->held >> lock->table & 1))
		pd_world_incident(w, PD_INCIDENT_LOCK, PD_NR_VA, lock->table, "dropped twice");
	if (w->nr_stale)
		pd_tlb_owed();
	w->held &= ~(1u << lock->table);
	pd_world_event(w, PD_EVENT_UNLOCK, lock->table, 0, 0);
}

/* Faults are keyed to the table, so that both forms of an operation meet the same ones. */
static bool pd_map_fails(unsigned long addr)
{
	struct pd_world *w = pd_world;
	unsigned long slot = (addr - PD_VA_BASE) >> PMD_SHIFT;

	for (unsigned int i = 0; i < w->nr_faults; i++) {
		struct pd_fault *f = &w->fault[i];

		if (f->site != PD_FAULT_MAP || f->va / PTRS_PER_PTE != slot || !f->times)
			continue;
		f->times--;
		return true;
	}
	return false;
}

pte_t *pte_offset_map(pmd_t *pmd, unsigned long addr)
{
	if (pmd_none(*pmd) || pd_map_fails(addr))
		return NULL;
	return (pte_t *)pmd->pmd + pte_index(addr);
}

spinlock_t *pte_lockptr(struct mm_struct *mm, pmd_t *pmd)
{
	(void)mm;
	return &pd_world->lock[pd_raw_table(pmd->pmd - (uintptr_t)pd_world->tables)];
}

pte_t *pte_offset_map_rw_nolock(struct mm_struct *mm, pmd_t *pmd, unsigned long addr,
				pmd_t *pmdvalp, spinlock_t **ptlp)
{
	pte_t *ptep = pte_offset_map(pmd, addr);

	*pmdvalp = *pmd;
	if (ptep)
		*ptlp = pte_lockptr(mm, pmd);
	return ptep;
}

pte_t *pte_offset_map_lock(struct mm_struct *mm, pmd_t *pmd, unsigned long addr, spinlock_t **ptlp)
{
	pte_t *ptep = pte_offset_map(pmd, addr);

	if (!ptep)
		return NULL;
	*ptlp = pte_lockptr(mm, pmd);
	spin_lock(*ptlp);
	return ptep;
}

void lazy_mmu_mode_enable(void)
{
	pd_world->lazy++;
	pd_world_event(pd_world, PD_EVENT_LAZY_ENTER, pd_world->lazy, 0, 0);
}

void lazy_mmu_mode_disable(void)
{
	if (WARN_ON(!pd_world->lazy))
		return;
	pd_world_event(pd_world, PD_EVENT_LAZY_LEAVE, pd_world->lazy, 0, 0);
	pd_world->lazy--;
}

static vm_flags_t pd_vm_flags(unsigned int flags)
{
	vm_flags_t vm = VM_READ | VM_MAYWRITE;

	if (!(flags & PD_VMA_RO))
		vm |= VM_WRITE;
	if (flags & PD_VMA_SHARED)
		vm |= VM_SHARED;
	if (flags & PD_VMA_PFNMAP)
		vm |= VM_PFNMAP;
	if (flags & PD_VMA_LOCKED)
		vm |= VM_LOCKED;
	if (flags & PD_VMA_SOFT_DIRTY)
		vm |= VM_SOFTDIRTY;
	if (flags & PD_VMA_UFFD_WP)
		vm |= VM_UFFD_WP;
	return vm;
}

void pd_vma_at(struct vm_area_struct *vma, struct mm_struct *mm, unsigned long addr)
{
	const struct pd_vma *v = pd_world->vma;
	unsigned long va = (addr - PD_VA_BASE) >> PAGE_SHIFT;

	while (va >= (unsigned long)v->start + v->pages)
		v++;
	*vma = (struct vm_area_struct){
		.vm_start = pd_addr(v->start),
		.vm_end = pd_addr((unsigned int)v->start + v->pages),
		.vm_pgoff = v->pgoff,
		.vm_flags = pd_vm_flags(v->flags),
		.vm_mm = mm,
		.pd_flags = v->flags,
	};
}

void mmu_notifier_range_init(struct mmu_notifier_range *range, enum mmu_notifier_event event,
			     unsigned int flags, struct mm_struct *mm, unsigned long start,
			     unsigned long end)
{
	*range = (struct mmu_notifier_range){
		.mm = mm, .start = start, .end = end, .flags = flags, .event = event,
	};
}

static void pd_notify(enum pd_event_kind kind, const struct mmu_notifier_range *range)
{
	struct pd_world *w = pd_world;
	unsigned int va = (unsigned int)((range->start - PD_VA_BASE) >> PAGE_SHIFT);
	unsigned int pages = (unsigned int)((range->end - range->start) >> PAGE_SHIFT);
	bool start = kind == PD_EVENT_NOTIFY_START;

	if (w->notify.active == start)
		pd_world_incident(w, PD_INCIDENT_NOTIFY, va, pages, "start and end are not paired");
	w->notify.active = start;
	w->notify.va = va;
	w->notify.pages = pages;
	w->notify.count += start;
	pd_world_event(w, kind, va, pages, 0);
}

void mmu_notifier_invalidate_range_start(struct mmu_notifier_range *range)
{
	pd_notify(PD_EVENT_NOTIFY_START, range);
}

void mmu_notifier_invalidate_range_end(struct mmu_notifier_range *range)
{
	pd_notify(PD_EVENT_NOTIFY_END, range);
}
