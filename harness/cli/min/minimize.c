/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search for the smallest scenario, under a budget, with progress and Ctrl-C.
 */
#include "harness/cli/min/pin.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/shrink/shrink.h"

#define PROGRESS_EVERY 0.2	/* seconds */

struct search {
	struct pd_minimize *m;
	struct pd_pin *pin;
	double start, said;
	unsigned int records;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

/* The second signal ends the program at once. */
void pd_minimize_catch(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	action.sa_flags = (int)SA_RESETHAND;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

bool pd_minimize_interrupted(void)
{
	return interrupted;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void say(struct search *s, double at)
{
	if (!s->m->progress || at - s->said < PROGRESS_EVERY)
		return;
	s->said = at;
	fprintf(stderr, "\r%u records of %u, %" PRIu64 " runs, %.1f s ", s->records,
		s->m->before, s->m->runs, at - s->start);
}

static bool shows(void *ctx, const struct scenario *sc)
{
	struct search *s = ctx;
	bool shown = pd_pin_shows(s->pin, sc);

	s->m->runs++;
	if (shown)
		s->records = sc->nr;
	say(s, now());
	return shown;
}

static bool stop(void *ctx)
{
	const struct search *s = ctx;

	return interrupted || (s->m->budget > 0 && now() - s->start > s->m->budget);
}

/* Without what follows the guilty step; most of a long chain goes in one run. */
static void cut_after_guilty(struct search *s, struct scenario *sc)
{
	struct scenario *cut = pd_alloc(1, sizeof(*cut));
	unsigned int ops = 0;

	while (cut->nr < sc->nr && ops <= s->pin->step) {
		cut->rec[cut->nr] = sc->rec[cut->nr];
		ops += pd_op_by_kind(cut->rec[cut->nr++].kind) != NULL;
	}
	if (cut->nr < sc->nr && shows(s, cut))
		*sc = *cut;
	free(cut);
}

void pd_minimize(struct pd_minimize *m, struct pd_pin *pin, struct scenario *sc)
{
	struct search s = { .m = m, .pin = pin, .start = now(), .records = sc->nr };
	struct pd_shrink shrink = { .shows = shows, .stop = stop, .ctx = &s };

	m->before = sc->nr;
	if (pin->by != PD_PIN_PREDICATE)
		cut_after_guilty(&s, sc);
	if (!pd_shrink(&shrink, sc)) {
		fprintf(stderr, "ptediff: out of memory\n");
		exit(PD_EXIT_TROUBLE);
	}
	pd_pin_shows(pin, sc);
	m->done = shrink.done;
	m->after = sc->nr;
	m->seconds = now() - s.start;
	if (s.said > 0)
		fprintf(stderr, "\r%70s\r", "");
}
