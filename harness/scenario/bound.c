/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is bound to an operation: the records between it and the operation before.
 */
#include "layout.h"

void pd_faults_bound(struct pd_faults *faults, const struct pd_record *rec,
		     const struct pd_record *end)
{
	faults->nr = 0;
	for (; rec < end && faults->nr < PD_MAX_FAULTS; rec++) {
		if (rec->kind != PD_KIND_FAULT)
			continue;
		faults->list[faults->nr++] = (struct pd_fault){
			.site = (uint8_t)pd_record_get(rec, PD_FAULT_F_SITE),
			.va = pd_record_get(rec, PD_FAULT_F_VA),
			.times = (uint8_t)(pd_record_get(rec, PD_FAULT_F_TIMES) + 1),
		};
	}
}
