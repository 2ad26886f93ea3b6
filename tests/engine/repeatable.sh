# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A scenario has one outcome, whatever ran before it: every scenario that is kept, twice in one
# process, once more in a fresh one in reverse order, some of them alone. The same digest over
# states, events and verdicts each time, and in the preset of libFuzzer the same edges.
#
#	bash tests/engine/repeatable.sh BUILD-FOLDER SOURCE-FOLDER [CORPUS-FOLDER]
set -euo pipefail
build=$1
corpus=${3-$2/corpus}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t files < <(find "$corpus" -type f | sort)
[[ ${#files[@]} -gt 0 ]] || { echo "$corpus is empty"; exit 1; }
mapfile -t reversed < <(printf '%s\n' "${files[@]}" | tac)
status=0

# same WHAT FILE... - no scenario has two lines in the files; the name is the last word of a line
same()
{
	local what=$1
	shift
	sort -u "$@" >"$work/lines"
	awk -v what="$what" '{ if (seen[$NF]++) { print "not the same " what ": " $NF; bad = 1 } }
		END { exit bad }' "$work/lines" || status=1
	[[ $(wc -l <"$work/lines") -ge ${#files[@]} ]] || { echo "too few $what"; status=1; }
}

# digests FILE... - a line each: digest and name, of what could be judged
digests()
{
	"$build/ptediff" run --lenient --digest "$@" | awk 'length($1) == 16 && $1 !~ /[^0-9a-f]/ { print $1, $3 }'
}

digests "${files[@]}" "${files[@]}" >"$work/twice"
digests "${reversed[@]}" >"$work/reversed"
for ((i = 0; i < ${#files[@]}; i += ${#files[@]} / 16 + 1)); do
	digests "${files[i]}"
done >"$work/alone"
same digest "$work"/{twice,reversed,alone}
[[ $(awk '{ print $1 }' "$work/twice" | sort -u | wc -l) -gt 1 ]] ||
	{ echo "all digests are the same"; status=1; }

if [[ -x $build/edges ]]; then
	"$build/edges" "${files[@]}" "${files[@]}" >"$work/twice"
	"$build/edges" "${reversed[@]}" >"$work/reversed"
	same edges "$work"/{twice,reversed}
fi
exit "$status"
