/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edges FILE... - what the code under test executes for each file: instead of libFuzzer
 *
 * A line for each file: a hash over the counters of all edges, how many are not zero, the name. The
 * same file has the same line wherever it stands, or an engine would be led astray by what ran
 * before. The counters are those that libFuzzer reads (-fsanitize-coverage=inline-8bit-counters).
 */
#include <inttypes.h>
#include <string.h>

#include "fuzz.h"

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);

static struct {
	uint8_t *start;
	size_t nr;
} edges;

/* Called when the program is loaded, before anything of it runs. */
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end)
{
	edges.start = start;
	edges.nr = (size_t)(end - start);
}

static void print_edges(const char *path)
{
	size_t reached = 0;

	for (size_t i = 0; i < edges.nr; i++)
		reached += edges.start[i] != 0;
	printf("%016" PRIx64 " %zu %s\n", pd_hash(edges.start, edges.nr, 0), reached, path);
}

/* Text is what people keep and bytes what engines do; the target takes bytes. */
static size_t to_bytes(uint8_t *data, size_t len)
{
	static struct scenario sc;
	struct pd_parse how = { .strict = false };

	if (!pd_is_text(data, len) || !pd_parse(&sc, (const char *)data, len, &how))
		return len;
	return pd_encode(&sc, data, PD_MAX_BYTES);
}

static int run_file(const char *path)
{
	static uint8_t data[16 * PD_MAX_BYTES];
	long len = pd_fuzz_read(path, data, sizeof(data));
	size_t size;

	if (len < 0)
		return PD_FUZZ_TROUBLE;
	size = to_bytes(data, (size_t)len);
	memset(edges.start, 0, edges.nr);
	LLVMFuzzerTestOneInput(data, size);
	print_edges(path);
	return PD_FUZZ_CLEAN;
}

int main(int argc, char **argv)
{
	int result = PD_FUZZ_CLEAN;

	if (argc < 2 || !edges.nr) {
		fprintf(stderr, "usage: %s FILE..., with instrumentation\n", argv[0]);
		return PD_FUZZ_TROUBLE;
	}
	LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc && result == PD_FUZZ_CLEAN; i++)
		result = run_file(argv[i]);
	return result;
}
