/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry accessors of a kernel tree for x86 that are not inline.
 */
#include <linux/mm.h>

#include "outofline.inc"
