/* SPDX-License-Identifier: MIT */
/*
 * threads - threads of one process share slots and, in each, ordinary data:
 * what one wrote inside the next one sees.  Made for ThreadSanitizer, which
 * reports any two accesses that nothing but luck put in order; so the threads
 * have nothing in common but the line.
 *
 * ThreadSanitizer knows memory by its address, but each handle maps the line
 * for itself.  Link with -Wl,--wrap=mmap,--wrap=munmap: then they share one
 * mapping.  Their own ones stay all the same, because a handle lives as long as
 * its mapping.
 */
#include "stress.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	MICROSECOND = 1000,
	THREADS = 8,
	HANDLES = 2, /* of each */
	ROUNDS = 10000,
	SLOTS_MAX = 3,
};

/* --- one mapping for all -------------------------------------------------- */

void *__real_mmap(void *at, size_t bytes, int prot, int flags, int fd,
		  off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd,
		  off_t offset);
int __real_munmap(void *at, size_t bytes);
int __wrap_munmap(void *at, size_t bytes);

static struct {
	pthread_mutex_t lock;
	void *at;
	size_t bytes;
	uint32_t users;
} mapping = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Those of this thread's handles, which it closes in the order in which it opened
   them. */
static _Thread_local struct {
	void *at[HANDLES];
	uint32_t opened, closed;
} own;

static void *share_mapping(size_t bytes, int fd)
{
	void *p;

	pthread_mutex_lock(&mapping.lock);
	if (mapping.users++ == 0) {
		mapping.bytes = bytes;
		mapping.at = __real_mmap(0, bytes, PROT_READ | PROT_WRITE,
					 MAP_SHARED, fd, 0);
	}
	p = mapping.at;
	pthread_mutex_unlock(&mapping.lock);
	return p;
}

/* From a descriptor of its own: the life is the own mapping's. */
static void *share_again(const char *path, size_t bytes)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	void *p = share_mapping(bytes, fd);

	close(fd);
	return p;
}

void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd,
		  off_t offset)
{
	void *p = __real_mmap(at, bytes, prot, flags, fd, offset);
	char self[32];

	if (fd < 0 || p == MAP_FAILED) /* not the line */
		return p;
	own.at[own.opened++ % HANDLES] = p;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return share_again(self, bytes);
}

static bool is_shared(void *at)
{
	bool last, shared;

	pthread_mutex_lock(&mapping.lock);
	shared = at == mapping.at;
	last = shared && --mapping.users == 0;
	pthread_mutex_unlock(&mapping.lock);
	if (last)
		__real_munmap(mapping.at, mapping.bytes);
	return shared;
}

int __wrap_munmap(void *at, size_t bytes)
{
	if (is_shared(at))
		at = own.at[own.closed++ % HANDLES];
	return __real_munmap(at, bytes);
}

/* --- a thread ------------------------------------------------------------- */

/* What a slot protects; each on its own. */
static struct {
	_Alignas(128) uint64_t entries, mirror;
} data[SLOTS_MAX];

struct worker {
	pthread_t thread;
	struct dice dice;
	struct wicket *_Atomic line[HANDLES];
	uint64_t entries;
	uint32_t wrong;
	_Atomic uint32_t done;
};

static struct worker worker[THREADS];
static _Atomic uint32_t may_close;

static void use(struct worker *me, uint32_t slot)
{
	if (data[slot].entries++ != data[slot].mirror++)
		me->wrong++;
	me->entries++;
}

static int ask(struct worker *me, struct wicket *line,
	       struct wicket_grant *grant)
{
	struct timespec deadline;

	switch (draw(&me->dice, 4)) {
	case 0:
		return wicket_try(line, grant);
	case 1:
		deadline = timespec_of(now() +
				       draw(&me->dice, 1000) * MICROSECOND);
		return wicket_acquire_until(line, &deadline, grant);
	default:
		return wicket_acquire(line, grant);
	}
}

static void come_and_go(struct worker *me)
{
	uint32_t first = draw(&me->dice, HANDLES);
	struct wicket *line = me->line[first];
	struct wicket *second = me->line[(first + 1) % HANDLES];
	struct wicket_grant grant, more;
	int error = ask(me, line, &grant);

	if (!error) {
		use(me, grant.slot);
		if (draw(&me->dice, 4) == 0)
			sched_yield();
		if (wicket_try(second, &more) == 0) {
			use(me, more.slot);
			me->wrong += wicket_release(second) != 0;
		}
		use(me, grant.slot);
		me->wrong += wicket_release(line) != 0;
	} else if (error != -EAGAIN && error != -ETIMEDOUT &&
		   error != -ECANCELED && error != -EUSERS) {
		me->wrong++;
	}
}

static void *run(void *arg)
{
	struct worker *me = arg;

	for (uint32_t i = 0; i < HANDLES; i++)
		me->line[i] = open_line(0);
	for (uint32_t i = 0; i < ROUNDS; i++)
		come_and_go(me);
	me->done = 1;
	while (!may_close) /* somebody may be cancelling */
		nap(100 * MICROSECOND);
	for (uint32_t i = 0; i < HANDLES; i++)
		wicket_close(me->line[i]);
	return 0;
}

/* --- all of them ---------------------------------------------------------- */

/* Cancels one now and then; says whether all are done. */
static bool are_done(void *arg)
{
	struct worker *any = &worker[draw(arg, THREADS)];
	struct wicket *line = any->line[draw(arg, HANDLES)];
	uint32_t done = 0;

	if (line)
		wicket_cancel(line);
	for (uint32_t i = 0; i < THREADS; i++)
		done += worker[i].done;
	return done == THREADS;
}

static void share_slots(uint32_t slots, uint64_t seed)
{
	struct dice d = dice(seed, THREADS);
	uint64_t entries = 0, seen = 0, wrong = 0;

	new_line(slots, 0);
	may_close = 0;
	memset(data, 0, sizeof(data));
	memset(worker, 0, sizeof(worker));
	for (uint32_t i = 0; i < THREADS; i++) {
		worker[i].dice = dice(seed, i);
		if (pthread_create(&worker[i].thread, 0, run, &worker[i]))
			bail_out("pthread_create");
	}
	if (!eventually(are_done, &d))
		bail_out("k = %u: somebody does not get in", slots);
	may_close = 1;
	for (uint32_t i = 0; i < THREADS; i++) {
		pthread_join(worker[i].thread, 0);
		entries += worker[i].entries;
		wrong += worker[i].wrong;
	}
	for (uint32_t i = 0; i < slots; i++)
		seen += data[i].entries;
	note("k = %u: %llu entries", slots, (unsigned long long)entries);
	ok(!wrong && seen == entries, "k = %u: nobody else inside", slots);
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], 0, 0) : now();

	note("seed %llu", (unsigned long long)seed);
	share_slots(1, seed);
	share_slots(3, seed);
	return finish();
}
