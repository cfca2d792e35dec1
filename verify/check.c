/* SPDX-License-Identifier: MIT */
#include "verify/check.h"
#include "verify/space/bound.h"

static bool only_states(const struct task *task)
{
	for (uint32_t i = 0; task->property[i]; i++) {
		if (!property_is_safety(task->algo, task->property[i]))
			return false;
	}
	return true;
}

static void look_for_unfit(struct check *c, const struct graph *g)
{
	const char *const *name = c->task->property;

	for (uint32_t i = 0; name[i] && !c->why; i++) {
		c->unfit = name[i];
		c->why = property_unfit_graph(g, name[i]);
	}
}

void check_run(struct check *c, const struct task *task)
{
	struct budget budget;
	struct graph g;

	*c = (struct check){
		.task = task,
		.upper_bound = bound_upper(task),
		.lower_bound = bound_lower(task, THEOREM_5_8),
	};
	budget_start(&budget, &task->limits);
	premise_decide(&c->premise, task, &budget);
	if (premise_fails(&c->premise))
		c->upper_bound = 0;
	if (only_states(task))
		graph_explore_states(&g, task->algo, &task->cfg, &task->world,
				     &budget);
	else
		graph_explore(&g, task->algo, &task->cfg, &task->world,
			      &budget);
	c->complete = g.complete;
	c->states = g.states;
	c->transitions = g.edges;
	c->buffer_full = g.system.buffer_full;
	c->shared_values = graph_shared_values(&g);
	while (c->findings < FINDINGS_MAX && task->property[c->findings])
		c->findings++;
	look_for_unfit(c, &g);
	property_decide(&g, task->property, c->finding, c->findings);
	budget_quiet(&budget);
	c->seconds = budget_seconds(&budget);
	c->end = budget.end;
	graph_free(&g);
}

void check_free(struct check *c)
{
	premise_free(&c->premise);
	for (uint32_t i = 0; i < c->findings; i++)
		property_free(&c->finding[i]);
}

int check_exit(const struct check *c)
{
	int undecided = 0;

	if (premise_fails(&c->premise))
		return 1;
	for (uint32_t i = 0; i < c->findings; i++) {
		if (c->finding[i].verdict == FAILS)
			return 1;
		undecided |= c->finding[i].verdict == UNDECIDED;
	}
	return undecided			 ? budget_exit(c->end) :
	       premise_is_undecided(&c->premise) ? budget_exit(c->premise.end) :
						   0;
}
