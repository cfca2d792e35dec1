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

void schedule_put_path(struct schedule *s, const struct graph *g,
		       uint32_t state, uint32_t end)
{
	uint8_t name[WICKET_PROCS_MAX], before[WICKET_PROCS_MAX];
	uint8_t from[WICKET_PROCS_MAX];

	for (uint8_t i = 0; i < WICKET_PROCS_MAX; i++)
		name[i] = from[i] = i;
	while (end--) {
		state = graph_parent(g, state, &s->label[end], from);
		for (uint32_t i = 0; i < WICKET_PROCS_MAX; i++)
			before[from[i]] = name[i];
		memcpy(name, before, sizeof(name));
		s->label[end] = deed_renamed(s->label[end], name);
	}
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
