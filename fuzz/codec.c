/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz targets of the harness itself: fuzz_bytes decodes, fuzz_text (PD_FUZZ_TEXT) reads, and what
 * comes out has to go back in unchanged (codec_laws.h). Nothing is judged. Unlike in the targets of
 * operations, the code of harness/scenario/ is instrumented for the engine.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "fuzz/codec_laws.h"

#ifdef PD_FUZZ_TEXT
#define INPUT "text"
#else
#define INPUT "bytes"
#endif

static struct pd_codec codec;

static const char *broken_law(const uint8_t *data, size_t size)
{
#ifdef PD_FUZZ_TEXT
	return text_broken(&codec, (const char *)data, size);
#else
	return bytes_broken(&codec, data, size);
#endif
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *law = broken_law(data, size);

	if (!law)
		return 0;
	fprintf(stderr, "read as:\n");
	pd_print(stderr, &codec.sc, NULL, NULL);
	fprintf(stderr, "Assertion failure: ptediff codec/" INPUT "/%s FuzzerHash=%s\n", law, law);
	abort();
}
