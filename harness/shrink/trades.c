/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record for a word: what a further record brought about, a flag of another one may, too. A folio
 * that is mapped twice cannot be queued; nor can one that is on no list.
 */
#include "try.h"

static bool try_word(struct pd_try *t, unsigned int dropped, unsigned int i,
		     const struct pd_field *f)
{
	if (f->form != PD_FORM_FLAG || pd_record_get(&t->from->rec[i], f->at))
		return false;
	pd_record_set(&t->to->rec[i], f->at, 1);
	pd_drop(t, dropped, 1);
	return pd_offer_whole(t);
}

static bool try_without(struct pd_try *t, unsigned int dropped)
{
	for (unsigned int i = 0; i < t->from->nr; i++) {
		const struct pd_field *f = pd_kind_by_number(t->from->rec[i].kind)->fields;

		for (; i != dropped && f->form != PD_FORM_END; f++)
			if (try_word(t, dropped, i, f))
				return true;
	}
	return false;
}

bool pd_try_trades(struct pd_try *t)
{
	for (unsigned int i = t->from->nr; i-- > 0;)
		if (try_without(t, i))
			return true;
	return false;
}
