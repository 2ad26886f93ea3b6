# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Adding an operation is adding a folder: a toy, in a copy of the tree, with a right and a wrong
# implementation. Text, generator, judge, contract and command know it without an edit elsewhere.
# Only one of the others stays, and no bug: nothing else may name them either. It builds the
# release preset, so one preset does for all.
set -euo pipefail
"$1/ptediff" --version | grep -qx 'preset: release' || exit 77
source=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -C "$source" --exclude=./build --exclude=./.git --exclude=./findings --exclude=./corpus -cf - . |
	tar -C "$work" -xf -
cd "$work"
rm -rf model/bugs
find model/ops -mindepth 1 -maxdepth 1 ! -name mremap -exec rm -r {} +
mkdir model/ops/toy

cat >model/ops/toy/args.h <<'C'
/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_TOY_ARGS_H
#define PD_TOY_ARGS_H

#include "model/state/outcome.h"
#include "model/state/state.h"

struct toy_args {
	uint32_t va, pages;
};

struct pd_outcome toy_reference(struct pd_state *s, const void *args);

#endif
C

cat >model/ops/toy/reference.c <<'C'
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "args.h"

struct pd_outcome toy_reference(struct pd_state *s, const void *args)
{
	const struct toy_args *a = args;
	struct pd_outcome outcome = { .ret = 0 };

	for (uint32_t va = a->va; va < a->va + a->pages; va++) {
		if (!lpte_present(s->pte[va]) || !(s->pte[va] & LPTE_WRITE))
			continue;
		pd_state_break_block(s, va);
		pd_state_set(s, va, s->pte[va] & ~(LPTE_WRITE | LPTE_SWDIRTY));
		outcome.changed++;
	}
	return outcome;
}
C

cat >model/ops/toy/op.c <<'C'
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/op.h"

#include "args.h"

static const struct pd_field toy_fields[] = {
	{ .form = PD_FORM_RANGE, .role = PD_ROLE_VA, .at = { 1, 0, 11 }, .more = { 3, 0, 11 },
	  .arg = offsetof(struct toy_args, va), .arg_more = offsetof(struct toy_args, pages) },
	{ .form = PD_FORM_END },
};

static const char *toy_fit(const struct pd_state *s, void *args)
{
	struct toy_args *a = args;
	const struct pd_vma *vma = pd_state_vma(s, a->va);
	uint32_t end = (uint32_t)vma->start + vma->pages;

	if (end > (a->va / PD_TABLE_PAGES + 1) * PD_TABLE_PAGES)
		end = (a->va / PD_TABLE_PAGES + 1) * PD_TABLE_PAGES;
	if (a->pages > end - a->va)
		a->pages = end - a->va;
	return NULL;
}

static struct pd_span toy_span(const void *args)
{
	const struct toy_args *a = args;

	return (struct pd_span){ .src = a->va, .dst = a->va, .pages = a->pages };
}

#define SPREADS		(LPTE_YOUNG | LPTE_DIRTY)
#define PTE(f, p, g, m)	{ .field = (f), .place = (p), .grade = (g), .mask = (m), .why = "a toy" }
#define ROW(f, s)	{ .field = (f), .subject = (s), .mask = ~0ULL, .why = "a toy" }

static const struct pd_row toy_rows[] = {
	ROW("access", PD_SUBJECT_ACCESS), ROW("warn", PD_SUBJECT_WARN),
	PTE("entry", PD_PLACE_SRC, PD_GRADE_EXACT, ~(SPREADS | LPTE_ENCODING)),
	PTE("spreads", PD_PLACE_SRC, PD_GRADE_OR, SPREADS),
	PTE("edge.entry", PD_PLACE_EDGE, PD_GRADE_EXACT, ~(SPREADS | LPTE_ENCODING)),
	PTE("edge.spreads", PD_PLACE_EDGE, PD_GRADE_OR, SPREADS),
	PTE("rest.entry", PD_PLACE_REST, PD_GRADE_EXACT, ~0ULL),
	ROW("folio", PD_SUBJECT_FOLIO), ROW("counter", PD_SUBJECT_COUNTER),
	ROW("tlb", PD_SUBJECT_TLB), ROW("lock", PD_SUBJECT_LOCK),
	{ .field = NULL }
};

const struct pd_op pd_op_toy = {
	.name = "toy",
	.kind = { .number = 0x1f, .name = "toy", .fields = toy_fields,
		  .what = "write-protect a range" },
	.args_size = sizeof(struct toy_args),
	.fit = toy_fit,
	.reference = toy_reference,
	.span = toy_span,
	.rows = toy_rows,
};
C

cat >model/ops/toy/right.c <<'C'
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <internal.h>

#include "args.h"

#ifndef FLUSH
#define FLUSH 1
#endif

static void protect(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (pte_present(ptep_get(ptep + i)) && pte_write(ptep_get(ptep + i)))
			ptep_set_wrprotect(vma->vm_mm, addr + i * PAGE_SIZE, ptep + i);
	if (FLUSH) {
		flush_tlb_batched_pending(vma->vm_mm);
		flush_tlb_range(vma, addr, addr + nr * PAGE_SIZE);
	}
}

static long run(const void *args)
{
	const struct toy_args *a = args;
	struct mm_struct mm = { .pd_world = pd_world };
	unsigned long addr = pd_addr(a->va);
	struct vm_area_struct vma;
	spinlock_t *ptl;
	pte_t *ptep;

	pd_vma_at(&vma, &mm, addr);
	if (pmd_none(*pd_pmd(addr)))
		return 0;
	do
		ptep = pte_offset_map_lock(&mm, pd_pmd(addr), addr, &ptl);
	while (!ptep);
	protect(&vma, addr, ptep, a->pages);
	pte_unmap_unlock(ptep, ptl);
	return 0;
}

const struct pd_impl impl = {
	.mirrors = "nothing",
#ifdef WRONG
	.wrong = true,
#endif
	.bind = pd_bind,
	.run = run,
};
C

cat >model/ops/toy/forgets_flush.c <<'C'
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define FLUSH 0
#define WRONG
#include "right.c"
C

cmake --preset release >log 2>&1 || { cat log; exit 1; }
cmake --build build/release --target ptediff -j2 >log 2>&1 || { cat log; exit 1; }
ptediff=build/release/ptediff

"$ptediff" ops >out
grep -q '^toy: ' out
[[ $(grep -cE '^[a-z_]+: ' out) -eq 2 ]] || { cat out; echo "not two operations"; exit 1; }
"$ptediff" ops --contract toy | grep -q '^edge.spreads: '
"$ptediff" random --op toy --runs 20000 >out || { cat out; exit 1; }
"$ptediff" random --runs 5000 >out || { cat out; exit 1; }

status=0
"$ptediff" random --op toy --impl forgets_flush >out || status=$?
[[ $status -eq 1 ]] || { cat out; echo "status $status, expected 1"; exit 1; }
grep -qx 'divergence: toy/forgets_flush/tlb/stale' out
"$ptediff" run findings/toy-forgets_flush-tlb-stale.pte >out
grep -q '^    toy [0-9]' out
grep -h "^divergence: \|^    toy " out
