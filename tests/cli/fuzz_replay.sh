# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The fuzz target without an engine: files and folders, its exit codes, its variables.
set -euo pipefail
build=$1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/folder"
head -c 8 /dev/zero >"$work/folder/zero"
head -c 4096 /dev/zero >"$work/folder/zeros"

ends()
{
	local expected=$1 status=0
	shift
	"$@" >"$work/log" 2>&1 || status=$?
	[[ $status -eq $expected ]] && return
	echo "$*: exit status $status, expected $expected"
	cat "$work/log"
	exit 1
}

target=$build/fuzz_all
ends 0 "$target" "$work/folder"
ends 0 "$target" -runs=3 "$work/folder/zero" "$work/folder"
ends 2 "$target"
ends 2 "$target" -runs=x "$work/folder"
ends 2 "$target" "$work/nothing"
ends 2 "$build/seeds" "$work/bytes" "$work/folder"
grep -q "^$work/folder: Is a directory" "$work/log"
ends 2 env PTEDIFF_IMPL=nobody "$target" "$work/folder"
ends 2 env PTEDIFF_ARCH=vax "$target" "$work/folder"

# Two runs add up in one counters file.
export PTEDIFF_COUNTERS=$work/counters
ends 0 "$target" "$work/folder"
ends 0 "$target" "$work/folder"
ends 0 "$build/counters_print" "$work/counters"
ends 2 env PTEDIFF_ARCH=x86 "$target" "$work/folder"
grep -q 'counters of other implementations' "$work/log"
ends 2 "$build/counters_print" "$work/folder/zeros"
unset PTEDIFF_COUNTERS

# What is known is counted and does not end it; what is behind it does.
cat >"$work/wrong.pte" <<-'PTE'
	ptediff scenario v1
	folio 0 order 1
	map 0..1 excl
	bits 1 write 1000000000000000
	mremap 0..1 -> 2
PTE
"$build/ptediff" convert --to bytes "$work/wrong.pte" "$work/wrong"
signature()
{
	sed -n 's/^Assertion failure: ptediff \([^ ]*\) .*/\1/p' "$work/log"
}
export PTEDIFF_IMPL=batched_posted_v3,batched_v6_18
ends 1 "$target" "$work/wrong"
[[ $(signature) == mremap/batched_posted_v3/dst.write/* ]]
first=$(signature)
ends 1 env PTEDIFF_KNOWN="$work/nothing" "$target" "$work/wrong"
printf '%s\n' "${first%?}" "x$first" >"$work/known"
ends 1 env PTEDIFF_KNOWN="$work/known" "$target" "$work/wrong"
printf 'a/b/c/d\n%s' "$first" >"$work/known"
ends 0 env PTEDIFF_KNOWN="$work/known" PTEDIFF_COUNTERS="$work/counted" "$target" "$work/wrong"
"$build/counters_print" "$work/counted" | awk -F '\t' '$2 == "batched_posted_v3" && $9 { n++ }
	END { exit !n }'
ends 2 env PTEDIFF_KNOWN="$work/folder" "$target" "$work/wrong"
