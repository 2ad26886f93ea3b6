/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_LINUX_HUGE_MM_H
#define PD_LINUX_HUGE_MM_H

#include <linux/mm.h>

/**
 * split_folio() - make every page of a locked folio a folio of its own
 *
 * The caller keeps lock and reference of what was the head. Return: -EAGAIN when somebody else
 * has a reference, for however long, and -EBUSY when a fault of the scenario says so.
 */
int split_folio(struct folio *folio);

#endif
