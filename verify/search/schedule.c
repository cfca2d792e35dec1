/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "verify/search/schedule.h"

struct schedule schedule_of(uint32_t length)
{
	struct schedule s = { .length = length };

	s.label = calloc(length + (size_t)1, sizeof(*s.label));
	if (!s.label)
		abort();
	return s;
}

void schedule_free(struct schedule *s)
{
	free(s->label);
	*s = (struct schedule){ 0 };
}

/* A step from a state as it is to one that becomes, by sorting, the one wanted. */
struct leg {
	const struct system *s;
	uint32_t wanted[SYSTEM_PARTS_MAX], next[SYSTEM_PARTS_MAX];
	uint16_t label;
};

static bool leads_elsewhere(void *context, const uint32_t *next, uint16_t label)
{
	struct leg *leg = context;
	size_t size = leg->s->parts * sizeof(*next);
	uint32_t sorted[SYSTEM_PARTS_MAX];

	memcpy(sorted, next, size);
	system_sort(leg->s, sorted);
	if (memcmp(sorted, leg->wanted, size))
		return true;
	memcpy(leg->next, next, size);
	leg->label = label;
	return false;
}

/* Where states are sorted the way is known, but not who takes it: from the start on,
   the first process that can. */
static void put_sorted_path(struct schedule *s, const struct graph *g,
			    uint32_t state, uint32_t end)
{
	uint32_t *way = calloc(end + (size_t)1, sizeof(*way));
	uint32_t at[SYSTEM_PARTS_MAX];
	struct leg leg = { .s = &g->system };

	if (!way)
		abort();
	way[end] = state;
	for (uint32_t t = end; t; t--)
		way[t - 1] = graph_parent(g, way[t], &leg.label);
	graph_unpack(g, 0, at);
	for (uint32_t t = 0; t < end; t++) {
		graph_unpack(g, way[t + 1], leg.wanted);
		system_successors(leg.s, at, leads_elsewhere, &leg);
		memcpy(at, leg.next, leg.s->parts * sizeof(*at));
		s->label[t] = leg.label;
	}
	free(way);
}

void schedule_put_path(struct schedule *s, const struct graph *g,
		       uint32_t state, uint32_t end)
{
	if (g->system.symmetric) {
		put_sorted_path(s, g, state, end);
		return;
	}
	while (end--)
		state = graph_parent(g, state, &s->label[end]);
}

void schedule_put_bfs(struct schedule *s, const struct graph *g,
		      const struct bfs *sp, uint32_t state, uint32_t end)
{
	uint32_t from;

	while ((from = bfs_from(sp, state)) != state) {
		s->label[--end] =
			graph_label(g, graph_edge_between(g, from, state));
		state = from;
	}
	s->from = end;
	schedule_put_path(s, g, state, end);
}

bool schedule_follow(const struct schedule *s, const struct graph *g,
		     uint32_t **state, uint64_t **edge)
{
	*state = calloc(s->length + (size_t)1, sizeof(**state));
	*edge = calloc(s->length + (size_t)1, sizeof(**edge));
	if (!*state || !*edge)
		abort();
	for (uint32_t t = 0; t < s->length; t++) {
		uint64_t e = graph_first(g, (*state)[t]);
		uint64_t end = graph_end(g, (*state)[t]);

		while (e < end && graph_label(g, e) != s->label[t])
			e++;
		if (e == end)
			return false;
		(*edge)[t] = e;
		(*state)[t + 1] = graph_target(g, e);
	}
	return true;
}
