/* SPDX-License-Identifier: MIT */
#include "line/seat.h"

#include "line/recover.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

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

/* A link leads to the next one's field of the same name; the lowest bit is a flag.
   The address may be none; where the kernel refuses to say, libc is trusted. */
static bool leads_back(uintptr_t at, uintptr_t self)
{
	uintptr_t word = 0;
	struct iovec to = { &word, sizeof(word) };
	struct iovec from = { (void *)at, sizeof(word) };

	if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) < 0)
		return errno != EFAULT;
	return (word & ~(uintptr_t)1) == self;
}

bool seat_has_bell(pthread_mutex_t *bell)
{
	__pthread_list_t *links = &bell->__data.__list;
	uintptr_t self = (uintptr_t)&links->__next;
	uintptr_t next = (uintptr_t)links->__next & ~(uintptr_t)1;
	uintptr_t prev = (uintptr_t)links->__prev & ~(uintptr_t)1;
	pthread_mutex_t fresh;
	int saved = errno;
	bool ours;

	if (area_new_bell(&fresh))
		return false;
	bell->__data.__kind = fresh.__data.__kind;
	ours = bell->__data.__owner == gettid() &&
	       leads_back(next - sizeof(next), self) && leads_back(prev, self);
	errno = saved;
	return ours;
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
		h->stamped = true;
}

int wicket_introduce(struct wicket *h, int32_t pid)
{
	if (h->magic != HANDLE_MAGIC)
		return -ECHILD;
	if (h->thread != handle_thread || h->me == NO_SEAT)
		return -EPERM;
	if (pid < 0)
		return -EINVAL;
	atomic_store_explicit(&h->own->pid, pid ? pid : getpid(),
			      memory_order_relaxed);
	atomic_store_explicit(&h->own->command, pid, memory_order_release);
	return 0;
}

/* The bell is touched only while the seat is the own one: then a thread of the
   same number in another pid namespace, killed meanwhile, cannot be taken for us,
   nor we for it. */
static void sit_down(struct wicket *h, uint32_t i, uint64_t state)
{
	h->me = i;
	h->own = &h->seats[i];
	lock_bell(JOIN_BELL, h, i);
	store_state(JOIN_SIT, h, line_to_phase(state, LINE_IDLE));
	introduce(h);
}

static bool join_any(struct wicket *h)
{
	for (uint32_t i = 0; i < h->seat_count; i++) {
		struct line_seat c = load_seat(JOIN_SEAT, h, i), mine;

		if (line_phase(c.state) != LINE_FREE)
			continue;
		raise_used(h, i + 1);
		mine = line_claim(c, line_life(h->life));
		if (cas_seat(JOIN_CLAIM, h, i, c, mine)) {
			sit_down(h, i, mine.state);
			return true;
		}
	}
	return false;
}

/* Will the kernel ring our bell?  A seccomp filter may have kept it from hearing
   of the list of our mutexes. */
static bool has_robust_list(void)
{
	void *head = 0;
	size_t length;

	if (!syscall(SYS_get_robust_list, 0, &head, &length))
		return head;
	/* an impossible length, so that nothing changes */
	return syscall(SYS_set_robust_list, 0, 0) && errno == EINVAL;
}

static int join(struct wicket *h)
{
	if (handles_of != getpid()) {
		handles_of = getpid();
		handles = 0;
	}
	if (handles == HANDLES_MAX)
		return -EUSERS;
	if (!has_robust_list())
		return -ENOTSUP;
	if (atomic_load_explicit(&h->area->used, memory_order_relaxed) >
	    h->seat_count)
		return -EUCLEAN;
	if (!join_any(h)) {
		/* the dead may have a seat to spare */
		int error = recover_scan(h, EVERYBODY, 0);

		if (!join_any(h))
			return error ? error : -EUSERS;
	}
	handles++;
	return 0;
}

int seat_join(struct wicket *h)
{
	int saved = errno, error = join(h);

	errno = saved;
	return error;
}

void seat_forget(struct wicket *h)
{
	h->me = NO_SEAT;
	h->state = h->last = 0;
	handles--;
}
