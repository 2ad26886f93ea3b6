/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "model/shim/include/pd/world.h"

static void *heap_get(void *ctx, size_t align, size_t size)
{
	size_t room = (size + align - 1) / align * align;
	void *memory = aligned_alloc(align, room);

	(void)ctx;
	return memory ? memset(memory, 0, room) : NULL;
}

const struct pd_memory pd_heap = { .get = heap_get };

struct pd_world *pd_world_new(void)
{
	return pd_world_new_in(&pd_heap);
}

struct pd_world *pd_world_new_in(const struct pd_memory *memory)
{
	struct pd_world *w = memory->get(memory->ctx, _Alignof(struct pd_world), sizeof(*w));

	if (!w)
		return NULL;
	w->tables = memory->get(memory->ctx, PD_TABLE_BYTES, PD_TABLES_BYTES);
	w->memmap = memory->get(memory->ctx, _Alignof(struct page),
				PD_NR_PFN * sizeof(*w->memmap));
	if (!w->tables || !w->memmap) {
		if (memory == &pd_heap)
			pd_world_free(w);
		return NULL;
	}
	for (unsigned int t = 0; t < PD_NR_TABLES; t++) {
		w->pmd[t] = (uintptr_t)w->tables + (2 * t + 1) * PD_TABLE_BYTES;
		w->slot_of[t] = (uint8_t)t;
		w->lock[t].table = t;
	}
	return w;
}

void pd_world_free(struct pd_world *w)
{
	if (!w)
		return;
	free(w->tables);
	free(w->memmap);
	free(w);
}

PD_NO_COVERAGE void pd_world_reset(struct pd_world *w)
{
	w->steps = 0;
	w->held = 0;
	w->anon_vma.held = false;
	w->lazy = 0;
	w->maps = 0;
	w->notify.active = false;
	w->notify.count = 0;
	w->nr_hw = 0;
	w->nr_pins = 0;
	w->hw_done = 0;
	w->faults.nr = 0;
	w->nr_written = 0;
	w->nr_events = 0;
	w->results.nr = 0;
	if (w->incidents)
		memset(w->incident, 0, sizeof(w->incident));
	w->incidents = 0;
	memset(&w->work, 0, sizeof(w->work));
	memset(w->pte_written, 0, sizeof(w->pte_written));
}

void pd_world_incident(struct pd_world *w, enum pd_incident kind, unsigned int va, uint64_t raw,
		       const char *text)
{
	struct pd_incident_info *info = &w->incident[kind];

	if (info->seen)
		return;
	*info = (struct pd_incident_info){ .seen = true, .va = va, .raw = raw, .text = text };
	w->incidents |= 1u << kind;
}

void pd_world_event(struct pd_world *w, enum pd_event_kind kind, unsigned int a, uint64_t b,
		    uint64_t c)
{
	if (w->nr_events < PD_MAX_EVENTS)
		w->event[w->nr_events] = (struct pd_event){ .kind = kind, .a = a, .b = b, .c = c };
	w->nr_events++;
}
