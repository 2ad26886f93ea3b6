/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The target without an engine: judges the files, and the files in the folders, named as
 * arguments. A finding ends a process the way it does under an engine, so each file has a child
 * of its own and the rest is judged all the same. With -runs=N, as libFuzzer has it, each file
 * is judged N times.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

static unsigned long runs = 1;

static int worse(int a, int b)
{
	return a > b ? a : b;
}

/* What is beyond the buffer is not read: bytes that long are no scenario, text is hardly ever. */
static int replay_bytes(const char *path)
{
	static uint8_t data[16 * PD_MAX_BYTES];
	long len = pd_fuzz_read(path, data, sizeof(data));

	if (len < 0)
		return PD_FUZZ_TROUBLE;
	for (unsigned long i = 0; i < runs; i++)
		LLVMFuzzerTestOneInput(data, (size_t)len);
	return PD_FUZZ_CLEAN;
}

static int replay_file(const char *path)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		_exit(replay_bytes(path));
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		perror(path);
		return PD_FUZZ_TROUBLE;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) != PD_FUZZ_FINDINGS)
		return WEXITSTATUS(status);
	fprintf(stderr, "%s: a finding\n", path);
	return PD_FUZZ_FINDINGS;
}

static int replay(const char *path);

static int replay_entry(const char *folder, const char *name)
{
	char path[4096];
	int len = snprintf(path, sizeof(path), "%s/%s", folder, name);

	if (len < 0 || (size_t)len >= sizeof(path)) {
		fprintf(stderr, "%s/%s: the name is too long\n", folder, name);
		return PD_FUZZ_TROUBLE;
	}
	return replay(path);
}

static int replay_folder(const char *path)
{
	struct dirent **entries;
	int nr = scandir(path, &entries, NULL, alphasort);
	int result = PD_FUZZ_CLEAN;

	if (nr < 0) {
		perror(path);
		return PD_FUZZ_TROUBLE;
	}
	for (int i = 0; i < nr; i++) {
		if (entries[i]->d_name[0] != '.')
			result = worse(result, replay_entry(path, entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
	return result;
}

static int replay(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		perror(path);
		return PD_FUZZ_TROUBLE;
	}
	return S_ISDIR(st.st_mode) ? replay_folder(path) : replay_file(path);
}

static bool take_runs(const char *arg)
{
	char *end;

	if (strncmp(arg, "-runs=", 6) != 0)
		return false;
	errno = 0;
	runs = strtoul(arg + 6, &end, 10);
	return !errno && end != arg + 6 && !*end;
}

int main(int argc, char **argv)
{
	int result = PD_FUZZ_CLEAN;
	int first = 1;

	LLVMFuzzerInitialize(&argc, &argv);
	if (argc > 1 && argv[1][0] == '-')
		first = take_runs(argv[1]) ? 2 : argc;
	if (first >= argc) {
		fprintf(stderr, "usage: %s [-runs=N] FILE|FOLDER...\n", argv[0]);
		return PD_FUZZ_TROUBLE;
	}
	for (int i = first; i < argc; i++)
		result = worse(result, replay(argv[i]));
	return result;
}
