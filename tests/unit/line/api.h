/* SPDX-License-Identifier: MIT */
/*
 * api - what the tests of api/ share: libwicket through wicket.h alone, what the
 * header says, sentence by sentence.  Others in the line are peers: processes that
 * do as they are told, and can be killed.
 */
#ifndef API_H
#define API_H

#include "patience.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/scratch.h"
#include "wicket.h"

#define LENGTH(a)    (sizeof(a) / sizeof(*(a)))
#define OPTIONS(...) ((struct wicket_options){ __VA_ARGS__ })

/* Every call of every test leaves errno alone. */
enum { MARK = 12345 };

static inline int unmarred(int result)
{
	assert_int_equal(errno, MARK);
	return result;
}

#define CALL(call)		    (errno = MARK, unmarred(call))
#define assert_call(call, expected) assert_int_equal(CALL(call), (expected))

/* --- a directory for each test -------------------------------------------- */

static char dir[SCRATCH_DIR];

static inline const char *in_dir(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static inline int entries_in(const char *path)
{
	DIR *d = opendir(path);
	int count = -2; /* . and .. */

	assert_non_null(d);
	while (readdir(d))
		count++;
	closedir(d);
	return count;
}

static inline void write_file(const char *name, const void *data, size_t size)
{
	FILE *f = fopen(in_dir(name), "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	fclose(f);
}

static inline size_t read_file(const char *name, unsigned char *data,
			       size_t room)
{
	FILE *f = fopen(in_dir(name), "r");
	size_t size;

	assert_non_null(f);
	size = fread(data, 1, room, f);
	fclose(f);
	return size;
}

static inline int remove_entry(const char *path, const struct stat *st,
			       int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

/* --- lines ---------------------------------------------------------------- */

/* What a test does not close is closed after it. */
static struct wicket *handles[1100];
static size_t handle_count;

static inline struct wicket *open_line(const char *name,
				       struct wicket_options o)
{
	struct wicket *line = NULL;

	assert_call(wicket_open(&line, name, &o), 0);
	assert_non_null(line);
	assert_true(handle_count < LENGTH(handles));
	return handles[handle_count++] = line;
}

static inline struct wicket *new_line(uint32_t slots, uint32_t seats)
{
	return open_line("line",
			 OPTIONS(.slots = slots, .slots_max = slots,
				 .seats = seats, .flags = WICKET_CREATE));
}

static inline struct wicket *join_line(void)
{
	return open_line("line", OPTIONS(0));
}

static inline struct wicket *view_line(void)
{
	return open_line("line", OPTIONS(.flags = WICKET_VIEW));
}

static inline void close_line(struct wicket *line)
{
	for (size_t i = 0; i < handle_count; i++) {
		if (handles[i] == line)
			handles[i] = handles[--handle_count];
	}
	assert_call(wicket_close(line), 0);
}

/* What opening says, and that it leaves no output unless all is well. */
static inline int try_open(const char *name, struct wicket_options o)
{
	struct wicket *const none = (struct wicket *)(void *)dir, *line = none;
	int result = CALL(wicket_open(&line, name, &o));

	if (result == 0)
		assert_call(wicket_close(line), 0);
	else
		assert_ptr_equal(line, none);
	return result;
}

static inline int try_join(const char *name)
{
	return try_open(name, OPTIONS(0));
}

static inline int try_slots(uint32_t slots)
{
	return try_open("line", OPTIONS(.slots = slots));
}

static inline int try_create(const char *name)
{
	return try_open(name, OPTIONS(.slots = 1, .flags = WICKET_CREATE));
}

static inline void assert_no_line(const char *name)
{
	struct wicket_options view = { .flags = WICKET_VIEW };

	assert_int_equal(try_join(name), -EPROTO);
	assert_int_equal(try_create(name), -EPROTO);
	assert_int_equal(try_open(name, view), -EPROTO);
	assert_call(wicket_remove(name), -EPROTO);
}

static inline struct timespec soon(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += 20000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static const struct timespec past;

/* What acquiring says, and that it says so before long. */
static inline int acquire(struct wicket *line)
{
	struct timespec end = patience_end(CLOCK_MONOTONIC);

	return CALL(wicket_acquire_until(line, &end, NULL));
}

static inline struct wicket_grant enter(struct wicket *line)
{
	struct timespec end = patience_end(CLOCK_MONOTONIC);
	struct wicket_grant grant;

	assert_call(wicket_acquire_until(line, &end, &grant), 0);
	return grant;
}

static inline void leave(struct wicket *line)
{
	assert_call(wicket_release(line), 0);
}

static inline struct wicket_view view_of(struct wicket *line)
{
	struct wicket_view view;
	int count = CALL(wicket_inspect(line, &view, NULL, 0));

	assert_int_equal(count, view.holding + view.waiting);
	return view;
}

static inline uint32_t waiting(struct wicket *line)
{
	return view_of(line).waiting;
}

/* --- peers ---------------------------------------------------------------- */

struct peer {
	pid_t pid;
	int fd;
};

static struct peer peers[8];
static size_t peer_count;

struct answer {
	int result;
	struct wicket_grant grant;
};

/* Opens the line, then acquires, tries, releases, closes as it is told; a digit: so
   many slots; u: gives one of them back. */
static inline void serve(int fd)
{
	struct wicket *line = NULL;
	struct answer a = { .result = wicket_open(&line, "line", NULL) };
	char what;

	while (write(fd, &a, sizeof(a)) == sizeof(a) &&
	       read(fd, &what, 1) == 1) {
		a.result = what == 'a' ? wicket_acquire(line, &a.grant) :
			   what == 't' ? wicket_try(line, &a.grant) :
			   what == 'r' ? wicket_release(line) :
			   what == 'u' ? wicket_release_units(line, 1) :
			   what >= '1' && what <= '9' ?
					 wicket_acquire_units(
						 line, (uint32_t)(what - '0'),
						 NULL, NULL, &a.grant) :
					 wicket_close(line);
	}
}

static inline struct answer answer(const struct peer *p)
{
	struct pollfd ready = { .fd = p->fd, .events = POLLIN };
	struct answer a;

	assert_int_equal(poll(&ready, 1, PATIENCE * 1000), 1);
	assert_int_equal(read(p->fd, &a, sizeof(a)), sizeof(a));
	return a;
}

static inline bool has_answered(const struct peer *p)
{
	struct pollfd ready = { .fd = p->fd, .events = POLLIN };

	return poll(&ready, 1, 0) == 1;
}

static inline void tell(const struct peer *p, char what)
{
	assert_int_equal(write(p->fd, &what, 1), 1);
}

static inline struct answer ask(const struct peer *p, char what)
{
	tell(p, what);
	return answer(p);
}

static inline struct peer *new_peer(void)
{
	struct peer *p = &peers[peer_count++];
	int fd[2];

	assert_true(peer_count <= LENGTH(peers));
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd),
			 0);
	p->pid = fork();
	assert_int_not_equal(p->pid, -1);
	if (p->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(fd[0]);
		serve(fd[1]);
		_exit(0);
	}
	close(fd[1]);
	p->fd = fd[0];
	assert_int_equal(answer(p).result, 0);
	return p;
}

/* A peer that is inside. */
static inline struct peer *new_holder(void)
{
	struct peer *p = new_peer();

	assert_int_equal(ask(p, 'a').result, 0);
	return p;
}

/* A peer that is the last in line. */
static inline struct peer *new_waiter(struct wicket *line)
{
	uint32_t before = waiting(line);
	struct peer *p = new_peer();

	tell(p, 'a');
	eventually(waiting(line) == before + 1);
	return p;
}

/* At whatever instruction. */
static inline void slay(struct peer *p)
{
	if (p->pid <= 0)
		return;
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
	close(p->fd);
	p->pid = 0;
}

/* --- signals -------------------------------------------------------------- */

static struct wicket *to_cancel;
static volatile sig_atomic_t signals;

static inline void on_alarm(int signal)
{
	(void)signal;
	signals++;
	if (to_cancel)
		wicket_cancel(to_cancel);
}

/* Every so often; 0: no more. */
static inline void ring(long microseconds)
{
	const struct itimerval timer = { { 0, microseconds },
					 { 0, microseconds } };
	const struct sigaction action = { .sa_handler = on_alarm };

	signals = 0;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* --- before and after ----------------------------------------------------- */

static inline int set_up(void **state)
{
	(void)state;
	return scratch_make(dir, "wicket-api") ? setenv("WICKET_DIR", dir, 1) :
						 -1;
}

static inline int tear_down(void **state)
{
	(void)state;
	ring(0);
	to_cancel = NULL;
	while (peer_count > 0)
		slay(&peers[--peer_count]);
	while (handle_count > 0)
		wicket_close(handles[--handle_count]);
	return nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Whatever ended a test early, in a thread of its own. */
static inline void tidy_up(void)
{
	if (!access(dir, F_OK))
		tear_down(NULL);
}

static inline int tidy_up_at_exit(void **state)
{
	(void)state;
	return atexit(tidy_up);
}

#define test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

/* --- elsewhere: in a child, in a thread ----------------------------------- */

#define child_assert(condition)                                                \
	do {                                                                   \
		if (!(condition)) {                                            \
			dprintf(2, "# %s:%d: %s\n", __FILE__, __LINE__,        \
				#condition);                                   \
			_exit(1);                                              \
		}                                                              \
	} while (0)

enum { CANNOT = 77 };

/* cmocka's skip() says "not ok". */
#define leave_out(why)                                                         \
	do {                                                                   \
		print_message("# %s left out: %s\n", __func__, (why));         \
		return;                                                        \
	} while (0)

/* CANNOT: it said so. */
static inline int in_child(void (*check)(struct wicket *), struct wicket *line)
{
	pid_t pid = fork();
	int status;

	assert_int_not_equal(pid, -1);
	if (pid == 0) {
		signal(SIGALRM, SIG_DFL);
		alarm(PATIENCE);
		check(line);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

#endif
