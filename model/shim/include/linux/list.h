/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Doubly linked lists with a head. What is taken off a list has null links, as it had before.
 */
#ifndef PD_LINUX_LIST_H
#define PD_LINUX_LIST_H

#include "pd/types.h"

#define LIST_HEAD_INIT(name)	{ &(name), &(name) }
#define LIST_HEAD(name)		struct list_head name = LIST_HEAD_INIT(name)

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline void pd_list_insert(struct list_head *entry, struct list_head *prev,
				  struct list_head *next)
{
	entry->next = next;
	entry->prev = prev;
	prev->next = entry;
	next->prev = entry;
}

static inline void list_add(struct list_head *entry, struct list_head *head)
{
	pd_list_insert(entry, head, head->next);
}

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	pd_list_insert(entry, head->prev, head);
}

static inline void list_del(struct list_head *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
	entry->next = NULL;
	entry->prev = NULL;
}

#define list_entry(ptr, type, member)		container_of(ptr, type, member)
#define list_first_entry(head, type, member)	list_entry((head)->next, type, member)
#define list_next_entry(pos, member)	\
	list_entry((pos)->member.next, __typeof__(*(pos)), member)
#define list_entry_is_head(pos, head, member)	(&(pos)->member == (head))

#define list_for_each_entry(pos, head, member)						\
	for ((pos) = list_first_entry(head, __typeof__(*(pos)), member);		\
	     !list_entry_is_head(pos, head, member); (pos) = list_next_entry(pos, member))

/* The same for a body that takes @pos off the list; @n is one ahead. */
#define list_for_each_entry_safe(pos, n, head, member)					\
	for ((pos) = list_first_entry(head, __typeof__(*(pos)), member),			\
	     (n) = list_next_entry(pos, member); !list_entry_is_head(pos, head, member);	\
	     (pos) = (n), (n) = list_next_entry(n, member))

#endif
