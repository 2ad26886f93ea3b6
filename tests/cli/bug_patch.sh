# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A patch is applied to a copy; one that no longer applies stops the build and is named.
set -euo pipefail
source=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/model/ops/toy" "$work/src/model/shim"
printf 'int a;\nint b;\n' >"$work/src/model/ops/toy/toy.c"
cat >"$work/toy-fine.patch" <<'PATCH'
Subject: b is long

--- a/model/ops/toy/toy.c
+++ b/model/ops/toy/toy.c
@@ -1,2 +1,2 @@
 int a;
-int b;
+long b;
PATCH
sed 's/^ int a;/ int c;/' "$work/toy-fine.patch" >"$work/toy-stale.patch"

apply()
{
	cmake "-DSOURCE=$work/src" "-DROOT=$work/copy" "-DPATCH=$work/$1.patch" \
		"-DFOLDERS=model/ops/toy" "-DPATCH_PROGRAM=$(command -v patch)" \
		-P "$source/cmake/apply_bug.cmake"
}

apply toy-fine
grep -q 'long b;' "$work/copy/model/ops/toy/toy.c"
grep -q 'int b;' "$work/src/model/ops/toy/toy.c"
if apply toy-stale >"$work/log" 2>&1; then
	echo "a stale patch was applied"
	exit 1
fi
grep -q 'toy-stale.patch no longer applies' "$work/log"
[[ ! -e $work/copy ]]
