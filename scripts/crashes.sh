# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Crash files of known bugs from three sources, for scripts/minimize-table and scripts/bucket-table.
# A case is IMPLEMENTATION:FIELD/RELATION.

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# shellcheck disable=SC2034 # for those who source this
default_cases=(
	batched_posted_v3:dst.write/extra
	batched_posted_v3:dst.write/missing
	bug:mremap-batch-over-two-folios:dst.young/extra
	bug:mremap-flush-short:tlb/stale
	bug:mremap-swap-exclusive-lost:dst.swap/missing
	bug:mremap-uffd-wp-left-marker:dst.present/extra
	bug:mremap-sets-first-entry-only:dst.present/missing
	bug:mremap-lock-kept-on-eagain:lock/wrong
	bug:mremap-clear-not-atomic:hw-dirty/missing
	bug:mempolicy-reference-kept:folio.refcount/wrong
	bug:mempolicy-nr-failed-one:counter.nr_failed/wrong
	bug:mempolicy-batch-over-two-folios:queue/missing
	bug:mempolicy-queue-reversed:queue/wrong
	bug:uffd_move-dirty-dropped:dst.dirty/missing
	bug:uffd_move-index-of-first:folio.index/wrong
	bug:uffd_move-flush-one-short:tlb/stale
	bug:uffd_move-swap-not-exclusive:dst.swap/missing
	bug:contpte_get-one-short:word.young/wrong
	bug:contpte_get-tests-same-flag:word.young/wrong
	bug:contpte_get-not-aligned:access/oob
	bug:contpte_api-wrprotect-whole-block:edge.entry/missing
	bug:contpte_api-old-makes-clean:src.dirty-kept/missing
	bug:zero_folio-last-page-forgotten:pages.once/wrong
	bug:zero_folio-parts-overlap:pages.once/wrong
	bug:zero_folio-voluntary-is-preemptible:extent/wrong
	bug:pte_batch-past-folio:return.nr/wrong
	bug:pte_batch-dirty-not-respected:return.nr/wrong
)
ptediff=$TOP/build/release/ptediff

# impl_of CASE / op_of CASE / signature_of CASE / file_of CASE - the last is part of a file name
impl_of() { printf '%s' "${1%:*}"; }
op_of()
{
	local impl=${1%:*}
	impl=${impl#bug:}
	[[ $1 == bug:* ]] && printf '%s' "${impl%%-*}" || printf 'mremap'
}
signature_of() { printf '%s/%s/%s' "$(op_of "$1")" "$(impl_of "$1")" "${1##*:}"; }
file_of() { printf '%s' "${1//[:\/]/-}"; }

# build_cases CASE... - the command and both engines with these bugs, and no others
build_cases()
{
	local bugs
	bugs=$(printf '%s\n' "$@" | sed -n 's/^bug:\([^:]*\):.*/\1/p' | sort -u | paste -sd ';')
	build_options=("-DPD_BUGS=${bugs:-none}")
	"$TOP/scripts/setup"
	build release fuzz ptediff check_minimal
	build libfuzzer fuzz
	build afl fuzz
}

# Each lets a source run on case $1 with seed $2, $3 scenarios at most; crash files go below $4,
# which is made. The engines begin with nothing (for AFL++ that is a record that says nothing) or,
# where that reaches no code, with one generated scenario.
run_random()
{
	mkdir -p "$4"
	"$ptediff" random --op "$(op_of "$1")" --impl "$(impl_of "$1")" --seed "$2" --keep-going \
		--runs $((5 * $3)) --stats none --out "$4" >/dev/null 2>&1 || true
}
libfuzzer()
{
	PTEDIFF_IMPL=$(impl_of "$1") "$TOP/build/libfuzzer/fuzz_$(op_of "$1")" -seed="$2" \
		-runs="$3" -max_len=1024 -dict="$TOP/build/libfuzzer/ptediff.dict" \
		-detect_leaks=0 -artifact_prefix="$4/" "${@:5}" >"$4/log" 2>&1 || true
}
run_libfuzzer()
{
	mkdir -p "$4"
	libfuzzer "$@"
	grep -q 'no interesting inputs' "$4/log" || return 0
	mkdir -p "$4.seed"
	"$ptediff" random --op "$(op_of "$1")" --seed 1 --print 1 >"$4.seed/text"
	"$ptediff" convert --to bytes "$4.seed/text" "$4.seed/bytes"
	rm "$4.seed/text"
	libfuzzer "$@" "$4.seed"
}
run_afl()
{
	mkdir -p "$4.seed"
	head -c 8 /dev/zero >"$4.seed/zero"
	PTEDIFF_IMPL=$(impl_of "$1") afl-fuzz -s "$2" -E "$3" -G 1024 -i "$4.seed" -o "$4" \
		-x "$TOP/build/afl/ptediff.dict" -- "$TOP/build/afl/fuzz_$(op_of "$1")" \
		>"$4.log" 2>&1 || true
}

# crash_files FOLDER...
crash_files()
{
	find "$@" -type f \( -name '*.pte' -o -name 'crash-*' -o -regex '.*/crashes/id:[^/]*' \) |
		sort
}
