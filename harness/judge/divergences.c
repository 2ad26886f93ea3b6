/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every divergence of a scenario, not only the first: what diverged is left out and the
 * scenario is judged again.
 */
#include <string.h>

#include "judge.h"

void pd_divergences_start(struct pd_divergences *d, struct pd_judge *j,
			  const struct scenario *sc, const struct pd_selection *sel)
{
	d->j = j;
	d->sc = sc;
	d->all = *sel;
	d->left = *sel;
	d->arch = 0;
}

bool pd_divergences_next(struct pd_divergences *d)
{
	for (; d->arch < PD_NR_ARCHES; d->arch++, d->left = d->all) {
		size_t i;

		if (!(d->all.arch >> d->arch & 1))
			continue;
		d->left.arch = 1u << d->arch;
		if (d->j->run ? d->j->run(d->j, d->sc, &d->left) :
				pd_judge_run(d->j, d->sc, &d->left))
			continue;
		i = (size_t)(d->j->divergence.entry - pd_impls);
		d->left.impl[i / 64] &= ~(1ULL << (i % 64));
		return true;
	}
	return false;
}

void pd_selection_only(struct pd_selection *sel, unsigned int impl, unsigned int arch)
{
	memset(sel, 0, sizeof(*sel));
	sel->impl[impl / 64] = 1ULL << (impl % 64);
	sel->arch = 1u << arch;
}
