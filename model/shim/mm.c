/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables, locks, VMAs, notifiers, assertions: what the page-table code calls beside entries.
 */
#include <internal.h>
#include <linux/mmu_notifier.h>

void pd_warn(const char *condition)
{
	pd_world_incident(pd_world, PD_INCIDENT_WARN, PD_NR_VA, 0, condition);
	pd_world_event(pd_world, PD_EVENT_WARN, 0, 0, 0);
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

	for (unsigned int i = 0; i < w->faults.nr; i++) {
		struct pd_fault *f = &w->faults.list[i];

		if (f->site != PD_FAULT_MAP || f->va / PTRS_PER_PTE != slot || !f->times)
			continue;
		f->times--;
		return true;
	}
	return false;
}

pte_t *pte_offset_map(pmd_t *pmd, unsigned long addr)
{
	pd_raw_step(pd_world);
	if (pmd_none(*pmd) || pd_map_fails(addr))
		return NULL;
	pd_world->maps++;
	return (pte_t *)pmd->pmd + pte_index(addr);
}

void pte_unmap(const pte_t *ptep)
{
	(void)ptep;
	if (WARN_ON(!pd_world->maps))
		return;
	pd_world->maps--;
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

static unsigned int pd_slot(const pmd_t *pmd)
{
	return (unsigned int)((const uintptr_t *)pmd - pd_world->pmd);
}

static void pd_slot_written(unsigned int slot)
{
	const unsigned int granules = PTRS_PER_PTE / PD_GRANULE;

	for (unsigned int g = slot * granules; g < (slot + 1) * granules; g++)
		pd_world->pte_written[g / 64] |= 1ULL << (g % 64);
}

void pte_alloc(struct mm_struct *mm, pmd_t *pmd)
{
	struct pd_world *w = pd_world;
	unsigned int used = 0;

	(void)mm;
	if (!pmd_none(*pmd))
		return;
	for (unsigned int s = 0; s < PD_NR_TABLES; s++)
		if (w->pmd[s])
			used |= 1u << pd_raw_table(w->pmd[s] - (uintptr_t)w->tables);
	for (unsigned int t = 0; t < PD_NR_TABLES; t++) {
		if (used >> t & 1)
			continue;
		pmd->pmd = (uintptr_t)w->tables + (2 * t + 1) * PD_TABLE_BYTES;
		w->slot_of[t] = (uint8_t)pd_slot(pmd);
		return;
	}
}

void pd_move_table(struct vm_area_struct *vma, pmd_t *from, pmd_t *to)
{
	struct pd_world *w = pd_world;
	unsigned int old = pd_slot(from), new = pd_slot(to);

	to->pmd = from->pmd;
	from->pmd = 0;
	w->slot_of[pd_raw_table(to->pmd - (uintptr_t)w->tables)] = (uint8_t)new;
	pd_slot_written(old);
	pd_slot_written(new);
	pd_world_event(w, PD_EVENT_MOVE_TABLE, old, new, 0);
	flush_tlb_range(vma, pd_addr(old * PTRS_PER_PTE), pd_addr((old + 1) * PTRS_PER_PTE));
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

/* What a fault would give a new entry: a private mapping is write-protected for copy-on-write. */
static pgprot_t pd_vm_page_prot(unsigned int flags)
{
	return (flags & (PD_VMA_SHARED | PD_VMA_RO)) == PD_VMA_SHARED ? PAGE_SHARED : PAGE_COPY;
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
		.vm_page_prot = pd_vm_page_prot(v->flags),
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
