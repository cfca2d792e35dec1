/* SPDX-License-Identifier: MIT */
#include "line-trial.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CREW_MAX = 64, MICROSECOND = 1000, MILLISECOND = 1000000 };

/* What a process has to tell. */
struct score {
	_Atomic uint64_t began, inside; /* when it called, and got in */
	uint64_t ended, cpu, done, switches;
	uint32_t waits[WAIT_BUCKETS];
	struct count counts[COUNTS];
};

static struct {
	_Alignas(128) _Atomic uint32_t go;
	_Alignas(128) _Atomic uint64_t stop;
	struct score score[CREW_MAX];
} * board;

static pid_t crew[CREW_MAX];
static double work_per_ns;

bool takes_part(const struct trial *trial, uint32_t peer)
{
	switch (trial->kind) {
	case RUNS:
		return peer == MUTEX ? trial->k == 1 :
		       peer == SWAPS ? trial->n == 1 :
				       true;
	case SLEEPS:
		return peer == LINE || peer == SEM_T || peer == FLOOR;
	case KILLED:
		return peer == LINE || peer == SYSTEM_V || peer == MUTEX;
	}
	return false;
}

static void rest(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000),
			      (long)(ns % 1000000000) };

	nanosleep(&t, 0);
}

static void await(const _Atomic uint64_t *mark)
{
	while (!atomic_load(mark))
		rest(100 * MICROSECOND);
}

static uint64_t cpu_clock(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t))
		fail("clock_gettime", errno);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* How often this thread has gone to sleep. */
static uint64_t own_switches(void)
{
	struct rusage use;

	getrusage(RUSAGE_THREAD, &use);
	return (uint64_t)use.ru_nvcsw;
}

static uint64_t own_cpu(void)
{
	return cpu_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* User and system time of the whole crew so far. */
static uint64_t crew_cpu(uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		clockid_t clock;

		if (clock_getcpuclockid(crew[i], &clock))
			fail("clock_getcpuclockid", errno);
		sum += cpu_clock(clock);
	}
	return sum;
}

/* The fastest of many: whatever else runs makes them slower. */
void trial_prepare(void)
{
	enum { ITERATIONS = 100000, TIMES = 50 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TIMES; i++) {
		uint64_t began = now(), took;

		work(ITERATIONS);
		took = now() - began;
		if (took < least)
			least = took;
	}
	work_per_ns = (double)ITERATIONS / (double)least;
	board = mmap(0, sizeof(*board), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (board == MAP_FAILED)
		fail("mmap", errno);
}

/* Crew that was forked before the caller, or by it. */
static bool is_asleep(uint32_t i)
{
	char name[32], text[512], *end;
	FILE *file;
	size_t got;

	snprintf(name, sizeof(name), "/proc/%d/stat", (int)crew[i]);
	file = fopen(name, "re");
	if (!file)
		fail(name, errno);
	got = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[got] = 0;
	end = strrchr(text, ')');
	return end && end[1] && end[2] == 'S';
}

static void await_sleep(uint32_t i)
{
	await(&board->score[i].began);
	while (!is_asleep(i))
		rest(MILLISECOND);
}

/* --- what the processes do ------------------------------------------------------- */

static void run_sections(const struct trial *trial, const struct peer *peer,
			 struct score *me)
{
	struct task task = {
		.stop = &board->stop,
		.work = (uint32_t)(trial->section * work_per_ns),
		.waits = trial->shows & BIT(WAIT) ? me->waits : 0,
	};
	uint64_t cpu = own_cpu(), switches = own_switches();

	count_begin();
	atomic_store(&me->began, now());
	me->done = peer->run(&task);
	me->cpu = own_cpu() - cpu;
	me->switches = own_switches() - switches;
	me->ended = now();
	count_end(me->counts);
}

static void sleep_once(const struct peer *peer, struct score *me)
{
	uint64_t cpu = own_cpu(), switches = own_switches();

	atomic_store(&me->began, now());
	peer->leave(peer->enter());
	me->cpu = own_cpu() - cpu;
	me->switches = own_switches() - switches;
}

/* They queue up in order; the last but one gets in and stays. */
static void queue_up(const struct trial *trial, const struct peer *peer,
		     uint32_t i)
{
	struct score *me = &board->score[i];
	uint64_t ticket;

	if (i == 1)
		await(&board->score[0].inside);
	if (i > 1)
		await_sleep(i - 1);
	atomic_store(&me->began, now());
	ticket = peer->enter();
	atomic_store(&me->inside, now());
	while (i == trial->n - 2)
		pause();
	if (i == 0)
		await(&board->stop);
	peer->leave(ticket);
}

static void act(const struct trial *trial, const struct peer *peer, uint32_t i)
{
	struct score *me = &board->score[i];

	switch (trial->kind) {
	case RUNS:
		run_sections(trial, peer, me);
		break;
	case SLEEPS:
		sleep_once(peer, me);
		break;
	case KILLED:
		queue_up(trial, peer, i);
		break;
	}
}

/* --- the crew -------------------------------------------------------------------- */

static void await_go(void)
{
	while (!atomic_load(&board->go))
		syscall(SYS_futex, &board->go, FUTEX_WAIT, 0, 0, 0, 0);
}

static void go(void)
{
	atomic_store(&board->go, 1);
	syscall(SYS_futex, &board->go, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}

static void join(const struct peer *peer)
{
	if (peer->join)
		peer->join();
}

static void quit(const struct peer *peer)
{
	if (peer->quit)
		peer->quit();
}

/* The processors that we may use, one each, and again from the first. */
static void pin(uint32_t i)
{
	cpu_set_t may, one;
	int cpu = -1;

	if (sched_getaffinity(0, sizeof(may), &may))
		fail("sched_getaffinity", errno);
	i %= (uint32_t)CPU_COUNT(&may);
	do
		cpu++;
	while (!CPU_ISSET(cpu, &may) || i--);
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		fail("sched_setaffinity", errno);
}

/* What a member of the crew does. */
struct duty {
	const struct trial *trial;
	const struct peer *peer;
	uint32_t i;
	int ready;
};

static void *serve(void *arg)
{
	const struct duty *duty = arg;
	const struct peer *peer = duty->peer;

	if (duty->trial->where == PINNED)
		pin(duty->i);
	join(peer);
	peer->leave(peer->enter());
	if (write(duty->ready, "", 1) != 1)
		fail("write", errno);
	close(duty->ready);
	await_go();
	act(duty->trial, peer, duty->i);
	quit(peer);
	return 0;
}

static __attribute__((noreturn)) void enlist(struct duty duty)
{
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, duty.peer->name); /* for profilers */
	if (duty.trial->where != IN_THREAD)
		serve(&duty);
	else if (pthread_create(&thread, 0, serve, &duty) ||
		 pthread_join(thread, 0))
		fail("thread", 0);
	_exit(0);
}

/* Forks them, and waits until all of them wait for go. */
static void gather(const struct trial *trial, const struct peer *peer)
{
	int ready[2];
	char byte;

	memset(board, 0, sizeof(*board));
	if (pipe(ready))
		fail("pipe", errno);
	for (uint32_t i = 0; i < trial->n; i++) {
		crew[i] = fork();
		if (crew[i] < 0)
			fail("fork", errno);
		if (crew[i] == 0)
			enlist((struct duty){ trial, peer, i, ready[1] });
	}
	close(ready[1]);
	/* a process that fails closes its end, too */
	for (uint32_t i = 0; i < trial->n; i++) {
		if (read(ready[0], &byte, 1) != 1)
			fail(peer->name, 0);
	}
	close(ready[0]);
}

static void dismiss(const struct trial *trial, const struct peer *peer)
{
	for (uint32_t i = 0; i < trial->n; i++) {
		bool killed = trial->kind == KILLED && i == trial->n - 2;
		int status;

		if (waitpid(crew[i], &status, 0) < 0)
			fail("waitpid", errno);
		if (killed ? !WIFSIGNALED(status) : status)
			fail(peer->name, 0);
	}
}

/* --- others ---------------------------------------------------------------------- */

static pid_t busy[TRIAL_BUSY_MOST];
static uint32_t busy_count;

void trial_disturb(uint32_t loops)
{
	pid_t parent = getpid();

	while (busy_count < loops) {
		pid_t pid = fork();

		if (pid < 0)
			fail("fork", errno);
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			while (getppid() == parent)
				work(100000);
			_exit(1);
		}
		busy[busy_count++] = pid;
	}
}

void trial_calm(void)
{
	while (busy_count) {
		pid_t pid = busy[--busy_count];

		if (kill(pid, SIGKILL) || waitpid(pid, 0, 0) != pid)
			fail("busy loop", errno);
	}
}

/* --- trials ---------------------------------------------------------------------- */

static double percentile(uint32_t n, double q)
{
	uint64_t all = 0, seen = 0, sum[WAIT_BUCKETS];
	uint32_t bucket = 0;

	for (uint32_t b = 0; b < WAIT_BUCKETS; b++) {
		sum[b] = 0;
		for (uint32_t i = 0; i < n; i++)
			sum[b] += board->score[i].waits[b];
		all += sum[b];
	}
	while (bucket < WAIT_BUCKETS - 1 &&
	       (double)(seen += sum[bucket]) < q * (double)all)
		bucket++;
	return (double)wait_of_bucket(bucket);
}

static void oversee_run(const struct trial *trial, const struct peer *peer,
			double *value, struct count counts[COUNTS])
{
	uint64_t began = UINT64_MAX, ended = 0, cpu = 0, done = 0, switches = 0;

	go();
	for (uint32_t i = 0; i < trial->n; i++)
		await(&board->score[i].began);
	rest((uint64_t)trial->millis * MILLISECOND);
	atomic_store(&board->stop, 1);
	dismiss(trial, peer);
	for (uint32_t i = 0; i < trial->n; i++) {
		struct score *s = &board->score[i];

		if (atomic_load(&s->began) < began)
			began = atomic_load(&s->began);
		cpu += s->cpu;
		done += s->done;
		switches += s->switches;
		count_add(counts, s->counts);
		if (s->ended > ended)
			ended = s->ended;
	}
	value[THROUGHPUT] = 1e9 * (double)done / (double)(ended - began);
	value[CPU] = (double)cpu / (double)done;
	value[SWITCHES] = (double)switches / (double)done;
	count_divide(counts, (double)done);
	value[WAIT] = percentile(trial->n, 0.999);
	value[LONGEST] = percentile(trial->n, 1);
}

static void oversee_sleep(const struct trial *trial, const struct peer *peer,
			  double *value)
{
	uint64_t ticket, asleep, cpu = 0, switches = 0;

	join(peer);
	ticket = peer->enter();
	go();
	for (uint32_t i = 0; i < trial->n; i++)
		await_sleep(i);
	asleep = crew_cpu(trial->n);
	rest((uint64_t)trial->millis * MILLISECOND);
	asleep = crew_cpu(trial->n) - asleep;
	peer->leave(ticket);
	dismiss(trial, peer);
	quit(peer);
	for (uint32_t i = 0; i < trial->n; i++) {
		cpu += board->score[i].cpu;
		switches += board->score[i].switches;
	}
	value[CPU] = (double)cpu / trial->n;
	value[SWITCHES] = (double)switches / trial->n;
	value[ASLEEP] = (double)asleep / trial->n;
}

/* At least millis asleep, and not always at the same point of a period. */
static void oversee_kill(const struct trial *trial, const struct peer *peer,
			 uint32_t round, double *value)
{
	uint32_t sleeper = trial->n - 1, holder = sleeper - 1;
	uint64_t killed;

	go();
	await_sleep(sleeper);
	rest((uint64_t)(trial->millis + round * 7 % 50) * MILLISECOND);
	atomic_store(&board->stop, 1);
	await(&board->score[holder].inside);
	killed = now();
	if (kill(crew[holder], SIGKILL))
		fail("kill", errno);
	dismiss(trial, peer);
	value[RESCUE] = (double)board->score[sleeper].inside - (double)killed;
}

void trial_run(const struct trial *trial, const struct peer *peer,
	       uint32_t round, double value[METRICS],
	       struct count counts[COUNTS])
{
	gather(trial, peer);
	switch (trial->kind) {
	case RUNS:
		oversee_run(trial, peer, value, counts);
		break;
	case SLEEPS:
		oversee_sleep(trial, peer, value);
		break;
	case KILLED:
		oversee_kill(trial, peer, round, value);
		break;
	}
}
