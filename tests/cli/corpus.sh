# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Seeds: a comment on top tells the story, no line is long, none needs a repair (what is judged is
# what the file says), and those of mremap all move something.
set -euo pipefail
ptediff=$1/ptediff
cd "$2"

status=0
broken()
{
	echo "$*"
	status=1
}

nr=0
while IFS= read -r file; do
	nr=$((nr + 1))
	sed -n 2p "$file" | grep -q '^# ' || broken "$file: line 2 is no comment"
	! grep -nE '.{101}' "$file" || broken "$file: longer than 100 columns"
	! "$ptediff" convert --repair "$file" | grep '^# repaired' || broken "$file: needs a repair"
done < <(find corpus/seeds -name '*.pte' | sort)
[[ $nr -gt 50 ]] || broken "$nr seeds"

others=$("$ptediff" run corpus/seeds/mremap | grep -vE '^(match|files:) ' || true)
[[ -z $others ]] || broken "$others"

exit "$status"
