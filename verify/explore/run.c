/* SPDX-License-Identifier: MIT */
#include "verify/explore/run.h"
#include "verify/explore/breach.h"

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

/* What comes of a deed. */
static struct outcome outcome(const struct run *run, uint16_t label)
{
	const struct actor *a = &run->actor[deed_who(label)];
	enum deed deed = deed_kind(label);
	struct wicket_access access = actor_access(run->algo, &run->cfg, a,
						   deed);
	struct wicket_value holds;

	breach_check_access(run->algo, &run->cfg, a, deed_who(label) + 1,
			    &access);
	holds = run->reg[access.reg];
	return actor_do(run->algo, &run->cfg, &run->world, a, deed, holds,
			deed_saw(label) ? wicket_number(deed_saw(label) - 1) :
					  holds);
}

/* Does it lead to a number that is not explored? */
static bool leads_beyond(const struct run *run, uint16_t label)
{
	return run->algo->beyond &&
	       run->algo->beyond(&run->cfg, outcome(run, label).value);
}

bool run_can(const struct run *run, uint16_t label)
{
	uint32_t i = deed_who(label);
	enum deed deed = deed_kind(label);
	struct wicket_access access;

	if (i >= run->procs || deed >= DEEDS ||
	    !actor_can(run->algo, &run->cfg, &run->world, &run->actor[i],
		       deed) ||
	    !is_left(run, deed) || leads_beyond(run, label))
		return false;
	access = actor_access(run->algo, &run->cfg, &run->actor[i], deed);
	if (access_reads(&access) && run_overlapped(run, access.reg, i))
		return deed_saw(label) &&
		       deed_saw(label) <=
			       run->algo->reg(&run->cfg, access.reg).range;
	return !deed_saw(label);
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
	struct outcome o = outcome(run, label);
	struct wicket_value *reg = &run->reg[o.access.reg];
	struct actor *a = &run->actor[deed_who(label)];

	breach_check_outcome(run->algo, &run->cfg, a, deed_who(label) + 1, *reg,
			     &o);
	*a = o.actor;
	breach_check_region(run->algo, &run->cfg, a, deed_who(label) + 1);
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
