/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/space/machine.h"

static struct transition *cell(const struct machine *m, uint32_t value,
			       uint32_t local)
{
	return (struct transition *)m->next.base + (size_t)value * m->locals +
	       local;
}

/* The registers' contents as one number, mixed radix. */
static size_t mixed(const struct machine *m, const struct system *s,
		    const uint32_t *parts)
{
	size_t number = 0;

	for (uint32_t r = s->regs; r--;)
		number = number * m->radix[r] + parts[r];
	return number;
}

static uint32_t *number_of(const struct machine *m, const struct system *s,
			   const uint32_t *parts)
{
	return (uint32_t *)m->value_of.base + mixed(m, s, parts);
}

uint32_t machine_value(const struct machine *m, const struct system *s,
		       const uint32_t *parts)
{
	return *number_of(m, s, parts);
}

uint32_t machine_local(const struct machine *m, const struct system *s,
		       const uint32_t *parts, uint32_t i)
{
	uint32_t part = s->regs + i;

	return m->offset[s->pool_of[part]] + parts[part];
}

/* The number of the shared value; a new one has met nobody yet. */
static bool value_of(struct machine *m, const struct system *s,
		     const uint32_t *parts, uint32_t *value)
{
	uint32_t *known = number_of(m, s, parts);

	if (*known == MACHINE_NEVER) {
		size_t row = m->locals * sizeof(struct transition);

		if (!store_room(&m->next, m->budget,
				(m->values + (size_t)1) * row))
			return false;
		memset(cell(m, m->values, 0), 0xff, row);
		*known = m->values++;
	}
	*value = *known;
	return true;
}

struct visit {
	struct machine *m;
	const struct system *s;
	const uint32_t *parts;
	uint32_t value;
};

static bool note(void *context, const uint32_t *next, uint16_t label)
{
	const struct visit *v = context;
	uint32_t i = deed_who(label), value;
	uint32_t local = machine_local(v->m, v->s, v->parts, i);

	if (machine_next(v->m, v->value, local).value != MACHINE_NEVER)
		return true;
	if (!value_of(v->m, v->s, next, &value))
		return false;
	*cell(v->m, v->value, local) = (struct transition){
		value, machine_local(v->m, v->s, next, i)
	};
	return true;
}

static bool lay_out(struct machine *m, const struct system *s)
{
	size_t contents = 1;

	for (uint32_t r = 0; r < s->regs; r++) {
		m->radix[r] = s->pool[r].count;
		if (__builtin_mul_overflow(contents, m->radix[r], &contents))
			contents = SIZE_MAX / sizeof(uint32_t) / 2;
	}
	for (uint32_t p = s->regs; p < s->pools; p++) {
		m->offset[p] = m->locals;
		m->locals += s->pool[p].count;
	}
	if (!store_room(&m->value_of, m->budget, contents * sizeof(uint32_t)))
		return false;
	memset(m->value_of.base, 0xff, contents * sizeof(uint32_t));
	return true;
}

bool machine_of(struct machine *m, struct graph *g)
{
	uint32_t parts[SYSTEM_PARTS_MAX];
	struct visit v = { .m = m, .s = &g->system, .parts = parts };

	*m = (struct machine){ .budget = g->budget };
	if (!lay_out(m, &g->system))
		return false;
	for (uint32_t state = 0; state < g->states; state++) {
		graph_unpack(g, state, parts);
		if (!value_of(m, v.s, parts, &v.value) ||
		    system_successors(&g->system, parts, note, &v) != WALK_DONE)
			return false;
		if (state % 4096 == 0 &&
		    !budget_tick(g->budget, "looking at values of", state,
				 g->states))
			return false;
	}
	return true;
}

void machine_free(struct machine *m)
{
	store_free(&m->next, m->budget);
	store_free(&m->value_of, m->budget);
}
