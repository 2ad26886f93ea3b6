/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of records: tables of the layout kinds, look-ups over these and the operations.
 *
 * The order of a table is the order of the words in a line of text. docs/format.md shows the
 * same tables; tests/unit/test_schema.c holds the two together.
 */
#include <string.h>

#include "layout.h"
#include "schema.h"

#define NO_ARGS .arg = PD_NO_ARG, .arg_more = PD_NO_ARG

#define FLAG(word, bits) { .name = (word), .form = PD_FORM_FLAG, .at = bits, NO_ARGS }
#define CHOICE(words, bits) { .form = PD_FORM_ENUM, .at = bits, .names = (words), NO_ARGS }
#define TIMES(bits) { .form = PD_FORM_TIMES, .at = bits, NO_ARGS }
#define PATTERN(bits) { .form = PD_FORM_PATTERN, .at = bits, NO_ARGS }
#define NUMBER(word, role_, bits)						\
	{ .name = (word), .form = PD_FORM_NUMBER, .role = (role_), .at = bits, NO_ARGS }
#define PAGES(first, less_one)							\
	{ .form = PD_FORM_RANGE, .role = PD_ROLE_VA, .at = first, .more = less_one, NO_ARGS }
#define END { .form = PD_FORM_END }

static const char *const knob_names[1 << 8] = {
	[PD_KNOB_NONE] = "",
	[PD_KNOB_BBML2] = "bbml2",
};

static const struct pd_field config_fields[] = {
	CHOICE(knob_names, PD_CONFIG_KNOB),
	END,
};

static const char *const uffd_names[1 << 2] = {
	[PD_UFFD_NONE] = "",
	[PD_UFFD_WP] = "uffd-wp",
	[PD_UFFD_WP_REMAP] = "uffd-wp-remap",
	[PD_UFFD_MISSING] = "uffd-missing",
};

static const struct pd_field vma_fields[] = {
	PAGES(PD_VMA_F_VA, PD_VMA_F_PAGES),
	FLAG("ro", PD_VMA_F_RO),
	FLAG("shared", PD_VMA_F_SHARED),
	FLAG("file", PD_VMA_F_FILE),
	CHOICE(uffd_names, PD_VMA_F_UFFD),
	FLAG("locked", PD_VMA_F_LOCKED),
	FLAG("soft-dirty", PD_VMA_F_SOFT_DIRTY),
	FLAG("unmigratable", PD_VMA_F_UNMIGRATABLE),
	FLAG("pfnmap", PD_VMA_F_PFNMAP),
	NUMBER("pgoff", PD_ROLE_PLAIN, PD_VMA_F_PGOFF),
	END,
};

static const char *const folio_names[1 << 4] = {
	[PD_FOLIO_ANON] = "",
	[PD_FOLIO_FILE] = "file",
	[PD_FOLIO_KSM] = "ksm",
	[PD_FOLIO_DEVICE] = "device",
};

static const struct pd_field folio_fields[] = {
	NUMBER(NULL, PD_ROLE_PFN, PD_FOLIO_F_PFN),
	CHOICE(folio_names, PD_FOLIO_F_TYPE),
	NUMBER("order", PD_ROLE_PLAIN, PD_FOLIO_F_ORDER),
	TIMES(PD_FOLIO_F_COUNT),
	NUMBER("node", PD_ROLE_PLAIN, PD_FOLIO_F_NID),
	FLAG("pinned", PD_FOLIO_F_PINNED),
	FLAG("reserved", PD_FOLIO_F_RESERVED),
	FLAG("swapcache", PD_FOLIO_F_SWAPCACHE),
	FLAG("nolru", PD_FOLIO_F_NOLRU),
	FLAG("dirty", PD_FOLIO_F_DIRTY),
	FLAG("lazyfree", PD_FOLIO_F_LAZYFREE),
	FLAG("mlocked", PD_FOLIO_F_MLOCKED),
	FLAG("active", PD_FOLIO_F_ACTIVE),
	NUMBER("other", PD_ROLE_PLAIN, PD_FOLIO_F_OTHER),
	NUMBER("refs", PD_ROLE_PLAIN, PD_FOLIO_F_REFS),
	NUMBER("index", PD_ROLE_PLAIN, PD_FOLIO_F_INDEX),
	NUMBER("anon-vma", PD_ROLE_PLAIN, PD_FOLIO_F_ANON_VMA),
	END,
};

static const char *const step_names[1 << 2] = {
	[PD_STEP_UP] = "",
	[PD_STEP_DOWN] = "down",
	[PD_STEP_STRIDE2] = "stride2",
	[PD_STEP_SAME] = "same",
};

static const struct pd_field map_fields[] = {
	PAGES(PD_MAP_F_VA, PD_MAP_F_PAGES),
	NUMBER("pfn", PD_ROLE_PFN, PD_MAP_F_PFN),
	CHOICE(step_names, PD_MAP_F_STEP),
	FLAG("young", PD_MAP_F_YOUNG),
	FLAG("dirty", PD_MAP_F_DIRTY),
	FLAG("write", PD_MAP_F_WRITE),
	FLAG("excl", PD_MAP_F_EXCL),
	FLAG("soft-dirty", PD_MAP_F_SOFT_DIRTY),
	FLAG("uffd-wp", PD_MAP_F_UFFD_WP),
	FLAG("protnone", PD_MAP_F_PROTNONE),
	FLAG("special", PD_MAP_F_SPECIAL),
	FLAG("shared", PD_MAP_F_SHARED),
	FLAG("cont", PD_MAP_F_CONT),
	FLAG("swdirty", PD_MAP_F_SWDIRTY),
	NUMBER("prot", PD_ROLE_PLAIN, PD_MAP_F_PROT),
	END,
};

static const char *const field_names[1 << 5] = {
	[PD_FIELD_YOUNG] = "young",
	[PD_FIELD_DIRTY] = "dirty",
	[PD_FIELD_WRITE] = "write",
	[PD_FIELD_EXCL] = "excl",
	[PD_FIELD_SOFT_DIRTY] = "soft-dirty",
	[PD_FIELD_UFFD_WP] = "uffd-wp",
	[PD_FIELD_PROTNONE] = "protnone",
	[PD_FIELD_SPECIAL] = "special",
	[PD_FIELD_SHARED] = "shared",
	[PD_FIELD_CONT] = "cont",
	[PD_FIELD_SWDIRTY] = "swdirty",
	[PD_FIELD_PROT0] = "prot0",
	[PD_FIELD_PROT1] = "prot1",
};

static const char *const mode_names[1 << 2] = {
	[PD_MODE_ASSIGN] = "",
	[PD_MODE_SET] = "set",
	[PD_MODE_CLEAR] = "clear",
	[PD_MODE_XOR] = "xor",
};

static const struct pd_field bits_fields[] = {
	PAGES(PD_BITS_F_VA, PD_BITS_F_PAGES),
	CHOICE(field_names, PD_BITS_F_FIELD),
	CHOICE(mode_names, PD_BITS_F_MODE),
	PATTERN(PD_BITS_F_PATTERN),
	END,
};

static const char *const nonpresent_names[1 << 4] = {
	[PD_NP_HOLE] = "hole",
	[PD_NP_SWAP] = "swap",
	[PD_NP_MIGRATION_READ] = "migration-read",
	[PD_NP_MIGRATION_READ_EXCL] = "migration-read-excl",
	[PD_NP_MIGRATION_WRITE] = "migration-write",
	[PD_NP_DEVICE_PRIVATE_READ] = "device-private-read",
	[PD_NP_DEVICE_PRIVATE_WRITE] = "device-private-write",
	[PD_NP_DEVICE_EXCLUSIVE] = "device-exclusive",
	[PD_NP_HWPOISON] = "hwpoison",
	[PD_NP_MARKER_UFFD_WP] = "marker-uffd-wp",
	[PD_NP_MARKER_POISON] = "marker-poison",
	[PD_NP_MARKER_GUARD] = "marker-guard",
	[PD_NP_DEFERRED] = "deferred",
};

static const struct pd_field nonpresent_fields[] = {
	PAGES(PD_NP_F_VA, PD_NP_F_PAGES),
	CHOICE(nonpresent_names, PD_NP_F_KIND),
	NUMBER("type", PD_ROLE_PLAIN, PD_NP_F_TYPE),
	NUMBER("offset", PD_ROLE_PFN, PD_NP_F_OFFSET),
	CHOICE(step_names, PD_NP_F_STEP),
	FLAG("excl", PD_NP_F_EXCL),
	FLAG("soft-dirty", PD_NP_F_SOFT_DIRTY),
	FLAG("uffd-wp", PD_NP_F_UFFD_WP),
	END,
};

static const char *const hw_names[1 << 2] = { "read", "write", "pin", "unpin" };

static const struct pd_field hw_fields[] = {
	PAGES(PD_HW_F_VA, PD_HW_F_PAGES),
	CHOICE(hw_names, PD_HW_F_WHAT),
	NUMBER("at", PD_ROLE_STEP, PD_HW_F_STEP),
	END,
};

static const char *const site_names[1 << 5] = { "map", "trylock", "isolate", "split" };

static const struct pd_field fault_fields[] = {
	NUMBER(NULL, PD_ROLE_VA, PD_FAULT_F_VA),
	CHOICE(site_names, PD_FAULT_F_SITE),
	TIMES(PD_FAULT_F_TIMES),
	END,
};

static const struct pd_kind layout_kinds[] = {
	{ PD_KIND_CONFIG, "config", config_fields, "a property of the machine" },
	{ PD_KIND_VMA, "vma", vma_fields, "a mapping; it replaces what was there before" },
	{ PD_KIND_FOLIO, "folio", folio_fields, "folios, one after the other" },
	{ PD_KIND_MAP, "map", map_fields, "present entries, frame after frame" },
	{ PD_KIND_BITS, "bits", bits_fields, "one field of present entries, by a pattern" },
	{ PD_KIND_NONPRESENT, "nonpresent", nonpresent_fields, "entries that are not present" },
	{ PD_KIND_HW, "hw", hw_fields, "hardware access within the next operation" },
	{ PD_KIND_FAULT, "fault", fault_fields, "what fails in the next operation" },
};

#define NR_LAYOUT_KINDS ((unsigned int)(sizeof(layout_kinds) / sizeof(layout_kinds[0])))

const struct pd_kind *pd_kind_at(unsigned int i)
{
	if (i < NR_LAYOUT_KINDS)
		return &layout_kinds[i];
	i -= NR_LAYOUT_KINDS;
	return i < pd_nr_ops ? &pd_ops[i]->kind : NULL;
}

const struct pd_kind *pd_kind_by_number(uint8_t number)
{
	const struct pd_kind *kind;

	for (unsigned int i = 0; (kind = pd_kind_at(i)); i++)
		if (kind->number == number)
			return kind;
	return NULL;
}

const struct pd_kind *pd_kind_by_name(const char *name, size_t len)
{
	const struct pd_kind *kind;

	for (unsigned int i = 0; (kind = pd_kind_at(i)); i++)
		if (strlen(kind->name) == len && !memcmp(kind->name, name, len))
			return kind;
	return NULL;
}

const struct pd_op *pd_op_by_kind(uint8_t number)
{
	for (unsigned int i = 0; i < pd_nr_ops; i++)
		if (pd_ops[i]->kind.number == number)
			return pd_ops[i];
	return NULL;
}

unsigned int pd_kind_class(uint8_t number)
{
	switch (number) {
	case PD_KIND_CONFIG:
		return 0;
	case PD_KIND_VMA:
		return 1;
	case PD_KIND_FOLIO:
		return 2;
	case PD_KIND_MAP:
	case PD_KIND_BITS:
	case PD_KIND_NONPRESENT:
		return 3;
	default:
		return PD_NR_CLASSES - 1;
	}
}

static void keep(struct pd_clean *clean, struct pd_bits bits)
{
	clean->keep[bits.half] |= (uint16_t)(pd_bits_mask(bits) << bits.shift);
}

static bool has_unnamed(const struct pd_field *f)
{
	for (unsigned int value = 0; value <= pd_bits_mask(f->at); value++)
		if (!f->names[value])
			return true;
	return false;
}

void pd_clean_of(struct pd_clean *clean, const struct pd_kind *kind)
{
	*clean = (struct pd_clean){ .fields = kind->fields };
	for (unsigned int i = 0; kind->fields[i].form != PD_FORM_END; i++) {
		const struct pd_field *f = &kind->fields[i];

		keep(clean, f->at);
		keep(clean, f->more);
		if (f->form == PD_FORM_ENUM && has_unnamed(f))
			clean->enums |= 1ULL << i;
	}
	clean->keep[0] &= UINT8_MAX;
}

void pd_record_clean(struct pd_record *rec)
{
	const struct pd_kind *kind = pd_kind_by_number(rec->kind);
	struct pd_clean clean = { 0 };

	if (kind)
		pd_clean_of(&clean, kind);
	pd_clean_apply(&clean, rec);
}
