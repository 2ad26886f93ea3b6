/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The smallest scenario of each signature, as test_shrink.c has to arrive at it: operation,
 * implementation, field/relation, text.
 */
{
	"mremap", "batched_posted_v3", "dst.write/extra",
	"folio 0 order 1\n"
	"map 0..1 excl\n"
	"bits 0 write 1000000000000000\n"
	"mremap 0..1 -> 2\n",
},
{
	"mremap", "batched_posted_v3", "dst.write/missing",
	"folio 0 order 1\n"
	"map 0..1 excl\n"
	"bits 1 write 1000000000000000\n"
	"mremap 0..1 -> 2\n",
},
