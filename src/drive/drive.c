/* SPDX-License-Identifier: MIT */
#include "drive/drive.h"

#include <string.h>

#include "step/contract.h"

void drive_start(struct drive *d, const struct wicket_algo *algo,
		 const struct wicket_cfg *cfg, struct drive_shared *shared,
		 enum drive_order order)
{
	*d = (struct drive){
		.algo = algo,
		.cfg = *cfg,
		.regs = algo->registers(cfg),
		.memory = { .shared = shared, .order = order },
	};
	for (uint32_t r = 0; r < algo->registers(cfg); r++)
		drive_memory_start(&d->memory, r, algo->reg(cfg, r));
}

static bool is_start(const struct drive *d, uint32_t who, struct wicket_proc p)
{
	struct wicket_proc start = d->algo->start(&d->cfg, who);

	return !memcmp(&p, &start, sizeof(p));
}

/* What the failure of a process leaves: that of one that has just left R. */
static bool dies(struct drive *d, uint32_t who)
{
	const struct wicket_algo *algo = d->algo;
	struct wicket_proc p = algo->start(&d->cfg, who);
	uint32_t reg = algo->access(&d->cfg, p).reg, stores = 0;

	p = algo->step(&d->cfg, p, algo->reg(&d->cfg, reg).start).proc;
	p = algo->event(&d->cfg, p, WICKET_FAIL);
	for (; !is_start(d, who, p); stores++) {
		struct wicket_access a = algo->access(&d->cfg, p);
		struct wicket_result r;

		if (a.kind != WICKET_STORE || stores == WICKET_REGS_MAX ||
		    algo->reg(&d->cfg, a.reg).owner != who)
			return false;
		r = algo->step(&d->cfg, p, wicket_number(0));
		d->memory.dies[a.reg] = who;
		d->memory.dead[a.reg] = r.put;
		p = r.proc;
	}
	return stores;
}

bool drive_may_die(struct drive *d)
{
	bool all = d->algo->event;

	for (uint32_t who = 1; all && who <= d->cfg.n; who++)
		all = dies(d, who);
	return all;
}

/* RMW and CAS: step() again and again until nobody was faster. */
static struct wicket_result update(const struct drive *d, uint32_t who,
				   struct wicket_proc p,
				   const struct wicket_access *a)
{
	struct wicket_result r;
	struct drive_seen seen;

	do {
		seen = drive_look(&d->memory, a->reg);
		r = d->algo->step(&d->cfg, p, seen.value);
	} while (!(a->kind == WICKET_CAS &&
		   !wicket_is_expected(a, seen.value)) &&
		 !wicket_value_equal(r.put, seen.value) &&
		 !drive_swap(&d->memory, who, a->reg, seen, r.put));
	return r;
}

/* Nothing is done then: there is no such place in memory. */
static bool is_breach(const struct drive *d, uint32_t who,
		      const struct wicket_access *a)
{
	if (!wicket_wrong_access(a, d->regs))
		return false;
	atomic_store_explicit(&d->memory.shared->breach,
			      (uint64_t)who << 32 | a->reg,
			      memory_order_relaxed);
	return true;
}

bool drive_step(const struct drive *d, uint32_t who, struct wicket_proc *p)
{
	const struct drive_memory *m = &d->memory;
	struct wicket_access a = d->algo->access(&d->cfg, *p);
	struct wicket_result r;
	struct drive_seen seen;

	if (is_breach(d, who, &a))
		return false;
	switch (a.kind) {
	case WICKET_REST:
		return false;
	case WICKET_STORE: /* who stores does not see */
		r = d->algo->step(&d->cfg, *p, wicket_number(0));
		drive_store(m, who, &a, r.put);
		break;
	case WICKET_FENCE:
		drive_fence(m, who);
		r = d->algo->step(&d->cfg, *p, wicket_number(0));
		break;
	case WICKET_RMW:
	case WICKET_CAS:
		r = update(d, who, *p, &a);
		break;
	case WICKET_SLEEP:
		seen = drive_look(m, a.reg);
		if (wicket_is_expected(&a, seen.value))
			drive_sleep(m, a.reg, seen);
		/* fall through */
	default: /* LOAD, AWAIT */
		seen.value = drive_load(m, who, a.reg);
		r = d->algo->step(&d->cfg, *p, wicket_part(&a, seen.value));
		break;
	}
	*p = r.proc;
	if (r.wakes && r.wake < d->regs)
		drive_wake(m, r.wake, r.wakes);
	return true;
}
