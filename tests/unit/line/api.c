/* SPDX-License-Identifier: MIT */
/*
 * api - libwicket through wicket.h alone: what the header says, sentence by
 * sentence.  Others in the line are peers: processes that do as they are told,
 * and can be killed.
 */
#include "patience.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wicket.h"

#define LENGTH(a)    (sizeof(a) / sizeof(*(a)))
#define OPTIONS(...) ((struct wicket_options){ __VA_ARGS__ })

/* Every call of every test leaves errno alone. */
enum { MARK = 12345 };

static int unmarred(int result)
{
	assert_int_equal(errno, MARK);
	return result;
}

#define CALL(call)		    (errno = MARK, unmarred(call))
#define assert_call(call, expected) assert_int_equal(CALL(call), (expected))

/* --- a directory for each test -------------------------------------------- */

static char dir[PATH_MAX - NAME_MAX - 2];

static const char *in_dir(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static int entries_in(const char *path)
{
	DIR *d = opendir(path);
	int count = -2; /* . and .. */

	assert_non_null(d);
	while (readdir(d))
		count++;
	closedir(d);
	return count;
}

/* Not the one that counts them. */
static int open_files(void)
{
	return entries_in("/proc/self/fd") - 1;
}

static off_t size_of(const char *name)
{
	struct stat st;

	assert_int_equal(stat(in_dir(name), &st), 0);
	return st.st_size;
}

static void write_file(const char *name, const void *data, size_t size)
{
	FILE *f = fopen(in_dir(name), "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	fclose(f);
}

static size_t read_file(const char *name, unsigned char *data, size_t room)
{
	FILE *f = fopen(in_dir(name), "r");
	size_t size;

	assert_non_null(f);
	size = fread(data, 1, room, f);
	fclose(f);
	return size;
}

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

/* --- lines ---------------------------------------------------------------- */

/* What a test does not close is closed after it. */
static struct wicket *handles[1100];
static size_t handle_count;

static struct wicket *open_line(const char *name, struct wicket_options o)
{
	struct wicket *line = NULL;

	assert_call(wicket_open(&line, name, &o), 0);
	assert_non_null(line);
	assert_true(handle_count < LENGTH(handles));
	return handles[handle_count++] = line;
}

static struct wicket *new_line(uint32_t slots, uint32_t seats)
{
	return open_line("line", OPTIONS(.slots = slots, .seats = seats,
					 .flags = WICKET_CREATE));
}

static struct wicket *join_line(void)
{
	return open_line("line", OPTIONS(0));
}

static struct wicket *view_line(void)
{
	return open_line("line", OPTIONS(.flags = WICKET_VIEW));
}

static void close_line(struct wicket *line)
{
	for (size_t i = 0; i < handle_count; i++) {
		if (handles[i] == line)
			handles[i] = handles[--handle_count];
	}
	assert_call(wicket_close(line), 0);
}

/* What opening says, and that it leaves no output unless all is well. */
static int try_open(const char *name, struct wicket_options o)
{
	struct wicket *const none = (struct wicket *)(void *)dir, *line = none;
	int result = CALL(wicket_open(&line, name, &o));

	if (result == 0)
		assert_call(wicket_close(line), 0);
	else
		assert_ptr_equal(line, none);
	return result;
}

static int try_join(const char *name)
{
	return try_open(name, OPTIONS(0));
}

static int try_slots(uint32_t slots)
{
	return try_open("line", OPTIONS(.slots = slots));
}

static int try_create(const char *name)
{
	return try_open(name, OPTIONS(.slots = 1, .flags = WICKET_CREATE));
}

static struct timespec soon(void)
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
static int acquire(struct wicket *line)
{
	struct timespec end = patience_end(CLOCK_MONOTONIC);

	return CALL(wicket_acquire_until(line, &end, NULL));
}

static struct wicket_grant enter(struct wicket *line)
{
	struct timespec end = patience_end(CLOCK_MONOTONIC);
	struct wicket_grant grant;

	assert_call(wicket_acquire_until(line, &end, &grant), 0);
	return grant;
}

static void leave(struct wicket *line)
{
	assert_call(wicket_release(line), 0);
}

static struct wicket_view view_of(struct wicket *line)
{
	struct wicket_view view;
	int count = CALL(wicket_inspect(line, &view, NULL, 0));

	assert_int_equal(count, view.holding + view.waiting);
	return view;
}

static uint32_t waiting(struct wicket *line)
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

/* Opens the line, then acquires, tries, releases, closes as it is told. */
static void serve(int fd)
{
	struct wicket *line = NULL;
	struct answer a = { .result = wicket_open(&line, "line", NULL) };
	char what;

	while (write(fd, &a, sizeof(a)) == sizeof(a) &&
	       read(fd, &what, 1) == 1) {
		a.result = what == 'a' ? wicket_acquire(line, &a.grant) :
			   what == 't' ? wicket_try(line, &a.grant) :
			   what == 'r' ? wicket_release(line) :
					 wicket_close(line);
	}
}

static struct answer answer(const struct peer *p)
{
	struct pollfd ready = { .fd = p->fd, .events = POLLIN };
	struct answer a;

	assert_int_equal(poll(&ready, 1, PATIENCE * 1000), 1);
	assert_int_equal(read(p->fd, &a, sizeof(a)), sizeof(a));
	return a;
}

static bool has_answered(const struct peer *p)
{
	struct pollfd ready = { .fd = p->fd, .events = POLLIN };

	return poll(&ready, 1, 0) == 1;
}

static void tell(const struct peer *p, char what)
{
	assert_int_equal(write(p->fd, &what, 1), 1);
}

static struct answer ask(const struct peer *p, char what)
{
	tell(p, what);
	return answer(p);
}

static struct peer *new_peer(void)
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
static struct peer *new_holder(void)
{
	struct peer *p = new_peer();

	assert_int_equal(ask(p, 'a').result, 0);
	return p;
}

/* A peer that is the last in line. */
static struct peer *new_waiter(struct wicket *line)
{
	uint32_t before = waiting(line);
	struct peer *p = new_peer();

	tell(p, 'a');
	eventually(waiting(line) == before + 1);
	return p;
}

/* At whatever instruction. */
static void slay(struct peer *p)
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

static void on_alarm(int signal)
{
	(void)signal;
	signals++;
	if (to_cancel)
		wicket_cancel(to_cancel);
}

/* Every so often; 0: no more. */
static void ring(long microseconds)
{
	const struct itimerval timer = { { 0, microseconds },
					 { 0, microseconds } };
	const struct sigaction action = { .sa_handler = on_alarm };

	signals = 0;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* --- before and after ----------------------------------------------------- */

static int set_up(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(dir, sizeof(dir), "%s/wicket-api-XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(dir) ? setenv("WICKET_DIR", dir, 1) : -1;
}

static int tear_down(void **state)
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
static void tidy_up(void)
{
	if (!access(dir, F_OK))
		tear_down(NULL);
}

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
static int in_child(void (*check)(struct wicket *), struct wicket *line)
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

struct elsewhere {
	void (*check)(struct wicket *);
	struct wicket *line;
};

static void *run_check(void *argument)
{
	struct elsewhere *e = argument;

	e->check(e->line);
	return NULL;
}

static void in_thread(void (*check)(struct wicket *), struct wicket *line)
{
	struct elsewhere e = { check, line };
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, run_check, &e), 0);
	join(thread);
}

/* --- names ---------------------------------------------------------------- */

static void a_name_is_a_file_in_wicket_dir(void **state)
{
	char path[PATH_MAX] = "untouched";
	int length = (int)strlen(in_dir("gpu"));

	(void)state;
	assert_call(wicket_path("gpu", NULL, 0), length);
	assert_call(wicket_path("gpu", path, sizeof(path)), length);
	assert_string_equal(path, in_dir("gpu"));
	/* as snprintf */
	assert_call(wicket_path("gpu", path, 5), length);
	assert_int_equal(strlen(path), 4);
	assert_memory_equal(path, dir, 4);

	assert_int_equal(try_create("gpu"), 0);
	assert_int_equal(access(in_dir("gpu"), F_OK), 0);
	assert_int_equal(try_join("gpu"), 0);
	assert_int_equal(entries_in(dir), 1);
}

static void a_path_stands_for_itself(void **state)
{
	char path[PATH_MAX], there[PATH_MAX];

	(void)state;
	assert_call(wicket_path("a/./b", path, sizeof(path)), 5);
	assert_string_equal(path, "a/./b");
	assert_int_equal(mkdir(in_dir("sub"), 0700), 0);
	strcpy(there, in_dir("sub/line"));
	assert_int_equal(try_create(there), 0);
	assert_int_equal(access(there, F_OK), 0);
	assert_int_equal(try_join(there), 0);
	assert_call(wicket_remove(there), 0);
	assert_int_equal(entries_in(in_dir("sub")), 0);
}

static int name_of(size_t length)
{
	char name[PATH_MAX + 1];

	memset(name, 'x', length);
	name[length] = 0;
	return try_create(name);
}

static void impossible_names(void **state)
{
	const char *const names[] = { "", ".", ".." };
	char path[PATH_MAX + 1], buffer[8] = "before";

	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++) {
		assert_int_equal(try_create(names[i]), -EINVAL);
		assert_call(wicket_path(names[i], buffer, sizeof(buffer)),
			    -EINVAL);
		assert_call(wicket_remove(names[i]), -EINVAL);
	}
	assert_string_equal(buffer, "before");
	assert_int_equal(name_of(255), 0);
	assert_int_equal(name_of(256), -ENAMETOOLONG);
	assert_int_equal(name_of(4096), -ENAMETOOLONG);
	memset(path, '/', PATH_MAX);
	path[PATH_MAX] = 0;
	assert_int_equal(try_create(path), -ENAMETOOLONG);
	assert_int_equal(entries_in(dir), 1);
}

static bool path_is(const char *expected)
{
	char path[PATH_MAX];

	return wicket_path("x", path, sizeof(path)) == (int)strlen(expected) &&
	       !strcmp(path, expected);
}

static int create_x(void)
{
	struct wicket_options o = { .flags = WICKET_CREATE };
	struct wicket *line;
	int result = wicket_open(&line, "x", &o);

	if (result == 0)
		wicket_close(line);
	return result;
}

/* In a /run and a /tmp of its own. */
static void check_default_places(struct wicket *unused)
{
	struct stat st;

	(void)unused;
	if (geteuid() || unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/run", "tmpfs", 0, NULL) ||
	    mount("none", "/tmp", "tmpfs", 0, NULL))
		_exit(CANNOT);
	unsetenv("WICKET_DIR");

	child_assert(path_is("/tmp/wicket-0/x"));
	child_assert(create_x() == 0);
	child_assert(!access("/tmp/wicket-0/x", F_OK));
	child_assert(!stat("/tmp/wicket-0", &st));
	child_assert((st.st_mode & 07777) == 0700);

	/* it moves when it is used next */
	child_assert(!mkdir("/run/lock", 0777));
	child_assert(path_is("/tmp/wicket-0/x"));
	child_assert(create_x() == 0);
	child_assert(path_is("/run/lock/wicket-0/x"));
	child_assert(!access("/run/lock/wicket-0/x", F_OK));
	child_assert(access("/tmp/wicket-0/x", F_OK));

	/* the same path before it is there and after */
	child_assert(wicket_remove("x") == 0);
	child_assert(path_is("/run/lock/wicket-0/x"));
	child_assert(create_x() == 0);

	/* somebody else's directory is not used */
	child_assert(!chown("/run/lock/wicket-0", 1, 0));
	child_assert(create_x() == -EPERM);
	child_assert(!chown("/run/lock/wicket-0", 0, 0));
	child_assert(!chmod("/run/lock/wicket-0", 0770));
	child_assert(create_x() == -EPERM);

	child_assert(!mkdir("/run/wicket", 0755));
	child_assert(path_is("/run/wicket/x"));
	child_assert(create_x() == 0);
	child_assert(!access("/run/wicket/x", F_OK));

	setenv("WICKET_DIR", "", 1); /* none */
	child_assert(path_is("/run/wicket/x"));
}

static void without_wicket_dir(void **state)
{
	int result = in_child(check_default_places, NULL);

	(void)state;
	if (result == CANNOT)
		leave_out("not root");
	assert_int_equal(result, 0);
}

/* --- what is not a line --------------------------------------------------- */

static void assert_no_line(const char *name)
{
	struct wicket_options view = { .flags = WICKET_VIEW };

	assert_int_equal(try_join(name), -EPROTO);
	assert_int_equal(try_create(name), -EPROTO);
	assert_int_equal(try_open(name, view), -EPROTO);
	assert_call(wicket_remove(name), -EPROTO);
}

static void assert_foreign(const void *data, size_t size)
{
	static unsigned char after[100000];

	write_file("foreign", data, size);
	assert_no_line("foreign");
	assert_int_equal(read_file("foreign", after, sizeof(after)), size);
	assert_memory_equal(after, data, size);
}

static void what_is_not_a_line_is_left_alone(void **state)
{
	(void)state;
	assert_int_equal(mkdir(in_dir("dir"), 0700), 0);
	assert_no_line("dir");
	assert_int_equal(mkfifo(in_dir("fifo"), 0600), 0);
	assert_no_line("fifo");
	assert_no_line("/dev/null");
	assert_foreign("", 0);
	assert_foreign("wicket", 7);
	assert_foreign("To whom it may concern\n", 23);
	assert_int_equal(access(in_dir("fifo"), F_OK), 0);
}

static void other_layouts_are_left_alone(void **state)
{
	static unsigned char bytes[100000];
	size_t size;

	(void)state;
	close_line(new_line(2, 3));
	size = read_file("line", bytes, sizeof(bytes));
	assert_foreign(bytes, size - 1);
	assert_foreign(bytes, size / 2);
	assert_foreign(bytes, 100);
	assert_foreign(bytes, size + 4096);
	/* magic, then the version */
	assert_memory_equal(bytes, "wicket\0", 8);
	for (size_t i = 0; i < 12; i++) {
		bytes[i] ^= 2;
		assert_foreign(bytes, size);
		bytes[i] ^= 2;
	}
	write_file("copy", bytes, size);
	assert_int_equal(try_join("copy"), 0);
}

static void open_dangling(struct wicket *unused)
{
	(void)unused;
	child_assert(wicket_open(&unused, "dangling",
				 &OPTIONS(.flags = WICKET_CREATE)) < 0);
}

static void symbolic_links(void **state)
{
	(void)state;
	close_line(new_line(2, 3));
	assert_int_equal(symlink("line", in_dir("link")), 0);
	assert_int_equal(try_open("link", OPTIONS(.slots = 2)), 0);
	assert_int_equal(symlink("nowhere", in_dir("dangling")), 0);
	assert_int_equal(try_join("dangling"), -ENOENT);
	/* never waits */
	assert_int_equal(in_child(open_dangling, NULL), 0);
}

static void places_for_no_line(void **state)
{
	(void)state;
	assert_int_equal(try_join("line"), -ENOENT);
	assert_call(wicket_remove("line"), -ENOENT);
	assert_int_equal(try_create(in_dir("missing/line")), -ENOENT);
	write_file("file", "", 0);
	assert_int_equal(try_create(in_dir("file/line")), -ENOTDIR);
	assert_int_equal(try_create("/proc/line"),
			 geteuid() ? -EACCES : -ENOTSUP);
	assert_int_equal(entries_in(dir), 1);
}

/* --- numbers -------------------------------------------------------------- */

static void impossible_numbers(void **state)
{
	const struct wicket_options options[] = {
		{ .slots = WICKET_SLOTS_MAX + 1 },
		{ .slots = UINT32_MAX },
		{ .slots = 1, .seats = WICKET_SEATS_MAX + 1 },
		{ .slots = 1, .seats = UINT32_MAX },
		{ .slots = 2, .seats = 2 },
		{ .slots = 3, .seats = 2 },
		{ .slots = 1, .mode = 010000 },
		{ .slots = 1, .flags = 16 },
		{ .slots = 1, .flags = WICKET_VIEW },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(options); i++) {
		struct wicket_options o = options[i];

		o.flags |= WICKET_CREATE;
		assert_int_equal(try_open("line", o), -EINVAL);
	}
	assert_int_equal(entries_in(dir), 0);
}

static struct wicket_view created(uint32_t slots, uint32_t seats)
{
	struct wicket *line = new_line(slots, seats);
	struct wicket_view v = view_of(line);

	close_line(line);
	assert_call(wicket_remove("line"), 0);
	return v;
}

static void numbers_that_are_not_said(void **state)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	(void)state;
	assert_int_equal(created(0, 0).slots, cpus > 511 ? 511 : cpus);
	assert_int_equal(created(1, 0).seats, WICKET_SEATS_DEFAULT);
	assert_int_equal(created(128, 0).seats, 256);
	assert_int_equal(created(200, 0).seats, 400);
	assert_int_equal(created(511, 0).seats, 1022);
	assert_int_equal(created(3, 5).seats, 5);
	assert_int_equal(created(3, 5).slots, 3);
}

static void k_is_the_lines(void **state)
{
	struct wicket *other = NULL;

	(void)state;
	new_line(3, 5);
	assert_int_equal(try_slots(3), 0);
	assert_int_equal(try_slots(2), -EEXIST);
	assert_int_equal(try_create("line"), -EEXIST);
	assert_int_equal(
		try_open("line", OPTIONS(.slots = 2, .flags = WICKET_VIEW)),
		-EEXIST);
	assert_call(wicket_open(&other, "line", NULL), 0);
	assert_int_equal(view_of(other).slots, 3);
	close_line(other);
	/* seats are those of a new line */
	assert_int_equal(try_open("line", OPTIONS(.slots = 3, .seats = 99)), 0);
	assert_int_equal(try_open("line", OPTIONS(.seats = 2)), 0);
}

static mode_t mode_of(uint32_t mode, mode_t mask)
{
	struct wicket_options o = { .slots = 1,
				    .mode = mode,
				    .flags = WICKET_CREATE };
	mode_t before = umask(mask);
	struct wicket *line = open_line("line", o);
	struct stat st;

	umask(before);
	assert_int_equal(stat(in_dir("line"), &st), 0);
	close_line(line);
	assert_call(wicket_remove("line"), 0);
	return st.st_mode & 07777;
}

static void permissions_of_a_new_line(void **state)
{
	(void)state;
	assert_int_equal(mode_of(0, 022), 01600);
	assert_int_equal(mode_of(0, 0), 01600);
	assert_int_equal(mode_of(0666, 022), 01666);
	assert_int_equal(mode_of(0640, 0), 01640);
}

static void seats_are_used_up(void **state)
{
	struct wicket *a = new_line(1, 3), *b = join_line(), *c = join_line();

	(void)state;
	assert_int_equal(try_create("line"), -EUSERS);
	close_line(b);
	b = join_line();
	assert_int_equal(try_create("line"), -EUSERS);
	assert_int_equal(view_of(a).seated, 3);
	close_line(c);
	close_line(b);
	assert_int_equal(view_of(a).seated, 1);
}

static void the_seat_of_a_dead_one_is_used_again(void **state)
{
	struct peer *idle, *inside;

	(void)state;
	new_line(1, 3);
	idle = new_peer();
	inside = new_holder();
	assert_int_equal(try_create("line"), -EUSERS);
	slay(idle);
	assert_int_equal(try_create("line"), 0);
	idle = new_peer();
	assert_int_equal(try_create("line"), -EUSERS);
	slay(inside);
	assert_int_equal(try_create("line"), 0);
}

static void sizes(void **state)
{
	(void)state;
	close_line(new_line(8, 256));
	assert_true(size_of("line") <= 65536);
}

/* All slots of a line, each by a handle of its own, and one handle more. */
static void fill_and_empty(uint32_t slots, uint32_t seats)
{
	static struct wicket *handle[WICKET_SLOTS_MAX + 1];
	static bool taken[WICKET_SLOTS_MAX];
	struct wicket_grant grant = { 0 };

	memset(taken, 0, sizeof(taken));
	for (uint32_t i = 0; i <= slots; i++)
		handle[i] = new_line(slots, seats);
	for (uint32_t i = 0; i < slots; i++) {
		assert_call(wicket_acquire(handle[i], &grant), 0);
		assert_in_range(grant.slot, 0, slots - 1);
		assert_false(taken[grant.slot]);
		taken[grant.slot] = true;
	}
	assert_call(wicket_try(handle[slots], &grant), -EAGAIN);
	leave(handle[slots / 2]);
	assert_call(wicket_try(handle[slots], &grant), 0);
	assert_int_equal(view_of(handle[0]).holding, slots);
	for (uint32_t i = 0; i <= slots; i++)
		close_line(handle[i]);
	assert_call(wicket_remove("line"), 0);
}

/* So many files, as each handle has one open. */
static bool may_open(rlim_t files)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur < files)
		limit.rlim_cur = files < limit.rlim_max ? files :
							  limit.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur >= files;
}

static void many_slots(void **state)
{
	(void)state;
	if (!may_open(600))
		leave_out("too few open files");
	fill_and_empty(1, 2);
	fill_and_empty(256, 4096);
	fill_and_empty(511, 0);
	fill_and_empty(511, WICKET_SEATS_MAX);
}

static void a_thread_may_have_1024_handles(void **state)
{
	static struct wicket *handle[1024];

	(void)state;
	if (!may_open(1100))
		leave_out("too few open files");
	for (int i = 0; i < 1024; i++)
		handle[i] = new_line(1, 2000);
	assert_true(try_create("line") < 0);
	assert_call(wicket_acquire(handle[1023], NULL), 0);
	for (int i = 0; i < 1024; i++)
		close_line(handle[i]);
	assert_int_equal(try_create("line"), 0);
}

/* --- grants --------------------------------------------------------------- */

static void grants_come_in_the_order_of_tickets(void **state)
{
	struct wicket *a = new_line(2, 4), *b = join_line();
	struct wicket_grant grant;

	(void)state;
	/* M = 1 + max(2, 2) */
	for (uint32_t i = 1; i < 100; i++) {
		uint32_t slot;

		assert_call(wicket_acquire(a, &grant), 0);
		assert_int_equal(grant.flags, 0);
		assert_int_equal(grant.value, (2 * i - 1) % 3);
		assert_in_range(grant.colour, 0, 2);
		assert_in_range(grant.slot, 0, 1);
		slot = grant.slot;
		assert_call(wicket_acquire(b, &grant), 0);
		assert_int_equal(grant.value, 2 * i % 3);
		assert_int_equal(grant.slot, 1 - slot);
		leave(a);
		leave(b);
	}
}

static void a_grant_may_be_null(void **state)
{
	struct wicket *a = new_line(1, 2);

	(void)state;
	assert_call(wicket_acquire(a, NULL), 0);
	leave(a);
	assert_call(wicket_acquire_until(a, &past, NULL), 0);
	leave(a);
	assert_call(wicket_try(a, NULL), 0);
	leave(a);
}

static void nobody_overtakes(void **state)
{
	struct wicket *line = new_line(1, 8);
	struct peer *p[4];

	(void)state;
	enter(line);
	for (size_t i = 0; i < LENGTH(p); i++)
		p[i] = new_waiter(line);
	leave(line);
	for (size_t i = 0; i < LENGTH(p); i++) {
		assert_int_equal(answer(p[i]).result, 0);
		for (size_t j = i + 1; j < LENGTH(p); j++)
			assert_false(has_answered(p[j]));
		assert_call(wicket_try(line, NULL), -EAGAIN);
		assert_int_equal(ask(p[i], 'r').result, 0);
	}
	assert_call(wicket_try(line, NULL), 0);
}

/* Though nobody waits who could have looked for it. */
static void trying_finds_the_dead(void **state)
{
	struct wicket *line = new_line(1, 3);
	struct peer *p = new_holder();
	struct wicket_grant grant;

	(void)state;
	assert_call(wicket_try(line, &grant), -EAGAIN);
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
	assert_call(wicket_try(line, &grant), 0);
	assert_int_equal(grant.flags, WICKET_DIED);
	leave(line);
}

static void trying_takes_no_ticket(void **state)
{
	struct wicket *a = new_line(1, 3), *b = join_line();
	struct wicket_grant grant = { 9, 9, 9, 9 }, before = grant;

	(void)state;
	enter(a);
	for (int i = 0; i < 10; i++)
		assert_call(wicket_try(b, &grant), -EAGAIN);
	assert_memory_equal(&grant, &before, sizeof(grant));
	assert_int_equal(waiting(a), 0);
	leave(a);
	assert_call(wicket_try(b, &grant), 0);
	assert_int_equal(grant.value, 2);
}

static void one_slot_a_handle(void **state)
{
	struct wicket *a = new_line(2, 3), *b = join_line();

	(void)state;
	assert_call(wicket_release(a), -EPERM);
	enter(a);
	assert_call(wicket_acquire(a, NULL), -EDEADLK);
	assert_call(wicket_acquire_until(a, &past, NULL), -EDEADLK);
	assert_call(wicket_try(a, NULL), -EDEADLK);
	assert_int_equal(view_of(a).holding, 1);
	/* but as many handles as it likes */
	enter(b);
	leave(a);
	assert_call(wicket_release(a), -EPERM);
}

static void handles_of_several_lines(void **state)
{
	struct wicket *a = new_line(1, 2);
	struct wicket *b =
		open_line("other", OPTIONS(.slots = 1, .flags = WICKET_CREATE));

	(void)state;
	enter(a);
	enter(b);
	leave(a);
	leave(b);
}

static void closing_gives_the_slot_back(void **state)
{
	struct wicket *a = new_line(1, 3), *b = join_line();
	struct peer *p;

	(void)state;
	enter(a);
	p = new_waiter(b);
	close_line(a);
	assert_int_equal(answer(p).grant.flags, 0);
}

static void a_stopped_holder_costs_its_slot(void **state)
{
	struct wicket *line = new_line(2, 4);
	struct peer *p = new_holder();

	(void)state;
	kill(p->pid, SIGSTOP);
	for (int i = 0; i < 1000; i++) {
		enter(line);
		leave(line);
	}
}

/* --- whose a handle is ---------------------------------------------------- */

/* The first call that says anything else; NULL: none. */
static const char *other_than(struct wicket *line, int expected)
{
	struct wicket_view view;

	return wicket_acquire(line, NULL) != expected		   ? "acquire" :
	       wicket_acquire_until(line, &past, NULL) != expected ? "until" :
	       wicket_try(line, NULL) != expected		   ? "try" :
	       wicket_release(line) != expected			   ? "release" :
	       wicket_inspect(line, &view, NULL, 0) != expected	   ? "inspect" :
								     NULL;
}

static const char *said_otherwise;

static void use_as_stranger(struct wicket *line)
{
	said_otherwise = other_than(line, -EPERM);
	if (wicket_close(line) != -EPERM)
		said_otherwise = "close";
	if (wicket_cancel(line) != 0)
		said_otherwise = "cancel";
}

static void a_handle_is_its_threads(void **state)
{
	struct wicket *line = new_line(1, 3);

	(void)state;
	for (int i = 0; i < 2; i++) {
		in_thread(use_as_stranger, line);
		if (said_otherwise)
			fail_msg("%s", said_otherwise);
		if (i == 0)
			enter(line);
	}
	assert_int_equal(view_of(line).holding, 1);
	leave(line);
}

static void use_as_child(struct wicket *line)
{
	struct wicket *own;

	child_assert(!other_than(line, -ECHILD));
	child_assert(wicket_cancel(line) == -ECHILD);
	/* it has another */
	child_assert(wicket_open(&own, "line", NULL) == 0);
	child_assert(wicket_try(own, NULL) == -EAGAIN);
	child_assert(wicket_close(own) == 0);
	wicket_close(line);
}

static void in_a_child_a_handle_is_dead(void **state)
{
	struct wicket *line = new_line(1, 3);

	(void)state;
	enter(line);
	assert_int_equal(in_child(use_as_child, line), 0);
	assert_int_equal(view_of(line).holding, 1);
	leave(line);
}

static int child_result;

static void have_a_child(struct wicket *line)
{
	child_result = in_child(use_as_child, line);
}

/* Even one that never opened a line. */
static void whichever_thread_has_the_child(void **state)
{
	struct wicket *line = new_line(1, 3);

	(void)state;
	enter(line);
	in_thread(have_a_child, line);
	assert_int_equal(child_result, 0);
}

static void hold_and_go(struct wicket *unused)
{
	struct wicket *line = join_line();

	(void)unused;
	enter(line);
}

static void a_threads_exit_is_its_death(void **state)
{
	struct wicket *line = new_line(1, 3);

	(void)state;
	in_thread(hold_and_go, NULL);
	assert_int_equal(enter(line).flags, WICKET_DIED);
}

/* --- giving up ------------------------------------------------------------ */

static void a_deadline(void **state)
{
	struct wicket *a = new_line(1, 4), *b = join_line();
	struct wicket_grant grant = { 9, 9, 9, 9 }, before = grant;
	struct timespec end = soon();

	(void)state;
	/* it need not wait */
	assert_call(wicket_acquire_until(a, &past, NULL), 0);
	assert_call(wicket_acquire_until(b, &past, &grant), -ETIMEDOUT);
	assert_call(wicket_acquire_until(b, &end, &grant), -ETIMEDOUT);
	assert_true(is_past(end));
	assert_memory_equal(&grant, &before, sizeof(grant));
	assert_call(wicket_release(b), -EPERM);
	/* two tickets that will be passed on */
	assert_int_equal(waiting(a), 2);
	assert_int_equal(view_of(a).abandoned, 2);
	leave(a);
	assert_int_equal(waiting(a), 0);
	assert_int_equal(view_of(a).holding, 0);
	assert_call(wicket_acquire_until(b, &past, &grant), 0);
}

static void impossible_deadlines(void **state)
{
	const struct timespec bad[] = {
		{ 0, 1000000000 }, { 0, -1 }, { -1, 0 }, { 1, LONG_MAX }
	};
	struct wicket *line = new_line(1, 2);

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++)
		assert_call(wicket_acquire_until(line, &bad[i], NULL), -EINVAL);
	assert_int_equal(view_of(line).holding, 0);
}

static void deadlines_after_all_time(void **state)
{
	const struct timespec never = { INT64_MAX, 999999999 };
	struct wicket *a = new_line(1, 3), *b = join_line();

	(void)state;
	enter(a);
	assert_call(wicket_cancel(b), 0); /* it would wait */
	assert_call(wicket_acquire_until(b, &never, NULL), -ECANCELED);
	leave(a);
	assert_call(wicket_acquire_until(b, &never, NULL), 0);
}

static void who_gave_up_may_find_no_seat(void **state)
{
	struct wicket *a = new_line(1, 2), *b = join_line();

	(void)state;
	enter(a);
	assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	/* its seat keeps its place in line */
	assert_int_equal(acquire(b), -EUSERS);
	assert_call(wicket_try(b, NULL), -EUSERS);
	leave(a);
	assert_int_equal(acquire(b), 0);
}

static void a_ticket_is_passed_on(void **state)
{
	struct wicket *a = new_line(1, 8), *b = join_line();
	struct peer *p[3];

	(void)state;
	enter(a);
	p[0] = new_waiter(a);
	assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	p[1] = new_waiter(a);
	p[2] = new_waiter(a);
	assert_int_equal(waiting(a), 4);
	slay(p[1]);
	leave(a);
	assert_int_equal(answer(p[0]).result, 0);
	assert_int_equal(ask(p[0], 'r').result, 0);
	assert_int_equal(answer(p[2]).result, 0);
}

static void cancelling_before_it_waits(void **state)
{
	struct wicket *a = new_line(1, 8), *b = join_line();
	struct timespec end = soon();

	(void)state;
	enter(a);
	assert_call(wicket_cancel(b), 0);
	assert_call(wicket_cancel(b), 0);
	assert_int_equal(acquire(b), -ECANCELED);
	assert_call(wicket_release(b), -EPERM);
	/* forgotten */
	assert_call(wicket_acquire_until(b, &end, NULL), -ETIMEDOUT);
	leave(a);
	/* forgotten when it need not wait */
	assert_call(wicket_acquire_until(b, &past, NULL), 0);
	leave(b);
	assert_call(wicket_cancel(b), 0);
	assert_int_equal(acquire(b), 0);
	leave(b);
	enter(a);
	end = soon();
	assert_call(wicket_acquire_until(b, &end, NULL), -ETIMEDOUT);
}

static void *cancel_waiter(void *line)
{
	struct wicket *viewer = view_line();

	eventually(waiting(viewer) == 1);
	assert_call(wicket_cancel(line), 0);
	close_line(viewer);
	return NULL;
}

static void cancelling_from_another_thread(void **state)
{
	struct wicket *a = new_line(1, 4), *b = join_line();
	pthread_t thread;

	(void)state;
	enter(a);
	assert_int_equal(pthread_create(&thread, NULL, cancel_waiter, b), 0);
	assert_int_equal(acquire(b), -ECANCELED);
	join(thread);
}

static void cancelling_from_a_signal_handler(void **state)
{
	struct wicket *a = new_line(1, 4), *b = join_line();

	(void)state;
	enter(a);
	to_cancel = b;
	ring(5000);
	assert_int_equal(acquire(b), -ECANCELED);
}

static void signals_do_not_end_a_wait(void **state)
{
	struct wicket *a = new_line(1, 4), *b = join_line();
	struct timespec end;

	(void)state;
	enter(a);
	ring(1000);
	end = soon();
	assert_call(wicket_acquire_until(b, &end, NULL), -ETIMEDOUT);
	assert_true(is_past(end));
	assert_true(signals > 0);
}

/* --- death ---------------------------------------------------------------- */

static void who_is_killed_inside_gives_the_slot_back(void **state)
{
	struct wicket *line = new_line(1, 4);

	(void)state;
	slay(new_holder());
	assert_int_equal(enter(line).flags, WICKET_DIED);
	assert_int_equal(view_of(line).recovered, 1);
	leave(line);
	/* told once */
	assert_int_equal(enter(line).flags, 0);
}

static void death_is_told_of_the_slot(void **state)
{
	struct wicket *a = new_line(2, 4), *b = join_line();
	struct wicket_grant grant;
	struct peer *p;

	(void)state;
	enter(a);
	p = new_peer();
	grant = ask(p, 'a').grant;
	assert_int_equal(grant.slot, 1);
	slay(p);
	leave(a);
	grant = enter(a);
	assert_int_equal(grant.flags, grant.slot == 1 ? WICKET_DIED : 0);
	grant = enter(b);
	assert_int_equal(grant.flags, grant.slot == 1 ? WICKET_DIED : 0);
}

static void nobody_died_inside(void **state)
{
	struct wicket *line = new_line(1, 4);
	struct peer *p;

	(void)state;
	enter(line);
	slay(new_waiter(line));
	leave(line);
	assert_int_equal(enter(line).flags, 0);
	leave(line);

	p = new_holder();
	assert_int_equal(ask(p, 'r').result, 0);
	slay(p);
	assert_int_equal(enter(line).flags, 0);
	assert_int_equal(view_of(line).recovered, 0);
}

static void an_heir_that_has_gone_passes_it_on(void **state)
{
	struct wicket *a = new_line(1, 8), *b = join_line();
	struct peer *p = new_holder(), *q;

	(void)state;
	assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	q = new_waiter(a);
	slay(q);
	slay(p);
	assert_int_equal(enter(a).flags, WICKET_DIED);
	leave(a);
	assert_int_equal(enter(b).flags, 0);
	assert_int_equal(view_of(a).recovered, 1);
}

/* --- no line any more ----------------------------------------------------- */

static void removing_a_line_in_use(void **state)
{
	struct wicket *a = new_line(2, 4), *b = join_line();

	(void)state;
	enter(a);
	assert_call(wicket_remove("line"), -EBUSY);
	enter(b);
	assert_call(wicket_acquire_until(join_line(), &past, NULL), -ETIMEDOUT);
	leave(b);
	leave(a);
	enter(a);
	assert_call(wicket_remove("line"), -EBUSY);
	leave(a);
	assert_call(wicket_remove("line"), 0);
	assert_int_equal(entries_in(dir), 0);
	assert_call(wicket_remove("line"), -ENOENT);
}

static void removing_a_line_that_is_waited_for(void **state)
{
	struct wicket *line = new_line(1, 4);
	struct peer *p = new_holder(), *q = new_waiter(line);

	(void)state;
	assert_call(wicket_remove("line"), -EBUSY);
	assert_int_equal(ask(p, 'r').result, 0);
	assert_call(wicket_remove("line"), -EBUSY);
	assert_int_equal(answer(q).result, 0);
	assert_call(wicket_remove("line"), -EBUSY);
	/* the dead do not hold it */
	slay(q);
	assert_call(wicket_remove("line"), 0);
}

static void handles_of_a_removed_line(void **state)
{
	struct wicket *a = new_line(1, 4), *b = join_line(), *fresh;
	struct wicket *viewer = view_line();

	(void)state;
	enter(a);
	leave(a);
	assert_int_equal(view_of(viewer).removed, 0);
	assert_call(wicket_remove("line"), 0);
	for (int i = 0; i < 2; i++) {
		assert_call(wicket_acquire(a, NULL), -ESTALE);
		assert_call(wicket_acquire_until(a, &past, NULL), -ESTALE);
		assert_call(wicket_try(a, NULL), -ESTALE);
		assert_call(wicket_release(a), -EPERM);
		assert_call(wicket_acquire(b, NULL), -ESTALE);
	}
	assert_int_equal(view_of(viewer).removed, 1);
	assert_int_equal(view_of(a).removed, 1);
	/* another under its name */
	fresh = new_line(3, 4);
	enter(fresh);
	assert_int_equal(view_of(fresh).slots, 3);
	assert_call(wicket_acquire(a, NULL), -ESTALE);
	close_line(a);
	close_line(b);
	close_line(viewer);
	close_line(fresh);
	assert_int_equal(entries_in(dir), 1);
}

/* A remover that is killed before it unlinks leaves what a second name of the
   file is. */
static void a_line_that_is_half_removed(void **state)
{
	char half[PATH_MAX];

	(void)state;
	close_line(new_line(1, 2));
	strcpy(half, in_dir("half"));
	assert_int_equal(link(in_dir("line"), half), 0);
	assert_call(wicket_remove("line"), 0);
	assert_int_equal(try_join("half"), -ENOENT);
	assert_int_equal(entries_in(dir), 0);

	close_line(new_line(1, 2));
	assert_int_equal(link(in_dir("line"), half), 0);
	assert_call(wicket_remove("line"), 0);
	assert_int_equal(try_create("half"), 0);
	assert_int_equal(try_join("half"), 0);
}

/* --- a line of another boot ----------------------------------------------- */

/* As if the kernel had been started again since. */
static void reboot_since(const char *name)
{
	static unsigned char bytes[8 << 20];
	size_t size = read_file(name, bytes, sizeof(bytes));
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
	unsigned long long a, b, c, d, e;
	uint64_t id[2];
	unsigned char *at;

	assert_non_null(f);
	assert_int_equal(
		fscanf(f, "%llx-%llx-%llx-%llx-%llx", &a, &b, &c, &d, &e), 5);
	fclose(f);
	id[0] = a << 32 | b << 16 | c;
	id[1] = d << 48 | e;
	at = memmem(bytes, size, id, sizeof(id));
	assert_non_null(at);
	at[0] ^= 1;
	write_file(name, bytes, size);
}

static void a_line_of_another_boot_starts_afresh(void **state)
{
	struct wicket *line = new_line(3, 5);
	struct wicket_view view;

	(void)state;
	new_holder();
	new_holder();
	close_line(line);
	while (peer_count > 0)
		slay(&peers[--peer_count]);
	reboot_since("line");
	assert_int_equal(try_open("line", OPTIONS(.flags = WICKET_VIEW)),
			 -ESTALE);
	line = join_line();
	view = view_of(line);
	assert_int_equal(view.slots, 3);
	assert_int_equal(view.seats, 5);
	assert_int_equal(view.seated, 1);
	assert_int_equal(view.holding, 0);
	assert_int_equal(view.grants, 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(ask(new_peer(), 't').result, 0);
	assert_call(wicket_try(line, NULL), -EAGAIN);
}

static void k_outlives_a_boot(void **state)
{
	(void)state;
	close_line(new_line(3, 5));
	reboot_since("line");
	assert_int_equal(try_slots(2), -EEXIST);
	assert_int_equal(try_slots(3), 0);
	reboot_since("line");
	assert_call(wicket_remove("line"), 0);
	assert_int_equal(entries_in(dir), 0);
}

/* --- all at once ---------------------------------------------------------- */

enum { CROWD = 4 };
static pthread_barrier_t barrier;

static void *open_at_once(void *result)
{
	struct wicket_options o = { .slots = 2,
				    .seats = 8191,
				    .flags = WICKET_CREATE };
	struct wicket *line;

	pthread_barrier_wait(&barrier);
	*(int *)result = wicket_open(&line, "line", &o);
	if (*(int *)result == 0) {
		*(int *)result = wicket_acquire(line, NULL);
		wicket_close(line);
	}
	return NULL;
}

static void assert_all_get_in(void)
{
	pthread_t thread[CROWD];
	int result[CROWD];

	assert_int_equal(pthread_barrier_init(&barrier, NULL, CROWD), 0);
	for (int i = 0; i < CROWD; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, open_at_once,
						&result[i]),
				 0);
	for (int i = 0; i < CROWD; i++)
		join(thread[i]);
	pthread_barrier_destroy(&barrier);
	for (int i = 0; i < CROWD; i++)
		assert_int_equal(result[i], 0);
	assert_int_equal(entries_in(dir), 1);
}

static void a_crowd_creates_one_line(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_all_get_in();
		assert_call(wicket_remove("line"), 0);
	}
}

static void a_crowd_after_a_boot(void **state)
{
	(void)state;
	assert_all_get_in();
	for (int i = 0; i < 20; i++) {
		reboot_since("line");
		assert_all_get_in();
	}
}

/* --- inspect -------------------------------------------------------------- */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void assert_entry(struct wicket_entry e, pid_t pid, uint32_t flags,
			 uint32_t place, uint32_t value)
{
	assert_int_equal(e.pid, pid);
	assert_int_equal(e.flags, flags);
	assert_int_equal(e.place, place);
	assert_int_equal(e.value, value);
	assert_int_equal(e.colour, 0);
}

static void holders_by_slot_then_the_line_in_order(void **state)
{
	struct wicket *line = new_line(2, 8);
	struct wicket_view v;
	struct wicket_entry e[8];
	struct peer *p, *q, *r;
	struct wicket_grant grant;
	uint64_t began;

	(void)state;
	assert_call(wicket_inspect(line, &v, e, 8), 0);
	enter(line);
	p = new_holder();
	began = now();
	q = new_waiter(line);
	r = new_waiter(line);
	/* M = 7: the tickets are 1 to 4 */
	assert_call(wicket_inspect(line, &v, e, 8), 4);
	assert_entry(e[0], getpid(), WICKET_HOLDS, 0, 1);
	assert_entry(e[1], p->pid, WICKET_HOLDS, 1, 2);
	assert_entry(e[2], q->pid, 0, 1, 3);
	assert_entry(e[3], r->pid, 0, 2, 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(e[i].seat, i);
	assert_int_equal(e[0].since, 0);
	assert_int_equal(e[1].since, 0);
	assert_in_range(e[2].since, began, now());
	assert_in_range(e[3].since, e[2].since, now());
	assert_int_equal(v.slots, 2);
	assert_int_equal(v.seats, 8);
	assert_int_equal(v.seated, 4);
	assert_int_equal(v.holding, 2);
	assert_int_equal(v.waiting, 2);
	assert_int_equal(v.removed, 0);
	assert_int_equal(v.grants, 2);
	assert_int_equal(v.recovered, 0);
	assert_int_equal(v.abandoned, 0);
	assert_int_equal(v.longest_wait, 0);

	leave(line);
	grant = answer(q).grant;
	assert_int_equal(grant.slot, 0);
	assert_int_equal(grant.value, 3);
	assert_call(wicket_inspect(line, &v, e, 8), 3);
	assert_entry(e[0], q->pid, WICKET_HOLDS, 0, 3);
	assert_entry(e[1], p->pid, WICKET_HOLDS, 1, 2);
	assert_entry(e[2], r->pid, 0, 1, 4);
	/* the grant's, of who had to wait */
	assert_in_range(e[0].since, began, now());
	assert_int_equal(v.grants, 3);
	assert_in_range(v.longest_wait, 1, now() - began);
}

static void room_for_the_first_of_them(void **state)
{
	struct wicket *line = new_line(1, 8);
	struct peer *first = new_peer(), *holder = new_holder();
	struct wicket_view v;
	struct wicket_entry e[4], untouched;

	(void)state;
	tell(first, 'a');
	eventually(waiting(line) == 1);
	memset(&untouched, 0x55, sizeof(untouched));
	e[1] = untouched;
	assert_call(wicket_inspect(line, &v, e, 1), 2);
	assert_memory_equal(&e[1], &untouched, sizeof(untouched));
	assert_int_equal(v.holding, 1);
	assert_int_equal(v.waiting, 1);
	assert_entry(e[0], holder->pid, WICKET_HOLDS, 0, 1);
}

static void who_has_left(void **state)
{
	struct wicket *a = new_line(1, 8), *b = join_line();
	struct peer *p = new_holder(), *q;
	struct wicket_view v;
	struct wicket_entry e[4];

	(void)state;
	assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	q = new_waiter(a);
	assert_call(wicket_inspect(a, &v, e, 4), 3);
	assert_entry(e[0], p->pid, WICKET_HOLDS, 0, 1);
	assert_entry(e[1], getpid(), WICKET_LEFT, 1, 2);
	assert_entry(e[2], q->pid, 0, 2, 3);
	assert_int_equal(v.abandoned, 1);
	kill(q->pid, SIGKILL);
	waitpid(q->pid, NULL, 0);
	assert_call(wicket_inspect(a, &v, e, 4), 3);
	assert_entry(e[2], q->pid, WICKET_LEFT, 2, 3);
}

/* Those who gave up do not look after the dead; else it would take seconds. */
static void who_has_only_the_gone_before_it_is_first(void **state)
{
	enum { GONE = 40, SECONDS = 6 };
	struct wicket *a = new_line(1, 64), *b = join_line();
	struct peer *p = new_holder(), *q;
	struct timespec end;

	(void)state;
	for (int i = 0; i < GONE; i++)
		assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	q = new_waiter(a);
	usleep(300000); /* until it sleeps for long */
	slay(p);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += SECONDS;
	while (!has_answered(q) && !is_past(end))
		nap();
	assert_true(has_answered(q));
}

/* By a process to which the holder's pid means nothing. */
static void look_from_outside(struct wicket *unused)
{
	struct wicket_options o = { .flags = WICKET_VIEW };
	struct wicket_view v;
	struct wicket_entry e;
	int status;

	if (geteuid() || unshare(CLONE_NEWPID))
		_exit(CANNOT);
	if (fork()) {
		child_assert(wait(&status) > 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
	child_assert(wicket_open(&unused, "line", &o) == 0);
	child_assert(wicket_inspect(unused, &v, &e, 1) == 1);
	child_assert(e.flags == (WICKET_HOLDS | WICKET_FOREIGN));
}

static void pids_of_another_namespace(void **state)
{
	int result;

	(void)state;
	enter(new_line(1, 4));
	result = in_child(look_from_outside, NULL);
	if (result == CANNOT)
		leave_out("not root");
	assert_int_equal(result, 0);
}

static void the_clock_of_grants(void **state)
{
	struct wicket *line = open_line(
		"line",
		OPTIONS(.slots = 1, .flags = WICKET_CREATE | WICKET_CLOCK));
	struct wicket_view v;
	struct wicket_entry e;

	(void)state;
	for (int i = 0; i < 3; i++) {
		uint64_t began = now();

		enter(line);
		assert_call(wicket_inspect(line, &v, &e, 1), 1);
		assert_in_range(e.since, began, now());
		leave(line);
	}
}

static void a_view_only_looks(void **state)
{
	struct wicket *line = new_line(1, 2), *viewer;

	(void)state;
	join_line();
	viewer = view_line();
	enter(line);
	assert_int_equal(view_of(viewer).seated, 2);
	assert_int_equal(view_of(viewer).holding, 1);
	assert_call(wicket_acquire(viewer, NULL), -EPERM);
	assert_call(wicket_acquire_until(viewer, &past, NULL), -EPERM);
	assert_call(wicket_try(viewer, NULL), -EPERM);
	assert_call(wicket_release(viewer), -EPERM);
	leave(line);
	assert_int_equal(view_of(viewer).holding, 0);
}

static void check_reader(struct wicket *unused)
{
	struct wicket_options o = { .flags = WICKET_VIEW };
	struct wicket_view v;

	if (geteuid() == 0 && setuid(65534))
		_exit(CANNOT);
	child_assert(wicket_open(&unused, "line", NULL) == -EACCES);
	child_assert(wicket_remove("line") == -EACCES);
	child_assert(wicket_open(&unused, "line", &o) == 0);
	child_assert(wicket_inspect(unused, &v, NULL, 0) == 1);
	child_assert(v.slots == 2 && v.holding == 1);
	child_assert(wicket_close(unused) == 0);
}

static void a_view_of_what_it_may_only_read(void **state)
{
	struct wicket *line = new_line(2, 3);
	int result;

	(void)state;
	enter(line);
	assert_int_equal(chmod(dir, 0755), 0);
	assert_int_equal(chmod(in_dir("line"), 0444), 0);
	result = in_child(check_reader, NULL);
	if (result == CANNOT)
		leave_out("not root");
	assert_int_equal(result, 0);
}

/* --- what is left behind -------------------------------------------------- */

static void no_open_files_are_left(void **state)
{
	int before = open_files();
	struct wicket *a;

	(void)state;
	a = new_line(1, 2);
	enter(a);
	close_line(a);
	assert_int_equal(open_files(), before);
	write_file("foreign", "", 0);
	assert_no_line("foreign");
	assert_int_equal(try_join("none"), -ENOENT);
	assert_int_equal(try_slots(2), -EEXIST);
	assert_int_equal(open_files(), before);
	a = new_line(1, 2);
	join_line();
	before = open_files();
	assert_int_equal(try_create("line"), -EUSERS);
	enter(a);
	assert_call(wicket_remove("line"), -EBUSY);
	leave(a);
	assert_call(wicket_remove("line"), 0);
	assert_int_equal(open_files(), before);
	close_line(a);
	assert_int_equal(open_files(), before - 1);
}

/* Sanitizers have an allocator of their own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
	__has_feature(memory_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#ifndef OWN_ALLOCATOR
#define OWN_ALLOCATOR 1
#endif

static _Atomic unsigned long allocations;

#if OWN_ALLOCATOR
/* glibc's, counted; also those that libc makes for itself. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	allocations++;
	return __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
	allocations++;
	return __libc_realloc(p, size);
}
#endif

/* Pages of address space. */
static long pages(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY);

	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return atol(text);
}

static void nothing_is_allocated_after_opening(void **state)
{
	struct wicket *a = new_line(1, 8), *b = join_line();
	struct peer *p = new_holder();
	struct wicket_view view;
	struct wicket_entry e[8];
	struct timespec end = soon();
	unsigned long before = allocations;
	long size = pages();

	(void)state;
	if (!OWN_ALLOCATOR)
		leave_out("sanitized");
	assert_true(before > 0);
	assert_call(wicket_acquire_until(a, &end, NULL), -ETIMEDOUT);
	assert_call(wicket_cancel(a), 0);
	assert_int_equal(acquire(a), -ECANCELED);
	assert_call(wicket_try(a, NULL), -EAGAIN);
	assert_call(wicket_inspect(a, &view, e, 8), 3);
	slay(p);
	enter(a);
	assert_call(wicket_acquire(a, NULL), -EDEADLK);
	leave(a);
	enter(b);
	assert_int_equal(allocations, before);
	assert_int_equal(pages(), size);
	close_line(a);
	close_line(b);
	assert_int_equal(allocations, before);
	assert_true(pages() < size);
}

#define test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_name_is_a_file_in_wicket_dir),
		test(a_path_stands_for_itself),
		test(impossible_names),
		test(without_wicket_dir),
		test(what_is_not_a_line_is_left_alone),
		test(other_layouts_are_left_alone),
		test(symbolic_links),
		test(places_for_no_line),
		test(impossible_numbers),
		test(numbers_that_are_not_said),
		test(k_is_the_lines),
		test(permissions_of_a_new_line),
		test(seats_are_used_up),
		test(the_seat_of_a_dead_one_is_used_again),
		test(sizes),
		test(many_slots),
		test(a_thread_may_have_1024_handles),
		test(grants_come_in_the_order_of_tickets),
		test(a_grant_may_be_null),
		test(nobody_overtakes),
		test(trying_finds_the_dead),
		test(trying_takes_no_ticket),
		test(one_slot_a_handle),
		test(handles_of_several_lines),
		test(closing_gives_the_slot_back),
		test(a_stopped_holder_costs_its_slot),
		test(a_handle_is_its_threads),
		test(in_a_child_a_handle_is_dead),
		test(whichever_thread_has_the_child),
		test(a_threads_exit_is_its_death),
		test(a_deadline),
		test(impossible_deadlines),
		test(deadlines_after_all_time),
		test(who_gave_up_may_find_no_seat),
		test(a_ticket_is_passed_on),
		test(cancelling_before_it_waits),
		test(cancelling_from_another_thread),
		test(cancelling_from_a_signal_handler),
		test(signals_do_not_end_a_wait),
		test(who_is_killed_inside_gives_the_slot_back),
		test(death_is_told_of_the_slot),
		test(nobody_died_inside),
		test(an_heir_that_has_gone_passes_it_on),
		test(removing_a_line_in_use),
		test(removing_a_line_that_is_waited_for),
		test(handles_of_a_removed_line),
		test(a_line_that_is_half_removed),
		test(a_line_of_another_boot_starts_afresh),
		test(k_outlives_a_boot),
		test(a_crowd_creates_one_line),
		test(a_crowd_after_a_boot),
		test(holders_by_slot_then_the_line_in_order),
		test(room_for_the_first_of_them),
		test(who_has_left),
		test(who_has_only_the_gone_before_it_is_first),
		test(pids_of_another_namespace),
		test(the_clock_of_grants),
		test(a_view_only_looks),
		test(a_view_of_what_it_may_only_read),
		test(no_open_files_are_left),
		test(nothing_is_allocated_after_opening),
	};

	atexit(tidy_up);
	return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
