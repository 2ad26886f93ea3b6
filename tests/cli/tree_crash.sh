# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Code of a kernel tree that crashes, one way or another: a divergence like any other, named by its
# function, survived by the random loop, and minimized.
set -euo pipefail
source=$2
"$1/ptediff" --version | grep -qx 'preset: release' || exit 77

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# One build for all tests of trees (RESOURCE_LOCK): most of what they compile is the same.
rm -rf "$1/tree-tests/trees"
mkdir -p "$1/tree-tests"
ln -s "$1/tree-tests" build

cp -r "$source/tests/fixtures/tree-seven" null
sed -i 's/if (!folio || !folio_test_large(folio))/if (!folio_test_large(folio))/' null/mm/mremap.c
! cmp -s null/mm/mremap.c "$source/tests/fixtures/tree-seven/mm/mremap.c"
# what a page's bits say decides how it ends; each way in a function of its own
cp -r "$source/tests/fixtures/tree-seven" ends
python3 - ends/mm/mremap.c <<-'PYTHON'
	import pathlib, sys
	path = pathlib.Path(sys.argv[1])
	text = path.read_text()
	ways = {
	    "follows_null": ("pte_write(pte) && pte_young(pte) && pte_dirty(pte)", "*(volatile long *)0 = 1;"),
	    "aborts": ("pte_write(pte) && pte_young(pte)", "__builtin_abort();"),
	    "hangs": ("pte_write(pte) && pte_dirty(pte)", "for (volatile int i = 1; i;)\n\t\t;"),
	    "recurses": ("pte_young(pte)", "volatile char room[4096];\n\n\troom[0] = 0;\n"
	                 "\trecurses();\n\troom[1] = room[0];"),
	    "leaves": ("pte_write(pte)", "extern void _exit(int);\n\n\t_exit(3);"),
	}
	functions = calls = ""
	for name, (when, body) in ways.items():
	    functions += f"static void {name}(void)\n{{\n\t{body}\n}}\n\n"
	    calls += f"\tif ({when})\n\t\t{name}();\n"
	head = "static pte_t moved(pte_t pte, bool drop_uffd)\n{\n"
	assert head in text
	path.write_text(text.replace(head, functions + head + calls))
PYTHON
"$source/scripts/kernel-tree" --lean --build "$work/build" null=null ends=ends >log 2>&1 || { cat log; exit 1; }
ptediff=build/release/ptediff

status=0
"$ptediff" random --op mremap --impl tree:null --runs 2000 --keep-going --stats none >out || status=$?
[[ $status -eq 1 ]] || { cat out; exit 1; }
grep -qx 'divergence: mremap/tree:null/crash/mremap_folio_pte_batch' out
grep -q '^detail: SIGSEGV' out

"$ptediff" min findings/mremap-tree-null-crash-mremap_folio_pte_batch.pte -o min.pte
cmp min.pte - <<-END
	ptediff scenario v1
	expect mremap/tree:null/crash/mremap_folio_pte_batch
	impl tree:null
	map 0
	mremap 0 -> 1
END
"$ptediff" run --strict min.pte

# ways FUNCTION BITS - a page with these bits crashes in that function
ways()
{
	printf 'ptediff scenario v1\nmap 0 %s\nmremap 0 -> 1\n' "$2" >"$1.pte"
	status=0
	"$ptediff" run "$1.pte" --impl tree:ends --arch arm64 >out || status=$?
	[[ $status -eq 1 ]] && grep -qx "divergence: mremap/tree:ends/crash/$1" out ||
		{ cat out; exit 1; }
}

ways follows_null 'young dirty write excl'
grep -q '^guilty: follows_null() mm/mremap.c:[0-9]' out
grep -q '^shim:   .*' out
ways aborts 'young write excl'
ways hangs 'dirty write excl'
ways recurses young
printf 'ptediff scenario v1\nmap 0 write excl\nmremap 0 -> 1\n' >leaves.pte
"$ptediff" run leaves.pte --impl tree:ends --arch arm64 >out && { cat out; exit 1; }
grep -qx 'divergence: mremap/tree:ends/crash/unknown' out
grep -q '^detail: it ended its process' out

# the loop goes on, and says how often; the result does not depend on the number of children
for jobs in 1 2; do
	"$ptediff" random --op mremap --impl tree:null --runs 300 --keep-going --jobs $jobs \
		>out.$jobs && exit 1
	grep -q '^found: mremap/tree:null/crash/' out.$jobs
	sed -i '/CPU-second/d' out.$jobs
done
cmp out.1 out.2
