/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seeds FOLDER FILE... - the texts FILE as the bytes that engines mutate, in FOLDER
 *
 * A file has the name of its text without the suffix. Beside them goes `zero`, a record of nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static bool write_bytes(const char *folder, const char *name, int len, const void *bytes,
			size_t size)
{
	char path[4096];
	bool good;
	FILE *out;

	snprintf(path, sizeof(path), "%s/%.*s", folder, len, name);
	out = fopen(path, "wb");
	good = out && fwrite(bytes, 1, size, out) == size;
	if (out && fclose(out) != 0)
		good = false;
	if (!good)
		perror(path);
	return good;
}

static bool convert(const char *folder, const char *path)
{
	static struct scenario sc;
	static uint8_t bytes[PD_MAX_BYTES];
	static char text[PD_MAX_RECORDS * PD_MAX_LINE];
	struct pd_parse how = { .strict = true, .file = path };
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot;
	long len = pd_fuzz_read(path, text, sizeof(text));

	if (len < 0)
		return false;
	if (!pd_parse(&sc, text, (size_t)len, &how)) {
		fprintf(stderr, "%s:%u:%u: %s\n", path, how.line, how.column, how.error);
		return false;
	}
	dot = strrchr(name, '.');
	return write_bytes(folder, name, (int)(dot ? (size_t)(dot - name) : strlen(name)), bytes,
			   pd_encode(&sc, bytes, sizeof(bytes)));
}

int main(int argc, char **argv)
{
	static const uint8_t zero[PD_RECORD_BYTES];

	if (argc < 3) {
		fprintf(stderr, "usage: %s FOLDER FILE...\n", argv[0]);
		return PD_FUZZ_TROUBLE;
	}
	if (mkdir(argv[1], 0777) != 0 && errno != EEXIST) {
		perror(argv[1]);
		return PD_FUZZ_TROUBLE;
	}
	for (int i = 2; i < argc; i++)
		if (!convert(argv[1], argv[i]))
			return PD_FUZZ_TROUBLE;
	return write_bytes(argv[1], "zero", 4, zero, sizeof(zero)) ? PD_FUZZ_CLEAN :
								       PD_FUZZ_TROUBLE;
}
