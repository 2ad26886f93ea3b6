/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The histogram as tables.
 */
#include <inttypes.h>

#include "histogram.h"

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static uint64_t total(const uint64_t *counts, unsigned int nr)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < nr; i++)
		sum += counts[i];
	return sum;
}

static void print_row(FILE *out, const char *name, uint64_t part, uint64_t whole)
{
	fprintf(out, "  %-48s %12" PRIu64 " %6.2f%%\n", name, part, share(part, whole));
}

/* What a feature's share is taken of. */
static uint64_t base_of(const struct pd_histogram *h, unsigned int feature)
{
	if (feature < PD_FEATURE_RUN_WHOLE)
		return h->scenarios;
	if (feature < PD_FEATURE_BLOCK)
		return total(h->order, PD_MAX_ORDER + 1);
	if (feature < PD_FEATURE_SWDIRTY)
		return h->feature[PD_FEATURE_BLOCK];
	if (feature < PD_FEATURE_OP_FITS)
		return total(h->kind, LPTE_NR_KINDS);
	return h->ops;
}

static void print_features(FILE *out, const struct pd_histogram *h)
{
#define PD_FEATURE_TEXT(name, text) text,
	static const char *const texts[PD_NR_FEATURES] = { PD_FEATURES(PD_FEATURE_TEXT) };

	fprintf(out, "features\n");
	for (unsigned int i = 0; i < PD_NR_FEATURES; i++)
		print_row(out, texts[i], h->feature[i], base_of(h, i));
}

static void print_kinds(FILE *out, const struct pd_histogram *h)
{
	static const char *const kinds[LPTE_NR_KINDS] = {
		[LPTE_KIND_PRESENT] = "present",
		[LPTE_KIND_SWAP] = "swap",
		[LPTE_KIND_MIGRATION_READ] = "migration-read",
		[LPTE_KIND_MIGRATION_READ_EXCLUSIVE] = "migration-read-excl",
		[LPTE_KIND_MIGRATION_WRITE] = "migration-write",
		[LPTE_KIND_DEVICE_PRIVATE_READ] = "device-private-read",
		[LPTE_KIND_DEVICE_PRIVATE_WRITE] = "device-private-write",
		[LPTE_KIND_DEVICE_EXCLUSIVE] = "device-exclusive",
		[LPTE_KIND_HWPOISON] = "hwpoison",
		[LPTE_KIND_MARKER] = "marker",
	};
	static const char *const markers[LPTE_NR_MARKERS] = {
		[LPTE_MARKER_UFFD_WP] = "marker-uffd-wp",
		[LPTE_MARKER_POISON] = "marker-poison",
		[LPTE_MARKER_GUARD] = "marker-guard",
	};
	uint64_t all = total(h->kind, LPTE_NR_KINDS);

	fprintf(out, "entries\n");
	for (unsigned int i = LPTE_KIND_PRESENT; i < LPTE_KIND_MARKER; i++)
		print_row(out, kinds[i], h->kind[i], all);
	for (unsigned int i = 0; i < LPTE_NR_MARKERS; i++)
		print_row(out, markers[i], h->marker[i], all);
}

static void print_mixes(FILE *out, const struct pd_histogram *h)
{
	static const char *const fields[PD_NR_MIX_FIELDS] = {
		"write", "young", "dirty", "soft-dirty", "uffd-wp", "protnone", "exclusive",
	};

	fprintf(out, "runs of a large folio, by how a field lies over them\n");
	fprintf(out, "  %-11s %11s %11s %11s %11s %11s %11s %11s\n", "", "none", "all", "first",
		"last", "half", "alternating", "other");
	for (unsigned int i = 0; i < PD_NR_MIX_FIELDS; i++) {
		fprintf(out, "  %-11s", fields[i]);
		for (unsigned int k = 0; k < PD_NR_MIXES; k++)
			fprintf(out, " %11" PRIu64, h->mix[i][k]);
		fprintf(out, "\n");
	}
}

static void print_edges(FILE *out, const struct pd_histogram *h)
{
	static const char *const edges[PD_NR_EDGES] = {
		"a table", "one page off a table", "a large folio", "a run in mid-folio",
		"cuts a run", "a contpte block", "cuts a contpte block", "a small folio",
		"a non-present entry", "an empty entry",
	};

	fprintf(out, "operations, by what the range begins and ends with %15s %14s\n", "begins",
		"ends");
	for (unsigned int i = 0; i < PD_NR_EDGES; i++)
		fprintf(out, "  %-44s %12" PRIu64 " %6.2f%% %7" PRIu64 " %6.2f%%\n", edges[i],
			h->edge[0][i], share(h->edge[0][i], h->ops), h->edge[1][i],
			share(h->edge[1][i], h->ops));
}

static void print_ranges(FILE *out, const struct pd_histogram *h)
{
	static const char *const shifts[PD_NR_SHIFTS] = {
		"0", "+1", "+8", "+16", "another multiple of 16", "other",
	};
	char name[32];

	fprintf(out, "operations, by destination less source modulo a table\n");
	for (unsigned int i = 0; i < PD_NR_SHIFTS; i++)
		print_row(out, shifts[i], h->shift[i], h->ops);
	fprintf(out, "operations, by pages (mean %.1f, %.1f%% populated)\n",
		h->feature[PD_FEATURE_OP_FITS] ?
			(double)h->pages / (double)h->feature[PD_FEATURE_OP_FITS] : 0.0,
		share(h->populated, h->pages));
	for (unsigned int i = 0; i < PD_NR_EXTENTS; i++) {
		unsigned int lo = pd_histogram_extents[i];
		unsigned int hi = PD_NR_VA;

		if (i + 1 < PD_NR_EXTENTS)
			hi = pd_histogram_extents[i + 1] - 1u;
		snprintf(name, sizeof(name), lo == hi ? "%u" : "%u to %u", lo, hi);
		print_row(out, name, h->extent[i], h->ops);
	}
}

static void print_counts(FILE *out, const char *title, const uint64_t *counts, unsigned int nr)
{
	uint64_t all = total(counts, nr);
	char name[32];

	fprintf(out, "%s\n", title);
	for (unsigned int i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%u", i);
		if (counts[i])
			print_row(out, name, counts[i], all);
	}
}

void pd_histogram_print(FILE *out, const struct pd_histogram *h)
{
	double n = h->scenarios ? (double)h->scenarios : 1.0;

	fprintf(out, "%" PRIu64 " scenarios, %.2f layout records and %.2f operations each\n",
		h->scenarios, (double)h->layout / n, (double)h->ops / n);
	print_counts(out, "scenarios, by number of operations", h->steps, 8);
	print_features(out, h);
	print_counts(out, "runs, by order of the folio", h->order, PD_MAX_ORDER + 1);
	print_mixes(out, h);
	print_kinds(out, h);
	print_edges(out, h);
	print_ranges(out, h);
}
