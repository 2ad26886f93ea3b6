/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one fuzz target: bytes in, every correct implementation judged on both arches.
 *
 * Four variables of the environment are read, here and nowhere else:
 *
 *   PTEDIFF_IMPL	comma-separated implementations to judge, wrong ones and bugs too
 *   PTEDIFF_ARCH	x86 or arm64: this arch only
 *   PTEDIFF_COUNTERS	file that receives the verdict counters (fuzz.h)
 *   PTEDIFF_KNOWN	file with signatures, one a line, that are counted and no longer reported
 *
 * A divergence is reported to stderr and ends in abort(), in a stack frame that belongs to the
 * broken contract row: engines and crash triage tell findings apart by their stack.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#ifndef PD_FUZZ_OP
#define PD_FUZZ_OP NULL
#endif

static struct {
	struct pd_judge *judge;
	struct pd_judge *probe;		/* what is behind a known signature; does not count */
	struct pd_selection selection;
	struct pd_known known;
	struct pd_counters *counters;
	struct scenario scenario;
	bool running;
} fuzz;

/* ---- one stack frame for each contract row ---- */

#define ROWS(F)									\
	F(00) F(01) F(02) F(03) F(04) F(05) F(06) F(07) F(08) F(09)		\
	F(10) F(11) F(12) F(13) F(14) F(15) F(16) F(17) F(18) F(19)		\
	F(20) F(21) F(22) F(23) F(24) F(25) F(26) F(27) F(28) F(29)		\
	F(30) F(31) F(32) F(33) F(34) F(35) F(36) F(37) F(38) F(39)		\
	F(40) F(41) F(42) F(43) F(44) F(45) F(46) F(47) F(48) F(49)		\
	F(50) F(51) F(52) F(53) F(54) F(55) F(56) F(57) F(58) F(59)

/* The assembler comment differs, so that no compiler folds the functions into one. */
#define ROW_FUNCTION(nr)							\
	static __attribute__((noinline, noreturn)) void contract_row_##nr(void)	\
	{									\
		__asm__ volatile("# contract row " #nr);			\
		abort();							\
	}
#define ROW_ENTRY(nr) contract_row_##nr,

ROWS(ROW_FUNCTION)

static void (*const row_function[])(void) = { ROWS(ROW_ENTRY) };

#define NR_ROW_FUNCTIONS (sizeof(row_function) / sizeof(row_function[0]))

static void fail(const struct pd_judge *judge)
{
	const struct pd_divergence *d = &judge->divergence;
	size_t row = (size_t)(d->first.row - d->entry->op->rows);

	pd_report(stderr, judge, &fuzz.scenario, 100, NULL);
	fprintf(stderr, "Assertion failure: ptediff %s FuzzerHash=%016" PRIx64 "\n", d->signature,
		pd_hash(d->signature, strlen(d->signature), 0));
	fflush(stderr);
	row_function[row < NR_ROW_FUNCTIONS ? row : NR_ROW_FUNCTIONS - 1]();
}

/* ---- what a sanitizer finds: the scenario goes out with its message ---- */

static void put(const char *text, size_t len)
{
	while (len > 0) {
		ssize_t done = write(STDERR_FILENO, text, len);

		if (done <= 0)
			return;
		text += done;
		len -= (size_t)done;
	}
}

/* Called from within a sanitizer's report: no allocation, no stdio. */
static void put_scenario(void)
{
	static const char head[] = "ptediff scenario v1\n";
	static char line[256];

	if (!fuzz.running)
		return;
	fuzz.running = false;
	put(head, sizeof(head) - 1);
	for (unsigned int i = 0; i < fuzz.scenario.nr; i++) {
		int len = pd_print_record(line, sizeof(line) - 1, &fuzz.scenario.rec[i]);

		if (len < 0)
			continue;
		if ((size_t)len > sizeof(line) - 2)
			len = (int)sizeof(line) - 2;
		line[len] = '\n';
		put(line, (size_t)len + 1);
	}
}

void __asan_on_error(void);
void __ubsan_on_report(void);

void __asan_on_error(void)
{
	put_scenario();
}

void __ubsan_on_report(void)
{
	put_scenario();
}

const char *__asan_default_options(void);

/*
 * The judge compares whole granules with memcmp(), whose interceptor costs more than the
 * comparison. ASAN_OPTIONS in the environment still wins.
 */
const char *__asan_default_options(void)
{
	return "intercept_memcmp=0:replace_intrin=0";
}

/* ---- what is known already ---- */

/* The judge of the first divergence that has to be reported, or NULL. */
static const struct pd_judge *unknown(void)
{
	struct pd_divergences d;

	if (!fuzz.probe)
		return fuzz.judge;
	pd_divergences_start(&d, fuzz.probe, &fuzz.scenario, &fuzz.selection);
	while (pd_divergences_next(&d))
		if (!pd_known_has(&fuzz.known, fuzz.probe->divergence.signature))
			return fuzz.probe;
	return NULL;
}

/* ---- entry points ---- */

static void trouble(const char *what, const char *why)
{
	fprintf(stderr, "ptediff: %s: %s\n", what, why);
	_exit(PD_FUZZ_TROUBLE);
}

/* With signatures to pass over, the judge goes on after a divergence. */
static void open_known(const char *path)
{
	if (!pd_known_read(&fuzz.known, path))
		trouble(path, strerror(errno));
	if (!fuzz.known.text)
		return;
	fuzz.judge->all = true;
	fuzz.probe = pd_judge_new();
	if (!fuzz.probe)
		trouble("judge", "out of memory");
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *counters = getenv("PTEDIFF_COUNTERS");
	const char *known = getenv("PTEDIFF_KNOWN");
	char error[256];

	(void)argc;
	(void)argv;
	if (!pd_select(&fuzz.selection, PD_FUZZ_OP, getenv("PTEDIFF_IMPL"),
		       getenv("PTEDIFF_ARCH"), error, sizeof(error)))
		trouble("PTEDIFF_IMPL, PTEDIFF_ARCH", error);
	fuzz.judge = pd_judge_new();
	if (!fuzz.judge)
		trouble("judge", "out of memory");
	if (counters && *counters) {
		fuzz.counters = pd_counters_open(counters, &fuzz.selection);
		if (!fuzz.counters)
			trouble(counters, errno == EEXIST ? "counters of other implementations" :
				strerror(errno));
	}
	if (known && *known)
		open_known(known);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct pd_judge *failed = NULL;

	pd_decode(&fuzz.scenario, data, size);
	fuzz.running = true;
	if (!pd_judge_run(fuzz.judge, &fuzz.scenario, &fuzz.selection))
		failed = unknown();
	fuzz.running = false;
	if (fuzz.counters)
		pd_counters_take(fuzz.counters, fuzz.judge, &fuzz.selection);
	if (failed)
		fail(failed);
	return 0;
}
