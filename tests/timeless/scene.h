/* SPDX-License-Identifier: MIT */
/*
 * scene - people (processes) who come to a line, enter, leave, give up, are
 * stopped and die, one event at a time, and what first come, first served says
 * about each event: who must be inside once everybody has come to rest.
 *
 * A process is at rest if it is inside or asleep for good (asleep.h).  If all are, nothing
 * will ever happen by itself: whoever should be inside then and sleeps has missed
 * a wake-up, and waits for no clock to tell.
 */
#ifndef WICKET_SCENE_H
#define WICKET_SCENE_H

#include "../stress/stress.h"

enum death {
	KILLED,
	EXITS,
	EXECS,	     /* another program, which goes on */
	THREAD_ENDS, /* that of the handle; its process goes on */
	DEATHS,
};

/* To be called first by main: a person may have become this program. */
void be_an_extra(int argc, char **argv);

/* A line, and nobody there; the end of all who are. */
void open_scene(uint32_t slots);
void close_scene(void);

/* Called before each event, when all are at rest; may be null. */
extern void (*before_event)(void);

/*
 * The events.  People have numbers from 0 on, in the order in which they come.
 * Each returns when all are at rest: are those inside who should be?
 */
bool let_come(uint32_t count);
bool let_leave(uint32_t who);
bool let_die(uint32_t who, enum death how); /* who waits can only be KILLED */
bool let_give_up(uint32_t who);
bool let_stop(uint32_t who);
bool let_go_on(uint32_t who);

/* All who are left leave, one after another; then all slots are back. */
bool let_all_leave(void);

/* So many events, as the dice have it. */
bool let_anything_happen(uint32_t events, struct dice *d);

/* The last event left somebody asleep who should be inside. */
bool is_stuck(void);

#endif
