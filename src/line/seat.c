/* SPDX-License-Identifier: MIT */
#include "line/seat.h"

#include "line/recover.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

_Thread_local uint64_t wicket_thread;

/* The kernel follows 2048 robust mutexes of a thread, whosoever they are. */
enum { HANDLES_MAX = 1024 };
static _Thread_local uint32_t handles;
static _Thread_local pid_t handles_of; /* a forked child has none */

static void raise_used(struct wicket *h, uint32_t count)
{
	uint32_t used = atomic_load_explicit(&h->area->used,
					     memory_order_relaxed);

	while (used < count &&
	       !atomic_compare_exchange_weak_explicit(
		       &h->area->used, &used, count, memory_order_acq_rel,
		       memory_order_relaxed))
		;
}

/*
 * Its liveness is ours: sit down.  If somebody sat there meanwhile and died, we
 * have taken the only mark of that death: it must be in the seat before we let
 * go, and nobody else will put it there.  But a seat that is kept says itself
 * that its owner is gone, if its liveness is nobody's.
 */
static bool sit(struct wicket *h, uint32_t i, struct line_seat c)
{
	store_fut(h, i, 0);
	raise_used(h, i + 1);
	for (;;) {
		if (line_phase(c.state) == LINE_FREE) {
			if (cas_seat(h, i, c, line_sit(c))) {
				h->state = line_sit(c).state;
				return true;
			}
		} else if (line_dead(c.state) || line_kept(c) ||
			   cas_seat(h, i, c, line_marked(c))) {
			break;
		}
		c = load_seat(h, i);
	}
	unlock_live(h, i);
	return false;
}

static void introduce(struct wicket *h)
{
	struct seat *me = h->own;
	struct stat ns;

	atomic_store_explicit(&me->pid, getpid(), memory_order_relaxed);
	atomic_store_explicit(
		&me->pidns,
		stat("/proc/self/ns/pid", &ns) ? 0 : (uint32_t)ns.st_ino,
		memory_order_relaxed);
	atomic_store_explicit(&me->since, 0, memory_order_relaxed);
	if (h->flags & WICKET_CLOCK)
		atomic_fetch_or_explicit(&h->unusual, STAMPED,
					 memory_order_relaxed);
}

int wicket_introduce(struct wicket *h, int32_t pid)
{
	if (h->magic != HANDLE_MAGIC)
		return -ECHILD;
	if (h->thread != wicket_thread || h->me == NO_SEAT)
		return -EPERM;
	if (pid < 0)
		return -EINVAL;
	atomic_store_explicit(&h->own->pid, pid ? pid : getpid(),
			      memory_order_relaxed);
	return 0;
}

static bool join_any(struct wicket *h)
{
	for (uint32_t i = 0; i < h->seat_count; i++) {
		struct line_seat c = load_seat(h, i);

		if (line_phase(c.state) == LINE_FREE &&
		    lock_live(h, i) != LINE_ALIVE && sit(h, i, c)) {
			h->me = i;
			h->own = &h->seats[i];
			introduce(h);
			return true;
		}
	}
	return false;
}

int wicket_join(struct wicket *h)
{
	if (handles_of != getpid()) {
		handles_of = getpid();
		handles = 0;
	}
	if (handles == HANDLES_MAX)
		return -EUSERS;
	if (!join_any(h)) {
		wicket_scan(h, 0); /* the dead may have a seat to spare */
		if (!join_any(h))
			return -EUSERS;
	}
	handles++;
	return 0;
}

void wicket_unseat(struct wicket *h)
{
	h->me = NO_SEAT;
	h->state = h->last = 0;
	handles--;
}
