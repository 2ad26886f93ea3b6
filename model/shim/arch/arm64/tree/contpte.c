/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accessors of a kernel tree for arm64 that are not inline: its contpte.c, in place of ours.
 */
#include <linux/mm.h>

#include "outofline.inc"
