/* SPDX-License-Identifier: MIT */
/*
 * stage - a line with a victim on it, and others: who is there, what they do
 * while the victim stands still, and whether anything is lost when it is dead.
 */
#ifndef STAGE_H
#define STAGE_H

#include "actor.h"
#include "trace.h"

/* What others do while the victim stands at the point where it will die. */
enum mode {
	ALONE = 1,
	TRIED = 2,    /* one comes, tries, and leaves */
	AWAITED = 4,  /* who holds leaves; one comes, and waits if it must */
	FOLLOWED = 8, /* one comes and waits behind it; who holds, holds on */
	STOPPED = 16, /* all who are there leave; others come and go */
};

/*
 * Who is there before the victim sits down, and who comes between that and its
 * operation, in order:
 *   h  one that holds a slot, and leaves when asked or when it is all over
 *   w  one that waits
 *   g  one that gave up: its ticket is still in line
 *   d  as h, but it holds two slots; q: as w, but it waits for two
 * The same in capitals, and K, t, r and o: one that is killed when all are there; K
 * holds on behalf of a command, which dies too, t, r and o are killed right after
 * their take, their release, or how many slots shall be open, went into W.  Before o
 * all slots are closed.
 */
struct scenario {
	const char *name;
	uint32_t slots, seats;
	int (*prepare)(void), (*operate)(void); /* the victim */
	unsigned modes;
	char before[6], after[6];
	uint32_t laps; /* of the victim, before */
	/* then those who are there leave; or, if nobody is, one comes by */
	struct trace_event event;
	int result;
	bool may_be_gone; /* the line is created or removed */
	bool from_lock;	  /* up to the first locked instruction, nothing new */
	bool resized;	  /* how many slots are open in the end is open */
};

/* What a victim does: 0 or -errno. */
int nothing(void);
int join(void);
int sit(void);	 /* join, and the laps */
int enter(void); /* sit, and acquire */
int acquire(void);
int release(void);
int keep(void);
int enter_and_keep(void);
int enter_to_be_joined(void);
int join_slot(void);
int enter_and_join(void);
int go(void);
int cancel(void); /* itself, then acquire */
int time_out(void);
int acquire_two(void);
int enter_two(void);
int release_one(void); /* of several */
int time_out_two(void);
int leave(void);
int remove_line(void);
int sit_closed(void);	 /* sit, and close all slots */
int sit_narrow(void);	 /* or all but one */
int enter_closing(void); /* enter, and another closes all slots */
int shrink(void);	 /* to one slot */
int drain(void);
int grow(void); /* to all slots */

/* All that follows: false if something is wrong, and stage_wrong says what. */
extern char stage_wrong[ACTOR_TEXT + 100];
extern struct actor stage_victim;

bool stage_complain(const char *who, const char *what);

/* In a directory that is there, and empty. */
bool stage_set_up(const struct scenario *s, const char *dir);

/* The scenario's event. */
bool stage_event(void);

/* The operation is over, and went as it should. */
bool stage_result(void);

bool stage_meanwhile(enum mode mode);

/* Kills the victim: those in line get in, all slots can be taken, each once,
   and not one more, and nothing is left. */
bool stage_judge(void);

void stage_clear(void);

#endif
