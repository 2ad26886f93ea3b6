# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A module exports one symbol and asks for nothing but libc and the world: no implementation can
# reach the harness, the reference or another module.
set -euo pipefail
build=$1

libc=$(ldd "$build/fuzz_empty" | awk '$1 ~ /^libc\.so/ { print $3 }')
known=$(mktemp)
trap 'rm -f "$known"' EXIT
nm -D --defined-only "$libc" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u >"$known"

status=0
nr=0
for module in "$build"/modules/*.o; do
	name=$(basename "$module" .o)
	nr=$((nr + 1))
	exported=$(nm -g --defined-only "$module" | awk '{ print $3 }')
	if [[ $exported != "$name" ]]; then
		echo "$name exports: $exported"
		status=1
	fi
	# What the compiler itself refers to begins with __.
	foreign=$(nm -u "$module" | awk '{ print $2 }' | grep -vE '^(pd_world_|__|_GLOBAL_)' |
		sort -u | comm -23 - "$known")
	if [[ -n $foreign ]]; then
		echo "$name refers to: $foreign"
		status=1
	fi
done
[[ $nr -gt 0 ]] || { echo "no modules in $build"; exit 1; }
exit "$status"
