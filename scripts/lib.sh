# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the scripts share. Exit codes everywhere: 0 clean, 1 findings, 2 usage or infrastructure.

set -euo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
JOBS=$(nproc)

say()
{
	printf '%s\n' "$*" >&2
}

# die TEXT... - give up: usage or infrastructure
die()
{
	say "${0##*/}: $*"
	exit 2
}

# usage - the comment at the top of the script, from its fourth line
usage()
{
	awk 'NR > 3 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
}

# need_number OPTION VALUE
need_number()
{
	[[ ${2-} =~ ^[0-9]+$ ]] || die "$1: expected a number, got '${2-}'"
}

# Options for cmake when build configures.
build_options=()

# build PRESET [TARGET...] - configure and build; the log is shown only when that fails
build()
{
	local preset=$1 log=$TOP/build/$1.log
	shift
	mkdir -p "$TOP/build"
	if ! (cd "$TOP" && cmake --preset "$preset" ${build_options[@]+"${build_options[@]}"} &&
	      cmake --build --preset "$preset" -j "$JOBS" ${1:+--target "$@"}) \
	     >"$log" 2>&1; then
		say "build of preset $preset failed:"
		grep -vE '^\[[0-9]+/[0-9]+\] |^-- ' "$log" | tail -n 60 >&2
		die "the whole log is in $log"
	fi
}

# now - seconds since the epoch, with a fraction
now()
{
	printf '%s' "$EPOCHREALTIME"
}

# since SECONDS - what has passed since then, to a tenth
since()
{
	awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }'
}

# cpu_time FILE COMMAND... - run it, and what it leaves behind ends with it; FILE receives user and
# system seconds and those of the clock (fuzz/cputime.c)
cpu_time()
{
	"$TOP/build/release/cputime" "$@"
}

# scenarios_to_bytes FROM TO - the texts below folder FROM as the bytes that engines mutate
scenarios_to_bytes()
{
	mkdir -p "$2"
	find "$1" -name '*.pte' -print0 | sort -z |
		xargs -0 "$TOP/build/release/seeds" "$2" || die "$1 cannot be converted"
}

# judging_targets FOLDER - the fuzz targets in a build folder that judge operations
judging_targets()
{
	find "$1" -maxdepth 1 -name 'fuzz_*' -type f -executable ! -name fuzz_empty \
		! -name fuzz_bytes ! -name fuzz_text -printf '%f\n' | sort
}

# afl_env - the variables that afl-fuzz needs on any machine, a container included
afl_env()
{
	export AFL_NO_UI=1 AFL_TRY_AFFINITY=1 AFL_SKIP_CPUFREQ=1
	export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
	export AFL_CUSTOM_MUTATOR_LIBRARY=$TOP/build/release/ptediff_afl_mutator.so
}
