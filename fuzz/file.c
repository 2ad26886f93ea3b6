/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading of input files, where no engine does it. */
#include <stdio.h>

#include "fuzz.h"

long pd_fuzz_read(const char *path, void *data, size_t room)
{
	FILE *in = fopen(path, "rb");
	size_t len;
	bool good;

	if (!in) {
		perror(path);
		return -1;
	}
	len = fread(data, 1, room, in);
	good = !ferror(in);
	if (!good)
		perror(path);
	fclose(in);
	return good ? (long)len : -1;
}
