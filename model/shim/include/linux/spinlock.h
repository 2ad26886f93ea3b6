/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_LINUX_SPINLOCK_H
#define PD_LINUX_SPINLOCK_H

#include "pd/types.h"

#define SINGLE_DEPTH_NESTING 1

/* What sparse is told of locks. */
#define __acquires(lock)
#define __releases(lock)
#define __acquire(lock)	((void)0)
#define __release(lock)	((void)0)

/* A page-table lock. Taking it twice is a deadlock, dropping it is where flushes are owed. */
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);

static inline void spin_lock_nested(spinlock_t *lock, int subclass)
{
	(void)subclass;
	spin_lock(lock);
}

#endif
