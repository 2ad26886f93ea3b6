# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The same digest over states, events and verdicts from every compiler, with and without
# sanitizers, forwards and backwards, whatever the number of threads.
#
# tests/golden/digest.txt holds the digest and the command that it is of. It changes when the
# generator, the format or an implementation does; then, and only then:
#
#	bash tests/cli/determinism.sh build/release . --update
set -euo pipefail
ptediff=$1/ptediff
golden=$2/tests/golden/digest.txt

# Implementations by name: one that somebody adds changes nothing here.
common=(--op mremap --impl "per_pte_v6_12,batched_v6_18,batched_v6_18_nohint"
	--runs 20000 --seed 1 --digest --stats none)

digest()
{
	"$ptediff" random "${common[@]}" "$@" 2>/dev/null
}

if [[ ${3-} == --update ]]; then
	{ echo "# ptediff random ${common[*]}"; digest; } >"$golden"
	exit
fi

status=0
expected=$(grep '^digest: ' "$golden")
for order in "--jobs 1" "--reverse --jobs 3"; do
	# shellcheck disable=SC2086 # two words or three
	got=$(digest $order)
	if [[ $got != "$expected" ]]; then
		echo "$got with $order, expected $expected: see $(basename "$0")"
		status=1
	fi
done
grep -qxF "# ptediff random ${common[*]}" "$golden" || { echo "another command"; status=1; }
exit "$status"
