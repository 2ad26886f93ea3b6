/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Faults of an operation: what fails although nothing in the state says so, and how often.
 *
 * They are keyed to a page, never to the number of a call: two forms of an operation call
 * differently often. The reference meets the same faults as an implementation.
 */
#ifndef PD_STATE_FAULT_H
#define PD_STATE_FAULT_H

#include <stdint.h>

enum pd_fault_site {
	PD_FAULT_MAP,		/* mapping the page table fails: -EAGAIN */
	PD_FAULT_TRYLOCK,
	PD_FAULT_ISOLATE,
	PD_FAULT_SPLIT,
	PD_NR_FAULT_SITES
};

struct pd_fault {
	uint16_t va;		/* the page or, for PD_FAULT_MAP, any page of the table */
	uint8_t site;		/* enum pd_fault_site */
	uint8_t times;		/* how often it still fails */
};

#define PD_MAX_FAULTS	16u

struct pd_faults {
	unsigned int nr;
	struct pd_fault list[PD_MAX_FAULTS];
};

#endif
