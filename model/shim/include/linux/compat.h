/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Older names, for code from older trees and from patches on the list.
 */
#ifndef PD_LINUX_COMPAT_H
#define PD_LINUX_COMPAT_H

/* since 6.18 lazy_mmu_mode_*() */
#define arch_enter_lazy_mmu_mode()	lazy_mmu_mode_enable()
#define arch_leave_lazy_mmu_mode()	lazy_mmu_mode_disable()

/* since 6.13 pte_offset_map_rw_nolock() */
static inline pte_t *pte_offset_map_nolock(struct mm_struct *mm, pmd_t *pmd, unsigned long addr,
					   spinlock_t **ptlp)
{
	pmd_t val;

	return pte_offset_map_rw_nolock(mm, pmd, addr, &val, ptlp);
}

/* since 7.0 zero_pfn() */
#define my_zero_pfn(addr)		zero_pfn(addr)

/* since 6.19 softleaf_*() */
#define pte_to_swp_entry(pte)		softleaf_from_pte(pte)
#define is_migration_entry(entry)	softleaf_is_migration(entry)
#define is_hwpoison_entry(entry)	softleaf_is_hwpoison(entry)
#define is_device_private_entry(entry)	softleaf_is_device_private(entry)
#define is_pte_marker_entry(entry)	softleaf_is_marker(entry)
#define pte_marker_get(entry)		softleaf_to_marker(entry)
#define is_pte_marker(pte)		pte_is_marker(pte)
#define pte_marker_uffd_wp(pte)		pte_is_uffd_wp_marker(pte)

static inline bool is_swap_pte(pte_t pte)
{
	return !pte_none(pte) && !pte_present(pte);
}

/* 7.3 calls the uffd bit by what it is for: not only write protection */
#define pte_uffd(pte)			pte_uffd_wp(pte)
#define pte_mkuffd(pte)			pte_mkuffd_wp(pte)
#define pte_clear_uffd(pte)		pte_clear_uffd_wp(pte)
#define pte_swp_uffd(pte)		pte_swp_uffd_wp(pte)
#define pte_swp_mkuffd(pte)		pte_swp_mkuffd_wp(pte)
#define pte_swp_clear_uffd(pte)		pte_swp_clear_uffd_wp(pte)

#endif
