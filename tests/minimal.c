/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/minimal.h"

#include <stdlib.h>
#include <string.h>

#include "harness/shrink/shrink.h"

unsigned int pd_repaired(const struct scenario *sc, struct scenario *fixed)
{
	struct pd_state *s = malloc(sizeof(*s));
	struct pd_repair repair = { .fixed = fixed };

	if (!s)
		abort();
	pd_state_init(s);
	pd_build(sc, s, &repair);
	free(s);
	return repair.count;
}

static bool shown_by(struct pd_minimal *m, const struct scenario *sc,
		     const struct scenario *candidate)
{
	pd_repaired(candidate, &m->smaller);
	if (pd_weight(&m->smaller) >= pd_weight(sc))
		return false;
	m->tried++;
	return m->shows(m->ctx, &m->smaller);
}

static bool a_removal(struct pd_minimal *m, const struct scenario *sc)
{
	for (unsigned int i = 0; i < sc->nr; i++) {
		struct scenario candidate = *sc;

		memmove(&candidate.rec[i], &candidate.rec[i + 1],
			(sc->nr - i - 1) * sizeof(sc->rec[0]));
		candidate.nr--;
		if (shown_by(m, sc, &candidate))
			return true;
	}
	return false;
}

static bool a_smaller_value(struct pd_minimal *m, const struct scenario *sc, unsigned int i,
			    struct pd_bits bits)
{
	unsigned int value = pd_record_get(&sc->rec[i], bits);
	struct scenario candidate = *sc;

	for (unsigned int to = 0; to < value; to++) {
		pd_record_set(&candidate.rec[i], bits, (uint16_t)to);
		if (shown_by(m, sc, &candidate))
			return true;
	}
	return false;
}

static bool a_smaller_field(struct pd_minimal *m, const struct scenario *sc, unsigned int i)
{
	const struct pd_field *f = pd_kind_by_number(sc->rec[i].kind)->fields;

	for (; f->form != PD_FORM_END; f++)
		if (f->form != PD_FORM_LITERAL &&
		    (a_smaller_value(m, sc, i, f->at) ||
		     (f->form == PD_FORM_RANGE && a_smaller_value(m, sc, i, f->more))))
			return true;
	return false;
}

bool pd_is_minimal(struct pd_minimal *m, const struct scenario *sc)
{
	if (a_removal(m, sc))
		return false;
	for (unsigned int i = 0; i < sc->nr; i++)
		if (a_smaller_field(m, sc, i))
			return false;
	return true;
}
