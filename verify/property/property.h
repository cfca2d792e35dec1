/* SPDX-License-Identifier: MIT */
/*
 * property - the properties of the papers, decided as they are defined.
 *
 *   safety           k-exclusion and the algorithms' own invariants (here)
 *   flbb-1989.c      the 1989 properties: any schedule, enabledness
 *   c2.c             (C2) of 1979: how many failures it takes to deadlock
 *   bypass.c         how often others may come first: (C3) to (C5), bypass
 *   c6.c             (C6), and the order of entry and return
 *   liveness.c       the register algorithms': fair schedules
 *   growth.c         whether numbers grow without bound
 */
#ifndef VERIFY_PROPERTY_H
#define VERIFY_PROPERTY_H

#include "verify/explore/run.h"
#include "verify/property/enabled.h"
#include "verify/search/schedule.h"

enum verdict { FAILS, HOLDS, UNDECIDED };

enum { BOUND_NONE = -1, BOUND_UNBOUNDED = -2 };

struct finding {
	const char *property;
	enum verdict verdict;
	struct schedule schedule; /* if it fails */
	int64_t bound;		  /* or one of the above */
	uint32_t victims;	  /* set of processes */
	const char *part; /* of a property that has parts, which fails */
};

/*
 * Decides properties and invariants that property_known knows by their names;
 * finding[i].property stays the pointer name[i].
 */
void property_decide(struct graph *g, const char *const *name,
		     struct finding *finding, uint32_t count);
void property_free(struct finding *finding);

/* The names of enum wicket_claim, bit by bit; ends with a null pointer. */
extern const char *const property_names[];
bool property_known(const struct wicket_algo *algo, const char *name);
/* Why a known property cannot be asked of the algorithm; null: it can. */
const char *property_unfit(const struct wicket_algo *algo, const char *name);

/*
 * Is it a property of states?  Then a run alone can show that it is broken:
 * is it, in the state that the run is in?
 */
bool property_is_safety(const struct wicket_algo *algo, const char *name);
bool property_is_broken(const struct run *run, const char *name);

/*
 * Does this very schedule, which comes from elsewhere, break a property that
 * is not one of states?  Null if it does, else why not.
 */
const char *property_judge(struct graph *g, struct enabled *en,
			   const char *name, const struct schedule *schedule);

/* flbb-1989.c */
void problem_deadlock(struct graph *g, struct enabled *en, struct finding *f);
/* Of a k-deadlock: the processes in T or E, and the helpers, that could act
   throughout its cycle and do not. */
uint32_t problem_stopped(const struct wicket_algo *algo,
			 const struct wicket_cfg *cfg,
			 const struct world *world, const struct schedule *s);
void problem_fifo(struct graph *g, struct enabled *en, struct finding *f);
const char *problem_judge_deadlock(struct graph *g, struct enabled *en,
				   const struct schedule *s,
				   const uint32_t *state, const uint64_t *edge);
const char *problem_judge_fifo(struct graph *g, struct enabled *en,
			       const struct schedule *s, const uint32_t *state);

/* liveness.c: claim is the property's bit */
void liveness_decide(struct graph *g, uint32_t claim, struct finding *f);
const char *liveness_judge(struct graph *g, uint32_t claim,
			   const struct schedule *s, const uint32_t *state,
			   const uint64_t *edge);

/* bypass.c: the wait is counted from this point on (0: from leaving R) */
void bypass_decide(struct graph *g, uint32_t point, struct finding *f);
const char *bypass_judge(struct graph *g, uint32_t point,
			 const struct schedule *s, const uint32_t *state,
			 const uint64_t *edge);
/* claim: one of WICKET_C3 to WICKET_C5_ENABLING */
void waiting_decide(struct graph *g, struct enabled *en, uint32_t claim,
		    struct finding *f);
const char *waiting_judge(struct graph *g, struct enabled *en, uint32_t claim,
			  const struct schedule *s, const uint32_t *state,
			  const uint64_t *edge);

/* c2.c; bound: the greatest K for which no (K,k)-deadlock exists */
void robust_decide(struct graph *g, struct enabled *en, struct finding *f);
const char *robust_judge(struct graph *g, struct enabled *en,
			 const struct schedule *s, const uint32_t *state,
			 const uint64_t *edge);

/* c6.c */
void queuelike_decide(struct graph *g, struct enabled *en, struct finding *f);
const char *queuelike_judge(struct graph *g, struct enabled *en,
			    const struct schedule *s, const uint32_t *state,
			    const uint64_t *edge);
void order_decide(struct graph *g, struct finding *f);
const char *order_judge(const struct graph *g, const struct schedule *s,
			const uint32_t *state);

/* It fails: a state is not as it should be. */
void property_fail_in_state(const struct graph *g, uint32_t state,
			    struct finding *f);

/* growth.c */
void growth_decide(struct graph *g, struct finding *f);
const char *growth_judge(struct graph *g, const struct schedule *s,
			 const uint32_t *state, const uint64_t *edge);

#endif
