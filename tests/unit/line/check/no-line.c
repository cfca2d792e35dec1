/* SPDX-License-Identifier: MIT */
/* no-line - wicket_check says that a file is not a line, or why it cannot be
   read. */
#include "../check.h"

static void assert_no_line(const char *file, const char *words)
{
	assert_int_equal(check(file), -EPROTO);
	assert_told(words);
}

static void what_is_no_line_is_said_to_be_none(void **state)
{
	(void)state;
	assert_no_line(dir, "wrong: it is a directory");
	assert_no_line("/dev/zero", "wrong: it is a device");
	assert_no_line("/dev/null", "wrong: it is a device");
	assert_int_equal(mkfifo(copy_file, 0600), 0);
	assert_no_line(copy_file, "wrong: it is a fifo");
	assert_int_equal(unlink(copy_file), 0);
	write_file(copy_file, "", 0);
	assert_no_line(copy_file, "wrong: header: it does not begin as a line");
	write_file(copy_file, "Wicket, a croquet hoop\n", 23);
	assert_no_line(copy_file, "wrong: header: it does not begin as a line");
}

static void what_cannot_be_looked_at(void **state)
{
	(void)state;
	assert_int_equal(check(copy_file), -ENOENT);
	assert_int_equal(check(""), -EINVAL);
	assert_int_equal(check("/dev/null/line"), -ENOTDIR);
	assert_int_equal(symlink(copy_file, copy_file), 0);
	assert_int_equal(check(copy_file), -ELOOP);
	assert_string_equal(told.text, "");
}

static void what_may_not_be_read(void **state)
{
	pid_t pid;
	int status;

	(void)state;
	assert_int_equal(chmod(dir, 0755), 0);
	pid = fork();
	if (pid == 0) {
		bool other = geteuid() == 0 ? !setuid(65534) :
					      !chmod(line_file, 0);

		_exit(other ? -check(line_file) : 1);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(chmod(dir, 0700), 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EACCES);
}

enum { OUT_OF_REACH = 77 };

/* $TMPDIR may be where others cannot go. */
static int check_as_nobody(void)
{
	if (setuid(65534))
		return 1;
	return access(dir, X_OK) ? OUT_OF_REACH : -check(line_file);
}

/* Another's file: its time of access cannot be spared, and it is read. */
static void what_is_another_s_may_be_read(void **state)
{
	pid_t pid;
	int status;

	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(chmod(dir, 0755), 0);
	assert_int_equal(chmod(line_file, 0644), 0);
	pid = fork();
	if (pid == 0)
		_exit(check_as_nobody());
	waitpid(pid, &status, 0);
	assert_int_equal(chmod(dir, 0700), 0);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == OUT_OF_REACH)
		print_message("# %s is out of reach of others\n", dir);
	else
		assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LINE_TEST(what_is_no_line_is_said_to_be_none),
		LINE_TEST(what_cannot_be_looked_at),
		LINE_TEST(what_may_not_be_read),
		LINE_TEST(what_is_another_s_may_be_read),
	};

	return cmocka_run_group_tests_name("check-no-line", tests, make_dir,
					   remove_dir);
}
