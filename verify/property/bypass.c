/* SPDX-License-Identifier: MIT */
/* Bypass: the wait is counted from leaving R, or from a point on the way. */
#include "verify/property/wait.h"

/* Whose wait has begun, in each state, from a point of the algorithm on. */
static bool know_waits(struct graph *g, uint32_t point, struct store *waits)
{
	const struct wicket_algo *algo = g->system.algo;
	struct wicket_value regs[WICKET_REGS_MAX];
	struct actor actors[WICKET_PROCS_MAX];
	uint32_t parts[SYSTEM_PARTS_MAX];

	if (!store_room(waits, g->budget, g->states * sizeof(uint16_t)))
		return false;
	for (uint32_t s = 0; s < g->states; s++) {
		uint32_t set = 0;

		if (point) {
			graph_unpack(g, s, parts);
			system_values(&g->system, parts, regs, actors);
		}
		for (uint32_t i = 0; i < g->system.cfg.n; i++) {
			bool in = graph_region(g, s, i) == WICKET_TRYING;

			if (in && point)
				in = algo->passed(&g->system.cfg,
						  actors[i].proc, point - 1);
			set |= (uint32_t)in << i;
		}
		((uint16_t *)waits->base)[s] = (uint16_t)set;
	}
	return true;
}

static void decide_bypass(const struct question *q, struct finding *f)
{
	struct graph *g = q->g;
	struct store waits = { NULL, 0 };
	struct wait w = { .g = g };

	f->verdict = UNDECIDED;
	if (g->complete && know_waits(g, q->point, &waits)) {
		w.waits = waits.base;
		wait_count(&w, f);
	}
	store_free(&waits, g->budget);
}

static const char *judge_bypass(const struct question *q,
				const struct schedule *s, const uint32_t *state,
				const uint64_t *edge)
{
	struct store waits = { NULL, 0 };
	struct wait w = { .g = q->g };
	const char *why = "memory ran out";

	if (!wait_read(&w, s))
		return "it is not a stem and a cycle of two processes";
	if (know_waits(q->g, q->point, &waits)) {
		w.waits = waits.base;
		why = wait_judge(&w, s, state, edge);
	}
	store_free(&waits, q->g->budget);
	return why;
}

const struct property property_bypass = {
	.name = "bypass",
	.says = "how often one may enter C while another waits; is it bounded?",
	.claim = WICKET_BYPASS,
	.decide = decide_bypass,
	.judge = judge_bypass,
};
