/* SPDX-License-Identifier: MIT */
/*
 * futex_waitv on the bells of processes ahead shows their deaths at once
 * (FUTEX_WAITERS set in them makes the kernel wake us).  Where the kernel has no
 * such call, or refuses it, or there are too many bells, polling finds the deaths.
 */
#include "line/sleep.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

uint64_t sleep_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Null, as the kernel wants it, if there is none. */
static const struct timespec *end_of(uint64_t until, struct timespec *t)
{
	t->tv_sec = (time_t)(until / SECOND);
	t->tv_nsec = (long)(until % SECOND);
	return until != NEVER ? t : 0;
}

/* The half of FUT that changes with every operation. */
static uint32_t *futex_of(struct wicket *h, uint32_t i)
{
	return (uint32_t *)(void *)&h->seats[i].fut;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "lower half first");

static struct futex_waitv waiter(void *word, uint64_t value)
{
	return (struct futex_waitv){ .uaddr = (uintptr_t)word,
				     .val = value,
				     .flags = FUTEX_32 };
}

/* A test does without, and must notice. */
#ifndef WICKET_WAITERS
#define WICKET_WAITERS FUTEX_WAITERS
#endif

/* So that the kernel wakes us when this owner dies; false: it has, or has gone. */
static bool watches(struct wicket *h, uint32_t i, struct futex_waitv *v)
{
	_Atomic uint32_t *word = bell_word(h, i);
	uint32_t seen = atomic_load_explicit(word, memory_order_acquire);

	while ((seen & WICKET_WAITERS) != WICKET_WAITERS) {
		if (!(seen & FUTEX_TID_MASK) ||
		    atomic_compare_exchange_weak_explicit(
			    word, &seen, seen | WICKET_WAITERS,
			    memory_order_acq_rel, memory_order_acquire))
			break;
	}
	if (!(seen & FUTEX_TID_MASK) || seen & FUTEX_OWNER_DIED)
		return false;
	*v = waiter(word, seen | WICKET_WAITERS);
	return true;
}

/* 0 or an error, among them ENOSYS and EPERM: the call is not available. */
static int sleep_watching(struct wicket *h, const struct watch *watch,
			  uint32_t armed, const struct timespec *until)
{
	struct futex_waitv v[WATCH_MAX + 1] = { waiter(futex_of(h, h->me),
						       armed) };

	for (uint32_t i = 0; i < watch->count; i++) {
		if (!watches(h, watch->seat[i], &v[1 + i]))
			return 0;
	}
	return syscall(SYS_futex_waitv, v, 1 + watch->count, 0, until,
		       CLOCK_MONOTONIC) < 0 ?
		       errno :
		       0;
}

static _Atomic bool cannot_watch;

bool sleep_can_watch(void)
{
	return !atomic_load_explicit(&cannot_watch, memory_order_relaxed);
}

/* 0 or an error. */
static int sleep_plainly(void *word, uint32_t seen, uint32_t bits,
			 uint64_t until)
{
	struct timespec t;

	return syscall(SYS_futex, word, FUTEX_WAIT_BITSET, seen,
		       end_of(until, &t), 0, bits) ?
		       errno :
		       0;
}

void sleep_on(void *word, uint32_t seen, uint32_t bits, uint64_t until)
{
	int saved = errno;

	sleep_plainly(word, seen, bits, until);
	errno = saved;
}

void sleep_wake_on(void *word, uint32_t count, uint32_t bits)
{
	int saved = errno;

	syscall(SYS_futex, word, FUTEX_WAKE_BITSET, count, 0, 0, bits);
	errno = saved;
}

/* True: it was not woken. */
static bool sleep_once(struct wicket *h, const struct watch *watch,
		       uint64_t until)
{
	uint32_t armed = (uint32_t)line_armed(h->state);
	struct timespec t;
	int error;

	if (!watch->count || !sleep_can_watch())
		return sleep_plainly(futex_of(h, h->me), armed,
				     FUTEX_BITSET_MATCH_ANY,
				     until) == ETIMEDOUT;
	error = sleep_watching(h, watch, armed, end_of(until, &t));
	if (error && error != EAGAIN && error != EINTR && error != ETIMEDOUT)
		/* it looks again, and then knows better how soon */
		atomic_store_explicit(&cannot_watch, true,
				      memory_order_relaxed);
	return error == ETIMEDOUT;
}

static bool orphans_run(struct wicket *h, const struct watch *watch)
{
	for (uint32_t i = 0; i < watch->orphans; i++) {
		if (!peek_keep(h, watch->orphan[i].seat,
			       watch->orphan[i].state))
			return false;
	}
	return true;
}

void sleep_wait(struct wicket *h, const struct watch *watch, uint64_t until)
{
	int saved = errno;
	uint64_t end;

	do {
		uint64_t next = watch->orphans ? sleep_now() + watch->peek :
						 until;

		end = next < until ? next : until;
	} while (sleep_once(h, watch, end) && end != until &&
		 orphans_run(h, watch));
	errno = saved;
}

void sleep_wake(struct wicket *h, uint32_t i)
{
	sleep_wake_on(futex_of(h, i), 1, FUTEX_BITSET_MATCH_ANY);
}
