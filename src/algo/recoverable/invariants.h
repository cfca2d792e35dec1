/* SPDX-License-Identifier: MIT */
/*
 * invariants - R1 to R11 (lists.h, and the head of recoverable.c), and whether
 * what sleeps may sleep on.
 */
#ifndef WICKET_RECOVERABLE_INVARIANTS_H
#define WICKET_RECOVERABLE_INVARIANTS_H

#include "algo/recoverable/region.h"

static inline struct line_seat seat_of(const struct wicket_cfg *c,
				       const struct wicket_value *regs,
				       uint32_t i)
{
	const struct wicket_value *v = &regs[seat_reg(c, i)];

	return (struct line_seat){ v->w[0], v->w[1], v->w[3] };
}

static inline uint32_t is_out(const struct wicket_cfg *c,
			      const struct wicket_value *regs, uint32_t i)
{
	uint32_t last;

	return line_is_out(regs[0].w[0], regs[0].w[1], i, seat_of(c, regs, i),
			   &last);
}

/* Tickets out: taken, and their release not applied. */
static inline uint64_t tickets_out(const struct wicket_cfg *c,
				   const struct wicket_value *regs)
{
	uint64_t out = 0;

	for (uint32_t i = 0; i < seats(c); i++)
		out += is_out(c, regs, i);
	return out;
}

/* Of a process in C. */
static inline uint32_t its_slots(struct wicket_proc p)
{
	return units_left(p) ? slots_held(p) : 1u << p.local[SLOT];
}

static inline int slots_distinct(const struct wicket_cfg *c,
				 const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (region(c, procs[i]) == WICKET_CRITICAL &&
			    region(c, procs[j]) == WICKET_CRITICAL &&
			    its_slots(procs[i]) & its_slots(procs[j]))
				return 0;
		}
	}
	return 1;
}

static inline int in_order(const struct wicket_cfg *c,
			   const struct wicket_value *regs)
{
	uint64_t last = validated(regs[0].w[2]);

	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat s = seat_of(c, regs, i);
		uint64_t number = regs[seat_reg(c, i)].w[2];
		uint32_t have = line_phase(s.state) == LINE_HAVE ?
					is_out(c, regs, i) :
					0;

		for (uint32_t j = 1; j <= have; j++) {
			uint32_t ticket = line_nth_out(s, line_last(s), j,
						       block(c));

			if (line_is_valid(regs[0].w[1], ticket) !=
			    (number - (j - 1) <= last))
				return 0;
		}
	}
	return 1;
}

/* Would a look say that the owner of a seat is dead? */
static inline int is_gone(const struct wicket_cfg *c,
			  const struct wicket_value *regs, uint32_t i)
{
	struct line_seat s = seat_of(c, regs, i);

	return (line_is_told(s, (enum line_bell)regs[bell_reg(c, i)].w[0]) ||
		!is_alive(regs[life_reg(c)], line_life(s.payload))) &&
	       !(line_kept(s) &&
		 regs[keep_reg(c, i)].w[0] == line_seq(s.state));
}

/*
 * Is there a death that only another look can show, and that explains why this
 * process sleeps?  If its ticket is valid, only that of whoever validated it;
 * else that of anybody with something left to do.
 */
static inline int is_explained(const struct wicket_cfg *c,
			       const struct wicket_value *regs,
			       struct wicket_proc p)
{
	uint32_t ticket = (uint32_t)p.local[TICKET];
	int valid = line_is_valid(regs[0].w[1], ticket);

	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat s = seat_of(c, regs, i);
		uint32_t its = line_payload_ticket(s.payload);
		enum line_phase phase = line_phase(s.state);
		int died = is_gone(c, regs, i);
		int half =
			line_dead(s.state) &&
			(phase != LINE_HAVE ||
			 line_is_valid(regs[0].w[1], line_first(s, block(c))));
		int waker =
			(phase == LINE_RELEASED && its == ticket) ||
			((phase == LINE_RELEASING || phase == LINE_OPENING) &&
			 regs[0].w[0] == line_tag(s.state, i));

		if (phase != LINE_FREE && (died || half) && (waker || !valid))
			return 1;
	}
	return 0;
}

/*
 * In variant watched: is there a death that a sleeper is not told of?  The bell
 * wakes one of those who watch it, and that one may die, too; or somebody died in
 * the middle of giving up, when its bell was nobody's already.
 */
static inline int is_unwatched(const struct wicket_cfg *c,
			       const struct wicket_value *regs)
{
	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat s = seat_of(c, regs, i);

		if (line_phase(s.state) != LINE_FREE &&
		    regs[bell_reg(c, i)].w[0] == LINE_NOBODY &&
		    !is_alive(regs[life_reg(c)], line_life(s.payload)))
			return 1;
	}
	return 0;
}

/* As many slots are closed as shall be, and the first of those who sleep needs more
   than are open, one at least: they wait for slots to be opened. */
static inline int is_waited_for_slots(const struct wicket_cfg *c,
				      const struct wicket_value *regs,
				      const struct wicket_proc *procs)
{
	uint64_t s = regs[0].w[1], first = UINT64_MAX;
	uint32_t needed = 1;
	int all = line_closed(s) == line_aim(s);

	for (uint32_t i = 0; i < c->n; i++) {
		uint64_t number = procs[i].local[TICKET] >> 32;

		if (procs[i].pc != WAIT_SLEEP)
			continue;
		all &= !line_is_valid(s, (uint32_t)procs[i].local[TICKET]);
		if (number < first) {
			first = number;
			needed = units_inside(c, procs[i]);
		}
	}
	return all && needed > c->k - line_closed(s);
}

static inline int unnoticed(const struct wicket_cfg *c,
			    const struct wicket_value *regs,
			    const struct wicket_proc *procs)
{
	int dead = 0, asleep = 0, explained = 1;

	for (uint32_t i = 0; i < c->n; i++) {
		dead += procs[i].pc == DEAD;
		asleep += procs[i].pc == WAIT_SLEEP;
		if (procs[i].pc == WAIT_SLEEP)
			explained &= is_explained(c, regs, procs[i]);
	}
	/* who is left stays for ever */
	if ((c->variant == INSIDE || c->variant == QUEUED) && !asleep)
		return 1;
	if (is_waited_for_slots(c, regs, procs))
		return 1;
	return dead && explained &&
	       (!is_watched(c) || dead > 1 || is_unwatched(c, regs));
}

static inline int closed(const struct wicket_cfg *c,
			 const struct wicket_value *regs)
{
	(void)c;
	return regs[0].w[0] == LINE_REMOVED;
}

/* How many may be let in when all have left. */
static inline uint32_t room(const struct wicket_cfg *c,
			    const struct wicket_value *regs)
{
	return closed(c, regs) ? 0 : c->k - line_aim(regs[0].w[1]);
}

/* Dying, and without a command to live on in its seat. */
static inline int is_dying(struct wicket_proc p)
{
	return (p.pc == DIE || p.pc == DIE_LIFE) && !p.local[HAS_COMMAND];
}

/* A mutant touches the bell of a seat that is not its own yet, or any more: what
   comes of it is what counts. */
static inline int is_mistaken(const struct wicket_cfg *c, struct wicket_proc p)
{
	return (c->mutant == BELL_FIRST &&
		(p.pc == JOIN_CLAIM || p.pc == JOIN_UNLOCK)) ||
	       (c->mutant == BELL_LAST && p.pc == LEAVE_BELL);
}

static inline int living_seated(const struct wicket_cfg *c,
				const struct wicket_value *regs,
				const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < c->n; i++) {
		uint64_t me = procs[i].local[ME];
		struct line_seat s;

		if (!me || is_dying(procs[i]) || is_mistaken(c, procs[i]))
			continue;
		s = seat_of(c, regs, (uint32_t)me - 1);
		if (line_dead(s.state) ||
		    line_life(s.payload) != life_of(c, procs[i]))
			return 0;
	}
	return 1;
}

static inline int none_forgotten(const struct wicket_cfg *c,
				 const struct wicket_value *regs,
				 const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat s = seat_of(c, regs, i);
		int owned = line_phase(s.state) == LINE_FREE ||
			    line_dead(s.state) || is_gone(c, regs, i);

		for (uint32_t j = 0; j < c->n; j++)
			owned |= procs[j].local[ME] == i + 1;
		if (!owned)
			return 0;
	}
	return 1;
}

/* It is written down that it is had by this seat, and by no other yet. */
static inline int is_had(const struct wicket_cfg *c,
			 const struct wicket_value *regs, uint32_t i)
{
	struct line_seat s = seat_of(c, regs, i);

	return line_phase(s.state) == LINE_HAVE &&
	       !line_is_ahead(regs[0].w[0], i, s);
}

static inline int share_a_ticket(const struct wicket_cfg *c, struct line_seat a,
				 struct line_seat b)
{
	for (uint32_t i = 1; i <= line_left(a.state); i++) {
		uint32_t ticket = line_nth_out(a, line_last(a), i, block(c));

		if (line_has_ticket(b, ticket, block(c)))
			return 1;
	}
	return 0;
}

static inline int tickets_distinct(const struct wicket_cfg *c,
				   const struct wicket_value *regs)
{
	for (uint32_t i = 0; i < seats(c); i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (is_had(c, regs, i) && is_had(c, regs, j) &&
			    share_a_ticket(c, seat_of(c, regs, i),
					   seat_of(c, regs, j)))
				return 0;
		}
	}
	return 1;
}

/* Neither in the middle of an operation, nor dead. */
static inline int is_at_rest(struct wicket_proc p)
{
	return p.pc == JOIN_LIFE || p.pc == TAKE_SEAT || p.pc == HOLD ||
	       p.pc == WAIT_SLEEP || p.pc == DONE;
}

static inline int none_at_the_end(const struct wicket_cfg *c,
				  const struct wicket_value *regs,
				  const struct wicket_proc *procs)
{
	uint64_t s = regs[0].w[1];

	for (uint32_t i = 0; i < c->n; i++) {
		if (!is_at_rest(procs[i]))
			return 1;
	}
	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat e = seat_of(c, regs, i);

		if (line_phase(e.state) == LINE_HAVE && line_dead(e.state) &&
		    is_out(c, regs, i) && !line_issue_is_valid(s) &&
		    line_last(e) == line_issue(s))
			return 0;
	}
	return 1;
}

static inline int none_left_closed(const struct wicket_cfg *c,
				   const struct wicket_value *regs)
{
	int opening = !line_is_opening(regs[0].w[1]) || closed(c, regs);

	for (uint32_t i = 0; i < seats(c); i++) {
		uint64_t state = seat_of(c, regs, i).state;

		opening |= line_phase(state) == LINE_OPENING ||
			   line_goes_on(state);
	}
	return opening;
}

/* How many of its tickets have become valid after that one? */
static inline uint64_t late_tickets(const struct wicket_cfg *c,
				    struct wicket_proc p, uint64_t entitled)
{
	uint64_t last = p.local[TICKET] >> 32;
	uint64_t late = last > entitled ? last - entitled : 0;
	uint32_t units = units_inside(c, p);

	return late < units ? late : units;
}

static inline int none_too_many(const struct wicket_cfg *c,
				const struct wicket_value *regs,
				const struct wicket_proc *procs)
{
	uint64_t late = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		if (region(c, procs[i]) == WICKET_CRITICAL)
			late += late_tickets(c, procs[i],
					     entitled(regs[0].w[2]));
	}
	return late <= c->k - line_aim(regs[0].w[1]);
}

/* The last operation may not be written down yet. */
static inline int closed_are_marked(const struct wicket_cfg *c,
				    const struct wicket_value *regs)
{
	uint64_t t = regs[0].w[0], s = regs[0].w[1];
	uint32_t parked = 0, closed_now = line_closed(s);
	struct line_seat last;

	for (uint32_t i = 0; i < c->k; i++)
		parked += line_slot_parked(regs[slot_reg(i)].w[0]) != 0;
	if (parked == closed_now || !line_has_tag(t) || !line_has_moved(s))
		return parked == closed_now;
	last = seat_of(c, regs, line_tag_seat(t));
	switch (line_settle(t, s, last)) {
	case LINE_SETTLE_PARK:
		return parked + 1 == closed_now;
	case LINE_SETTLE_OPEN:
		return parked == closed_now + 1;
	default:
		return 0;
	}
}

static inline int holds(const struct wicket_cfg *c, uint32_t i,
			const struct wicket_value *regs,
			const struct wicket_proc *procs)
{
	switch (i) {
	case R1:
		return slots_distinct(c, procs);
	case R2:
		return in_order(c, regs);
	case R3:
		return validated(regs[0].w[2]) + tickets_out(c, regs) +
			       line_closed(regs[0].w[1]) ==
		       issued(regs[0].w[2]) + c->k;
	case R4:
		return !closed(c, regs) || !tickets_out(c, regs);
	case R5:
		return living_seated(c, regs, procs);
	case R6:
		return none_forgotten(c, regs, procs);
	case R7:
		return none_at_the_end(c, regs, procs);
	case R8:
		return tickets_distinct(c, regs);
	case R9:
		return none_left_closed(c, regs);
	case R10:
		return none_too_many(c, regs, procs);
	default: /* R11 */
		return closed_are_marked(c, regs);
	}
}

#endif
