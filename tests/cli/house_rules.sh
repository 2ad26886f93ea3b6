# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The rules that hold the house up (CONTRIBUTING.md), checked in the sources and, where they say
# more, in the objects.
set -euo pipefail
build=$1
cd "$2"

status=0

broken()
{
	echo "$*"
	status=1
}

# none WHAT - each line of standard input breaks a rule
none()
{
	local line
	while IFS= read -r line; do
		broken "$1: $line"
	done
}

# files FOLDER... - the C files below
files()
{
	find "$@" -name '*.[ch]' | sort
}

# includes - "FILE INCLUDED" for each file named on standard input, the latter as it is written
includes()
{
	xargs grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"][^>"]+[>"]' |
		sed -E 's/:[^<"]*/ /'
}

mapfile -t sources < <(files model harness fuzz tests | grep -v '^tests/fixtures/')
mapfile -t libraries < <(files model harness | grep -v '^harness/cli/')
[[ ${#sources[@]} -gt 100 ]] || broken "only ${#sources[@]} sources found"

# ---- a reference shares nothing with what it judges; the judge does not believe accessors

none "a reference includes" < <(
	files model/ops | grep '/reference\.c$' | includes |
		awk '$2 !~ /^("(model\/state\/[a-z_]+|args)\.h"|<[a-z]+\.h>)$/'
	files model/ops | grep '/args\.h$' | includes |
		awk '$2 !~ /^("model\/state\/[a-z_]+\.h"|<[a-z]+\.h>)$/')
none "the harness uses the shim" < <(
	files harness | includes |
		awk '$2 ~ /[<"](linux|asm|pd)\// ||
		     ($2 ~ /model\/shim\// && $2 != "\"model/shim/include/pd/world.h\"")')

# ---- arrows go one way

none "goes the wrong way" < <(
	files model | includes | awk '$2 ~ /["\/](harness|fuzz|tests)\//'
	files model/state model/record.h model/op.h | includes | awk '$2 ~ /shim|ops\//'
	files harness | includes | awk '$2 ~ /["\/](fuzz|tests|model\/ops)\//'
	printf '%s\n' "${libraries[@]}" | includes | awk '$2 ~ /harness\/cli\//'
	files fuzz | includes | awk '$2 ~ /["\/](harness\/cli|tests|model\/ops)\//')
none "model/op.h knows the harness" < <(
	grep -nE 'struct (scenario|pd_judge|pd_divergence|pd_step)\b' model/op.h)
for folder in model/ops/*/; do
	none "operations know each other" < <(
		files "$folder" | includes |
			awk -v own="$folder" '$2 ~ /model\/ops\// && !index($2, own)')
done

# ---- an operation is its folder: no code elsewhere names one

for folder in model/ops/*/; do
	op=$(basename "$folder")
	none "names $op" < <(
		grep -rnE "(pd_op_|\")$op(\b|_[a-z]+\()" harness fuzz cmake model/op.[ch] \
			--include='*.[ch]' --include='*.cmake' --include=CMakeLists.txt |
			grep -vE '(/\*|^[^:]*:[0-9]+:[[:space:]]*\*|ptediff [a-z]+ )')
done

# ---- libraries neither print nor exit, and ask nothing of their surroundings

none "a library prints, exits or looks around" < <(
	grep -nE '\b(printf|puts|putchar|perror|exit|_exit|abort|fopen|open|getenv|system|time|rand)\(' \
		"${libraries[@]}"
	grep -nwE 'stdout|stderr|stdin' "${libraries[@]}")

# ---- no static mutable state but one world for each thread

# data FILE... - "FILE SYMBOL" for each object in writable memory; constants that hold addresses
# are in .data.rel.ro and no state
data()
{
	local file
	for file in "$@"; do
		objdump -t "$file" | awk -v file="$(basename "$file")" '
			/ \.(data|bss|tdata|tbss)/ && !/ \.data\.rel\.ro/ && $NF !~ /^\./ {
				print file, $NF
			}'
	done
}

# Sanitizers add data of their own; the presets without them say enough.
if ! grep -q '^PD_SANITIZE:.*=.' "$build/CMakeCache.txt"; then
	[[ -n $(data "$build"/modules/*.o) ]] || broken "no module has a world: is this check sound?"
	none "a module has state" < <(data "$build"/modules/*.o | grep -v ' pd_world$')
	none "a library has state" < <(data "$build"/libpd_{harness,model,hash}.a | grep -v ' pd_inside$')
fi

# ---- the size of a page table belongs to the arch (what a module exports: modules.sh)

none "a literal size of a page table" < <(
	files model/ops model/shim | grep -v '/arch/' | xargs grep -nwE '512|511|0x1ff')

# ---- how it is written

for file in "${sources[@]}"; do
	[[ $(head -n 1 "$file") == '/* SPDX-License-Identifier: GPL-2.0-or-later */' ]] ||
		broken "$file:1: no SPDX line"
done
while IFS= read -r file; do
	head -n 2 "$file" | grep -q '^# SPDX-License-Identifier: GPL-2.0-or-later$' ||
		broken "$file: no SPDX line"
done < <(find CMakeLists.txt cmake fuzz tests scripts .ci -type f ! -name '*.[ch]' \
	! -path 'tests/golden/*' ! -path 'tests/fixtures/*' | sort)
none "longer than 100 columns" < <(
	for file in "${sources[@]}"; do
		expand -t 8 "$file" | awk -v file="$file" 'length > 100 { print file ":" NR }'
	done)
# From the line of the opening brace to the one of the closing brace, both in column 1.
none "a function of more than 70 lines" < <(
	awk 'FNR == 1 { start = 0 }
		/^\{$/ { start = FNR }
		/^\}/ && start {
			if (FNR - start - 1 > 70)
				print FILENAME ":" start
			start = 0
		}' "${sources[@]}")
none "blanks" < <(grep -nE '[[:space:]]+$|^ {8}' "${sources[@]}")
none "unfinished" < <(grep -nwE 'TODO|FIXME|XXX' "${sources[@]}")

exit "$status"
