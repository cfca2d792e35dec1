/* SPDX-License-Identifier: MIT */
/*
 * unfinished - a registry in which one-bit lacks what the environment variable
 * UNFINISHED names, or, if that is wild, in which process 2 uses a
 * register that does not exist; for a wicket-verify that has this one instead of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "algo/algo.h"

static const struct wicket_algo *const finished = &wicket_one_bit;
static struct wicket_algo unfinished;

#define wicket_one_bit unfinished
#include "algo/registry.c" /* NOLINT */

#define LACKS(what, part)                                                      \
	do {                                                                   \
		if (!strcmp(what, #part))                                      \
			unfinished.part = NULL;                                \
	} while (0)

static struct wicket_access wild(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	struct wicket_access a = finished->access(c, p);

	if (p.self == 2)
		a.reg = 1u << 30;
	return a;
}

__attribute__((constructor)) static void leave_out(void)
{
	const char *what = getenv("UNFINISHED");

	unfinished = *finished;
	if (!what)
		return;
	LACKS(what, name);
	LACKS(what, title);
	LACKS(what, source);
	LACKS(what, registers);
	LACKS(what, reg);
	LACKS(what, step);
	LACKS(what, bound);
	if (!strcmp(what, "wild"))
		unfinished.access = wild;
}
