# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# ptediff run --coverage and random --coverage: what was judged is counted, whatever the threads.
set -euo pipefail
ptediff=$1/ptediff source=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "$*"
	cat "$work"/*.tsv | head -n 40
	exit 1
}

# has FILE LINE - fields separated by one blank here
has()
{
	tr '\t' ' ' <"$1" | grep -qxF "$2" || fail "no line '$2'"
}

# One large folio, the first page of its range writable: each of the four entries is counted.
cat >"$work/one.pte" <<-'PTE'
	ptediff scenario v1
	folio 512 order 2
	map 0..3 pfn 512 young excl
	bits 0..3 write 1000000000000000
	mremap 0..3 -> 1024
PTE
"$ptediff" run --coverage "$work/one.tsv" --impl per_pte_v6_12 --arch x86 "$work/one.pte" >/dev/null
has "$work/one.tsv" "entry mremap per_pte_v6_12 x86 anon 2 range-first write 1"
has "$work/one.tsv" "entry mremap per_pte_v6_12 x86 anon 2 inside young 2"
has "$work/one.tsv" "entry mremap per_pte_v6_12 x86 anon 2 folio-last exclusive 1"
has "$work/one.tsv" "argument mremap per_pte_v6_12 x86 pages 4 match 1"
! grep -q 'inside.write' "$work/one.tsv" || fail "page 1 is not writable"
! grep -q arm64 "$work/one.tsv" || fail "arm64 was not judged"

for jobs in 1 3; do
	"$ptediff" random --op mremap --runs 3000 --jobs "$jobs" --stats none \
		--coverage "$work/$jobs.tsv"
done
cmp "$work/1.tsv" "$work/3.tsv" || fail "threads change what is counted"
status=0
"$ptediff" random --runs 10 --stats none --coverage "$work/no/such" 2>"$work/log" || status=$?
[[ $status -eq 2 ]] || fail "status $status"
grep -q 'cannot be written' "$work/log" || fail "no message"

PYTHONPATH=$source/scripts python3 -B -m unittest discover -q -s "$source/tests/python" \
	-p 'test_coverage*.py' || fail "coveragereport"
