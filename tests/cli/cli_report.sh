# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# ptediff report: one static page that says what the text says.
set -euo pipefail
ptediff=$1/ptediff
source=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail()
{
	echo "$*"
	exit 1
}

# expect STATUS ARGUMENT... - of ptediff report; its output is in ./out
expect()
{
	local status=$1 got=0
	shift
	"$ptediff" report "$@" >out 2>err || got=$?
	[[ $got -eq $status ]] || fail "status $got, expected $status: report $*"
}

# has PATTERN... - each is in page.html
has()
{
	local pattern
	for pattern in "$@"; do
		grep -q -- "$pattern" page.html || fail "'$pattern' is missing"
	done
}

# A page with a bit of everything that can be drawn.
cat >everything.pte <<-END
	ptediff scenario v1
	impl batched_posted_v3
	folio 0 order 4
	folio 1024 order 4
	map 0..15 pfn 0 young excl cont
	map 16..31 pfn 1024 dirty write excl
	bits 0..15 write 1111111100000000
	nonpresent 20 swap type 1 offset 5
	nonpresent 21 marker-guard
	nonpresent 22 migration-write offset 77
	map 24 pfn 4095 special
	hw 3 write at 9
	mremap 0..31 -> 1030
END
expect 0 everything.pte --arch arm64 -o page.html
has '<h1>mremap/batched_posted_v3/dst.write/extra</h1>' 'The rule:' 'before</text>' \
	'expected: the reference</text>' 'got: the implementation</text>' 'class="differs"' \
	'class="has"' 'class="lacks"' 'class="arrow"' '>1:5<' '>guard<' '>zero<' 'class="hw"' \
	'class="flush"' 'class="lock"' 'prefers-color-scheme:dark' '@media print' \
	'ptediff run everything.pte --impl batched_posted_v3 --arch arm64' 'mremap 0..31 -&gt; 1030'

# Nothing that runs, nothing from elsewhere, every element closed.
if grep -nE '<script|https?:|javascript|url\((["'"'"']?)[^#]|@import| on[a-z]+=' page.html; then
	fail "not static"
fi
for element in svg section pre p text main; do
	opened=$(grep -oE "<$element[ >]" page.html | wc -l)
	closed=$(grep -o "</$element>" page.html | wc -l)
	[[ $opened -eq $closed ]] || fail "$element: $opened opened, $closed closed"
done

# The same again; on standard output; of bytes; of what was kept.
cp page.html first.html
expect 0 everything.pte --arch arm64
cmp first.html out || fail "standard output differs"
"$ptediff" convert everything.pte bytes
expect 0 bytes --impl batched_posted_v3 -o page.html
for file in "$source"/corpus/regress/posted-v3-*.pte; do
	expect 0 "$file" -o page.html
done

expect 2
expect 2 missing.pte
expect 2 everything.pte -o no/such/folder/page.html
expect 125 everything.pte --impl batched_v6_18
expect 125 everything.pte --signature mremap/batched_posted_v3/tlb/stale
