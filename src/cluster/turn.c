/* SPDX-License-Identifier: MIT */
/*
 * A participant's turn: it takes, waits, enters and leaves.  What it does after each answer
 * is src/algo/cluster/client.h; doc/cluster.md says why.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/line.h"

enum {
	POLLS = 2,    /* in the time of a lease, */
	POLL_MAX = 5, /* seconds; whatever the lease's time is */
	TRIES_FOR =
		4, /* seconds, that it does not wait if servers are silent */
	LEAVES_FOR = 10,
	RESOLVES_FOR = LINE_ANSWER_WITHIN, /* after the deadline */
	TAKE_LATER = 8,			   /* round trips */
};

static const int64_t RESOLVES_NS = (int64_t)RESOLVES_FOR * LINE_SECOND;

/* --- one transaction ------------------------------------------------------------------ */

static void announce(const struct wicket_etcd *l, enum op op, struct draft *d)
{
	struct book_ask ask = { .kind = BOOK_ASK_TAKE, .units = l->units };
	char key[BOOK_KEY_MAX];

	if (op == ANNOUNCE_LEAVE) {
		ask.kind = BOOK_ASK_LEAVE;
		ask.units = l->desk.seat.units;
		memcpy(ask.slots, l->desk.seat.slots, sizeof(ask.slots));
	}
	desk_key(&l->names, "ask/", l->names.id, key);
	draft_put(d, key, book_ask_text(&ask), 0);
}

/* The seat as it is; what was its fence stays it. */
static void resolve(const struct wicket_etcd *l, struct draft *d)
{
	struct book_seat seat = l->desk.seat;
	char key[BOOK_KEY_MAX];

	if (seat.phase == BOOK_HOLDS && !seat.fence)
		seat.fence = l->desk.seat_revision;
	desk_key(&l->names, "seat/", l->names.id, key);
	draft_put(d, key, book_seat_text(&seat), 0);
	desk_key(&l->names, "ask/", l->names.id, key);
	draft_delete(d, key);
}

static void draft_op(struct wicket_etcd *l, enum op op, struct draft *d)
{
	line_compare_own(l, d);
	l->next = l->desk;
	switch (op) {
	case TAKE:
	case LEAVE:
	case APPLY:
		desk_do(&l->next, op, l->names.id, l->units);
		desk_write(&l->next, &l->names, d);
		break;
	case ANNOUNCE_TAKE:
	case ANNOUNCE_LEAVE:
		announce(l, op, d);
		break;
	case RESOLVE:
		resolve(l, d);
		break;
	default:
		break;
	}
}

static bool writes_w(enum op op)
{
	return op == TAKE || op == LEAVE || op == APPLY;
}

/* All the slots there are, so that nobody else leaves meanwhile. */
static bool gets_all(const struct wicket_etcd *l)
{
	return l->units >= l->desk.w.rules.k;
}

static enum reading reading_of(const struct wicket_etcd *l, enum op op)
{
	switch (op) {
	case TAKE:
	case LEAVE:
	case APPLY:
		return READ_NEXT;
	case ANNOUNCE_TAKE:
	case ANNOUNCE_LEAVE:
		return READ_ASKS;
	case CONFIRM: /* it is going to leave by itself */
		return gets_all(l) ? READ_ALL : READ_NOTHING;
	default:
		return READ_ALL;
	}
}

/* When does it stop looking for a server?  Who has asked for something would get it later,
   unawares: it is resolved first. */
static int64_t patience(const struct wicket_etcd *l, enum op op)
{
	bool is_first = op == TAKE && l->mind.announced == NO_ASK;

	return is_first || l->mind.been_inside ||
			       l->until > INT64_MAX - RESOLVES_NS ?
		       l->until :
		       l->until + RESOLVES_NS;
}

/* No server: it tries again until its deadline; nothing was sent. */
static int perform(struct wicket_etcd *l, enum op op, enum reply *answer)
{
	int error;

	for (;;) {
		struct draft *d = calloc(1, sizeof(*d));

		if (!d)
			return -ENOMEM;
		draft_op(l, op, d);
		error = line_send(l, d, reading_of(l, op), answer);
		if (error != -ECONNREFUSED || lease_now() >= patience(l, op) ||
		    lease_now() >= lease_deadline(&l->lease))
			return error;
		line_nap();
	}
}

/* --- what follows from it ---------------------------------------------------------------- */

static enum phase phase_of(const struct wicket_etcd *l)
{
	return !l->desk.has_seat		? OUT :
	       l->desk.seat.phase == BOOK_HOLDS ? HOLDS :
	       l->desk.seat.phase == BOOK_WAITS ? WAITS :
						  OUT;
}

static bool lives(const struct wicket_etcd *l)
{
	return l->desk.lives && l->desk.live_revision == l->live_revision;
}

static bool are_too_many(const struct wicket_etcd *l)
{
	uint32_t k = l->desk.w.rules.k;

	return k && l->units > k;
}

static bool is_late(struct wicket_etcd *l)
{
	uint64_t count;

	if (read(l->wake_fd, &count, sizeof(count)) == sizeof(count))
		l->canceled = true;
	return l->canceled || lease_now() >= l->until;
}

static bool is_away(int error)
{
	return error == -ETIMEDOUT || error == -EAGAIN ||
	       error == -ECONNREFUSED;
}

/* What its seat is now.  Nothing else is known of that moment. */
static bool take_news(struct wicket_etcd *l, const struct store_pair *change)
{
	struct book_seat seat;

	if (book_read_seat(change->value, &seat))
		return false;
	l->desk.has_seat = true;
	l->desk.seat = seat;
	l->desk.seat_revision = l->desk.revision = change->changed;
	l->is_fresh = l->is_calm = false;
	return true;
}

/* Until its seat changes; told: it has. */
static int await_news(struct wicket_etcd *l, int64_t until, bool *told)
{
	const struct timespec end = lease_time(until);
	struct store_pair change = { 0 };
	char key[BOOK_KEY_MAX];
	int error;

	desk_key(&l->names, "seat/", l->names.id, key);
	error = store_watch(l->store, key, l->desk.revision + 1, &end,
			    l->wake_fd, &change);
	if (error == -ECONNREFUSED)
		line_nap();
	if (!error) {
		*told = take_news(l, &change);
		store_free_pair(&change);
	}
	return error == -EINTR || error == -ESTALE || is_away(error) ? 0 :
								       error;
}

/* Nobody ever gets more slots than there are; but a line of none is merely closed. */
static void give_up_if_too_many(struct wicket_etcd *l)
{
	if (!l->mind.been_inside && phase_of(l) == OUT && are_too_many(l)) {
		l->is_greedy = true;
		l->mind.gives_up = 1;
	}
}

/*
 * Nobody answers: does it stop asking?  0: no.  When its time is up, it goes on for a
 * little: what it has asked for may be its own by then, or become so.
 */
static int despair(struct wicket_etcd *l)
{
	int64_t now = lease_now();

	if (now >= lease_deadline(&l->lease)) {
		l->mind.pc = LOST;
		return -ENOLCK;
	}
	if (!l->mind.gives_up && now < l->until)
		return 0;
	if (!l->enough)
		l->enough = now + (l->mind.been_inside ? 0 : RESOLVES_NS);
	return now >= l->enough ? -ETIMEDOUT : 0;
}

/* A request to take is only put behind those who wait: it has time. */
static bool has_time(const struct wicket_etcd *l)
{
	return l->mind.announced == ASKS_TO_TAKE && line_is_crowded(l) &&
	       l->desk.w.waiting && !l->never_waits;
}

/*
 * It has announced something, and so have others.  Whoever leaves carries out all of it, the
 * first of them at once: others wait in line for what it gives back.  Each of the rest waits
 * in proportion to its place, and hears of it; if it does not, it does it itself.
 */
static int leave_it_to_others(struct wicket_etcd *l, bool *done)
{
	int64_t trips = 2 * (int64_t)l->before + (has_time(l) ? TAKE_LATER : 0);
	int64_t wait = lease_earlier(trips * l->round_trip, LINE_SECOND);

	if (l->mind.announced == NO_ASK || !wait)
		return 0;
	return await_news(l, lease_earlier(lease_now() + wait, l->until), done);
}

/* Has somebody carried out what it has announced? */
static bool is_carried_out(const struct wicket_etcd *l)
{
	return l->mind.announced != NO_ASK &&
	       (l->mind.announced == ASKS_TO_TAKE) == (phase_of(l) != OUT);
}

/* What changes W begins with W.  Answers REFUSED if there is nothing left to be done. */
static int prepare(struct wicket_etcd *l, enum op op, enum reply *answer)
{
	bool done = false;
	int error = op == APPLY ? leave_it_to_others(l, &done) : 0;

	if (!error && !done && writes_w(op) && !line_is_known(l)) {
		error = line_refresh(l);
		done = op == APPLY && is_carried_out(l);
	}
	*answer = is_away(error) ? SILENCE : done ? REFUSED : NOTHING;
	return is_away(error) ? 0 : error;
}

/*
 * Sends op, and what follows, until the client is somewhere.  After an error nobody knows
 * what became of the last request: it must be resolved before anything else.
 */
static int drive(struct wicket_etcd *l, enum op op)
{
	int error = 0;

	l->enough = 0;
	while (!error && op != NONE) {
		enum reply answer;

		error = prepare(l, op, &answer);
		if (!error && answer == NOTHING)
			error = perform(l, op, &answer);
		if (!l->mind.been_inside && is_late(l))
			l->mind.gives_up = 1;
		if (error)
			break;
		if (l->is_fresh)
			give_up_if_too_many(l);
		op = mind_next(&l->mind, answer, phase_of(l), lives(l));
		if (answer == SILENCE)
			error = despair(l);
		/* too late by its own clock */
		if (l->mind.pc == INSIDE &&
		    lease_now() >= lease_deadline(&l->lease)) {
			l->mind.gives_up = 1;
			l->mind.pc = LEAVING;
			op = LEAVE;
		}
	}
	if (error && l->mind.pc != LOST)
		l->mind.pc = SOLVING;
	if (!error && l->is_fresh && l->desk.more_wait)
		line_let_in(l); /* if it fails, the first in line does it */
	return error;
}

/* --- waiting ---------------------------------------------------------------------------------- */

/* Until its turn, or until it is time to look, or it gives up. */
static int watch(struct wicket_etcd *l, bool *told)
{
	int64_t poll = lease_earlier(l->lease.seconds * LINE_SECOND / POLLS,
				     (int64_t)POLL_MAX * LINE_SECOND);
	int error = await_news(l, lease_earlier(lease_now() + poll, l->until),
			       told);

	*told = *told && phase_of(l) == HOLDS;
	return error;
}

/* The line was made smaller than it asks for, since it asked. */
static bool is_hopeless(struct wicket_etcd *l)
{
	l->is_greedy = l->is_fresh && are_too_many(l);
	return l->is_greedy;
}

static int wait_in_line(struct wicket_etcd *l)
{
	int error = line_is_first(l) ? line_look(l) : 0;

	while (!error && l->mind.pc == WATCH) {
		bool told = false;

		if (phase_of(l) == WAITS && lives(l) && !is_late(l))
			error = watch(l, &told);
		if (!error && !told)
			error = line_look(l);
		if (error)
			break;
		if (!lives(l) || !lease_deadline(&l->lease)) {
			l->mind.pc = LOST;
		} else if (phase_of(l) == HOLDS) {
			l->mind.pc = CONFIRMING;
			error = drive(l, CONFIRM);
		} else if (is_late(l) || is_hopeless(l)) {
			l->mind.gives_up = 1;
			l->mind.pc = SOLVING; /* of no request */
			error = drive(l,
				      mind_next(&l->mind, REFUSED, WAITS, 1));
		}
	}
	return error;
}

/* --- the line ---------------------------------------------------------------------------------- */

/* What an earlier request has left, whose answer never came. */
static int clear_up(struct wicket_etcd *l)
{
	int error = 0;

	if (l->mind.pc == SOLVING) {
		l->mind.gives_up = 1;
		error = drive(l, RESOLVE);
	}
	if (!error && l->mind.pc == LOST)
		error = -ENOLCK;
	/* k may have become greater since */
	if (!error && are_too_many(l))
		error = line_refresh(l);
	return error ? error : are_too_many(l) ? -EINVAL : 0;
}

/* If others are about, a direct transaction is likely to lose: as if it had. */
static enum op first_op(struct wicket_etcd *l, enum op op)
{
	return line_is_crowded(l) && !(op == LEAVE && gets_all(l)) ?
		       mind_next(&l->mind, REFUSED, phase_of(l), lives(l)) :
		       op;
}

static void fill_grant(const struct wicket_etcd *l,
		       struct wicket_etcd_grant *grant)
{
	const struct book_seat *seat = &l->desk.seat;

	if (!grant)
		return;
	*grant = (struct wicket_etcd_grant){
		.units = seat->units,
		.value = seat->last.value,
		.colour = seat->last.colour,
		.fence = seat->fence ? seat->fence : l->desk.seat_revision,
	};
	memcpy(grant->slots, seat->slots, sizeof(grant->slots));
}

/* It has given up.  If nothing else made it, it got in too late by its own clock. */
static int why_not(const struct wicket_etcd *l)
{
	return l->is_greedy	       ? -EINVAL :
	       l->canceled	       ? -ECANCELED :
	       lease_now() >= l->until ? -ETIMEDOUT :
					 -ENOLCK;
}

static int take(struct wicket_etcd *l, uint32_t units, int64_t until,
		struct wicket_etcd_grant *grant)
{
	int error;

	if (!l->lease.store)
		return -EPERM;
	if (!units || units > WICKET_SLOTS_MAX)
		return -EINVAL;
	if (l->mind.pc != LOST && l->mind.been_inside)
		return -EDEADLK;
	l->units = units;
	l->until = until;
	l->canceled = l->is_greedy = false;
	error = clear_up(l);
	if (error)
		return error;
	l->mind = (struct mind){ .pc = TAKING };
	error = drive(l, first_op(l, TAKE));
	while (!error && l->mind.pc == WATCH) {
		if (l->never_waits)
			l->until = 0;
		error = wait_in_line(l);
	}
	if (error)
		return error;
	if (l->mind.pc == LOST)
		return -ENOLCK;
	if (l->mind.pc == WANT)
		return why_not(l);
	l->mind.been_inside = 1;
	fill_grant(l, grant);
	return 0;
}

int wicket_etcd_acquire(struct wicket_etcd *l, uint32_t units,
			const struct timespec *deadline,
			struct wicket_etcd_grant *grant)
{
	l->never_waits = false;
	return take(l, units, line_until(deadline), grant);
}

int wicket_etcd_try(struct wicket_etcd *l, uint32_t units,
		    struct wicket_etcd_grant *grant)
{
	int error;

	l->never_waits = true;
	error = take(l, units, lease_now() + (int64_t)TRIES_FOR * LINE_SECOND,
		     grant);
	/* it has left the line again; otherwise servers were silent */
	return error == -ETIMEDOUT && l->mind.pc == WANT ? -EAGAIN : error;
}

int wicket_etcd_release(struct wicket_etcd *l)
{
	int error;

	enum op op = l->mind.pc == SOLVING ? RESOLVE : LEAVE;

	if (l->mind.pc == LOST)
		return -ENOLCK;
	if (!l->mind.been_inside)
		return -EPERM;
	if (op == LEAVE) {
		l->mind.pc = LEAVING;
		op = first_op(l, op);
	}
	l->until = lease_now() + (int64_t)LEAVES_FOR * LINE_SECOND;
	error = drive(l, op);
	l->until = INT64_MAX;
	if (error)
		return error;
	if (l->mind.pc == LOST)
		return -ENOLCK;
	l->mind = (struct mind){ .pc = WANT };
	return 0;
}

void line_settle(struct wicket_etcd *l)
{
	if (l->mind.pc != SOLVING)
		return;
	l->mind.gives_up = 1;
	l->until = lease_now();
	drive(l, RESOLVE);
}

void wicket_etcd_cancel(struct wicket_etcd *l)
{
	const uint64_t one = 1;
	ssize_t wrote = write(l->wake_fd, &one, sizeof(one));

	(void)wrote;
}
