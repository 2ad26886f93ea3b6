/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a minimizer keeps, and the one way from a scenario that shows it to the smallest.
 */
#ifndef PD_PIN_H
#define PD_PIN_H

#include "harness/cli/cli.h"

#define PD_MAX_FINDS	64u	/* other signatures that are kept */

enum pd_pin_by {
	PD_PIN_SIGNATURE,	/* the same signature, on the same arch once x86 shows it */
	PD_PIN_FIELD,		/* the same operation and field, any implementation and relation */
	PD_PIN_ANY,		/* any divergence */
	PD_PIN_PREDICATE,	/* a command that exits 0 */
};

/* A signature met on the way that is not the one sought. */
struct pd_find {
	char signature[PD_MAX_SIGNATURE];
	const struct pd_impl_entry *entry;
	struct scenario sc;
};

/**
 * struct pd_pin - what is kept
 * @j:		judges candidates
 * @sel:	what is judged
 * @predicate:	PD_PIN_PREDICATE: the command, and @path the file that it is given
 * @status:	of the command, as of sh: 126 and 127 when it cannot be run
 * @signature, @entry, @arch, @step: of the divergence that the last scenario showed
 * @find:	other signatures, @nr_finds of them; NULL: not kept
 */
struct pd_pin {
	struct pd_judge *j;
	struct pd_selection sel;
	enum pd_pin_by by;
	const char *predicate, *path;
	int status;
	char signature[PD_MAX_SIGNATURE];
	const struct pd_impl_entry *entry;
	enum pd_arch arch;
	unsigned int step;
	struct pd_find *find;
	unsigned int nr_finds;
};

/* How a search for what to pin ended. */
enum pd_pinned {
	PD_PINNED,
	PD_PINNED_NOT_SHOWN,	/* nothing diverges: nothing to pin */
	PD_PINNED_FLAKY,	/* two runs of the same scenario differ */
};

/**
 * pd_pin_start() - run @sc twice and pin what it shows
 * @signature:	the divergence to look for, or NULL: the first
 *
 * @pin->j, @sel, @by and, for a predicate, @predicate and @path are set by the caller.
 */
enum pd_pinned pd_pin_start(struct pd_pin *pin, const struct scenario *sc, const char *signature);

/* pd_pin_first() - the first signature that @sc shows, in @pin->signature; NULL: none. */
const char *pd_pin_first(struct pd_pin *pin, const struct scenario *sc);

/* pd_pin_not_shown() - say that @file does not show @signature (NULL: anything). */
void pd_pin_not_shown(struct pd_pin *pin, const char *file, const struct scenario *sc,
		      const char *signature, bool hint);

/* pd_pin_shows() - does @sc show what is pinned? */
bool pd_pin_shows(struct pd_pin *pin, const struct scenario *sc);

/**
 * struct pd_minimize - how a search went
 * @budget:	seconds; 0: no limit
 * @progress:	say how far it is on standard error
 * @before, @after: records
 * @seconds:	of the clock
 * @done:	nothing smaller is left; otherwise time ran out or a signal came
 */
struct pd_minimize {
	double budget;
	bool progress;
	unsigned int before, after;
	uint64_t runs;
	double seconds;
	bool done;
};

/**
 * pd_minimize() - make @sc, which shows what @pin keeps, as small as it gets
 *
 * On return @pin says what the result shows.
 */
void pd_minimize(struct pd_minimize *m, struct pd_pin *pin, struct scenario *sc);

/* pd_minimize_interrupted() - did somebody press Ctrl-C? From then on every search ends soon. */
bool pd_minimize_interrupted(void);

/* pd_minimize_catch() - let SIGINT and SIGTERM end the search, not the program. */
void pd_minimize_catch(void);

#endif
