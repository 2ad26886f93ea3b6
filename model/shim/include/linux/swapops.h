/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries that are neither none nor present: swap, migration, device, poison, markers.
 *
 * The newest names (softleaf) come first; linux/compat.h has the older ones.
 */
#ifndef PD_LINUX_SWAPOPS_H
#define PD_LINUX_SWAPOPS_H

#include <linux/pgtable.h>

typedef swp_entry_arch_t swp_entry_t;
typedef swp_entry_arch_t softleaf_t;

/* The last swap types are not devices but say what else an entry is. */
enum {
	SWP_HWPOISON = 23,
	SWP_MIGRATION_READ,
	SWP_MIGRATION_READ_EXCLUSIVE,
	SWP_MIGRATION_WRITE,
	SWP_DEVICE_READ,
	SWP_DEVICE_WRITE,
	SWP_DEVICE_EXCLUSIVE,
	SWP_PTE_MARKER,
};
#define MAX_SWAPFILES SWP_HWPOISON

typedef unsigned long pte_marker;
#define PTE_MARKER_UFFD_WP	BIT(0)
#define PTE_MARKER_POISONED	BIT(1)
#define PTE_MARKER_GUARD	BIT(2)
#define PTE_MARKER_MASK		(PTE_MARKER_UFFD_WP | PTE_MARKER_POISONED | PTE_MARKER_GUARD)

static inline swp_entry_t swp_entry(unsigned long type, unsigned long offset)
{
	return __swp_entry(type, offset);
}

static inline unsigned int swp_type(swp_entry_t entry)
{
	return (unsigned int)__swp_type(entry);
}

static inline unsigned long swp_offset(swp_entry_t entry)
{
	return __swp_offset(entry);
}

static inline pte_t swp_entry_to_pte(swp_entry_t entry)
{
	return __swp_entry_to_pte(entry);
}

/* The entry without the software bits that live beside type and offset. */
static inline softleaf_t softleaf_from_pte(pte_t pte)
{
	if (pte_none(pte) || pte_present(pte))
		return (softleaf_t){ 0 };
	pte = pte_swp_clear_soft_dirty(pte_swp_clear_uffd_wp(pte_swp_clear_exclusive(pte)));
	return __pte_to_swp_entry(pte);
}

static inline bool softleaf_is_swap(softleaf_t entry)
{
	return entry.val && swp_type(entry) < MAX_SWAPFILES;
}

static inline bool softleaf_is_migration(softleaf_t entry)
{
	return swp_type(entry) >= SWP_MIGRATION_READ && swp_type(entry) <= SWP_MIGRATION_WRITE;
}

static inline bool softleaf_is_device_private(softleaf_t entry)
{
	return swp_type(entry) == SWP_DEVICE_READ || swp_type(entry) == SWP_DEVICE_WRITE;
}

static inline bool softleaf_is_device_exclusive(softleaf_t entry)
{
	return swp_type(entry) == SWP_DEVICE_EXCLUSIVE;
}

static inline bool softleaf_is_hwpoison(softleaf_t entry)
{
	return swp_type(entry) == SWP_HWPOISON;
}

static inline bool softleaf_is_marker(softleaf_t entry)
{
	return swp_type(entry) == SWP_PTE_MARKER;
}

static inline pte_marker softleaf_to_marker(softleaf_t entry)
{
	return swp_offset(entry) & PTE_MARKER_MASK;
}

static inline unsigned long softleaf_to_pfn(softleaf_t entry)
{
	return swp_offset(entry);
}

static inline bool pte_is_marker(pte_t pte)
{
	return !pte_none(pte) && !pte_present(pte) && softleaf_is_marker(softleaf_from_pte(pte));
}

static inline bool softleaf_is_uffd_wp_marker(softleaf_t entry)
{
	return softleaf_is_marker(entry) && (softleaf_to_marker(entry) & PTE_MARKER_UFFD_WP);
}

static inline bool pte_is_uffd_wp_marker(pte_t pte)
{
	return pte_is_marker(pte) && softleaf_is_uffd_wp_marker(softleaf_from_pte(pte));
}

/* Until the migration that the entry at @addr stands for is over: the entry is a page again. */
void migration_entry_wait(struct mm_struct *mm, pmd_t *pmd, unsigned long addr);

static inline pte_t make_pte_marker(pte_marker marker)
{
	return swp_entry_to_pte(swp_entry(SWP_PTE_MARKER, marker));
}

#endif
