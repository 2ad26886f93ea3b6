# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Code of a kernel tree that follows a NULL pointer: a divergence like any other, and minimized.
set -euo pipefail
source=$2
"$1/ptediff" --version | grep -qx 'preset: release' || exit 77

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cp -r "$source/tests/fixtures/tree-seven" null
sed -i 's/if (!folio || !folio_test_large(folio))/if (!folio_test_large(folio))/' null/mm/mremap.c
! cmp -s null/mm/mremap.c "$source/tests/fixtures/tree-seven/mm/mremap.c"
"$source/scripts/kernel-tree" --lean --build "$work/build" null=null >log 2>&1 || { cat log; exit 1; }
ptediff=build/release/ptediff

status=0
"$ptediff" random --op mremap --impl tree:null --runs 2000 --keep-going --stats none >out || status=$?
[[ $status -eq 1 ]] || { cat out; exit 1; }
grep -qx 'divergence: mremap/tree:null/crash/mremap_folio_pte_batch' out
grep -q '^detail: SIGSEGV' out

"$ptediff" min findings/mremap-tree-null-crash-mremap_folio_pte_batch.pte -o min.pte
cmp min.pte - <<-END
	ptediff scenario v1
	expect mremap/tree:null/crash/mremap_folio_pte_batch
	impl tree:null
	map 0
	mremap 0 -> 1
END
"$ptediff" run --strict min.pte
