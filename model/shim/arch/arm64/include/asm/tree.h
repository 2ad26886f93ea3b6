/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What arm64 code of a kernel tree asks for besides: about the CPU, no erratum of which is worked
 * around here, and about address spaces, each of which is a user's.
 */
#ifndef PD_ARM64_TREE_H
#define PD_ARM64_TREE_H

#include <asm/tlbflush.h>
#include <linux/mm_types.h>

#define ARM64_WORKAROUND_2645198	0
#define alternative_has_cap_unlikely(capability) ((void)(capability), false)

/* The address space of the kernel: compared with, never looked at. */
#define init_mm		(*(struct mm_struct *)NULL)
#define mm_is_efi(mm)	((void)(mm), false)

/* A VMA that is no more than an address space, for a flush. */
#define TLB_FLUSH_VMA(mm, flags)	{ .vm_mm = (mm), .vm_flags = (flags) }

#endif
