/* SPDX-License-Identifier: MIT */
#include "bench/cold.h"

/* for their static functions */
#include "line/remove.c"
#include "line/seat.c"

#include "algo/algo.h"
#include "algo/recoverable/process.h"

#include <stdio.h>
#include <stdlib.h>

static struct wicket *owner[SEATS];
static char dir[] = "/tmp/wicket-bench-XXXXXX";

static const struct wicket_options options = { .slots = SLOTS,
					       .seats = SEATS,
					       .flags = WICKET_CREATE };

/* The block that is shipped, and what REMOVE_W does is taken back. */
struct wicket_cfg cold_cfg = { .n = SEATS,
			       .k = SLOTS,
			       .seats = SEATS,
			       .laps = UINT32_MAX,
			       .variant = RESTORING };
int cold_asks;

static const char *path_of(const char *name)
{
	static char path[sizeof(dir) + 8];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void clean_up(void)
{
	unlink(path_of("cold"));
	rmdir(dir);
}

int cold_open(void)
{
	int error = 0;

	if (!mkdtemp(dir)) {
		perror(dir);
		return 1;
	}
	atexit(clean_up);
	for (int i = 0; i < SEATS && !error; i++)
		error = wicket_open(&owner[i], path_of("cold"), &options);
	if (error)
		fprintf(stderr, "%s: %s\n", dir, strerror(-error));
	return error;
}

/* --- the model's steps, on the line ---------------------------------------- */

static struct wicket_value both(uint64_t low, uint64_t high)
{
	return (struct wicket_value){ { low, high } };
}

static struct wicket_value look(struct wicket *h, struct wicket_proc p,
				uint32_t r)
{
	const struct wicket_value all = { { ~0ul, ~0ul, ~0ul, ~0ul } };
	struct line_seat c;

	switch (p.pc) {
	case READ_T:
	case SETTLE_LOOK:
		return both(load_t(p.pc, h), 0);
	case READ_S:
		return both(0, load_s(p.pc, h));
	case COLOURS:
	case SETTLE_SLOT:
	case DRIVE_FIND:
		return both(load_slot(p.pc, h, r - slot_reg(0)), 0);
	case SCAN_BELL:
		return both(load_bell(p.pc, h, (uint32_t)p.local[AT]), 0);
	case SCAN_LIFE:
		if (!cold_asks || load_life(p.pc, h, line_life(p.local[C1])))
			return all;
		return both(0, 0);
	case WAKE:
		wake(p.pc, h, heir_of(p));
		return both(0, 0);
	default: /* JOIN_SEAT, SETTLE_SEAT, SCAN_SEAT, DRIVE_SEAT, HEIR */
		c = load_seat(p.pc, h, r - seat_reg(&cold_cfg, 0));
		return both(c.state, c.payload);
	}
}

static bool swap(struct wicket *h, uint16_t pc, struct wicket_access a,
		 struct wicket_value put)
{
	struct line_w w = { a.expect.w[0], a.expect.w[1] };
	uint32_t seat = a.reg - seat_reg(&cold_cfg, 0);

	switch (pc) {
	case DRIVE_W:
	case REMOVE_W:
	case RESTORE_W:
		return cas_w(pc, h, &w, (struct line_w){ put.w[0], put.w[1] });
	case SETTLE_PUT:
		return cas_slot(pc, h, a.reg - slot_reg(0), a.expect.w[0],
				put.w[0]);
	case WAKE_CLEAR:
		return cas_fut(pc, h, a.reg - fut_reg(&cold_cfg, 0),
			       a.expect.w[0], put.w[0]);
	default: /* JOIN_CLAIM, SETTLE_HAVE, SETTLE_DONE, SCAN_MARK, DRIVE_... */
		return cas_seat(pc, h, seat, line_cell(w.t, w.s),
				line_cell(put.w[0], put.w[1]));
	}
}

static void store_own(struct wicket *h, struct wicket_proc p,
		      struct wicket_value put)
{
	if (p.pc == JOIN_SIT) {
		store_state(JOIN_SIT, h, put.w[0]);
		return;
	}
	h->me = (uint32_t)p.local[AT]; /* JOIN_BELL */
	h->own = &h->seats[h->me];
	lock_bell(JOIN_BELL, h, h->me);
}

static struct wicket_proc take_step(struct wicket *h, struct wicket_proc p)
{
	const struct wicket_algo *model = &wicket_recoverable;
	struct wicket_access a = model->access(&cold_cfg, p);
	struct wicket_result r;

	if (a.kind == WICKET_LOAD)
		return model->step(&cold_cfg, p, look(h, p, a.reg)).proc;
	r = model->step(&cold_cfg, p, a.expect);
	if (a.kind != WICKET_CAS) {
		store_own(h, p, r.put);
	} else if (!swap(h, p.pc, a, r.put)) {
		/* WAKE_CLEAR, of who is not armed: nobody else is here */
		a.expect.w[0] = 0;
		r = model->step(&cold_cfg, p, a.expect);
	}
	return r.proc;
}

void cold_run(struct wicket_proc p)
{
	struct wicket *h = owner[p.local[ME] ? DRIVER : SEATS - 1];

	while (p.pc != TAKE_SEAT && p.pc != DONE)
		p = take_step(h, p);
}

/* --- the scenes ----------------------------------------------------------- */

uint32_t cold_life(void)
{
	return line_life(owner[SEATS - 1]->life);
}

void cold_leave_seat(void)
{
	struct wicket *h = owner[SEATS - 1];

	pthread_mutex_unlock(&h->own->bell);
	store(&h->own->word.high, 0);
	store(&h->own->word.low, line_state(1, LINE_FREE));
	h->me = NO_SEAT;
}

static void sit(uint32_t i, uint64_t state, uint64_t payload)
{
	store(&owner[i]->own->word.high, owner[i]->life | payload);
	store(&owner[i]->own->word.low, state);
}

/* Two have taken a ticket, and the first is inside; or only the first. */
static void take_tickets(bool two, uint64_t heir)
{
	struct wicket *h = owner[DRIVER];
	uint64_t have = line_state(DEAD_SEQ, LINE_HAVE);
	uint64_t s = line_take(line_start(SLOTS, 0, h->block), h->block, 0);

	store(&h->slot[0], line_start_slot(0, SLOTS, 0, h->block));
	sit(HOLDER, line_mark(have), line_payload(line_issue(s), 1, 0));
	if (two) {
		s = line_take(s, h->block, 0);
		sit(HEIR_SEAT, heir, line_payload(line_issue(s), 0, 0));
	}
	store(&h->w->low, line_tag(have, two ? HEIR_SEAT : HOLDER));
	store(&h->w->high, s);
}

void cold_dead_holder(void)
{
	take_tickets(false, 0);
}

void cold_dead_heir(void)
{
	take_tickets(true, line_mark(line_state(DEAD_SEQ, LINE_HAVE)));
}

void cold_living_heir(void)
{
	take_tickets(true, line_state(DEAD_SEQ, LINE_HAVE));
}

void cold_contents(uint64_t words[COLD_WORDS])
{
	struct wicket *h = owner[DRIVER];

	*words++ = load(&h->w->low);
	*words++ = load(&h->w->high);
	*words++ = load(&h->slot[0]);
	for (uint32_t i = 0; i < SEATS; i++) {
		*words++ = load(&h->seats[i].word.low);
		*words++ = load(&h->seats[i].word.high);
	}
}

/* --- by the library -------------------------------------------------------- */

void cold_join(void)
{
	join_any(owner[SEATS - 1]);
}

void cold_introduce(void)
{
	introduce(owner[SEATS - 1]);
}

void cold_scan(void)
{
	recover_scan(owner[DRIVER], cold_asks ? EVERYBODY : NOBODY, 0);
}

void cold_drive(void)
{
	recover_drive(owner[DRIVER], HOLDER, DEAD_SEQ);
}

void cold_remove(void)
{
	struct line_w was;

	if (!mark(owner[DRIVER], &was))
		take_mark_back(owner[DRIVER], was);
}

void cold_open_and_close(void)
{
	struct wicket *h;

	if (!wicket_open(&h, path_of("whole"), &options))
		wicket_close(h);
}

void cold_create_and_remove(void)
{
	cold_open_and_close();
	wicket_remove(path_of("whole"));
}
