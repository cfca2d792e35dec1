/* SPDX-License-Identifier: MIT */
/*
 * recoverable - what the tests of recoverable/ share: the protocol by hand, access
 * by access, on a line of three seats and two slots.  The words themselves are
 * line.c's.
 *
 * There M is 2, so that ticket number i is (i mod 2, i div 2).  Who sits in
 * seat i, from 1, has number i, unless a test says otherwise.
 */
#ifndef RECOVERABLE_H
#define RECOVERABLE_H

#include "../unit.h"

#include "algo/recoverable.c"
#include "step/contract.h"

static const struct wicket_cfg cfg = { .n = 3, .k = 2, .laps = 1 };

/* Its registers. */
enum { LINE_W, SLOT0, SLOT1, SEAT0, SEAT1, SEAT2, FUT0, FUT1, FUT2 };
enum { BELL0 = 9, BELL1, BELL2, LIVES, KEEP0, KEEP1, KEEP2, REGS };

/* Tickets: value in 13 bits, colour above. */
enum { T1 = 0x0001, T2 = 0x2000, T3 = 0x2001 };

/* --- words, put together by other means than the product's ---------------- */

static inline struct wicket_value seat(uint64_t seq, uint64_t phase, uint64_t d,
				       uint64_t payload, uint64_t number)
{
	return words(seq * 0x10000 + d * 8 + phase, payload, number, 0);
}

/* A payload: the ticket in slot 0, 1, ... */
static inline uint64_t inside(uint64_t ticket, uint64_t slot)
{
	return (slot + 1) * 0x400000 + ticket;
}

#define DIED_INSIDE 0x100000000

/* The part of a payload that says whose it is. */
static inline uint64_t life(uint64_t number)
{
	return number * 0x400000000;
}

/* LIFE: bit i for life i. */
enum { NOBODY = 0, ONLY_1 = 2, ONLY_2 = 4, ONLY_3 = 8, ALL_3 = 14 };

static inline uint64_t pointers(uint64_t issue, uint64_t valid)
{
	return valid * 0x100000000 + issue;
}

/* W, where tag is seq * 65536 + seat, seats from 1. */
static inline struct wicket_value w(uint64_t tag, uint64_t issue,
				    uint64_t valid, uint64_t issued,
				    uint64_t validated)
{
	return words(tag, pointers(issue, valid),
		     validated * 0x100000000 + issued, 0);
}

static inline struct wicket_value slot(uint64_t stamp, uint64_t died,
				       uint64_t ticket, uint64_t number)
{
	return words(stamp * 0x1000000 + died * 0x400000 + ticket, number, 0,
		     0);
}

static struct wicket_value regs[REGS];

/* Nobody has come yet. */
static inline void begin(void)
{
	memset(regs, 0, sizeof(regs));
	regs[LINE_W] = w(0, 0, T2, 0, 2);
	regs[SLOT0] = slot(0, 0, T1, 1);
	regs[SLOT1] = slot(0, 0, T2, 2);
}

#define w_taken	   w(0x20001, T1, T2, 1, 2)
#define w_released w(0x30001, T1, T3, 1, 3)
#define w_handed   w(0x30001, 0, T2, 0, 2)

/* --- steps ---------------------------------------------------------------- */

/* One access of the process, and what it leaves in the registers. */
static inline struct wicket_result act(const struct wicket_cfg *c,
				       struct wicket_proc p)
{
	struct wicket_access a = access(c, p);
	struct wicket_value *v = &regs[a.reg];
	struct wicket_value seen = wicket_part(&a, *v);
	struct wicket_result r;

	assert_in_range(a.reg, 0, REGS - 1);
	if (a.kind == WICKET_STORE) /* does not see */
		seen = wicket_number(0);
	r = step(c, p, seen);
	if (wicket_writes(&a, *v))
		*v = wicket_merged(&a, *v, r.put);
	return r;
}

static inline struct wicket_proc follow_pcs(const struct wicket_cfg *c,
					    struct wicket_proc p,
					    const uint16_t *pcs, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		assert_int_equal(p.pc, pcs[i]);
		p = act(c, p).proc;
	}
	return p;
}

/* The process takes one step at each of these program counters. */
#define follow_in(c, p, ...)                                                   \
	follow_pcs((c), (p), (const uint16_t[]){ __VA_ARGS__ },                \
		   sizeof((const uint16_t[]){ __VA_ARGS__ }) /                 \
			   sizeof(uint16_t))
#define follow(p, ...) follow_in(&cfg, (p), __VA_ARGS__)

static inline void assert_proc(struct wicket_proc p,
			       struct wicket_proc expected)
{
	assert_memory_equal(&p, &expected, sizeof(p));
}

static inline void assert_same(struct wicket_value v,
			       struct wicket_value expected)
{
	assert_value(v, expected.w[0], expected.w[1], expected.w[2],
		     expected.w[3]);
}

/* A process in seat i, from 1. */
static inline struct wicket_proc in_seat(uint16_t pc, uint64_t i, uint64_t seq)
{
	return (struct wicket_proc){
		.pc = pc,
		.self = (uint32_t)i,
		.local = { [ME] = i, [SEQ] = seq },
	};
}

/* Without a seat. */
static inline struct wicket_proc standing(uint16_t pc, uint32_t number)
{
	return (struct wicket_proc){ .pc = pc, .self = number };
}

/* --- scenes --------------------------------------------------------------- */

/* Seat 1 holds number 1 and slot 0, and nobody else has come. */
static inline struct wicket_proc have_a_holder(void)
{
	struct wicket_proc p = in_seat(HOLD, 1, 2);

	begin();
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_HAVE, 0, life(1) + inside(T1, 0), 1);
	regs[BELL0] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ONLY_1);
	p.local[TICKET] = 0x100000000 + T1;
	p.local[LAST] = pointers(T1, T2);
	p.local[MINE] = T1;
	return p;
}

/* The same, told of a death in its slot: so it does not hand its ticket back. */
static inline struct wicket_proc have_a_told_holder(void)
{
	struct wicket_proc p = have_a_holder();

	regs[SLOT0] = slot(0, 1, T1, 1);
	p.local[MINE] = regs[SLOT0].w[0];
	return p;
}

/* It lives, and looks at the first seat. */
static inline struct wicket_proc joiner(uint32_t number)
{
	return follow(start(&cfg, number), JOIN_LIFE);
}

/* Seat 2 has number 3, which is not valid. */
static inline void have_a_waiter(void)
{
	begin();
	regs[LINE_W] = w(0x20002, T3, T2, 3, 2);
	regs[SEAT0] = seat(2, LINE_HAVE, 0, life(1) + inside(T1, 0), 1);
	regs[SEAT1] = seat(2, LINE_HAVE, 0, life(2) + T3, 3);
	regs[SEAT2] = seat(2, LINE_HAVE, 0, life(3) + inside(T2, 1), 2);
	regs[BELL0] = regs[BELL1] = regs[BELL2] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ALL_3);
}

static inline struct wicket_proc waiter(uint16_t pc)
{
	struct wicket_proc p = in_seat(pc, 2, 2);

	p.local[TICKET] = 0x300000000 + T3;
	return p;
}

/* Seat 2 looks who has died. */
static inline struct wicket_proc scanner(void)
{
	return scan(&cfg, in_seat(WAIT_LOOK, 2, 2), SCAN_WAIT);
}

/* Seat 1 is about to look for the heir of number 1: number 3, in seat 2. */
static inline struct wicket_proc have_an_heir(uint64_t d)
{
	struct wicket_proc p = in_seat(HOLD, 1, 2);

	have_a_waiter();
	regs[SEAT1] = seat(2, LINE_HAVE, d, life(2) + T3, 3);
	regs[FUT1] = wicket_number(5);
	p.local[TICKET] = 0x100000000 + T1;
	p.local[MINE] = T1;
	p = follow(p, HOLD, RELEASE_W, SETTLE_SEAT, RELEASE_W, RELEASE_SLOT);
	assert_same(regs[LINE_W], w(0x30001, T3, T3, 3, 3));
	assert_same(regs[SLOT0], slot(1, 0, T3, 3));
	return p;
}

/* Seat 1 died when it had released: seat 3 drives it. */
static inline struct wicket_proc have_a_dead_releaser(uint64_t heir_d)
{
	have_an_heir(heir_d);
	regs[SEAT0] = seat(3, LINE_RELEASED, 1, life(1) + T3, 3);
	return drive(&cfg, in_seat(0, 3, 2), 0, 3, DRIVE_SCAN);
}

/* --- commands ------------------------------------------------------------- */

/* Three tickets a colour: numbers 1 and 2 are (1,0) and (2,0). */
static const struct wicket_cfg kept = {
	.n = 3, .k = 2, .laps = 1, .variant = KEPT
};

#define KEPT_BIT 0x200000000

/* Seat i, from 1, is inside slot 0, and about to keep it. */
static inline struct wicket_proc keeper(uint32_t i)
{
	struct wicket_proc p = in_seat(KEEP_LOCK, i, 2);

	p.local[TICKET] = 0x100000000 + T1;
	begin();
	regs[LINE_W] = w_taken;
	regs[SEAT0 + i - 1] = seat(2, LINE_HAVE, 0, life(i) + inside(T1, 0), 1);
	regs[BELL0 + i - 1] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ALL_3);
	return p;
}

static inline struct wicket_proc dying_keeper(uint32_t i)
{
	struct wicket_proc p = follow_in(&kept, keeper(i), KEEP_LOCK,
					 KEEP_MARK);

	assert_int_equal(p.pc, HOLD);
	return on_event(&kept, p, WICKET_FAIL);
}

/* Seat 1 has died in it; its command runs. */
static inline struct wicket_proc orphan(void)
{
	return follow_in(&kept, dying_keeper(1), DIE, DIE_LIFE);
}

/* Seat i, from 1, looks. */
static inline struct wicket_proc kept_scanner(uint64_t i)
{
	return scan(&kept, in_seat(WAIT_LOOK, i, 2), SCAN_WAIT);
}

/* --- planted bugs, and the end of the line --------------------------------- */

static inline struct wicket_cfg planted(uint32_t mutant)
{
	struct wicket_cfg c = cfg;

	c.mutant = mutant;
	return c;
}

static const struct wicket_cfg removing = {
	.n = 3, .k = 2, .laps = 1, .variant = REMOVING
};

static inline struct wicket_proc have_a_remover(void)
{
	memset(regs, 0, sizeof(regs));
	for (uint32_t r = 0; r < 3; r++)
		regs[r] = reg(&removing, r).start;
	regs[LIVES] = wicket_number(ONLY_1);
	assert_same(regs[LINE_W], w(0, 0, 2, 0, 2));
	return follow_in(&removing, standing(LEAVE_LIFE, 1), LEAVE_LIFE);
}

#endif
