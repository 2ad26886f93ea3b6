/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page-table entries as short text.
 */
#include "entry_text.h"

#include <stdio.h>
#include <string.h>

const struct pd_flag pd_flags[] = {
	{ LPTE_YOUNG, "A", "young" },
	{ LPTE_DIRTY, "D", "dirty" },
	{ LPTE_WRITE, "W", "writable" },
	{ LPTE_SOFT_DIRTY, "sd", "soft-dirty" },
	{ LPTE_UFFD_WP, "wp", "uffd-wp" },
	{ LPTE_PROTNONE, "pn", "PROT_NONE" },
	{ LPTE_SPECIAL, "sp", "special" },
	{ LPTE_EXCLUSIVE, "x", "exclusive" },
	{ 1ULL << LPTE_PROT_SHIFT, "p0", "protection bit 0" },
	{ 2ULL << LPTE_PROT_SHIFT, "p1", "protection bit 1" },
	{ LPTE_CONT, "cont", "contpte" },
	{ LPTE_SWDIRTY, "swd", "software dirty" },
	{ 0, NULL, NULL },
};

static const char *const kind_names[LPTE_NR_KINDS] = {
	[LPTE_KIND_NONE] = "none",
	[LPTE_KIND_PRESENT] = "pfn",
	[LPTE_KIND_SWAP] = "swap",
	[LPTE_KIND_MIGRATION_READ] = "migration-read",
	[LPTE_KIND_MIGRATION_READ_EXCLUSIVE] = "migration-read-excl",
	[LPTE_KIND_MIGRATION_WRITE] = "migration-write",
	[LPTE_KIND_DEVICE_PRIVATE_READ] = "device-read",
	[LPTE_KIND_DEVICE_PRIVATE_WRITE] = "device-write",
	[LPTE_KIND_DEVICE_EXCLUSIVE] = "device-exclusive",
	[LPTE_KIND_HWPOISON] = "hwpoison",
	[LPTE_KIND_MARKER] = "marker",
};

static const char *const marker_names[LPTE_NR_MARKERS] = {
	[LPTE_MARKER_UFFD_WP] = "uffd-wp",
	[LPTE_MARKER_POISON] = "poison",
	[LPTE_MARKER_GUARD] = "guard",
};

static bool is_zero_page(lpte_t pte)
{
	return lpte_present(pte) && (pte & LPTE_SPECIAL) && lpte_pfn(pte) == PD_ZERO_PFN;
}

/* Does the frame or offset of an even run go up from page to page? */
static bool ascends(lpte_t pte)
{
	return !lpte_none(pte) && lpte_kind(pte) != LPTE_KIND_MARKER && !is_zero_page(pte);
}

bool pd_entry_follows(lpte_t first, unsigned int nr, lpte_t pte)
{
	unsigned int step = ascends(first) ? nr : 0;

	return ((first ^ pte) & ~LPTE_PFN) == 0 && lpte_pfn(pte) == lpte_pfn(first) + step;
}

int pd_pages_text(char *buf, size_t size, unsigned int first, unsigned int nr)
{
	if (nr <= 1)
		return snprintf(buf, size, "%u", first);
	return snprintf(buf, size, "%u..%u", first, first + nr - 1);
}

int pd_entry_what(char *buf, size_t size, lpte_t pte, unsigned int nr)
{
	enum lpte_kind kind = lpte_kind(pte);
	unsigned int type = lpte_type(pte);
	const char *name = kind < LPTE_NR_KINDS ? kind_names[kind] : "unknown-kind";
	char pages[32];

	pd_pages_text(pages, sizeof(pages), lpte_pfn(pte), nr);
	if (kind == LPTE_KIND_NONE)
		return snprintf(buf, size, "%s", name);
	if (kind == LPTE_KIND_MARKER)
		return snprintf(buf, size, "%s %s", name,
				type < LPTE_NR_MARKERS ? marker_names[type] : "unknown");
	if (is_zero_page(pte))
		return snprintf(buf, size, "zero page");
	if (kind == LPTE_KIND_SWAP)
		return snprintf(buf, size, "%s %u:%s", name, type, pages);
	return snprintf(buf, size, "%s %s", name, pages);
}

int pd_entry_flags(char *buf, size_t size, lpte_t pte, uint64_t columns)
{
	size_t len = 0;

	buf[0] = '\0';
	for (const struct pd_flag *flag = pd_flags; flag->name; flag++) {
		size_t width = strlen(flag->name);

		if (!(columns & flag->bit) || len + width + 2 > size)
			continue;
		buf[len++] = ' ';
		for (size_t i = 0; i < width; i++)
			buf[len++] = pte & flag->bit ? flag->name[i] : '.';
		buf[len] = '\0';
	}
	return (int)len;
}

int pd_entry_text(char *buf, size_t size, lpte_t pte, unsigned int nr)
{
	int len = pd_entry_what(buf, size, pte, nr);

	if (len < 0 || (size_t)len >= size)
		return len;
	return len + pd_entry_flags(buf + len, size - (size_t)len, pte, pte);
}
