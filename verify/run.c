/* SPDX-License-Identifier: MIT */
#include "verify/run.h"

void run_start(struct run *run, const struct wicket_algo *algo,
	       const struct wicket_cfg *cfg)
{
	*run = (struct run){
		.algo = algo,
		.cfg = *cfg,
		.regs = algo->registers(cfg),
		.procs = wicket_processes(algo, cfg),
	};
	for (uint32_t r = 0; r < run->regs; r++)
		run->reg[r] = algo->reg(cfg, r).start;
	for (uint32_t i = 0; i < run->procs; i++)
		run->proc[i] = algo->start(cfg, i + 1);
}

struct wicket_result run_perform(const struct wicket_algo *algo,
				 const struct wicket_cfg *cfg,
				 struct wicket_proc p,
				 struct wicket_access access,
				 struct wicket_value seen)
{
	/* who stores does not see */
	struct wicket_value met = access.kind == WICKET_STORE ?
					  wicket_number(0) :
					  seen;
	struct wicket_result r;

	if (access.kind == WICKET_REST)
		return (struct wicket_result){ .proc = p, .put = seen };
	r = algo->step(cfg, p, met);
	if (access.kind == WICKET_LOAD || access.kind == WICKET_AWAIT ||
	    (access.kind == WICKET_CAS &&
	     !wicket_value_equal(seen, access.expect)))
		r.put = seen;
	return r;
}

void run_step(struct run *run, uint32_t i)
{
	struct wicket_proc *p = &run->proc[i - 1];
	struct wicket_access a = run->algo->access(&run->cfg, *p);
	struct wicket_result r = run_perform(run->algo, &run->cfg, *p, a,
					     run->reg[a.reg]);

	*p = r.proc;
	run->reg[a.reg] = r.put;
}

enum wicket_region run_region(const struct run *run, uint32_t i)
{
	if (i > run->cfg.n) /* helpers have none */
		return WICKET_REMAINDER;
	return run->algo->region(&run->cfg, run->proc[i - 1]);
}
