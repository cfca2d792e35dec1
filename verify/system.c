/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/run.h"
#include "verify/system.h"

enum { UNKNOWN = UINT32_MAX };

uint64_t system_hash(const void *bytes, size_t size)
{
	const char *b = bytes;
	uint64_t h = size, w;

	for (size_t i = 0; i < size; i += sizeof(w)) {
		memcpy(&w, b + i, sizeof(w));
		h = (h ^ w) * 0x9e3779b97f4a7c15;
		h ^= h >> 32;
	}
	h *= 0xd6e8feb86659fd93;
	return h ^ h >> 32;
}

static void *pool_object(const struct pool *p, uint32_t number)
{
	return (char *)p->objects.base + number * p->size;
}

static uint32_t *pool_slot(const struct pool *p, const void *object)
{
	uint32_t *slots = p->slots.base;
	uint32_t i = (uint32_t)system_hash(object, p->size) & p->mask;

	while (slots[i] &&
	       memcmp(pool_object(p, slots[i] - 1), object, p->size) != 0)
		i = (i + 1) & p->mask;
	return &slots[i];
}

/* Keeps the table at most half full. */
static bool pool_room(struct pool *p, struct budget *b)
{
	struct pool bigger = *p;

	if (!store_room(&p->objects, b, (p->count + (size_t)1) * p->size))
		return false;
	if (p->mask && p->count < p->mask / 2)
		return true;
	bigger.objects = p->objects;
	bigger.slots = (struct store){ NULL, 0 };
	bigger.mask = p->mask ? p->mask * 2 + 1 : 255;
	if (!store_room(&bigger.slots, b,
			(bigger.mask + (size_t)1) * sizeof(uint32_t)))
		return false;
	memset(bigger.slots.base, 0, bigger.slots.room);
	for (uint32_t i = 0; i < p->count; i++)
		*pool_slot(&bigger, pool_object(p, i)) = i + 1;
	store_free(&p->slots, b);
	*p = bigger;
	return true;
}

/* The object's number, a new one if need be; UNKNOWN: out of memory. */
static uint32_t pool_number(struct pool *p, struct budget *b,
			    const void *object)
{
	uint32_t *slot;

	if (!pool_room(p, b))
		return UNKNOWN;
	slot = pool_slot(p, object);
	if (!*slot) {
		memcpy(pool_object(p, p->count), object, p->size);
		*slot = ++p->count;
	}
	return *slot - 1;
}

static struct memo *memo_of(const struct system *s, uint32_t pool,
			    uint32_t number)
{
	return (struct memo *)s->memo[pool].base + number;
}

/* The number of a process state, with its memo ready. */
static uint32_t proc_number(struct system *s, uint32_t pool,
			    const struct wicket_proc *p, bool helper)
{
	struct pool *pl = &s->pool[pool];
	uint32_t before = pl->count;
	uint32_t number = pool_number(pl, s->budget, p);

	if (number == UNKNOWN || pl->count == before)
		return number;
	if (!store_room(&s->memo[pool], s->budget,
			pl->count * sizeof(struct memo)))
		return UNKNOWN;
	*memo_of(s, pool, number) = (struct memo){
		.reg = s->algo->access(&s->cfg, *p).reg,
		.region = helper ? WICKET_REMAINDER :
				   s->algo->region(&s->cfg, *p),
	};
	return number;
}

bool system_start(struct system *s, const struct wicket_algo *algo,
		  const struct wicket_cfg *cfg, struct budget *budget)
{
	*s = (struct system){
		.algo = algo,
		.cfg = *cfg,
		.regs = algo->registers(cfg),
		.procs = wicket_processes(algo, cfg),
		.quotient = wicket_has_quotient(algo, cfg),
		.budget = budget,
	};
	s->parts = s->regs + s->procs;
	s->pools = s->regs;
	for (uint32_t r = 0; r < s->regs; r++) {
		s->pool_of[r] = r;
		s->pool[r].size = sizeof(struct wicket_value);
	}
	for (uint32_t i = 0; i < s->procs; i++) {
		struct wicket_proc p = algo->start(cfg, i + 1);
		bool helper = i >= cfg->n;
		uint32_t pool = s->regs;

		/* a pool's object 0 is the start of its processes */
		while (pool < s->pools &&
		       (helper ||
			memcmp(pool_object(&s->pool[pool], 0), &p, sizeof(p))))
			pool++;
		s->pool_of[s->regs + i] = pool;
		if (pool < s->pools)
			continue;
		s->pools++;
		s->pool[pool].size = sizeof(p);
		if (proc_number(s, pool, &p, helper) == UNKNOWN)
			return false;
	}
	return true;
}

void system_free(struct system *s)
{
	for (uint32_t p = 0; p < s->pools; p++) {
		for (uint32_t i = 0; s->memo[p].base && i < s->pool[p].count;
		     i++)
			store_free(&memo_of(s, p, i)->next, s->budget);
		store_free(&s->memo[p], s->budget);
		store_free(&s->pool[p].objects, s->budget);
		store_free(&s->pool[p].slots, s->budget);
	}
}

bool system_initial(struct system *s, uint32_t *state)
{
	for (uint32_t r = 0; r < s->regs; r++) {
		struct wicket_value v = s->algo->reg(&s->cfg, r).start;

		state[r] = pool_number(&s->pool[r], s->budget, &v);
		if (state[r] == UNKNOWN)
			return false;
	}
	for (uint32_t i = 0; i < s->procs; i++)
		state[s->regs + i] = 0;
	return true;
}

/* Puts the canonical numbers of an unbounded register 0 and its processes. */
static bool canonical(struct system *s, uint32_t *state)
{
	struct wicket_value v;

	memcpy(&v, pool_object(&s->pool[0], state[0]), sizeof(v));
	for (uint32_t i = 0; i < s->procs; i++) {
		uint32_t *number = &state[s->regs + i];
		uint32_t pool = s->pool_of[s->regs + i];
		struct wicket_result r;
		struct wicket_proc p;

		memcpy(&p, pool_object(&s->pool[pool], *number), sizeof(p));
		r = s->algo->quotient(&s->cfg, p, v);
		*number = proc_number(s, pool, &r.proc, i >= s->cfg.n);
		state[0] = pool_number(&s->pool[0], s->budget, &r.put);
		if (*number == UNKNOWN || state[0] == UNKNOWN)
			return false;
	}
	return true;
}

/* Fills the memo's entry for this process and register value. */
static bool compute(struct system *s, uint32_t pool, uint32_t number,
		    uint32_t value, bool helper)
{
	struct memo *m = memo_of(s, pool, number);
	struct wicket_result r;
	struct wicket_value seen;
	struct wicket_proc p;
	struct move move;
	uint32_t reg = m->reg;

	memcpy(&p, pool_object(&s->pool[pool], number), sizeof(p));
	memcpy(&seen, pool_object(&s->pool[reg], value), sizeof(seen));
	r = run_perform(s->algo, &s->cfg, p, s->algo->access(&s->cfg, p), seen);
	move.proc = proc_number(s, pool, &r.proc, helper);
	move.value = pool_number(&s->pool[reg], s->budget, &r.put);
	if (move.proc == UNKNOWN || move.value == UNKNOWN)
		return false;

	m = memo_of(s, pool, number); /* it may have moved */
	if (value >= m->known) {
		uint32_t room;

		if (!store_room(&m->next, s->budget,
				s->pool[reg].count * sizeof(move)))
			return false;
		room = (uint32_t)(m->next.room / sizeof(move));
		memset((struct move *)m->next.base + m->known, 0xff,
		       (room - m->known) * sizeof(move));
		m->known = room;
	}
	((struct move *)m->next.base)[value] = move;
	return true;
}

bool system_step(struct system *s, uint32_t *state, uint32_t i)
{
	uint32_t *number = &state[s->regs + i];
	uint32_t pool = s->pool_of[s->regs + i];
	struct memo *m = memo_of(s, pool, *number);
	uint32_t *value = &state[m->reg];
	struct move *move = (struct move *)m->next.base + *value;

	if (*value >= m->known || move->proc == UNKNOWN) {
		if (!compute(s, pool, *number, *value, i >= s->cfg.n))
			return false;
		m = memo_of(s, pool, *number);
		move = (struct move *)m->next.base + *value;
	}
	*number = move->proc;
	*value = move->value;
	return !s->quotient || canonical(s, state);
}

uint32_t system_regions(const struct system *s, const uint32_t *state)
{
	uint32_t regions = 0;

	for (uint32_t i = 0; i < s->cfg.n; i++) {
		uint32_t part = s->regs + i;

		regions |= memo_of(s, s->pool_of[part], state[part])->region
			   << 2 * i;
	}
	return regions;
}

void system_values(const struct system *s, const uint32_t *state,
		   struct wicket_value *regs, struct wicket_proc *procs)
{
	for (uint32_t r = 0; r < s->regs; r++)
		memcpy(&regs[r], pool_object(&s->pool[r], state[r]),
		       sizeof(*regs));
	for (uint32_t i = 0; i < s->procs; i++) {
		uint32_t part = s->regs + i;

		memcpy(&procs[i],
		       pool_object(&s->pool[s->pool_of[part]], state[part]),
		       sizeof(*procs));
	}
}
