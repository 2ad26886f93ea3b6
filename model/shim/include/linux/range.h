/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranges that include their end. The one from 0 to -1 is empty, by wrapping.
 */
#ifndef PD_LINUX_RANGE_H
#define PD_LINUX_RANGE_H

#include "pd/types.h"

struct range {
	u64 start, end;
};

#define DEFINE_RANGE(first, last) ((struct range){ .start = (first), .end = (last) })

static inline u64 range_len(const struct range *range)
{
	return range->end - range->start + 1;
}

#endif
