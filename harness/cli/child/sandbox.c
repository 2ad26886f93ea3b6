/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work in a child process: one byte asks for it, one byte says that it is done.
 */
#include "harness/cli/child/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/child/crash.h"

/* What there is to do, in shared memory. */
struct order {
	void (*work)(void *arg);
	void *arg;
};

struct pd_sandbox {
	struct order *order;
	pid_t child;		/* 0: none */
	int line;		/* to the child */
	int status;		/* of the last child that died */
};

/* Of this process. */
static bool inside, retired;

static _Noreturn void trouble(const char *what)
{
	fprintf(stderr, "ptediff: %s: ", what);
	perror(NULL);
	exit(PD_EXIT_TROUBLE);
}

void *pd_shared(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		trouble("no shared memory");
	return memory;
}

struct pd_sandbox *pd_sandbox_new(void)
{
	struct pd_sandbox *sb = pd_alloc(1, sizeof(*sb));

	sb->order = pd_shared(sizeof(*sb->order));
	return sb;
}

static ssize_t receive(int line, char *byte)
{
	ssize_t got;

	do
		got = read(line, byte, 1);
	while (got < 0 && errno == EINTR);
	return got;
}

/* What is buffered on standard output belongs to the parent: _exit() leaves it alone. */
static _Noreturn void serve(const struct order *order, int line)
{
	char byte;

	inside = true;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pd_catch_hangs();
	while (!retired && receive(line, &byte) == 1) {
		order->work(order->arg);
		byte = retired ? PD_ENDED_RETIRED : PD_ENDED_WELL;
		if (write(line, &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static void fork_child(struct pd_sandbox *sb)
{
	int line[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line))
		trouble("no line to a child process");
	sb->child = fork();
	if (sb->child < 0)
		trouble("no child process");
	if (!sb->child) {
		close(line[0]);
		serve(sb->order, line[1]);
	}
	close(line[1]);
	sb->line = line[0];
}

/* Somebody pressed Ctrl-C twice. */
static void end_like(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

/* Without its line the child ends; other children may have inherited this end of it. */
static void end_child(struct pd_sandbox *sb)
{
	if (!sb->child)
		return;
	shutdown(sb->line, SHUT_RDWR);
	close(sb->line);
	while (waitpid(sb->child, &sb->status, 0) < 0 && errno == EINTR)
		;
	sb->child = 0;
	if (WIFSIGNALED(sb->status) &&
	    (WTERMSIG(sb->status) == SIGINT || WTERMSIG(sb->status) == SIGTERM))
		end_like(WTERMSIG(sb->status));
}

void pd_sandbox_free(struct pd_sandbox *sb)
{
	if (!sb)
		return;
	end_child(sb);
	munmap(sb->order, sizeof(*sb->order));
	free(sb);
}

void pd_sandbox_start(struct pd_sandbox *sb, void (*work)(void *arg), void *arg)
{
	char byte = 0;

	*sb->order = (struct order){ work, arg };
	if (!sb->child)
		fork_child(sb);
	/* That it is dead shows when there is no answer. */
	send(sb->line, &byte, 1, MSG_NOSIGNAL);
}

enum pd_ended pd_sandbox_wait(struct pd_sandbox *sb)
{
	char byte = PD_ENDED_DEAD;

	if (receive(sb->line, &byte) != 1)
		byte = PD_ENDED_DEAD;
	if (byte != PD_ENDED_WELL)
		end_child(sb);
	return (enum pd_ended)byte;
}

const char *pd_sandbox_death(const struct pd_sandbox *sb)
{
	const char *name;

	if (!WIFSIGNALED(sb->status))
		return "it ended its process";
	name = sigdescr_np(WTERMSIG(sb->status));
	return name ? name : "a signal ended its process";
}

bool pd_sandbox_inside(void)
{
	return inside;
}

void pd_sandbox_retire(void)
{
	retired = true;
}

bool pd_sandbox_retired(void)
{
	return retired;
}
