/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/shim/batch_laws.h"

int main(void)
{
	return run_batch_laws();
}
