/* SPDX-License-Identifier: MIT */
/*
 * cold - what would it cost if the library joined, scanned, drove and removed by the
 * steps of the model, access by access, instead of by a text of its own?  Both take
 * turns on the same line of 16 seats, with the same contents; restoring these is part
 * of both times.
 */
#include "bench/cold.h"
#include "algo/recoverable/next.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 51, CALLS = 1000, WHOLE_CALLS = 20 };

static const struct wicket_proc driver = { .self = DRIVER + 1,
					   .local = { [ME] = DRIVER + 1 } };

static void scan_by_model(void)
{
	cold_run(scan(&cold_cfg, driver, SCAN_TRY));
}

static void drive_by_model(void)
{
	cold_run(drive(&cold_cfg, driver, HOLDER, DEAD_SEQ, DRIVE_ABANDON));
}

static void join_by_model(void)
{
	cold_run((struct wicket_proc){ .pc = JOIN_SEAT, .self = cold_life() });
	cold_introduce();
}

static void remove_by_model(void)
{
	cold_run(read_w(&cold_cfg, driver, AFTER_REMOVE));
}

static const struct row {
	const char *what;
	void (*before)(void), (*model)(void), (*library)(void);
	int asks;
} rows[] = {
	{ "scan", 0, scan_by_model, cold_scan, 0 },
	{ "scan, asking for each life", 0, scan_by_model, cold_scan, 1 },
	{ "remove, take it back", 0, remove_by_model, cold_remove, 0 },
	{ "leave, join the last seat", cold_leave_seat, join_by_model,
	  cold_join, 0 },
	{ "drive a dead holder", cold_dead_holder, drive_by_model, cold_drive,
	  0 },
	{ "and its heir, dead too", cold_dead_heir, drive_by_model, cold_drive,
	  0 },
	{ "or wake its heir", cold_living_heir, drive_by_model, cold_drive, 0 },
};

/* What a user calls, and what both sides of joining do besides. */
static const struct whole {
	const char *what;
	void (*call)(void);
} wholes[] = {
	{ "system calls of joining", cold_introduce },
	{ "wicket_open, wicket_close", cold_open_and_close },
	{ "the same, new; wicket_remove", cold_create_and_remove },
};

/* Of processor time: others may use the machine, too. */
static double nanoseconds(void (*before)(void), void (*call)(void), int calls)
{
	struct timespec a, b;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
	for (int i = 0; i < calls; i++) {
		if (before)
			before();
		call();
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
	return ((double)(b.tv_sec - a.tv_sec) * 1e9 +
		(double)(b.tv_nsec - a.tv_nsec)) /
	       calls;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median, and how far the quartiles are apart. */
static void print(double *value, int digits)
{
	qsort(value, ROUNDS, sizeof(*value), compare);
	printf(" %9.*f +-%-6.*f", digits, value[ROUNDS / 2], digits,
	       (value[ROUNDS * 3 / 4] - value[ROUNDS / 4]) / 2);
}

/* Do both leave the same? */
static void compare_contents(const struct row *row)
{
	uint64_t model[COLD_WORDS], library[COLD_WORDS];

	if (row->before)
		row->before();
	row->model();
	cold_contents(model);
	if (row->before)
		row->before();
	row->library();
	cold_contents(library);
	if (memcmp(model, library, sizeof(model))) {
		fprintf(stderr, "%s: not the same\n", row->what);
		exit(1);
	}
}

static void measure(const struct row *row)
{
	static double model[ROUNDS], library[ROUNDS], ratio[ROUNDS];

	cold_asks = row->asks;
	compare_contents(row);
	for (int i = 0; i < ROUNDS; i++) {
		model[i] = nanoseconds(row->before, row->model, CALLS);
		library[i] = nanoseconds(row->before, row->library, CALLS);
		ratio[i] = model[i] / library[i];
	}
	printf("%-28s", row->what);
	print(model, 0);
	print(library, 0);
	print(ratio, 1);
	putchar('\n');
}

static void measure_whole(const struct whole *whole)
{
	static double library[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		library[i] = nanoseconds(0, whole->call, WHOLE_CALLS);
	printf("%-28s %18s", whole->what, "");
	print(library, 0);
	putchar('\n');
}

int main(void)
{
	if (cold_open())
		return 1;
	puts("== join, scan, drive, remove: nanoseconds of processor time, +- half "
	     "of what lies between the quartiles");
	printf("%-28s %18s %18s %18s\n", "16 seats, 1 slot", "model's steps",
	       "library's text", "ratio");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		measure(&rows[i]);
	for (size_t i = 0; i < sizeof(wholes) / sizeof(*wholes); i++)
		measure_whole(&wholes[i]);
	return 0;
}
