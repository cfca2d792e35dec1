/* SPDX-License-Identifier: MIT */
/* check - explore one system and decide properties of it. */
#ifndef VERIFY_CHECK_H
#define VERIFY_CHECK_H

#include "verify/explore/task.h"
#include "verify/premise.h"

struct check {
	const struct task *task;
	struct premise premise; /* points to itself: not to be copied */
	bool complete;
	bool buffer_full; /* a process waited for room in its buffer */
	uint64_t states, transitions; /* or GRAPH_UNCOUNTED */
	uint32_t depth;		      /* of the farthest state */
	uint64_t representatives;     /* with symmetry: states that were kept */
	size_t bytes; /* the most memory that was used at a time, for all */
	uint64_t shared_values;		   /* 0: no memory to count them */
	uint64_t upper_bound, lower_bound; /* 0: none */
	double seconds;
	enum budget_end end;
	const char *unfit, *why; /* a property that cannot be asked of this
				    graph, or --symmetry, and why; null: there is
				    none */
	uint32_t findings;
	struct finding finding[FINDINGS_MAX];
};

/* Why it cannot be explored as it asks for; null: it can. */
const char *check_refuses(const struct task *task);

void check_run(struct check *c, const struct task *task);
void check_free(struct check *c);

/* 1 if a property or the premise fails, else 69 or 75 if one of them is undecided,
   else 0. */
int check_exit(const struct check *c);

#endif
