/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a minimizer keeps: a signature, a field, any divergence, or what a command says.
 */
#include "harness/cli/min/pin.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A new signature, or a smaller scenario of one that is known. */
static void keep_find(struct pd_pin *pin, const struct scenario *sc)
{
	const struct pd_divergence *d = &pin->j->divergence;
	unsigned int i = 0;

	while (i < pin->nr_finds && strcmp(pin->find[i].signature, d->signature))
		i++;
	if (!pin->find || i == PD_MAX_FINDS ||
	    (i < pin->nr_finds && pin->find[i].sc.nr <= sc->nr))
		return;
	memcpy(pin->find[i].signature, d->signature, sizeof(d->signature));
	pin->find[i].entry = d->entry;
	pin->find[i].sc = *sc;
	pin->nr_finds += i == pin->nr_finds;
}

static bool same_field(const char *a, const char *b)
{
	size_t op = strcspn(a, "/");
	const char *field_a, *field_b;

	if (strncmp(a, b, op + 1))
		return false;
	field_a = strchr(a + op + 1, '/');
	field_b = strchr(b + op + 1, '/');
	return field_a && field_b && strcspn(field_a + 1, "/") == strcspn(field_b + 1, "/") &&
	       !strncmp(field_a, field_b, strcspn(field_a + 1, "/") + 1);
}

static bool wanted(const struct pd_pin *pin, const char *signature)
{
	switch (pin->by) {
	case PD_PIN_SIGNATURE:
		return !strcmp(pin->signature, signature);
	case PD_PIN_FIELD:
		return same_field(pin->signature, signature);
	default:
		return true;
	}
}

/* A divergence that is wanted: from here on it is sought on this arch or one before it. */
static void take(struct pd_pin *pin)
{
	const struct pd_divergence *d = &pin->j->divergence;

	if (pin->by != PD_PIN_SIGNATURE)
		memcpy(pin->signature, d->signature, sizeof(pin->signature));
	pin->entry = d->entry;
	pin->arch = d->arch;
	pin->step = d->step;
	if (pin->by == PD_PIN_SIGNATURE)
		pin->sel.arch &= (2u << d->arch) - 1;
}

static bool predicate_holds(struct pd_pin *pin, const struct scenario *sc)
{
	char *command = NULL;
	char *const argv[] = { "sh", "-c", NULL, "sh", (char *)pin->path, NULL };
	char *args[6];
	pid_t pid;
	int status;

	if (!pd_save(pin->path, sc, NULL, NULL) ||
	    asprintf(&command, "%s \"$@\"", pin->predicate) < 0)
		return false;
	memcpy(args, argv, sizeof(args));
	args[2] = command;
	status = posix_spawn(&pid, "/bin/sh", NULL, NULL, args, environ);
	free(command);
	if (status)
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	pin->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return !pin->status;
}

bool pd_pin_shows(struct pd_pin *pin, const struct scenario *sc)
{
	struct pd_divergences d;

	if (pin->by == PD_PIN_PREDICATE)
		return predicate_holds(pin, sc);
	pd_divergences_start(&d, pin->j, sc, &pin->sel);
	while (pd_divergences_next(&d)) {
		if (wanted(pin, pin->j->divergence.signature)) {
			take(pin);
			return true;
		}
		keep_find(pin, sc);
	}
	return false;
}

static bool find_first(struct pd_pin *pin, const struct scenario *sc, const char *signature)
{
	struct pd_divergences d;

	pd_divergences_start(&d, pin->j, sc, &pin->sel);
	while (pd_divergences_next(&d)) {
		const char *got = pin->j->divergence.signature;

		if (signature && strcmp(signature, got))
			continue;
		snprintf(pin->signature, sizeof(pin->signature), "%s", got);
		return true;
	}
	return false;
}

const char *pd_pin_first(struct pd_pin *pin, const struct scenario *sc)
{
	return find_first(pin, sc, NULL) ? pin->signature : NULL;
}

void pd_pin_not_shown(struct pd_pin *pin, const char *file, const struct scenario *sc,
		      const char *signature, bool hint)
{
	const char *first = signature ? pd_pin_first(pin, sc) : NULL;

	if (!signature)
		fprintf(stderr, "%s: shows nothing here%s\n", file,
			hint ? "; --impl says what to judge" : "");
	else
		fprintf(stderr, "%s: does not show %s here; it shows %s\n", file, signature,
			first ? first : "nothing");
}

/* Only the implementation whose signature is kept has to be run. */
static void narrow(struct pd_pin *pin)
{
	unsigned int i = (unsigned int)(pin->j->divergence.entry - pd_impls);
	struct pd_selection one;

	pd_selection_only(&one, i, 0);
	memcpy(pin->sel.impl, one.impl, sizeof(one.impl));
}

static uint64_t digest_of(struct pd_pin *pin, const struct scenario *sc)
{
	pin->j->digest = 0;
	pin->j->want_digest = pin->j->all = true;
	pd_pin_shows(pin, sc);
	pin->j->want_digest = pin->j->all = false;
	return pin->j->digest;
}

enum pd_pinned pd_pin_start(struct pd_pin *pin, const struct scenario *sc, const char *signature)
{
	bool shown;

	if (pin->by == PD_PIN_PREDICATE) {
		shown = predicate_holds(pin, sc);
		if (shown != predicate_holds(pin, sc))
			return PD_PINNED_FLAKY;
		return shown ? PD_PINNED : PD_PINNED_NOT_SHOWN;
	}
	if (!find_first(pin, sc, signature))
		return PD_PINNED_NOT_SHOWN;
	if (pin->by == PD_PIN_SIGNATURE)
		narrow(pin);
	if (digest_of(pin, sc) != digest_of(pin, sc) || !pd_pin_shows(pin, sc))
		return PD_PINNED_FLAKY;
	return PD_PINNED;
}
