/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kselftest/head.c.in and body.c.in as strings; cmake/embed.cmake makes them.
 */
#ifndef PD_KSELFTEST_TEXT_H
#define PD_KSELFTEST_TEXT_H

extern const char pd_kselftest_head[];
extern const char pd_kselftest_body[];

#endif
