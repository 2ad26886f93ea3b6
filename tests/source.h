/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of the source tree, for tests. */
#ifndef PD_TESTS_SOURCE_H
#define PD_TESTS_SOURCE_H

#include <stdio.h>

/* Read the file @path, from the top of the repository (PD_TOP), into @buf; -1 on failure. */
static inline long read_source(const char *path, char *buf, size_t size)
{
	char name[4096];
	size_t len;
	FILE *in;

	snprintf(name, sizeof(name), "%s/%s", PD_TOP, path);
	in = fopen(name, "r");
	if (!in)
		return -1;
	len = fread(buf, 1, size - 1, in);
	fclose(in);
	buf[len] = '\0';
	return (long)len;
}

#endif
