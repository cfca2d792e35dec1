/* SPDX-License-Identifier: MIT */
#include "verify/premise.h"

#include <stdio.h>

static void name_original(struct premise *p, const struct wicket_cfg *cfg)
{
	const struct wicket_algo *inner = cfg->inner;
	uint32_t variant = cfg->inner_variant;

	snprintf(p->name, sizeof(p->name), "%s%s%s", inner->name,
		 variant ? ":" : "",
		 variant ? inner->variants[variant - 1].name : "");
}

void premise_decide(struct premise *p, const struct task *task,
		    struct budget *budget)
{
	const char *name = property_simulatable.name;
	struct graph g;

	*p = (struct premise){ .there = task->algo->original };
	if (!p->there)
		return;
	name_original(p, &task->cfg);
	p->task = (struct task){
		.name = p->name,
		.algo = task->cfg.inner,
		.cfg = wicket_original(&task->cfg),
		.property = { name },
	};
	graph_explore(&g, p->task.algo, &p->task.cfg, &p->task.world, budget);
	property_decide(&g, &name, &p->finding, 1);
	p->states = g.complete ? g.states : 0;
	graph_free(&g);
	p->end = budget->end;
	if (budget->end == BUDGET_MEMORY)
		budget->end = BUDGET_LEFT;
}

void premise_free(struct premise *p)
{
	if (p->there)
		property_free(&p->finding);
}

bool premise_fails(const struct premise *p)
{
	return p->there && p->finding.verdict == FAILS;
}

bool premise_is_undecided(const struct premise *p)
{
	return p->there && p->finding.verdict == UNDECIDED;
}
