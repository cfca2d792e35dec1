/* SPDX-License-Identifier: MIT */
/*
 * storm [--seats N | --namespaces] [KILLS [SEED]]
 * storm --resize [KILLS [SEED]]
 * storm --no-kills [ENTRIES [SEED]]
 * storm --one-at-a-time [KILLS [SEED]] - processes come, enter, give up, are
 * cancelled, stopped and killed at any instruction, and a checker outside the
 * line watches: no slot has two live holders, every slot number is less than k (so
 * that never more than k are inside), and at the end all k slots are back.
 *
 * --seats N makes lines of N seats, or of k + 1 if that is more: so few that
 * the tickets' colours come round thousands of times (and, in a library built
 * with LINE_STAMP_BITS=8, the stamps too), and that -EUSERS is common.
 *
 * --namespaces makes every process number 1 of a pid namespace of its own, as
 * in containers: their threads cannot be told apart by their numbers.  They open
 * and close the line all the time.
 *
 * --resize makes one of them change the number of slots all the time, to 0..k, and
 * checks: once no more are open than shall be, no more are inside.
 *
 * The other two are for a library that never looks by time (tests/timeless).
 * --no-kills leaves the kills out.  --one-at-a-time leaves out all else, and
 * nobody is killed, and nobody comes for the one who was, before the line has gone
 * on.  Somebody who sleeps too long is then somebody who was not woken.
 */
#include "ground/ground.h"
#include "stress.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MICROSECOND = 1000,
	SLOTS_MAX = 64,
	WORKERS = 16, /* more if there are more slots */
	WORKERS_MAX = 80,
	STOPPED_MAX = 4,
	BLOCKS_LEAST = 1000, /* with --seats */
};

/*
 * The checker.  A worker has a number that no other ever has.  doomed is set
 * before a worker is killed: from then on another may be in its slot, namely
 * once it is dead.  Should it be there earlier, the doomed one will find out.
 */
struct checker {
	_Atomic uint32_t over;
	_Atomic uint32_t wrong;
	char what[128]; /* the first that was wrong */
	_Atomic uint32_t owner[SLOTS_MAX];
	_Atomic uint64_t entries, refused, no_seat, resized, drained;
	_Atomic uint64_t blocks[SLOTS_MAX + 1]; /* begun, by colour */
	_Atomic uint8_t doomed[];
};

enum weather { ANYTHING, NO_KILLS, ONE_AT_A_TIME };

static struct checker *checker;
static enum weather weather;
static bool namespaces, resizes;
static uint32_t slots;
static uint64_t seed;

__attribute__((format(printf, 1, 2))) static void wrong(const char *format, ...)
{
	va_list args;

	if (atomic_fetch_add(&checker->wrong, 1))
		return;
	va_start(args, format);
	vsnprintf(checker->what, sizeof(checker->what), format, args);
	va_end(args);
}

/* --- a worker ------------------------------------------------------------- */

static struct wicket *_Atomic line;

static void on_cancel(int number)
{
	struct wicket *mine = atomic_load(&line);

	(void)number;
	if (mine)
		wicket_cancel(mine);
}

static void sit_down(void)
{
	while (!line && !checker->over) {
		struct wicket *mine;
		int error = wicket_open(&mine, line_path(), 0);

		if (!error) {
			line = mine;
		} else if (error == -EUSERS) {
			checker->no_seat++;
			nap(100 * MICROSECOND);
		} else {
			wrong("open: %s", strerror(-error));
			return;
		}
	}
}

static void get_up(void)
{
	/* no handler may see it any more */
	struct wicket *mine = atomic_exchange(&line, 0);

	if (mine)
		wicket_close(mine);
}

/* The more slots, the more stay inside for a while: else few ever wait. */
static void work(struct dice *d)
{
	if (draw(d, WORKERS) < slots)
		nap(draw(d, 100) * MICROSECOND);
	else if (draw(d, 8) == 0)
		sched_yield();
	else
		for (_Atomic uint32_t i = draw(d, 1000); i > 0; i--)
			;
}

/* What is asked for, and what was granted. */
struct wish {
	uint32_t units, slot[SLOTS_MAX];
	struct wicket_grant grant;
};

static void enter(uint32_t me, const struct wish *w)
{
	for (uint32_t i = 0; i < w->units; i++) {
		uint32_t slot = w->slot[i], before;

		if (slot >= slots) {
			wrong("%u got slot %u of %u", me, slot, slots);
			return;
		}
		before = atomic_exchange(&checker->owner[slot], me);
		if (before && !checker->doomed[before])
			wrong("%u entered slot %u, where %u was", me, slot,
			      before);
	}
	checker->entries++;
	/* the first ticket of a block has a colour that the last had not */
	if (w->grant.value < w->units)
		checker->blocks[w->grant.colour]++;
}

static void leave(uint32_t me, uint32_t slot)
{
	uint32_t expect = me;

	if (slot < slots &&
	    !atomic_compare_exchange_strong(&checker->owner[slot], &expect, 0))
		wrong("%u was in slot %u when %u entered", me, slot, expect);
}

/* Asks for a slot in one of the ways there are; fair says whether a refusal is
   one that may be. */
static int ask(struct dice *d, struct wish *w, bool *fair)
{
	struct timespec deadline;
	uint32_t units = w->units;
	struct wicket_grant *grant = &w->grant;
	int error;

	switch (weather == ONE_AT_A_TIME ? 2 : draw(d, 4)) {
	case 0:
		error = wicket_try_units(line, units, w->slot, grant);
		*fair = error == -EAGAIN;
		break;
	case 1: /* one in four has passed already */
		deadline = timespec_of(now() - 500 * MICROSECOND +
				       draw(d, 2000) * MICROSECOND);
		error = wicket_acquire_units(line, units, &deadline, w->slot,
					     grant);
		*fair = error == -ETIMEDOUT || error == -ECANCELED;
		break;
	default:
		error = units > 1 ? wicket_acquire_units(line, units, NULL,
							 w->slot, grant) :
				    wicket_acquire(line, grant);
		if (units == 1)
			w->slot[0] = grant->slot;
		*fair = error == -ECANCELED;
	}
	return error;
}

/* Mostly one; now and then several, or all. */
static uint32_t draw_units(struct dice *d)
{
	return draw(d, 3)  ? 1 :
	       draw(d, 16) ? 1 + draw(d, slots < 4 ? slots : 4) :
			     slots;
}

/* The first of them, in the order of the grant, or none of them. */
static uint32_t leave_in_part(struct dice *d, uint32_t me, const struct wish *w)
{
	uint32_t some = w->units > 1 && draw(d, 2) ? 1 + draw(d, w->units - 1) :
						     0;

	for (uint32_t i = 0; i < some; i++)
		leave(me, w->slot[i]);
	if (some && wicket_release_units(line, some))
		wrong("%u could not release %u of %u", me, some, w->units);
	return some;
}

static void come_and_go(struct dice *d, uint32_t me)
{
	struct wish w = { .units = draw_units(d) };
	bool fair;
	int error = ask(d, &w, &fair);

	if (error == -EUSERS) { /* it gave up once, and others took its seat */
		checker->no_seat++;
		nap(100 * MICROSECOND);
	} else if (error) {
		checker->refused++;
		if (!fair)
			wrong("refused: %s", strerror(-error));
	} else {
		uint32_t gone;

		enter(me, &w);
		work(d);
		gone = leave_in_part(d, me, &w);
		for (uint32_t i = gone; i < w.units; i++)
			leave(me, w.slot[i]);
		if (namespaces || draw(d, 4) == 0)
			get_up();
		else if (wicket_release(line))
			wrong("%u could not release", me);
	}
}

static int worker(void *arg)
{
	uint32_t me = *(uint32_t *)arg;
	struct dice d = dice(seed, me);

	while (!checker->over) {
		sit_down();
		if (line)
			come_and_go(&d, me);
	}
	get_up();
	return 0;
}

/* --- one that changes the number of slots ------------------------------------- */

static uint32_t count_living_inside(void)
{
	uint32_t inside = 0;

	for (uint32_t i = 0; i < slots; i++) {
		uint32_t number = checker->owner[i];

		inside += number && !checker->doomed[number];
	}
	return inside;
}

static void resize(struct dice *d)
{
	uint32_t most = draw(d, slots + 1);
	int left = wicket_resize(line, most);

	if (left < 0 || (uint32_t)left > slots - most) {
		wrong("resize: %d", left);
		return;
	}
	for (uint32_t looks = draw(d, 20); looks > 0; looks--) {
		struct wicket_view v = look(line);
		uint32_t inside = count_living_inside();

		if (v.slots != most)
			wrong("%u slots, not %u as was said", v.slots, most);
		if (v.open <= most && inside > most)
			wrong("%u inside, though %u are open", inside, most);
		if (left && v.open <= most)
			checker->drained++;
		left = v.open > most;
		nap(100 * MICROSECOND);
	}
	checker->resized++;
}

static int resizer(void *arg)
{
	struct dice d = dice(seed, *(uint32_t *)arg);

	while (!checker->over) {
		sit_down();
		if (line)
			resize(&d);
	}
	get_up();
	return 0;
}

static void open_all(void)
{
	struct wicket *h = open_line(0);

	if (wicket_resize(h, slots))
		wrong("not all slots are open at once");
	wicket_close(h);
}

/* --- the storm ------------------------------------------------------------ */

struct victim {
	pid_t pid;
	uint32_t number;
	bool stopped;
};

struct storm {
	struct victim victim[WORKERS_MAX];
	uint32_t workers, started, stopped;
	uint64_t killed, most_inside;
	struct dice dice;
};

static void start(struct storm *s, struct victim *v)
{
	int (*body)(void *) = resizes && v == s->victim ? resizer : worker;

	v->number = ++s->started;
	v->pid = (namespaces ? spawn_first : spawn)(body, &v->number);
}

static void go_on(struct storm *s, struct victim *v)
{
	if (v->stopped) {
		kill(v->pid, SIGCONT);
		v->stopped = false;
		s->stopped--;
	}
}

static void stop(struct storm *s, struct victim *v)
{
	if (!v->stopped && s->stopped < STOPPED_MAX) {
		kill(v->pid, SIGSTOP);
		v->stopped = true;
		s->stopped++;
	}
}

static void slay(struct storm *s, struct victim *v)
{
	int status;

	checker->doomed[v->number] = 1;
	kill(v->pid, SIGKILL);
	waitpid(v->pid, &status, 0);
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		wrong("worker %u ended by itself: %#x", v->number, status);
	for (uint32_t i = 0; i < slots; i++) {
		uint32_t expect = v->number;

		atomic_compare_exchange_strong(&checker->owner[i], &expect, 0);
	}
	if (v->stopped) {
		v->stopped = false;
		s->stopped--;
	}
	s->killed++;
}

/* Anybody, or somebody who is inside. */
static struct victim *pick(struct storm *s)
{
	struct victim *any = &s->victim[draw(&s->dice, s->workers)];
	uint32_t number = checker->owner[draw(&s->dice, slots)];

	if (draw(&s->dice, 2))
		return any;
	for (uint32_t i = 0; i < s->workers; i++) {
		if (s->victim[i].number == number)
			return &s->victim[i];
	}
	return any;
}

static void count_inside(struct storm *s)
{
	uint64_t inside = 0;

	for (uint32_t i = 0; i < slots; i++)
		inside += checker->owner[i] != 0;
	if (inside > s->most_inside)
		s->most_inside = inside;
}

static void blow(struct storm *s, bool kill_too)
{
	struct victim *v = pick(s);

	switch (draw(&s->dice, 4)) {
	case 0:
		kill(v->pid, SIGUSR1);
		break;
	case 1:
		stop(s, v);
		break;
	default:
		if (kill_too) {
			slay(s, v);
			start(s, v);
		}
	}
	for (uint32_t i = 0; i < s->workers; i++) {
		if (s->victim[i].stopped && draw(&s->dice, 8) == 0)
			go_on(s, &s->victim[i]);
	}
	count_inside(s);
	nap(draw(&s->dice, 4000) * MICROSECOND);
}

static uint64_t blocks_begun(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i <= slots; i++)
		sum += checker->blocks[i];
	return sum;
}

/* What has to happen before it calms down. */
struct target {
	uint64_t kills, entries, blocks;
};

/* Until all that has happened, or nobody gets in. */
static void rage(struct storm *s, struct target until)
{
	uint64_t entries = 0, last = now();

	while (s->killed < until.kills || checker->entries < until.entries ||
	       blocks_begun() < until.blocks) {
		if (checker->entries != entries) {
			entries = checker->entries;
			last = now();
		} else if (now() - last > PATIENCE * UINT64_C(1000000000)) {
			wrong("nobody got in any more");
			return;
		}
		blow(s, s->killed < until.kills);
	}
}

static bool has_gone_on(void *entries)
{
	return checker->entries > *(uint64_t *)entries;
}

/* So many are killed, each when the line has gone on without the last. */
static void rage_one_at_a_time(struct storm *s, uint64_t kills)
{
	while (s->killed < kills) {
		struct victim *v = pick(s);
		uint64_t enough;
		bool goes_on;

		slay(s, v);
		enough = checker->entries + s->workers;
		goes_on = eventually(has_gone_on, &enough);
		start(s, v);
		if (!goes_on) {
			wrong("nobody got in any more");
			return;
		}
		count_inside(s);
		nap(draw(&s->dice, 4000) * MICROSECOND);
	}
}

/* Half of them leave, the others are killed, if anybody may be. */
static bool calm_down(struct storm *s)
{
	uint32_t stride = weather == ANYTHING ? 2 : 1;
	bool good = true;

	for (uint32_t i = 0; i < s->workers; i++)
		go_on(s, &s->victim[i]);
	for (uint32_t i = 0; stride > 1 && i < s->workers; i += stride)
		slay(s, &s->victim[i]);
	if (resizes) /* who waits is to get in, and leave */
		open_all();
	checker->over = 1;
	for (uint32_t i = stride - 1; i < s->workers; i += stride) {
		if (good)
			good = ends_well(s->victim[i].pid);
		else
			end(s->victim[i].pid);
	}
	return good;
}

static void report(const struct storm *s, struct wicket_view v)
{
	uint32_t colours = 0;

	for (uint32_t i = 0; i <= slots; i++)
		colours += checker->blocks[i] != 0;
	note("k = %u, %u seats: %llu kills, %llu entries, %llu refusals, "
	     "%llu times no seat",
	     slots, v.seats, (unsigned long long)s->killed,
	     (unsigned long long)checker->entries,
	     (unsigned long long)checker->refused,
	     (unsigned long long)checker->no_seat);
	if (resizes)
		note("%llu times another k, %llu times holders left for it",
		     (unsigned long long)checker->resized,
		     (unsigned long long)checker->drained);
	note("most inside %llu, recovered %llu, abandoned %llu, "
	     "colour changed %llu times among %u",
	     (unsigned long long)s->most_inside,
	     (unsigned long long)v.recovered, (unsigned long long)v.abandoned,
	     (unsigned long long)blocks_begun(), colours);
}

static int remove_line(void *arg)
{
	(void)arg;
	return wicket_remove(line_path()) != 0;
}

/* count: kills, or entries if nobody is killed. */
static void rage_as_asked(struct storm *s, uint32_t seats, uint64_t count)
{
	struct target until = { .blocks = seats ? BLOCKS_LEAST : 0 };

	if (weather == ONE_AT_A_TIME) {
		rage_one_at_a_time(s, count);
		return;
	}
	if (weather == NO_KILLS)
		until.entries = count;
	else
		until.kills = count;
	rage(s, until);
}

static bool storm(uint32_t k, uint32_t seats, uint64_t count)
{
	struct storm s = { .workers = k < WORKERS ? WORKERS : WORKERS_MAX,
			   .dice = dice(seed, 0) };
	size_t bytes = sizeof(*checker) + count + 2 * WORKERS_MAX;
	bool all_end, all_back, none_left, all_right;
	struct wicket *view;

	slots = k;
	checker = share(bytes);
	new_line(k, seats && seats < k + 1 ? k + 1 : seats);
	view = open_line(WICKET_VIEW);
	for (uint32_t i = 0; i < s.workers; i++)
		start(&s, &s.victim[i]);
	rage_as_asked(&s, seats, count);
	all_end = calm_down(&s);
	report(&s, look(view));
	all_back = all_are_back(k);
	/* who removes it looks after the dead first: not a seat is taken */
	none_left = ends_well(spawn(remove_line, 0)) && !look(view).seated;
	all_right = !checker->wrong;
	if (!all_right)
		note("%u things wrong; the first: %s", checker->wrong,
		     checker->what);
	ok(all_right, "k = %u: no slot twice, none but k", k);
	ok(all_end, "k = %u: who is not killed ends", k);
	ok(all_back, "k = %u: all slots are back", k);
	ok(none_left, "k = %u: nobody is left", k);
	munmap(checker, bytes);
	wicket_close(view);
	return all_right && all_end && all_back && none_left;
}

/* The option, if there is one, and what is left. */
static void read_option(int *argc, char ***argv, uint32_t *seats)
{
	int used = 0;

	if (*argc > 2 && !strcmp((*argv)[1], "--seats")) {
		*seats = (uint32_t)strtoul((*argv)[2], 0, 0);
		used = 2;
	} else if (*argc > 1 && !strcmp((*argv)[1], "--no-kills")) {
		weather = NO_KILLS;
		used = 1;
	} else if (*argc > 1 && !strcmp((*argv)[1], "--one-at-a-time")) {
		weather = ONE_AT_A_TIME;
		used = 1;
	} else if (*argc > 1 && !strcmp((*argv)[1], "--namespaces")) {
		namespaces = true;
		used = 1;
	} else if (*argc > 1 && !strcmp((*argv)[1], "--resize")) {
		resizes = true;
		used = 1;
	}
	*argc -= used;
	*argv += used;
}

int main(int argc, char **argv)
{
	static const uint32_t sizes[] = { 1, 2, 3, 7, 64 };
	struct sigaction action = { .sa_handler = on_cancel };
	uint64_t count = 2000;
	uint32_t seats = 0;
	bool good = true;

	read_option(&argc, &argv, &seats);
	if (namespaces && !can_spawn_first())
		return skip_all("no pid namespaces here");
	if (argc > 1)
		count = strtoull(argv[1], 0, 0);
	seed = argc > 2 ? strtoull(argv[2], 0, 0) : now();
	note("seed %llu", (unsigned long long)seed);
	sigaction(SIGUSR1, &action,
		  0); /* before anybody is there to be sent it */
	for (size_t i = 0; good && i < sizeof(sizes) / sizeof(*sizes); i++)
		good = storm(sizes[i], seats, count / 5);
	return finish();
}
