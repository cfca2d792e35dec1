/* SPDX-License-Identifier: MIT */
#include <string.h>

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

static bool has_peers(const struct task *task)
{
	struct wicket_proc first, other;

	for (uint32_t i = 1; i <= task->cfg.n; i++) {
		first = task->algo->start(&task->cfg, i);
		for (uint32_t j = 1; j < i; j++) {
			other = task->algo->start(&task->cfg, j);
			if (!memcmp(&first, &other, sizeof(first)))
				return true;
		}
	}
	return false;
}

const char *check_refuses(const struct task *task)
{
	if (!task->symmetry)
		return NULL;
	if (!only_states(task))
		return "--symmetry: only properties of states can be decided "
		       "with it; --property names one, such as k-exclusion";
	if (!has_peers(task))
		return "--symmetry: its processes know who they are";
	return NULL;
}

static void look_for_unfit(struct check *c, const struct graph *g)
{
	const char *const *name = c->task->property;

	if (g->unsorted) {
		c->unfit = "--symmetry";
		c->why = "does not fit: of several that sleep on a register it "
			 "matters which one is woken";
	}
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
	(task->symmetry	   ? graph_explore_sorted :
	 only_states(task) ? graph_explore_states :
			     graph_explore)(&g, task->algo, &task->cfg,
					    &task->world, &budget);
	c->complete = g.complete;
	c->states = g.all_states;
	c->transitions = g.all_edges;
	c->depth = g.depth;
	c->representatives = task->symmetry ? g.states : 0;
	c->buffer_full = g.system.buffer_full;
	c->shared_values = graph_shared_values(&g);
	while (c->findings < FINDINGS_MAX && task->property[c->findings])
		c->findings++;
	look_for_unfit(c, &g);
	property_decide(&g, task->property, c->finding, c->findings);
	c->bytes = budget.peak;
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
