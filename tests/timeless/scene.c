/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include "asleep.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PEOPLE_MAX = 1024, CROWD = 24, LOOK_EVERY = 100000 /* nanoseconds */ };

/* Where a person is, as it says itself. */
enum where { NOWHERE, ASKS, INSIDE, LEFT, GAVE_UP, DEAD };

enum order { STAY, LEAVE, CLOSE, EXIT, EXEC, END_THREAD };

struct person {
	pid_t pid;
	bool here;    /* as it should be: it waits or is inside */
	bool inside;  /* as it should be */
	bool stopped; /* then it need not have noticed */
	/* written by the person */
	_Atomic uint32_t where;
	struct wicket_grant grant;
	/* and read by it */
	_Atomic uint32_t order;
};

static struct person *people; /* shared */
static uint32_t count, slots;
static bool stuck;

void (*before_event)(void);

/* --- a person ------------------------------------------------------------- */

static struct wicket *_Atomic line;
static struct person *self;

static void on_cancel(int number)
{
	struct wicket *mine = atomic_load(&line);

	(void)number;
	if (mine)
		wicket_cancel(mine);
}

/* Once its first thread, whose the handle was, is gone. */
static void *outlive(void *first)
{
	pthread_join(*(pthread_t *)first, 0);
	self->where = DEAD;
	for (;;)
		pause();
	return 0;
}

static void end_thread(void)
{
	static pthread_t first;
	pthread_t other;

	first = pthread_self();
	if (!pthread_create(&other, 0, outlive, &first))
		pthread_exit(0);
}

static int leave_as_told(struct wicket *mine)
{
	while (self->order == STAY)
		nap(LOOK_EVERY);
	switch (atomic_load(&self->order)) {
	case LEAVE:
		if (wicket_release(mine))
			return 1;
		self->where = LEFT;
		while (self->order != CLOSE)
			nap(LOOK_EVERY);
		return wicket_close(mine);
	case EXEC:
		execl("/proc/self/exe", "extra", "--extra", (char *)0);
		return 1;
	case END_THREAD:
		end_thread();
		return 1;
	default:
		return 0;
	}
}

static int live(void *arg)
{
	struct sigaction action = { .sa_handler = on_cancel };
	struct wicket *mine = open_line(0);
	int error;

	self = arg;
	sigaction(SIGUSR1, &action, 0);
	atomic_store(&line, mine);
	self->where = ASKS;
	error = wicket_acquire(mine, &self->grant);
	atomic_store(&line, 0);
	if (!error) {
		self->where = INSIDE;
		return leave_as_told(mine);
	}
	self->where = GAVE_UP;
	return error != -ECANCELED || wicket_close(mine);
}

void be_an_extra(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--extra")) {
		raise(SIGSTOP);
		_exit(0);
	}
}

/* --- who should be where -------------------------------------------------- */

static uint32_t count_inside(void)
{
	uint32_t inside = 0;

	for (uint32_t i = 0; i < count; i++)
		inside += people[i].here && people[i].inside;
	return inside;
}

/* First come, first served. */
static void let_in(void)
{
	uint32_t inside = count_inside();

	for (uint32_t i = 0; i < count && inside < slots; i++) {
		inside += people[i].here && !people[i].inside;
		people[i].inside |= people[i].here;
	}
}

/* --- who is where --------------------------------------------------------- */

static bool is_at_rest(const struct person *p)
{
	return !p->here || p->stopped || p->where == INSIDE ||
	       (p->where == ASKS && sleeps_for_good(p->pid));
}

static uint64_t all_switches(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (people[i].here && people[i].where == ASKS)
			sum += switches(people[i].pid);
	}
	return sum;
}

/* At one moment: nobody has woken up while we looked. */
static bool all_are_at_rest(void *arg)
{
	uint64_t before = all_switches();

	(void)arg;
	for (uint32_t i = 0; i < count; i++) {
		if (!is_at_rest(&people[i]))
			return false;
	}
	return all_switches() == before;
}

static void tell_where(void)
{
	static const char *const names[] = { "nowhere", "asks",	   "inside",
					     "left",	"gave up", "dead" };

	for (uint32_t i = 0; i < count; i++) {
		const struct person *p = &people[i];

		if (p->here)
			note("person %u, pid %d: %s%s%s, should %s", i, p->pid,
			     names[p->where],
			     sleeps_for_good(p->pid) ? ", asleep" : "",
			     p->stopped ? ", stopped" : "",
			     p->inside ? "be inside" : "wait");
	}
}

static bool is_as_it_should_be(void)
{
	bool taken[WICKET_SLOTS_MAX] = { false };

	for (uint32_t i = 0; i < count; i++) {
		const struct person *p = &people[i];

		if (!p->here || p->stopped)
			continue;
		if (p->inside != (p->where == INSIDE))
			return false;
		if (!p->inside)
			continue;
		if (p->grant.slot >= slots || taken[p->grant.slot])
			return false;
		taken[p->grant.slot] = true;
	}
	return true;
}

static bool somebody_sleeps_inside(void)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct person *p = &people[i];

		if (p->here && !p->stopped && p->inside && p->where == ASKS)
			return true;
	}
	return false;
}

static bool settle(const char *event, uint32_t who)
{
	bool rest;

	let_in();
	rest = eventually(all_are_at_rest, 0);
	if (rest && is_as_it_should_be())
		return true;
	stuck = rest && somebody_sleeps_inside();
	note("person %u %s: %s", who, event,
	     stuck ? "somebody sleeps who should be inside" :
	     rest  ? "the wrong ones are inside" :
		     "they do not come to rest");
	tell_where();
	return false;
}

/* --- events --------------------------------------------------------------- */

static struct person *begin_event(uint32_t who)
{
	if (before_event)
		before_event();
	return &people[who];
}

static bool has_ended_well(struct person *p)
{
	pid_t pid = p->pid;

	p->pid = 0; /* it may be another's from now on */
	return ends_well(pid);
}

static void is_gone(struct person *p)
{
	p->here = p->inside = false;
}

static bool let_one_come(void)
{
	struct person *p = begin_event(count);

	if (count++ == PEOPLE_MAX)
		bail_out("too many people");
	p->here = true;
	p->pid = spawn(live, p);
	return settle("comes", count - 1);
}

bool let_come(uint32_t n)
{
	bool good = true;

	while (good && n--)
		good = let_one_come();
	return good;
}

static bool has_left(void *arg)
{
	return ((struct person *)arg)->where == LEFT;
}

/* First it gives its slot back, which has to be enough, then its seat. */
bool let_leave(uint32_t who)
{
	struct person *p = begin_event(who);

	p->order = LEAVE;
	if (!eventually(has_left, p))
		bail_out("person %u cannot leave", who);
	is_gone(p);
	if (!settle("leaves", who))
		return false;
	p->order = CLOSE;
	if (!has_ended_well(p))
		bail_out("person %u cannot close", who);
	return settle("closes", who);
}

bool let_give_up(uint32_t who)
{
	struct person *p = begin_event(who);

	kill(p->pid, SIGUSR1);
	if (!has_ended_well(p) || p->where != GAVE_UP)
		bail_out("person %u cannot give up", who);
	is_gone(p);
	return settle("gives up", who);
}

static bool thread_has_ended(void *arg)
{
	return ((struct person *)arg)->where == DEAD;
}

/* Returns when the kernel has rung its bell. */
static bool has_died(struct person *p, enum death how)
{
	int status;

	switch (how) {
	case EXITS:
		p->order = EXIT;
		return has_ended_well(p);
	case EXECS:
		p->order = EXEC;
		return stops(p->pid, &status);
	case THREAD_ENDS:
		p->order = END_THREAD;
		return eventually(thread_has_ended, p);
	default:
		end(p->pid);
		p->pid = 0;
		return true;
	}
}

bool let_die(uint32_t who, enum death how)
{
	static const char *const names[DEATHS] = { "is killed", "exits",
						   "executes another program",
						   "ends its thread" };
	struct person *p = begin_event(who);

	if (!has_died(p, how))
		bail_out("person %u does not die: %s", who, names[how]);
	is_gone(p);
	return settle(names[how], who);
}

bool let_stop(uint32_t who)
{
	struct person *p = begin_event(who);
	int status;

	kill(p->pid, SIGSTOP);
	if (!stops(p->pid, &status))
		bail_out("person %u does not stop", who);
	p->stopped = true;
	return settle("is stopped", who);
}

bool let_go_on(uint32_t who)
{
	struct person *p = begin_event(who);

	p->stopped = false;
	kill(p->pid, SIGCONT);
	return settle("goes on", who);
}

bool let_all_leave(void)
{
	bool good = true;

	for (uint32_t i = 0; good && i < count; i++) {
		if (people[i].here)
			good = let_leave(i);
	}
	return good && all_are_back(slots);
}

/* --- anything ------------------------------------------------------------- */

static bool is_any(const struct person *p)
{
	return p->here;
}

static bool is_stopped(const struct person *p)
{
	return p->here && p->stopped;
}

static bool is_inside(const struct person *p)
{
	return p->here && p->inside && !p->stopped;
}

static bool is_waiting(const struct person *p)
{
	return p->here && !p->inside && !p->stopped;
}

static bool is_free(const struct person *p)
{
	return p->here && !p->stopped;
}

static uint32_t how_many(bool (*are)(const struct person *))
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += are(&people[i]);
	return sum;
}

/* One of those, of whom there are some. */
static uint32_t any(bool (*is)(const struct person *), struct dice *d)
{
	uint32_t left = draw(d, how_many(is)), i = 0;

	while (!is(&people[i]) || left--)
		i++;
	return i;
}

/* While somebody is stopped, nobody dies: it may be the one who is told. */
static bool let_one_die(struct dice *d)
{
	uint32_t who;

	if (how_many(is_stopped))
		return let_go_on(any(is_stopped, d));
	who = any(is_any, d);
	return let_die(who, people[who].inside ? draw(d, DEATHS) : KILLED);
}

static bool let_something_happen(struct dice *d)
{
	bool crowded = how_many(is_any) >= CROWD;

	switch (draw(d, 12)) {
	case 0:
	case 1:
		if (how_many(is_inside))
			return let_leave(any(is_inside, d));
		break;
	case 2:
	case 3:
		if (how_many(is_any))
			return let_one_die(d);
		break;
	case 4:
		if (how_many(is_waiting))
			return let_give_up(any(is_waiting, d));
		break;
	case 5:
		if (how_many(is_free))
			return let_stop(any(is_free, d));
		break;
	case 6:
		if (how_many(is_stopped))
			return let_go_on(any(is_stopped, d));
		break;
	default:
		if (!crowded)
			return let_come(1);
	}
	return true;
}

bool let_anything_happen(uint32_t events, struct dice *d)
{
	bool good = true;

	while (good && events--)
		good = let_something_happen(d);
	while (good && how_many(is_stopped))
		good = let_go_on(any(is_stopped, d));
	return good;
}

/* --- the scene ------------------------------------------------------------ */

void open_scene(uint32_t k)
{
	slots = k;
	count = 0;
	stuck = false;
	people = share(PEOPLE_MAX * sizeof(*people));
	new_line(k, 4 * CROWD);
}

void close_scene(void)
{
	for (uint32_t i = 0; i < count; i++) {
		if (people[i].pid)
			end(people[i].pid);
	}
	munmap(people, PEOPLE_MAX * sizeof(*people));
}

bool is_stuck(void)
{
	return stuck;
}
