/* SPDX-License-Identifier: MIT */
/*
 * damage - a line into which somebody has written: every call ends and says so.
 * Nobody waits for a holder who does not exist.
 */
#include "patience.h"

#include "line/area.h"
#include "tests/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS = 1, SEATS = 4 };

static char dir[SCRATCH_DIR], path[PATH_MAX];
static struct header *file; /* the line, for those who damage it */
static size_t bytes;

static struct wicket *open_line(const char *name, uint32_t seats)
{
	struct wicket_options o = { .slots = SLOTS,
				    .slots_max = SLOTS,
				    .seats = seats,
				    .flags = WICKET_CREATE };
	struct wicket *h;

	assert_int_equal(wicket_open(&h, name, &o), 0);
	return h;
}

static int acquire(struct wicket *h)
{
	struct timespec end = patience_end(CLOCK_MONOTONIC);

	return wicket_acquire_until(h, &end, 0);
}

static int set_up(void **state)
{
	struct stat st;
	int fd;

	if (!scratch_make(dir, "wicket-damage"))
		return -1;
	snprintf(path, sizeof(path), "%s/line", dir);
	*state = open_line(path, SEATS);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return -1;
	bytes = (size_t)st.st_size;
	file = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return file == MAP_FAILED ? -1 : 0;
}

static struct seat *seats(void)
{
	return (void *)((char *)file + bytes - SEATS * sizeof(struct seat));
}

static int tear_down(void **state)
{
	if (*state)
		wicket_close(*state);
	munmap(file, bytes);
	unlink(path);
	return rmdir(dir);
}

/* The last operation was that of a seat that there is not: it cannot be settled. */
static void write_impossible_tag(void)
{
	file->w.low = line_tag(line_state(7, LINE_TAKING), SEATS);
}

static void a_ticket_cannot_be_taken(void **state)
{
	struct wicket *h = *state;

	write_impossible_tag();
	assert_int_equal(acquire(h), -EUCLEAN);
	assert_int_equal(wicket_try(h, 0), -EUCLEAN);
	assert_int_equal(wicket_remove(path), -EUCLEAN);
	assert_int_equal(access(path, F_OK), 0);
}

static void a_slot_cannot_be_given_back(void **state)
{
	struct wicket *h = *state;

	assert_int_equal(acquire(h), 0);
	write_impossible_tag();
	assert_int_equal(wicket_release(h), -EUCLEAN);
	/* it was, as far as this handle can say */
	assert_int_equal(wicket_release(h), -EPERM);
}

static _Atomic uint64_t *slot(void)
{
	return (void *)(file + 1);
}

static void no_slot_has_the_next_ticket(void **state)
{
	*slot() = line_slot_next(*slot(), line_issue(file->w.high), 0);
	assert_int_equal(acquire(*state), -EUCLEAN);
	assert_int_equal(wicket_release(*state), -EPERM);
}

static void a_ticket_that_nobody_has(void **state)
{
	struct wicket *h = *state;

	file->w.high = line_issue_on(file->w.high);
	assert_int_equal(acquire(h), -EUCLEAN);
	assert_int_equal(wicket_try(h, 0), -EUCLEAN);
	assert_int_equal(wicket_remove(path), -EUCLEAN);
}

static void more_seats_were_used_than_there_are(void **state)
{
	struct wicket_view view;
	struct wicket *h;

	file->used = SEATS + 1;
	assert_int_equal(wicket_inspect(*state, &view, 0, 0), -EUCLEAN);
	assert_int_equal(wicket_open(&h, path, 0), -EUCLEAN);
	/* who is in already looks no further than there are */
	assert_int_equal(wicket_try(*state, 0), 0);
	assert_int_equal(wicket_release(*state), 0);
}

static void *wait_in_line(void *result)
{
	struct wicket *h = open_line(path, SEATS);

	*(int *)result = acquire(h);
	wicket_close(h);
	return 0;
}

static uint32_t waiting(struct wicket *h)
{
	struct wicket_view view;

	assert_true(wicket_inspect(h, &view, 0, 0) >= 0);
	return view.waiting;
}

/* VALID is such that no ticket near ISSUE waits for it. */
static void lose_places(void)
{
	const uint64_t elsewhere = (uint64_t)line_ticket_word(
		(struct ticket){ .value = 100, .colour = 1 });

	file->w.high = line_issue(file->w.high) | elsewhere << 32;
}

static void there_is_no_place_in_line(void **state)
{
	lose_places();
	assert_int_equal(acquire(*state), -EUCLEAN);
}

static void the_place_in_line_is_lost(void **state)
{
	struct wicket *h = *state;
	pthread_t waiter;
	int result = 0;

	assert_int_equal(acquire(h), 0);
	assert_int_equal(pthread_create(&waiter, 0, wait_in_line, &result), 0);
	eventually(waiting(h) == 1);
	lose_places();
	join(waiter);
	assert_int_equal(result, -EUCLEAN);
}

/* --- who is dead, and cannot be helped ------------------------------------------- */

static void die_inside(void)
{
	struct wicket *h;

	if (!wicket_open(&h, path, 0) && !wicket_acquire(h, 0))
		raise(SIGKILL);
	_exit(1);
}

/* Its seat is the next one. */
static void let_one_die_inside(void)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		die_inside();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

/* Whoever looks for its slot does not look for ever. */
static void no_slot_is_that_of_the_dead_holder(void **state)
{
	let_one_die_inside();
	*slot() = line_slot_next(*slot(), line_issue(file->w.high) + 1, 0);
	assert_int_equal(wicket_try(*state, 0), -EUCLEAN);
	assert_int_equal(acquire(*state), -EUCLEAN);
	assert_int_equal(wicket_remove(path), -EUCLEAN);
}

/* The kernel is asked, by a descriptor that has to be opened again. */
static void the_bell_lies(void **state)
{
	struct wicket_grant grant;

	let_one_die_inside();
	seats()[1].bell.__data.__lock = gettid();
	syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);
	assert_int_equal(wicket_try(*state, &grant), 0);
	assert_int_equal(grant.flags, WICKET_DIED);
}

/* --- links that are not libc's ------------------------------------------------ */

/* Is it still memory? */
static bool is_mapped(const void *p)
{
	int ends[2];
	bool mapped;

	assert_int_equal(pipe(ends), 0);
	mapped = write(ends[1], p, sizeof(long)) == sizeof(long);
	close(ends[0]);
	close(ends[1]);
	return mapped;
}

/* The mutexes of which libc has told the kernel. */
static struct robust_list_head *mutexes(void)
{
	struct robust_list_head *head;
	size_t length;

	assert_int_equal(syscall(SYS_get_robust_list, 0, &head, &length), 0);
	return head;
}

static void a_bell_that_libc_keeps_has_a_place_to_be(void **state)
{
	struct robust_list_head *head = mutexes();
	struct wicket *h;

	seats()[0].bell.__data.__list.__prev = 0;
	assert_int_equal(wicket_close(*state), 0);
	*state = 0;
	/* libc could not be asked to forget it */
	assert_ptr_not_equal(head->list.next, &head->list);
	assert_true(is_mapped(head->list.next));
	/* to the others it is as if it had */
	assert_int_equal(seats()[0].bell.__data.__lock, 0);
	/* nor is it in the way of the next one, wherever that lies */
	h = open_line(path, SEATS);
	assert_int_equal(acquire(h), 0);
	assert_int_equal(wicket_release(h), 0);
	assert_int_equal(wicket_close(h), 0);
}

#define test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_ticket_cannot_be_taken),
		test(a_slot_cannot_be_given_back),
		test(no_slot_has_the_next_ticket),
		test(a_ticket_that_nobody_has),
		test(more_seats_were_used_than_there_are),
		test(there_is_no_place_in_line),
		test(the_place_in_line_is_lost),
		test(no_slot_is_that_of_the_dead_holder),
		test(the_bell_lies),
		test(a_bell_that_libc_keeps_has_a_place_to_be),
	};

	return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}
