/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptediff random --stats json.
 */
#include "harness/cli/random/random.h"

#include <inttypes.h>
#include <json-c/json.h>

static void add_number(struct json_object *to, const char *name, uint64_t value)
{
	json_object_object_add(to, name, json_object_new_uint64(value));
}

static void add_string(struct json_object *to, const char *name, const char *value)
{
	json_object_object_add(to, name, json_object_new_string(value));
}

static void add_tally(struct json_object *to, const struct pd_tally *tally)
{
	add_number(to, "judgements", pd_judgements(tally));
	for (unsigned int v = 0; v < PD_NR_VERDICTS; v++)
		add_number(to, pd_verdict_name((enum pd_verdict)v), tally->verdict[v]);
	add_number(to, "batched", tally->batched);
	add_number(to, "pages", tally->pages);
	add_number(to, "changed", tally->changed);
}

static struct json_object *json_rows(const struct pd_random *r)
{
	struct json_object *rows = json_object_new_array();

	for (unsigned int i = 0; i < pd_nr_impls; i++) {
		for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
			struct json_object *row;

			if (!pd_random_row(r, i, arch))
				continue;
			row = json_object_new_object();
			add_string(row, "op", pd_impls[i].op->name);
			add_string(row, "impl", pd_impls[i].name);
			add_string(row, "arch", pd_arch_name((enum pd_arch)arch));
			add_tally(row, &r->total.tally[i][arch]);
			json_object_array_add(rows, row);
		}
	}
	return rows;
}

static struct json_object *json_findings(const struct pd_random *r)
{
	struct json_object *findings = json_object_new_array();

	for (unsigned int i = 0; i < r->total.findings.nr; i++) {
		const struct pd_finding *f = &r->total.findings.finding[i];
		struct json_object *finding = json_object_new_object();

		add_string(finding, "signature", f->signature);
		add_string(finding, "arch", pd_arch_name(f->arch));
		add_number(finding, "scenarios", f->count);
		add_number(finding, "first", pd_random_number(r, f->position));
		add_string(finding, "file", f->file);
		json_object_array_add(findings, finding);
	}
	return findings;
}

void pd_random_json(const struct pd_random *r)
{
	struct json_object *root = json_object_new_object();
	struct pd_tally sum = pd_random_sum(r);
	char digest[20];

	add_number(root, "seed", r->opt->seed);
	add_number(root, "scenarios", r->total.scenarios);
	add_tally(root, &sum);
	json_object_object_add(root, "cpu_seconds", json_object_new_double(r->cpu));
	json_object_object_add(root, "judgements_per_cpu_second",
			       json_object_new_double(pd_random_rate(r, pd_judgements(&sum))));
	json_object_object_add(root, "pages_per_cpu_second",
			       json_object_new_double(pd_random_rate(r, sum.pages)));
	if (r->opt->digest) {
		snprintf(digest, sizeof(digest), "%016" PRIx64, r->total.digest);
		add_string(root, "digest", digest);
	}
	json_object_object_add(root, "rows", json_rows(r));
	json_object_object_add(root, "findings", json_findings(r));
	puts(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
						  JSON_C_TO_STRING_SPACED |
						  JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(root);
}
