# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Every scenario that is kept, through every fuzz target: no finding, and each of them is really
# judged. As bytes, and through fuzz_text as text.
set -euo pipefail
build=$1 source=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bytes" "$work/text"
head -c 8 /dev/zero >"$work/bytes/zero"
while IFS= read -r file; do
	cp "$file" "$work/text"
	"$build/ptediff" convert --to bytes "$file" "$work/bytes/$(basename "$file" .pte)"
done < <(find "$source/corpus" -name '*.pte' | sort)
[[ $(find "$work/text" -type f | wc -l) -gt 1 ]] || { echo "the corpus is empty"; exit 77; }

# clean TARGET FILE... - no finding among them
clean()
{
	"$@" >"$work/log" 2>&1 || { tail -n 60 "$work/log"; echo "$1: a finding"; exit 1; }
}

for target in "$build"/fuzz_*; do
	case $(basename "$target") in
	fuzz_empty)	continue ;;
	fuzz_text)	clean "$target" "$work/text"/*; continue ;;
	fuzz_bytes)	clean "$target" "$work/bytes"/*; continue ;;
	esac
	[[ -x $target ]] || continue
	PTEDIFF_COUNTERS=$work/counters clean "$target" "$work/bytes"/*
	"$build/counters_print" "$work/counters" |
		awk -F '\t' -v target="$target" '
			$4 == 0 { print target ": nothing judged for " $2 " on " $3; bad = 1 }
			END { exit bad || NR == 0 }'
	rm "$work/counters"
done
