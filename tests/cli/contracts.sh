# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# docs/contracts.md is what the descriptors say, and has every operation and row.
set -euo pipefail
ptediff=$1/ptediff
page=$2/docs/contracts.md

"$ptediff" ops --contracts | diff "$page" - || {
	echo "out of date: ptediff ops --contracts >docs/contracts.md"
	exit 1
}
for folder in "$2"/model/ops/*/; do
	op=$(basename "$folder")
	grep -q "^## $op: ." "$page" || { echo "no section of $op"; exit 1; }
	"$ptediff" ops --contract "$op" | sed -n 's/^\([a-z][^:]*\): .*/\1/p' | while read -r row; do
		grep -qE "^\| ${row//./\\.}( \*)? \|" "$page" || { echo "no row $row"; exit 1; }
	done
done
