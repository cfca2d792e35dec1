/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/explore/breach.h"
#include "verify/explore/system.h"

#define UNKNOWN POOL_NONE
#define BEYOND	(UINT32_MAX - 1) /* a step to a number above the cap */

/* The number of an actor, with its memo ready. */
static uint32_t actor_number(struct system *s, uint32_t pool,
			     const struct actor *a)
{
	struct pool *pl = &s->pool[pool];
	uint32_t before = pl->count, number;
	struct memo *m;

	/* every actor has its memo: room for that first */
	if (!store_room(&s->memo[pool], s->budget,
			(pl->count + (size_t)1) * sizeof(struct memo)))
		return UNKNOWN;
	number = pool_number(pl, s->budget, a);
	if (number == UNKNOWN || pl->count == before)
		return number;
	breach_check_region(s->algo, &s->cfg, a, s->first[pool]);
	m = system_memo_of(s, pool, number);
	*m = (struct memo){
		.region = s->helper[pool] ?
				  WICKET_REMAINDER :
				  (uint8_t)actor_region(s->algo, &s->cfg, a),
		.mode = (uint8_t)a->mode,
		.abandons = (uint8_t)a->abandons,
	};
	for (uint32_t deed = 0; deed < DEEDS; deed++) {
		struct wicket_access access;

		if (!actor_can(s->algo, &s->cfg, &s->world, a, deed))
			continue;
		access = actor_access(s->algo, &s->cfg, a, deed);
		breach_check_access(s->algo, &s->cfg, a, s->first[pool],
				    &access);
		m->can |= (uint8_t)(1 << deed);
		m->reg[deed] = access.reg;
		if (deed == DEED_STEP)
			m->reads = access_reads(&access);
	}
	/* who sleeps is found by the registers it sleeps on */
	if (a->mode & ACTOR_ASLEEP) {
		struct wicket_access access = s->algo->access(&s->cfg, a->proc);

		m->reg[DEED_STEP] = access.reg;
		m->watch = access.watch;
		m->alive = access.alive;
	}
	return number;
}

bool system_start(struct system *s, const struct wicket_algo *algo,
		  const struct wicket_cfg *cfg, const struct world *world,
		  struct budget *budget)
{
	breach_check_start(algo, cfg, world);
	*s = (struct system){
		.algo = algo,
		.cfg = *cfg,
		.world = *world,
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
		struct actor a = { .proc = algo->start(cfg, i + 1) };
		uint32_t pool = s->regs;

		/* a pool's object 0 is the start of its actors */
		while (pool < s->pools &&
		       (i >= cfg->n ||
			memcmp(pool_object(&s->pool[pool], 0), &a, sizeof(a))))
			pool++;
		s->pool_of[s->regs + i] = pool;
		s->last[pool] = i + 1;
		if (pool < s->pools)
			continue;
		s->pools++;
		s->first[pool] = i + 1;
		s->helper[pool] = i >= cfg->n;
		s->pool[pool].size = sizeof(a);
		if (actor_number(s, pool, &a) == UNKNOWN)
			return false;
	}
	return true;
}

static void memo_free(struct memo *m, struct budget *b)
{
	for (uint32_t deed = 0; deed < DEEDS; deed++)
		store_free(&m->next[deed], b);
}

void system_free(struct system *s)
{
	for (uint32_t p = 0; p < s->pools; p++) {
		for (uint32_t i = 0; s->memo[p].base && i < s->pool[p].count;
		     i++)
			memo_free(system_memo_of(s, p, i), s->budget);
		store_free(&s->memo[p], s->budget);
		pool_free(&s->pool[p], s->budget);
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
		struct actor a;

		memcpy(&a, pool_object(&s->pool[pool], *number), sizeof(a));
		r = s->algo->quotient(&s->cfg, a.proc, v);
		a.proc = r.proc;
		*number = actor_number(s, pool, &a);
		state[0] = pool_number(&s->pool[0], s->budget, &r.put);
		if (*number == UNKNOWN || state[0] == UNKNOWN)
			return false;
	}
	return true;
}

/*
 * Processes that start equal do the same: what one may not write, all may not.
 * Called once for what is then looked up; kept out of the way of looking.
 */
__attribute__((noinline)) static void
check_outcome(const struct system *s, uint32_t pool, const struct actor *a,
	      struct wicket_value held, const struct outcome *o)
{
	breach_check_outcome(s->algo, &s->cfg, a, s->first[pool], held, o);
	if (s->last[pool] != s->first[pool])
		breach_check_outcome(s->algo, &s->cfg, a, s->last[pool], held,
				     o);
}

/* Fills the memo's entry for this deed and what the process sees. */
static bool compute(struct system *s, uint32_t pool, uint32_t number,
		    enum deed deed, uint32_t value)
{
	struct memo *m = system_memo_of(s, pool, number);
	uint32_t reg = m->reg[deed];
	struct wicket_value seen;
	struct outcome o;
	struct actor a;
	struct move move;

	memcpy(&a, pool_object(&s->pool[pool], number), sizeof(a));
	memcpy(&seen, pool_object(&s->pool[reg], value), sizeof(seen));
	o = actor_do(s->algo, &s->cfg, &s->world, &a, deed, seen, seen);
	move.wake = o.wake;
	move.wakes = o.wakes;
	check_outcome(s, pool, &a, seen, &o);
	if (wicket_is_beyond(s->algo, &s->cfg, o.value)) {
		move.actor = move.value = BEYOND;
	} else {
		move.actor = actor_number(s, pool, &o.actor);
		move.value = pool_number(&s->pool[reg], s->budget, &o.value);
	}
	if (move.actor == UNKNOWN || move.value == UNKNOWN)
		return false;

	m = system_memo_of(s, pool, number); /* it may have moved */
	if (value >= m->known[deed]) {
		struct store *next = &m->next[deed];
		uint32_t room;

		if (!store_room(next, s->budget,
				(value + (size_t)1) * sizeof(move)))
			return false;
		room = (uint32_t)(next->room / sizeof(move));
		memset((struct move *)next->base + m->known[deed], 0xff,
		       (room - m->known[deed]) * sizeof(move));
		m->known[deed] = room;
	}
	((struct move *)m->next[deed].base)[value] = move;
	return true;
}

static bool look_up(struct system *s, uint32_t pool, uint32_t number,
		    enum deed deed, uint32_t value, struct move *move)
{
	struct memo *m = system_memo_of(s, pool, number);

	if (value >= m->known[deed] ||
	    ((struct move *)m->next[deed].base)[value].actor == UNKNOWN) {
		if (!compute(s, pool, number, deed, value))
			return false;
		m = system_memo_of(s, pool, number);
	}
	*move = ((struct move *)m->next[deed].base)[value];
	return true;
}

/* Its sleep is over. */
static bool wake(struct system *s, uint32_t *state, uint32_t i)
{
	uint32_t part = s->regs + i, pool = s->pool_of[part];
	struct actor a;

	memcpy(&a, pool_object(&s->pool[pool], state[part]), sizeof(a));
	a.mode = ACTOR_WOKEN;
	state[part] = actor_number(s, pool, &a);
	return state[part] != UNKNOWN;
}

/* So many of those who are asleep on the register, or watch it, go on. */
static bool wake_up(struct system *s, uint32_t *state, uint32_t reg,
		    uint32_t most)
{
	for (uint32_t i = 0; most && i < s->procs; i++) {
		const struct memo *m = system_memo(s, state, i);

		if (!(m->mode & ACTOR_ASLEEP) ||
		    (m->reg[DEED_STEP] != reg && !(m->watch >> reg & 1)))
			continue;
		if (!wake(s, state, i))
			return false;
		most--;
	}
	return true;
}

/* Has one of those whom it watches changed before it slept? */
static bool is_too_late(const struct system *s, const uint32_t *state,
			uint32_t i)
{
	const struct memo *m = system_memo(s, state, i);

	for (uint64_t set = m->watch; set; set &= set - 1) {
		uint32_t reg = (uint32_t)__builtin_ctzll(set);
		const struct wicket_value *v = pool_object(&s->pool[reg],
							   state[reg]);

		if (v->w[0] != m->alive)
			return true;
	}
	return false;
}

static bool is_overlapped(const struct system *s, const uint32_t *state,
			  uint32_t reg, uint32_t i)
{
	for (uint32_t j = 0; j < s->procs; j++) {
		const struct memo *m = system_memo(s, state, j);

		if (j != i && m->mode & ACTOR_WRITING &&
		    m->reg[DEED_STEP] == reg)
			return true;
	}
	return false;
}

/* Of those that may happen only so often, is one left? */
static bool is_left(const struct system *s, const uint32_t *state,
		    enum deed deed)
{
	uint32_t dead = 0, abandons = 0;

	for (uint32_t i = 0; i < s->procs; i++) {
		const struct memo *m = system_memo(s, state, i);

		dead += !!(m->mode & ACTOR_DEAD);
		abandons += m->abandons;
	}
	return deed == DEED_ABANDON ?
		       abandons < s->world.abandons :
		       s->world.failures || dead < s->world.crashes;
}

/* A walk over the successors of one state. */
struct walk {
	struct system *s;
	const uint32_t *state;
	bool (*take)(void *context, const uint32_t *next, uint16_t label);
	void *context;
};

/* The successor by this deed of process i, who sees number seen. */
static bool successor(const struct walk *w, uint32_t i, enum deed deed,
		      uint32_t seen, uint32_t saw)
{
	struct system *s = w->s;
	uint32_t next[SYSTEM_PARTS_MAX], part = s->regs + i;
	uint32_t pool = s->pool_of[part];
	uint32_t reg = system_memo_of(s, pool, w->state[part])->reg[deed];
	struct move move;

	if (!look_up(s, pool, w->state[part], deed, seen, &move))
		return false;
	if (move.actor == BEYOND)
		return true;
	memcpy(next, w->state, s->parts * sizeof(*next));
	next[part] = move.actor;
	if (!saw) /* who was misled only read */
		next[reg] = move.value;
	if (is_too_late(s, next, i) && !wake(s, next, i))
		return false;
	if (!wake_up(s, next, move.wake, move.wakes))
		return false;
	if (s->quotient && !canonical(s, next))
		return false;
	return w->take(w->context, next, deed_label(i, deed, saw));
}

/* One successor for every number the register's type has. */
static bool misled(const struct walk *w, uint32_t i, uint32_t reg)
{
	struct system *s = w->s;
	uint64_t range = s->algo->reg(&s->cfg, reg).range;

	for (uint32_t x = 0; x < range; x++) {
		struct wicket_value v = wicket_number(x);
		uint32_t seen = pool_number(&s->pool[reg], s->budget, &v);

		if (seen == UNKNOWN || !successor(w, i, DEED_STEP, seen, x + 1))
			return false;
	}
	return true;
}

bool system_successors(struct system *s, const uint32_t *state,
		       bool (*take)(void *context, const uint32_t *next,
				    uint16_t label),
		       void *context)
{
	struct walk w = { s, state, take, context };

	for (uint32_t i = 0; i < s->procs; i++) {
		const struct memo *m = system_memo(s, state, i);
		uint32_t can = m->can, reg = m->reg[DEED_STEP];

		if (s->world.safe && m->reads && can & 1 << DEED_STEP &&
		    is_overlapped(s, state, reg, i)) {
			if (!misled(&w, i, reg))
				return false;
			can &= ~(1u << DEED_STEP);
		}
		for (uint32_t deed = 0; can >> deed; deed++) {
			if (!(can >> deed & 1) ||
			    (deed >= DEED_FAIL && !is_left(s, state, deed)))
				continue;
			reg = system_memo(s, state, i)->reg[deed];
			if (!successor(&w, i, deed, state[reg], 0))
				return false;
		}
	}
	return true;
}

uint32_t system_regions(const struct system *s, const uint32_t *state)
{
	uint32_t regions = 0;

	for (uint32_t i = 0; i < s->cfg.n; i++)
		regions |= (uint32_t)system_memo(s, state, i)->region << 2 * i;
	return regions;
}

void system_values(const struct system *s, const uint32_t *state,
		   struct wicket_value *regs, struct actor *actors)
{
	for (uint32_t r = 0; r < s->regs; r++)
		memcpy(&regs[r], pool_object(&s->pool[r], state[r]),
		       sizeof(*regs));
	for (uint32_t i = 0; i < s->procs; i++) {
		uint32_t part = s->regs + i;

		memcpy(&actors[i],
		       pool_object(&s->pool[s->pool_of[part]], state[part]),
		       sizeof(*actors));
	}
}
