/* SPDX-License-Identifier: MIT */
/*
 * demo-node - the servers of a demonstration: a cluster of three, on free ports of
 * 127.0.0.1.  A thread asks each of them, again and again, whom it takes for the leader.
 */
#ifndef TOOL_DEMO_NODE_H
#define TOOL_DEMO_NODE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { NODES = 3 };

struct node {
	char name[8];
	char endpoint[32];
	char log[PATH_MAX];
	pid_t pid; /* 0: it is not started */
	bool killed;
	/* as it said last */
	bool answers;
	int leader; /* the number of a node, or -1 */
};

/* Starts them; their data and logs are in the directory.  A negative errno: the program
   cannot be run. */
int nodes_start(const char *etcd, const char *directory);

/* Begins to ask, after they were started. */
int nodes_watch(void);
/* They register what they do at exit. */
void nodes_load_libraries(void);

/* What is known now; all is copied. */
void nodes_look(struct node nodes[NODES]);

/* All that live answer, and agree on one of them: its number, or -1. */
int nodes_leader(void);

/* Kills one of them: SIGKILL.  Its pid, or 0: there was none any more. */
pid_t node_kill(int number);

/* One that ended, and was not killed; or -1. */
int nodes_find_ended(void);

/* The endpoints, with commas between. */
void nodes_list(char *text, size_t size);

/* Stops asking, kills those that are left, and waits for their end. */
void nodes_end(void);

#endif
