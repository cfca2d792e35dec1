/* SPDX-License-Identifier: MIT */
#include "verify/space/bound.h"

uint64_t bound_upper(const struct task *t)
{
	return t->algo->bound && !t->cfg.mutant ? t->algo->bound(&t->cfg) : 0;
}

uint64_t bound_sharper(const struct task *t)
{
	return t->algo->sharper && !t->cfg.mutant ? t->algo->sharper(&t->cfg) :
						    0;
}

static uint64_t pairs_of(uint64_t n)
{
	return n * (n - 1) / 2;
}

/*
 * The k-critical section problem of 1989.  Whoever solves it, has no exit
 * region and looks in one step is k-queuelike (C6) in the words of 1979: by
 * Lemma 5.3 of 1989 nobody waits unless k are enabled, and who is enabled
 * enters by its next step.  All that are declared to solve it are so.
 */
static bool is_declared(const struct wicket_algo *algo)
{
	return !(~algo->solves & WICKET_PROBLEM_1989);
}

bool bound_solves_1989(const struct task *t)
{
	return is_declared(t->algo) && !t->cfg.mutant;
}

/* FLBB 1979, Lemma 4.1: built as bank from a first come, first served lock, it
   is (1,k)-deadlock-free and its waiting is bounded. */
static bool is_bank(const struct task *t)
{
	return t->algo->composite == WICKET_OF_ANY && !t->cfg.mutant &&
	       t->algo->solves & WICKET_FIFO_ENABLING && t->cfg.inner &&
	       is_declared(t->cfg.inner);
}

/*
 * FLBB 1979, Theorem 5.3: (C1), (C2) and (C4'), where the robustness is at least k
 * and at most n.  It is about processes alone: a supervisor, who never stops, knows
 * what they need not keep.  C6 implies all that for any robustness, so it holds of
 * those who solve the problem of 1989.
 */
static bool is_robust(const struct task *t)
{
	uint32_t needed = WICKET_K_EXCLUSION | WICKET_C2 | WICKET_C4_ENABLING;

	return !(~t->algo->solves & needed) && !t->cfg.mutant &&
	       wicket_processes(t->algo, &t->cfg) == t->cfg.n &&
	       t->cfg.k <= t->cfg.r;
}

uint64_t bound_lower(const struct task *t, uint32_t theorem)
{
	uint64_t n = t->cfg.n, k = t->cfg.k, rest = n - k - 1;

	switch (theorem) {
	case THEOREM_5_8:
		return bound_solves_1989(t) && rest ?
			       k * pairs_of(rest) + rest :
			       0;
	case THEOREM_5_1:
		return is_bank(t) ? k * (n - k) : 0;
	case THEOREM_5_2:
		return bound_solves_1989(t) && rest ? k * pairs_of(rest) : 0;
	default:
		return bound_solves_1989(t) || is_robust(t) ? k * (n - k) : 0;
	}
}

const char *bound_theorem(uint32_t theorem)
{
	static const char *const names[] = {
		"FLBB 1989, Theorem 5.8",
		"FLBB 1979, Theorem 5.1",
		"FLBB 1979, Theorem 5.2",
		"FLBB 1979, Theorem 5.3",
	};

	return names[theorem];
}

uint64_t bound_greatest(const struct task *t, uint32_t *theorem)
{
	uint64_t greatest = 0;

	for (uint32_t i = 0; i < THEOREMS; i++) {
		uint64_t bound = bound_lower(t, i);

		if (bound > greatest) {
			greatest = bound;
			*theorem = i;
		}
	}
	return greatest;
}
