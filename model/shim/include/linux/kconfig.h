/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration under which code of a kernel tree is compiled.
 */
#ifndef PD_LINUX_KCONFIG_H
#define PD_LINUX_KCONFIG_H

#define CONFIG_MMU			1
#define CONFIG_SMP			1
#define CONFIG_64BIT			1
#define CONFIG_TRANSPARENT_HUGEPAGE	1
#define CONFIG_USERFAULTFD		1
#define CONFIG_PTE_MARKER_UFFD_WP	1
#define CONFIG_ARM64_CONTPTE		1

/* IS_ENABLED(CONFIG_X): 1 when it is defined as 1, also inside #if. */
#define PD_KCONFIG_ARG_1		0,
#define PD_KCONFIG_SECOND(ignored, value, ...)	value
#define PD_KCONFIG_PICK(arg)		PD_KCONFIG_SECOND(arg 1, 0, 0)
#define PD_KCONFIG_VALUE(value)		PD_KCONFIG_PICK(PD_KCONFIG_ARG_##value)
#define PD_KCONFIG_EXPAND(value)	PD_KCONFIG_VALUE(value)
#define IS_ENABLED(option)		PD_KCONFIG_EXPAND(option)
#define IS_BUILTIN(option)		IS_ENABLED(option)

#endif
