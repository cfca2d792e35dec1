/* SPDX-License-Identifier: MIT */
/*
 * lists - the numbers and the texts of an algorithm's variants, mutants and invariants,
 * made of one list of each.
 */
#ifndef WICKET_ALGO_LISTS_H
#define WICKET_ALGO_LISTS_H

#include "step/step.h"

#define LISTS_NUMBER(number, ...)		  number,
#define LISTS_VARIANT(number, name, text)	  { name, text },
#define LISTS_MUTANT(number, name, text, variant) { name, text, variant },
#define LISTS_INVARIANT(number, text)		  { #number, text },

/* Of a variant and a mutant 0 is none: wicket_cfg counts from 1. */
#define MAKE_OF_LISTS(VARIANTS, MUTANTS, INVARIANTS)                           \
	enum variant { PLAIN, VARIANTS(LISTS_NUMBER) };                        \
	enum mutant { FAITHFUL, MUTANTS(LISTS_NUMBER) };                       \
	enum invariant { INVARIANTS(LISTS_NUMBER) };                           \
	static const struct wicket_named variants[] = { VARIANTS(              \
		LISTS_VARIANT){ 0, 0 } };                                      \
	static const struct wicket_mutant mutants[] = { MUTANTS(LISTS_MUTANT){ \
		0, 0, 0 } };                                                   \
	static const struct wicket_named invariants[] = { INVARIANTS(          \
		LISTS_INVARIANT){ 0, 0 } }

#endif
