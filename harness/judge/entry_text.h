/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page-table entries as short text, for reports, traces and pictures.
 */
#ifndef PD_ENTRY_TEXT_H
#define PD_ENTRY_TEXT_H

#include <stddef.h>

#include "model/state/state.h"

#define PD_ENTRY_CHARS 128	/* enough for every text below */

/**
 * struct pd_flag - how a bit of an entry is abbreviated
 * @bit:	LPTE_*
 * @name:	one to four letters
 * @meaning:	the word it stands for
 */
struct pd_flag {
	uint64_t bit;
	const char *name, *meaning;
};

/* All bits that are flags, ended by a NULL name. */
extern const struct pd_flag pd_flags[];

/**
 * pd_entry_what() - kind and frame: "none", "pfn 512", "pfn 512..515" for @nr pages
 *
 * Return: the length.
 */
int pd_entry_what(char *buf, size_t size, lpte_t pte, unsigned int nr);

/**
 * pd_entry_flags() - a column for each flag in @columns: its name, or dots where it is clear
 *
 * Return: the length; each column is preceded by a space.
 */
int pd_entry_flags(char *buf, size_t size, lpte_t pte, uint64_t columns);

/* pd_entry_text() - both, with the flags that are set. Return: the length. */
int pd_entry_text(char *buf, size_t size, lpte_t pte, unsigned int nr);

/* pd_entry_follows() - is @pte what the page @nr pages after @first's has in an even run? */
bool pd_entry_follows(lpte_t first, unsigned int nr, lpte_t pte);

/* pd_pages_text() - "a" or "a..b" for @nr pages. Return: the length. */
int pd_pages_text(char *buf, size_t size, unsigned int first, unsigned int nr);

#endif
