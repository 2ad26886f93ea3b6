/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_LINUX_MM_TYPES_H
#define PD_LINUX_MM_TYPES_H

#include "pd/types.h"

#include <asm/pgtable-types.h>

struct vm_area_struct {
	unsigned long vm_start, vm_end;
	unsigned long vm_pgoff;
	vm_flags_t vm_flags;
	pgprot_t vm_page_prot;
	struct mm_struct *vm_mm;
	struct anon_vma *anon_vma;
	struct file *vm_file;
	unsigned int pd_flags;		/* PD_VMA_* */
};

/* What clear_young_dirty_ptes() clears. */
typedef unsigned int cydp_t;
#define CYDP_CLEAR_YOUNG	((cydp_t)BIT(0))
#define CYDP_CLEAR_DIRTY	((cydp_t)BIT(1))

#endif
