/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PD_CONTPTE_API_ARGS_H
#define PD_CONTPTE_API_ARGS_H

#include "model/state/outcome.h"
#include "model/state/state.h"

enum contpte_api_call {
	CONTPTE_API_GET_AND_CLEAR,	/* get_and_clear_full_ptes() */
	CONTPTE_API_CLEAR,		/* clear_full_ptes() */
	CONTPTE_API_SET,		/* set_ptes() over entries that are none */
	CONTPTE_API_WRPROTECT,		/* wrprotect_ptes() */
	CONTPTE_API_CLEAR_YOUNG_DIRTY,	/* clear_young_dirty_ptes() */
	CONTPTE_API_TEST_YOUNG,		/* test_and_clear_young_ptes() */
	CONTPTE_API_ACCESS_FLAGS,	/* ptep_set_access_flags() after a fault */
	CONTPTE_API_MODIFY_PROT,	/* modify_prot_start_ptes(), modify_prot_commit_ptes() */
	CONTPTE_API_NR_CALLS
};

/**
 * struct contpte_api_args - one call on the entries of pages [@va, @va + @pages)
 * @call:	enum contpte_api_call
 * @pfn:	set: the frame of the first page
 * @young, @dirty, @write, @soft_dirty, @protnone, @prot: set: what the entries say.
 *		clear-young-dirty: @young and @dirty say what to clear. access-flags: the access was
 *		a write if @dirty, and the page becomes writable if @write. modify-prot: the new
 *		protection, never writable, is @protnone and @prot
 * @full:	get-and-clear, clear: the whole address space goes
 *
 * What a call has no use for is zero.
 */
struct contpte_api_args {
	uint32_t va, pages, call, pfn;
	uint32_t young, dirty, write, soft_dirty, protnone, prot, full;
};

/* Facts: a is the page, b the entry that a call returned; raw when an implementation says it. */
enum {
	CONTPTE_API_WORD,
};

/* contpte_api_prot() - the LPTE_PROT and LPTE_PROTNONE bits of the arguments. */
static inline lpte_t contpte_api_prot(const struct contpte_api_args *a)
{
	lpte_t prot = (lpte_t)a->prot << LPTE_PROT_SHIFT;

	return a->protnone ? (prot & ~(1ULL << LPTE_PROT_SHIFT)) | LPTE_PROTNONE : prot;
}

struct pd_outcome contpte_api_reference(struct pd_state *s, const void *args);

#endif
