# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Every scenario that is kept, as bytes, through every fuzz target: no finding, and each of them is
# really judged.
set -euo pipefail
build=$1 source=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head -c 8 /dev/zero >"$work/zero"
while IFS= read -r file; do
	"$build/ptediff" convert --to bytes "$file" "$work/$(basename "$file" .pte)"
done < <(find "$source/corpus" -name '*.pte' | sort)
[[ $(find "$work" -type f | wc -l) -gt 1 ]] || { echo "the corpus is empty"; exit 77; }

for target in "$build"/fuzz_*; do
	[[ -x $target && $(basename "$target") != fuzz_empty ]] || continue
	rm -f "$work.counters"
	PTEDIFF_COUNTERS=$work.counters "$target" "$work"/* >"$work.log" 2>&1 ||
		{ tail -n 60 "$work.log"; echo "$target: a finding"; exit 1; }
	"$build/counters_print" "$work.counters" |
		awk -F '\t' -v target="$target" '
			$4 == 0 { print target ": nothing judged for " $2 " on " $3; bad = 1 }
			END { exit bad || NR == 0 }'
	rm -f "$work.counters" "$work.log"
done
