/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_LINUX_NODEMASK_H
#define PD_LINUX_NODEMASK_H

#include "pd/types.h"

#define MAX_NUMNODES	4
#define NUMA_NO_NODE	(-1)

typedef struct {
	unsigned long bits;
} nodemask_t;

static inline bool pd_node_isset(int node, const nodemask_t *mask)
{
	return mask->bits >> node & 1;
}
#define node_isset(node, mask)	pd_node_isset(node, &(mask))
#define node_set(node, mask)	((void)((mask).bits |= BIT(node)))
#define nodes_clear(mask)	((void)((mask).bits = 0))
#define nodes_empty(mask)	(!(mask).bits)

/* The lowest node in @mask; MAX_NUMNODES when it is empty. */
static inline int pd_first_node(const nodemask_t *mask)
{
	int node = 0;

	while (node < MAX_NUMNODES && !pd_node_isset(node, mask))
		node++;
	return node;
}
#define first_node(mask)	pd_first_node(&(mask))

#endif
