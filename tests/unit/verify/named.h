/* SPDX-License-Identifier: MIT */
/* named - the systems of the registry, one by name or all of them. */
#ifndef NAMED_H
#define NAMED_H

#include <stdbool.h>
#include <stdio.h>

#include "../unit.h"
#include "algo/registry.h"

struct named {
	char name[128]; /* with n and k, for messages */
	const struct wicket_algo *algo;
	struct wicket_cfg cfg;
};

static inline struct named named(const char *name, uint32_t n, uint32_t k)
{
	struct named s = { .cfg = { .n = n, .k = k, .r = 1 } };

	snprintf(s.name, sizeof(s.name), "%s %u %u", name, n, k);
	s.algo = wicket_find(name, &s.cfg, NULL);
	assert_of(s.name, s.algo);
	return s;
}

/* Calls check unless there is no such system. */
static inline void check_named(const char *name, uint32_t n, uint32_t k,
			       void (*check)(const struct named *))
{
	struct named s = named(name, n, k);

	if (!s.algo->refuse || !s.algo->refuse(&s.cfg))
		check(&s);
}

/* An algorithm or a variant of it, with each of its mutants. */
static inline void check_mutants(const char *name, uint32_t n, uint32_t k,
				 void (*check)(const struct named *))
{
	struct named s = named(name, n, k);
	const struct wicket_mutant *m = s.algo->mutants;
	char mutant[96];

	check_named(name, n, k, check);
	for (; m && m->name; m++) {
		if (m->variant != s.cfg.variant)
			continue;
		snprintf(mutant, sizeof(mutant), "%s@%s", name, m->name);
		check_named(mutant, n, k, check);
	}
}

/* Three processes go through the same code as two: they are left to gcc without the
   sanitizers. */
#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
enum { N_MAX = 2 };
#else
enum { N_MAX = 3 };
#endif

static inline bool is_too_long(const struct wicket_algo *a, uint32_t n)
{
	return n > N_MAX || n + a->heavy > 3 || (n > 2 && a->has_seats);
}

/*
 * Every algorithm, every variant, every mutant, and every algorithm inside
 * every composite one.
 */
static inline void check_all(uint32_t n, uint32_t k,
			     void (*check)(const struct named *))
{
	char name[64];

	for (int i = 0; wicket_algos[i]; i++) {
		const struct wicket_algo *a = wicket_algos[i];
		const struct wicket_named *v = a->variants;

		if (is_too_long(a, n))
			continue;
		check_mutants(a->name, n, k, check);
		for (; v && v->name; v++) {
			snprintf(name, sizeof(name), "%s:%s", a->name, v->name);
			check_mutants(name, n, k, check);
		}
		for (int j = 0;
		     a->composite == WICKET_OF_ANY && wicket_algos[j]; j++) {
			if (wicket_algos[j]->composite ||
			    is_too_long(wicket_algos[j], n))
				continue;
			snprintf(name, sizeof(name), "%s:%s", a->name,
				 wicket_algos[j]->name);
			check_named(name, n, k, check);
		}
	}
}

#endif
