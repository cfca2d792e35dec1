/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include "bitmap.h"
#include "wicket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CACHE = 128, WORD_TICKETS = WICKET_SEATS_DEFAULT, PLACES = 64 };

/* What all processes share, each contestant on cache lines of its own. */
struct ground {
	_Alignas(CACHE) sem_t sem;
	_Alignas(CACHE) pthread_mutex_t mutex;
	_Alignas(CACHE) wicket_word word;
	_Alignas(CACHE) _Atomic uint64_t taken;
	_Alignas(CACHE) _Atomic uint64_t valid;
	_Alignas(CACHE) uint64_t swapped[2];
	struct {
		_Alignas(CACHE) _Atomic uint32_t sleeps;
	} place[PLACES];
};

static struct ground *ground;
static struct wicket_shape shape;
static int sem_set = -1;
static char dir[256], path[sizeof(dir) + 8];
static struct wicket *line;
static pid_t creator;

void fail(const char *what, int error)
{
	fprintf(stderr, "bench/line: %s: %s\n", what,
		error ? strerror(error) : "a process failed");
	peers_destroy();
	_exit(1);
}

/* For calls that return 0 or an error. */
static void need(int error, const char *what)
{
	if (__builtin_expect(error, 0))
		fail(what, abs(error));
}

uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void work(uint32_t iterations)
{
	uint64_t x = iterations;

	for (uint32_t i = 0; i < iterations; i++) {
		x = x * 6364136223846793005u + 1;
		__asm__ volatile("" : "+r"(x));
	}
}

/* --- histogram -------------------------------------------------------------- */

enum { PART_BITS = 7, PARTS = 1 << PART_BITS };

static uint32_t bucket_of(uint64_t wait)
{
	uint32_t shift, bucket;

	shift = wait < 2 * PARTS ?
			0 :
			63 - PART_BITS - (uint32_t)__builtin_clzll(wait);
	bucket = shift * PARTS + (uint32_t)(wait >> shift);
	return bucket < WAIT_BUCKETS ? bucket : WAIT_BUCKETS - 1;
}

/* Its middle. */
uint64_t wait_of_bucket(uint32_t bucket)
{
	uint32_t shift = bucket < 2 * PARTS ? 0 : bucket / PARTS - 1;

	return ((uint64_t)(bucket - shift * PARTS) << shift) +
	       ((uint64_t)1 << shift) / 2;
}

/* --- the loop ----------------------------------------------------------------- */

/* Inlined into each contestant's run, so that its calls are direct ones. */
static inline __attribute__((always_inline)) uint64_t
run(const struct task *task, uint64_t (*enter)(void), void (*leave)(uint64_t))
{
	const struct task t = *task;
	uint64_t done = 0;

	do {
		uint64_t began = t.waits ? now() : 0;
		uint64_t ticket = enter();

		if (t.waits)
			t.waits[bucket_of(now() - began)]++;
		if (t.work)
			work(t.work);
		leave(ticket);
		done++;
	} while (!atomic_load_explicit(t.stop, memory_order_relaxed));
	return done;
}

#define RUN(peer)                                                              \
	static uint64_t peer##_run(const struct task *task)                    \
	{                                                                      \
		return run(task, peer##_enter, peer##_leave);                  \
	}

/* --- ours ------------------------------------------------------------------------ */

static void line_join(void)
{
	need(wicket_open(&line, path, 0), "wicket_open");
}

static void line_quit(void)
{
	need(wicket_close(line), "wicket_close");
}

static uint64_t line_enter(void)
{
	struct wicket_grant grant;

	need(wicket_acquire(line, &grant), "wicket_acquire");
	return grant.slot;
}

static void line_leave(uint64_t slot)
{
	(void)slot;
	need(wicket_release(line), "wicket_release");
}

static uint64_t word_enter(void)
{
	return wicket_word_acquire(&ground->word, &shape);
}

static void word_leave(uint64_t ticket)
{
	wicket_word_discard(&ground->word, &shape, ticket);
}

/* --- theirs ---------------------------------------------------------------------- */

static uint64_t sem_enter(void)
{
	need(sem_wait(&ground->sem) ? errno : 0, "sem_wait");
	return 0;
}

static void sem_leave(uint64_t ticket)
{
	(void)ticket;
	need(sem_post(&ground->sem) ? errno : 0, "sem_post");
}

static void system_v(short add)
{
	struct sembuf op = { .sem_op = add, .sem_flg = SEM_UNDO };

	need(semop(sem_set, &op, 1) ? errno : 0, "semop");
}

static uint64_t system_v_enter(void)
{
	system_v(-1);
	return 0;
}

static void system_v_leave(uint64_t ticket)
{
	(void)ticket;
	system_v(1);
}

static uint64_t mutex_enter(void)
{
	int error = pthread_mutex_lock(&ground->mutex);

	if (error == EOWNERDEAD)
		error = pthread_mutex_consistent(&ground->mutex);
	need(error, "pthread_mutex_lock");
	return 0;
}

static void mutex_leave(uint64_t ticket)
{
	(void)ticket;
	need(pthread_mutex_unlock(&ground->mutex), "pthread_mutex_unlock");
}

/* Numbered tickets, a fetch-and-add each way, and a futex for each place in line: the
   least that a line can cost which the kernel does not know.  It never spins, and whoever
   dies takes a slot along. */
static uint64_t floor_enter(void)
{
	uint64_t ticket = atomic_fetch_add(&ground->taken, 1);
	_Atomic uint32_t *sleeps = &ground->place[ticket % PLACES].sleeps;

	while (ticket >= atomic_load(&ground->valid)) {
		atomic_store(sleeps, 1);
		if (ticket >= atomic_load(&ground->valid))
			syscall(SYS_futex, sleeps, FUTEX_WAIT, 1, 0, 0, 0);
	}
	return ticket;
}

static void floor_leave(uint64_t ticket)
{
	uint64_t heir = atomic_fetch_add(&ground->valid, 1);
	_Atomic uint32_t *sleeps = &ground->place[heir % PLACES].sleeps;

	(void)ticket;
	if (atomic_load(&ground->taken) > heir && atomic_load(sleeps) &&
	    atomic_exchange(sleeps, 0))
		/* of a ticket that is valid and sleeps on, too */
		syscall(SYS_futex, sleeps, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}

/* What W takes of an entry that nobody else disturbs: two compare-and-swaps of 16 bytes
   from a guess, and nothing else.  For one process. */
static inline void swap(void)
{
	static uint64_t low;
	uint64_t a = low, d = low;

	__asm__ volatile("lock cmpxchg16b %0"
			 : "+m"(ground->swapped), "+a"(a), "+d"(d)
			 : "b"(low + 1), "c"(low + 1));
	low++;
}

static uint64_t swaps_enter(void)
{
	swap();
	return 0;
}

static void swaps_leave(uint64_t ticket)
{
	(void)ticket;
	swap();
}

/* The candidate for another layout: bitmap.h. */
static void bitmap_enter_line(void)
{
	need(bitmap_join(), "bitmap_join");
}

static void bitmap_leave_line(void)
{
	need(bitmap_quit(), "bitmap_quit");
}

static uint64_t bitmap_enter(void)
{
	struct bitmap_grant grant;

	need(bitmap_acquire(&grant), "bitmap_acquire");
	return grant.slot;
}

static void bitmap_leave(uint64_t slot)
{
	(void)slot;
	need(bitmap_give_back(), "bitmap_give_back");
}

RUN(line)
RUN(bitmap)
RUN(word)
RUN(sem)
RUN(system_v)
RUN(mutex)
RUN(floor)
RUN(swaps)

const struct peer peers[PEERS] = {
	[LINE] = { "line", line_join, line_quit, line_enter, line_leave,
		   line_run },
	[BITMAP] = { "bitmap", bitmap_enter_line, bitmap_leave_line,
		     bitmap_enter, bitmap_leave, bitmap_run },
	[WORD] = { "bare word", 0, 0, word_enter, word_leave, word_run },
	[SEM_T] = { "sem_t", 0, 0, sem_enter, sem_leave, sem_run },
	[SYSTEM_V] = { "System V undo", 0, 0, system_v_enter, system_v_leave,
		       system_v_run },
	[MUTEX] = { "robust mutex", 0, 0, mutex_enter, mutex_leave, mutex_run },
	[FLOOR] = { "tickets, futex", 0, 0, floor_enter, floor_leave,
		    floor_run },
	[SWAPS] = { "two CAS", 0, 0, swaps_enter, swaps_leave, swaps_run },
};

/* --- coming and going ------------------------------------------------------------ */

/* A line belongs on a tmpfs, as /run is. */
static void create_line(uint32_t k)
{
	struct wicket_options options = { .slots = k, .flags = WICKET_CREATE };
	const char *set = getenv("TMPDIR");
	const char *place = set && *set			     ? set :
			    !access("/dev/shm", W_OK | X_OK) ? "/dev/shm" :
							       "/tmp";

	snprintf(dir, sizeof(dir), "%s/bench-line.XXXXXX", place);
	if (!mkdtemp(dir)) {
		*dir = 0;
		fail(place, errno);
	}
	snprintf(path, sizeof(path), "%s/line", dir);
	need(wicket_open(&line, path, &options), path);
	line_quit();
}

void peers_create(uint32_t k)
{
	pthread_mutexattr_t attr;

	creator = getpid();
	ground = mmap(0, sizeof(*ground), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ground == MAP_FAILED)
		fail("mmap", errno);
	if (sem_init(&ground->sem, 1, k))
		fail("sem_init", errno);
	need(pthread_mutexattr_init(&attr), "pthread_mutexattr_init");
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	need(pthread_mutex_init(&ground->mutex, &attr), "pthread_mutex_init");
	need(wicket_word_shape(&shape, k, WORD_TICKETS), "wicket_word_shape");
	wicket_word_init(&ground->word, &shape);
	atomic_store(&ground->valid, k);
	sem_set = semget(IPC_PRIVATE, 1, 0600);
	if (sem_set < 0)
		fail("semget", errno);
	/* the value goes where a union semun would be */
	if (semctl(sem_set, 0, SETVAL, (int)k))
		fail("semctl", errno);
	need(bitmap_create(k), "bitmap_create");
	create_line(k);
}

void peers_destroy(void)
{
	if (getpid() != creator)
		return;
	if (sem_set >= 0)
		semctl(sem_set, 0, IPC_RMID);
	sem_set = -1;
	if (*dir) {
		unlink(path);
		rmdir(dir);
		*dir = 0;
	}
	bitmap_destroy();
	if (ground)
		munmap(ground, sizeof(*ground));
	ground = 0;
}
