/* SPDX-License-Identifier: MIT */
/*
 * model - wicket_check judged by the model: every state that walks of
 * algo/recoverable.c come through, deaths and all, written into a line's file,
 * is right; and where a mutant breaks an invariant that can be seen in the
 * words (R3, R4), something is wrong.
 */
#include "../../unit.h"

#include "algo/recoverable.c"
#include "line/handle.h"
#include "step/contract.h"
#include "tests/scratch.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PROCESSES = 4, STEPS = 400, SOMEBODY = 4711 };

static char dir[SCRATCH_DIR], file[PATH_MAX];

/* --- a walk ---------------------------------------------------------------- */

static struct wicket_cfg cfg;
static struct wicket_value regs[WICKET_REGS_MAX];
static struct wicket_proc procs[PROCESSES];
static uint32_t born; /* no two have the same life */
static uint64_t dice;

/* xorshift64 */
static uint32_t draw(uint32_t below)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (uint32_t)(dice >> 32) % below;
}

static void begin(void)
{
	for (uint32_t r = 0; r < registers(&cfg); r++)
		regs[r] = reg(&cfg, r).start;
	for (born = 0; born < cfg.n; born++)
		procs[born] = start(&cfg, born + 1);
}

/* One access of somebody, who may give up or die before it. */
static void go_on(void)
{
	struct wicket_proc *p = &procs[draw(cfg.n)];
	uint32_t event = draw(64);
	struct wicket_access a;
	struct wicket_result r;
	struct wicket_value *v;

	if (p->pc == DONE || p->pc == DEAD)
		*p = start(&cfg, ++born);
	if (event < 2)
		*p = on_event(&cfg, *p, event ? WICKET_FAIL : WICKET_ABANDON);
	a = access(&cfg, *p);
	v = &regs[a.reg];
	r = step(&cfg, *p, wicket_part(&a, *v));
	if (wicket_writes(&a, *v))
		*v = wicket_merged(&a, *v, r.put);
	*p = r.proc;
}

static bool is_broken(uint32_t invariant)
{
	return !holds(&cfg, invariant - 1, regs, procs);
}

/* --- the file ---------------------------------------------------------------- */

static struct wicket line;

static void map_line(void)
{
	struct wicket_options options = { .slots = cfg.k,
					  .slots_max = cfg.k,
					  .seats = seats(&cfg),
					  .flags = WICKET_CREATE };
	struct wicket *handle;
	int fd;

	remove(file);
	assert_int_equal(wicket_open(&handle, file, &options), 0);
	wicket_close(handle);
	fd = open(file, O_RDWR | O_CLOEXEC);
	assert_in_range(fd, 0, 1000);
	line.area = mmap(0, area_bytes(cfg.k, seats(&cfg)),
			 PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(line.area != MAP_FAILED);
	fclose(fdopen(fd, "r"));
	area_look_up(&line, cfg.k, seats(&cfg));
	line.area->used = seats(&cfg);
	line.area->lives = STEPS;
}

static void unmap_line(void)
{
	munmap(line.area, area_bytes(cfg.k, seats(&cfg)));
	remove(file);
}

static void write_down(void)
{
	static const int bell[] = { 0, SOMEBODY, (int)FUTEX_OWNER_DIED };

	line.w->low = regs[0].w[0];
	line.w->high = regs[0].w[1];
	for (uint32_t i = 0; i < cfg.k; i++)
		line.slot[i] = regs[slot_reg(i)].w[0];
	for (uint32_t i = 0; i < seats(&cfg); i++) {
		struct seat *seat = &line.seats[i];

		seat->word.low = regs[seat_reg(&cfg, i)].w[0];
		seat->word.high = regs[seat_reg(&cfg, i)].w[1];
		seat->fut = regs[fut_reg(&cfg, i)].w[0];
		seat->bell.__data.__lock = bell[regs[bell_reg(&cfg, i)].w[0]];
	}
}

static void keep_first(void *arg, enum wicket_finding kind, const char *text)
{
	char *first = arg;

	if (kind == WICKET_WRONG && !*first)
		strncat(first, text, 255);
}

/* How many things are wrong; what the first of them is. */
static int judge(char first[256])
{
	*first = 0;
	write_down();
	return wicket_check(file, keep_first, first);
}

/* --- the tests ----------------------------------------------------------------- */

static const struct {
	uint32_t n, k, seats;
} sizes[] = { { 2, 1, 2 }, { 3, 1, 3 }, { 3, 2, 4 }, { 4, 2, 3 }, { 4, 3, 5 } };

enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

static void choose(uint32_t size, uint32_t variant, uint32_t mutant,
		   uint64_t seed)
{
	cfg = (struct wicket_cfg){ .n = sizes[size].n,
				   .k = sizes[size].k,
				   .seats = sizes[size].seats,
				   .laps = 4,
				   .variant = variant,
				   .mutant = mutant };
	dice = seed * 0x9e3779b97f4a7c15 + 1;
}

static void walk_and_judge(void)
{
	begin();
	for (int i = 0; i < STEPS; i++) {
		struct wicket_text text = { .length = 0 };
		char first[256];

		go_on();
		if (!judge(first))
			continue;
		show(&cfg, regs, &text);
		fail_msg("n = %u, k = %u: %.*s: %s", cfg.n, cfg.k,
			 (int)text.length, text.s, first);
	}
}

static void walk_often(uint32_t variant)
{
	for (uint32_t size = 0; size < SIZES; size++) {
		choose(size, variant, 0, size);
		if (refuse(&cfg))
			continue;
		map_line();
		for (int i = 0; i < 100; i++)
			walk_and_judge();
		unmap_line();
	}
}

static void what_the_model_does_is_right(void **state)
{
	(void)state;
	walk_often(REMOVING);
}

static void and_if_commands_hold_on(void **state)
{
	(void)state;
	walk_often(KEPT);
}

static void and_if_slots_are_closed_and_opened(void **state)
{
	(void)state;
	walk_often(DRAINED);
}

/* Walks until an invariant breaks that can be seen; was there one? */
static bool walk_and_break(const char *mutant)
{
	char first[256];

	begin();
	for (int i = 0; i < STEPS; i++) {
		go_on();
		for (uint32_t r = 1; invariants[r - 1].name; r++) {
			bool visible = r == 3 || r == 4;

			if (!is_broken(r))
				continue;
			if (visible && judge(first) <= 0)
				fail_msg("%s breaks R%u, unseen", mutant, r);
			return visible;
		}
	}
	return false;
}

static void what_a_mutant_breaks_is_wrong(void **state)
{
	static const uint32_t breaking[] = { NO_SETTLE, SETTLE_LATE, SEAT_FIRST,
					     NO_RELEASED, REMOVE_BUSY };

	(void)state;
	for (size_t m = 0; m < sizeof(breaking) / sizeof(*breaking); m++) {
		const char *name = mutants[breaking[m] - 1].name;
		uint32_t broken = 0;

		for (uint32_t size = 0; size < SIZES; size++) {
			choose(size, REMOVING, breaking[m], size);
			map_line();
			for (int i = 0; i < 500; i++)
				broken += walk_and_break(name);
			unmap_line();
		}
		print_message("# %s: seen %u times\n", name, broken);
		assert_of(name, broken > 0);
	}
}

static int make_dir(void **state)
{
	(void)state;
	if (!scratch_make(dir, "check-model"))
		return -1;
	snprintf(file, sizeof(file), "%s/line", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	remove(file);
	return remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_model_does_is_right),
		cmocka_unit_test(and_if_commands_hold_on),
		cmocka_unit_test(and_if_slots_are_closed_and_opened),
		cmocka_unit_test(what_a_mutant_breaks_is_wrong),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
