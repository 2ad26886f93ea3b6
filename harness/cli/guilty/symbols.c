/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug information, read by llvm-symbolizer: one run for any number of addresses. (addr2line of
 * binutils 2.40 does not know the names of functions that clang 14 inlined.)
 */
#include "harness/cli/guilty/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct image {
	uintptr_t base, end;
};

/* The program itself is the first in the list. */
static int first_image(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct image *image = ctx;

	(void)size;
	image->base = info->dlpi_addr;
	for (unsigned int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t end = image->base + segment->p_vaddr + segment->p_memsz;

		if (segment->p_type == PT_LOAD && end > image->end)
			image->end = end;
	}
	return 1;
}

/* The addresses as they are in the file, one a line; those of libraries as 0. */
static int write_addresses(const uintptr_t *pc, unsigned int nr)
{
	struct image image = { 0 };
	int fd = memfd_create("addresses", MFD_CLOEXEC);

	dl_iterate_phdr(first_image, &image);
	for (unsigned int i = 0; i < nr && fd >= 0; i++) {
		bool own = pc[i] >= image.base && pc[i] < image.end;

		dprintf(fd, "0x%lx\n", own ? (unsigned long)(pc[i] - image.base) : 0ul);
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

static FILE *start(int addresses, pid_t *child)
{
	char exe[4096];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *argv[] = { "llvm-symbolizer", "--output-style=GNU", "-a", "-f", "-i", "-e", exe,
			 NULL };
	posix_spawn_file_actions_t actions;
	int line[2], failed;

	if (len < 0 || pipe2(line, O_CLOEXEC))
		return NULL;
	exe[len] = '\0';
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, addresses, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, line[1], STDOUT_FILENO);
	failed = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(line[1]);
	if (!failed)
		return fdopen(line[0], "r");
	close(line[0]);
	return NULL;
}

static bool next_line(FILE *in, char *line, size_t size)
{
	if (!fgets(line, (int)size, in))
		return false;
	line[strcspn(line, "\n")] = '\0';
	return true;
}

/* "file:line" or "file:line (discriminator n)"; what is not known is a question mark. */
static bool split_place(char *place, struct pd_frame *frame)
{
	char *colon = strrchr(place, ':');

	if (!colon || place[0] == '?')
		return false;
	*colon = '\0';
	frame->file = place;
	frame->line = (unsigned int)strtoul(colon + 1, NULL, 10);
	return true;
}

/* An address; then pairs of lines: a function, a place. */
static void read_frames(FILE *in, void (*use)(void *ctx, unsigned int index,
					      const struct pd_frame *frame), void *ctx)
{
	char function[256], place[4096];
	unsigned int seen = 0;

	while (next_line(in, function, sizeof(function))) {
		struct pd_frame frame = { .function = function };

		if (!strncmp(function, "0x", 2))
			seen++;
		else if (next_line(in, place, sizeof(place)) && split_place(place, &frame) && seen)
			use(ctx, seen - 1, &frame);
	}
}

bool pd_symbolize(const uintptr_t *pc, unsigned int nr,
		  void (*use)(void *ctx, unsigned int index, const struct pd_frame *frame),
		  void *ctx)
{
	int addresses = write_addresses(pc, nr);
	int status = -1;
	pid_t child;
	FILE *in = addresses >= 0 ? start(addresses, &child) : NULL;

	if (in) {
		read_frames(in, use, ctx);
		fclose(in);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	}
	if (addresses >= 0)
		close(addresses);
	return in && WIFEXITED(status) && !WEXITSTATUS(status);
}

enum pd_owner pd_owner_of(const char *file)
{
	if (strstr(file, "/model/shim/") || strstr(file, "/model/world.c"))
		return PD_OWNER_SHIM;
	return strstr(file, "/harness/") ? PD_OWNER_HARNESS : PD_OWNER_TESTED;
}

const char *pd_short_path(const char *file, const char *root)
{
	size_t len = root ? strlen(root) : 0;
	const char *own = strstr(file, "/model/");

	if (len && !strncmp(file, root, len) && file[len] == '/')
		return file + len + 1;
	return own ? own + 1 : file;
}
