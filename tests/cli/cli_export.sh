# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# ptediff export: both kinds of programs compile without a warning and do what they say.
set -euo pipefail
build=$1
ptediff=$build/ptediff
source=$2
signature=mremap/batched_posted_v3/dst.write/extra

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail()
{
	[[ ! -e out ]] || cat out
	echo "$*"
	exit 1
}

# expect STATUS COMMAND... - its output is in ./out
expect()
{
	local status=$1 got=0
	shift
	"$@" >out 2>&1 || got=$?
	[[ $got -eq $status ]] || fail "status $got, expected $status: $*"
}

cc=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
strict=(-Wall -Wextra -Werror)
sanitize=()
if nm "$build/libpd_harness.a" 2>/dev/null | grep '__asan_' >/dev/null; then
	sanitize=(-fsanitize=address,undefined)
fi

# --c: fails while the divergence shows, passes with an implementation that is right.
cat >bug.pte <<-END
	ptediff scenario v1
	expect $signature
	impl batched_posted_v3
	folio 0 order 1
	map 0..1 excl
	bits 0 write 1000000000000000
	mremap 0..1 -> 2
END
test_c()
{
	expect 0 "$cc" "${strict[@]}" "${sanitize[@]}" -I"$source" "$1.c" \
		"$build"/libpd_{harness,registry,model,hash}.a -lxxhash -o "$1"
}
"$ptediff" export --c bug.pte -o bug.c
test_c bug
expect 1 ./bug
grep -q "^divergence: $signature" out || fail "no report"
tail -n 1 out | grep -qx 'not ok' || fail "no verdict"
"$ptediff" export --c bug.pte --impl batched_v6_18 >fixed.c
test_c fixed
expect 0 ./fixed
"$ptediff" export --c bug.pte --impl 'bug:no-such-bug' -o absent.c
test_c absent
expect 125 ./absent

# --kselftest: every seed gives a program that compiles; those that run say how it went.
folder=$source/corpus/seeds/mremap
for file in "$folder"/folio-orders.pte "$folder"/hw-read-block.pte "$folder"/uffd-wp-present.pte; do
	"$ptediff" export --kselftest "$file" -o seed.c
	expect 0 cc "${strict[@]}" seed.c -o seed
done

# Clearing a folio is asked for by a fault, where there are folios of that size.
printf 'ptediff scenario v1\nzero_folio order 9 hint 3 byte 8\nzero_folio order 18\n' >zero.pte
"$ptediff" export --kselftest zero.pte -o zero.c
grep -q '{ .op = OP_FAULT, .src = 3, .order = 9, .byte = 8 }' zero.c || fail "no fault of order 9"
grep -q '"zero_folio order 18: left out: a fault makes' zero.c || fail "order 18 is not named"
expect 0 cc "${strict[@]}" zero.c -o zero
status=0
./zero >out || status=$?
grep -qE '^ok 1 ptediff$|^ok 1 ptediff # SKIP ' out || fail "zero: status $status"
if grep -q 'before Linux 7.0' out; then
	sed 's/madvise(start, size, MADV_DONTNEED);/(void)size;/' zero.c >other.c
	! cmp -s zero.c other.c
	expect 0 cc "${strict[@]}" other.c -o other
	expect 1 ./other
	grep -q '^not ok 1 .*page 0: has the contents of before' out || fail "not noticed"
fi

# What is left out changes what is expected of the rest: swap becomes a hole, which ends the move.
cat >uffd.pte <<-END
	ptediff scenario v1
	map 0..7 pfn 900 dirty write excl
	nonpresent 8 swap type 1
	map 9..15 pfn 909 write excl
	uffd_move 0..15 -> 1024
END
"$ptediff" export --kselftest uffd.pte -o uffd.c
grep -q '.pages = 16, .holes = false, .error = 11 }' uffd.c || fail "another errno"
expect 0 cc "${strict[@]}" uffd.c -o uffd
status=0
./uffd >out || status=$?
grep -qE '^ok 1 ptediff$|^ok 1 ptediff # SKIP ' out || fail "uffd_move: status $status"
if [[ $status -eq 0 ]]; then
	sed 's/.error = 11/.error = 0/' uffd.c >other.c
	expect 0 cc "${strict[@]}" other.c -o other
	expect 1 ./other
	grep -q '^not ok 1 .*errno 11, expected 0' out || fail "not noticed"
fi

# What cannot be expressed is named; on x86 mremap() is vacuous, and says so instead of passing.
cat >match.pte <<-END
	ptediff scenario v1
	map 0..15 pfn 512 young write excl
	nonpresent 16 migration-write offset 77
	map 17..20 pfn 900 write excl
	hw 3 read at 2
	mremap 0..20 -> 1024
END
"$ptediff" export --kselftest match.pte -o match.c
expect 0 cc "${strict[@]}" match.c -o match
status=0
./match >out || status=$?
grep -q '^# not expressed: nonpresent 16 migration-write offset 77: ' out || fail "not named"
grep -q '^# not expressed: hw 3 read at 2: ' out || fail "not named"
if [[ $(uname -m) == x86_64 ]]; then
	[[ $status -eq 4 ]] || fail "status $status"
	grep -q '^ok 1 .*# SKIP' out || fail "not skipped"
else
	[[ $status -eq 0 || $status -eq 4 ]] || fail "status $status"
fi

# It notices when the kernel does not do what is expected.
if grep -q 'SKIP vacuous' out; then
	sed 's/^\t{ 1024, 0, true },/\t{ 1024, 1, true },/' match.c >other.c
	! cmp -s match.c other.c
	expect 0 cc "${strict[@]}" other.c -o other
	expect 1 ./other
	grep -q '^not ok 1 .*page 1024' out || fail "not noticed"
fi

expect 2 "$ptediff" export bug.pte
expect 2 "$ptediff" export --c --kselftest bug.pte
expect 2 "$ptediff" export --c missing.pte
printf 'ptediff scenario v1\nmap 0\nmremap 0 to 1\n' >unread.pte
expect 2 "$ptediff" export --kselftest unread.pte
grep -q 'unread.pte:3:' out || fail "the line is not named"
