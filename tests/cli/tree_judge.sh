# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Kernel trees under test: two of our own, one with accessors of both arches of which one is wrong,
# a broken one, one that lacks something, and Debian's 6.12 and 7.3 when they can be had; whatever
# of a release diverges is a finding or a fault of ours.
set -euo pipefail
source=$2
"$1/ptediff" --version | grep -qx 'preset: release' || exit 77

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# One build for all tests of trees (RESOURCE_LOCK): most of what they compile is the same.
rm -rf "$1/tree-tests/trees"
mkdir -p "$1/tree-tests"
ln -s "$1/tree-tests" build
fixtures=$source/tests/fixtures
trees=("six=$fixtures/tree-six" "seven=$fixtures/tree-seven" ours=ours warns=warns patched=patched)
clean=(six seven)

# fetch NAME ARGUMENT... - a release from Debian, or a loud line
fetch()
{
	local name=$1 path
	shift
	if path=$("$source/scripts/kernel-tree-fetch" "$@" 2>log); then
		trees+=("$name=$path")
		clean+=("$name")
	else
		echo "NOT TESTED: Linux $name: $(tail -n 1 log)"
	fi
}

# shellcheck source=tests/fixtures/accessors.sh
source "$fixtures/accessors.sh"
cp -r "$fixtures/tree-seven" ours
add_accessors "$source" ours
sed -i 's/return clear_pte_bit(pte, __pgprot(PTE_UFFD));/return pte;/' ours/arch/arm64/include/asm/pgtable.h
cp -r "$fixtures/tree-seven" warns
sed -i 's/VM_WARN_ON_ONCE(!pte_none/VM_WARN_ON_ONCE(pte_none/' warns/mm/mremap.c
cp -r "$fixtures/tree-seven" patched
sed -i 's/pte_clear_uffd(pte)/pte_frobnicate(pte)/' patched/mm/mremap.c
fetch 6.12 6.12
fetch 7.3 --suite trixie-backports 7.3

"$source/scripts/kernel-tree" --build "$work/build" --lean "${trees[@]}" >log 2>&1 || { cat log; exit 1; }
# our own trees have no mempolicy; of the other groups only the patched one cannot be built
[[ $(grep -c 'pte_frobnicate, needed by' log) -eq 2 ]] || { cat log; exit 1; }
ptediff=build/release/ptediff
for tree in "${clean[@]}"; do
	ops=$("$source/scripts/kernel-tree" --build "$work/build" --list |
		sed -n "s|^tree:$tree  Linux [^ ]*  [^ ]*  ||p")
	[[ $ops == *mremap*pte_batch* ]] || { echo "tree:$tree has only: $ops"; exit 1; }
	# every function of the shim that it uses can be made blind, or it is said why not
	PYTHONPATH=$source/scripts python3 -B -m kerneltree --top "$source" \
		--out "$work/build/trees" --stubs "$tree" >stubs
	[[ $(wc -l <stubs) -gt 20 ]] || { cat stubs; exit 1; }
	for op in ${ops/+arch/}; do
		"$ptediff" random --op "$op" --impl "tree:$tree" --runs 20000 ||
			{ echo "tree:$tree, $op"; exit 1; }
	done
	[[ $ops == *+arch* ]] || continue
	for op in contpte_api mremap; do
		"$ptediff" random --op "$op" --impl "tree:$tree+arch" --runs 10000 ||
			{ echo "tree:$tree+arch, $op"; exit 1; }
	done
done

# accessors of a tree under operations of ours: only who needs the wrong one shows it
for op in contpte_api pte_batch; do
	"$ptediff" random --op "$op" --impl tree:ours+arch --runs 10000 || { echo "ours+arch, $op"; exit 1; }
done
"$ptediff" random --op mremap --impl tree:ours+arch --arch x86 --runs 10000
status=0
"$ptediff" random --op mremap --impl tree:ours+arch --arch arm64 >out 2>&1 || status=$?
[[ $status -eq 1 ]] || { cat out; exit 1; }
grep '^divergence: mremap/tree:ours+arch/dst.uffd-wp/extra$' out

# never in a default run
"$ptediff" random --op pte_batch --runs 100 | grep 'tree:' && exit 1

# nothing to test here: 125, for git bisect run
status=0
"$ptediff" random --op mremap --impl tree:patched 2>log || status=$?
[[ $status -eq 125 ]] || { cat log; echo "status $status, expected 125"; exit 1; }
grep 'cannot be tested here: pte_frobnicate, needed by moved() (mm/mremap.c:23)' log

# an assertion of the user's code names the user's file and line
status=0
"$ptediff" random --op mremap --impl tree:warns >out 2>&1 || status=$?
[[ $status -eq 1 ]] || { cat out; exit 1; }
grep '^divergence: mremap/tree:warns/warn/warn$' out
tr -s ' \n' ' ' <out | grep -oF 'mm/mremap.c:55: pte_none(ptep_get(new))'
