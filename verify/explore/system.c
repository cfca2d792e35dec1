/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/explore/breach.h"
#include "verify/explore/system.h"

#define UNKNOWN POOL_NONE
/* A step to a number above the cap, or into a buffer that is full. */
#define NOWHERE (UINT32_MAX - 1)

/* What a store is, and whom it wakes, does not depend on what it finds. */
static void note_path(const struct system *s, uint32_t pool, struct memo *m,
		      const struct actor *a, enum deed deed,
		      const struct wicket_access *access)
{
	const struct wicket_value nothing = { { 0 } };
	uint32_t wakes = 0;
	enum path path;

	if (access->kind == WICKET_STORE)
		wakes = actor_do(s->algo, &s->cfg, &s->world, a, deed, nothing,
				 nothing)
				.wakes;
	path = access_path(&s->world, access, wakes);
	if (path == PATH_BUFFER && s->quotient)
		breach_no_buffer(s->algo, &s->cfg, a, s->first[pool],
				 access->reg);
	m->enters |= (uint8_t)((path == PATH_BUFFER) << deed);
	m->views |= (uint8_t)((path == PATH_VIEW) << deed);
}

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
	for (uint32_t deed = 0; deed < ACTOR_DEEDS; deed++) {
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
		if (system_has_buffers(s))
			note_path(s, pool, m, a, deed, &access);
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

/* The pool of the buffers of these actors. */
static uint32_t buffers_of(const struct system *s, uint32_t pool)
{
	return pool + s->kinds;
}

static struct drain *drain_of(const struct system *s, uint32_t pool,
			      uint32_t number)
{
	return (struct drain *)s->memo[pool].base + number;
}

/* The number of a buffer; what becomes of it when it drains is known. */
static uint32_t buffer_number(struct system *s, uint32_t pool,
			      const struct buffer *b)
{
	struct pool *pl = &s->pool[pool];
	struct drain drain = { 0 };
	struct buffer rest = *b;
	uint32_t before, number;

	if (!buffer_is_empty(b)) {
		buffer_take(&rest);
		drain.rest = buffer_number(s, pool, &rest);
		if (drain.rest == UNKNOWN)
			return UNKNOWN;
	}
	before = pl->count;
	if (!store_room(&s->memo[pool], s->budget,
			(before + (size_t)1) * sizeof(drain)))
		return UNKNOWN;
	number = pool_number(pl, s->budget, b);
	if (number != UNKNOWN && pl->count != before)
		*drain_of(s, pool, number) = drain;
	return number;
}

/* Processes of one kind share the numbering of their buffers, too. */
static bool start_buffers(struct system *s)
{
	const struct buffer empty = { 0 };

	for (uint32_t i = 0; i < s->procs; i++) {
		uint32_t pool = buffers_of(s, s->pool_of[s->regs + i]);

		s->pool_of[s->parts++] = pool;
		if (s->pool[pool].size)
			continue;
		s->pools++;
		s->pool[pool].size = sizeof(empty);
		if (buffer_number(s, pool, &empty) == UNKNOWN)
			return false;
	}
	return true;
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
		s->peer[i] = s->last[pool];
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
	s->kinds = s->pools - s->regs;
	return !system_has_buffers(s) || start_buffers(s);
}

static void memo_free(struct memo *m, struct budget *b)
{
	for (uint32_t deed = 0; deed < ACTOR_DEEDS; deed++)
		store_free(&m->next[deed], b);
}

void system_free(struct system *s)
{
	for (uint32_t p = 0; p < s->pools; p++) {
		bool actors = p < s->regs + s->kinds;

		for (uint32_t i = 0;
		     actors && s->memo[p].base && i < s->pool[p].count; i++)
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
	for (uint32_t part = s->regs; part < s->parts; part++)
		state[part] = 0;
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

/* The number of what a deed changes: a register, or a buffer that its store
   enters. */
static uint32_t changed_number(struct system *s, uint32_t pool, bool enters,
			       uint32_t was, const struct outcome *o)
{
	struct buffer b;

	if (!enters)
		return pool_number(&s->pool[o->access.reg], s->budget,
				   &o->value);
	pool = buffers_of(s, pool);
	memcpy(&b, pool_object(&s->pool[pool], was), sizeof(b));
	if (buffer_is_full(&b, world_buffer(&s->world))) {
		s->buffer_full = true;
		return NOWHERE;
	}
	buffer_put(&b, &o->access, o->value);
	return buffer_number(s, pool, &b);
}

/* Fills the memo's entry for this deed and what the process sees, or for the
   buffer that it finds. */
static bool compute(struct system *s, uint32_t pool, uint32_t number,
		    enum deed deed, uint32_t value)
{
	struct memo *m = system_memo_of(s, pool, number);
	bool enters = m->enters >> deed & 1;
	struct wicket_value seen = { { 0 } };
	struct outcome o;
	struct actor a;
	struct move move;

	memcpy(&a, pool_object(&s->pool[pool], number), sizeof(a));
	if (!enters)
		memcpy(&seen, pool_object(&s->pool[m->reg[deed]], value),
		       sizeof(seen));
	o = actor_do(s->algo, &s->cfg, &s->world, &a, deed, seen, seen);
	move.wake = o.wake;
	move.wakes = o.wakes;
	check_outcome(s, pool, &a, seen, &o);
	move.value = wicket_is_beyond(s->algo, &s->cfg, o.value) ?
			     NOWHERE :
			     changed_number(s, pool, enters, value, &o);
	move.actor = move.value == NOWHERE ? NOWHERE :
					     actor_number(s, pool, &o.actor);
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

/* --- walks ----------------------------------------------------------------- */

/* A walk over the successors of one state.  Only one that has a learner may find
   out what is not known; every other stops there. */
struct walk {
	const struct system *s;
	struct system *learner;
	const uint32_t *state;
	bool (*take)(void *context, const uint32_t *next, uint16_t label);
	void *context;
	enum walk_end end; /* why it went no further */
};

/* Something is not known and cannot be found out: not by this walk, or because
   there is no memory. */
static bool stop(struct walk *w)
{
	w->end = w->learner ? WALK_STOPPED : WALK_UNKNOWN;
	return false;
}

static bool pass_on(struct walk *w, const uint32_t *next, uint16_t label)
{
	if (w->take(w->context, next, label))
		return true;
	w->end = WALK_STOPPED;
	return false;
}

static bool number_of_value(struct walk *w, uint32_t reg,
			    const struct wicket_value *v, uint32_t *number)
{
	*number = pool_find(&w->s->pool[reg], v);
	if (*number == UNKNOWN && w->learner)
		*number = pool_number(&w->learner->pool[reg], w->s->budget, v);
	return *number != UNKNOWN || stop(w);
}

static bool number_of_actor(struct walk *w, uint32_t pool,
			    const struct actor *a, uint32_t *number)
{
	*number = pool_find(&w->s->pool[pool], a);
	if (*number == UNKNOWN && w->learner)
		*number = actor_number(w->learner, pool, a);
	return *number != UNKNOWN || stop(w);
}

static bool is_known(const struct memo *m, enum deed deed, uint32_t value)
{
	return value < m->known[deed] &&
	       ((struct move *)m->next[deed].base)[value].actor != UNKNOWN;
}

static inline bool look_up(struct walk *w, uint32_t pool, uint32_t number,
			   enum deed deed, uint32_t value, struct move *move)
{
	const struct memo *m = system_memo_of(w->s, pool, number);

	if (!is_known(m, deed, value)) {
		if (!w->learner ||
		    !compute(w->learner, pool, number, deed, value))
			return stop(w);
		m = system_memo_of(w->s, pool, number); /* it may have moved */
	}
	*move = ((struct move *)m->next[deed].base)[value];
	return true;
}

/* Puts the canonical numbers of an unbounded register 0 and its processes. */
static bool canonical(struct walk *w, uint32_t *state)
{
	const struct system *s = w->s;
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
		if (!number_of_actor(w, pool, &a, number) ||
		    !number_of_value(w, 0, &r.put, &state[0]))
			return false;
	}
	return true;
}

/* Its sleep is over. */
static bool wake(struct walk *w, uint32_t *state, uint32_t i)
{
	const struct system *s = w->s;
	uint32_t part = s->regs + i, pool = s->pool_of[part];
	struct actor a;

	memcpy(&a, pool_object(&s->pool[pool], state[part]), sizeof(a));
	a.mode = ACTOR_WOKEN;
	return number_of_actor(w, pool, &a, &state[part]);
}

static bool sleeps_on(const struct system *s, const uint32_t *state, uint32_t i,
		      uint32_t reg)
{
	const struct memo *m = system_memo(s, state, i);

	return m->mode & ACTOR_ASLEEP &&
	       (m->reg[DEED_STEP] == reg || m->watch >> reg & 1);
}

/* Who is woken is told by number.  Where there are more than can wake, and they are
   not alike, another order of the processes has other successors. */
static bool must_choose(const struct system *s, const uint32_t *state,
			uint32_t reg, uint32_t most)
{
	uint32_t sleepers = 0, first = 0;
	bool alike = true;

	for (uint32_t i = 0; i < s->procs; i++) {
		if (!sleeps_on(s, state, i, reg))
			continue;
		if (!sleepers++)
			first = state[s->regs + i];
		alike = alike && state[s->regs + i] == first;
	}
	return sleepers > most && !alike;
}

/* So many of those who are asleep on the register, or watch it, go on. */
static bool wake_up(struct walk *w, uint32_t *state, uint32_t reg,
		    uint32_t most)
{
	if (most && w->s->symmetric && !w->learner &&
	    must_choose(w->s, state, reg, most)) {
		w->end = WALK_UNSORTED;
		return false;
	}
	for (uint32_t i = 0; most && i < w->s->procs; i++) {
		if (!sleeps_on(w->s, state, i, reg))
			continue;
		if (!wake(w, state, i))
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

/* The successor by this deed of process i, who sees number seen. */
static bool successor(struct walk *w, uint32_t i, enum deed deed, uint32_t seen,
		      uint32_t saw)
{
	const struct system *s = w->s;
	uint32_t next[SYSTEM_PARTS_MAX], part = s->regs + i;
	uint32_t pool = s->pool_of[part];
	uint32_t reg = system_memo_of(s, pool, w->state[part])->reg[deed];
	struct move move;

	if (!look_up(w, pool, w->state[part], deed, seen, &move))
		return false;
	if (move.actor == NOWHERE)
		return true;
	memcpy(next, w->state, s->parts * sizeof(*next));
	next[part] = move.actor;
	if (!saw) /* who was misled only read */
		next[reg] = move.value;
	if (is_too_late(s, next, i) && !wake(w, next, i))
		return false;
	if (!wake_up(w, next, move.wake, move.wakes))
		return false;
	if (s->quotient && !canonical(w, next))
		return false;
	return pass_on(w, next, deed_label(i, deed, saw));
}

/* --- by way of a buffer ---------------------------------------------------- */

static const struct buffer *buffer_in(const struct system *s,
				      const uint32_t *state, uint32_t i)
{
	uint32_t part = system_buffer_part(s, i);

	return pool_object(&s->pool[s->pool_of[part]], state[part]);
}

/* The number of what process i sees of a register. */
static bool view(struct walk *w, uint32_t i, uint32_t reg, uint32_t *number)
{
	const struct buffer *b = buffer_in(w->s, w->state, i);
	struct wicket_value holds, seen;

	*number = w->state[reg];
	if (buffer_is_empty(b))
		return true;
	memcpy(&holds, pool_object(&w->s->pool[reg], *number), sizeof(holds));
	seen = buffer_see(b, reg, holds);
	return wicket_value_equal(seen, holds) ||
	       number_of_value(w, reg, &seen, number);
}

/* A look that finds own stores first; who wakes others so needs the kernel. */
static bool look(struct walk *w, uint32_t i, enum deed deed, uint32_t reg)
{
	const struct system *s = w->s;
	uint32_t next[SYSTEM_PARTS_MAX], part = s->regs + i, seen;
	struct move move;

	if (!view(w, i, reg, &seen) ||
	    !look_up(w, s->pool_of[part], w->state[part], deed, seen, &move))
		return false;
	if (move.actor == NOWHERE || move.wakes)
		return true;
	memcpy(next, w->state, s->parts * sizeof(*next));
	next[part] = move.actor;
	return pass_on(w, next, deed_of(i, deed));
}

/* A store enters the buffer, if there is room. */
static bool enter(struct walk *w, uint32_t i, enum deed deed)
{
	const struct system *s = w->s;
	uint32_t next[SYSTEM_PARTS_MAX], part = s->regs + i;
	uint32_t buffer = system_buffer_part(s, i);
	struct move move;

	if (!look_up(w, s->pool_of[part], w->state[part], deed,
		     w->state[buffer], &move))
		return false;
	if (move.actor == NOWHERE)
		return true;
	memcpy(next, w->state, s->parts * sizeof(*next));
	next[part] = move.actor;
	next[buffer] = move.value;
	return pass_on(w, next, deed_of(i, deed));
}

/* The oldest store of process i, if there is one, reaches memory. */
static bool drain(struct walk *w, uint32_t i)
{
	const struct system *s = w->s;
	uint32_t next[SYSTEM_PARTS_MAX], buffer = system_buffer_part(s, i);
	const struct buffered *store = &buffer_in(s, w->state, i)->store[0];
	struct wicket_value v;
	uint32_t reg = store->reg;

	if (!w->state[buffer])
		return true;
	memcpy(&v, pool_object(&s->pool[reg], w->state[reg]), sizeof(v));
	v = buffered_on(store, v);
	memcpy(next, w->state, s->parts * sizeof(*next));
	next[buffer] = drain_of(s, s->pool_of[buffer], w->state[buffer])->rest;
	return number_of_value(w, reg, &v, &next[reg]) &&
	       pass_on(w, next, deed_of(i, DEED_DRAIN));
}

/* What process i does where memory has buffers: with an empty one all but
   stores is as it is without. */
static bool do_buffered(struct walk *w, uint32_t i, enum deed deed)
{
	const struct system *s = w->s;
	const struct memo *m = system_memo(s, w->state, i);
	bool empty = !w->state[system_buffer_part(s, i)];
	uint32_t reg = m->reg[deed];

	if (m->enters >> deed & 1)
		return enter(w, i, deed);
	if (empty)
		return successor(w, i, deed, w->state[reg], 0);
	return !(m->views >> deed & 1) || look(w, i, deed, reg);
}

static bool may_do(const struct system *s, const uint32_t *state, uint32_t i,
		   enum deed deed)
{
	return system_memo(s, state, i)->can >> deed & 1 &&
	       (deed < DEED_FAIL || is_left(s, state, deed));
}

static bool walk_buffered(struct walk *w)
{
	for (uint32_t i = 0; i < w->s->procs; i++) {
		for (uint32_t deed = 0; deed < ACTOR_DEEDS; deed++) {
			if (may_do(w->s, w->state, i, deed) &&
			    !do_buffered(w, i, deed))
				return false;
		}
		if (!drain(w, i))
			return false;
	}
	return true;
}

/* --- of all ---------------------------------------------------------------- */

/* One successor for every number the register's type has. */
static bool misled(struct walk *w, uint32_t i, uint32_t reg)
{
	uint64_t range = w->s->algo->reg(&w->s->cfg, reg).range;

	for (uint32_t x = 0; x < range; x++) {
		struct wicket_value v = wicket_number(x);
		uint32_t seen;

		if (!number_of_value(w, reg, &v, &seen) ||
		    !successor(w, i, DEED_STEP, seen, x + 1))
			return false;
	}
	return true;
}

static bool walk_straight(struct walk *w)
{
	const struct system *s = w->s;

	for (uint32_t i = 0; i < s->procs; i++) {
		const struct memo *m = system_memo(s, w->state, i);
		uint32_t can = m->can, reg = m->reg[DEED_STEP];

		if (s->world.safe && m->reads && can & 1 << DEED_STEP &&
		    is_overlapped(s, w->state, reg, i)) {
			if (!misled(w, i, reg))
				return false;
			can &= ~(1u << DEED_STEP);
		}
		for (uint32_t deed = 0; can >> deed; deed++) {
			if (!(can >> deed & 1) ||
			    (deed >= DEED_FAIL && !is_left(s, w->state, deed)))
				continue;
			reg = system_memo(s, w->state, i)->reg[deed];
			if (!successor(w, i, deed, w->state[reg], 0))
				return false;
		}
	}
	return true;
}

static enum walk_end walk(struct walk *w)
{
	bool done = system_has_buffers(w->s) ? walk_buffered(w) :
					       walk_straight(w);

	return done ? WALK_DONE : w->end;
}

enum walk_end system_successors(const struct system *s, const uint32_t *state,
				bool (*take)(void *context,
					     const uint32_t *next,
					     uint16_t label),
				void *context)
{
	struct walk w = {
		.s = s, .state = state, .take = take, .context = context
	};

	return walk(&w);
}

static bool pass_by(void *context, const uint32_t *next, uint16_t label)
{
	(void)context, (void)next, (void)label;
	return true;
}

bool system_learn(struct system *s, const uint32_t *state)
{
	struct walk w = {
		.s = s, .learner = s, .state = state, .take = pass_by
	};

	return walk(&w) == WALK_DONE;
}

/* --- processes that change places ------------------------------------------- */

/* What process i is, and what is in its buffer. */
static uint64_t rank(const struct system *s, const uint32_t *state, uint32_t i)
{
	uint64_t actor = state[s->regs + i];

	return system_has_buffers(s) ?
		       actor << 32 | state[system_buffer_part(s, i)] :
		       actor;
}

static void exchange(uint32_t *state, uint32_t a, uint32_t b)
{
	uint32_t part = state[a];

	state[a] = state[b];
	state[b] = part;
}

void system_sort(const struct system *s, uint32_t *state)
{
	for (uint32_t i = 0; i < s->procs; i++) {
		for (uint32_t j = i, before; s->peer[j]; j = before) {
			before = s->peer[j] - 1;
			if (rank(s, state, before) <= rank(s, state, j))
				break;
			exchange(state, s->regs + before, s->regs + j);
			if (system_has_buffers(s))
				exchange(state, system_buffer_part(s, before),
					 system_buffer_part(s, j));
		}
	}
}

/* Each process can be put into as many places among those before it as there are,
   but in a run of equal ones it makes no difference which is which. */
uint64_t system_orbit(const struct system *s, const uint32_t *state)
{
	uint32_t place[WICKET_PROCS_MAX], run[WICKET_PROCS_MAX];
	uint64_t orbit = 1;

	for (uint32_t i = 0; i < s->procs; i++) {
		uint32_t before = s->peer[i] - 1;

		place[i] = run[i] = 1;
		if (!s->peer[i])
			continue;
		place[i] += place[before];
		if (rank(s, state, before) == rank(s, state, i))
			run[i] += run[before];
		orbit = orbit * place[i] / run[i];
	}
	return orbit;
}

uint32_t system_regions(const struct system *s, const uint32_t *state)
{
	uint32_t regions = 0;

	for (uint32_t i = 0; i < s->cfg.n; i++)
		regions |= (uint32_t)system_memo(s, state, i)->region << 2 * i;
	return regions;
}

uint32_t system_drained(const struct system *s, const uint32_t *state)
{
	uint32_t set = 0;

	if (!system_has_buffers(s))
		return (1u << s->procs) - 1;
	for (uint32_t i = 0; i < s->procs; i++)
		set |= (uint32_t)!state[system_buffer_part(s, i)] << i;
	return set;
}

bool system_has_buffered(const struct system *s)
{
	for (uint32_t part = s->regs + s->procs; part < s->parts; part++) {
		if (s->pool[s->pool_of[part]].count > 1)
			return true;
	}
	return false;
}

void system_buffers(const struct system *s, const uint32_t *state,
		    struct buffer *buffers)
{
	for (uint32_t i = 0; system_has_buffers(s) && i < s->procs; i++)
		buffers[i] = *buffer_in(s, state, i);
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
