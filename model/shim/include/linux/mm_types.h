/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_LINUX_MM_TYPES_H
#define PD_LINUX_MM_TYPES_H

#include "pd/types.h"

/* What clear_young_dirty_ptes() clears. */
typedef unsigned int cydp_t;
#define CYDP_CLEAR_YOUNG	((cydp_t)BIT(0))
#define CYDP_CLEAR_DIRTY	((cydp_t)BIT(1))

#endif
