/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an operation under test is: its descriptor, its contract, its implementations.
 *
 * One folder an operation, model/ops/<op>/. Its op.c defines ``const struct pd_op pd_op_<op>``;
 * every other .c but reference.c defines ``const struct pd_impl impl`` and is named by its file.
 * The build collects both into the registry at the end of this file.
 */
#ifndef PD_OP_H
#define PD_OP_H

#include "record.h"
#include "state/outcome.h"
#include "state/state.h"

struct pd_world;
struct pd_impl;

enum pd_arch {
	PD_ARCH_X86,
	PD_ARCH_ARM64,
	PD_NR_ARCHES
};

/**
 * enum pd_place - which entries a contract row is about
 * @PD_PLACE_SRC:	the range that the operation is asked to work on
 * @PD_PLACE_DST:	where it moves entries to; empty for an operation in place
 * @PD_PLACE_EDGE:	entries outside both ranges, in a contpte block that one of them cuts
 * @PD_PLACE_REST:	every other entry of the address space
 */
enum pd_place {
	PD_PLACE_SRC,
	PD_PLACE_DST,
	PD_PLACE_EDGE,
	PD_PLACE_REST,
	PD_NR_PLACES
};

/**
 * enum pd_subject - what a contract row compares
 * @PD_SUBJECT_PTE:	the bits @mask of the entries in @place
 * @PD_SUBJECT_FOLIO:	the PD_FOLIO_ROW_* bits @mask of every folio in the scenario
 * @PD_SUBJECT_COUNTER:	the counters (1 << enum pd_counter) in @mask
 * @PD_SUBJECT_RETURN:	the return value
 * @PD_SUBJECT_RESULT:	the results of the kinds (1 << what) in @mask, in their order
 * @PD_SUBJECT_TLB:	no stale translation of the source range when a lock is dropped
 * @PD_SUBJECT_BBM:	break-before-make (raw events, arm64)
 * @PD_SUBJECT_RAW:	raw encoding rules of the arch
 * @PD_SUBJECT_HW_DIRTY:	no hardware write is forgotten, per folio
 * @PD_SUBJECT_LOCK:	entries are changed under their lock, locks are paired
 * @PD_SUBJECT_NOTIFY:	what secondary MMUs are told
 * @PD_SUBJECT_ACCESS:	entries read or written outside the page tables; steps without end
 * @PD_SUBJECT_OVERWRITE: an entry that had to be none was not when it was set
 * @PD_SUBJECT_WARN:	assertions of the kernel code itself
 */
enum pd_subject {
	PD_SUBJECT_PTE,
	PD_SUBJECT_FOLIO,
	PD_SUBJECT_COUNTER,
	PD_SUBJECT_RETURN,
	PD_SUBJECT_RESULT,
	PD_SUBJECT_TLB,
	PD_SUBJECT_BBM,
	PD_SUBJECT_RAW,
	PD_SUBJECT_HW_DIRTY,
	PD_SUBJECT_LOCK,
	PD_SUBJECT_NOTIFY,
	PD_SUBJECT_ACCESS,
	PD_SUBJECT_OVERWRITE,
	PD_SUBJECT_WARN,
	PD_NR_SUBJECTS
};

#define PD_FOLIO_ROW_INDEX	(1u << 0)
#define PD_FOLIO_ROW_ANON_VMA	(1u << 1)
#define PD_FOLIO_ROW_FLAGS	(1u << 2)
#define PD_FOLIO_ROW_REFCOUNT	(1u << 3)
#define PD_FOLIO_ROW_MAPCOUNT	(1u << 4)
#define PD_FOLIO_ROW_EXCLUSIVE	(1u << 5)
#define PD_FOLIO_ROW_NODE	(1u << 6)

/* PD_SUBJECT_TLB: flushes that reclaim had put off before the operation are no business of it. */
#define PD_TLB_ROW_NOT_DEFERRED	(1u << 0)

/**
 * enum pd_grade - how far a field may be from the reference
 * @PD_GRADE_EXACT:	not at all
 * @PD_GRADE_OR:	a bit of the reference is never lost; it may be gained up to the OR, at
 *			entry, over the closure (harness/judge/ceiling.c)
 * @PD_GRADE_SUB:	a bit of the reference may be lost, at PD_PLACE_EDGE by entries only that
 *			were in a contpte block at entry; it is never gained
 * @PD_GRADE_DONT_CARE:	not compared
 */
enum pd_grade {
	PD_GRADE_EXACT,
	PD_GRADE_OR,
	PD_GRADE_SUB,
	PD_GRADE_DONT_CARE,
};

/**
 * struct pd_check - what a row with a rule of its own may look at
 * @before, @expected: states around the reference; @expected->results is what it produced
 * @after:	the state that the implementation left, by the judge's own decoding
 * @got:	results of the implementation
 * @want_ret, @got_ret: return values
 * @hw:		hardware acted meanwhile: it may have set young and dirty
 * @holds:	LPTE_* bits that the arch can hold
 * @decode:	the judge's own reading of a raw entry
 */
struct pd_check {
	const struct pd_state *before, *expected, *after;
	const void *args;
	const struct pd_results *got;
	long want_ret, got_ret;
	const struct pd_impl *impl;
	enum pd_arch arch;
	bool hw;
	uint64_t holds;
	lpte_t (*decode)(enum pd_arch arch, uint64_t raw);
};

/**
 * struct pd_row - one row of a contract
 * @field:	how a signature names it, e.g. "dst.write"
 * @subject:	see enum pd_subject; @place and @grade hold for PD_SUBJECT_PTE
 * @mask:	LPTE_* bits, PD_FOLIO_ROW_* or PD_TLB_ROW_* bits, counters or kinds of results
 * @why:	the rule and its reason, one sentence
 * @accepts:	PD_SUBJECT_RESULT and PD_SUBJECT_RETURN: the rule, where it is not equality; NULL
 *		when all is well, else what is wrong (static text)
 * @strict:	judged only when named relaxations are off
 * @when:	NULL, or whether the row holds for a step with these arguments: for operations that
 *		are several in one
 *
 * A contract is an array of rows ended by a NULL field. The order of the rows is the order in
 * which divergences are named. Bits that no row covers at a place are not compared there; a test
 * makes sure that every LPTE bit has a row at every place.
 */
struct pd_row {
	const char *field;
	enum pd_subject subject;
	enum pd_place place;
	enum pd_grade grade;
	uint64_t mask;
	const char *why;
	const char *(*accepts)(const struct pd_check *check);
	bool strict;
	bool (*when)(const void *args);
};

/* Where an operation works: pages [src, src + pages), moved to dst (== src: in place). */
struct pd_span {
	unsigned int src, dst, pages;
};

/**
 * enum pd_call - what user space has to do for a kernel to perform the operation
 * @PD_CALL_NONE:	nothing that does just this
 * @PD_CALL_MREMAP:	mremap() of its range
 * @PD_CALL_UFFD_MOVE:	ioctl(UFFDIO_MOVE)
 * @PD_CALL_MBIND:	mbind() with MPOL_MF_MOVE
 * @PD_CALL_FAULT:	the first access to a page that gets a new folio
 */
enum pd_call {
	PD_CALL_NONE,
	PD_CALL_MREMAP,
	PD_CALL_UFFD_MOVE,
	PD_CALL_MBIND,
	PD_CALL_FAULT,
	PD_NR_CALLS
};

/**
 * struct pd_op - the descriptor of an operation
 * @name:	its folder
 * @kind:	its record: number, fields and text
 * @args_size:	size of its argument struct (args.h), which holds uint32_t members only
 * @fit:	make the arguments fit the state, changing as little as possible; idempotent.
 *		Return: NULL, or why the step has to be skipped
 * @prepare:	what the caller does to the state before the operation (mremap: the destination
 *		is unmapped); may be NULL
 * @reference:	perform it on the logical state, one entry at a time
 * @span:	where it works
 * @rows:	its contract
 * @result_names: words for its results by their kind, ended by NULL; NULL when it has none
 * @result_entries: kinds (1 << what) of results whose b is an entry; raw when an implementation
 *		says it
 * @result_text: a result for people, without its word; NULL: a, and b unless it is 0
 * @return_text: the return value for people; NULL: the number
 * @call:	what asks a real kernel for it, for exported programs
 */
struct pd_op {
	const char *name;
	struct pd_kind kind;
	size_t args_size;
	const char *(*fit)(const struct pd_state *s, void *args);
	void (*prepare)(struct pd_state *s, const void *args);
	struct pd_outcome (*reference)(struct pd_state *s, const void *args);
	struct pd_span (*span)(const void *args);
	const struct pd_row *rows;
	const char *const *result_names;
	uint32_t result_entries;
	void (*result_text)(char *text, size_t size, const struct pd_fact *fact);
	void (*return_text)(char *text, size_t size, long value);
	enum pd_call call;
};

#define PD_MAX_ARGS 64	/* bytes of the largest argument struct */

/**
 * struct pd_impl - one implementation, compiled for one arch
 * @mirrors:	release and upstream subject that it follows
 * @wrong:	known to be wrong: never in a default run
 * @never_batches: NULL, or why a batch longer than one cannot happen on this arch
 * @unsupported: NULL, or why there is none for this arch; the rest is then unset
 * @bind:	tell the module which world its kernel names stand for: pd_bind
 * @run:	perform the operation on the bound world; the operation's return value
 */
struct pd_impl {
	const char *mirrors;
	bool wrong;
	const char *never_batches;
	const char *unsupported;
	void (*bind)(struct pd_world *world);
	long (*run)(const void *args);
};

/**
 * struct pd_impl_entry - an implementation in the registry
 * @op:		its operation
 * @name:	its file, or "bug:<patch>"
 * @file:	the source file, from the top of the repository
 * @bug:	a patch of model/bugs/ made it: never in a default run
 * @tree:	code of a kernel tree (scripts/kernel-tree): never in a default run
 * @root:	the folder of that tree, or NULL
 */
struct pd_impl_entry {
	const struct pd_op *op;
	const char *name;
	const char *file;
	bool bug, tree;
	const char *root;
	const struct pd_impl *impl[PD_NR_ARCHES];
};

extern const struct pd_op *const pd_ops[];
extern const unsigned int pd_nr_ops;
extern const struct pd_impl_entry pd_impls[];
extern const unsigned int pd_nr_impls;

/* pd_op_args() - read the fields of @rec into @args, by the offsets of @op's fields. */
void pd_op_args(const struct pd_op *op, const struct pd_record *rec, void *args);

/* pd_op_record() - the record that states @args: the inverse of pd_op_args(). */
void pd_op_record(const struct pd_op *op, const void *args, struct pd_record *rec);

#endif
