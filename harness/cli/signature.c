/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signatures as names, what a file asks to be judged, and reproducers on disk.
 */
#include "harness/cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool pd_signature_impl(const char *signature, char *impl, size_t size)
{
	const char *from = strchr(signature, '/');
	size_t len = from ? strcspn(from + 1, "/") : 0;

	if (!len || len >= size || !from[1 + len] || !strchr(from + len + 2, '/'))
		return false;
	memcpy(impl, from + 1, len);
	impl[len] = '\0';
	return true;
}

void pd_signature_file(const char *signature, char *name, size_t size)
{
	size_t i;

	for (i = 0; i + 1 < size && signature[i]; i++) {
		unsigned char c = (unsigned char)signature[i];

		name[i] = isalnum(c) || c == '.' || c == '_' ? (char)c : '-';
	}
	name[i] = '\0';
}

static void no_signature(const char *text, char *error, size_t size)
{
	snprintf(error, size, "'%s' is no signature: expected operation/implementation/"
		 "field/relation", text);
}

bool pd_select_for(struct pd_selection *sel, const struct pd_input *in, const char *impl,
		   const char *arch, char *error, size_t size)
{
	char about[64];

	if (!impl && *in->parse.impl)
		impl = in->parse.impl;
	if (!impl && *in->parse.expect) {
		if (!pd_signature_impl(in->parse.expect, about, sizeof(about))) {
			no_signature(in->parse.expect, error, size);
			return false;
		}
		impl = about;
	}
	return pd_select(sel, NULL, impl, arch, error, size);
}

bool pd_select_signature(struct pd_selection *sel, const struct pd_input *in, const char *impl,
			 const char *arch, const char *signature, char *error, size_t size)
{
	char about[64];

	if (signature && !pd_signature_impl(signature, about, sizeof(about))) {
		no_signature(signature, error, size);
		return false;
	}
	return pd_select_for(sel, in, signature && !impl ? about : impl, arch, error, size);
}

bool pd_save(const char *path, const struct scenario *sc, const char *expect, const char *impl)
{
	FILE *out = fopen(path, "w");
	bool good = out != NULL;

	if (good) {
		pd_print(out, sc, expect, impl);
		good = !ferror(out);
		good = !fclose(out) && good;
	}
	if (!good)
		fprintf(stderr, "ptediff: %s: cannot be written: %s\n", path, strerror(errno));
	return good;
}

bool pd_make_folder(const char *path)
{
	if (!mkdir(path, 0777) || errno == EEXIST)
		return true;
	fprintf(stderr, "ptediff: %s: cannot be made: %s\n", path, strerror(errno));
	return false;
}
