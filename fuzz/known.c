/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signatures that have been found already: an engine ends at the first divergence, so a shallow one
 * would hide whatever is behind it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define MAX_TEXT (1u << 20)

bool pd_known_read(struct pd_known *known, const char *path)
{
	FILE *in = fopen(path, "r");
	bool good;

	if (!in)
		return errno == ENOENT;
	known->text = calloc(1, MAX_TEXT);
	good = known->text != NULL;
	if (good) {
		/* Each line between two ends of a line. */
		known->text[0] = '\n';
		fread(known->text + 1, 1, MAX_TEXT - 2, in);
		good = !ferror(in);
	}
	fclose(in);
	return good;
}

bool pd_known_has(const struct pd_known *known, const char *signature)
{
	size_t len = strlen(signature);
	const char *at = known->text;

	while (at && (at = strstr(at, signature))) {
		if (at[-1] == '\n' && (at[len] == '\n' || at[len] == '\0'))
			return true;
		at += len;
	}
	return false;
}
