/* SPDX-License-Identifier: MIT */
/*
 * Damaged lines: whatever a byte of the file is, every call ends, none crashes.
 *
 * A small line is brought into a scene; its bytes are the image.  Every case is a
 * file of its own with the image and some damage, at which all calls are let
 * loose.  Every byte is tried, padding too: as 0, as 255, with its top bit
 * flipped; then two words at a time, drawn with a fixed seed.
 *
 * Lives are locks on the file, which a copy has not: for the scene in use they are
 * taken again.  In the last scene the damage comes while the handle holds.
 *
 * A call that says -EUCLEAN must be right: wicket_check finds something.
 *
 *	sweep WICKET STEP	every STEPth case, a few of them by the tool
 */
#include "line/life.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	SLOTS = 2,
	SEATS = 5,
	LIVES = 8,
	BYTES_MAX = 4096,
	PAIRS = 1500,
	HANG = 60,    /* seconds */
	SHORT = 3,    /* milliseconds for which a slot is waited for */
	BY_TOOL = 61, /* of so many cases one */
	ACTORS = 3,
	WRONG = 3, /* exit code: -EUCLEAN of a line where nothing is wrong */
};

enum scene { IDLE, IN_USE, DEAD_OWNER, HELD, SCENES };

static const char *const scene_names[] = { "idle", "in use", "with dead owners",
					   "held by us" };

static char dir[64], path[96];
static const char *tool;
static unsigned char image[SCENES][BYTES_MAX];
static size_t bytes;

/* Which case is tried, so that its end can be told. */
static volatile struct progress {
	size_t next;
} * progress;

static _Noreturn void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

/* --- images ------------------------------------------------------------------ */

/* Holds, or waits, until killed. */
static pid_t start_actor(void)
{
	int ready[2];
	char byte = 0;
	pid_t pid;

	if (pipe(ready))
		die("pipe");
	pid = fork();
	if (!pid) {
		struct wicket *line;
		int error = wicket_open(&line, path, 0);

		if (error || write(ready[1], &byte, 1) != 1)
			_exit(1);
		wicket_acquire(line, 0);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		die("an actor");
	close(ready[0]);
	return pid;
}

static bool has_users(unsigned int holding, unsigned int waiting)
{
	struct wicket_options view = { .flags = WICKET_VIEW };
	struct wicket_view v = { 0 };
	struct wicket *line;

	if (wicket_open(&line, path, &view))
		die("view");
	wicket_inspect(line, &v, 0, 0);
	wicket_close(line);
	return v.holding == holding && v.waiting == waiting;
}

static void take_image(enum scene scene)
{
	FILE *file = fopen(path, "r");

	if (!file)
		die(path);
	bytes = fread(image[scene], 1, BYTES_MAX, file);
	fclose(file);
}

static void make_images(void)
{
	struct wicket_options o = { .slots = SLOTS,
				    .slots_max = SLOTS,
				    .seats = SEATS,
				    .flags = WICKET_CREATE };
	pid_t actors[ACTORS];
	struct wicket *line;

	if (wicket_open(&line, path, &o))
		die("open");
	for (int i = 0; i < 5; i++) {
		wicket_acquire(line, 0);
		wicket_release(line);
	}
	wicket_close(line);
	take_image(IDLE);
	take_image(HELD);
	for (unsigned int i = 0; i < ACTORS; i++) {
		actors[i] = start_actor();
		while (!has_users(i < SLOTS ? i + 1 : SLOTS,
				  i < SLOTS ? 0 : i + 1 - SLOTS))
			usleep(1000);
	}
	take_image(IN_USE);
	for (int i = 0; i < ACTORS; i++) {
		kill(actors[i], SIGKILL);
		waitpid(actors[i], 0, 0);
	}
	take_image(DEAD_OWNER);
	unlink(path);
}

/* --- damage ------------------------------------------------------------------- */

static size_t singles(void)
{
	return 3 * bytes;
}

static size_t cases(void)
{
	return singles() + PAIRS;
}

static uint64_t draw(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static unsigned char damaged(unsigned char byte, size_t how)
{
	return how == 0 ? 0 : how == 1 ? 255 : byte ^ 128;
}

/* False: it is as it was. */
static bool damage(unsigned char *copy, size_t n)
{
	uint64_t seed = n * UINT64_C(0x9e3779b97f4a7c15) + 1;
	unsigned char before[BYTES_MAX];

	memcpy(before, copy, bytes);
	if (n < singles()) {
		copy[n / 3] = damaged(copy[n / 3], n % 3);
		return memcmp(before, copy, bytes);
	}
	for (int i = 0; i < 4; i++)
		draw(&seed);
	for (int i = 0; i < 2; i++) {
		/* not the header's constants, by which it is refused */
		size_t from = offsetof(struct header, used);
		size_t at = from + draw(&seed) % (bytes - from) / 8 * 8;
		uint64_t word, kind = draw(&seed) % 3;

		memcpy(&word, copy + at, sizeof(word));
		word = kind == 0 ? draw(&seed) :
		       kind == 1 ? word + draw(&seed) % 3 - 1 :
				   word ^ UINT64_C(1) << draw(&seed) % 64;
		memcpy(copy + at, &word, sizeof(word));
	}
	return memcmp(before, copy, bytes);
}

static int write_line(const unsigned char *copy)
{
	int fd;

	unlink(path);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || pwrite(fd, copy, bytes, 0) != (ssize_t)bytes)
		die(path);
	return fd;
}

/* --- all calls ------------------------------------------------------------------ */

static bool unclean;

static int heed(int error)
{
	unclean |= error == -EUCLEAN;
	return error;
}

static void ignore(void *arg, enum wicket_finding kind, const char *text)
{
	(void)arg, (void)kind;
	if (getenv("SWEEP_CASE"))
		printf("# %s\n", text);
}

static void use(struct wicket *line)
{
	struct wicket_entry entries[SEATS];
	struct wicket_view view;
	struct timespec end;
	struct wicket_grant grant;

	heed(wicket_inspect(line, &view, entries, SEATS));
	if (!heed(wicket_try(line, &grant))) {
		heed(wicket_inspect(line, &view, entries, SEATS));
		heed(wicket_release(line));
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += SHORT * 1000000;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	if (!heed(wicket_acquire_until(line, &end, &grant)))
		heed(wicket_release(line));
}

static void use_all(void)
{
	struct wicket_options view = { .flags = WICKET_VIEW };
	struct wicket_entry entries[SEATS];
	struct wicket_view v;
	struct wicket *line;

	if (!heed(wicket_open(&line, path, &view))) {
		heed(wicket_inspect(line, &v, entries, SEATS));
		heed(wicket_close(line));
	}
	if (!heed(wicket_open(&line, path, 0))) {
		use(line);
		heed(wicket_close(line));
	}
	heed(wicket_remove(path));
}

/* The damage comes while we hold. */
static bool use_held(size_t n)
{
	unsigned char copy[BYTES_MAX];
	struct wicket *line;
	int fd = write_line(image[HELD]), wrong = 0;

	if (wicket_open(&line, path, 0) || wicket_acquire(line, 0))
		_exit(1);
	if (pread(fd, copy, bytes, 0) != (ssize_t)bytes)
		_exit(1);
	if (damage(copy, n)) {
		if (pwrite(fd, copy, bytes, 0) != (ssize_t)bytes)
			_exit(1);
		wrong = wicket_check(path, ignore, 0);
	}
	heed(wicket_release(line));
	use(line);
	wicket_close(line);
	close(fd);
	return wrong;
}

static void lock_lives(int fd)
{
	for (uint64_t i = 1; i <= LIVES; i++) {
		struct flock lock = life_lock(i, F_WRLCK);

		if (fcntl(fd, F_OFD_SETLK, &lock))
			die("F_OFD_SETLK");
	}
}

static void try_tool(void)
{
	static const char *const commands[][8] = {
		{ "status", "line" }, { "list" },
		{ "doctor", "line" }, { "run", "-n", "line", "true" },
		{ "rm", "line" },
	};

	for (int i = 0; i < 5; i++) {
		const char *args[10] = { tool };
		pid_t pid = fork();
		int status;

		for (int j = 0; j < 8; j++)
			args[j + 1] = commands[i][j];
		if (!pid) {
			alarm(HANG);
			setenv("WICKET_DIR", dir, 1);
			if (!getenv("SWEEP_CASE")) {
				freopen("/dev/null", "w", stdout);
				freopen("/dev/null", "w", stderr);
			}
			execv(tool, (char **)(uintptr_t)args);
			_exit(127);
		}
		waitpid(pid, &status, 0);
		if (!WIFEXITED(status))
			raise(WTERMSIG(status));
		if (WEXITSTATUS(status) == 127)
			_exit(127);
	}
}

static void try_case(enum scene scene, size_t n, bool by_tool)
{
	unsigned char copy[BYTES_MAX];
	bool wrong;
	int fd;

	unclean = false;
	if (scene == HELD) {
		wrong = use_held(n);
	} else {
		memcpy(copy, image[scene], bytes);
		if (!damage(copy, n))
			return;
		fd = write_line(copy);
		if (scene == IN_USE)
			lock_lives(fd);
		wrong = wicket_check(path, ignore, 0);
		if (by_tool)
			try_tool();
		else
			use_all();
		close(fd);
	}
	/* what was damaged may show only when the next step is missing */
	if (unclean && !wrong && wicket_check(path, ignore, 0) <= 0)
		_exit(WRONG);
}

/* --- the sweep -------------------------------------------------------------------- */

static void try_from(enum scene scene, size_t first, size_t step)
{
	for (size_t n = first; n < cases(); n += step) {
		progress->next = n + step;
		alarm(HANG);
		try_case(scene, n, scene != HELD && n / step % BY_TOOL == 0);
	}
	_exit(0);
}

static void tell(enum scene scene, size_t n, int status)
{
	const char *what = !WIFSIGNALED(status)	       ? "unfounded EUCLEAN" :
			   WTERMSIG(status) == SIGALRM ? "hangs" :
							 "crashes";

	if (n < singles())
		printf("# %s: byte %zu, damage %zu (case %zu): %s (%d)\n",
		       scene_names[scene], n / 3, n % 3, n, what, status);
	else
		printf("# %s: two words (case %zu): %s (%d)\n",
		       scene_names[scene], n, what, status);
}

/* A child tries one after another until it dies of one. */
static size_t sweep(enum scene scene, size_t step)
{
	size_t bad = 0;

	progress->next = 0;
	while (progress->next < cases()) {
		int status;
		pid_t pid;

		fflush(stdout);
		pid = fork();
		if (!pid)
			try_from(scene, progress->next, step);
		waitpid(pid, &status, 0);
		if (status) {
			bad++;
			tell(scene, progress->next - step, status);
		}
	}
	return bad;
}

/* SWEEP_CASE=SCENE,CASE tries one, in this process, to look at it. */
static void try_one(const char *text)
{
	char *end;
	unsigned long scene = strtoul(text, &end, 10);

	try_case((enum scene)scene, strtoul(end + 1, 0, 10),
		 getenv("SWEEP_TOOL"));
	printf("# unclean %d\n", unclean);
	exit(0);
}

int main(int argc, char **argv)
{
	size_t step = argc > 2 ? strtoul(argv[2], 0, 10) : 1;
	bool failed = false;

	tool = argc > 1 ? argv[1] : "wicket";
	snprintf(dir, sizeof(dir), "/dev/shm/wicket-hostile-%d", getpid());
	snprintf(path, sizeof(path), "%s/line", dir);
	progress = mmap(0, sizeof(*progress), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (mkdir(dir, 0700) || progress == MAP_FAILED)
		die(dir);
	make_images();
	if (getenv("SWEEP_CASE"))
		try_one(getenv("SWEEP_CASE"));
	printf("1..%d\n", SCENES);
	for (int i = 0; i < SCENES; i++) {
		size_t bad = sweep((enum scene)i, step);

		failed |= bad;
		printf("%sok %d - %s: %zu cases, %zu bad\n", bad ? "not " : "",
		       i + 1, scene_names[i], cases() / step, bad);
	}
	unlink(path);
	rmdir(dir);
	return failed;
}
