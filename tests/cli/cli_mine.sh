# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# "I have a patch": what README says, in a copy of the tree. First a correct loop, then one that
# no longer looks at the write bit. It builds the release preset, so one preset does for all.
set -euo pipefail
"$1/ptediff" --version | grep -qx 'preset: release' || exit 77
source=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -C "$source" --exclude=./build --exclude=./.git --exclude=./findings --exclude=./model/bugs -cf - . |
	tar -C "$work" -xf -
cd "$work"

build()
{
	cmake --build build/release --target ptediff >log 2>&1 || { cat log; exit 1; }
}

cp model/ops/mremap/batched_v6_18_nohint.c model/ops/mremap/mine.c
cmake --preset release >log 2>&1 || { cat log; exit 1; }
build
build/release/ptediff random --op mremap --impl mine --runs 20000

sed -i 's/FPB_RESPECT_WRITE/0/' model/ops/mremap/mine.c
build
status=0
build/release/ptediff random --op mremap --impl mine --seed 1 >out || status=$?
[[ $status -eq 1 ]] || { cat out; echo "status $status, expected 1"; exit 1; }
grep -E '^divergence: mremap/mine/dst\.write/(extra|missing)$' out
build/release/ptediff run findings/mremap-mine-dst.write-*.pte

cp model/ops/mremap/batched_v6_18_nohint.c model/ops/mremap/mine.c
build
status=0
build/release/ptediff run findings/mremap-mine-dst.write-*.pte >out || status=$?
[[ $status -eq 1 ]] || { cat out; echo "a fix is not seen"; exit 1; }
grep 'got no divergence' out

# What depends on the calls before is found, and cannot be repeated: no report, but words.
sed -i 's/FPB_RESPECT_WRITE/(calls++ == 20000 ? 0 : FPB_RESPECT_WRITE)/; 0,/^static/s//static unsigned int calls;\n\nstatic/' \
	model/ops/mremap/mine.c
build
status=0
build/release/ptediff random --op mremap --impl mine --seed 1 >out 2>err || status=$?
[[ $status -eq 1 ]] || { cat out err; echo "status $status, expected 1"; exit 1; }
grep -E '^divergence: mremap/mine/dst\.write/(extra|missing)$' out
grep 'does not show again when the scenario is judged alone: mine keeps something' out
