/* SPDX-License-Identifier: MIT */
/* run - what `wicket run` was asked for. */
#ifndef TOOL_RUN_H
#define TOOL_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "tool/line.h"
#include "tool/store.h"
#include "tool/turn.h"

enum { RUN_ALL_UNITS = UINT16_MAX };

/* What to do if it runs in a slot of this line already. */
enum nested { NESTED_UNSAID, NESTED_PASS, NESTED_TAKE, NESTED_REFUSE };

struct request {
	const char *name;
	char **command;
	char *shell[4]; /* the command, if it is a string */
	uint32_t slots; /* 0: not said */
	uint32_t mode;	/* 0: not said */
	uint32_t conflict_code;
	uint32_t units;	 /* 0: not said */
	uint32_t ttl;	 /* 0: not said */
	uint32_t values; /* of the map */
	enum nested nested;
	const char *slot_var, *map;
	bool is_string, closes, has_timeout, trusts;
	struct patience patience;
	const struct store *store; /* null: on this machine */
};

/* Opens the line, in a file, and waits for a slot; exits if there is none to have. */
void here_enter(const struct request *r, struct line *line,
		struct grant *grant);

/* Fails if the map has too few values for so many slots. */
void check_values(const struct request *r, uint32_t slots);

/* The line has so many slots, which is not what -j says: the exit code. */
int say_disagreement(const struct request *r, uint32_t slots);

#endif
