/* SPDX-License-Identifier: MIT */
/* toy - what algorithms that are made for a test have in common. */
#ifndef TOY_H
#define TOY_H

#include "../unit.h"

#include "verify/explore/run.h"
#include "verify/property/property.h"

static inline uint32_t one_register(const struct wicket_cfg *c)
{
	(void)c;
	return 1;
}

/* A schedule in digits, processes from 1; each step must be possible. */
static inline void steps(struct run *run, const char *schedule)
{
	while (*schedule) {
		uint32_t i = (uint32_t)(*schedule++ - '1');
		uint16_t label = deed_label(i, DEED_STEP, 0);

		assert_true(run_can(run, label));
		run_do(run, label);
	}
}

/* Does the schedule break the property, by the verifier's own judgement? */
static inline bool is_broken_by(struct graph *g, struct enabled *en,
				const char *property, const struct schedule *s)
{
	const struct system *x = &g->system;
	struct run run;

	if (!property_is_safety(x->algo, property))
		return !property_judge(g, en, property, s);
	run_start(&run, x->algo, &x->cfg, &x->world);
	for (uint32_t t = 0; t < s->length; t++) {
		assert_true(run_can(&run, s->label[t]));
		run_do(&run, s->label[t]);
	}
	return property_is_broken(&run, property);
}

struct decided {
	bool complete;
	uint64_t shared;
	struct finding finding;
};

static inline struct decided decided(const struct wicket_algo *algo,
				     const struct wicket_cfg *c,
				     const char *property)
{
	struct enabled en = { 0 };
	struct budget budget;
	struct decided d;
	struct graph g;

	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, algo, c, &(struct world){ 0 }, &budget);
	d.complete = g.complete;
	d.shared = graph_shared_values(&g);
	assert_true(property_known(algo, property));
	property_decide(&g, &property, &d.finding, 1);
	assert_ptr_equal(d.finding.property, property);
	if (d.finding.verdict == FAILS)
		assert_true(
			is_broken_by(&g, &en, property, &d.finding.schedule));
	enabled_free(&en, &g);
	graph_free(&g);
	assert_int_equal(budget.used, 0);
	return d;
}

static inline void assert_decided(const struct wicket_algo *algo,
				  const struct wicket_cfg *c,
				  const char *property, enum verdict verdict)
{
	struct decided d = decided(algo, c, property);

	assert_true(d.complete);
	assert_int_equal(d.finding.verdict, verdict);
	property_free(&d.finding);
}

#endif
