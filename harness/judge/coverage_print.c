/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was judged, as lines for scripts/coverage.
 */
#include <inttypes.h>

#include "coverage.h"

static const char *const kind_names[PD_NR_COVER_KINDS] = {
	[LPTE_KIND_NONE] = "none",
	[LPTE_KIND_SWAP] = "swap",
	[LPTE_KIND_MIGRATION_READ] = "migration-read",
	[LPTE_KIND_MIGRATION_READ_EXCLUSIVE] = "migration-read-excl",
	[LPTE_KIND_MIGRATION_WRITE] = "migration-write",
	[LPTE_KIND_DEVICE_PRIVATE_READ] = "device-private-read",
	[LPTE_KIND_DEVICE_PRIVATE_WRITE] = "device-private-write",
	[LPTE_KIND_DEVICE_EXCLUSIVE] = "device-exclusive",
	[LPTE_KIND_HWPOISON] = "hwpoison",
	[PD_COVER_KIND_NORMAL + PD_FOLIO_ANON] = "anon",
	[PD_COVER_KIND_NORMAL + PD_FOLIO_FILE] = "file",
	[PD_COVER_KIND_NORMAL + PD_FOLIO_KSM] = "ksm",
	[PD_COVER_KIND_NORMAL + PD_FOLIO_DEVICE] = "device",
	[PD_COVER_KIND_SPECIAL] = "special",
	[PD_COVER_KIND_ZERO_PAGE] = "zero-page",
	[PD_COVER_KIND_MARKERS + LPTE_MARKER_UFFD_WP] = "marker-uffd-wp",
	[PD_COVER_KIND_MARKERS + LPTE_MARKER_POISON] = "marker-poison",
	[PD_COVER_KIND_MARKERS + LPTE_MARKER_GUARD] = "marker-guard",
};

static const char *const place_names[PD_NR_COVER_PLACES] = {
	"inside", "range-first", "range-last", "table-first", "table-last", "vma-edge",
	"folio-first", "folio-last", "block-cut",
};

static const char *const flag_names[PD_NR_COVER_FLAGS] = {
	"plain", "write", "young", "dirty", "soft-dirty", "uffd-wp", "protnone", "exclusive",
	"cont", "swdirty", "pinned", "bbml", "hw", "fault", "deferred",
};

static void print_entries(FILE *out, const char *row, const struct pd_cells *cells,
			  unsigned int kind, unsigned int order)
{
	char name[8] = "-";

	if (order != PD_COVER_NO_ORDER)
		snprintf(name, sizeof(name), "%u", order);
	for (unsigned int p = 0; p < PD_NR_COVER_PLACES; p++) {
		for (unsigned int f = 0; f < PD_NR_COVER_FLAGS; f++) {
			uint64_t count = cells->entry[kind][order][p][f];

			if (count)
				fprintf(out, "entry\t%s\t%s\t%s\t%s\t%s\t%" PRIu64 "\n", row,
					kind_names[kind], name, place_names[p], flag_names[f],
					count);
		}
	}
}

/* A choice by its name, a flag as no or yes, a number as the lowest of its size. */
static void name_value(char *buf, size_t size, const struct pd_field *field, unsigned int value)
{
	if (field->form == PD_FORM_FLAG)
		snprintf(buf, size, "%s", value ? "yes" : "no");
	else if (field->form == PD_FORM_ENUM && *field->names[value])
		snprintf(buf, size, "%s", field->names[value]);
	else if (field->form == PD_FORM_ENUM)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%u", value ? 1u << (value - 1) : 0);
}

/* A field without a keyword has that of the literal before it, a choice has none. */
static const char *field_name(const struct pd_field *fields, unsigned int i)
{
	if (fields[i].form == PD_FORM_RANGE)
		return "pages";
	if (fields[i].name)
		return fields[i].name;
	return i && fields[i - 1].form == PD_FORM_LITERAL ? fields[i - 1].name : "choice";
}

static void print_argument(FILE *out, const char *row, const struct pd_field *field,
			   const char *name, uint64_t (*counts)[PD_NR_VERDICTS])
{
	char value[64];

	for (unsigned int i = 0; i < PD_NR_COVER_SIZES; i++) {
		for (unsigned int v = 0; v < PD_NR_VERDICTS; v++) {
			if (!counts[i][v])
				continue;
			name_value(value, sizeof(value), field, i);
			fprintf(out, "argument\t%s\t%s\t%s\t%s\t%" PRIu64 "\n", row,
				name, value, pd_verdict_name((enum pd_verdict)v),
				counts[i][v]);
		}
	}
}

static void print_cells(FILE *out, const struct pd_impl_entry *entry, enum pd_arch arch,
			struct pd_cells *cells)
{
	const struct pd_field *field = entry->op->kind.fields;
	char row[256];

	snprintf(row, sizeof(row), "%s\t%s\t%s", entry->op->name, entry->name,
		 pd_arch_name(arch));
	for (unsigned int kind = 0; kind < PD_NR_COVER_KINDS; kind++)
		for (unsigned int order = 0; order <= PD_COVER_NO_ORDER; order++)
			print_entries(out, row, cells, kind, order);
	for (unsigned int i = 0; field[i].form != PD_FORM_END && i < PD_MAX_COVER_FIELDS; i++)
		print_argument(out, row, &field[i], field_name(field, i),
				       cells->argument[i]);
}

static void print_values(FILE *out, const char *what, const char *const *names, unsigned int nr)
{
	fprintf(out, "values\t%s", what);
	for (unsigned int i = 0; i < nr; i++)
		if (names[i])
			fprintf(out, "\t%s", names[i]);
	fprintf(out, "\n");
}

void pd_coverage_print(FILE *out, const struct pd_coverage *c)
{
	print_values(out, "kind", kind_names, PD_NR_COVER_KINDS);
	print_values(out, "place", place_names, PD_NR_COVER_PLACES);
	print_values(out, "flag", flag_names, PD_NR_COVER_FLAGS);
	fprintf(out, "values\torder\t-");
	for (unsigned int order = 0; order <= PD_MAX_ORDER; order++)
		fprintf(out, "\t%u", order);
	fprintf(out, "\n");
	for (unsigned int i = 0; i < pd_nr_impls; i++)
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++)
			if (c->cells[i][arch])
				print_cells(out, &pd_impls[i], (enum pd_arch)arch,
					    c->cells[i][arch]);
}
