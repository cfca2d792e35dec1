/* SPDX-License-Identifier: MIT */
/*
 * keep - a slot held on behalf of a command.  A wrapper is a process that holds
 * one and has a child, its command, that inherits the descriptor; either can be
 * killed.
 */
#include "patience.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/scratch.h"
#include "wicket.h"

/* --- lines and wrappers ---------------------------------------------------- */

static char dir[SCRATCH_DIR], path[PATH_MAX];
static struct wicket *handles[8];
static size_t handle_count;

static struct wicket *join_line(uint32_t slots)
{
	struct wicket_options o = { .slots = slots,
				    .slots_max = slots,
				    .seats = 8,
				    .flags = WICKET_CREATE };

	assert_int_equal(wicket_open(&handles[handle_count], path, &o), 0);
	return handles[handle_count++];
}

struct wrapper {
	pid_t pid, command;
};

static struct wrapper wrappers[4];
static size_t wrapper_count;

static void be_wrapper(int tell)
{
	struct wrapper w = { .pid = getpid() };
	struct wicket *line;

	if (!wicket_open(&line, path, NULL) && !wicket_acquire(line, NULL) &&
	    wicket_keep(line) >= 0 && (w.command = fork()) > 0 &&
	    !wicket_introduce(line, w.command) &&
	    write(tell, &w, sizeof(w)) != sizeof(w))
		_exit(1);
	for (;;)
		pause();
}

/* It holds a slot when this returns. */
static struct wrapper *new_wrapper(void)
{
	struct wrapper *w = &wrappers[wrapper_count];
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	w->pid = fork();
	if (!w->pid)
		be_wrapper(ends[1]);
	wrapper_count++;
	close(ends[1]);
	assert_int_equal(read(ends[0], w, sizeof(*w)), sizeof(*w));
	close(ends[0]);
	return w;
}

static void end(pid_t *pid)
{
	if (*pid) {
		kill(*pid, SIGKILL);
		waitpid(*pid, NULL, 0); /* a command is not our child */
	}
	*pid = 0;
}

static struct wicket_entry only_entry(struct wicket *line)
{
	struct wicket_view v;
	struct wicket_entry e = { 0 };

	assert_int_equal(wicket_inspect(line, &v, &e, 1), 1);
	return e;
}

/* Also if it is in already. */
static int gets_in(struct wicket *line)
{
	int error = wicket_try(line, NULL);

	return !error || error == -EDEADLK;
}

static int set_up(void **state)
{
	(void)state;
	if (!scratch_make(dir, "wicket-keep"))
		return -1;
	snprintf(path, sizeof(path), "%s/line", dir);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	while (handle_count > 0)
		wicket_close(handles[--handle_count]);
	while (wrapper_count > 0) {
		end(&wrappers[--wrapper_count].pid);
		end(&wrappers[wrapper_count].command);
	}
	return unlink(path) || rmdir(dir);
}

/* --- wicket_keep ------------------------------------------------------------ */

static void it_takes_a_slot(void **state)
{
	struct wicket *line = join_line(1), *view;
	struct wicket_options o = { .flags = WICKET_VIEW };

	(void)state;
	errno = 5;
	assert_int_equal(wicket_keep(line), -EPERM);
	assert_int_equal(wicket_open(&view, path, &o), 0);
	assert_int_equal(wicket_keep(view), -EPERM);
	assert_int_equal(errno, 5);
	wicket_close(view);
}

static void the_descriptor_is_to_read_and_closes_on_exec(void **state)
{
	struct wicket *line = join_line(1);
	int fd;

	(void)state;
	assert_int_equal(wicket_acquire(line, NULL), 0);
	errno = 5;
	fd = wicket_keep(line);
	assert_true(fd >= 0);
	assert_int_equal(errno, 5);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	assert_int_equal(close(fd), 0);
	assert_int_equal(wicket_release(line), 0);
}

/* No command is started without one. */
static void there_may_be_none_left(void **state)
{
	struct wicket *line = join_line(1);
	struct rlimit few, before;
	int next = dup(STDERR_FILENO);

	(void)state;
	close(next);
	assert_int_equal(wicket_acquire(line, NULL), 0);
	getrlimit(RLIMIT_NOFILE, &before);
	few = before;
	few.rlim_cur = (rlim_t)next;
	setrlimit(RLIMIT_NOFILE, &few);
	assert_int_equal(wicket_keep(line), -EMFILE);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(wicket_release(line), 0);
}

static void the_command_holds_on(void **state)
{
	struct wicket *line = join_line(1);
	struct wrapper *w = new_wrapper();

	(void)state;
	assert_int_equal(only_entry(line).flags, WICKET_HOLDS);
	end(&w->pid);
	assert_int_equal(only_entry(line).flags, WICKET_HOLDS | WICKET_ORPHAN);
	assert_int_equal(wicket_try(line, NULL), -EAGAIN);
	assert_int_equal(wicket_remove(path), -EBUSY);
	assert_int_equal(only_entry(line).flags, WICKET_HOLDS | WICKET_ORPHAN);
}

static void its_end_gives_the_slot_back(void **state)
{
	struct wicket *line = join_line(1);
	struct wrapper *w = new_wrapper();
	struct wicket_grant grant;

	(void)state;
	end(&w->pid);
	end(&w->command);
	eventually(wicket_try(line, &grant) != -EAGAIN);
	assert_int_equal(grant.flags, WICKET_DIED);
}

static void who_waits_gets_it_by_itself(void **state)
{
	struct wicket *line = join_line(1);
	struct wrapper *w = new_wrapper();
	pid_t command = w->command;
	struct timespec deadline = patience_end(CLOCK_MONOTONIC);

	(void)state;
	end(&w->pid);
	if (!fork()) {
		usleep(200000);
		kill(command, SIGKILL);
		_exit(0);
	}
	assert_int_equal(wicket_acquire_until(line, &deadline, NULL), 0);
	wait(NULL);
}

static void the_wrapper_holds_without_its_command(void **state)
{
	struct wicket *line = join_line(1);
	struct wrapper *w = new_wrapper();

	(void)state;
	end(&w->command);
	assert_int_equal(wicket_try(line, NULL), -EAGAIN);
	end(&w->pid);
	eventually(gets_in(line));
}

/* A daemon that a command left, say. */
static void copies_do_not_count_after_release(void **state)
{
	struct wicket *line = join_line(1), *other = join_line(1);
	int fd;

	(void)state;
	assert_int_equal(wicket_acquire(line, NULL), 0);
	fd = wicket_keep(line);
	assert_int_equal(wicket_release(line), 0);
	assert_int_equal(wicket_try(other, NULL), 0);
	assert_int_equal(wicket_release(other), 0);
	close(fd);
}

static void copies_left_do_not_keep_the_seat_of_the_next(void **state)
{
	struct wicket *line = join_line(1), *first = join_line(1);
	struct wrapper *w;
	int fd;

	(void)state;
	assert_int_equal(wicket_acquire(first, NULL), 0);
	fd = wicket_keep(first);
	assert_int_equal(only_entry(line).seat, 1);
	assert_int_equal(wicket_close(first), 0);
	handle_count--;
	w = new_wrapper();
	assert_int_equal(only_entry(line).seat, 1);
	end(&w->pid);
	end(&w->command);
	eventually(gets_in(line));
	close(fd);
}

static void several_at_a_time(void **state)
{
	struct wicket *line = join_line(3);
	struct wrapper *w[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		w[i] = new_wrapper();
	for (int i = 0; i < 3; i++)
		end(&w[i]->pid);
	assert_int_equal(wicket_try(line, NULL), -EAGAIN);
	end(&w[1]->command);
	eventually(gets_in(line));
	assert_int_equal(wicket_release(line), 0);
	end(&w[0]->command);
	end(&w[2]->command);
	for (int i = 0; i < 3; i++) {
		line = join_line(3);
		eventually(gets_in(line));
	}
}

/* --- wicket_join ----------------------------------------------------------------- */

static struct wicket *unseated(void)
{
	struct wicket_options o = { .flags = WICKET_UNSEATED };
	struct wicket *line;

	assert_int_equal(wicket_open(&line, path, &o), 0);
	return line;
}

static int inherit(int fd)
{
	return fcntl(fd, F_SETFD, 0);
}

static void who_has_the_descriptor_is_inside(void **state)
{
	struct wicket *line = join_line(1), *guest = unseated();
	struct wicket_grant grant = { .slot = 7 };
	int fd, joined;

	(void)state;
	assert_int_equal(wicket_join(guest, 0, &grant), -ESRCH);
	assert_int_equal(wicket_acquire(line, NULL), 0);
	fd = wicket_keep(line);
	/* its own, as that of the holder is */
	assert_int_equal(wicket_join(guest, 0, &grant), -ESRCH);
	assert_int_equal(wicket_join(guest, wicket_tag(line), &grant), -ESRCH);
	assert_int_equal(grant.slot, 7);
	inherit(fd);
	errno = 5;
	joined = wicket_join(guest, 0, &grant);
	assert_true(joined >= 0);
	assert_int_equal(errno, 5);
	assert_int_equal(fcntl(joined, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fcntl(joined, F_GETFL) & O_ACCMODE, O_RDONLY);
	assert_int_equal(grant.slot, 0);
	assert_true(wicket_tag(line));
	assert_int_equal(wicket_tag(guest), wicket_tag(line));
	assert_int_equal(only_entry(line).joined, 1);
	assert_int_equal(wicket_join(guest, 0, NULL), -EDEADLK);
	assert_int_equal(wicket_join(line, 0, NULL), -EDEADLK);
	assert_int_equal(wicket_try(guest, NULL), -EDEADLK);
	assert_int_equal(wicket_release(guest), 0);
	assert_int_equal(wicket_release(guest), -EPERM);
	/* with a seat it would stand in line by itself */
	assert_int_equal(wicket_join(join_line(1), 0, NULL), -EDEADLK);
	assert_int_equal(only_entry(line).joined, 0);
	close(fd);
	close(joined);
	assert_int_equal(wicket_release(line), 0);
	assert_int_equal(wicket_tag(line), 0);
	wicket_close(guest);
}

static void the_slot_is_left_to_who_has_joined(void **state)
{
	struct wicket *line = join_line(1), *next = join_line(1);
	struct wicket *guest = unseated();
	struct wicket_grant grant;
	int fd, joined;

	(void)state;
	assert_int_equal(wicket_acquire(line, NULL), 0);
	fd = wicket_keep(line);
	inherit(fd);
	joined = wicket_join(guest, wicket_tag(line), NULL);
	close(fd);
	assert_int_equal(wicket_release(line), -EBUSY);
	assert_int_equal(wicket_release(line), -EPERM);
	assert_int_equal(only_entry(next).flags,
			 WICKET_HOLDS | WICKET_ORPHAN | WICKET_JOINED);
	assert_int_equal(wicket_try(next, NULL), -EAGAIN);
	assert_int_equal(wicket_try(line, NULL), -EAGAIN);
	assert_int_equal(wicket_close(guest), 0);
	assert_int_equal(wicket_try(next, NULL), -EAGAIN);
	close(joined);
	assert_int_equal(wicket_try(next, &grant), 0);
	assert_int_equal(grant.flags, 0);
	assert_int_equal(wicket_release(next), 0);
}

/* Who may only read can lock it, too. */
static void a_lock_of_somebody_else_is_no_guest(void **state)
{
	struct wicket *line = join_line(1), *next = join_line(1);
	struct flock byte = { .l_type = F_RDLCK, .l_len = 1 };
	int fd, reader = open(path, O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_int_equal(wicket_acquire(line, NULL), 0);
	fd = wicket_keep(line);
	byte.l_start = (off_t)(wicket_tag(line) << 1 >> 1);
	assert_int_equal(fcntl(reader, F_OFD_SETLK, &byte), 0);
	assert_int_equal(wicket_release(line), 0);
	assert_int_equal(wicket_try(next, NULL), 0);
	close(reader);
	close(fd);
}

static void the_command_joins_by_the_tag(void **state)
{
	struct wicket *line = join_line(1), *guest = unseated();
	uint64_t tag;
	int fd, joined;

	(void)state;
	assert_int_equal(wicket_introduce(line, getpid()), 0);
	assert_int_equal(wicket_acquire(line, NULL), 0);
	fd = wicket_keep(line);
	tag = wicket_tag(line);
	/* it was introduced for an earlier stay */
	assert_int_equal(wicket_join(guest, tag, NULL), -ESRCH);
	assert_int_equal(wicket_introduce(line, getppid()), 0);
	assert_int_equal(wicket_join(guest, tag + (1 << 16), NULL), -ESRCH);
	assert_int_equal(wicket_join(guest, tag + 1, NULL), -ESRCH);
	assert_int_equal(wicket_join(guest, 0, NULL), -ESRCH);
	joined = wicket_join(guest, tag, NULL);
	assert_true(joined >= 0);
	wicket_close(guest);
	close(joined);
	close(fd);
}

/* --- wicket_introduce -------------------------------------------------------- */

static void who_it_says_it_is(void **state)
{
	struct wicket *line = join_line(1), *view = join_line(1);
	struct wrapper *w;

	(void)state;
	assert_int_equal(wicket_introduce(line, -1), -EINVAL);
	assert_int_equal(wicket_acquire(line, NULL), 0);
	assert_int_equal(wicket_introduce(line, 1), 0);
	assert_int_equal(only_entry(view).pid, 1);
	assert_int_equal(wicket_introduce(line, 0), 0);
	assert_int_equal(only_entry(view).pid, getpid());
	assert_int_equal(wicket_release(line), 0);
	w = new_wrapper();
	assert_int_equal(only_entry(view).pid, w->command);
	end(&w->pid);
	assert_int_equal(only_entry(view).pid, w->command);
}

static void only_who_sits_is_introduced(void **state)
{
	struct wicket_options o = { .flags = WICKET_VIEW };
	struct wicket *view;

	(void)state;
	join_line(1);
	assert_int_equal(wicket_open(&view, path, &o), 0);
	assert_int_equal(wicket_introduce(view, 1), -EPERM);
	wicket_close(view);
}

#define test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(it_takes_a_slot),
		test(the_descriptor_is_to_read_and_closes_on_exec),
		test(there_may_be_none_left),
		test(the_command_holds_on),
		test(its_end_gives_the_slot_back),
		test(who_waits_gets_it_by_itself),
		test(the_wrapper_holds_without_its_command),
		test(copies_do_not_count_after_release),
		test(copies_left_do_not_keep_the_seat_of_the_next),
		test(several_at_a_time),
		test(who_has_the_descriptor_is_inside),
		test(the_slot_is_left_to_who_has_joined),
		test(a_lock_of_somebody_else_is_no_guest),
		test(the_command_joins_by_the_tag),
		test(who_it_says_it_is),
		test(only_who_sits_is_introduced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
