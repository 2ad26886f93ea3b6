/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff bucket: the folder of a signature.
 */
#include "harness/cli/bucket/bucket.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

static char *path_in(const struct pd_bucket *b, const char *name)
{
	char *path = NULL;

	if (asprintf(&path, "%s/%s", b->folder, name) >= 0)
		return path;
	fprintf(stderr, "ptediff: out of memory\n");
	exit(PD_EXIT_TROUBLE);
}

static bool trouble(const char *path)
{
	fprintf(stderr, "ptediff: %s: cannot be written: %s\n", path, strerror(errno));
	return false;
}

static bool save_as(const struct pd_bucket *b, const char *name, const struct scenario *sc)
{
	char *path = path_in(b, name);
	bool good = pd_save(path, sc, b->signature, b->entry->name);

	free(path);
	return good;
}

/* The first input as it is read back strictly, if that shows it; else as it came. */
static bool save_first(struct pd_buckets *all, struct pd_bucket *b)
{
	struct scenario *fixed = pd_alloc(1, sizeof(*fixed));
	bool good;

	all->pin.sel.arch = b->arches;
	pd_repair_scenario(&b->first.sc, fixed, NULL);
	good = save_as(b, "first.pte", pd_pin_shows(&all->pin, fixed) ? fixed : &b->first.sc);
	free(fixed);
	return good;
}

/* pd_pin_shows() leaves the divergence of the scenario in the judge. */
static bool save_report(struct pd_buckets *all, const struct pd_bucket *b)
{
	char *path = path_in(b, "report.txt"), *min = path_in(b, "min.pte");
	FILE *out = fopen(path, "w");
	bool good = out != NULL;

	if (good) {
		pd_pin_shows(&all->pin, &b->min);
		pd_report(out, all->pin.j, &b->min, PD_TERMINAL_WIDTH, min);
		good = !ferror(out);
		good = !fclose(out) && good;
	}
	if (!good)
		trouble(path);
	free(min);
	free(path);
	return good;
}

static void add_text(struct json_object *to, const char *key, const char *text)
{
	json_object_object_add(to, key, json_object_new_string(text));
}

static void add_number(struct json_object *to, const char *key, uint64_t number)
{
	json_object_object_add(to, key, json_object_new_int64((int64_t)number));
}

static void add_when(struct json_object *to, const char *key, time_t when)
{
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&when, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	add_text(to, key, text);
}

static struct json_object *meta_of(const struct pd_bucket *b, const struct pd_divergence *d)
{
	struct json_object *meta = json_object_new_object();

	add_text(meta, "signature", b->signature);
	add_text(meta, "operation", b->entry->op->name);
	add_text(meta, "implementation", b->entry->name);
	add_text(meta, "field", d->first.row->field);
	add_text(meta, "relation", pd_relation_name(d->first.relation));
	add_text(meta, "arch", pd_arch_name(d->arch));
	add_number(meta, "files", b->count);
	add_when(meta, "first_seen", b->first.when);
	add_text(meta, "first", b->first.file);
	add_text(meta, "smallest", b->smallest.file);
	add_number(meta, "records_before", b->how.before);
	add_number(meta, "records", b->how.after);
	add_number(meta, "runs", b->how.runs);
	json_object_object_add(meta, "seconds", json_object_new_double(b->how.seconds));
	json_object_object_add(meta, "reproducible", json_object_new_boolean(!b->flaky));
	json_object_object_add(meta, "minimal", json_object_new_boolean(b->how.done));
	return meta;
}

static bool save_meta(const struct pd_buckets *all, const struct pd_bucket *b)
{
	struct json_object *meta = meta_of(b, &all->pin.j->divergence);
	char *path = path_in(b, "meta.json");
	bool good = !json_object_to_file_ext(path, meta, JSON_C_TO_STRING_PRETTY |
					     JSON_C_TO_STRING_NOSLASHESCAPE);

	if (!good)
		trouble(path);
	json_object_put(meta);
	free(path);
	return good;
}

static bool make_folder(const struct pd_buckets *all, struct pd_bucket *b)
{
	char name[PD_MAX_SIGNATURE];

	pd_signature_file(b->signature, name, sizeof(name));
	snprintf(b->folder, sizeof(b->folder), "%s/%s", all->opt.out, name);
	return pd_make_folder(b->folder);
}

bool pd_bucket_write(struct pd_buckets *all, struct pd_bucket *b)
{
	struct pd_pin *pin = &all->pin;

	pd_selection_only(&pin->sel, (unsigned int)(b->entry - pd_impls), 0);
	pin->sel.arch = b->arches;
	pin->by = PD_PIN_SIGNATURE;
	b->how = (struct pd_minimize){ .budget = all->opt.budget };
	b->min = b->smallest.sc;
	b->flaky = pd_pin_start(pin, &b->min, b->signature) != PD_PINNED;
	if (b->flaky)
		b->how.before = b->how.after = b->min.nr;
	else
		pd_minimize(&b->how, pin, &b->min);
	return make_folder(all, b) && save_as(b, "min.pte", &b->min) && save_report(all, b) &&
	       save_meta(all, b) && save_first(all, b);
}

bool pd_bucket_find_is_new(const struct pd_buckets *all, const struct pd_find *find)
{
	for (unsigned int i = 0; i < all->nr; i++)
		if (!strcmp(all->bucket[i]->signature, find->signature))
			return false;
	return true;
}

char *pd_bucket_met_path(const struct pd_buckets *all, const struct pd_find *find)
{
	char name[PD_MAX_SIGNATURE], *path = NULL;

	pd_signature_file(find->signature, name, sizeof(name));
	if (asprintf(&path, "%s/met/%s.pte", all->opt.out, name) >= 0)
		return path;
	fprintf(stderr, "ptediff: out of memory\n");
	exit(PD_EXIT_TROUBLE);
}

static bool make_met_folder(const struct pd_buckets *all)
{
	char folder[512];

	snprintf(folder, sizeof(folder), "%s/met", all->opt.out);
	return pd_make_folder(folder);
}

bool pd_bucket_write_met(const struct pd_buckets *all)
{
	bool good = true, made = false;

	for (unsigned int i = 0; i < all->pin.nr_finds && good; i++) {
		const struct pd_find *find = &all->pin.find[i];
		char *path;

		if (!pd_bucket_find_is_new(all, find))
			continue;
		good = made = made || make_met_folder(all);
		path = pd_bucket_met_path(all, find);
		good = good && pd_save(path, &find->sc, find->signature, find->entry->name);
		free(path);
	}
	return good;
}
