/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a batch may go: to the end of the table on either side, since it holds the locks of two
 * tables and no others. tests/shim/ proves the two forms equal.
 */
#ifndef PD_UFFD_MOVE_CLAMP_H
#define PD_UFFD_MOVE_CLAMP_H

#include "pd/types.h"

/* As posted in v5: a single page is not looked at twice. Return: where the source's part ends. */
static inline unsigned long uffd_batch_end_v5(unsigned long dst_addr, unsigned long src_addr,
					      unsigned long len)
{
	if (len > PAGE_SIZE) {
		len = pmd_addr_end(dst_addr, dst_addr + len) - dst_addr;
		return pmd_addr_end(src_addr, src_addr + len);
	}
	return src_addr + len;
}

/* As in v6 and released: always. */
static inline unsigned long uffd_batch_end(unsigned long dst_addr, unsigned long src_addr,
					   unsigned long len)
{
	len = pmd_addr_end(dst_addr, dst_addr + len) - dst_addr;
	return pmd_addr_end(src_addr, src_addr + len);
}

#endif
