/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "step/contract.h"
#include "verify/explore/breach.h"

/* Who did it, by which step. */
struct culprit {
	const struct wicket_algo *algo;
	const struct wicket_cfg *cfg;
	const struct actor *actor;
	uint32_t who;
};

_Noreturn static void refuse(const struct culprit *c, const char *wrong,
			     uint32_t number)
{
	struct wicket_text step = { 0 };

	if (c->algo->show_step)
		c->algo->show_step(c->cfg, c->actor->proc, &step);
	fprintf(stderr,
		"wicket-verify: %s: process %" PRIu32
		", step '%s' (pc %u): %s %" PRIu32 "\n",
		c->algo->name, c->who, step.s, (unsigned)c->actor->proc.pc,
		wrong, number);
	exit(EX_SOFTWARE);
}

_Noreturn static void refuse_start(const struct wicket_algo *algo,
				   const char *wrong, uint32_t number)
{
	fprintf(stderr, "wicket-verify: %s: %s %" PRIu32 "\n", algo->name,
		wrong, number);
	exit(EX_SOFTWARE);
}

void breach_check_start(const struct wicket_algo *algo,
			const struct wicket_cfg *cfg, const struct world *world)
{
	uint32_t regs = algo->registers(cfg);
	uint32_t procs = wicket_processes(algo, cfg);

	if (!regs || regs > WICKET_REGS_MAX)
		refuse_start(algo, "declares too few or too many registers,",
			     regs);
	if (procs < cfg->n || procs > WICKET_PROCS_MAX)
		refuse_start(algo, "declares too few or too many processes,",
			     procs);
	for (uint32_t r = 0; r < regs; r++) {
		struct wicket_register reg = algo->reg(cfg, r);

		if (reg.owner > procs)
			refuse_start(algo, "no process owns register", r);
		if (!wicket_fits(&reg, reg.start))
			refuse_start(algo,
				     "starts outside the range of register", r);
		if (world->safe && reg.range > DEED_RANGE_MAX)
			refuse_start(algo,
				     "has too many values to be safe, register",
				     r);
	}
}

void breach_check_access(const struct wicket_algo *algo,
			 const struct wicket_cfg *cfg, const struct actor *a,
			 uint32_t who, const struct wicket_access *access)
{
	struct culprit c = { algo, cfg, a, who };
	const char *wrong = wicket_wrong_access(access, algo->registers(cfg));

	if (wrong)
		refuse(&c, wrong, access->reg);
}

_Noreturn void breach_no_buffer(const struct wicket_algo *algo,
				const struct wicket_cfg *cfg,
				const struct actor *a, uint32_t who,
				uint32_t reg)
{
	struct culprit c = { algo, cfg, a, who };

	refuse(&c,
	       "has a quotient, but would keep in a buffer what it stores in register",
	       reg);
}

void breach_check_region(const struct wicket_algo *algo,
			 const struct wicket_cfg *cfg, const struct actor *a,
			 uint32_t who)
{
	struct culprit c = { algo, cfg, a, who };
	uint32_t region = who > cfg->n ? WICKET_REMAINDER :
					 algo->region(cfg, a->proc);
	const char *wrong = wicket_wrong_region(region);

	if (wrong)
		refuse(&c, wrong, region);
}

void breach_check_outcome(const struct wicket_algo *algo,
			  const struct wicket_cfg *cfg, const struct actor *a,
			  uint32_t who, struct wicket_value held,
			  const struct outcome *o)
{
	struct culprit c = { algo, cfg, a, who };
	struct wicket_register reg = algo->reg(cfg, o->access.reg);
	const char *wrong = NULL;
	/* who begins a safe write, or falls asleep, has not written yet */
	bool later = o->actor.mode & (ACTOR_WRITING | ACTOR_ASLEEP);

	if (wicket_is_beyond(algo, cfg, o->value))
		reg.range = 0; /* numbers grow; the range ends at the cap */
	if (!later && wicket_writes(&o->access, held))
		wrong = wicket_wrong_write(&reg, who, o->value);
	if (wrong)
		refuse(&c, wrong, o->access.reg);
	if (o->wakes && o->wake >= algo->registers(cfg))
		refuse(&c,
		       "wakes sleepers on a register that does not exist, register",
		       o->wake);
}
