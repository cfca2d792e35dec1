/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/explore/breach.h"
#include "verify/explore/run.h"

void run_start(struct run *run, const struct wicket_algo *algo,
	       const struct wicket_cfg *cfg, const struct world *world)
{
	breach_check_start(algo, cfg, world);
	*run = (struct run){
		.algo = algo,
		.cfg = *cfg,
		.world = *world,
		.regs = algo->registers(cfg),
		.procs = wicket_processes(algo, cfg),
	};
	for (uint32_t r = 0; r < run->regs; r++)
		run->reg[r] = algo->reg(cfg, r).start;
	for (uint32_t i = 0; i < run->procs; i++) {
		run->actor[i].proc = algo->start(cfg, i + 1);
		breach_check_region(algo, cfg, &run->actor[i], i + 1);
	}
}

bool run_overlapped(const struct run *run, uint32_t reg, uint32_t i)
{
	for (uint32_t j = 0; j < run->procs; j++) {
		const struct actor *a = &run->actor[j];

		if (j != i && a->mode & ACTOR_WRITING &&
		    run->algo->access(&run->cfg, a->proc).reg == reg)
			return true;
	}
	return false;
}

/* Of those that may happen only so often, is one left? */
static bool is_left(const struct run *run, enum deed deed)
{
	uint32_t dead = 0, abandons = 0;

	for (uint32_t i = 0; i < run->procs; i++) {
		dead += !!(run->actor[i].mode & ACTOR_DEAD);
		abandons += run->actor[i].abandons;
	}
	return deed == DEED_ABANDON ? abandons < run->world.abandons :
	       deed == DEED_FAIL    ? run->world.failures ||
					   dead < run->world.crashes :
				   true;
}

/* What a process does, and how it gets to memory. */
struct act {
	struct outcome o;
	enum path path;
};

static struct act act(const struct run *run, uint16_t label)
{
	uint32_t i = deed_who(label);
	const struct actor *a = &run->actor[i];
	enum deed deed = deed_kind(label);
	struct wicket_access access = actor_access(run->algo, &run->cfg, a,
						   deed);
	struct wicket_value holds, seen;
	struct act act;

	breach_check_access(run->algo, &run->cfg, a, i + 1, &access);
	holds = run->reg[access.reg];
	seen = deed_saw(label) ? wicket_number(deed_saw(label) - 1) :
				 buffer_see(&run->buffer[i], access.reg, holds);
	act.o = actor_do(run->algo, &run->cfg, &run->world, a, deed, holds,
			 seen);
	act.path = access_path(&run->world, &access, act.o.wakes);
	if (act.path == PATH_BUFFER)
		act.o = actor_do(run->algo, &run->cfg, &run->world, a, deed,
				 wicket_number(0), seen);
	return act;
}

/* Does it lead to a number that is not explored? */
static bool leads_beyond(const struct run *run, const struct act *act)
{
	return wicket_is_beyond(run->algo, &run->cfg, act->o.value);
}

/* Must it wait until something has left the buffer? */
static bool is_held_back(const struct run *run, uint16_t label,
			 const struct act *act)
{
	const struct buffer *b = &run->buffer[deed_who(label)];

	if (act->path == PATH_BUFFER)
		return buffer_is_full(b, world_buffer(&run->world));
	return (act->path == PATH_MEMORY || act->o.wakes) &&
	       !buffer_is_empty(b);
}

/* Is it kept from what it would do, by the cap or by its buffer? */
static bool is_barred(const struct run *run, uint16_t label)
{
	struct act a;

	if (!run->algo->beyond && run->world.memory == MEMORY_SC)
		return false;
	a = act(run, label);
	return leads_beyond(run, &a) || is_held_back(run, label, &a);
}

/* Is the deed open to its process, as far as it alone is concerned? */
static bool is_open(const struct run *run, uint16_t label)
{
	uint32_t i = deed_who(label);
	enum deed deed = deed_kind(label);

	return i < run->procs && deed < ACTOR_DEEDS &&
	       actor_can(run->algo, &run->cfg, &run->world, &run->actor[i],
			 deed) &&
	       is_left(run, deed);
}

static bool can_drain(const struct run *run, uint16_t label)
{
	uint32_t i = deed_process(label);

	return i < run->procs && label == deed_of(i, DEED_DRAIN) &&
	       !buffer_is_empty(&run->buffer[i]);
}

bool run_can(const struct run *run, uint16_t label)
{
	uint32_t i = deed_who(label);
	struct wicket_access access;

	if (deed_kind(label) == DEED_DRAIN)
		return can_drain(run, label);
	if (!is_open(run, label) || is_barred(run, label))
		return false;
	access = actor_access(run->algo, &run->cfg, &run->actor[i],
			      deed_kind(label));
	if (access_reads(&access) && run_overlapped(run, access.reg, i))
		return deed_saw(label) &&
		       deed_saw(label) <=
			       run->algo->reg(&run->cfg, access.reg).range;
	return !deed_saw(label);
}

bool run_is_full(const struct run *run)
{
	for (uint32_t i = 0; i < run->procs; i++) {
		for (enum deed deed = 0; deed < ACTOR_DEEDS; deed++) {
			uint16_t label = deed_of(i, deed);
			struct act a;

			if (!buffer_is_full(&run->buffer[i],
					    world_buffer(&run->world)) ||
			    !is_open(run, label))
				continue;
			a = act(run, label);
			if (a.path == PATH_BUFFER)
				return true;
		}
	}
	return false;
}

static void drain(struct buffer *b, struct wicket_value *regs)
{
	struct buffered store = buffer_take(b);

	regs[store.reg] = buffered_on(&store, regs[store.reg]);
}

void run_drained(const struct run *run, struct wicket_value *regs)
{
	memcpy(regs, run->reg, run->regs * sizeof(*regs));
	for (uint32_t i = 0; i < run->procs; i++) {
		struct buffer b = run->buffer[i];

		while (!buffer_is_empty(&b))
			drain(&b, regs);
	}
}

/* Has one of those whom it watches changed before it slept? */
static bool is_too_late(const struct run *run, const struct actor *a)
{
	struct wicket_access access = run->algo->access(&run->cfg, a->proc);

	for (uint64_t set = access.watch; set; set &= set - 1) {
		if (run->reg[__builtin_ctzll(set)].w[0] != access.alive)
			return true;
	}
	return false;
}

static void wake_up(struct run *run, uint32_t reg, uint32_t most)
{
	for (uint32_t j = 0; most && j < run->procs; j++) {
		struct actor *a = &run->actor[j];
		struct wicket_access access;

		if (!(a->mode & ACTOR_ASLEEP))
			continue;
		access = run->algo->access(&run->cfg, a->proc);
		if (!access_sleeps_on(&access, reg))
			continue;
		a->mode = ACTOR_WOKEN;
		most--;
	}
}

void run_do(struct run *run, uint16_t label)
{
	uint32_t i = deed_process(label);
	struct actor *a = &run->actor[i];
	struct wicket_value *reg;
	struct act done;
	struct outcome o;

	if (deed_kind(label) == DEED_DRAIN) {
		drain(&run->buffer[i], run->reg);
		return;
	}
	done = act(run, label);
	o = done.o;
	reg = &run->reg[o.access.reg];
	breach_check_outcome(run->algo, &run->cfg, a, i + 1, *reg, &o);
	*a = o.actor;
	breach_check_region(run->algo, &run->cfg, a, i + 1);
	if (done.path == PATH_BUFFER)
		buffer_put(&run->buffer[i], &o.access, o.value);
	else
		*reg = o.value;
	if (a->mode & ACTOR_ASLEEP && is_too_late(run, a))
		a->mode = ACTOR_WOKEN;
	wake_up(run, o.wake, o.wakes);
}

enum wicket_region run_region(const struct run *run, uint32_t i)
{
	if (i >= run->cfg.n) /* helpers have none */
		return WICKET_REMAINDER;
	return actor_region(run->algo, &run->cfg, &run->actor[i]);
}
