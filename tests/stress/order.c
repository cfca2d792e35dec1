/* SPDX-License-Identifier: MIT */
/*
 * order - first come, first served, seen from outside: all slots are held;
 * each waiter comes when inspect shows the one before it at the end of the
 * line; then slots are given back, and who entered writes its name down.
 *
 * One slot at a time, the names must be in the order of arrival.  Several at
 * once, those who enter must be the first so many, whichever writes first.  The
 * tickets must be those that inspect saw.  Meanwhile others keep all processors
 * busy.
 */
#include "stress.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WAITERS = 24, SLOTS_MAX = 7, LOOK_EVERY = 100000 /* nanoseconds */ };

struct waiter {
	uint32_t number;
	pthread_t thread;
	pid_t pid;
	struct wicket_grant grant;
	_Atomic uint32_t may_leave;
};

/* Shared with the waiters. */
struct scene {
	struct waiter waiter[WAITERS];
	_Atomic uint32_t entered;
	_Atomic uint32_t log[WAITERS]; /* 1 + number */
};

struct run {
	uint32_t slots;
	bool processes;
	uint32_t at_once; /* slots given back together, at most */
};

static struct scene *scene;

/* --- waiters -------------------------------------------------------------- */

static int wait_and_enter(void *arg)
{
	struct waiter *me = arg;
	struct wicket *line = open_line(0);

	if (wicket_acquire(line, &me->grant))
		return 1;
	scene->log[scene->entered++] = 1 + me->number;
	while (!me->may_leave)
		nap(LOOK_EVERY);
	return wicket_release(line) || wicket_close(line);
}

static void *wait_in_thread(void *arg)
{
	return wait_and_enter(arg) ? arg : 0;
}

static void arrive(const struct run *run, struct waiter *w)
{
	if (run->processes) {
		w->pid = spawn(wait_and_enter, w);
		return;
	}
	w->pid = getpid();
	if (pthread_create(&w->thread, 0, wait_in_thread, w))
		bail_out("pthread_create");
}

static bool has_left(const struct run *run, struct waiter *w)
{
	void *failed;

	if (run->processes)
		return ends_well(w->pid);
	pthread_join(w->thread, &failed);
	return !failed;
}

/* --- the line ------------------------------------------------------------- */

struct sight {
	struct wicket *view;
	struct wicket_entry entry[SLOTS_MAX + WAITERS];
	uint32_t slots, waiting;
	pid_t last;
};

/* Is the last in line who should be? */
static bool is_in_line(void *arg)
{
	struct sight *s = arg;
	struct wicket_view v;
	int count = wicket_inspect(s->view, &v, s->entry, SLOTS_MAX + WAITERS);

	return count == (int)(s->slots + s->waiting) &&
	       v.waiting == s->waiting &&
	       s->entry[count - 1].place == s->waiting &&
	       s->entry[count - 1].pid == s->last;
}

static void line_up(const struct run *run, struct sight *s)
{
	for (uint32_t i = 0; i < WAITERS; i++) {
		struct waiter *w = &scene->waiter[i];

		w->number = i;
		arrive(run, w);
		s->waiting = i + 1;
		s->last = w->pid;
		if (!eventually(is_in_line, s))
			bail_out("waiter %u is not in line", i);
	}
}

/* --- giving back ---------------------------------------------------------- */

/* Who holds: a handle of ours, or a waiter who has entered. */
struct holder {
	struct wicket *line;
	struct waiter *waiter;
};

static void give_back(struct holder h)
{
	if (h.line)
		wicket_release(h.line);
	else
		h.waiter->may_leave = 1;
}

static struct holder pick(struct holder *holders, uint32_t *count,
			  struct dice *d)
{
	uint32_t i = draw(d, *count);
	struct holder h = holders[i];

	holders[i] = holders[--*count];
	return h;
}

static bool has_logged(void *arg)
{
	return *(_Atomic uint32_t *)arg != 0;
}

/* Gives count slots back and waits for those who enter: are they the next? */
static bool let_in(struct holder *holders, uint32_t *held, uint32_t first,
		   uint32_t count, struct dice *d)
{
	bool seen[WAITERS] = { false }, good = true;

	for (uint32_t i = 0; i < count; i++)
		give_back(pick(holders, held, d));
	for (uint32_t i = first; i < first + count; i++) {
		uint32_t who;

		if (!eventually(has_logged, &scene->log[i]))
			bail_out("nobody enters as number %u", i + 1);
		who = scene->log[i] - 1;
		if (who < first || who >= first + count || seen[who]) {
			note("waiter %u entered as number %u", who + 1, i + 1);
			good = false;
		}
		seen[who] = true;
		holders[(*held)++] =
			(struct holder){ .waiter = &scene->waiter[who] };
	}
	return good;
}

static bool serve(const struct run *run, struct holder *holders, struct dice *d)
{
	uint32_t held = run->slots, entered = 0;
	bool good = true;

	while (entered < WAITERS) {
		uint32_t count = 1 + draw(d, run->at_once);

		if (count > WAITERS - entered)
			count = WAITERS - entered;
		good &= let_in(holders, &held, entered, count, d);
		entered += count;
	}
	while (held)
		give_back(pick(holders, &held, d));
	return good;
}

/* The waiters' tickets are those that inspect saw in line. */
static bool have_their_tickets(const struct sight *s)
{
	for (uint32_t i = 0; i < WAITERS; i++) {
		const struct wicket_entry *e = &s->entry[s->slots + i];
		const struct wicket_grant *g = &scene->waiter[i].grant;

		if (e->value != g->value || e->colour != g->colour) {
			note("waiter %u had ticket (%u,%u), not (%u,%u)", i + 1,
			     g->value, g->colour, e->value, e->colour);
			return false;
		}
	}
	return true;
}

static void watch_order(const struct run *run, struct dice *d)
{
	struct sight sight = { .slots = run->slots };
	struct holder holders[SLOTS_MAX + WAITERS] = { { .line = 0 } };
	struct wicket *ours[SLOTS_MAX];
	bool in_order, gone = true;

	memset(scene, 0, sizeof(*scene));
	new_line(run->slots, WAITERS + SLOTS_MAX);
	sight.view = open_line(WICKET_VIEW);
	for (uint32_t i = 0; i < run->slots; i++) {
		holders[i].line = ours[i] = open_line(0);
		if (wicket_acquire(ours[i], 0))
			bail_out("acquire");
	}
	line_up(run, &sight);
	in_order = serve(run, holders, d);
	for (uint32_t i = 0; i < WAITERS; i++)
		gone &= has_left(run, &scene->waiter[i]);
	ok(in_order && gone && have_their_tickets(&sight),
	   "k = %u, %s, %s: first come, first served", run->slots,
	   run->processes ? "processes" : "threads",
	   run->at_once > 1 ? "several slots at once" : "one slot at a time");
	for (uint32_t i = 0; i < run->slots; i++)
		wicket_close(ours[i]);
	wicket_close(sight.view);
}

/* --- all processors are busy ---------------------------------------------- */

static int burn(void *arg)
{
	(void)arg;
	for (_Atomic uint32_t i = 0;; i++)
		;
	return 0;
}

int main(int argc, char **argv)
{
	static const uint32_t sizes[] = { 1, 2, 7 };
	uint64_t seed = argc > 1 ? strtoull(argv[1], 0, 0) : now();
	struct dice d = dice(seed, 0);

	note("seed %llu", (unsigned long long)seed);
	scene = share(sizeof(*scene));
	for (long i = sysconf(_SC_NPROCESSORS_ONLN); i > 0; i--)
		spawn(burn, 0); /* they end when we do */
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		for (int processes = 0; processes < 2; processes++) {
			struct run run = { sizes[i], processes, 1 };

			watch_order(&run, &d);
			run.at_once = run.slots;
			if (run.at_once > 1)
				watch_order(&run, &d);
		}
	}
	return finish();
}
