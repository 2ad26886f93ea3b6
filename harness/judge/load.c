/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A state into a world, through the judge's own encoder.
 */
#include <string.h>

#include "step.h"

/*
 * pd_image_of() - what @s touched, encoded; made when first asked for
 *
 * @base, when not NULL, is the image of @of: entries that are the same there are copied.
 */
const struct pd_image *pd_image_of(struct pd_image *image, enum pd_arch arch,
				   const struct pd_state *s, const struct pd_image *base,
				   const struct pd_state *of)
{
	unsigned int g;

	if (image->made)
		return image;
	image->made = true;
	pd_for_each_granule(g, s->va_touched, PD_VA_WORDS) {
		unsigned int first = g * PD_GRANULE;

		if (base && of->va_touched[g / 64] >> (g % 64) & 1 &&
		    !memcmp(&s->pte[first], &of->pte[first], PD_GRANULE * sizeof(lpte_t))) {
			memcpy(&image->raw[first], &base->raw[first],
			       PD_GRANULE * sizeof(uint64_t));
			continue;
		}
		for (unsigned int va = first; va < first + PD_GRANULE; va++)
			image->raw[va] = pd_raw_encode(arch, s->pte[va]);
	}
	return image;
}

/* pd_load_tables() - the entries of an image into the tables. */
void pd_load_tables(struct pd_world *w, const struct pd_state *s, const struct pd_image *image)
{
	unsigned int g;

	pd_for_each_granule(g, s->va_touched, PD_VA_WORDS) {
		unsigned int va = g * PD_GRANULE;
		uint64_t *entry = pd_world_entry(w, va);

		if (entry)
			memcpy(entry, &image->raw[va], PD_GRANULE * sizeof(*entry));
	}
}

static unsigned long pd_page_flags(const struct pd_folio *folio)
{
	static const uint16_t types[PD_NR_FOLIO_TYPES] = {
		[PD_FOLIO_ANON] = PD_PG_ANON,
		[PD_FOLIO_FILE] = 0,
		[PD_FOLIO_KSM] = PD_PG_ANON | PD_PG_KSM,
		[PD_FOLIO_DEVICE] = PD_PG_ANON | PD_PG_DEVICE,
	};
	static const struct {
		uint8_t folio;
		uint16_t page;
	} flags[] = {
		{ PD_FOLIO_PINNED, PD_PG_PINNED },
		{ PD_FOLIO_RESERVED, PD_PG_RESERVED },
		{ PD_FOLIO_SWAPCACHE, PD_PG_SWAPCACHE },
		{ PD_FOLIO_DIRTY, PD_PG_DIRTY },
		{ PD_FOLIO_MLOCKED, PD_PG_MLOCKED },
		{ PD_FOLIO_ACTIVE, PD_PG_ACTIVE },
	};
	unsigned long out = types[folio->type % PD_NR_FOLIO_TYPES];

	for (unsigned int i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (folio->flags & flags[i].folio)
			out |= flags[i].page;
	if (!(folio->flags & PD_FOLIO_NOLRU))
		out |= PD_PG_LRU;
	if (!(folio->flags & PD_FOLIO_LAZYFREE))
		out |= PD_PG_SWAPBACKED;
	return folio->order ? out | PD_PG_LARGE : out;
}

/* Mappings of a folio's pages, and in *@other those by other address spaces. */
static int pd_folio_mappings(const struct pd_state *s, unsigned int head, unsigned int pages,
			     int *other)
{
	int mappings = 0;

	*other = 0;
	for (unsigned int i = head; i < head + pages; i++) {
		mappings += s->page[i].mapped;
		*other += s->page[i].other;
	}
	return mappings + *other;
}

/* pd_page_image() - page @pfn of @s as a struct page whose memmap starts at @memmap. */
void pd_page_image(struct page *page, const struct page *memmap, const struct pd_state *s,
		   unsigned int pfn)
{
	unsigned int head = pd_head(s, pfn);
	const struct pd_folio *folio = &s->folio[head];
	int other;

	*page = (struct page){
		._mapcount = s->page[pfn].mapped + s->page[pfn].other - 1,
		.flags = s->page[pfn].exclusive ? PD_PG_ANON_EXCLUSIVE : 0,
	};
	if (pfn != head) {
		page->compound_head = (uintptr_t)&memmap[head] | 1;
		return;
	}
	page->flags |= pd_page_flags(folio);
	page->mapping = folio->anon_vma;
	page->index = folio->index;
	page->order = folio->order;
	page->nid = folio->nid;
	page->_refcount = folio->refs + pd_folio_mappings(s, head, 1u << folio->order, &other);
	page->flags |= other ? PD_PG_SHARED : 0;
}

/* pd_load_pages() - the frames of one granule into the memmap. */
void pd_load_pages(struct pd_world *w, const struct pd_state *s, unsigned int granule)
{
	for (unsigned int pfn = granule * PD_GRANULE; pfn < (granule + 1) * PD_GRANULE; pfn++)
		pd_page_image(&w->memmap[pfn], w->memmap, s, pfn);
}

void pd_load_vmas(struct pd_world *w, const struct pd_state *s)
{
	memcpy(w->vma, s->vma, s->nr_vmas * sizeof(s->vma[0]));
	w->nr_vmas = s->nr_vmas;
}

/* pd_load_deferred() - translations that are gone from the tables, not from every CPU. */
void pd_load_deferred(struct pd_world *w, enum pd_arch arch, const struct pd_state *s)
{
	w->nr_stale = 0;
	memset(w->stale_map, 0, sizeof(w->stale_map));
	for (unsigned int i = 0; i < s->nr_deferred; i++) {
		unsigned int va = s->deferred[i].va;

		w->stale[w->nr_stale++] = (struct pd_stale){
			.va = (uint16_t)va, .nr = 1, .deferred = true,
			.raw = pd_raw_encode(arch, s->deferred[i].pte),
		};
		w->stale_map[va / 64] |= 1ULL << (va % 64);
	}
	w->deferred = s->nr_deferred > 0;
}

/* pd_unstale() - no CPU holds a translation of pages [@first, @first + @pages) any more. */
void pd_unstale(struct pd_world *w, unsigned int first, unsigned int pages)
{
	struct pd_stale old[PD_MAX_STALE];
	unsigned int nr = w->nr_stale;

	memcpy(old, w->stale, nr * sizeof(old[0]));
	memset(w->stale_map, 0, sizeof(w->stale_map));
	w->nr_stale = 0;
	for (unsigned int i = 0; i < nr; i++) {
		for (unsigned int k = 0; k < old[i].nr && w->nr_stale < PD_MAX_STALE; k++) {
			unsigned int va = old[i].va + k;
			struct pd_stale one = old[i];

			if (va - first < pages)
				continue;
			one.va = (uint16_t)va;
			one.nr = 1;
			one.raw += (uint64_t)k << 12;
			w->stale[w->nr_stale++] = one;
			w->stale_map[va / 64] |= 1ULL << (va % 64);
		}
	}
}

/* pd_unload() - every table back to its place, empty where the last scenario used it. */
void pd_unload(struct pd_world *w)
{
	unsigned int g;

	for (unsigned int t = 0; t < PD_NR_TABLES; t++) {
		w->pmd[t] = (uintptr_t)w->tables + (2 * t + 1) * PD_TABLE_BYTES;
		w->slot_of[t] = (uint8_t)t;
	}
	pd_for_each_granule(g, w->used, PD_VA_WORDS)
		memset(pd_world_entry(w, g * PD_GRANULE), 0, PD_GRANULE * sizeof(uint64_t));
	memset(w->used, 0, sizeof(w->used));
}
