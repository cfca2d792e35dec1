/* SPDX-License-Identifier: MIT */
/*
 * print-machine - the machine of a system, for tools/minimum: first how many
 * values and local states there are, then a line for each transition, with the
 * value and the local state before and after it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "algo/registry.h"
#include "verify/space/machine.h"
#include "verify/whole.h"

static uint32_t number(const char *text)
{
	char *end;
	unsigned long x;

	errno = 0;
	x = strtoul(text, &end, 10);
	return errno || end == text || *end || x > WICKET_PROCS_MAX ?
		       0 :
		       (uint32_t)x;
}

static void print(const struct machine *m)
{
	printf("%" PRIu32 " %" PRIu32 "\n", m->values, m->locals);
	for (uint32_t v = 0; v < m->values; v++) {
		for (uint32_t x = 0; x < m->locals; x++) {
			struct transition t = machine_next(m, v, x);

			if (t.value != MACHINE_NEVER)
				printf("%" PRIu32 " %" PRIu32 " %" PRIu32
				       " %" PRIu32 "\n",
				       v, x, t.value, t.local);
		}
	}
}

int main(int argc, char **argv)
{
	struct wicket_cfg cfg = { .r = 1 };
	const struct wicket_algo *algo;
	struct machine m = { 0 };
	struct budget budget;
	struct graph g;
	bool done;

	whole_check_registry();
	if (argc == 4) {
		cfg.n = number(argv[2]);
		cfg.k = number(argv[3]);
	}
	algo = cfg.n >= 2 && cfg.k >= 1 && cfg.k < cfg.n ?
		       wicket_find(argv[1], &cfg, NULL) :
		       NULL;
	if (!algo || (algo->refuse && algo->refuse(&cfg)) || algo->has_seats ||
	    algo->beyond || wicket_has_quotient(algo, &cfg)) {
		fputs("usage: print-machine ALGO N K, in bounded space\n",
		      stderr);
		return EX_USAGE;
	}
	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore_states(&g, algo, &cfg, &(struct world){ 0 }, &budget);
	done = g.complete && machine_of(&m, &g);
	if (done)
		print(&m);
	machine_free(&m);
	graph_free(&g);
	return done ? EX_OK : budget_exit(budget.end);
}
