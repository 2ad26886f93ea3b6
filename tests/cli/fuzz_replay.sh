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
