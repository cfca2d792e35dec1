/* SPDX-License-Identifier: MIT */
/* names - names and paths of lines, and where lines are by default. */
#include "../api.h"

#include <sched.h>
#include <sys/mount.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_name_is_a_file_in_wicket_dir),
		test(a_path_stands_for_itself),
		test(impossible_names),
		test(without_wicket_dir),
	};

	return cmocka_run_group_tests_name("api-names", tests, tidy_up_at_exit,
					   NULL);
}
