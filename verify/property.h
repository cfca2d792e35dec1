/* SPDX-License-Identifier: MIT */
/*
 * property - the properties of the papers, decided as they are defined.
 *
 * FLBB 1989, sections 3.3 and 3.4.  A process is Z-enabled if every schedule
 * in which it occurs infinitely often brings it into region Z, whatever the
 * others do: it is not, iff a cycle with a step of it can be reached without
 * it ever being in Z.
 */
#ifndef VERIFY_PROPERTY_H
#define VERIFY_PROPERTY_H

#include "verify/graph.h"

/* A schedule that breaks a property: processes from 1. */
struct schedule {
	uint32_t length;
	uint8_t *step;
	bool infinite; /* the steps from stem on repeat for ever */
	uint32_t stem;
	/* what the definition asks for holds from after this many steps on */
	uint32_t from;
	uint32_t victim, culprit; /* who was overtaken, by whom; or 0 */
};

enum verdict { FAILS, HOLDS, UNDECIDED };

struct finding {
	const char *property;
	enum verdict verdict;
	struct schedule schedule; /* if it fails */
};

/* Who is enabled in which state; computed once, when first needed. */
struct enabled {
	bool known, exits; /* exits: some state has a process in E */
	struct store c, r; /* uint16_t by state: set of processes */
};

/*
 * Decides one property, by its name; finding->property stays that pointer.
 * False: nobody knows a property or invariant of this name.
 */
bool property_decide(struct graph *g, struct enabled *en, const char *name,
		     struct finding *finding);
void property_free(struct finding *finding);
void enabled_free(struct graph *g, struct enabled *en);

/* The names behind a set of enum wicket_claim; ends with a null pointer. */
extern const char *const property_names[];
bool property_known(const struct wicket_algo *algo, const char *name);

/*
 * Does this very schedule break the property?  Used on schedules that come
 * from elsewhere.  Null if it does, else why not.
 */
const char *property_judge(struct graph *g, struct enabled *en,
			   const char *name, const struct schedule *schedule);

#endif
