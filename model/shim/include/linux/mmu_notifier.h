/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_LINUX_MMU_NOTIFIER_H
#define PD_LINUX_MMU_NOTIFIER_H

#include "pd/types.h"

enum mmu_notifier_event {
	MMU_NOTIFY_UNMAP,
	MMU_NOTIFY_CLEAR,
	MMU_NOTIFY_PROTECTION_VMA,
};

struct mmu_notifier_range {
	struct mm_struct *mm;
	unsigned long start, end;
	unsigned int flags;
	enum mmu_notifier_event event;
};

void mmu_notifier_range_init(struct mmu_notifier_range *range, enum mmu_notifier_event event,
			     unsigned int flags, struct mm_struct *mm, unsigned long start,
			     unsigned long end);
void mmu_notifier_invalidate_range_start(struct mmu_notifier_range *range);
void mmu_notifier_invalidate_range_end(struct mmu_notifier_range *range);

#endif
