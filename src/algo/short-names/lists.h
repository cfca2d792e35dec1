/* SPDX-License-Identifier: MIT */
/*
 * lists - program counters, and what there is one of each of: variants, mutants and
 * invariants.  Each list is written once; the numbers and the texts are made of it.
 */
#ifndef WICKET_SHORT_NAMES_LISTS_H
#define WICKET_SHORT_NAMES_LISTS_H

#include "algo/lists.h"
#include "algo/supervisor.h"

enum pc {
	ENTER = WICKET_FROM_R,
	TRY = WICKET_FROM_T,
	LEAVE = WICKET_FROM_C,
	ADVANCE, /* S0, the supervisor: an empty entry goes, a hidden one comes */
	FIRST,	 /* S1: the colour for the first of those who are hidden */
	SECOND,	  /* S2: the colour for the others; then they are asked */
	CONVERSE, /* S3: a bit at a time */
};

/* X(number, name, what it is) */
#define VARIANTS(X) X(LEAST, "least", "the exposed part has k+1 entries")

/* X(number, name, what it does wrong, in which variant) */
#define MUTANTS(X)                                                             \
	X(KEEP_ISSUING, "keep-issuing",                                        \
	  "the colour of an exposed name is issued again", 0)                  \
	X(NO_FAREWELL, "no-farewell",                                          \
	  "who has not answered in a round may do so later", LEAST)            \
	X(ROUND_SHORT, "round-short",                                          \
	  "a round ends while one too many has not answered", LEAST)           \
	X(DELETE_ALONE, "delete-alone",                                        \
	  "an entry is deleted before another can come", 0)                    \
	X(ONE_CHANNEL, "one-channel", "there is one conversation at a time",   \
	  LEAST)                                                               \
	X(UNMARKED, "unmarked",                                                \
	  "nobody is made a quitter before the others move up", 0)             \
	X(COLOUR_IN_USE, "colour-in-use",                                      \
	  "a new colour may be one of those hidden", LEAST)                    \
	X(FEW_COLOURS, "few-colours", "there are two colours less", LEAST)     \
	X(ONE_LESS, "one-colour-less", "there is one colour less", LEAST)

/* X(number, what it says) */
#define INVARIANTS(X)                                                          \
	X(N1, "each entry names one process; those in C are among k")          \
	X(N2, "the supervisor knows the tickets of the hidden")                \
	X(N3, "while anybody is hidden, exposed is full")                      \
	X(N4, "an exposed colour has few holders, and is not issued")          \
	X(N5, "colours that are issued or of a round are new")

MAKE_OF_LISTS(VARIANTS, MUTANTS, INVARIANTS);

#endif
