# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# No text of a kernel is tracked: extracted files end in .inc and say that they are generated.
set -euo pipefail
cd "$2"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exit 77

status=0
if git ls-files '*.inc' | grep .; then
	echo "extracted text is tracked"
	status=1
fi
if git grep -lE '^/\* GPL-2\.0, generated from ' -- ':!tests/cli/tree_*' | grep .; then
	echo "generated text is tracked"
	status=1
fi
exit "$status"
