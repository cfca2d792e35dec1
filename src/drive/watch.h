/* SPDX-License-Identifier: MIT */
/*
 * watch - what can be seen of a run from outside while it goes on: who is
 * inside, who is overtaken, how long it takes.
 *
 * Inside     a bit a process, set after the step that enters C and cleared
 *            before the step that leaves it: those counted together were
 *            inside together.
 * Overtaken  a process that comes notes, before its first step, who is trying
 *            already, having taken its own; when it is inside, those of them
 *            who still try have been overtaken.  What counts is what the
 *            overtaken saw of it before it took the step that let it in.
 * So neither is ever counted in vain; some may be missed.
 *
 * None of it orders the algorithm's accesses while a process tries: that would
 * hide what happens without order.
 */
#ifndef DRIVE_WATCH_H
#define DRIVE_WATCH_H

#include "drive/memory.h"

/* Of one process; written by itself, but for the first word. */
struct drive_record {
	/* NUMBER:COUNT:TRYING */
	_Alignas(DRIVE_APART) _Atomic uint64_t attempt;
	_Alignas(DRIVE_APART) _Atomic uint64_t since; /* it tries, ns; or 0 */
	_Atomic uint64_t entries;
	_Atomic uint64_t longest; /* wait, ns */
	_Atomic uint64_t overtaken, most_overtaken;
	_Atomic uint64_t most_inside;
};

struct drive_scene {
	_Alignas(DRIVE_APART) _Atomic uint32_t inside;
	/* Plain on purpose: who is alone inside needs no more, and
	   ThreadSanitizer notices if it is not alone. */
	_Alignas(DRIVE_APART) uint64_t ledger;
	struct drive_record of[WICKET_PROCS_MAX];
};

/* A process as it watches itself; starts as zeros but for the first four. */
struct drive_watch {
	struct drive_scene *scene;
	const struct drive_memory *deaths; /* null: nobody is killed */
	uint32_t who, n;
	bool alone;			/* k = 1 */
	uint64_t met[WICKET_PROCS_MAX]; /* attempts that were on when it came */
	uint64_t overtaken;
};

/* Call them before and after every step. */
void drive_watch_before(struct drive_watch *w, enum wicket_region was);
void drive_watch_after(struct drive_watch *w, enum wicket_region was,
		       enum wicket_region is);

/* Process who has died and will live again: what it was at is over.  True: it
   was inside. */
bool drive_watch_died(struct drive_scene *scene, uint32_t who);

/* Process who has died for good, and nobody knows: if it was inside, which is the
   result, there it stays. */
bool drive_watch_stopped(struct drive_scene *scene, uint32_t who);

uint64_t drive_now(void); /* ns */

#endif
