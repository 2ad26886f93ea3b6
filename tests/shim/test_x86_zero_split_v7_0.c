/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/shim/zero_split.h"

#include "model/ops/zero_folio/batched_v7_0.c"

static void folio_zero_user_of_test(struct folio *folio, unsigned long addr_hint)
{
	folio_zero_user_v7_0(folio, addr_hint);
}

int main(void)
{
	return run_zero_split();
}
