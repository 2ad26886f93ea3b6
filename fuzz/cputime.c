/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cputime FILE COMMAND [ARGUMENT...] - run a command; write its CPU time to FILE
 *
 * FILE receives user seconds, system seconds and seconds of the clock. Unlike the shell's `time`
 * this counts the descendants that nobody waited for, and ends those that outlive the command:
 * afl-fuzz leaves its target behind. Exits as the command did, 128 + n after signal n.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

static volatile sig_atomic_t command;

static void forward(int number)
{
	if (command > 0)
		kill(command, number);
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The orphans that came to this process: it is their subreaper. */
static void kill_children(void)
{
	char path[64];
	FILE *in;
	int pid;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	in = fopen(path, "r");
	if (!in)
		return;
	while (fscanf(in, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	fclose(in);
}

/* Wait for the command, then end and wait for whatever is left. Return: its wait status. */
static int wait_for_all(pid_t pid)
{
	int status, result = 0;
	bool running = true;
	pid_t done;

	for (;;) {
		if (!running)
			kill_children();
		done = waitpid(-1, &status, 0);
		if (done < 0 && errno == ECHILD)
			return result;
		if (done == pid) {
			running = false;
			result = status;
		}
	}
}

static bool write_times(const char *path, double real)
{
	struct rusage usage;
	FILE *out = fopen(path, "w");

	if (!out)
		return false;
	getrusage(RUSAGE_CHILDREN, &usage);
	fprintf(out, "%.3f %.3f %.3f\n", seconds(usage.ru_utime), seconds(usage.ru_stime), real);
	return fclose(out) == 0;
}

int main(int argc, char **argv)
{
	double start = now();
	int status;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: %s FILE COMMAND [ARGUMENT...]\n", argv[0]);
		return PD_FUZZ_TROUBLE;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
		_exit(127);
	}
	if (pid < 0) {
		perror("fork");
		return PD_FUZZ_TROUBLE;
	}
	command = pid;
	signal(SIGINT, forward);
	signal(SIGTERM, forward);
	status = wait_for_all(pid);
	if (!write_times(argv[1], now() - start)) {
		perror(argv[1]);
		return PD_FUZZ_TROUBLE;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
