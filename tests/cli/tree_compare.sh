# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# ptediff compare on two trees of our own: what batching leaves open and no more, a broken series
# found, a relaxation named; and git bisect run over five commits, one of them bad, one that
# cannot be built.
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

# ends STATUS COMMAND... - its output goes to out
ends()
{
	local expected=$1 status=0
	shift
	"$@" >out 2>&1 || status=$?
	[[ $status -eq $expected ]] && return
	cat out
	echo "$*: status $status, expected $expected"
	exit 1
}

says()
{
	grep -q -- "$1" out || { cat out; echo "expected '$1'"; exit 1; }
}

cp -r "$fixtures/tree-seven" broken
sed -i 's/FPB_RESPECT_WRITE/0/' broken/mm/mremap.c
"$source/scripts/kernel-tree" --lean --build "$work/build" "six=$fixtures/tree-six" \
	"seven=$fixtures/tree-seven" broken=broken >log 2>&1 || { cat log; exit 1; }
ptediff=build/release/ptediff

ends 0 "$ptediff" compare --tree six --tree six --op mremap --runs 1000
says '^scenarios: 1000, .*differ: 0$'

# six moves entries one at a time, seven in batches: young and dirty spread over a folio
ends 1 "$ptediff" compare --tree six --tree seven --op mremap --runs 1000
says '^real differences: none$'
says '^  mremap dst.young on .*: more in tree:seven than in tree:six$'
ends 1 "$ptediff" compare --tree six --tree seven differences/mremap-dst.young-gained.pte
says 'mremap dst.young on'
ends 0 "$ptediff" compare --tree six --tree seven --op mremap --runs 1000 --real

ends 1 "$ptediff" compare --tree seven --tree broken --op mremap --runs 1000 --real
says 'tree:seven: as the reference'
says 'tree:broken: mremap/tree:broken/dst.write/'
ends 1 "$ptediff" run --impl tree:broken differences/mremap-dst.write-*.pte

ends 1 "$ptediff" compare --impl per_pte_v6_12 --impl batched_v6_18 \
	"$source/corpus/regress/mempolicy-aba.pte"
says 'strict.nr_failed on x86 arm64'
says 'per_pte_v6_12: .* nr_failed 1$'
says 'batched_v6_18: .* nr_failed 8$'

ends 125 "$ptediff" compare --tree six --tree seven --op mempolicy
ends 2 "$ptediff" compare --tree six
ends 2 "$ptediff" compare --tree six --tree never

# ---- git bisect: five commits, the fourth is bad, the second cannot be built ----

export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=a \
	GIT_COMMITTER_EMAIL=a@b.c
mkdir linux
git -C linux init -q

# commit SUBJECT - what is in linux/ now
commit()
{
	git -C linux add -A
	git -C linux commit -qm "$1"
}

cp -r "$fixtures/tree-six/." linux
commit 'one at a time'
rm -r linux/mm
cp -r "$fixtures/tree-seven/." linux
sed -i 's/pte_clear_uffd(pte)/pte_frobnicate(pte)/' linux/mm/mremap.c
commit 'in batches, does not build'
sed -i 's/pte_frobnicate(pte)/pte_clear_uffd(pte)/' linux/mm/mremap.c
commit 'builds'
sed -i 's/FPB_RESPECT_WRITE/0/' linux/mm/mremap.c
commit 'forgets write permission'
echo '/* the end */' >>linux/mm/mremap.c
commit 'a comment'

cat >step <<-END
	cd "$work" && "$source/scripts/kernel-tree" --lean --build "$work/build" t=linux || exit 125
	$ptediff random --op mremap --impl tree:t --runs 2000
END
git -C linux bisect start HEAD HEAD~4 >log
ends 0 git -C linux bisect run sh "$work/step"
says 'is the first bad commit'
git -C linux log -1 --format=%s refs/bisect/bad >out
says '^forgets write permission$'

# and the one that does not build says so by itself
git -C linux checkout -q "$(git -C linux log --all --format=%h --grep='does not build')"
ends 125 sh "$work/step"
