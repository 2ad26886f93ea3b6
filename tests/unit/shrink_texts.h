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
{
	"mremap", "bug:mremap-batch-over-two-folios", "dst.young/extra",
	"folio 0 order 1\n"
	"map 0..1 pfn 1\n"
	"bits 0 young 1000000000000000\n"
	"mremap 0..1 -> 2\n",
},
{
	"mremap", "bug:mremap-flush-short", "tlb/stale",
	"map 0\n"
	"mremap 0 -> 1\n",
},
{
	"mremap", "bug:mremap-swap-exclusive-lost", "dst.swap/missing",
	"nonpresent 0 swap offset 1 excl\n"
	"mremap 0 -> 1\n",
},
{
	"mremap", "bug:mremap-sets-first-entry-only", "dst.present/missing",
	"folio 0 order 1\n"
	"map 0..1\n"
	"mremap 0..1 -> 2\n",
},
{
	"mremap", "bug:mremap-uffd-wp-left-marker", "dst.present/extra",
	"vma 0 uffd-wp\n"
	"nonpresent 0 marker-uffd-wp\n"
	"mremap 0 -> 1\n",
},
{
	"mremap", "bug:mremap-flush-before-clear", "tlb/stale",
	"map 0\n"
	"mremap 0 -> 1\n",
},
{
	"uffd_move", "bug:uffd_move-dirty-dropped", "dst.dirty/missing",
	"map 0 dirty excl\n"
	"uffd_move 0 -> 1\n",
},
{
	"uffd_move", "bug:uffd_move-index-of-first", "folio.index/wrong",
	"map 0..1 excl\n"
	"uffd_move 0..1 -> 2\n",
},
{
	"uffd_move", "bug:uffd_move-flush-one-short", "tlb/stale",
	"map 0 excl\n"
	"uffd_move 0 -> 1\n",
},
{
	"mempolicy", "bug:mempolicy-reference-kept", "folio.refcount/wrong",
	"map 0\n"
	"mempolicy 0 move invert\n",
},
{
	"contpte_get", "bug:contpte_get-one-short", "word.dirty/wrong",
	"folio 0 order 4\n"
	"map 0..15 cont\n"
	"bits 15 dirty 1000000000000000\n"
	"contpte_get 0\n",
},
{
	"contpte_get", "bug:contpte_get-one-short", "word.young/wrong",
	"folio 0 order 4\n"
	"map 0..15 cont\n"
	"bits 15 young 1000000000000000\n"
	"contpte_get 0\n",
},
{
	"contpte_get", "bug:contpte_get-tests-same-flag", "word.young/wrong",
	"folio 0 order 4\n"
	"map 0..15 dirty cont\n"
	"bits 0 young 1000000000000000\n"
	"contpte_get 1\n",
},
{
	"contpte_api", "bug:contpte_api-wrprotect-whole-block", "edge.entry/missing",
	"folio 0 order 4\n"
	"map 0..15 write excl cont\n"
	"contpte_api 0..1 wrprotect\n",
},
{
	"mempolicy", "bug:mempolicy-queue-reversed", "queue/wrong",
	"map 0..1\n"
	"mempolicy 0..1 move invert\n",
},
{
	"zero_folio", "bug:zero_folio-parts-overlap", "pages.once/wrong",
	"zero_folio order 0\n",
},
{
	"pte_batch", "bug:pte_batch-past-folio", "return.nr/wrong",
	"folio 0 order 1\n"
	"map 0..1 pfn 1\n"
	"pte_batch 0..1\n",
},
