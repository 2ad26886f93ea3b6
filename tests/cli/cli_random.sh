# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# ptediff random: the first bug is found, saved and replayed; threads and order change nothing.
set -euo pipefail
ptediff=$1/ptediff

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail()
{
	cat out
	echo "$*"
	exit 1
}

# expect STATUS ARGUMENT... - of ptediff random; its output is in ./out
expect()
{
	local status=$1 got=0
	shift
	"$ptediff" random "$@" >out 2>err || got=$?
	[[ $got -eq $status ]] || { cat err; fail "status $got, expected $status: random $*"; }
}

# The first bug: a report, and a file that shows the same.
expect 1 --op mremap --impl batched_posted_v3 --seed 1
grep -qE '^divergence: mremap/batched_posted_v3/dst\.write/(extra|missing)$' out || fail "no report"
saved=$(sed -n 's/^found: .*, saved as //p' out)
signature=$(sed -n 's/^divergence: //p' out)
[[ $saved == findings/${signature//\//-}.pte ]] || fail "saved as '$saved'"
"$ptediff" run --strict "$saved" >replayed
grep -q "^matched  *$saved  $signature$" replayed || { cat replayed; fail "not replayed"; }

# Nothing is found in what is correct, and the first scenario is the same each time.
expect 0 --op mremap --runs 10000 --seed 1
grep -q '^10000 scenarios, ' out || fail "no summary"
expect 0 --op mremap --seed 3 --print 2
cp out printed
expect 0 --op mremap --seed 3 --print 2
cmp out printed
"$ptediff" random --op mremap --seed 3 --print 1 | "$ptediff" convert - - >/dev/null
expect 0 --op mremap --histogram 5000
grep -q '^5000 scenarios, ' out || fail "no histogram"
grep -Eq 'entries of drivers. memory  +[1-9]' out || fail "no drivers' memory"

# Threads: the counts, the findings, the digest. Twice: up to the first divergence, and all.
for jobs in 1 2 3; do
	"$ptediff" random --op mremap --impl batched_posted_v3,batched_v6_18 --seed 5 \
		--runs 40000 --jobs "$jobs" --digest --out "first" |
		grep -v CPU-seconds >"first.$jobs" || true
	"$ptediff" random --op mremap --impl batched_posted_v3 --arch x86 --seed 5 \
		--runs 20000 --jobs "$jobs" --digest --keep-going --out "all" |
		grep -v CPU-seconds >"all.$jobs" || true
done
for jobs in 2 3; do
	cmp "first.1" "first.$jobs"
	cmp "all.1" "all.$jobs"
done
grep -qE '^found: .*, [0-9]+ scenarios, first ' all.1 || { cat all.1; fail "nothing counted"; }

# Order.
expect 0 --op mremap --runs 5000 --seed 2 --digest --stats none
cp out forward
expect 0 --op mremap --runs 5000 --seed 2 --digest --stats none --reverse
cmp out forward
grep -qE '^digest: [0-9a-f]{16}$' out || fail "no digest"
expect 0 --op mremap --runs 5000 --seed 4 --digest --stats none
! cmp -s out forward || fail "another seed has the same digest"

# JSON alone on standard output.
expect 0 --op mremap --runs 5000 --stats json
[[ $(head -n 1 out) == '{' && $(tail -n 1 out) == '}' ]] || fail "not JSON alone"
for key in scenarios judgements pages_per_cpu_second rows findings match-trivial; do
	grep -q "\"$key\": " out || fail "no $key"
done
grep -q '^implementation ' err || fail "no table"

# A signal ends it with its summary.
for signal in INT TERM; do
	"$ptediff" random --op mremap --runs 0 >out 2>err &
	pid=$!
	sleep 0.5
	kill -"$signal" "$pid"
	status=0
	wait "$pid" || status=$?
	[[ $status -eq 130 ]] || fail "status $status after SIG$signal"
	grep -q ' scenarios, .* CPU-seconds' out || fail "no summary after SIG$signal"
done

# Usage.
expect 2 --op no-such-operation
expect 2 --impl no-such-implementation
expect 2 --runs many
expect 2 --stats xml
expect 2 --reverse --runs 0
