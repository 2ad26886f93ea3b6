/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which implementations are judged, and what things are called.
 */
#include <stdio.h>
#include <string.h>

#include "judge.h"

static const char *const arch_names[PD_NR_ARCHES] = {
	[PD_ARCH_X86] = "x86",
	[PD_ARCH_ARM64] = "arm64",
};

static const char *const verdict_names[PD_NR_VERDICTS] = {
	[PD_VERDICT_MATCH] = "match",
	[PD_VERDICT_MATCH_TRIVIAL] = "match-trivial",
	[PD_VERDICT_DIVERGENCE] = "divergence",
	[PD_VERDICT_BOTH_REFUSE] = "both-refuse",
	[PD_VERDICT_SKIP] = "skip",
};

static const char *const relation_names[PD_NR_RELATIONS] = {
	[PD_RELATION_MISSING] = "missing",
	[PD_RELATION_EXTRA] = "extra",
	[PD_RELATION_WRONG] = "wrong",
	[PD_RELATION_ORDER] = "order",
	[PD_RELATION_STALE] = "stale",
	[PD_RELATION_OOB] = "oob",
	[PD_RELATION_NO_PROGRESS] = "no-progress",
	[PD_RELATION_WARN] = "warn",
	[PD_RELATION_CRASH] = "crash",
};

const char *pd_arch_name(enum pd_arch arch)
{
	return arch_names[arch];
}

const char *pd_verdict_name(enum pd_verdict verdict)
{
	return verdict_names[verdict];
}

const char *pd_relation_name(enum pd_relation relation)
{
	return relation_names[relation];
}

static bool pd_select_arch(struct pd_selection *sel, const char *arch, char *error, size_t size)
{
	sel->arch = 0;
	for (unsigned int a = 0; a < PD_NR_ARCHES; a++)
		if (!arch || !strcmp(arch, arch_names[a]))
			sel->arch |= 1u << a;
	if (!sel->arch)
		snprintf(error, size, "unknown arch '%s': expected x86 or arm64", arch);
	return sel->arch;
}

bool pd_only_named(const struct pd_impl_entry *e)
{
	return e->bug || e->tree || e->impl[PD_ARCH_X86]->wrong || e->impl[PD_ARCH_ARM64]->wrong;
}

static unsigned int pd_select_name(struct pd_selection *sel, const char *op, const char *name,
				   size_t len)
{
	unsigned int found = 0;

	for (unsigned int i = 0; i < pd_nr_impls; i++) {
		const struct pd_impl_entry *e = &pd_impls[i];

		if (op && strcmp(op, e->op->name))
			continue;
		if (name ? strlen(e->name) != len || memcmp(e->name, name, len) : pd_only_named(e))
			continue;
		sel->impl[i / 64] |= 1ULL << (i % 64);
		found++;
	}
	return found;
}

bool pd_select(struct pd_selection *sel, const char *op, const char *impl, const char *arch,
	       char *error, size_t size)
{
	bool op_known = !op;

	memset(sel, 0, sizeof(*sel));
	if (!pd_select_arch(sel, arch, error, size))
		return false;
	for (unsigned int i = 0; i < pd_nr_ops; i++)
		op_known |= op && !strcmp(op, pd_ops[i]->name);
	if (!op_known) {
		snprintf(error, size, "unknown operation '%s': see `ptediff ops`", op);
		return false;
	}
	if (!impl)
		return pd_select_name(sel, op, NULL, 0);
	for (const char *name = impl; *name;) {
		size_t len = strcspn(name, ",");

		if (!pd_select_name(sel, op, name, len)) {
			snprintf(error, size, "unknown implementation '%.*s': see `ptediff ops`",
				 (int)len, name);
			return false;
		}
		name += len + (name[len] == ',');
	}
	return true;
}

void pd_tally_add(struct pd_tally *to, const struct pd_tally *from)
{
	for (unsigned int v = 0; v < PD_NR_VERDICTS; v++)
		to->verdict[v] += from->verdict[v];
	to->pages += from->pages;
	to->changed += from->changed;
	to->batched += from->batched;
	to->work.reads += from->work.reads;
	to->work.xchgs += from->work.xchgs;
	to->work.sets += from->work.sets;
	to->work.flushes += from->work.flushes;
	to->work.folio_lookups += from->work.folio_lookups;
	to->work.batches += from->work.batches;
	to->work.long_batches += from->work.long_batches;
}
