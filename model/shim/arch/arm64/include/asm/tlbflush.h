/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TLB invalidation. The model has neither levels nor barriers, so that only the range counts.
 */
#ifndef PD_ARM64_TLBFLUSH_H
#define PD_ARM64_TLBFLUSH_H

#include "pd/raw.h"

#define TLBF_NONE		0u
#define TLBF_NOWALKCACHE	BIT(0)
#define TLBF_NOSYNC		BIT(1)
#define TLBF_NONOTIFY		BIT(2)
#define TLBF_NOBROADCAST	BIT(3)

/*
 * Up to 6.x the last two arguments were (last_level, level), now they are (level, flags). None of
 * them changes what is invalidated, so that code of either era means the same here.
 */
static inline void __flush_tlb_range(struct vm_area_struct *vma, unsigned long start,
				     unsigned long end, unsigned long stride, int level,
				     unsigned long flags)
{
	(void)vma;
	(void)stride;
	(void)level;
	(void)flags;
	pd_tlb_flush(start, end);
}

static inline void __flush_tlb_page(struct vm_area_struct *vma, unsigned long addr,
				    unsigned long flags)
{
	__flush_tlb_range(vma, addr & PAGE_MASK, (addr & PAGE_MASK) + PAGE_SIZE, PAGE_SIZE, 3,
			  flags);
}

/* BBML: hardware that takes a change of the contiguous bit without break-before-make. */
static inline bool system_supports_bbml2_noabort(void)
{
	return pd_world->bbml;
}

static inline bool system_supports_bbml3(void)
{
	return pd_world->bbml;
}

#endif
