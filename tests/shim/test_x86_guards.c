/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/shim/guards.h"

int main(void)
{
	return run_guards();
}
