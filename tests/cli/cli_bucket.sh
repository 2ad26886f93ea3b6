# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# ptediff bucket: crashes of several shapes, sorted by signature; nothing is dropped.
set -euo pipefail
ptediff=$1/ptediff
signature=mremap/batched_posted_v3/dst.write

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

# Text as the random loop writes it, bytes as engines do, and files that are neither.
mkdir -p crashes/default/crashes
for seed in 1 2 3; do
	"$ptediff" random --op mremap --impl batched_posted_v3 --runs 4000 --seed $seed \
		--keep-going --stats none --out crashes/$seed >/dev/null || true
done
nr=0
for file in crashes/2/*.pte; do
	"$ptediff" convert "$file" "crashes/default/crashes/id:00000$((nr++)),sig:06"
done
rm -r crashes/2
texts=$(find crashes -name '*.pte' | wc -l)
printf 'ptediff scenario v2\n' >crashes/version.pte
printf 'ptediff scenario v1\nmremap 0..15 -> 1024\n' >crashes/clean.pte
printf 'ptediff scenario v1\nimpl bug:no-such-bug\nmremap 0 -> 9\n' >crashes/absent.pte
touch -d '2020-01-02 03:04:05' crashes/3/*extra.pte

expect 1 bucket crashes --impl batched_posted_v3 -o bugs
grep -qE "^ +3  2020-01-02 03:04:05  mremap +batched_posted_v3  dst.write/extra +[0-9]+ -> 4 " out ||
	fail "no row of extra"
grep -qE "^ +3  .*dst.write/missing +[0-9]+ -> 4 " out || fail "no row of missing"
grep -q "^files: $((texts + nr + 3)), in buckets: $((texts + nr)), signatures: 2, in bugs/" out || fail "other counts"
grep -A1 '^1 cannot be read:' out | grep -q 'crashes/version.pte' || fail "version"
grep -A2 'show nothing here:' out | grep -q 'crashes/clean.pte' || fail "clean"

for relation in extra missing; do
	folder=bugs/mremap-batched_posted_v3-dst.write-$relation
	for file in first.pte min.pte report.txt meta.json; do
		[[ -s $folder/$file ]] || fail "no $folder/$file"
	done
	grep -q "^expect $signature/$relation" "$folder/min.pte"
	grep -q "^divergence: $signature/$relation" "$folder/report.txt"
	grep -q "\"signature\":\"$signature/$relation\"" "$folder/meta.json"
	grep -q '"files":3' "$folder/meta.json"
	grep -q '"minimal":true' "$folder/meta.json"
	expect 0 run --strict "$folder/min.pte" "$folder/first.pte"
done

# A file that names its implementation needs no option; one whose implementation is absent is listed.
expect 1 bucket crashes/1 crashes/absent.pte -o named
grep -A1 'an implementation that is not here:' out | grep -q 'crashes/absent.pte' || fail "absent"

# A signature that no file shows, but a candidate on the way does.
expect 1 bucket crashes/1/*extra.pte -o alone
grep -A1 '^met on the way' out | grep -q 'alone/met/mremap-batched_posted_v3-dst.write-missing.pte' ||
	fail "not saved"
expect 0 run --strict alone/met

# Nothing found, nothing read, nothing given.
expect 0 bucket crashes/clean.pte -o none
[[ ! -e none ]] || fail "a folder for nothing"
expect 2 bucket crashes/version.pte -o none
expect 2 bucket
expect 2 bucket missing
expect 2 bucket crashes/1 --impl no-such-implementation
