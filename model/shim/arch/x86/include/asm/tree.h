/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What x86 code of a kernel tree asks for besides: no shadow stacks, no memory encryption, and
 * every bit of an entry is supported.
 */
#ifndef PD_X86_TREE_H
#define PD_X86_TREE_H

#include <linux/compiler.h>
#include <linux/mm_types.h>

#define CONFIG_X86_64			1
#define CONFIG_X86_INTEL_MEMORY_PROTECTION_KEYS 1

typedef pteval_t pgprotval_t;

#define cpu_feature_enabled(feature)	false
#define cc_get_mask()			0UL
#define cc_mask				0UL
#define sme_me_mask			0UL
#define VM_SHADOW_STACK			VM_NONE
#define __supported_pte_mask		(~0UL)
#define __default_kernel_pte_mask	(~0UL)

/* Asked of one counter only: are flushes pending in this address space? */
#define atomic_read(counter)		(pd_world->deferred)

static inline bool test_and_clear_bit(long nr, volatile unsigned long *addr)
{
	unsigned long old = READ_ONCE(*addr);

	while (!try_cmpxchg(addr, &old, old & ~BIT(nr)))
		;
	return old & BIT(nr);
}

#endif
