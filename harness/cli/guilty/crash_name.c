/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which function a crash is named by: the innermost one of the code under test, even where it was
 * the shim that could not bear what it was given.
 */
#include "harness/cli/guilty/crash_name.h"

#include <stdio.h>
#include <string.h>

#include "harness/cli/guilty/symbols.h"

struct naming {
	const struct pd_impl_entry *entry;
	char *function, *place;
	size_t function_size, place_size;
	char shim[64];		/* the innermost function of the shim, when it crashed there */
	bool done;
};

static void look_at(void *ctx, unsigned int index, const struct pd_frame *frame)
{
	struct naming *n = ctx;
	enum pd_owner owner = pd_owner_of(frame->file);

	(void)index;
	/* Line 0: of no line in particular, and the function may be a guess, too. */
	if (n->done || !frame->line)
		return;
	if (owner == PD_OWNER_SHIM && !*n->shim)
		snprintf(n->shim, sizeof(n->shim), "%s", frame->function);
	n->done = owner != PD_OWNER_SHIM;
	if (owner != PD_OWNER_TESTED)
		return;
	snprintf(n->function, n->function_size, "%s", frame->function);
	snprintf(n->place, n->place_size, "%s() %s:%u%s%s%s", frame->function,
		 pd_short_path(frame->file, n->entry->root), frame->line, *n->shim ? ", in " : "",
		 n->shim, *n->shim ? "() of the shim" : "");
}

static unsigned int find(const struct pd_crash_names *names, const struct pd_backtrace *at)
{
	unsigned int i = 0;

	while (i < names->nr && memcmp(&names->known[i].at, at, sizeof(*at)))
		i++;
	return i;
}

void pd_name_place(const uintptr_t *pc, unsigned int nr, const struct pd_impl_entry *entry,
		   char *function, size_t function_size, char *place, size_t place_size)
{
	struct naming n = {
		.entry = entry, .function = function, .function_size = function_size,
		.place = place, .place_size = place_size,
	};

	snprintf(function, function_size, "unknown");
	*place = '\0';
	pd_symbolize(pc, nr, look_at, &n);
}

/* The last place is used again and again when there are more. */
static unsigned int add(struct pd_crash_names *names, const struct pd_divergence *d,
			const struct pd_backtrace *at)
{
	unsigned int i = names->nr < PD_CRASH_NAMES ? names->nr++ : PD_CRASH_NAMES - 1;

	names->known[i].at = *at;
	pd_name_place(at->pc, at->nr, d->entry, names->known[i].function,
		      sizeof(names->known[i].function), names->known[i].guilty,
		      sizeof(names->known[i].guilty));
	return i;
}

void pd_crash_name(struct pd_crash_names *names, struct pd_divergence *d)
{
	const struct pd_backtrace *at = pd_last_crash();
	unsigned int i = find(names, at);

	if (i == names->nr)
		i = add(names, d, at);
	pd_name_crash(d, names->known[i].function);
	snprintf(d->guilty, sizeof(d->guilty), "%s", names->known[i].guilty);
}
