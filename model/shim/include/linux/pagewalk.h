/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a callback of a page-table walk is given. The walks themselves are in the callers of the
 * operations.
 */
#ifndef PD_LINUX_PAGEWALK_H
#define PD_LINUX_PAGEWALK_H

#include <linux/mm.h>

enum page_walk_action {
	ACTION_SUBTREE,		/* go on below, or to the next */
	ACTION_CONTINUE,	/* go on to the next */
	ACTION_AGAIN,		/* once more, with the same table */
};

struct mm_walk {
	struct mm_struct *mm;
	struct vm_area_struct *vma;
	enum page_walk_action action;
	void *private;
};

/* No huge page is mapped as one here. */
static inline spinlock_t *pmd_trans_huge_lock(pmd_t *pmd, struct vm_area_struct *vma)
{
	(void)pmd;
	(void)vma;
	return NULL;
}

#endif
