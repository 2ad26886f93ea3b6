# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# ptediff convert, show, ops and usage: both ways, errors with a position, exit codes.
set -euo pipefail
ptediff=$1/ptediff
source=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "$*"
	exit 1
}

# expect STATUS COMMAND... - its output is in $work/out
expect()
{
	local status=$1 got=0
	shift
	"$@" >"$work/out" 2>&1 || got=$?
	[[ $got -eq $status ]] || { cat "$work/out"; fail "status $got, expected $status: $*"; }
}

# Text to bytes to text loses the comments and headers, nothing else.
example=$source/tests/golden/example.pte
"$ptediff" convert "$example" "$work/bytes"
"$ptediff" convert "$work/bytes" "$work/text"
grep -vE '^(#|expect|impl)' "$example" | cmp - "$work/text"
"$ptediff" convert --to bytes - <"$work/text" | cmp - "$work/bytes"

# A repair is told in the text, and repairing again tells nothing.
printf 'ptediff scenario v1\nmap 0 pfn 4000 write\nmremap 0 -> 9\n' >"$work/illegal"
"$ptediff" convert --repair "$work/illegal" "$work/legal"
head -n 1 "$work/legal" | grep -qx 'ptediff scenario v1'
grep -q '^# repaired: ' "$work/legal" || fail "no repair is told"
"$ptediff" convert --repair "$work/legal" "$work/again"
! grep -q '^#' "$work/again" || fail "repaired twice"
grep -v '^#' "$work/legal" | cmp - "$work/again"

# An error names file, line, column and what was expected.
printf 'ptediff scenario v1\n\nmap 0 yuong\n' >"$work/wrong"
expect 2 "$ptediff" convert "$work/wrong"
grep -q "^$work/wrong:3:7: .*expected .*young" "$work/out" || fail "no position: $(cat "$work/out")"
expect 0 "$ptediff" convert --lenient "$work/wrong"
grep -q 'warning: 1 line' "$work/out" || fail "nothing said about a skipped line"
expect 2 "$ptediff" convert "$work/no-such-file"
grep -q 'No such file' "$work/out"

# The picture: folio A, its write bits, a caption.
expect 0 "$ptediff" show "$example"
grep -q '0\.\.15 *A\{16\} *pfn 512\.\.527$' "$work/out" || fail "no picture: $(cat "$work/out")"
grep -q ' write *#\{8\}\.\{8\}$' "$work/out"
cp "$work/out" "$work/picture"
expect 0 "$ptediff" show "$work/bytes"
sed -n '/^pages:/,$p' "$work/picture" | cmp - <(sed -n '/^pages:/,$p' "$work/out")

# What there is.
expect 0 "$ptediff" ops
grep -q '^mremap: ' "$work/out"
grep -q '^  batched_posted_v3  (wrong)$' "$work/out"
expect 0 "$ptediff" ops --contract mremap
grep -q '^dst\.write: entries, destination, exact$' "$work/out"
expect 0 "$ptediff" ops --records
grep -q '^10  mremap PAGES -> N' "$work/out"
expect 2 "$ptediff" ops --contract no-such-operation

# Usage.
for command in random run show convert ops; do
	expect 0 "$ptediff" "$command" --help
	grep -q '^  ptediff '"$command" "$work/out" || fail "$command --help has no example"
	expect 2 "$ptediff" "$command" --no-such-option
done
expect 0 "$ptediff" --help
expect 2 "$ptediff"
expect 2 "$ptediff" no-such-command
expect 0 "$ptediff" --version
for key in format compiler preset commit; do
	grep -q "^$key: ." "$work/out" || fail "--version says no $key"
done
