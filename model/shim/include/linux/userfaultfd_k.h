/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_LINUX_USERFAULTFD_K_H
#define PD_LINUX_USERFAULTFD_K_H

#include <linux/mm.h>

#define UFFDIO_MOVE_MODE_DONTWAKE		((u64)1 << 0)
#define UFFDIO_MOVE_MODE_ALLOW_SRC_HOLES	((u64)1 << 1)

#endif
