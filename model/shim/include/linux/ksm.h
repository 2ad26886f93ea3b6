/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_LINUX_KSM_H
#define PD_LINUX_KSM_H

#include <linux/mm.h>

/* An entry of KSM's zero page, which is dirty to be known again, goes away. */
static inline void ksm_might_unmap_zero_page(struct mm_struct *mm, pte_t pte)
{
	(void)mm;
	if (is_zero_pfn(pte_pfn(pte)) && pte_dirty(pte))
		pd_world->counter[PD_COUNTER_KSM_ZERO]--;
}

#endif
