# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the scripts say and how they end when they are asked for help, asked wrongly, or lack
# something.
set -euo pipefail
source=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "$*"
	cat "$work/log"
	exit 1
}

# ends STATUS COMMAND... - with its output in $work/log
ends()
{
	local expected=$1 status=0
	shift
	"$@" >"$work/log" 2>&1 || status=$?
	[[ $status -eq $expected ]] || fail "$*: exit status $status, expected $expected"
}

scripts="setup smoke test bench coverage oss-fuzz-check minimize minimize-table bucket-table"
for script in $scripts; do
	ends 0 "$source/scripts/$script" --help
	grep -qE "^scripts/$script (DIR )?- " "$work/log" || fail "$script --help"
done
for script in $scripts; do
	ends 2 "$source/scripts/$script" --nonsense
done
ends 2 "$source/scripts/smoke" --runs many
ends 2 "$source/scripts/smoke" --runs 0
ends 2 "$source/scripts/smoke" --budget 0
ends 2 "$source/scripts/smoke" --budget soon

# setup, with what it asks about replaced: PATH has these and the few tools that it needs.
mkdir "$work/bin"
for tool in bash env awk grep dirname nproc mktemp cat; do
	ln -s "$(command -v "$tool")" "$work/bin/$tool"
done
fake()
{
	printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}
setup()
{
	PATH=$work/bin "$source/scripts/setup"
}

ends 2 setup
grep -q 'this is no Debian; missing: .*clang.*xxhash.h' "$work/log" || fail "setup elsewhere"

fake apt-get 'exit 1'
fake dpkg-query 'exit 1'
fake id 'echo 1000'
ends 2 setup
grep -q '^apt-get update && apt-get install .* cmake .*libcmocka-dev' "$work/log" ||
	fail "setup without root"

# shellcheck disable=SC2016 # ${Status} is dpkg's
fake dpkg-query 'case "$*" in *cmake*) exit 1 ;; *) echo "install ok installed" ;; esac'
ends 2 setup
grep -q '^apt-get .*recommends cmake$' "$work/log" || fail "setup names more than is missing"

fake dpkg-query 'echo "install ok installed"'
ends 0 setup
[[ ! -s $work/log ]] || fail "setup is not quiet when nothing is missing"

# What smoke makes of its drivers' results, for people and for machines.
PYTHONPATH=$source/scripts python3 -B -m unittest discover -q -s "$source/tests/python" \
	-p 'test_smoke*.py' >"$work/log" 2>&1 || fail "smokereport"
