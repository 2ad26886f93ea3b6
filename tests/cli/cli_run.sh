# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# ptediff run: what a file expects, what counts as what, and the exit codes.
set -euo pipefail
ptediff=$1/ptediff
source=$2
signature=mremap/batched_posted_v3/dst.write/extra

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail()
{
	cat out
	echo "$*"
	exit 1
}

# expect STATUS ARGUMENT... - of ptediff run; its output is in ./out
expect()
{
	local status=$1 got=0
	shift
	"$ptediff" run "$@" >out 2>&1 || got=$?
	[[ $got -eq $status ]] || fail "status $got, expected $status: run $*"
}

# says PATTERN... - each is in the output
says()
{
	local pattern
	for pattern in "$@"; do
		grep -q -- "$pattern" out || fail "'$pattern' is missing"
	done
}

summary()
{
	[[ $(tail -n 1 out) == "files: $1, matched: $2, unexpected: $3, skipped: $4, unreadable: $5" ]] ||
		fail "expected other counts: $*"
}

# example.pte shows the first bug on both arches and expects it.
cp "$source/tests/golden/example.pte" bug.pte
expect 0 --strict bug.pte
says "^matched .*$signature" '^divergence: ' '^rule: dst\.write: ' '^the same signature on arm64'
summary 1 1 0 0 0

# Expecting nothing, it is a finding; of a correct implementation it is clean.
grep -v '^expect' bug.pte >silent.pte
expect 1 silent.pte
says "^divergence .*$signature"
summary 1 0 1 0 0
expect 0 silent.pte --impl batched_v6_18
says '^match '
expect 0 bug.pte --impl batched_v6_18,per_pte_v6_12
expect 0 bug.pte --arch x86

# Expecting something else, it is one, too.
sed 's,dst.write/extra,dst.write/missing,' bug.pte >other.pte
expect 1 other.pte
says 'dst.write/missing, got .*dst.write/extra'
sed 's/1111111100000000/1111111111111111/' bug.pte >fixed.pte
expect 1 fixed.pte
says "expected $signature, got no divergence"

# An implementation that is not here cannot be tested here.
sed -e 's/^impl .*/impl bug:no-such-bug/' -e '/^expect/d' bug.pte >absent.pte
expect 125 absent.pte
says '^skipped .*no-such-bug'
expect 2 bug.pte --impl no-such-implementation
expect 2 bug.pte --arch no-such-arch

# Bytes have no headers.
"$ptediff" convert bug.pte bytes
expect 0 bytes
expect 1 bytes --impl batched_posted_v3

# What is not readable is trouble, and so is a repair when asked to be strict.
echo 'ptediff scenario v2' >version.pte
expect 2 version.pte
says '^version.pte:1:18: expected'
expect 2 missing.pte
expect 2
printf 'ptediff scenario v1\nmap 0 pfn 4000 write\nmremap 0 -> 9\n' >illegal.pte
expect 0 illegal.pte
expect 2 --strict illegal.pte
says '^unreadable .*needs repair'

# A folder is all its files, in order; a finding weighs more than a file that is not readable.
mkdir -p folder/b
cp bug.pte folder/b/2.pte
cp silent.pte folder/a.pte
cp absent.pte folder/c.pte
cp version.pte folder/d.pte
cp bug.pte folder/.hidden
expect 1 folder --junit junit.xml
summary 4 1 1 1 1
[[ $(grep -oE 'folder/[^ ]*pte' out | uniq | grep -v ':' | sort -u) == \
	$(grep -oE '^[a-z]+ +folder/[^ ]*pte' out | awk '{ print $2 }') ]] || fail "not in order"
grep -q '<testsuite name="ptediff run" tests="4" failures="1" errors="1" skipped="1">' junit.xml
[[ $(grep -c '<testcase ' junit.xml) -eq 4 ]]

# Mail: 72 columns of plain text.
expect 0 --mail bug.pte
if sed '1d;$d' out | grep -nE '.{73}|[^ -~]'; then
	fail "not for mail"
fi
says '^rule: '

# The trace has what the guilty step did, in its order.
expect 0 bug.pte --trace --impl batched_posted_v3 --arch x86
says '^trace of step 0: batched_posted_v3 on x86, diverges' '^  lock ' '^  flush ' '^  unlock ' \
	'^  read .*pfn 512' '^  batch .*pages 0\.\.15'
