/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contpte_ptep_get() over every pattern of young and dirty that a block can have.
 *
 *	property_arm64_contpte_exhaustive [MASKS|all]
 *
 * A block of 16 entries has 2^16 masks of young entries and as many of dirty ones. For each pair,
 * for a writable block and a read-only one, every form reads an entry of every kind that occurs:
 * young or not; clean, dirty by hardware's bits, dirty by software's too. The forms are called
 * directly, on plain memory, by all cores; "all" takes minutes. MASKS young masks, spread over all
 * of them, are a slice: 16 unless said otherwise.
 *
 * What a word has to be comes from the judge's own encoder.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "harness/judge/judge.h"

/* The forms, on plain memory: no world, no counting, no registry. */
#define PD_CONTPTE_GET_IMPL(what, gather, lockless) \
	static ptep_get_fn const pd_lockless_##gather __maybe_unused = lockless
#include "model/ops/contpte_get/caller.h"
#undef pte_dirty
#undef pte_young
#define __ptep_get(ptep) (*(ptep))
#include "model/ops/contpte_get/modification1.c"
#include "model/ops/contpte_get/modification2.c"
#include "model/ops/contpte_get/no_increment.c"
#include "model/ops/contpte_get/original.c"
#include "model/ops/contpte_get/posted_v3_macro.c"

#define FRAME	512u
#define MASKS	(1u << CONT_PTES)
#define ODD	0xaaaau		/* dirty entries that have the software bit too */

/* Entry @i of a block, and what reading it has to give; by young and dirty, of it and of any. */
struct words {
	pteval_t entry[CONT_PTES][2][2];
	pteval_t want[CONT_PTES][2][2][2][2];
};

static struct {
	struct words words[2];		/* of a read-only block, of a writable one */
	unsigned int masks;
	atomic_uint next;
	atomic_ulong compared, wrong;
} all;

static lpte_t entry_of(unsigned int i, bool write, bool young, bool dirty, bool software)
{
	lpte_t pte = lpte_make(LPTE_KIND_PRESENT, FRAME + i) | LPTE_CONT;

	pte |= write ? LPTE_WRITE : 0;
	pte |= young ? LPTE_YOUNG : 0;
	pte |= dirty ? LPTE_DIRTY : 0;
	return write && dirty && software ? pte | LPTE_SWDIRTY : pte;
}

static void make_words(struct words *w, bool write)
{
	for (unsigned int n = 0; n < CONT_PTES * 16u; n++) {
		bool young = n >> 4 & 1, dirty = n >> 5 & 1, any_young = n >> 6 & 1;
		unsigned int i = n % CONT_PTES;
		bool any_dirty = n >> 7 & 1;
		lpte_t pte = entry_of(i, write, young, dirty, ODD >> i & 1);
		lpte_t want = pte | (any_young ? LPTE_YOUNG : 0);

		w->entry[i][young][dirty] = pd_raw_encode(PD_ARCH_ARM64, pte);
		/* Gathered dirt is noted by software, whatever hardware says. */
		if (any_dirty)
			want |= LPTE_DIRTY | (write ? LPTE_SWDIRTY : 0);
		w->want[i][young][dirty][any_young][any_dirty] =
			pd_raw_encode(PD_ARCH_ARM64, want);
	}
}

/* ---- one target ---- */

static void report(const char *form, const pte_t *block, unsigned int i, pteval_t got,
		   pteval_t want)
{
	if (atomic_fetch_add(&all.wrong, 1))
		return;
	printf("%s: entry %u of a block is %#lx, expected %#lx; the block:\n", form, i, got, want);
	for (unsigned int k = 0; k < CONT_PTES; k++)
		printf("  %2u %#018lx\n", k, pte_val(block[k]));
}

#define CHECK(form, ignore)								\
	do {										\
		pteval_t got = pte_val(form##_ptep_get(block + i, block[i]));		\
											\
		if (unlikely((got ^ want) & ~(pteval_t)(ignore)))			\
			report(#form, block, i, got, want);				\
	} while (0)

static void check_target(const pte_t *block, unsigned int i, pteval_t want)
{
	CHECK(original, 0);
	CHECK(posted_v3, 0);
	CHECK(modification1, PTE_DIRTY);
	CHECK(modification2, 0);
	CHECK(no_increment, 0);
}

/* ---- one pattern ---- */

/* An entry of @mask, the first or the last one. */
static unsigned int one_of(unsigned int mask, bool last)
{
	return (unsigned int)(last ? 31 - __builtin_clz(mask) : __builtin_ctz(mask));
}

/* Return: words compared. */
static unsigned int check_pattern(const struct words *w, const pte_t *block, unsigned int young,
				  unsigned int dirty)
{
	const unsigned int kinds[] = {
		~young & ~dirty, young & ~dirty, ~young & dirty & ODD, young & dirty & ODD,
		~young & dirty & ~ODD, young & dirty & ~ODD,
	};
	unsigned int targets = 0;

	for (unsigned int k = 0; k < ARRAY_SIZE(kinds); k++) {
		unsigned int mask = kinds[k] & (MASKS - 1), i;

		if (!mask)
			continue;
		i = one_of(mask, (young ^ dirty) & 1);
		check_target(block, i, w->want[i][young >> i & 1][dirty >> i & 1][young != 0]
					      [dirty != 0]);
		targets++;
	}
	return 5 * targets;
}

/* All dirty masks for one young mask, in an order in which one entry changes at a time. */
static unsigned long check_young(const struct words *w, unsigned int young)
{
	pte_t block[CONT_PTES] __attribute__((aligned(sizeof(pte_t) * CONT_PTES)));
	unsigned long compared = 0;
	unsigned int dirty = 0;

	for (unsigned int i = 0; i < CONT_PTES; i++)
		block[i] = __pte(w->entry[i][young >> i & 1][0]);
	for (unsigned int n = 1; n <= MASKS; n++) {
		unsigned int i = (unsigned int)__builtin_ctz(n) % CONT_PTES;

		compared += check_pattern(w, block, young, dirty);
		dirty ^= 1u << i;
		block[i] = __pte(w->entry[i][young >> i & 1][dirty >> i & 1]);
	}
	return compared;
}

/* ---- all of them ---- */

static void *work(void *arg)
{
	unsigned int n;

	while ((n = atomic_fetch_add(&all.next, 1)) < all.masks) {
		unsigned int young = (unsigned int)((unsigned long)n * (MASKS - 1) /
						    (all.masks > 1 ? all.masks - 1 : 1));

		for (unsigned int write = 0; write < 2; write++)
			atomic_fetch_add(&all.compared, check_young(&all.words[write], young));
	}
	return arg;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static unsigned int masks_of(const char *arg)
{
	char *end;
	unsigned long masks;

	if (!strcmp(arg, "all"))
		return MASKS;
	masks = strtoul(arg, &end, 10);
	return *end || masks > MASKS ? 0 : (unsigned int)masks;
}

int main(int argc, char **argv)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t thread[256];
	double start = seconds();
	unsigned int nr = 0;

	all.masks = argc > 1 ? masks_of(argv[1]) : 16;
	if (!all.masks) {
		fprintf(stderr, "usage: %s [1..%u|all]\n", argv[0], MASKS);
		return 2;
	}
	make_words(&all.words[0], false);
	make_words(&all.words[1], true);
	while (nr < 256 && (long)nr < cores && !pthread_create(&thread[nr], NULL, work, NULL))
		nr++;
	if (!nr)
		work(NULL);
	for (unsigned int i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
	printf("%lu patterns, %lu words compared, %lu wrong; %u threads, %.1f s\n",
	       2ul * MASKS * all.masks, atomic_load(&all.compared), atomic_load(&all.wrong), nr,
	       seconds() - start);
	return atomic_load(&all.wrong) ? 1 : 0;
}
