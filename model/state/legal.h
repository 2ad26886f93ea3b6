/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a legal state is, between operations. The list in words: docs/invariants.md.
 */
#ifndef PD_STATE_LEGAL_H
#define PD_STATE_LEGAL_H

#include "state.h"

enum pd_rule {
	PD_RULE_NONE,
	PD_RULE_VMA_READ_ONLY,		/* a writable entry needs VM_WRITE */
	PD_RULE_VMA_UFFD,		/* a uffd-wp bit or marker needs a uffd-wp VMA */
	PD_RULE_VMA_TYPE,		/* what may be mapped in which VMA */
	PD_RULE_ZERO_PAGE,		/* the zero page is special, special is read-only */
	PD_RULE_SHARED_CLEAN_FILE,	/* a private mapping never maps page cache writable */
	PD_RULE_WRITE_EXCLUSIVE,	/* anon writable => exclusive */
	PD_RULE_EXCLUSIVE_ONCE,		/* exclusive => anon, not KSM, mapped at most once */
	PD_RULE_UFFD_WRITE,		/* uffd-wp => not writable */
	PD_RULE_PROTNONE_WRITE,		/* PROT_NONE => not writable */
	PD_RULE_BLOCK,			/* arm64: a CONT block is whole and uniform */
	PD_RULE_FRAME,			/* an entry names a frame or swap slot that exists */
	PD_NR_RULES
};

/**
 * pd_legal_pte() - the first rule that the entry at @va breaks, seen with its folio and VMA
 *
 * Every rule but PD_RULE_BLOCK, which is about 16 entries: pd_legal_block().
 */
enum pd_rule pd_legal_pte(const struct pd_state *s, unsigned int va);

/* pd_legal_block() - PD_RULE_BLOCK when the aligned block of @cont entries at @va breaks it. */
enum pd_rule pd_legal_block(const struct pd_state *s, unsigned int va, unsigned int cont);

/* pd_legal() - the first rule broken anywhere in @s, lowest page first; its page in *@va. */
enum pd_rule pd_legal(const struct pd_state *s, unsigned int cont, unsigned int *va);

/* pd_rule_text() - the rule as one sentence. */
const char *pd_rule_text(enum pd_rule rule);

#endif
