/* SPDX-License-Identifier: MIT */
/*
 * budget - how much memory and time and how many threads a run may use, and the
 * progress it shows.
 *
 * Whoever works long calls budget_tick() now and then and stops when it says
 * no; whoever needs much memory keeps it in a store, which asks first.  A run
 * that stopped has decided nothing.  Stores may grow in several threads; all else
 * is for the one that has started the run.
 */
#ifndef VERIFY_BUDGET_H
#define VERIFY_BUDGET_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum budget_end { BUDGET_LEFT, BUDGET_MEMORY, BUDGET_TIME };

/* What the user allows. */
struct limits {
	size_t memory;	  /* bytes; 0: what is free */
	double timeout;	  /* seconds; 0: none */
	uint32_t threads; /* 0: as many as there are processors */
};

struct budget {
	pthread_mutex_t lock;	  /* while a store grows */
	size_t limit, used, peak; /* bytes */
	uint64_t most;		  /* states; more count as too much memory; 0:
				     any number */
	double started, deadline; /* seconds, monotonic */
	double shown;		  /* when progress was last shown */
	bool progress;		  /* stderr is a terminal */
	uint32_t threads;	  /* see limits */
	enum budget_end end;
};

void budget_start(struct budget *b, const struct limits *limits);
double budget_seconds(const struct budget *b);

/* False once the time is up; done of total (0: unknown) units of what. */
bool budget_tick(struct budget *b, const char *what, uint64_t done,
		 uint64_t total);
/* The exit code of a run that ended so: 69 or 75. */
int budget_exit(enum budget_end end);

/* Removes the progress line from the terminal. */
void budget_quiet(struct budget *b);

/* An array that grows; what is new in it is not initialised. */
struct store {
	void *base;
	size_t room; /* bytes */
};

/* Makes room for bytes; false (and the store as before) if it may not. */
bool store_room(struct store *s, struct budget *b, size_t bytes);
/* The same, without more room than that. */
bool store_exactly(struct store *s, struct budget *b, size_t bytes);
void store_free(struct store *s, struct budget *b);

#endif
