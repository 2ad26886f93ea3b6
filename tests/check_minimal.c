/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_minimal FILE... - is each of these texts, with lines expect and impl, 1-minimal?
 *
 * Exits 0 when all are, 1 when something smaller shows the same signature (it is printed), 2 when
 * a file cannot be read or does not show what it expects.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/judge/judge.h"
#include "tests/minimal.h"

#define MAX_TEXT 65536u

struct pin {
	struct pd_judge *j;
	struct pd_selection sel;
	const char *signature;
};

/* As the first that an arch shows, on x86 if that was so in the beginning. */
static bool shows(void *ctx, const struct scenario *sc)
{
	struct pin *pin = ctx;
	struct pd_selection one = pin->sel;

	for (unsigned int arch = 0; arch < PD_NR_ARCHES; arch++) {
		one.arch = pin->sel.arch & 1u << arch;
		if (one.arch && !pd_judge_run(pin->j, sc, &one) &&
		    !strcmp(pin->j->divergence.signature, pin->signature))
			return true;
	}
	return false;
}

static bool load(const char *path, struct scenario *sc, struct pd_parse *how)
{
	static char text[MAX_TEXT];
	FILE *in = fopen(path, "r");
	size_t len = in ? fread(text, 1, sizeof(text), in) : 0;

	*how = (struct pd_parse){ .strict = true, .file = path };
	if (in)
		fclose(in);
	if (len && pd_parse(sc, text, len, how) && *how->expect && *how->impl)
		return true;
	fprintf(stderr, "%s: %s\n", path,
		*how->error ? how->error : "no text with expect and impl");
	return false;
}

static int check(struct pd_judge *j, const char *path)
{
	static struct scenario sc;
	static struct pd_minimal m;
	struct pd_parse how;
	struct pin pin = { .j = j, .signature = how.expect };
	char error[128];

	m = (struct pd_minimal){ .shows = shows, .ctx = &pin };
	if (!load(path, &sc, &how))
		return 2;
	if (!pd_select(&pin.sel, NULL, how.impl, NULL, error, sizeof(error)) || !shows(&pin, &sc)) {
		fprintf(stderr, "%s: does not show %s here\n", path, how.expect);
		return 2;
	}
	pin.sel.arch &= (2u << j->divergence.arch) - 1;
	if (pd_is_minimal(&m, &sc)) {
		printf("minimal      %s: %lu smaller ones do not show it\n", path, m.tried);
		return 0;
	}
	printf("not minimal  %s\n", path);
	pd_print(stdout, &m.smaller, how.expect, how.impl);
	return 1;
}

int main(int argc, char **argv)
{
	struct pd_judge *j = pd_judge_new();
	int worst = j && argc > 1 ? 0 : 2;

	for (int i = 1; j && i < argc; i++) {
		int code = check(j, argv[i]);

		worst = code > worst ? code : worst;
	}
	pd_judge_free(j);
	return worst;
}
