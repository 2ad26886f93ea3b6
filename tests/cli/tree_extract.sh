# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# scripts/kernel-tree without the build: what it extracts from trees of our own, what it says of
# trees that are none, are damaged or lack something, and that it can be run again.
set -euo pipefail
source=$2
"$1/ptediff" --version | grep -qx 'preset: release' || exit 77

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail()
{
	echo "$*"
	cat log
	exit 1
}

# ends STATUS ARGUMENT... - run kernel-tree; its output goes to log
ends()
{
	local expected=$1 status=0
	shift
	"$source/scripts/kernel-tree" --build "$work/build" --no-build "$@" >log 2>&1 || status=$?
	[[ $status -eq $expected ]] || fail "kernel-tree $*: status $status, expected $expected"
}

says()
{
	grep -qF -- "$1" log || fail "expected '$1'"
}

PYTHONPATH=$source/scripts python3 -B -m unittest discover -q -s "$source/tests/python" \
	-p 'test_kerneltree*.py'

# shellcheck source=tests/fixtures/accessors.sh
source "$source/tests/fixtures/accessors.sh"

# two trees side by side, one below a folder with a space in its name
mkdir 'my trees'
cp -r "$source/tests/fixtures/tree-seven" 'my trees/seven'
ends 0 "six=$source/tests/fixtures/tree-six" 'seven=my trees/seven'
says 'tree:six: Linux 6.12.7-ours'
says 'mremap: move_ptes() mm/mremap.c:30'
says 'entries: moved one by one'
says 'entries: moved in batches'
says 'arguments of folio_pte_batch(): nine'
[[ $(grep -c ' built from ' log) -eq 8 ]] || fail "two groups, two arches, two trees"
says 'tree:six+arch: this tree has no arch/'
ends 0 --list
says 'tree:seven  Linux 7.3  '
says 'mremap pte_batch'

# the accessors of a tree, under operations of ours
cp -r 'my trees/seven' ours
add_accessors "$source" ours
ends 0 ours=ours
says 'tree:ours+arch: its entry accessors under operations of ours'
[[ $(grep -c ' under .*mremap (batched_v6_18)' log) -eq 2 ]] || fail "accessors of two arches"
says '__set_ptes(): for page-sized entries'
grep -qF "$work/ours/arch/arm64/mm/contpte.c" build/trees/ours+arch/shim/arm64/outofline.inc
grep -q 'pte_mkwrite(pte_t' build/trees/ours+arch/shim/x86/outofline.inc
ends 0 --list
says 'contpte_get mremap pte_batch +arch'

# what is generated says what it is, and names the user's file; a second run changes nothing
for inc in build/trees/*/*/*/*.inc; do
	head -n 2 "$inc" | grep -q 'GPL-2.0, generated from .*, do not distribute' || fail "$inc"
done
grep -qF "#line 30 \"$source/tests/fixtures/tree-six/mm/mremap.c\"" \
	build/trees/six/mremap/x86/group.inc
grep -q 'something_else\|one_line' build/trees/six/*/*/group.inc && fail "too much is extracted"
touch mark
sleep 0.1
ends 0 "six=$source/tests/fixtures/tree-six"
[[ -z $(find build/trees/six -name 'group.inc' -newer mark) ]] || fail "a second run rewrites"

# a patched tree: a symbol that the shim does not have, and the function that needs it
cp -r "$source/tests/fixtures/tree-seven" patched
sed -i 's/pte_present(pte) ? pte_clear_uffd(pte)/pte_frobnicate(pte) ? pte/' patched/mm/mremap.c
ends 0 patched=patched
says 'pte_frobnicate, needed by moved() (mm/mremap.c:23)'
grep -qF 'unsupported = "pte_frobnicate' build/trees/patched/mremap/x86/impl.c
[[ $(grep -c ' built from ' log) -eq 2 ]] || fail "pte_batch goes on"

# the same in an accessor: the other arch goes on; and an accessor that is not there
cp -r ours accessors
sed -i 's/pte_clear_flags(pte, _PAGE_ACCESSED)/pte_frobnicate(pte)/' accessors/arch/x86/include/asm/pgtable.h
ends 0 accessors=accessors
says 'pte_frobnicate, needed by pte_mkold() (arch/x86/include/asm/pgtable.h:'
grep -qF 'unsupported = "pte_frobnicate' build/trees/accessors+arch/mremap/x86/impl.c
[[ $(grep -c ' under .*mremap (batched_v6_18)' log) -eq 1 ]] || fail "arm64 goes on"
sed -i 's/pte_wrprotect(pte_t pte)/pte_writeprotect(pte_t pte)/' accessors/arch/arm64/include/asm/pgtable.h
ends 0 accessors=accessors
says 'no pte_wrprotect in arch/arm64/include/asm/pgtable.h'
[[ ! -e build/trees/accessors+arch/shim/arm64 ]] || fail "nothing of a failed arch stays"

# an era without any of it
mkdir -p early/mm
cp "$source/tests/fixtures/tree-six/Makefile" early
ends 125 early=early
says 'no move_ptes() in mm/mremap.c'

# no kernel, damaged files, wrong use
ends 2 usr="$source/docs"
says 'not a kernel tree: no Makefile with VERSION and PATCHLEVEL'
ends 2 gone=/nonexistent
says '/nonexistent: no such folder'
cp -r "$source/tests/fixtures/tree-six" damaged
head -c 1500 "$source/tests/fixtures/tree-six/mm/mremap.c" >damaged/mm/mremap.c
ends 2 damaged=damaged
says 'damaged/mm/mremap.c:30: this declaration never ends: the file is damaged, or not C'
cp "$source/tests/fixtures/tree-six/mm/mremap.c" damaged/mm
printf '/* no end' >>damaged/mm/internal.h
ends 2 damaged=damaged
says 'a comment never ends'
head -c 64 /dev/zero >damaged/mm/internal.h
ends 2 damaged=damaged
says 'holds zero bytes'
ends 2
ends 2 nonsense
says "'nonsense': expected NAME=PATH"
ends 2 'a,b=.'
ends 2 --nonsense
ends 2 --remove never
ends 0 --remove six
ends 0 --remove ours
[[ ! -e build/trees/ours+arch ]] || fail "the accessors of ours are still there"
ends 0 --list
grep -q 'tree:six' log && fail "six is still there"
exit 0
