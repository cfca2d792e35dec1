/* SPDX-License-Identifier: MIT */
/* plot - lines over a few sizes, on a logarithmic scale, as SVG. */
#ifndef VERIFY_PLOT_H
#define VERIFY_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PLOT_SIZES = 16, PLOT_LINES = 32, PLOT_LABEL = 96 };

enum plot_stroke { PLOT_SOLID, PLOT_DASHED, PLOT_DOTTED };

struct plot_line {
	char name[PLOT_LABEL]; /* of whom; may be empty */
	const char *what;      /* of it; may be empty */
	uint32_t hue;	       /* 0: black */
	enum plot_stroke stroke;
	double y[PLOT_SIZES + 1]; /* by n, or by its logarithm; 0: not known */
};

struct plot {
	char title[PLOT_LABEL];
	uint32_t first, last; /* n, or its logarithm to base 2 */
	bool doubling;	      /* the latter */
	uint32_t lines, hues;
	struct plot_line line[PLOT_LINES];
};

/*
 * The line of this name and kind, a new one if need be; who has a name has a
 * hue.  Null: there is no room.
 */
struct plot_line *plot_line(struct plot *p, const char *name, const char *what,
			    enum plot_stroke stroke);

/* Each line relative to its value at the smallest size that is known; one that is
   known at one size only says nothing, and goes. */
void plot_relate(struct plot *p);

/* Lines of one kind that lie on each other become one, with all names. */
void plot_join(struct plot *p);

/* False: could not be written. */
bool plot_put(FILE *out, const struct plot *p);

#endif
