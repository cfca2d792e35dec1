/* SPDX-License-Identifier: MIT */
/*
 * check - what the tests of check/ share: wicket_check on files, and what it
 * tells.  Others in the line are processes that do one thing with it and stay,
 * until they are killed.  Whatever is checked stays as it is.
 */
#ifndef CHECK_H
#define CHECK_H

#include "patience.h"

#include "line/handle.h"
#include "tests/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS = 2, SEATS = 6, ROOM = 4096, MARK = 12345 };

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static char dir[SCRATCH_DIR];
static char line_file[PATH_MAX], copy_file[PATH_MAX];

/* --- what is told ------------------------------------------------------------ */

struct told {
	int wrong, notes;
	char text[8192]; /* a line each: "wrong: ..." or "note: ..." */
};

static struct told told;

static inline void hear(void *arg, enum wicket_finding kind, const char *text)
{
	struct told *t = arg;
	size_t end = strlen(t->text);

	t->wrong += kind == WICKET_WRONG;
	t->notes += kind == WICKET_NOTE;
	snprintf(t->text + end, sizeof(t->text) - end, "%s: %s\n",
		 kind == WICKET_WRONG ? "wrong" : "note", text);
}

/* What wicket_check returns; it leaves errno alone. */
static inline int check(const char *file)
{
	int result;

	told = (struct told){ 0 };
	errno = MARK;
	result = wicket_check(file, hear, &told);
	assert_int_equal(errno, MARK);
	return result;
}

static inline void assert_right(const char *file)
{
	if (check(file))
		fail_msg("%s", told.text);
}

static inline void assert_told(const char *words)
{
	if (!strstr(told.text, words))
		fail_msg("not told: %s; but: %s", words, told.text);
}

/* --- files ------------------------------------------------------------------- */

static inline size_t read_file(const char *file, void *data, size_t room)
{
	FILE *f = fopen(file, "r");
	size_t size;

	assert_non_null(f);
	size = fread(data, 1, room, f);
	fclose(f);
	return size;
}

static inline void write_file(const char *file, const void *data, size_t size)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	fclose(f);
}

static inline void assert_same_time(struct timespec a, struct timespec b)
{
	assert_int_equal(a.tv_sec, b.tv_sec);
	assert_int_equal(a.tv_nsec, b.tv_nsec);
}

/* The file is the same before and after, and so are its times. */
static inline int check_untouched(const char *file)
{
	static char before[ROOM], after[ROOM];
	size_t size = read_file(file, before, ROOM);
	struct stat then, now;
	int result;

	assert_int_equal(stat(file, &then), 0);
	result = check(file);
	assert_int_equal(stat(file, &now), 0);
	assert_same_time(now.st_mtim, then.st_mtim);
	assert_same_time(now.st_ctim, then.st_ctim);
	assert_same_time(now.st_atim, then.st_atim);
	assert_int_equal(read_file(file, after, ROOM), size);
	assert_memory_equal(before, after, size);
	return result;
}

/* --- those in the line -------------------------------------------------------- */

/* What a process does with the line before it says so, and stays. */
enum deed { HOLD, KEEP, LEAVE, WAIT, GIVE_UP, SIT };

enum { PEOPLE = 16 };
static pid_t people[PEOPLE];
static size_t people_count;
static int life[2]; /* a command runs until its other end is closed */

static inline int keep(struct wicket *line, int ready)
{
	char byte;

	if (wicket_acquire(line, 0) || wicket_keep(line) < 0)
		return -1;
	if (fork() == 0) {
		close(ready);
		_exit((int)read(life[0], &byte, 1));
	}
	return 0;
}

static inline int do_it(struct wicket *line, enum deed deed, int ready)
{
	const struct timespec past = { 0 };

	switch (deed) {
	case HOLD:
		return wicket_acquire(line, 0);
	case KEEP:
		return keep(line, ready);
	case LEAVE:
		return wicket_acquire(line, 0) || wicket_release(line);
	case GIVE_UP:
		return wicket_acquire_until(line, &past, 0) + ETIMEDOUT;
	default:
		return 0;
	}
}

static inline _Noreturn void live(enum deed deed, int ready)
{
	struct wicket *line;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(life[1]);
	if (!wicket_open(&line, line_file, 0) && !do_it(line, deed, ready) &&
	    write(ready, "", 1) == 1) {
		if (deed == WAIT)
			wicket_acquire(line, 0);
		for (;;)
			pause();
	}
	_exit(1);
}

static inline uint32_t waiting(void)
{
	struct wicket_options options = { .flags = WICKET_VIEW };
	struct wicket_view v;
	struct wicket *line;

	assert_int_equal(wicket_open(&line, line_file, &options), 0);
	assert_true(wicket_inspect(line, &v, 0, 0) >= 0);
	wicket_close(line);
	return v.waiting;
}

/* Returns when it is done, or, for who waits, when it waits. */
static inline pid_t let(enum deed deed)
{
	uint32_t before = waiting();
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	assert_in_range(people_count, 0, PEOPLE - 1);
	pid = fork();
	if (pid == 0)
		live(deed, ready[1]);
	people[people_count++] = pid;
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	if (deed == WAIT)
		eventually(waiting() == before + 1);
	return pid;
}

static inline void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, 0, 0);
	for (size_t i = 0; i < people_count; i++) {
		if (people[i] == pid)
			people[i] = people[--people_count];
	}
}

static inline int new_line(void **state)
{
	struct wicket_options options = { .slots = SLOTS,
					  .slots_max = SLOTS,
					  .seats = SEATS,
					  .flags = WICKET_CREATE };
	struct wicket *line;

	(void)state;
	if (pipe(life) || wicket_open(&line, line_file, &options))
		return -1;
	return wicket_close(line);
}

static inline int end_all(void **state)
{
	(void)state;
	close(life[0]);
	close(life[1]);
	while (people_count)
		end(people[0]);
	while (wait(0) > 0) /* the commands: this is their reaper */
		;
	unlink(line_file);
	unlink(copy_file);
	return 0;
}

/* --- a copy, to be damaged ------------------------------------------------------ */

static struct wicket copy;
static unsigned char sound[ROOM]; /* as it was */
static size_t bytes;

/* Of a line with two holders (seats 0, 1), who has just given up (2), who waits
   (3), and who only sits (4). */
static inline int copy_line(void **state)
{
	static const enum deed deeds[] = { HOLD, HOLD, WAIT, WAIT, SIT };
	int fd;

	if (new_line(state))
		return -1;
	for (size_t i = 0; i < LENGTH(deeds); i++)
		let(deeds[i]);
	bytes = read_file(line_file, sound, ROOM);
	write_file(copy_file, sound, bytes);
	fd = open(copy_file, O_RDWR | O_CLOEXEC);
	copy.area = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (copy.area == MAP_FAILED)
		return -1;
	area_look_up(&copy, SLOTS, SEATS);
	copy.seats[2].word.low = line_mark(copy.seats[2].word.low);
	memcpy(sound, copy.area, bytes);
	return 0;
}

static inline int drop_copy(void **state)
{
	munmap(copy.area, bytes);
	return end_all(state);
}

/* Puts the copy right again. */
static inline void mend(void)
{
	memcpy(copy.area, sound, bytes);
	assert_right(copy_file);
}

/* --- before and after -------------------------------------------------------- */

static pid_t tester; /* the others inherit the handler, but not the directory */

/* Whoever ends the test from outside finds nothing left of it; the others die with
   the tester. */
static inline void tidy_up(int number)
{
	if (getpid() == tester) {
		unlink(line_file);
		unlink(copy_file);
		rmdir(dir);
	}
	raise(number); /* SA_RESETHAND: it ends when this returns */
}

static inline void tidy_up_if_ended(void)
{
	const int ends[] = { SIGHUP, SIGINT, SIGTERM };
	const struct sigaction action = { .sa_handler = tidy_up,
					  .sa_flags = (int)SA_RESETHAND };

	tester = getpid();
	for (size_t i = 0; i < LENGTH(ends); i++)
		sigaction(ends[i], &action, 0);
}

static inline int make_dir(void **state)
{
	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	tidy_up_if_ended();
	if (!scratch_make(dir, "check-line"))
		return -1;
	snprintf(line_file, sizeof(line_file), "%s/line", dir);
	snprintf(copy_file, sizeof(copy_file), "%s/copy", dir);
	return 0;
}

static inline int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

#define LINE_TEST(f) cmocka_unit_test_setup_teardown(f, new_line, end_all)
#define COPY_TEST(f) cmocka_unit_test_setup_teardown(f, copy_line, drop_copy)

#endif
