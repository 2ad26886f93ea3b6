/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What arm64 code of a kernel tree asks for besides: the CPU has no erratum that is worked around
 * and no memory tagging, every address space is a user's, and barriers have nothing to order.
 */
#ifndef PD_ARM64_TREE_H
#define PD_ARM64_TREE_H

#include <asm/tlbflush.h>
#include <linux/compiler.h>
#include <linux/mm_types.h>

#define CONFIG_ARM64_4K_PAGES		1
#define ARM64_WORKAROUND_2645198	0
#define alternative_has_cap_unlikely(capability) ((void)(capability), false)
#define system_supports_mte()		false
#define mte_sync_tags(pte, nr)		((void)(pte), (void)(nr))
#define __sync_icache_dcache(pte)	((void)(pte))

/* Of CONFIG_DEBUG_VM; and huge entries, named in arguments of hooks that are none here. */
#define __check_safe_pte_update(mm, ptep, pte) ((void)0)
#define pte_pmd(pte)			((void)(pte))
#define pte_pud(pte)			((void)(pte))

#define dsb(domain)			((void)0)
#define isb()				((void)0)
#define queue_pte_barriers()		((void)0)
#define xchg_relaxed(ptr, val)		xchg(ptr, val)
#define cmpxchg_relaxed(ptr, old, val)	cmpxchg(ptr, old, val)

/* The address space of the kernel: compared with, never looked at. */
#define init_mm			(*(struct mm_struct *)NULL)
#define mm_is_efi(mm)		((void)(mm), false)
#define mm_tlb_flush_pending(mm) ((void)(mm), pd_world->deferred)

/* A VMA that is no more than an address space, for a flush. */
#define TLB_FLUSH_VMA(mm, flags)	{ .vm_mm = (mm), .vm_flags = (flags) }

/* Flushes by older names; the first argument is a VMA or an address space. */
#define flush_tlb_page_nosync(vma, addr)	__flush_tlb_page(vma, addr, TLBF_NOSYNC)
#define __flush_tlb_range_nosync(mm, start, end, stride, last_level, level) \
	((void)(mm), pd_tlb_flush(start, end))
#define TLBI_TTL_UNKNOWN		(-1)

#endif
