# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# scripts/campaign in turns of a fixed number of executions: finds, sorts and minimizes what is known
# to be wrong, is killed and goes on, is blind when its canary is correct. With the engines that are
# built; the parts without any are in tests/python.
set -euo pipefail
build=$1 source=$2
"$build/ptediff" --version | grep -qx 'preset: release' || exit 77
[[ $(realpath "$build") == $(realpath "$source")/build/release ]] || exit 77

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "$*"
	cat "$work/log"
	exit 1
}

# ends STATUS ARGUMENT... - of scripts/campaign, with what it says in $work/log
ends()
{
	local expected=$1 status=0
	shift
	"$source/scripts/campaign" "$@" >"$work/log" 2>&1 || status=$?
	[[ $status -eq $expected ]] || fail "campaign $*: status $status, expected $expected"
}

says()
{
	grep -qF -- "$1" "$work/log" || fail "expected '$1'"
}

# executions - of campaign one, by its own count
executions()
{
	PYTHONPATH=$source/fuzz python3 -B - "$work/one/ledger.jsonl" <<-'PYTHON'
		import sys
		from campaign.ledger import read
		from campaign.state import replay
		print(replay(read(sys.argv[1])[0]).execs())
	PYTHON
}

PYTHONPATH=$source/fuzz:$source/scripts python3 -B -m unittest discover -q \
	-s "$source/tests/python" -p 'test_campaign*.py'

ends 0 --help
says 'scripts/campaign [OPTION...] DIR'
ends 2 --status "$work/none"
says 'no campaign there'
ends 2 --workers honggfuzz "$work/none"
says 'engines are libfuzzer'
ends 2 --time soon "$work/none"
says 'expected a duration'
[[ ! -e $work/none ]] || fail "a folder for nothing"
ends 2 --no-build --impl nonsense --workers random "$work/none"
says "unknown implementation 'nonsense'"

mix=random
[[ ! -x $source/build/libfuzzer/fuzz_all ]] || mix+=,libfuzzer
[[ ! -x $source/build/afl/fuzz_all ]] || ! command -v afl-fuzz >/dev/null || mix+=,afl
wrong=batched_posted_v3,batched_v6_18
one=(--no-build --workers "$mix" -j 2 --runs 3000)

# ---- found, sorted, minimized; every folder holds what it says
ends 1 "${one[@]}" --impl "$wrong" --slices 4 "$work/one"
says 'FOUND mremap/batched_posted_v3/dst.write/extra'
says 'stopped: 4 slices'
home=$work/one/findings/mremap-batched_posted_v3-dst.write-extra
for name in first.pte min.pte report.txt report.html meta.json; do
	[[ -s $home/$name ]] || fail "no $home/$name"
done
"$build/ptediff" run "$home/min.pte" >"$work/log" || fail "min.pte does not show its signature"
grep -qx mremap/batched_posted_v3/dst.write/extra "$work/one/known" || fail "not known"
[[ -z $(ls -A "$work/one/inbox") ]] || fail "the inbox is not empty"
[[ -s $work/one/report.html ]] || fail "no report"
ends 1 --status "$work/one"
says 'mremap/batched_posted_v3/dst.write/extra'
says 'campaign: stopped: 4 slices'

# ---- killed after a slice, all of it, with a torn line; it goes on
before=$(wc -l <"$work/one/ledger.jsonl")
"$source/scripts/campaign" "${one[@]}" --slices 1000 "$work/one" >"$work/log" 2>&1 &
until tail -n "+$((before + 1))" "$work/one/ledger.jsonl" | grep -q '"type":"end"'; do
	kill -0 $! || fail "it ended by itself"
	sleep 0.1
done
kill -9 $!
wait $! 2>/dev/null || true
count=$(executions)
ends 1 --status "$work/one"
says 'not running, was killed'
printf '{"type":"end","t":1' >>"$work/one/ledger.jsonl"
ends 1 "${one[@]}" --slices 1 "$work/one"
says '19 bytes of a torn last line were cut off'
[[ $(executions) -gt $count ]] || fail "$(executions) executions, there were $count"
[[ -s $home/min.pte ]] || fail "a finding is lost"
for entry in /proc/[0-9]*/environ; do
	if grep -qsF "PTEDIFF_CAMPAIGN=$work/one" "$entry"; then
		fail "a process is left behind: $(tr '\0' ' ' <"${entry%environ}cmdline")"
	fi
done

# ---- correct implementations: clean. A canary that is correct, too: blind.
for name in two three; do
	mkdir "$work/$name"
	cp -r "$work/one/seeds" "$work/$name"
done
two=(--no-build --workers random --runs 2000 --slices 1 --impl batched_v6_18)
ends 0 "${two[@]}" "$work/two"
ends 2 "${two[@]}" --canary per_pte_v6_12 "$work/three"
says 'BLIND: random no longer finds per_pte_v6_12'

# ---- a corpus of damaged files is told of, and used as far as it goes
mkdir -p "$work/bad/folder"
for i in 1 2 3 4 5 6 7 8 9 10; do
	head -c $((i * 97)) "$build/ptediff" >"$work/bad/bytes$i"
	printf 'ptediff scenario v1\nfolio %d order 99\n' "$i" >"$work/bad/folder/$i.pte"
done
ln -s nowhere "$work/bad/link"
ends 0 "${two[@]}" --corpus "$work/bad" "$work/two"
says "folder/7.pte:2:15: '99' is out of range"
says 'link: no regular file'
[[ $(grep -c '^not used: ' "$work/log") -eq 11 ]] || fail "11 files cannot be used"
