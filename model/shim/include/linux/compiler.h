/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * READ_ONCE() and its kin. Code may use them on page tables instead of an accessor; they then
 * count, check and trace as one.
 */
#ifndef PD_LINUX_COMPILER_H
#define PD_LINUX_COMPILER_H

#include "pd/raw.h"

/* Does @ptr point at a whole entry of the page tables, or at a guard between them? */
static inline bool pd_is_entry(const volatile void *ptr, size_t size)
{
	return size == sizeof(pteval_t) &&
	       (uintptr_t)ptr - (uintptr_t)pd_world->tables < PD_TABLES_BYTES;
}

static inline void pd_read(void *to, const volatile void *ptr, size_t size)
{
	pteval_t val;

	if (!pd_is_entry(ptr, size)) {
		memcpy(to, (const void *)ptr, size);
		return;
	}
	val = pd_raw_read((const pte_t *)ptr);
	memcpy(to, &val, size);
}

static inline void pd_write(volatile void *ptr, const void *from, size_t size)
{
	pteval_t val;

	if (!pd_is_entry(ptr, size)) {
		memcpy((void *)ptr, from, size);
		return;
	}
	memcpy(&val, from, size);
	pd_raw_set((pte_t *)ptr, val);
}

static inline void pd_xchg(void *old, volatile void *ptr, const void *from, size_t size)
{
	pteval_t val;

	if (!pd_is_entry(ptr, size)) {
		memcpy(old, (const void *)ptr, size);
		memcpy((void *)ptr, from, size);
		return;
	}
	memcpy(&val, from, size);
	val = pd_raw_xchg((pte_t *)ptr, val);
	memcpy(old, &val, size);
}

/* Returns whether *@ptr was *@old and is now *@from; otherwise *@old is what it was. */
static inline bool pd_cmpxchg(volatile void *ptr, void *old, const void *from, size_t size)
{
	pteval_t was, val;
	bool done;

	if (!pd_is_entry(ptr, size)) {
		done = !memcmp((const void *)ptr, old, size);
		memcpy(done ? (void *)ptr : old, done ? from : (const void *)ptr, size);
		return done;
	}
	memcpy(&was, old, size);
	memcpy(&val, from, size);
	done = pd_raw_cmpxchg((pte_t *)ptr, &was, val);
	memcpy(old, &was, size);
	return done;
}

#define READ_ONCE(x)							\
({									\
	__typeof__(x) pd_val_;						\
	pd_read(&pd_val_, &(x), sizeof(x));				\
	pd_val_;							\
})

#define WRITE_ONCE(x, val)						\
do {									\
	__typeof__(x) pd_val_ = (val);					\
	pd_write(&(x), &pd_val_, sizeof(x));				\
} while (0)

#define xchg(ptr, val)							\
({									\
	__typeof__(*(ptr)) pd_new_ = (val), pd_old_;			\
	pd_xchg(&pd_old_, (ptr), &pd_new_, sizeof(*(ptr)));		\
	pd_old_;							\
})

#define try_cmpxchg(ptr, oldp, val)					\
({									\
	__typeof__(*(ptr)) pd_new_ = (val);				\
	pd_cmpxchg((ptr), (oldp), &pd_new_, sizeof(*(ptr)));		\
})

#define cmpxchg(ptr, old, val)						\
({									\
	__typeof__(*(ptr)) pd_was_ = (old);				\
	(void)try_cmpxchg((ptr), &pd_was_, (val));			\
	pd_was_;							\
})

#endif
