/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_LINUX_SWAP_H
#define PD_LINUX_SWAP_H

#include <linux/mm.h>

/* swap_cache_has_folio() - is the entry cached? */
bool swap_cache_has_folio(swp_entry_t entry);

/**
 * swap_cache_get_folio() - the folio that caches a swap entry, with a reference, or NULL
 *
 * Slot n of device 0 belongs to the folio of frame n while that is in the swap cache, anonymous
 * and not mapped.
 */
struct folio *swap_cache_get_folio(swp_entry_t entry);

#endif
