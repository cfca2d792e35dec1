/* SPDX-License-Identifier: MIT */
/*
 * property - the properties of the papers, decided as they are defined.
 *
 *   states.c         those that a state has or has not
 *   flbb-1989.c      the 1989 properties: any schedule, enabledness
 *   c2.c             (C2) of 1979: how many failures it takes to deadlock
 *   c3-c5.c          (C3) to (C5): how often others may come first
 *   bypass.c         the same for register algorithms
 *   c6.c             (C6), and the order of entry and return
 *   simulatable.c    may the supervisor be eliminated?
 *   simulates.c      does a system without him do what it did with him?
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
	const char *part;     /* of a property that has parts, which fails */
	uint32_t constant[3]; /* simulatable: c1, c2, c3 */
	/* simulatable, (R7) or (R8): c2 or c3, which no schedule shows, and what
	   the algorithm says it is at most; 0: a schedule does */
	uint32_t counted, claimed;
};

/*
 * Decides properties and invariants that property_known knows by their names;
 * finding[i].property stays the pointer name[i].
 */
void property_decide(struct graph *g, const char *const *name,
		     struct finding *finding, uint32_t count);
void property_free(struct finding *finding);

bool property_known(const struct wicket_algo *algo, const char *name);
/* Why a known property cannot be asked of the algorithm; null: it can. */
const char *property_unfit(const struct wicket_algo *algo, const char *name);

/* The same of its graph. */
const char *property_unfit_graph(const struct graph *g, const char *name);

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

/* It fails if a schedule was found; undecided unless the search is done. */
void property_conclude(struct finding *f, bool done);

/* It fails: a state is not as it should be, or one of its edges is not. */
void property_fail_in_state(const struct graph *g, uint32_t state,
			    struct finding *f);
void property_fail_by_step(const struct graph *g, uint32_t state, uint64_t edge,
			   struct finding *f);

/* --- the rows ------------------------------------------------------------- */

/* A property, asked of a graph. */
struct question {
	struct graph *g;
	struct enabled *en; /* what is known of it so far */
	const struct property *property;
	uint32_t point; /* bypass: the wait is counted from this point of the
			   algorithm on (0: from leaving R) */
};

struct property {
	const char *name;
	const char *says;
	uint32_t claim; /* its bit of enum wicket_claim */

	/* It speaks of a world in which processes fail and restart. */
	bool failures;
	/* Unless it is named it is asked only in such a world: the others that
	   its paper discusses are about crashes. */
	bool apart;
	/* It is broken by a finite schedule, without being one of states. */
	bool finite;
	/* It speaks of all schedules there are, so that one that goes beyond
	   the cap might be missed where it counts as none. */
	bool uncapped;
	/* It is asked only of numbers explored up to a cap, and its cycle ends
	   with greater ones. */
	bool growing;
	/* It speaks of steps that all see at once: it is not asked where a store
	   has been in a buffer. */
	bool unbuffered;
	/* It is asked only of systems with a supervisor. */
	bool supervised;
	/* It is asked only of systems made from one with a supervisor. */
	bool eliminated;
	/* Its bound is how many may fail. */
	bool robustness;

	/*
	 * A property of states: may it be broken in this one, as far as the
	 * numbers of its parts show, and is it in the state that the run is in?
	 * Both may be asked by several threads at once.
	 */
	bool (*suspect)(const struct system *s, const uint32_t *parts);
	bool (*broken)(const struct run *run);

	/* Any other: verdict and schedule; and property_judge, along the states
	   and edges of the schedule. */
	void (*decide)(const struct question *q, struct finding *f);
	const char *(*judge)(const struct question *q, const struct schedule *s,
			     const uint32_t *state, const uint64_t *edge);
	/* Who has stopped in a cycle that breaks it; null: the schedule says. */
	uint32_t (*stopped)(const struct wicket_algo *algo,
			    const struct wicket_cfg *cfg,
			    const struct world *world,
			    const struct schedule *s);
};

/* Each is defined at the end of the file that decides it. */
#define PROPERTY_ROW(bit, row) extern const struct property property_##row;
WICKET_CLAIMS(PROPERTY_ROW)
#undef PROPERTY_ROW

/* All of them, in the order of enum wicket_claim; ends with a null pointer. */
extern const struct property *const properties[];

/* Null: an invariant, or there is none of this name. */
const struct property *property_find(const char *name);

#endif
