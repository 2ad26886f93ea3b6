/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types and small macros that kernel code takes for granted.
 */
#ifndef PD_SHIM_TYPES_H
#define PD_SHIM_TYPES_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pd/world.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
typedef int32_t s32;
typedef unsigned long pgoff_t;
typedef unsigned long vm_flags_t;
typedef unsigned int __bitwise_t;

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define noinline	__attribute__((__noinline__))
#define __maybe_unused	__attribute__((__unused__))
#define fallthrough	__attribute__((__fallthrough__))
#define __force
#define __bitwise
#define __user
#define __init
#define __ref
#define EXPORT_SYMBOL_GPL(sym)	struct pd_export_##sym
#define EXPORT_SYMBOL(sym)	struct pd_export_##sym

#define UL(x)		x##UL
#define _AC(x, y)	x##y
#define BIT(n)		(1UL << (n))
#define BIT_ULL(n)	(1ULL << (n))
#define BITS_PER_LONG	64
#define GENMASK_ULL(h, l)	((~0ULL << (l)) & (~0ULL >> (63 - (h))))
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define min(a, b)							\
({									\
	__typeof__(a) pd_a_ = (a);					\
	__typeof__(b) pd_b_ = (b);					\
	pd_a_ < pd_b_ ? pd_a_ : pd_b_;					\
})
#define max(a, b)							\
({									\
	__typeof__(a) pd_a_ = (a);					\
	__typeof__(b) pd_b_ = (b);					\
	pd_a_ > pd_b_ ? pd_a_ : pd_b_;					\
})
#define clamp_t(type, x, lo, hi)	min_t(type, max_t(type, x, lo), hi)
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define MIN(a, b)		((a) < (b) ? (a) : (b))
#define MAX(a, b)		((a) > (b) ? (a) : (b))
#define ALIGN(x, a)		(((x) + ((__typeof__(x))(a) - 1)) & ~((__typeof__(x))(a) - 1))
#define ALIGN_DOWN(x, a)	((x) & ~((__typeof__(x))(a) - 1))
#define IS_ALIGNED(x, a)	(((x) & ((__typeof__(x))(a) - 1)) == 0)
#define PTR_ALIGN_DOWN(p, a)	((__typeof__(p))ALIGN_DOWN((uintptr_t)(p), (a)))
#define swap(a, b)							\
do {									\
	__typeof__(a) pd_swap_ = (a);					\
	(a) = (b);							\
	(b) = pd_swap_;							\
} while (0)
#define container_of(ptr, type, member)	((type *)((char *)(ptr) - offsetof(type, member)))

#define PAGE_SHIFT	12
#define PAGE_SIZE	(1UL << PAGE_SHIFT)
#define PAGE_MASK	(~(PAGE_SIZE - 1))
#define PMD_SHIFT	21
#define PMD_SIZE	(1UL << PMD_SHIFT)
#define PMD_MASK	(~(PMD_SIZE - 1))

/* The next table boundary after @addr, or @end when that comes first; right up to the top. */
#define pmd_addr_end(addr, end)							\
({										\
	unsigned long pd_bound_ = ((addr) + PMD_SIZE) & PMD_MASK;		\
	pd_bound_ - 1 < (end) - 1 ? pd_bound_ : (end);				\
})

typedef struct {
	uintptr_t pmd;
} pmd_t;

typedef struct pd_lock spinlock_t;

struct anon_vma;
struct address_space;

struct mm_struct {
	struct pd_world *pd_world;
};

struct file;

struct vm_area_struct;

/* vm_flags of our own; code names them, nobody depends on the numbers. */
#define VM_NONE		0UL
#define VM_READ		BIT(0)
#define VM_WRITE	BIT(1)
#define VM_EXEC		BIT(2)
#define VM_SHARED	BIT(3)
#define VM_MAYWRITE	BIT(4)
#define VM_PFNMAP	BIT(5)
#define VM_LOCKED	BIT(6)
#define VM_SOFTDIRTY	BIT(7)
#define VM_UFFD_MISSING	BIT(8)
#define VM_UFFD_WP	BIT(9)

#endif
