/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/shim/mempolicy_posted.h"

int main(void)
{
	return run_mempolicy_posted();
}
