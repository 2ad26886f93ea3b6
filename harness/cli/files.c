/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and folders given on the command line as one list of files.
 */
#include "harness/cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool trouble(const char *path)
{
	fprintf(stderr, "%s: %s\n", path, strerror(errno));
	return false;
}

static bool append(struct pd_files *files, const char *path)
{
	if (files->nr == files->room) {
		size_t room = files->room ? 2 * files->room : 64;
		char **name = realloc(files->name, room * sizeof(*name));

		if (!name)
			return trouble(path);
		files->name = name;
		files->room = room;
	}
	files->name[files->nr] = strdup(path);
	if (!files->name[files->nr])
		return trouble(path);
	files->nr++;
	return true;
}

/* Not hidden: a corpus folder of an engine may hold a .cur_input and the like. */
static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static bool add_folder(struct pd_files *files, const char *path)
{
	struct dirent **entry;
	int nr = scandir(path, &entry, visible, alphasort);
	bool good = nr >= 0;

	if (!good)
		return trouble(path);
	for (int i = 0; i < nr; i++) {
		char *name;

		if (good && asprintf(&name, "%s/%s", path, entry[i]->d_name) >= 0) {
			good = pd_files_add(files, name);
			free(name);
		}
		free(entry[i]);
	}
	free(entry);
	return good;
}

bool pd_files_add(struct pd_files *files, const char *path)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return append(files, path);
	if (stat(path, &st))
		return trouble(path);
	return S_ISDIR(st.st_mode) ? add_folder(files, path) : append(files, path);
}

void pd_files_free(struct pd_files *files)
{
	for (size_t i = 0; i < files->nr; i++)
		free(files->name[i]);
	free(files->name);
	memset(files, 0, sizeof(*files));
}
