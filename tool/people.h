/* SPDX-License-Identifier: MIT */
/* people - the process behind a pid, as /proc shows it at this moment. */
#ifndef TOOL_PEOPLE_H
#define TOOL_PEOPLE_H

#include <stdbool.h>
#include <stdint.h>

struct person {
	char comm[64]; /* printable; empty: there is no such process */
	char state;    /* the letter of proc(5), T being stopped */
	int32_t parent;
	char *command;	 /* its arguments, printable; null: it shows none */
	uint32_t inside; /* 1 + the slot in which it was started; 0: none */
};

/* Allocates command: see person_forget. */
void person_find(struct person *person, int32_t pid);
void person_forget(struct person *person);

/* The parent of a process; 0: there is none to be seen. */
int32_t person_parent(int32_t pid);

bool person_is_stopped(const struct person *person);

#endif
