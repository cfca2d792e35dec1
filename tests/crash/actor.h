/* SPDX-License-Identifier: MIT */
/*
 * actor - a process that plays a part: forked, told what to do and asked how it
 * went by short texts over a socket.  It dies with the test.
 */
#ifndef ACTOR_H
#define ACTOR_H

#include <stdbool.h>
#include <sys/types.h>

enum {
	ACTOR_LIMIT = 60, /* seconds, for whatever is waited for */
	ACTOR_FOR_EVER = -1,
	ACTOR_TEXT = 400, /* bytes */
};

struct actor {
	pid_t pid; /* 0: nobody */
	int fd;
};

/* In the child: part(its end of the socket, which), then exit. */
struct actor actor_start(void (*part)(int fd, int which), int which);
void actor_kill(struct actor *a);

__attribute__((format(printf, 2, 3))) void actor_say(int fd, const char *format,
						     ...);
/* What is said next, or that nothing is, for so many seconds. */
void actor_hear(int fd, char text[ACTOR_TEXT], int seconds);

/* Has it gone to sleep, or stopped? */
bool actor_rests(pid_t pid);

/* A short while, for who polls. */
void actor_nap(void);

#endif
