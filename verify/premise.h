/* SPDX-License-Identifier: MIT */
/*
 * premise - what must hold of the original before anything can be said of a system
 * that was made from it.
 *
 * A supervisor can be eliminated if his system is simulatable (FLBB 1979, Lemma
 * 4.3).  If it is not, the result may still be good, which is decided as of any
 * other system; but the lemma says nothing of it, nor does its bound.
 */
#ifndef VERIFY_PREMISE_H
#define VERIFY_PREMISE_H

#include "verify/explore/task.h"
#include "verify/property/property.h"

enum { PREMISE_NAME = 64 };

struct premise {
	bool there;		 /* else it needs none */
	char name[PREMISE_NAME]; /* of the original */
	struct task task;	 /* the original */
	struct finding finding;	 /* simulatable, of the same n, k and r */
	uint64_t states;	 /* of the original, if it was explored */
	enum budget_end end;	 /* why it was not decided */
};

/* Decides it, if there is one, within the budget; but memory that it lacked is
   there again for others. */
void premise_decide(struct premise *p, const struct task *task,
		    struct budget *budget);
void premise_free(struct premise *p);

bool premise_fails(const struct premise *p);
bool premise_is_undecided(const struct premise *p);

#endif
