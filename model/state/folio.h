/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What other parts of a kernel do to folios while an operation runs: splitting, the end of a
 * migration, the swap cache. An operation calls or waits for them; they are not under test, so
 * the state says what they leave, and the shim does the same to the world.
 */
#ifndef PD_STATE_FOLIO_H
#define PD_STATE_FOLIO_H

#include "state.h"

/**
 * pd_state_split_folio() - every page of the folio at @head becomes a folio of its own
 *
 * Entries keep what they say, but no contpte block is left of those that map it. There is no
 * memory here, so no page turns out to be filled with zeros.
 */
void pd_state_split_folio(struct pd_state *s, unsigned int head);

/**
 * pd_state_end_migration() - the migration that the entry at @va waits for is over
 *
 * Its page is mapped again, in the same frame, clean and old. It is exclusive, and writable when
 * the entry said so, if nothing else names the page.
 */
void pd_state_end_migration(struct pd_state *s, unsigned int va);

/**
 * pd_state_swapcache() - the frame that caches what the swap entry @pte names
 *
 * Slot n of device 0 belongs to the folio of frame n while that is in the swap cache, anonymous
 * and not mapped. Return: PD_NR_PFN when there is none.
 */
unsigned int pd_state_swapcache(const struct pd_state *s, lpte_t pte);

#endif
