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
ends 0 --list
says 'tree:seven  Linux 7.3  '
says 'mremap pte_batch'

# what is generated says what it is, and names the user's file; a second run changes nothing
for inc in build/trees/*/*/*/group.inc; do
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
ends 0 --list
grep -q 'tree:six' log && fail "six is still there"
exit 0
