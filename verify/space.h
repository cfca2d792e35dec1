/* SPDX-License-Identifier: MIT */
/*
 * space - how many shared values: reached, at most and at least by the papers'
 * theorems, and with values merged that nobody can tell apart.
 */
#ifndef VERIFY_SPACE_H
#define VERIFY_SPACE_H

#include "verify/check.h"
#include "verify/space/forced.h"

enum { SPACE_NAME = 64 };

/* One algorithm at one size; numbers that are not known are 0. */
struct space {
	char name[SPACE_NAME];
	struct task task; /* its name is the one above */
	bool whole;	/* one variable, which every step reads and rewrites */
	bool unbounded; /* its values grow for ever */
	bool too_large; /* it would take longer than seconds to count them */
	bool has_premise;
	enum verdict premise; /* if it fails, there are no bounds */
	uint64_t reached;
	uint32_t
		bits; /* for the values reached; or, if these are not counted for
			  any size, of all registers */
	uint64_t upper, sharper, lower;
	uint32_t theorem; /* which gives the lower bound */
	uint32_t at_least, at_most, canonical;
	struct forced pairs, all;
	enum budget_end end;
};

/* Fills in all but name and task; those are given. */
void space_measure(struct space *s);

/*
 * Of every algorithm and variant of the registry that admits the size of the task;
 * plot: a file for a picture over all sizes up to n, or null.  Returns 0, 69 or 75.
 */
int space_run(const struct task *task, bool json, const char *plot);

/* A picture of the upper bounds for this k and r, and n up to 65536, each relative
   to the first. */
void space_growth(const struct wicket_cfg *size, const char *plot);

/* Bits of a line of production as n and k grow. */
void space_bits(bool json);

#endif
