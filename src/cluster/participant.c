/* SPDX-License-Identifier: MIT */
#include "wicket-etcd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cluster/address.h"
#include "cluster/desk.h"
#include "cluster/keeper.h"

enum {
	SECOND = 1000000000,
	ANSWER_WITHIN = 2, /* seconds; then a request is to be resolved */
	POLLS = 2,	   /* in the time of a lease */
	NAP = SECOND / 5,  /* while no server can be reached */
	SEATS_READ = 256,  /* when the dead are looked for */
};

struct wicket_etcd {
	struct store *store;
	struct keeper keeper;
	struct desk_names names;
	struct desk desk; /* as last read */
	struct desk next; /* what a transaction makes of it */
	struct mind mind;
	int64_t live_revision;
	uint32_t units;
	bool never_waits, canceled;
	int64_t until; /* of the acquire; INT64_MAX: for ever */
	int wake_fd;
	const char *problem;
};

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* --- one transaction ------------------------------------------------------------------ */

static void compare_own(const struct wicket_etcd *l, struct draft *d)
{
	char key[BOOK_KEY_MAX];

	desk_key(&l->names, "seat/", l->names.id, key);
	draft_compare(d, key, STORE_CHANGED, l->desk.seat_revision);
	desk_key(&l->names, "live/", l->names.id, key);
	draft_compare(d, key, STORE_CREATED, l->live_revision);
}

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
	compare_own(l, d);
	l->next = l->desk;
	switch (op) {
	case TAKE:
		desk_apply(&l->next);
		desk_take(&l->next, l->names.id, l->units);
		desk_write(&l->next, &l->names, d);
		break;
	case LEAVE:
		desk_apply(&l->next);
		desk_leave(&l->next, l->names.id, &l->desk.seat);
		desk_write(&l->next, &l->names, d);
		break;
	case APPLY:
		desk_apply(&l->next);
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

/* Sends it, and reads the desk anew.  SILENCE, or an error that is no silence. */
static int send_draft(struct wicket_etcd *l, struct draft *d,
		      enum reply *answer)
{
	struct timespec end =
		keeper_time(keeper_now() + (int64_t)ANSWER_WITHIN * SECOND);
	struct store_transaction t;
	struct store_reply reply;
	int error;

	desk_ask_all(&l->names, d);
	t = draft_transaction(d);
	error = d->error ? d->error :
			   store_transact(l->store, &t, &end, &reply);
	draft_free(d);
	if (error) {
		*answer = SILENCE;
		return error == -ETIMEDOUT || error == -EAGAIN ? 0 : error;
	}
	*answer = reply.succeeded ? DONE : REFUSED;
	error = desk_read(&l->names, &reply, &l->desk);
	store_free_reply(&reply);
	if (!error && l->live_revision && !l->desk.has_w)
		error = -ESTALE; /* the line was removed */
	return error;
}

static void nap(const struct wicket_etcd *l)
{
	struct timespec t = keeper_time(NAP);

	(void)l;
	nanosleep(&t, NULL);
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
		error = send_draft(l, d, answer);
		free(d);
		if (error != -ECONNREFUSED || keeper_now() >= l->until ||
		    keeper_now() >= l->keeper.deadline)
			return error;
		nap(l);
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

static bool is_late(struct wicket_etcd *l)
{
	uint64_t count;

	if (read(l->wake_fd, &count, sizeof(count)) == sizeof(count))
		l->canceled = true;
	return l->canceled || keeper_now() >= l->until;
}

/* Nobody answers: does it stop asking?  0: no. */
static int despair(struct wicket_etcd *l)
{
	if (keeper_now() >= l->keeper.deadline) {
		l->mind.pc = LOST;
		return -ENOLCK;
	}
	return l->mind.gives_up ? -ETIMEDOUT : 0;
}

/*
 * Sends op, and what follows, until the client is somewhere.  After an error nobody knows
 * what became of the last request: it must be resolved before anything else.
 */
static int drive(struct wicket_etcd *l, enum op op)
{
	int error = 0;

	while (!error && op != NONE) {
		enum reply answer;

		error = perform(l, op, &answer);
		if (!l->mind.been_inside && is_late(l))
			l->mind.gives_up = 1;
		if (error)
			break;
		op = mind_next(&l->mind, answer, phase_of(l), lives(l));
		if (answer == SILENCE)
			error = despair(l);
		/* too late by its own clock */
		if (l->mind.pc == INSIDE &&
		    keeper_now() >= l->keeper.deadline) {
			l->mind.gives_up = 1;
			l->mind.pc = LEAVING;
			op = LEAVE;
		}
	}
	if (error && l->mind.pc != LOST)
		l->mind.pc = SOLVING;
	return error;
}

/* --- the dead ------------------------------------------------------------------------------ */

static bool is_alive(const struct store_pairs *lives, const char *id)
{
	for (size_t i = 0; i < lives->count; i++) {
		const char *slash = strrchr(lives->pair[i].key, '/');

		if (slash && !strcmp(slash + 1, id))
			return true;
	}
	return false;
}

/* Gives back what one had whose lease has ended. */
static int reap(struct wicket_etcd *l, const char *id,
		const struct store_pair *pair)
{
	struct draft *d = calloc(1, sizeof(*d));
	char key[BOOK_KEY_MAX];
	struct book_seat seat;
	enum reply answer;
	int error;

	if (!d)
		return -ENOMEM;
	error = book_read_seat(pair->value, &seat);
	l->next = l->desk;
	if (!error) {
		desk_leave(&l->next, id, &seat);
		desk_clear(&l->next, id);
		desk_key(&l->names, "live/", id, key);
		draft_compare(d, key, STORE_CREATED, 0);
		draft_compare(d, pair->key, STORE_CHANGED, pair->changed);
		desk_write(&l->next, &l->names, d);
		desk_key(&l->names, "ask/", id, key);
		draft_delete(d, key);
		error = send_draft(l, d, &answer);
	}
	free(d);
	return error;
}

/* Reads the desk, and what else is asked for. */
static int read_more(struct wicket_etcd *l, const struct store_action *more,
		     size_t count, struct store_reply *reply)
{
	struct timespec end =
		keeper_time(keeper_now() + (int64_t)ANSWER_WITHIN * SECOND);
	struct draft *d = calloc(1, sizeof(*d));
	struct store_transaction t;
	int error;

	if (!d)
		return -ENOMEM;
	desk_ask_all(&l->names, d);
	for (size_t i = 0; i < count; i++)
		draft_get(d, &more[i]);
	t = draft_transaction(d);
	error = d->error ? d->error : store_transact(l->store, &t, &end, reply);
	draft_free(d);
	free(d);
	if (error)
		return error;
	reply->gets -= count;
	error = desk_read(&l->names, reply, &l->desk);
	reply->gets += count;
	if (error)
		store_free_reply(reply);
	return error;
}

static int read_seats(struct wicket_etcd *l, struct store_reply *reply)
{
	char seat[BOOK_KEY_MAX], seats[BOOK_KEY_MAX];
	char live[BOOK_KEY_MAX], all[BOOK_KEY_MAX];
	const struct store_action more[] = {
		{ .key = seat, .end = seats, .limit = SEATS_READ },
		{ .key = live, .end = all, .keys_only = true },
	};

	desk_key(&l->names, "seat/", "", seat);
	desk_key(&l->names, "seat0", "", seats);
	desk_key(&l->names, "live/", "", live);
	desk_key(&l->names, "live0", "", all);
	return read_more(l, more, 2, reply);
}

/* Does whoever was first in line when the desk was read last live? */
static int read_desk(struct wicket_etcd *l, bool *first_lives)
{
	char key[BOOK_KEY_MAX];
	const struct store_action more = { .key = key, .keys_only = true };
	struct store_reply reply;
	size_t first = l->desk.waiters;
	int error;

	desk_key(&l->names, "live/",
		 first ? l->desk.waiter[0].waiter.id : l->names.id, key);
	error = read_more(l, &more, 1, &reply);
	if (error)
		return error;
	*first_lives = !first || reply.got[reply.gets - 1].count > 0;
	store_free_reply(&reply);
	return 0;
}

/* Who has no live key, one at a time: after each, W is another. */
static int look_after_the_dead(struct wicket_etcd *l)
{
	bool found = true;
	int error = 0;

	while (found && !error) {
		struct store_reply reply;
		struct store_pairs *seats, *lives;

		error = read_seats(l, &reply);
		if (error)
			return error;
		seats = &reply.got[reply.gets - 2];
		lives = &reply.got[reply.gets - 1];
		found = false;
		for (size_t i = 0; !error && !found && i < seats->count; i++) {
			const char *slash = strrchr(seats->pair[i].key, '/');

			found = slash && !is_alive(lives, slash + 1);
			if (found)
				error = reap(l, slash + 1, &seats->pair[i]);
		}
		store_free_reply(&reply);
	}
	return error;
}

/* --- waiting ---------------------------------------------------------------------------------- */

static bool is_first(const struct wicket_etcd *l)
{
	return l->desk.waiters &&
	       !strcmp(l->desk.waiter[0].waiter.id, l->names.id);
}

/* Until its seat changes, it is time to look, or it gives up. */
static int watch(struct wicket_etcd *l)
{
	int64_t poll = keeper_now() + l->keeper.seconds * SECOND / POLLS;
	struct timespec end = keeper_time(earlier(poll, l->until));
	struct store_pair change = { 0 };
	char key[BOOK_KEY_MAX];
	int error;

	desk_key(&l->names, "seat/", l->names.id, key);
	error = store_watch(l->store, key, l->desk.revision + 1, &end,
			    l->wake_fd, &change);
	if (error == -ECONNREFUSED)
		nap(l);
	if (!error)
		store_free_pair(&change);
	return error == -EINTR || error == -ETIMEDOUT || error == -EAGAIN ||
			       error == -ESTALE || error == -ECONNREFUSED ?
		       0 :
		       error;
}

/* Whoever could be in, but was not read by the transaction that made room. */
static int let_in(struct wicket_etcd *l)
{
	struct draft *d = calloc(1, sizeof(*d));
	enum reply answer;
	int error = 0;

	if (!d)
		return -ENOMEM;
	l->next = l->desk;
	desk_resize(&l->next, l->desk.w.rules.k);
	if (l->next.changes) {
		desk_write(&l->next, &l->names, d);
		error = send_draft(l, d, &answer);
	}
	free(d);
	return error;
}

/* Reads how things are.  The first in line looks for the dead, and so does whoever
   finds that the first one has gone. */
static int look(struct wicket_etcd *l)
{
	bool first_lives = true;
	int error = 0;

	if (!is_first(l))
		error = read_desk(l, &first_lives);
	if (!error && (is_first(l) || !first_lives))
		error = look_after_the_dead(l);
	if (!error && is_first(l))
		error = let_in(l);
	return error == -ETIMEDOUT || error == -EAGAIN ||
			       error == -ECONNREFUSED ?
		       0 :
		       error;
}

static int wait_in_line(struct wicket_etcd *l)
{
	int error = is_first(l) ? look(l) : 0;

	while (!error && l->mind.pc == WATCH) {
		if (phase_of(l) == WAITS && lives(l) && !is_late(l))
			error = watch(l);
		if (!error)
			error = look(l);
		if (error)
			break;
		if (!lives(l) || !l->keeper.deadline) {
			l->mind.pc = LOST;
		} else if (phase_of(l) == HOLDS) {
			l->mind.pc = CONFIRMING;
			error = drive(l, CONFIRM);
		} else if (is_late(l)) {
			l->mind.gives_up = 1;
			l->mind.pc = SOLVING; /* of no request */
			error = drive(l,
				      mind_next(&l->mind, REFUSED, WAITS, 1));
		}
	}
	return error;
}

/* --- the line ---------------------------------------------------------------------------------- */

static int take(struct wicket_etcd *l, uint32_t units, int64_t until,
		struct wicket_etcd_grant *grant)
{
	int error;

	if (!units || units > l->desk.w.rules.k)
		return -EINVAL;
	if (l->mind.pc != LOST && l->mind.been_inside)
		return -EDEADLK;
	l->units = units;
	l->until = until;
	l->canceled = false;
	if (l->mind.pc == SOLVING) { /* what an earlier one has left */
		l->mind.gives_up = 1;
		error = drive(l, RESOLVE);
		if (error)
			return error;
	}
	if (l->mind.pc == LOST)
		return -ENOLCK;
	l->mind = (struct mind){ .pc = TAKING };
	error = drive(l, TAKE);
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
		return l->canceled ? -ECANCELED : -ETIMEDOUT;
	l->mind.been_inside = 1;
	*grant = (struct wicket_etcd_grant){
		.units = l->desk.seat.units,
		.value = l->desk.seat.last.value,
		.colour = l->desk.seat.last.colour,
		.fence = l->desk.seat.fence ? l->desk.seat.fence :
					      l->desk.seat_revision,
	};
	memcpy(grant->slots, l->desk.seat.slots, sizeof(grant->slots));
	return 0;
}

/* What a time of CLOCK_MONOTONIC is by CLOCK_BOOTTIME, unless the machine sleeps. */
static int64_t by_boottime(const struct timespec *t)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return keeper_now() + (int64_t)(t->tv_sec - now.tv_sec) * SECOND +
	       (t->tv_nsec - now.tv_nsec);
}

int wicket_etcd_acquire(struct wicket_etcd *l, uint32_t units,
			const struct timespec *deadline,
			struct wicket_etcd_grant *grant)
{
	l->never_waits = false;
	return take(l, units, deadline ? by_boottime(deadline) : INT64_MAX,
		    grant);
}

int wicket_etcd_try(struct wicket_etcd *l, uint32_t units,
		    struct wicket_etcd_grant *grant)
{
	int error;

	l->never_waits = true;
	error = take(l, units, INT64_MAX, grant);
	return error == -ETIMEDOUT ? -EAGAIN : error;
}

int wicket_etcd_release(struct wicket_etcd *l)
{
	int error;

	enum op op = l->mind.pc == SOLVING ? RESOLVE : LEAVE;

	if (l->mind.pc == LOST)
		return -ENOLCK;
	if (!l->mind.been_inside)
		return -EPERM;
	if (op == LEAVE)
		l->mind.pc = LEAVING;
	l->until = INT64_MAX;
	error = drive(l, op);
	if (error)
		return error;
	if (l->mind.pc == LOST)
		return -ENOLCK;
	l->mind = (struct mind){ .pc = WANT };
	let_in(l); /* if it fails, the first in line does it */
	return 0;
}

void wicket_etcd_cancel(struct wicket_etcd *l)
{
	const uint64_t one = 1;
	ssize_t wrote = write(l->wake_fd, &one, sizeof(one));

	(void)wrote;
}

struct timespec wicket_etcd_deadline(const struct wicket_etcd *l)
{
	return keeper_time(l->keeper.deadline);
}

int wicket_etcd_resize(struct wicket_etcd *l, uint32_t k)
{
	enum reply answer = REFUSED;
	int error = 0;

	if (k >= RULES_SLOTS_MAX)
		return -EINVAL;
	do { /* at least once: it may be another since it was read */
		struct draft *d = calloc(1, sizeof(*d));

		if (!d)
			return -ENOMEM;
		l->next = l->desk;
		desk_resize(&l->next, k);
		desk_write(&l->next, &l->names, d);
		error = send_draft(l, d, &answer);
		free(d);
	} while (!error && (answer == SILENCE ||
			    (answer == REFUSED && l->desk.w.rules.k != k)));
	return error;
}

/* --- open and close -------------------------------------------------------------------------- */

static struct book_person myself(void)
{
	struct book_person p = { .pid = getpid(), .uid = getuid() };
	FILE *f = fopen("/proc/self/comm", "re");

	gethostname(p.host, sizeof(p.host) - 1);
	if (f) {
		if (fgets(p.comm, sizeof(p.comm), f))
			p.comm[strcspn(p.comm, "\n")] = '\0';
		fclose(f);
	}
	return p;
}

/* Its live key; and W, if it is to be created. */
static int join(struct wicket_etcd *l, uint32_t slots, bool creates)
{
	struct book_person me = myself();
	struct book_w w = { .rules = { .k = slots, .m = BOOK_BLOCK } };
	int error = 0;

	rules_stock(&w.rules);
	while (!error && (!lives(l) || (creates && !l->desk.has_w))) {
		struct draft *d = calloc(1, sizeof(*d));
		char key[BOOK_KEY_MAX];
		enum reply answer;

		if (!d)
			return -ENOMEM;
		if (!l->desk.lives) {
			desk_key(&l->names, "live/", l->names.id, key);
			draft_compare(d, key, STORE_CREATED, 0);
			draft_put(d, key, book_person_text(&me),
				  l->keeper.lease);
		} else {
			desk_key(&l->names, "w", "", key);
			draft_compare(d, key, STORE_CREATED, 0);
			draft_put(d, key, book_w_text(&w), 0);
		}
		error = send_draft(l, d, &answer);
		free(d);
		l->live_revision = l->desk.live_revision;
		if (!error && answer == SILENCE && !l->keeper.deadline)
			error = -ENOLCK;
	}
	return error ? error : l->desk.has_w ? 0 : -ENOENT;
}

static int start(struct wicket_etcd *l, const struct wicket_etcd_options *o,
		 const struct store_options *where)
{
	bool creates = o->flags & WICKET_CREATE;
	struct store *store;
	int error = store_open(&l->store, where);

	if (!error)
		error = store_open(&store, where);
	if (error)
		return error;
	error = keeper_start(&l->keeper, store,
			     o->ttl ? o->ttl : WICKET_ETCD_TTL_DEFAULT);
	if (error) {
		store_close(store);
		return error;
	}
	snprintf(l->names.id, sizeof(l->names.id), "%016" PRIx64,
		 (uint64_t)l->keeper.lease);
	error = join(l, o->slots ? o->slots : 1, creates);
	if (!error && o->slots && o->slots != l->desk.w.rules.k)
		error = -EEXIST;
	if (error)
		keeper_stop(&l->keeper);
	return error;
}

int wicket_etcd_open(struct wicket_etcd **line, const char *name,
		     const struct wicket_etcd_options *options)
{
	struct wicket_etcd *l = calloc(1, sizeof(*l));
	struct address address;
	struct store_options where = { .cacert = options->cacert,
				       .cert = options->cert,
				       .key = options->key,
				       .user = options->user,
				       .password = options->password };
	int error;

	if (!l)
		return -ENOMEM;
	l->until = INT64_MAX;
	l->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	error = l->wake_fd < 0 ?
			-errno :
			address_read(options->store, &address, &l->problem);
	if (!error)
		error = address_of_line(&address, name, l->names.prefix,
					sizeof(l->names.prefix), &l->problem);
	if (!error && *address.endpoints)
		where.endpoints = address.endpoints;
	if (!error)
		error = start(l, options, &where);
	if (error) {
		if (options->problem)
			snprintf(options->problem, WICKET_ETCD_PROBLEM, "%s",
				 l->store || l->problem ?
					 wicket_etcd_problem(l) :
					 strerror(-error));
		if (l->wake_fd >= 0)
			close(l->wake_fd);
		store_close(l->store);
		free(l);
		return error;
	}
	*line = l;
	return 0;
}

/*
 * The seat goes together with the live key, which every request compares: none that is
 * still under way can succeed any more.
 */
static void go(struct wicket_etcd *l)
{
	struct draft *d = calloc(1, sizeof(*d));
	char key[BOOK_KEY_MAX];
	enum reply answer;

	if (!d)
		return;
	compare_own(l, d);
	desk_key(&l->names, "seat/", l->names.id, key);
	draft_delete(d, key);
	desk_key(&l->names, "ask/", l->names.id, key);
	draft_delete(d, key);
	desk_key(&l->names, "live/", l->names.id, key);
	draft_delete(d, key);
	send_draft(l, d, &answer);
	free(d);
}

void wicket_etcd_close(struct wicket_etcd *l)
{
	if (l->mind.been_inside)
		wicket_etcd_release(l);
	if (l->mind.pc == WANT)
		go(l);
	keeper_stop(&l->keeper);
	store_close(l->store);
	close(l->wake_fd);
	free(l);
}

const char *wicket_etcd_problem(const struct wicket_etcd *l)
{
	return l->problem ? l->problem : store_problem(l->store);
}
