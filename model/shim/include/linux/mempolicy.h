/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_LINUX_MEMPOLICY_H
#define PD_LINUX_MEMPOLICY_H

#include <linux/mm.h>
#include <linux/nodemask.h>

/* Flags of mbind() and migrate_pages(); what is internal to the kernel comes after them. */
#define MPOL_MF_STRICT		BIT(0)
#define MPOL_MF_MOVE		BIT(1)
#define MPOL_MF_MOVE_ALL	BIT(2)
#define MPOL_MF_INTERNAL	BIT(4)

static inline bool vma_migratable(struct vm_area_struct *vma)
{
	return !(vma->pd_flags & (PD_VMA_UNMIGRATABLE | PD_VMA_PFNMAP));
}

#endif
