/* SPDX-License-Identifier: MIT */
/*
 * file - what may go wrong with the file of a line: it cannot be unlinked, is not a
 * file, is too large, is deleted by hand, belongs to the wrong user, is on the wrong
 * file system; and what a forked child inherits.
 */
#include "../unit.h"

#include "line/file.h"
#include "line/handle.h"
#include "line/remove.h"
#include "tests/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPTIONS(...) (&(struct wicket_options){ __VA_ARGS__ })

enum { NOT_HERE = 77 };

static char dir[SCRATCH_DIR], line[PATH_MAX], other[PATH_MAX];

static struct wicket *open_line(const char *path, uint32_t flags)
{
	struct wicket *h;

	assert_int_equal(
		wicket_open(&h, path,
			    OPTIONS(.slots = 1, .seats = 4, .flags = flags)),
		0);
	return h;
}

static int try_open(const char *path, uint32_t flags)
{
	struct wicket *h;
	int error = wicket_open(&h, path, OPTIONS(.flags = flags));

	if (!error)
		wicket_close(h);
	return error;
}

static void create_line(void)
{
	wicket_close(open_line(line, WICKET_CREATE));
}

static ino_t inode_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? 0 : st.st_ino;
}

/* What a child makes of it. */
static int in_child(int (*act)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(act());
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* --- unlinking ------------------------------------------------------------------ */

/* A line whose remover was killed before it unlinked it. */
static void half_remove(void)
{
	create_line();
	assert_int_equal(link(line, other), 0);
	assert_int_equal(wicket_remove(line), 0);
	assert_int_equal(rename(other, line), 0);
}

static void only_the_own_name_is_unlinked(void **state)
{
	struct wicket h = { .fd = -1, .me = NO_SEAT };
	ino_t newer;

	(void)state;
	/* it is opened; then others unlink it, and make a newer one */
	create_line();
	assert_int_equal(area_attach(&h, line, 0), 0);
	assert_int_equal(wicket_remove(line), 0);
	create_line();
	newer = inode_of(line);
	assert_int_equal(remove_rest(&h, line), 0);
	assert_int_equal(inode_of(line), newer);
	area_close(&h);
}

static void a_mark_that_was_taken_back_is_not_acted_upon(void **state)
{
	struct wicket h = { .fd = -1, .me = NO_SEAT };

	(void)state;
	create_line();
	assert_int_equal(area_attach(&h, line, 0), 0);
	assert_int_equal(remove_rest(&h, line), -EAGAIN);
	assert_int_not_equal(inode_of(line), 0);
	area_close(&h);
}

static void a_link_is_not_what_is_removed(void **state)
{
	ino_t link_itself;

	(void)state;
	create_line();
	assert_int_equal(symlink(line, other), 0);
	link_itself = inode_of(other);
	assert_int_equal(wicket_remove(other), -ELOOP);
	assert_int_equal(try_open(line, 0), 0);
	unlink(other);
	/* nor is it when what it leads to is half removed */
	half_remove();
	assert_int_equal(symlink(line, other), 0);
	link_itself = inode_of(other);
	assert_int_equal(try_open(other, WICKET_CREATE), 0);
	assert_int_equal(inode_of(other), link_itself);
	assert_int_equal(try_open(line, 0), 0);
}

/* Nobody may unlink here but the owner of the file or of the directory. */
static int remove_as_nobody(void)
{
	return setgid(65534) || setuid(65534) ? 99 : -wicket_remove(line);
}

static void what_cannot_be_unlinked_is_left_as_it_was(void **state)
{
	static const struct wicket_options shared = {
		.slots = 1, .seats = 4, .mode = 0666, .flags = WICKET_CREATE
	};
	struct wicket *h;

	(void)state;
	if (geteuid()) {
		print_message("# root only\n");
		return;
	}
	assert_int_equal(wicket_open(&h, line, &shared), 0);
	assert_int_equal(chmod(dir, 0755), 0);
	assert_int_equal(in_child(remove_as_nobody), EACCES);
	assert_int_equal(chmod(dir, 01777), 0);
	assert_int_equal(in_child(remove_as_nobody), EPERM);
	assert_int_equal(wicket_acquire(h, 0), 0);
	assert_int_equal(wicket_release(h), 0);
	wicket_close(h);
	assert_int_equal(try_open(line, WICKET_TRUST), 0);
}

/* A mount point is busy: that is seen only when it is tried. */
static int remove_mount_point(void)
{
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", 0, MS_REC | MS_PRIVATE, 0) ||
	    mount(line, line, 0, MS_BIND, 0))
		return NOT_HERE;
	return -wicket_remove(line);
}

static void a_mark_is_taken_back(void **state)
{
	struct wicket *h = open_line(line, WICKET_CREATE);
	int error = in_child(remove_mount_point);

	(void)state;
	if (error == NOT_HERE)
		print_message("# no mount namespace to be had\n");
	else
		assert_int_equal(error, EBUSY);
	assert_int_equal(wicket_acquire(h, 0), 0);
	wicket_close(h);
	assert_int_equal(try_open(line, 0), 0);
}

enum { GATE, ALONE }; /* bytes: see life.h */

/* As somebody else has it, who is stopped meanwhile. */
static int lock_byte(off_t byte, short type)
{
	struct flock lock = { .l_type = type,
			      .l_whence = SEEK_SET,
			      .l_start = byte,
			      .l_len = 1 };
	int fd = open(line, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_OFD_SETLK, &lock), 0);
	return fd;
}

static void one_at_a_time_unlinks(void **state)
{
	int lock;

	(void)state;
	create_line();
	lock = lock_byte(ALONE, F_WRLCK);
	assert_int_equal(wicket_remove(line), -EBUSY);
	close(lock);
	assert_int_equal(try_open(line, 0), 0);
	/* nor does whoever finds it half removed */
	half_remove();
	lock = lock_byte(ALONE, F_WRLCK);
	assert_int_equal(try_open(line, 0), -EBUSY);
	assert_int_not_equal(inode_of(line), 0);
	close(lock);
	assert_int_equal(try_open(line, 0), -ENOENT);
	assert_int_equal(inode_of(line), 0);
}

/* Only who removes a line, or starts it afresh, has to be alone: one who is
   stopped meanwhile does not keep the others out. */
static void who_is_alone_holds_up_nobody(void **state)
{
	int lock;

	(void)state;
	create_line();
	lock = lock_byte(ALONE, F_WRLCK);
	assert_int_equal(try_open(line, 0), 0);
	close(lock);
}

/* flock(2) is other people's business. */
static void a_lock_on_the_file_holds_up_nobody(void **state)
{
	int fd;

	(void)state;
	create_line();
	fd = open(line, O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_SH), 0);
	assert_int_equal(try_open(line, 0), 0);
	assert_int_equal(wicket_remove(line), 0);
	close(fd);
}

/* --- what it is ------------------------------------------------------------------- */

static void what_is_not_a_file_is_not_opened(void **state)
{
	int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	char events[4096];

	(void)state;
	assert_true(watch >= 0);
	assert_int_equal(mkfifo(line, 0600), 0);
	assert_true(inotify_add_watch(watch, line, IN_OPEN) >= 0);
	assert_int_equal(try_open(line, 0), -EPROTO);
	assert_int_equal(try_open(line, WICKET_VIEW), -EPROTO);
	assert_int_equal(wicket_remove(line), -EPROTO);
	assert_int_equal(read(watch, events, sizeof(events)), -1);
	assert_int_equal(errno, EAGAIN);
	close(watch);
}

static void it_is_not_aged_out(void **state)
{
	struct stat st;

	(void)state;
	create_line();
	assert_int_equal(stat(line, &st), 0);
	assert_int_equal(st.st_mode & 07777, 01600);
}

/* On a disk a write to the mapping changes the time of modification, too, and
   mapping it that of the last access, unless that is in the future: so each
   time tells where the other does not. */
static void its_use_is_its_youth(void **state)
{
	const time_t day = 24 * 3600, now = time(0);
	const struct timespec wrong[2] = { { .tv_sec = now + day / 2 },
					   { .tv_sec = now - day } };
	struct stat st;

	(void)state;
	create_line();
	assert_int_equal(utimensat(AT_FDCWD, line, wrong, 0), 0);
	assert_int_equal(try_open(line, 0), 0);
	assert_int_equal(stat(line, &st), 0);
	assert_true(st.st_atime < now + day / 4);
	assert_true(st.st_mtime > now - day / 4);
}

static struct header read_header(void)
{
	struct header a;
	int fd = open(line, O_RDONLY | O_CLOEXEC);

	assert_int_equal(read(fd, &a, sizeof(a)), sizeof(a));
	close(fd);
	return a;
}

static void a_later_line_has_a_greater_epoch(void **state)
{
	uint64_t before;

	(void)state;
	create_line();
	before = read_header().epoch;
	assert_int_equal(wicket_remove(line), 0);
	create_line();
	assert_true(read_header().epoch > before);
}

/* While somebody else is about to enter it, a line of an earlier boot is neither
   started afresh nor used as it is. */
static void not_before_all_have_entered(void **state)
{
	const size_t at = offsetof(struct header, boot);
	struct header was;
	int fd;

	(void)state;
	create_line();
	was = read_header();
	fd = lock_byte(GATE, F_RDLCK);
	assert_int_equal(pwrite(fd, "an earlier boot", 16, (off_t)at), 16);
	assert_int_equal(try_open(line, 0), -EBUSY);
	close(fd);
	assert_int_equal(try_open(line, 0), 0);
	assert_memory_equal(read_header().boot, was.boot, sizeof(was.boot));
	assert_true(read_header().epoch > was.epoch);
}

static bool is_seen_deleted(struct wicket *h)
{
	struct wicket_view view;

	return !wicket_inspect(h, &view, 0, 0) &&
	       view.removed == WICKET_DELETED;
}

static void deleted_by_hand(void **state)
{
	struct wicket *h = open_line(line, WICKET_CREATE);
	struct wicket_view view;

	(void)state;
	assert_int_equal(wicket_inspect(h, &view, 0, 0), 0);
	assert_int_equal(view.removed, 0);
	assert_int_equal(unlink(line), 0);
	assert_true(is_seen_deleted(h));
	wicket_close(h);
}

/* --- limits ------------------------------------------------------------------------- */

static int create_too_large(void)
{
	const struct rlimit small = { 4096, 4096 };

	return setrlimit(RLIMIT_FSIZE, &small) ? 99 :
						 -try_open(line, WICKET_CREATE);
}

static void a_file_that_is_too_large(void **state)
{
	(void)state;
	assert_int_equal(in_child(create_too_large), EFBIG);
	assert_int_equal(inode_of(line), 0);
}

/* With so many descriptors left: it can, or there are too few. */
static int open_with_few(void)
{
	uint32_t flags[] = { WICKET_CREATE, 0, WICKET_VIEW };
	int error = 0, full;

	for (int i = 0; i < 3 && (!error || error == -EMFILE); i++) {
		for (int left = 0; left < 6; left++) {
			const struct rlimit few = { (rlim_t)left + 3, 1024 };

			full = left;
			setrlimit(RLIMIT_NOFILE, &few);
			error = try_open(line, flags[i]);
			if (error && error != -EMFILE)
				return -error;
		}
	}
	return error ? full : 0;
}

static void too_few_descriptors(void **state)
{
	(void)state;
	assert_int_equal(in_child(open_with_few), 0);
}

static void ignore(void *arg, enum wicket_finding kind, const char *text)
{
	(void)arg, (void)kind, (void)text;
}

/* 0 is a descriptor like any other. */
static int delete_without_input(void)
{
	struct wicket *h;

	close(STDIN_FILENO);
	h = open_line(line, WICKET_CREATE); /* who creates it asks by 0 */
	return fcntl(STDIN_FILENO, F_GETFD) < 0 || unlink(line) ||
	       !is_seen_deleted(h) || wicket_close(h);
}

static int use_without_input(void)
{
	struct wicket *h;
	int kept;

	close(STDIN_FILENO);
	h = open_line(line, WICKET_CREATE);
	kept = wicket_acquire(h, 0) ? -1 : wicket_keep(h);
	return kept < 0 || close(kept) || wicket_release(h) ||
	       try_open(line, 0) || try_open(line, WICKET_VIEW) ||
	       wicket_close(h) || wicket_check(line, ignore, 0) ||
	       wicket_remove(line) || open("/dev/null", O_RDONLY) != 0;
}

static void without_standard_input(void **state)
{
	(void)state;
	assert_int_equal(in_child(use_without_input), 0);
	assert_int_equal(in_child(delete_without_input), 0);
}

/* --- users ---------------------------------------------------------------------------- */

static void expect_refusal(uid_t owner, gid_t group, mode_t mode, int expected)
{
	assert_int_equal(chown(line, owner, group), 0);
	assert_int_equal(chmod(line, mode), 0);
	assert_int_equal(try_open(line, 0), expected);
	assert_int_equal(try_open(line, WICKET_TRUST), 0);
	assert_int_equal(try_open(line, WICKET_VIEW), 0);
}

static void root_uses_no_line_that_others_may_write(void **state)
{
	(void)state;
	if (geteuid()) {
		print_message("# root only\n");
		return;
	}
	create_line();
	expect_refusal(0, 0, 0600, 0);
	expect_refusal(0, 0, 0660, -EPERM);
	expect_refusal(0, 0, 0644, 0);
	expect_refusal(0, 0, 0602, -EPERM);
	expect_refusal(0, 65534, 0660, -EPERM);
	expect_refusal(65534, 0, 0600, -EPERM);
	assert_int_equal(wicket_remove(line), 0);
}

/* --- file systems ----------------------------------------------------------------------- */

/* Without a server: of a mount that is another user's the kernel tells the type
   without asking one. */
static int ask_of_fuse(void)
{
	char options[128];
	int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC), place;

	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=65534,group_id=65534", fuse);
	if (fuse < 0 || unshare(CLONE_NEWNS) ||
	    mount("none", "/", 0, MS_REC | MS_PRIVATE, 0) ||
	    mount("fuse", dir, "fuse", 0, options))
		return NOT_HERE;
	place = open(dir, O_PATH | O_CLOEXEC);
	return place < 0 || !file_is_remote(place);
}

static void fuse_is_told(void **state)
{
	int found = in_child(ask_of_fuse);
	int here = open(dir, O_PATH | O_CLOEXEC);

	(void)state;
	assert_false(file_is_remote(here));
	close(here);
	if (found == NOT_HERE)
		print_message("# no FUSE to be had here\n");
	else
		assert_int_equal(found, 0);
}

/* --- children ------------------------------------------------------------------------------ */

static struct wicket *inherited;

static int descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int count = 0;

	while (d && readdir(d))
		count++;
	closedir(d);
	return count;
}

static int close_inherited(void)
{
	int before = descriptors();

	return wicket_close(inherited) || descriptors() != before - 1;
}

/* Its number may be another file's by then. */
static int close_something_else(void)
{
	int before = descriptors();

	for (int fd = 3; fd < 64; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			dup2(STDOUT_FILENO, fd);
	}
	return wicket_close(inherited) || descriptors() != before;
}

static void a_child_closes_what_it_inherited(void **state)
{
	(void)state;
	inherited = open_line(line, WICKET_CREATE);
	assert_int_equal(in_child(close_inherited), 0);
	assert_int_equal(in_child(close_something_else), 0);
	assert_int_equal(wicket_acquire(inherited, 0), 0);
	wicket_close(inherited);
}

/* -------------------------------------------------------------------------------------------- */

static int make_dir(void **state)
{
	(void)state;
	if (!scratch_make(dir, "wicket-file"))
		return -1;
	snprintf(line, sizeof(line), "%s/line", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(line);
	unlink(other);
	return rmdir(dir);
}

#define test(f) cmocka_unit_test_setup_teardown(f, make_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(only_the_own_name_is_unlinked),
		test(a_mark_that_was_taken_back_is_not_acted_upon),
		test(a_link_is_not_what_is_removed),
		test(what_cannot_be_unlinked_is_left_as_it_was),
		test(a_mark_is_taken_back),
		test(one_at_a_time_unlinks),
		test(who_is_alone_holds_up_nobody),
		test(a_lock_on_the_file_holds_up_nobody),
		test(what_is_not_a_file_is_not_opened),
		test(it_is_not_aged_out),
		test(its_use_is_its_youth),
		test(a_later_line_has_a_greater_epoch),
		test(not_before_all_have_entered),
		test(deleted_by_hand),
		test(a_file_that_is_too_large),
		test(too_few_descriptors),
		test(without_standard_input),
		test(root_uses_no_line_that_others_may_write),
		test(fuse_is_told),
		test(a_child_closes_what_it_inherited),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
