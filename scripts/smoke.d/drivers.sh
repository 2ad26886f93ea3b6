# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The drivers of scripts/smoke. A job is a driver on a target, its folder is $out/DRIVER/TARGET:
#
#	time		CPU-seconds, user and system, and seconds of the clock (fuzz/cputime.c)
#	log		what was printed
#	runs		inputs that were executed
#	rows		what was judged, as counters_print writes it; stats.json for random
#	found/		the inputs that ended it
#	status		clean or found; written last: without it the job did not get that far
#
# $out, $seed, $seconds and $*_runs are those of scripts/smoke.
# shellcheck disable=SC2154
#
# A job has its share of the time, $seconds, or when that is empty a fixed number of runs.

# finish FOLDER STATUS
finish()
{
	printf '%s\n' "$2" >"$1/status"
}

# gave_up FOLDER WHAT - the engine, not what it ran
gave_up()
{
	printf '%s\n' "$2" >>"$1/log"
	return 1
}

# judged FOLDER BUILD-FOLDER - the counters as text; fuzz_bytes and fuzz_text count nothing
judged()
{
	[[ ! -e $1/counters ]] || "$2/counters_print" "$1/counters" >"$1/rows"
}

# selection TARGET - what it judges, as options of ptediff random, one a line
selection()
{
	[[ $1 == all ]] || printf '%s\n' --op "$1"
	[[ -z ${PTEDIFF_IMPL-} ]] || printf '%s\n' --impl "$PTEDIFF_IMPL"
}

# judges_something TARGET - false when no implementation that was asked for is one of its
judges_something()
{
	local select=()
	mapfile -t select < <(selection "$1")
	"$TOP/build/release/ptediff" random ${select[@]+"${select[@]}"} --print 1 >/dev/null 2>&1
}

# seeds_of TARGET - the folder it starts from
seeds_of()
{
	case $1 in
	text)	printf '%s' "$TOP/corpus/seeds" ;;
	all|bytes) printf '%s' "$out/seeds" ;;
	*)	printf '%s' "$out/seeds/$1" ;;
	esac
}

# dictionary_of TARGET BUILD-FOLDER
dictionary_of()
{
	[[ $1 == text ]] && printf '%s' "$2/ptediff-text.dict" || printf '%s' "$2/ptediff.dict"
}

# The kept scenarios, each held against what it expects; with --impl, for those implementations.
run_regressions()
{
	local folder=$out/regressions/all status=0 select=()
	mkdir -p "$folder/found"
	[[ -z ${PTEDIFF_IMPL-} ]] || select=(--impl "$PTEDIFF_IMPL")
	cpu_time "$folder/time" "$TOP/build/release/ptediff" run ${select[@]+"${select[@]}"} \
		"$TOP/corpus/regress" >"$folder/log" 2>&1 || status=$?
	find "$TOP/corpus/regress" -name '*.pte' | wc -l >"$folder/runs"
	awk '$1 == "divergence" || $1 == "unexpected" { print $2 }' "$folder/log" |
		xargs -r cp -t "$folder/found"
	case $status in
	0|125)	finish "$folder" clean ;;
	1)	finish "$folder" found ;;
	*)	return 1 ;;
	esac
}

run_random()
{
	local folder=$out/random/$1 status=0 select=() limit=() runs=(--runs "$random_runs")
	mkdir -p "$folder/found"
	mapfile -t select < <(selection "$1")
	if [[ -n $seconds ]]; then
		limit=(timeout --preserve-status -s INT "$seconds")
		runs=(--runs 0)
	fi
	cpu_time "$folder/time" ${limit[@]+"${limit[@]}"} "$TOP/build/release/ptediff" random \
		${select[@]+"${select[@]}"} "${runs[@]}" --seed "$seed" --out "$folder/found" \
		--stats json >"$folder/stats.json" 2>"$folder/log" || status=$?
	[[ -s $folder/stats.json ]] || gave_up "$folder" "no result, exit status $status"
	case $status in
	0|130)	finish "$folder" clean ;;
	1)	finish "$folder" found ;;
	2)	finish "$folder" clean ;;	# nothing non-trivial: the table says so
	*)	return 1 ;;
	esac
}

run_libfuzzer()
{
	local folder=$out/libfuzzer/$1 build=$TOP/build/libfuzzer status=0 length=1024 limit
	[[ $1 != text ]] || length=4096
	limit=-runs=$libfuzzer_runs
	[[ -z $seconds ]] || limit=-max_total_time=$seconds
	mkdir -p "$folder/corpus" "$folder/found"
	PTEDIFF_COUNTERS=$folder/counters cpu_time "$folder/time" "$build/fuzz_$1" "$limit" \
		-seed="$seed" -max_len="$length" -entropic=0 -dict="$(dictionary_of "$1" "$build")" \
		-detect_leaks=0 -print_final_stats=1 -artifact_prefix="$folder/found/" \
		"$folder/corpus" "$(seeds_of "$1")" >"$folder/log" 2>&1 || status=$?
	sed -n 's/^stat::number_of_executed_units: *//p' "$folder/log" >"$folder/runs"
	judged "$folder" "$build"
	case $status in
	0)	finish "$folder" clean ;;
	70|71|72) gave_up "$folder" "libFuzzer gave up: exit status $status" ;;
	*)	[[ -n $(ls "$folder/found") ]] ||
			gave_up "$folder" "ended with $status and kept no input"
		finish "$folder" found ;;
	esac
}

# afl-fuzz does not show what its target prints: the first crash is run once more.
run_afl()
{
	local folder=$out/afl/$1 build=$TOP/build/afl status=0 length=1024 limit crash
	local mutator=$AFL_CUSTOM_MUTATOR_LIBRARY
	[[ $1 != text ]] || { length=4096; mutator=; }
	limit=(-E "$afl_runs")
	[[ -z $seconds ]] || limit=(-V "$seconds")
	mkdir -p "$folder/found"
	PTEDIFF_COUNTERS=$folder/counters AFL_CUSTOM_MUTATOR_LIBRARY=$mutator \
		cpu_time "$folder/time" afl-fuzz -s "$seed" "${limit[@]}" -G "$length" \
		-i "$(seeds_of "$1")" -o "$folder/output" -x "$(dictionary_of "$1" "$build")" \
		-- "$build/fuzz_$1" >"$folder/log" 2>&1 || status=$?
	[[ $status -eq 0 ]] || gave_up "$folder" "afl-fuzz ended with $status"
	sed -n 's/^execs_done *: *//p' "$folder/output/default/fuzzer_stats" >"$folder/runs"
	judged "$folder" "$build"
	find "$folder/output/default/crashes" -name 'id:*' | sort | head -n 100 |
		xargs -r cp -t "$folder/found"
	crash=$(find "$folder/found" -type f | sort | head -n 1)
	if [[ -z $crash ]]; then
		finish "$folder" clean
		return
	fi
	# The shell, too, has something to say of a process that aborts.
	{ "$build/fuzz_$1" "$crash" >"$folder/log" 2>&1 || true; } 2>/dev/null
	finish "$folder" found
}

# run_jobs DRIVER TARGET... - one after the other on each CPU
run_jobs()
{
	local driver=$1 target
	shift
	for target in "$@"; do
		while [[ $(jobs -pr | wc -l) -ge $JOBS ]]; do
			wait -n || true
		done
		"run_$driver" "$target" &
	done
	wait
}
