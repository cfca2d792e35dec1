/* SPDX-License-Identifier: MIT */
#include "drive/crew.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "drive/drive.h"
#include "drive/watch.h"

enum { SECOND = 1000000000 };

struct stage {
	struct drive_shared shared;
	struct drive_scene scene;
	_Alignas(DRIVE_APART) _Atomic uint32_t over;
};

struct crew;

struct worker {
	struct crew *crew;
	uint32_t who; /* from 1 */
	pthread_t thread;
	pid_t process;
	uint64_t random; /* never 0 */
};

struct crew {
	const struct drive_plan *plan;
	struct stage *stage;
	struct drive drive;
	uint32_t workers; /* helpers included */
	struct worker worker[WICKET_PROCS_MAX];
	uint64_t random;
	uint64_t killed, killed_inside;
	uint64_t before; /* entries before the last kill */
	uint64_t last;	 /* when that was */
};

/* --- one of them --------------------------------------------------------------- */

/* Marsaglia's xorshift. */
static uint64_t draw(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Do others know of a death? */
static bool is_announced(const struct drive_plan *plan)
{
	return plan->kill && !plan->deaths;
}

static bool is_over(const struct crew *c)
{
	return atomic_load_explicit(&c->stage->over, memory_order_relaxed);
}

/* A moment, of no particular length. */
static void stay(struct worker *w)
{
	enum { LOOKS = 1024, GIVES_WAY = 64 };
	uint64_t x = draw(&w->random);

	for (uint64_t i = 0; i < x % LOOKS && !is_over(w->crew); i++)
		;
	if (x / LOOKS % GIVES_WAY == 0)
		sched_yield();
}

/* Has it waited for so long that others should have the processor? */
static bool is_patient(uint32_t steps)
{
	enum { SPINS = 64 };

	return steps % SPINS == SPINS - 1;
}

/* Helpers have no region; all they do is wait for others. */
static void help(struct worker *w, struct wicket_proc p)
{
	const struct crew *c = w->crew;

	for (uint32_t steps = 0; !is_over(c); steps++) {
		if (!drive_step(&c->drive, w->who, &p))
			return;
		if (is_patient(steps))
			sched_yield();
	}
}

static void work(struct worker *w, struct wicket_proc p)
{
	const struct crew *c = w->crew;
	const struct wicket_algo *algo = c->drive.algo;
	const struct wicket_cfg *cfg = &c->drive.cfg;
	struct drive_watch watch = {
		.scene = &c->stage->scene,
		.deaths = is_announced(c->plan) ? &c->drive.memory : NULL,
		.who = w->who,
		.n = cfg->n,
		.alone = cfg->k == 1,
	};
	enum wicket_region was, is = algo->region(cfg, p);
	uint32_t steps = 0;

	while (!is_over(c)) {
		was = is;
		if (was == WICKET_REMAINDER)
			stay(w);
		drive_watch_before(&watch, was);
		if (!drive_step(&c->drive, w->who, &p))
			return;
		is = algo->region(cfg, p);
		drive_watch_after(&watch, was, is);
		steps = is == was ? steps + 1 : 0;
		if (is == WICKET_CRITICAL && was != WICKET_CRITICAL)
			stay(w);
		else if (is_patient(steps))
			sched_yield();
	}
}

static void play(struct worker *w)
{
	const struct drive *d = &w->crew->drive;
	struct wicket_proc p = d->algo->start(&d->cfg, w->who);

	if (w->who <= d->cfg.n)
		work(w, p);
	else
		help(w, p);
}

/* --- all of them ----------------------------------------------------------------- */

static void *thread_main(void *worker)
{
	play(worker);
	return NULL;
}

_Noreturn static void process_main(struct worker *w, pid_t parent)
{
	int error = 0;

	/* nothing of this outlives whoever started it */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	if (is_announced(w->crew->plan))
		error = drive_live(&w->crew->drive.memory, w->who);
	if (!error)
		play(w);
	_exit(error ? 1 : 0);
}

/* 0 or a negative errno. */
static int start_worker(struct worker *w)
{
	pid_t parent = getpid();

	w->random = draw(&w->crew->random);
	if (!w->crew->plan->processes)
		return -pthread_create(&w->thread, NULL, thread_main, w);
	w->process = fork();
	if (!w->process)
		process_main(w, parent);
	return w->process < 0 ? -errno : 0;
}

/* How the process ended, as of waitpid(2); or a negative errno. */
static int reap(const struct worker *w)
{
	int status;

	while (waitpid(w->process, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return status;
}

static int join_worker(const struct worker *w)
{
	int status;

	if (!w->crew->plan->processes)
		return -pthread_join(w->thread, NULL);
	if (w->process < 0) /* dead for good, or not started again */
		return 0;
	status = reap(w);
	return status > 0 ? -ECHILD : status;
}

static uint64_t read_record(_Atomic uint64_t *x)
{
	return atomic_load_explicit(x, memory_order_relaxed);
}

static uint64_t entries(const struct crew *c)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < c->drive.cfg.n; i++)
		sum += read_record(&c->stage->scene.of[i].entries);
	return sum;
}

static struct worker *choose(struct crew *c)
{
	struct worker *w;

	do
		w = &c->worker[draw(&c->random) % c->drive.cfg.n];
	while (w->process < 0);
	return w;
}

/* Kills one, no matter what it is doing; if others can know that, it is started
   again. */
static int kill_one(struct crew *c)
{
	struct worker *w = choose(c);
	int status;

	kill(w->process, SIGKILL);
	status = reap(w);
	if (status < 0)
		return status;
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		return -ECHILD; /* it had ended before */
	c->killed++;
	c->before = entries(c);
	c->last = drive_now();
	if (c->plan->deaths) {
		c->killed_inside += drive_watch_stopped(&c->stage->scene,
							w->who);
		w->process = -1;
		return 0;
	}
	c->killed_inside += drive_watch_died(&c->stage->scene, w->who);
	drive_bury(&c->drive.memory, w->who);
	return start_worker(w);
}

static void sleep_until(uint64_t t)
{
	struct timespec at = { (time_t)(t / SECOND), (long)(t % SECOND) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) ==
	       EINTR)
		;
}

/* Until the time is up; returns 0 or a negative errno. */
static int watch_over(struct crew *c, uint64_t until)
{
	uint32_t rate = c->plan->kill;
	uint64_t next = drive_now();
	int error = 0;

	while (rate && !error && (next += SECOND / rate) < until &&
	       !(c->plan->deaths && c->killed == c->plan->deaths)) {
		sleep_until(next);
		error = kill_one(c);
		if (next < drive_now()) /* that many cannot be had */
			next = drive_now();
	}
	if (!error)
		sleep_until(until);
	return error;
}

static void tell(const struct crew *c, uint64_t now, struct drive_outcome *o)
{
	uint64_t longest = 0;

	o->entries = entries(c);
	for (uint32_t i = 0; i < c->drive.cfg.n; i++) {
		struct drive_record *r = &c->stage->scene.of[i];
		uint64_t since = read_record(&r->since);
		uint64_t wait = read_record(&r->longest);
		uint64_t most = read_record(&r->most_overtaken);
		uint64_t inside = read_record(&r->most_inside);

		o->of[i] = read_record(&r->entries);
		o->overtakings += read_record(&r->overtaken);
		o->trying += since != 0;
		if (since && since < now && now - since > wait)
			wait = now - since;
		if (wait > longest)
			longest = wait;
		if (most > o->most_overtaken)
			o->most_overtaken = most;
		if (inside > o->most_inside)
			o->most_inside = (uint32_t)inside;
	}
	o->longest_wait = (double)longest / SECOND;
	/* who is killed between the two has updated and is not counted */
	if (c->drive.cfg.k == 1 && c->stage->scene.ledger < o->entries)
		o->lost = o->entries - c->stage->scene.ledger;
	o->killed = c->killed;
	o->killed_inside = c->killed_inside;
	o->after = o->entries - c->before;
	if (c->killed && now > c->last)
		o->since = (double)(now - c->last) / SECOND;
}

/* All that were started, whatever became of the rest. */
static int end(struct crew *c, uint32_t started)
{
	int error = 0;

	atomic_store_explicit(&c->stage->over, 1, memory_order_relaxed);
	for (uint32_t i = 0; i < started; i++) {
		int result = join_worker(&c->worker[i]);

		error = error ? error : result;
	}
	return error;
}

static int run(struct crew *c, struct drive_outcome *o)
{
	uint64_t from = drive_now(), now;
	uint32_t started = 0;
	int error = 0, ended;

	while (!error && started < c->workers) {
		struct worker *w = &c->worker[started];

		*w = (struct worker){ .crew = c, .who = started + 1 };
		error = start_worker(w);
		started += !error;
	}
	if (!error)
		error = watch_over(
			c, from + (uint64_t)(c->plan->seconds * SECOND));
	now = drive_now();
	ended = end(c, started);
	if (error || ended)
		return error ? error : ended;
	o->seconds = (double)(now - from) / SECOND;
	tell(c, now, o);
	return 0;
}

bool drive_can_kill(const struct wicket_algo *algo,
		    const struct wicket_cfg *cfg)
{
	struct drive_shared none = { 0 };
	struct drive d;

	drive_start(&d, algo, cfg, &none, DRIVE_SEQ_CST);
	return drive_may_die(&d);
}

static int prepare(struct crew *c)
{
	const struct drive_plan *plan = c->plan;
	int error = 0;

	drive_start(&c->drive, plan->algo, &plan->cfg, &c->stage->shared,
		    plan->order);
	if (plan->kill && !plan->processes)
		return -EINVAL;
	if (!is_announced(plan))
		return 0;
	if (!drive_may_die(&c->drive))
		return -EINVAL;
	for (uint32_t who = 1; who <= plan->cfg.n && !error; who++)
		error = drive_life_start(&c->drive.memory, who);
	return -error;
}

int drive_run(const struct drive_plan *plan, struct drive_outcome *outcome)
{
	struct crew crew = {
		.plan = plan,
		.workers = wicket_processes(plan->algo, &plan->cfg),
		.random = drive_now() | 1,
	};
	struct drive_outcome o = { 0 };
	uint64_t breach;
	int error;

	crew.stage = mmap(NULL, sizeof(*crew.stage), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (crew.stage == MAP_FAILED)
		return -errno;
	error = prepare(&crew);
	if (!error)
		error = run(&crew, &o);
	breach = read_record(&crew.stage->shared.breach);
	if (breach) { /* whatever came of it */
		o = (struct drive_outcome){ .breach_of = (uint32_t)(breach >>
								    32),
					    .breach_reg = (uint32_t)breach };
		error = 0;
	}
	munmap(crew.stage, sizeof(*crew.stage));
	if (!error)
		*outcome = o;
	return error;
}
