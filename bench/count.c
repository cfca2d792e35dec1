/* SPDX-License-Identifier: MIT */
#include "count.h"

#include <stdbool.h>
#include <string.h>

static _Thread_local struct {
	uint64_t steps, failed;
} seen[COUNTS];

#ifdef WICKET_TRACED
#include "line/trace.h"

void trace_before(void)
{
}

void trace_order(enum trace_order by)
{
	(void)by;
}

void trace_seeks(uint32_t ticket)
{
	(void)ticket;
}

void trace_after(enum pc at, enum trace_kind kind, uint32_t index, uint64_t a,
		 uint64_t b, uint64_t c, uint64_t d, int met)
{
	bool swaps = kind == CAS_W || kind == CAS_SLOT || kind == CAS_SEAT ||
		     kind == CAS_FUT;

	(void)index, (void)a, (void)b, (void)c, (void)d;
	seen[at].steps++;
	seen[at].failed += swaps && !met;
}

const char *count_name(uint32_t i)
{
#define NAME(operation, pc, text) text,
	static const char *const names[] = { RECOVERABLE_PCS(NAME) };
#undef NAME

	return names[i];
}
#else
const char *count_name(uint32_t i)
{
	(void)i;
	return "";
}
#endif

void count_begin(void)
{
	memset(seen, 0, sizeof(seen));
}

void count_end(struct count counts[COUNTS])
{
	for (uint32_t i = 0; i < COUNTS; i++)
		counts[i] = (struct count){ (double)seen[i].steps,
					    (double)seen[i].failed };
}

void count_add(struct count counts[COUNTS], const struct count more[COUNTS])
{
	for (uint32_t i = 0; i < COUNTS; i++) {
		counts[i].steps += more[i].steps;
		counts[i].failed += more[i].failed;
	}
}

void count_divide(struct count counts[COUNTS], double by)
{
	for (uint32_t i = 0; i < COUNTS; i++) {
		counts[i].steps /= by;
		counts[i].failed /= by;
	}
}
