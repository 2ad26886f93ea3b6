# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Lies of the shim that no operation can show, because what they change is not part of a contract
# (the length of a batch) or because no operation calls them yet: each makes a test of tests/shim/
# fail. Lies that show in an operation are patches in model/bugs/.
set -euo pipefail
build=$1
source=$2

grep -q '^PD_BUGS:[A-Z]*=all$' "$build/CMakeCache.txt" || exit 77

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
lies=0

# build_test TEST - tests/shim/test_<TEST>.c against the copy of the shim, which is one unit
build_test()
{
	local arch=${1%%_*} shim=$work/model/shim
	local flags=(-w -O0 -std=gnu11 -fno-strict-aliasing -D_GNU_SOURCE
		     -I"$shim/arch/$arch/include" -I"$shim/include" -I"$work" -I"$source")
	for file in "$shim"/*.c "$shim/arch/$arch"/*.c; do
		[[ ! -e $file ]] || printf '#include "%s"\n' "$file"
	done >"$work/shim.c"
	for file in model/world harness/judge/codec; do
		[[ -e $work/${file##*/}.o ]] ||
			clang "${flags[@]}" -c -o "$work/${file##*/}.o" "$source/$file.c"
	done
	clang "${flags[@]}" -o "$work/test" "$source/tests/shim/test_$1.c" "$work/shim.c" \
		"$work"/{world,codec}.o -lcmocka
}

fresh()
{
	rm -rf "$work/model"
	mkdir "$work/model"
	cp -r "$source/model/shim" "$work/model/shim"
}

# lie TEST FILE WHAT SCRIPT - with the substitution SCRIPT in FILE the test fails
lie()
{
	local test=$1 file=model/shim/$2 what=$3
	lies=$((lies + 1))
	fresh
	perl -0pi -e "$4" "$work/$file"
	if cmp -s "$source/$file" "$work/$file"; then
		echo "$what: nothing to change in $file"
		status=1
	elif ! build_test "$test"; then
		echo "$what: does not compile"
		status=1
	elif timeout 60 "$work/test" >"$work/log" 2>&1; then
		echo "$what: test_$test does not notice"
		status=1
	fi
}

# Without a lie they pass.
for test in x86_pte x86_batch arm64_pte arm64_contpte_{read,fold,range,fault}; do
	fresh
	build_test "$test"
	"$work/test" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
done

x86=arch/x86/include/asm/pgtable.h
lie x86_pte $x86 'pte_mkold does nothing' \
	's/return pte_clear_flags\(pte, _PAGE_ACCESSED\)/return pte/'
lie x86_pte $x86 'pte_mkclean does nothing' \
	's/(pte_mkclean.*?)return pte_clear_flags\(pte, _PAGE_DIRTY_BITS\)/$1return pte/s'
lie x86_pte $x86 'pte_wrprotect does nothing' \
	's/return pd_settle_dirty\(pte_clear_flags\(pte, _PAGE_RW\)\)/return pte/'
lie x86_pte $x86 'pte_mkwrite does nothing' \
	's/return pd_settle_dirty\(pte_set_flags\(pte, _PAGE_RW\)\)/return pte/'
lie x86_pte $x86 'pte_special is false' 's/return pte.pte & _PAGE_SPECIAL/return 0/'
lie x86_pte $x86 'pte_mkspecial does nothing' \
	's/return pte_set_flags\(pte, _PAGE_SPECIAL\)/return pte/'
lie x86_pte $x86 'pte_protnone is false' \
	's/(bool pte_protnone.*?)return [^;]*/$1return 0/s'
lie x86_pte $x86 'pte_accessible is true of PROT_NONE' \
	's/(bool pte_accessible.*?)return [^;]*/$1return pte_present(pte)/s'
lie x86_pte $x86 'pte_soft_dirty is false' 's/return pte.pte & _PAGE_SOFT_DIRTY/return 0/'
lie x86_pte $x86 'pte_clear_soft_dirty does nothing' \
	's/return pte_clear_flags\(pte, _PAGE_SOFT_DIRTY\)/return pte/'
lie x86_pte $x86 'pte_uffd_wp is false' 's/return pte.pte & _PAGE_UFFD_WP/return 0/'
lie x86_pte $x86 'pte_mkuffd_wp leaves it writable' \
	's/return pte_wrprotect\(pte_set_flags\(pte, _PAGE_UFFD_WP\)\)/return pte_set_flags(pte, _PAGE_UFFD_WP)/'
lie x86_pte $x86 'pte_modify forgets the inversion' \
	's/\tval = flip_protnone_guard[^;]*;\n//'
lie x86_pte $x86 'pte_modify forgets where dirty belongs' \
	's/return pd_settle_dirty\(__pte\(val\)\)/return __pte(val)/'
lie x86_pte $x86 'pte_swp_exclusive is false' 's/return pte.pte & _PAGE_SWP_EXCLUSIVE/return 0/'
lie x86_pte $x86 'pte_swp_soft_dirty is false' 's/return pte.pte & _PAGE_SWP_SOFT_DIRTY/return 0/'
lie x86_pte $x86 'pte_swp_clear_soft_dirty does nothing' \
	's/return pte_clear_flags\(pte, _PAGE_SWP_SOFT_DIRTY\)/return pte/'
lie x86_pte $x86 'pte_swp_clear_exclusive does nothing' \
	's/return pte_clear_flags\(pte, _PAGE_SWP_EXCLUSIVE\)/return pte/'

generic=include/linux/pgtable.h
lie x86_batch $x86 'ptep_set_wrprotect is a load and a store' \
	's/while \(!pd_raw_cmpxchg\(ptep, &old, pte_wrprotect\(__pte\(old\)\).pte\)\)\n\t\t;/pd_raw_set(ptep, pte_wrprotect(__pte(old)).pte);/'
lie x86_batch $x86 'ptep_test_and_clear_young is a load and a store' \
	's/while \(pte_young\(__pte\(old\)\) && [^\n]*\n\t\t;/pd_raw_set(ptep, pte_mkold(__pte(old)).pte);/'
lie x86_batch $generic 'wrprotect_ptes: one too few' \
	's/(void wrprotect_ptes.*?)i < nr/$1i + 1 < nr/s'
lie x86_batch $generic 'clear_young_dirty_ptes keeps dirty' \
	's/set_pte_at\(vma->vm_mm, ([^;]*), pte_mkclean\(pte\)\)/set_pte_at(vma->vm_mm, $1, pte)/'
lie x86_batch $generic 'clear_young_dirty_ptes always clears young' \
	's/\t\tif \(flags & CYDP_CLEAR_YOUNG\)\n//'
lie x86_batch $generic 'test_and_clear_young_ptes: the last one decides' \
	's/young \|= ptep_test/young = ptep_test/'
lie x86_batch $generic 'clear_full_ptes: one too few' \
	's/(void clear_full_ptes.*?)i < nr/$1i + 1 < nr/s'
lie x86_batch $generic 'clear_not_present_full_ptes: one too few' \
	's/(void clear_not_present_full_ptes.*?)i < nr/$1i + 1 < nr/s'
lie x86_batch $generic 'modify_prot_start_ptes clears the first only' \
	's/return get_and_clear_ptes\(vma->vm_mm, addr, ptep, nr\)/return get_and_clear_ptes(vma->vm_mm, addr, ptep, 1)/'
lie x86_batch $generic 'modify_prot_commit_ptes sets the first only' \
	's/set_ptes\(vma->vm_mm, addr, ptep, pte, nr\)/set_ptes(vma->vm_mm, addr, ptep, pte, 1)/'
lie x86_batch include/linux/mm.h 'folio_test_large is false' \
	's/return folio->page.flags & PD_PG_LARGE/return 0/'
lie x86_batch include/linux/mm.h 'folio_nr_pages is half' \
	's/return 1L << folio->page.order/return folio->page.order ? 1L << (folio->page.order - 1) : 1/'
lie x86_batch include/linux/mm.h 'page_folio of a tail is the tail' \
	's/head & 1 \? head - 1 : \(unsigned long\)page/(head, (unsigned long)page)/'
lie x86_batch include/linux/mm.h 'vm_normal_page of the zero page' \
	's/unlikely\(pte_special\(pte\)\) \? NULL : //'
lie x86_batch batch.c 'the scan ends one early' 's/while \(nr < limit\)/while (nr + 1 < limit)/'
lie x86_batch batch.c 'FPB_RESPECT_SOFT_DIRTY is not respected' \
	's/\tif \(!\(flags & FPB_RESPECT_SOFT_DIRTY\)\)\n\t\tpte/\tpte/'
lie x86_batch batch.c 'FPB_RESPECT_DIRTY is not respected' \
	's/\tif \(!\(flags & FPB_RESPECT_DIRTY\)\)\n\t\tpte/\tpte/'
lie x86_batch batch.c 'FPB_MERGE_WRITE does nothing' \
	's/\*ptentp = pte_mkwrite\(\*ptentp, vma\)/(void)vma/'
lie x86_batch batch.c 'any_dirty is any_young' 's/\*any_dirty = any.dirty/*any_dirty = any.young/'

arm=arch/arm64/include/asm
lie arm64_pte $arm/pte.h 'pte_special is false' \
	's/return pd_pte_test\(pte, PTE_SPECIAL\)/return 0/'
lie arm64_pte $arm/pte.h 'pte_protnone is false' \
	's/(bool pte_protnone.*?)return [^;]*/$1return 0/s'
lie arm64_pte $arm/pte.h 'pte_mkcont does nothing' \
	's/return set_pte_bit\(pte, __pgprot\(PTE_CONT\)\)/return pte/'
lie arm64_pte $arm/pte.h 'pte_wrprotect forgets what hardware wrote' \
	's/\tif \(pte_hw_dirty\(pte\)\)\n\t\tpte = set_pte_bit\(pte, __pgprot\(PTE_DIRTY\)\);\n\treturn set_pte_bit\(clear/\treturn set_pte_bit(clear/'
lie arm64_pte $arm/pte.h 'pte_modify leaves RDONLY on dirty entries' \
	's/return pte_sw_dirty\(pte\) \? pte_mkdirty\(pte\) : pte;\n\}\n\n\/\* ---- userfaultfd/return pte;\n}\n\n\/* ---- userfaultfd/'
lie arm64_contpte_read $arm/pgtable.h 'ptep_get does not gather' \
	's/return likely\(!pte_valid_cont\(pte\)\) \? pte : contpte_ptep_get\(ptep, pte\)/return pte/'
lie arm64_contpte_read arch/arm64/contpte.c 'contpte_ptep_get misses a young after the dirty' \
	's/return contpte_gather_young\([^;]*\);/return pte_mkdirty(orig_pte);/'
lie arm64_contpte_read arch/arm64/contpte.c 'the lockless reader does not compare' \
	's/if \(!contpte_matches\(next, first_pfn \+ i, prot\)\)\n\t\t\treturn false;/(void)first_pfn, (void)prot;/'
lie arm64_contpte_read $arm/pgtable.h 'pte_batch_hint is 1' \
	's/return pte_valid_cont\(pte\) \? CONT_PTES - pd_block_index\(ptep\) : 1/return 1/'
lie arm64_contpte_fold $arm/pgtable.h 'nothing is ever folded' \
	's/\t\t__contpte_try_fold\(mm, addr, ptep, pte\);/\t\treturn;/'
lie arm64_contpte_range arch/arm64/contpte.c 'wrprotect_ptes does not unfold' \
	's/(void contpte_wrprotect_ptes.*?)\tcontpte_try_unfold_partial\(mm, addr, ptep, nr\);\n/$1/s'
lie arm64_contpte_range arch/arm64/contpte.c 'ranges are not grown to whole blocks' \
	's/\tif \(pte_valid_cont\(__ptep_get\(start\)\)\)\n[^\n]*\n//'
lie arm64_contpte_range $arm/pgtable-raw.h 'clearing one flag is a load and a store' \
	's/if \(flags == \(CYDP_CLEAR_YOUNG \| CYDP_CLEAR_DIRTY\)\)/if (flags)/'
lie arm64_contpte_range arch/arm64/contpte.c 'clear_flush_young_ptes does not flush' \
	's/\tif \(young\)\n\t\t__flush_tlb_range\(vma, range.addr[^;]*;\n//'
lie arm64_contpte_fault arch/arm64/contpte.c 'set_access_flags asks the gathered view' \
	's/if \(contpte_has_access_flags\(block, entry\)\)/if (!((pte_val(orig) ^ pte_val(entry)) & PD_ACCESS_FLAGS))/'
lie arm64_contpte_fault arch/arm64/contpte.c 'set_access_flags does not invalidate' \
	's/\tif \(dirty\)\n\t\t__flush_tlb_range\(vma, start, start \+ CONT_PTE_SIZE[^;]*;\n//'

echo "$lies lies"
exit $status
