# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# ptediff min and ptediff add: what is kept, what is written, and the exit codes.
set -euo pipefail
ptediff=$1/ptediff
check_minimal=$1/check_minimal
signature=mremap/batched_posted_v3/dst.write/extra

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail()
{
	cat out err
	echo "$*"
	exit 1
}

# expect STATUS ARGUMENT... - of ptediff; its output is in ./out and ./err
expect()
{
	local status=$1 got=0
	shift
	"$ptediff" "$@" >out 2>err || got=$?
	[[ $got -eq $status ]] || fail "status $got, expected $status: $*"
}

# An example with more in it than it takes.
cat >crash.pte <<-END
	ptediff scenario v1
	impl batched_posted_v3
	vma 0..511
	vma 1024..1535 pgoff 7
	folio 64 order 4 node 1
	folio 512 order 5 active
	map 0..15 pfn 512 young dirty excl
	map 800..815 pfn 64 write excl
	bits 0..15 write 1111111100000000
	bits 0..15 young xor 0101010101010101
	nonpresent 900..903 swap type 1
	mremap 800..803 -> 1800
	mremap 0..15 -> 1024 rmap-locks
	mremap 800 -> 1900
END
# The result is strict text with its headers, on standard output; the unshrunk case comes first.
expect 0 min crash.pte
cat >smallest <<-END
	ptediff scenario v1
	expect $signature
	impl batched_posted_v3
	folio 0 order 1
	map 0..1 excl
	bits 0 write 1000000000000000
	mremap 0..1 -> 2
END
cmp smallest out || fail "not the smallest"
head -n 1 err | grep -q "^crash.pte: $signature on x86, step 1, " || fail "no first line"
grep -q '^mremap 800 -> 1900' err || fail "the unshrunk case is missing"
grep -qE '^4 records, [0-9]+ before, [0-9]+ runs, [0-9.]+ s$' err || fail "no last line"

# Checked by other code than made it.
"$check_minimal" smallest >out 2>err || fail "not minimal"
sed 's/order 1/order 2/' smallest >larger
! "$check_minimal" larger >out 2>err || fail "not noticed"

# Another signature met on the way is saved, and shows what it says.
[[ -f findings/mremap-batched_posted_v3-dst.write-missing.pte ]] || fail "no other find"
expect 0 run --strict findings

# Bytes, a file, no words.
"$ptediff" convert crash.pte crash
expect 125 min crash
grep -q -- '--impl' err || fail "no hint"
expect 0 min crash --impl batched_posted_v3 -o result.pte --quiet
cmp smallest result.pte || fail "bytes end elsewhere"
[[ ! -s out && ! -s err ]] || fail "not quiet"
expect 0 run --strict result.pte
expect 0 min result.pte
cmp smallest out || fail "not a fixed point"

# On the other arch alone.
expect 0 min crash.pte --arch arm64
head -n 1 err | grep -q ' on arm64, ' || fail "not on arm64"

# Looser pins end in something that diverges, too.
expect 0 min crash.pte --field -o field.pte
grep -q '^expect mremap/.*/dst.write/' field.pte
expect 0 run --strict field.pte
expect 0 min crash.pte --any -o any.pte
expect 0 run --strict any.pte
expect 125 min crash.pte --signature mremap/batched_posted_v3/dst.write/missing
grep -q "does not show mremap/.*/missing here; it shows $signature" err || fail "what it shows"
expect 2 min crash.pte --signature nonsense
grep -q 'expected operation/implementation/field/relation' err || fail "form of a signature"
expect 0 min crash.pte --signature $signature
sed '/^impl/d' crash.pte >unnamed.pte
expect 0 min unnamed.pte --signature $signature
cmp smallest out || fail "the signature names what is judged"

# A predicate: exit code 0 is interesting.
expect 0 min crash.pte --predicate 'grep -q "^mremap .*rmap-locks"'
[[ $(grep -c '^mremap' out) -eq 1 && $(wc -l <out) -le 4 ]] || fail "predicate"
expect 125 min crash.pte --predicate false
grep -q "'false' exits with 1, expected 0" err || fail "why it is not interesting"
expect 2 min crash.pte --predicate no/such/command
cat >alternates <<-'END'
	#!/bin/sh
	if [ -e seen ]; then rm seen; exit 1; fi
	touch seen
END
chmod +x alternates
expect 2 min crash.pte --predicate ./alternates
grep -q 'not reproducible' err || fail "flaky, and not said"

# A name that cannot be written loses nothing.
expect 2 min crash.pte -o no/such/folder/min.pte
cmp smallest out || fail "the result is lost"

# Out of time: the best so far, and it is said.
expect 0 min crash.pte --predicate 'sleep 0.3; grep -q rmap-locks' --budget 1
grep -q 'out of time' err || fail "out of time, and not said"

# Ctrl-C: the best so far.
"$ptediff" min crash.pte --predicate 'sleep 0.1; grep -q rmap-locks' --budget 0 -o best.pte 2>err &
sleep 1
kill -TERM $!
status=0
wait $! || status=$?
[[ $status -eq 130 ]] || fail "status $status after a signal"
grep -q '^ptediff scenario v1' best.pte || fail "nothing kept"

# Usage.
expect 2 min
expect 2 min crash.pte crash.pte
expect 2 min missing.pte
expect 2 min crash.pte --impl no-such-implementation
expect 2 min crash.pte --field --any
sed 's/^impl .*/impl bug:no-such-bug/' crash.pte >absent.pte
expect 125 min absent.pte
expect 125 min crash.pte --impl batched_v6_18

# add: minimized, named, expected; once.
expect 0 add crash.pte --to regress
cmp smallest regress/mremap-batched_posted_v3-dst.write-extra.pte || fail "add"
expect 0 add crash.pte crash --impl batched_posted_v3 --to regress
grep -q '^known  regress/' out || fail "added twice"
[[ $(find regress -type f | wc -l) -eq 1 ]] || fail "added twice"
expect 0 run --strict regress
expect 125 add absent.pte --to regress
expect 2 add
expect 0 add crash.pte --fixed --to fixed
! grep -q '^expect' fixed/*.pte || fail "expects what is fixed"
