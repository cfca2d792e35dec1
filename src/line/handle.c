/* SPDX-License-Identifier: MIT */
#include "line/handle.h"

#include "line/seat.h"

#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

_Thread_local uint64_t handle_thread;

/* On which this thread may run. */
static uint32_t processors(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) ?
		       1 :
		       (uint32_t)CPU_COUNT(&cpus);
}

static struct inherited *inherited_of(struct wicket *h)
{
	return (struct inherited *)(void *)((char *)h + PAGE);
}

static struct wicket *new_handle(void)
{
	struct wicket *h = mmap(0, HANDLE_BYTES, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (h == MAP_FAILED)
		return 0;
	if (madvise(h, PAGE, MADV_WIPEONFORK)) {
		munmap(h, HANDLE_BYTES);
		return 0;
	}
	h->inherited = inherited_of(h);
	h->me = NO_SEAT;
	h->processors = processors();
	h->vain = VAIN_AT_FIRST;
	h->discouraged = (1u << h->vain) - 1;
	return h;
}

static void free_handle(struct wicket *h)
{
	munmap(h, HANDLE_BYTES);
}

static int open_handle(struct wicket *h, const char *name,
		       const struct wicket_options *options)
{
	static _Atomic uint64_t threads;
	int error = area_open(h, name, options);

	if (error)
		return error;
	if (!handle_thread)
		handle_thread = 1 + atomic_fetch_add_explicit(
					    &threads, 1, memory_order_relaxed);
	h->flags = options->flags;
	h->thread = handle_thread;
	if (!(h->flags & (WICKET_VIEW | WICKET_UNSEATED)))
		error = seat_join(h);
	if (error)
		area_close(h);
	else
		h->magic = HANDLE_MAGIC;
	return error;
}

int wicket_open(struct wicket **line, const char *name,
		const struct wicket_options *options)
{
	static const struct wicket_options none;
	int saved = errno, error = -ENOMEM;
	struct wicket *h = new_handle();

	if (h) {
		error = open_handle(h, name, options ? options : &none);
		if (error)
			free_handle(h);
		else
			*line = h;
	}
	errno = saved;
	return error;
}

/*
 * A helper may have written the last release down (RELEASED, and the payload that
 * goes with it) after we read the payload, but before our store of IDLE came out of
 * the store buffer: so once more.  But if the state is another one, the seat is
 * not ours any more: then the kernel has lost our life (checkpoint and restore).
 */
static void leave(struct wicket *h)
{
	uint32_t seat = h->me;
	struct line_seat c = { .state = h->state };
	struct line_seat gone = line_cell(line_to_phase(h->state, LINE_FREE),
					  0);

	unlock_bell(LEAVE_BELL, h, seat); /* while the seat is still ours */
	do /* one step of the model, which stores */
		c.payload = load(&h->own->word.high);
	while (!cas_seat(LEAVE_SEAT, h, seat, c, gone) &&
	       load(&h->own->word.low) == h->state);
	seat_forget(h);
}

int wicket_close(struct wicket *h)
{
	int saved = errno;

	if (h->magic == HANDLE_MAGIC) {
		if (h->thread != handle_thread)
			return -EPERM;
		if (line_phase(h->state) == LINE_HAVE || h->joined)
			wicket_release(h);
		if (h->me != NO_SEAT)
			leave(h);
		area_close(h);
	} else {
		life_close_inherited(inherited_of(h));
	}
	free_handle(h);
	errno = saved;
	return 0;
}
