/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From layout records to a state. What a record cannot mean is cut here; what does not go
 * together is mended in repair.c, when all records have been read.
 */
#include "build.h"


/* The pages field @pages of @rec, cut so that @start + pages stays below @limit. */
static unsigned int pd_cut_pages(struct pd_builder *b, struct pd_record *rec, struct pd_bits pages,
				 unsigned int start, unsigned int limit, const char *why)
{
	unsigned int nr = pd_record_get(rec, pages) + 1u;

	if (start + nr <= limit)
		return nr;
	pd_record_set(rec, pages, (uint16_t)(limit - start - 1));
	pd_repair_note(b, rec, why);
	return limit - start;
}

static void pd_build_config(struct pd_builder *b, struct pd_record *rec)
{
	if (pd_record_get(rec, PD_CONFIG_KNOB) == PD_KNOB_BBML2)
		b->s->bbml = true;
	pd_repair_keep(b, rec);
}

static uint16_t pd_vma_flags(const struct pd_record *rec)
{
	static const uint16_t uffd[] = {
		[PD_UFFD_NONE] = 0,
		[PD_UFFD_WP] = PD_VMA_UFFD_WP | PD_VMA_UFFD_NO_REMAP,
		[PD_UFFD_WP_REMAP] = PD_VMA_UFFD_WP,
		[PD_UFFD_MISSING] = PD_VMA_UFFD_NO_REMAP,
	};
	unsigned int flags = uffd[pd_record_get(rec, PD_VMA_F_UFFD)];

	flags |= pd_record_get(rec, PD_VMA_F_RO) ? PD_VMA_RO : 0u;
	flags |= pd_record_get(rec, PD_VMA_F_FILE) ? PD_VMA_FILE : 0u;
	/* What is shared is page cache: a file's or shmem's. */
	flags |= pd_record_get(rec, PD_VMA_F_SHARED) ? PD_VMA_SHARED | PD_VMA_FILE : 0u;
	flags |= pd_record_get(rec, PD_VMA_F_LOCKED) ? PD_VMA_LOCKED : 0u;
	flags |= pd_record_get(rec, PD_VMA_F_SOFT_DIRTY) ? PD_VMA_SOFT_DIRTY : 0u;
	flags |= pd_record_get(rec, PD_VMA_F_UNMIGRATABLE) ? PD_VMA_UNMIGRATABLE : 0u;
	flags |= pd_record_get(rec, PD_VMA_F_PFNMAP) ? PD_VMA_PFNMAP : 0u;
	return (uint16_t)flags;
}

static void pd_build_vma(struct pd_builder *b, struct pd_record *rec)
{
	unsigned int va = pd_record_get(rec, PD_VMA_F_VA);
	unsigned int pages = pd_cut_pages(b, rec, PD_VMA_F_PAGES, va, PD_NR_VA,
					  "the address space ends");
	const struct pd_vma vma = {
		.start = (uint16_t)va,
		.pages = (uint16_t)pages,
		.pgoff = pd_record_get(rec, PD_VMA_F_PGOFF),
		.flags = pd_vma_flags(rec),
	};

	if (pd_state_set_vma(b->s, &vma))
		pd_repair_keep(b, rec);
	else
		pd_repair_note(b, rec, "dropped: too many VMAs");
}

static bool pd_claim(struct pd_builder *b, unsigned int pfn, unsigned int pages)
{
	for (unsigned int i = pfn; i < pfn + pages; i++)
		if (b->claimed[i / 64] >> (i % 64) & 1)
			return false;
	for (unsigned int i = pfn; i < pfn + pages; i++)
		b->claimed[i / 64] |= 1ULL << (i % 64);
	return true;
}

static struct pd_folio pd_folio_from(const struct pd_record *rec, unsigned int order)
{
	static const struct {
		struct pd_bits bits;
		uint8_t flag;
	} flags[] = {
		{ PD_FOLIO_F_PINNED, PD_FOLIO_PINNED },
		{ PD_FOLIO_F_RESERVED, PD_FOLIO_RESERVED },
		{ PD_FOLIO_F_SWAPCACHE, PD_FOLIO_SWAPCACHE },
		{ PD_FOLIO_F_NOLRU, PD_FOLIO_NOLRU },
		{ PD_FOLIO_F_DIRTY, PD_FOLIO_DIRTY },
		{ PD_FOLIO_F_LAZYFREE, PD_FOLIO_LAZYFREE },
		{ PD_FOLIO_F_MLOCKED, PD_FOLIO_MLOCKED },
		{ PD_FOLIO_F_ACTIVE, PD_FOLIO_ACTIVE },
	};
	struct pd_folio folio = {
		.order = (uint8_t)order,
		.type = (uint8_t)pd_record_get(rec, PD_FOLIO_F_TYPE),
		.nid = (uint8_t)pd_record_get(rec, PD_FOLIO_F_NID),
		.anon_vma = (uint8_t)pd_record_get(rec, PD_FOLIO_F_ANON_VMA),
		.refs = (uint8_t)pd_record_get(rec, PD_FOLIO_F_REFS),
		.index = pd_record_get(rec, PD_FOLIO_F_INDEX),
	};

	for (unsigned int i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (pd_record_get(rec, flags[i].bits))
			folio.flags |= flags[i].flag;
	return folio;
}

/* KSM merges order-0 pages; anything larger has to be something else. */
static void pd_folio_canon(struct pd_builder *b, struct pd_record *rec)
{
	unsigned int order = pd_record_get(rec, PD_FOLIO_F_ORDER);
	unsigned int pfn = pd_record_get(rec, PD_FOLIO_F_PFN);

	if (order > PD_MAX_ORDER) {
		order = PD_MAX_ORDER;
		pd_record_set(rec, PD_FOLIO_F_ORDER, (uint16_t)order);
		pd_repair_note(b, rec, "largest order");
	}
	if (order && pd_record_get(rec, PD_FOLIO_F_TYPE) == PD_FOLIO_KSM) {
		pd_record_set(rec, PD_FOLIO_F_TYPE, PD_FOLIO_ANON);
		pd_repair_note(b, rec, "KSM folios have order 0");
	}
	if (pfn & ((1u << order) - 1)) {
		pd_record_set(rec, PD_FOLIO_F_PFN, (uint16_t)(pfn & ~((1u << order) - 1)));
		pd_repair_note(b, rec, "a folio is aligned to its order");
	}
}

static void pd_build_one_folio(struct pd_builder *b, unsigned int pfn, const struct pd_folio *folio,
			       unsigned int other)
{
	b->s->folio[pfn] = *folio;
	for (unsigned int i = 0; i < 1u << folio->order; i++) {
		b->s->page[pfn + i].offset = (uint16_t)i;
		b->s->page[pfn + i].other = (uint8_t)other;
		pd_touch_pfn(b->s, pfn + i);
	}
}

static void pd_build_folio(struct pd_builder *b, struct pd_record *rec)
{
	unsigned int count, order, pfn, done = 0;
	struct pd_folio folio;

	pd_folio_canon(b, rec);
	order = pd_record_get(rec, PD_FOLIO_F_ORDER);
	pfn = pd_record_get(rec, PD_FOLIO_F_PFN);
	count = pd_record_get(rec, PD_FOLIO_F_COUNT) + 1u;
	folio = pd_folio_from(rec, order);
	while (done < count && pfn + (1u << order) <= PD_ZERO_PFN &&
	       pd_claim(b, pfn, 1u << order)) {
		pd_build_one_folio(b, pfn, &folio, pd_record_get(rec, PD_FOLIO_F_OTHER));
		folio.index = (uint16_t)(folio.index + (1u << order));
		pfn += 1u << order;
		done++;
	}
	if (!done) {
		pd_repair_note(b, rec, "dropped: the frames are taken");
		return;
	}
	if (done < count) {
		pd_record_set(rec, PD_FOLIO_F_COUNT, (uint16_t)(done - 1));
		pd_repair_note(b, rec, "the next frames are taken");
	}
	pd_repair_keep(b, rec);
}

/* Whatever is written over a page, a flush owed for it before is no longer part of the layout. */
static void pd_build_entry(struct pd_builder *b, unsigned int va, lpte_t pte)
{
	struct pd_state *s = b->s;

	for (unsigned int i = 0; i < s->nr_deferred; i++)
		if (s->deferred[i].va == va)
			s->deferred[i--] = s->deferred[--s->nr_deferred];
	pd_state_set(s, va, pte);
}

/* The frame of page @i of a map or nonpresent record; PD_NR_PFN or more when there is none. */
static unsigned int pd_step_pfn(unsigned int first, unsigned int step, unsigned int i)
{
	switch (step) {
	case PD_STEP_DOWN:
		return i <= first ? first - i : PD_NR_PFN;
	case PD_STEP_STRIDE2:
		return first + 2 * i;
	case PD_STEP_SAME:
		return first;
	default:
		return first + i;
	}
}

static lpte_t pd_map_bits(const struct pd_record *rec)
{
	lpte_t pte = (lpte_t)pd_record_get(rec, PD_MAP_F_PROT) << LPTE_PROT_SHIFT;

	pte |= pd_record_get(rec, PD_MAP_F_YOUNG) ? LPTE_YOUNG : 0;
	pte |= pd_record_get(rec, PD_MAP_F_DIRTY) ? LPTE_DIRTY : 0;
	pte |= pd_record_get(rec, PD_MAP_F_WRITE) ? LPTE_WRITE : 0;
	pte |= pd_record_get(rec, PD_MAP_F_SOFT_DIRTY) ? LPTE_SOFT_DIRTY : 0;
	pte |= pd_record_get(rec, PD_MAP_F_UFFD_WP) ? LPTE_UFFD_WP : 0;
	pte |= pd_record_get(rec, PD_MAP_F_PROTNONE) ? LPTE_PROTNONE : 0;
	pte |= pd_record_get(rec, PD_MAP_F_SPECIAL) ? LPTE_SPECIAL : 0;
	pte |= pd_record_get(rec, PD_MAP_F_CONT) ? LPTE_CONT : 0;
	pte |= pd_record_get(rec, PD_MAP_F_SWDIRTY) ? LPTE_SWDIRTY : 0;
	return pte;
}

static void pd_build_map(struct pd_builder *b, struct pd_record *rec)
{
	unsigned int va = pd_record_get(rec, PD_MAP_F_VA);
	unsigned int pfn = pd_record_get(rec, PD_MAP_F_PFN);
	unsigned int step = pd_record_get(rec, PD_MAP_F_STEP);
	unsigned int pages = pd_cut_pages(b, rec, PD_MAP_F_PAGES, va, PD_NR_VA,
					  "the address space ends");
	lpte_t bits = pd_map_bits(rec);

	for (unsigned int i = 0; i < pages; i++) {
		unsigned int frame = pd_step_pfn(pfn, step, i);
		lpte_t special = frame == PD_ZERO_PFN ? LPTE_SPECIAL : 0;

		if (frame >= PD_NR_PFN) {
			pd_record_set(rec, PD_MAP_F_PAGES, (uint16_t)(i - 1));
			pd_repair_note(b, rec, "the frames end");
			break;
		}
		pd_build_entry(b, va + i, lpte_make(LPTE_KIND_PRESENT, frame) | bits | special);
		if ((bits | special) & LPTE_SPECIAL)
			continue;
		if (pd_record_get(rec, PD_MAP_F_EXCL))
			b->s->page[frame].exclusive = true;
		if (pd_record_get(rec, PD_MAP_F_SHARED) && !b->s->page[frame].other)
			b->s->page[frame].other = 1;
	}
	pd_repair_keep(b, rec);
}

static bool pd_apply(bool old, unsigned int mode, bool bit)
{
	switch (mode) {
	case PD_MODE_SET:
		return old || bit;
	case PD_MODE_CLEAR:
		return old && !bit;
	case PD_MODE_XOR:
		return old != bit;
	default:
		return bit;
	}
}

static void pd_build_bit(struct pd_builder *b, unsigned int va, unsigned int field,
			 unsigned int mode, bool bit)
{
	static const lpte_t masks[PD_NR_FIELDS] = {
		[PD_FIELD_YOUNG] = LPTE_YOUNG,
		[PD_FIELD_DIRTY] = LPTE_DIRTY,
		[PD_FIELD_WRITE] = LPTE_WRITE,
		[PD_FIELD_SOFT_DIRTY] = LPTE_SOFT_DIRTY,
		[PD_FIELD_UFFD_WP] = LPTE_UFFD_WP,
		[PD_FIELD_PROTNONE] = LPTE_PROTNONE,
		[PD_FIELD_SPECIAL] = LPTE_SPECIAL,
		[PD_FIELD_CONT] = LPTE_CONT,
		[PD_FIELD_SWDIRTY] = LPTE_SWDIRTY,
		[PD_FIELD_PROT0] = 1ULL << LPTE_PROT_SHIFT,
		[PD_FIELD_PROT1] = 2ULL << LPTE_PROT_SHIFT,
	};
	lpte_t pte = b->s->pte[va];
	struct pd_page *page = &b->s->page[lpte_pfn(pte) % PD_NR_PFN];

	if (!lpte_present(pte))
		return;
	if (masks[field]) {
		bool on = pd_apply(pte & masks[field], mode, bit);

		if (masks[field] == LPTE_SPECIAL && lpte_pfn(pte) == PD_ZERO_PFN)
			on = true;
		pd_build_entry(b, va, on ? pte | masks[field] : pte & ~masks[field]);
	} else if (lpte_normal(pte)) {
		if (field == PD_FIELD_EXCL)
			page->exclusive = pd_apply(page->exclusive, mode, bit);
		else
			page->other = pd_apply(page->other, mode, bit) ?
					      (uint8_t)(page->other ? page->other : 1) : 0;
		pd_touch_pfn(b->s, lpte_pfn(pte));
	}
}

static void pd_build_bits(struct pd_builder *b, struct pd_record *rec)
{
	unsigned int va = pd_record_get(rec, PD_BITS_F_VA);
	unsigned int pages = pd_cut_pages(b, rec, PD_BITS_F_PAGES, va, PD_NR_VA,
					  "the address space ends");
	unsigned int pattern = pd_record_get(rec, PD_BITS_F_PATTERN);

	for (unsigned int i = 0; i < pages; i++)
		pd_build_bit(b, va + i, pd_record_get(rec, PD_BITS_F_FIELD),
			     pd_record_get(rec, PD_BITS_F_MODE), pattern >> (i % 16) & 1);
	pd_repair_keep(b, rec);
}

static lpte_t pd_np_entry(const struct pd_record *rec)
{
	static const uint8_t kinds[PD_NR_NP] = {
		[PD_NP_SWAP] = LPTE_KIND_SWAP,
		[PD_NP_MIGRATION_READ] = LPTE_KIND_MIGRATION_READ,
		[PD_NP_MIGRATION_READ_EXCL] = LPTE_KIND_MIGRATION_READ_EXCLUSIVE,
		[PD_NP_MIGRATION_WRITE] = LPTE_KIND_MIGRATION_WRITE,
		[PD_NP_DEVICE_PRIVATE_READ] = LPTE_KIND_DEVICE_PRIVATE_READ,
		[PD_NP_DEVICE_PRIVATE_WRITE] = LPTE_KIND_DEVICE_PRIVATE_WRITE,
		[PD_NP_DEVICE_EXCLUSIVE] = LPTE_KIND_DEVICE_EXCLUSIVE,
		[PD_NP_HWPOISON] = LPTE_KIND_HWPOISON,
		[PD_NP_MARKER_UFFD_WP] = LPTE_KIND_MARKER,
		[PD_NP_MARKER_POISON] = LPTE_KIND_MARKER,
		[PD_NP_MARKER_GUARD] = LPTE_KIND_MARKER,
	};
	unsigned int kind = pd_record_get(rec, PD_NP_F_KIND);
	lpte_t pte = lpte_make((enum lpte_kind)kinds[kind], 0);

	if (lpte_none(pte))
		return pte;
	if (kind >= PD_NP_MARKER_UFFD_WP)
		pte |= (lpte_t)(kind - PD_NP_MARKER_UFFD_WP) << LPTE_TYPE_SHIFT;
	if (kind == PD_NP_SWAP) {
		pte |= (lpte_t)pd_record_get(rec, PD_NP_F_TYPE) << LPTE_TYPE_SHIFT;
		pte |= pd_record_get(rec, PD_NP_F_EXCL) ? LPTE_EXCLUSIVE : 0;
	}
	pte |= pd_record_get(rec, PD_NP_F_SOFT_DIRTY) ? LPTE_SOFT_DIRTY : 0;
	if (kind < PD_NP_MARKER_UFFD_WP)
		pte |= pd_record_get(rec, PD_NP_F_UFFD_WP) ? LPTE_UFFD_WP : 0;
	return pte;
}

static bool pd_has_deferred(const struct pd_state *s, unsigned int va)
{
	for (unsigned int i = 0; i < s->nr_deferred; i++)
		if (s->deferred[i].va == va)
			return true;
	return false;
}

/* Return: false, and nothing is changed, when there is no room or no such frame. */
static bool pd_build_deferred(struct pd_builder *b, unsigned int va, unsigned int pfn)
{
	struct pd_state *s = b->s;

	if (pfn >= PD_ZERO_PFN || (s->nr_deferred == PD_MAX_DEFERRED && !pd_has_deferred(s, va)))
		return false;
	pd_build_entry(b, va, 0);
	s->deferred[s->nr_deferred++] = (struct pd_deferred){
		.va = (uint16_t)va,
		.pte = lpte_make(LPTE_KIND_PRESENT, pfn) | LPTE_YOUNG,
	};
	return true;
}

static void pd_build_nonpresent(struct pd_builder *b, struct pd_record *rec)
{
	unsigned int va = pd_record_get(rec, PD_NP_F_VA);
	unsigned int kind = pd_record_get(rec, PD_NP_F_KIND);
	unsigned int offset = pd_record_get(rec, PD_NP_F_OFFSET);
	unsigned int pages = pd_cut_pages(b, rec, PD_NP_F_PAGES, va, PD_NR_VA,
					  "the address space ends");
	lpte_t pte = pd_np_entry(rec);
	bool names_frame = lpte_pfn_swap(pte) || lpte_kind(pte) == LPTE_KIND_SWAP;
	unsigned int i;

	for (i = 0; i < pages; i++) {
		unsigned int at = pd_step_pfn(offset, pd_record_get(rec, PD_NP_F_STEP), i) & 0xffff;

		if (kind == PD_NP_DEFERRED && !pd_build_deferred(b, va + i, at))
			break;
		if (kind == PD_NP_DEFERRED)
			continue;
		pd_build_entry(b, va + i,
			       names_frame ? pte | (lpte_t)at << LPTE_PFN_SHIFT : pte);
	}
	if (!i) {
		pd_repair_note(b, rec, "dropped: no room for a deferred flush");
		return;
	}
	if (i < pages) {
		pd_record_set(rec, PD_NP_F_PAGES, (uint16_t)(i - 1));
		pd_repair_note(b, rec, "no room for another deferred flush");
	}
	pd_repair_keep(b, rec);
}

static void pd_build_record(struct pd_builder *b, struct pd_record *rec)
{
	switch (rec->kind) {
	case PD_KIND_CONFIG:
		pd_build_config(b, rec);
		break;
	case PD_KIND_VMA:
		pd_build_vma(b, rec);
		break;
	case PD_KIND_FOLIO:
		pd_build_folio(b, rec);
		break;
	case PD_KIND_MAP:
		pd_build_map(b, rec);
		break;
	case PD_KIND_BITS:
		pd_build_bits(b, rec);
		break;
	case PD_KIND_NONPRESENT:
		pd_build_nonpresent(b, rec);
		break;
	}
}

void pd_build(const struct scenario *sc, struct pd_state *s, struct pd_repair *repair)
{
	struct pd_builder b = { .s = s, .repair = repair };
	unsigned int i;

	if (repair) {
		repair->count = 0;
		if (repair->fixed)
			repair->fixed->nr = 0;
	}
	for (i = 0; i < sc->nr && pd_kind_class(sc->rec[i].kind) < pd_kind_class(PD_KIND_HW); i++) {
		struct pd_record rec = sc->rec[i];

		pd_build_record(&b, &rec);
	}
	pd_repair_entries(&b);
	if (repair)
		pd_repair_ops(&b, sc, i);
}
