/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a scenario, bytes or text.
 */
#include "harness/cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE (16u << 20)

/* The whole stream; NULL with errno set. EFBIG when it is no scenario by its size alone. */
static char *read_all(FILE *in, size_t *len)
{
	size_t room = 8192, nr = 0;
	char *data = malloc(room), *more;

	while (data) {
		nr += fread(data + nr, 1, room - nr, in);
		if (nr < room)
			break;
		errno = EFBIG;
		more = room < MAX_FILE ? realloc(data, room *= 2) : NULL;
		if (!more)
			free(data);
		data = more;
	}
	if (data && ferror(in)) {
		free(data);
		return NULL;
	}
	*len = nr;
	return data;
}

static char *load(const char *path, size_t *len)
{
	bool std = !strcmp(path, "-");
	FILE *in = std ? stdin : fopen(path, "rb");
	char *data;
	int error;

	if (!in)
		return NULL;
	errno = 0;
	data = read_all(in, len);
	error = errno;
	if (!std)
		fclose(in);
	errno = error;
	return data;
}

static bool parse(struct pd_input *in, const char *data, size_t len)
{
	const char *file = in->parse.file;

	if (!pd_parse(&in->sc, data, len, &in->parse)) {
		fprintf(stderr, "%s:%u:%u: %s\n", file, in->parse.line, in->parse.column,
			in->parse.error);
		return false;
	}
	if (in->parse.skipped)
		fprintf(stderr, "%s: warning: %u lines were not understood and skipped\n", file,
			in->parse.skipped);
	return true;
}

bool pd_input_load(struct pd_input *in, const char *path, bool strict)
{
	size_t len = 0;
	char *data = load(path, &len);
	bool good = true;

	memset(&in->parse, 0, sizeof(in->parse));
	in->parse.strict = strict;
	in->parse.file = strcmp(path, "-") ? path : "<stdin>";
	if (!data) {
		fprintf(stderr, "%s: cannot be read: %s\n", in->parse.file, strerror(errno));
		return false;
	}
	in->text = pd_is_text(data, len);
	if (in->text)
		good = parse(in, data, len);
	else
		pd_decode(&in->sc, (const uint8_t *)data, len);
	free(data);
	return good;
}
