/* SPDX-License-Identifier: MIT */
/*
 * scan - would it cost anything if the library looked for the dead by the steps of
 * the model, access by access, instead of by a text of its own?  Both look at a
 * line of 16 seats, all taken and idle, in turn; no kernel is asked.
 */
#include "bench/scan.h"
#include "algo/algo.h"
#include "algo/recoverable/next.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 51, SCANS = 2000 };

static const struct wicket_cfg cfg = {
	.n = SEATS, .k = 1, .seats = SEATS, .variant = SEATED
};
static volatile struct wicket_value regs[WICKET_REGS_MAX];

static struct wicket_value load(uint32_t r)
{
	return (struct wicket_value){ { regs[r].w[0], regs[r].w[1],
					regs[r].w[2], regs[r].w[3] } };
}

static void sit_down(void)
{
	const struct wicket_algo *model = &wicket_recoverable;

	for (uint32_t r = 0; r < model->registers(&cfg); r++)
		regs[r] = model->reg(&cfg, r).start;
	for (uint32_t i = 0; i < SEATS; i++) {
		regs[seat_reg(&cfg, i)].w[0] = line_state(1, LINE_IDLE);
		regs[bell_reg(&cfg, i)].w[0] = LINE_ALIVE;
	}
	regs[life_reg(&cfg)].w[0] = ~(uint64_t)0;
}

static void scan_by_model(void)
{
	struct wicket_proc p = { .self = 1, .local = { [ME] = 1 } };

	for (p = scan(&cfg, p, SCAN_TRY); p.pc != TAKE_SEAT;) {
		uint32_t r = wicket_recoverable.access(&cfg, p).reg;

		p = wicket_recoverable.step(&cfg, p, load(r)).proc;
	}
}

static double nanoseconds(void (*scan_once)(void))
{
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	for (int i = 0; i < SCANS; i++)
		scan_once();
	clock_gettime(CLOCK_MONOTONIC, &b);
	return ((double)(b.tv_sec - a.tv_sec) * 1e9 +
		(double)(b.tv_nsec - a.tv_nsec)) /
	       SCANS / (SEATS - 1);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print(const char *what, double *value)
{
	qsort(value, ROUNDS, sizeof(*value), compare);
	printf("%-24s %8.1f %8.1f %8.1f\n", what, value[ROUNDS / 2],
	       value[ROUNDS / 4], value[ROUNDS * 3 / 4]);
}

int main(void)
{
	static double model[ROUNDS], library[ROUNDS], ratio[ROUNDS];

	sit_down();
	if (scan_prepare())
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		model[i] = nanoseconds(scan_by_model);
		library[i] = nanoseconds(scan_by_library);
		ratio[i] = model[i] / library[i];
	}
	puts("== looking for the dead: nanoseconds per seat, with quartiles");
	print("by the model's steps", model);
	print("by the library's text", library);
	print("ratio", ratio);
	return 0;
}
