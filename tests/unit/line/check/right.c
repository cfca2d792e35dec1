/* SPDX-License-Identifier: MIT */
/* right - lines in every condition are right; wicket_check tells what is worth
   knowing about them. */
#include "../check.h"

static void nothing_is_to_be_said_of_a_new_line(void **state)
{
	(void)state;
	assert_int_equal(check_untouched(line_file), 0);
	assert_string_equal(told.text, "");
}

static void nor_of_one_in_use(void **state)
{
	(void)state;
	let(HOLD);
	let(HOLD);
	let(SIT);
	let(WAIT);
	assert_right(line_file);
	assert_string_equal(told.text, "");
}

static void who_died_inside_is_named(void **state)
{
	char expected[128];
	pid_t pid;

	(void)state;
	let(HOLD);
	pid = let(HOLD);
	end(pid);
	assert_int_equal(check_untouched(line_file), 0);
	snprintf(
		expected, sizeof(expected),
		"note: pid %d died in slot 1: it comes back when it is needed\n",
		pid);
	assert_string_equal(told.text, expected);
}

static void so_is_who_left_the_line(void **state)
{
	pid_t pid;

	(void)state;
	let(HOLD);
	let(HOLD);
	let(GIVE_UP); /* and nothing of it is left */
	pid = let(WAIT);
	assert_right(line_file);
	assert_string_equal(told.text, "");
	end(pid);
	assert_right(line_file);
	assert_int_equal(told.notes, 1);
	assert_told("has left the line");
}

static void and_who_died_with_nothing(void **state)
{
	(void)state;
	end(let(SIT));
	assert_right(line_file);
	assert_told("without a ticket");
	/* nor any more */
	end(let(LEAVE));
	assert_right(line_file);
	assert_told("in seat 1, without a ticket");
}

static bool is_told(const char *words)
{
	assert_right(line_file);
	return strstr(told.text, words);
}

static void a_command_runs_on(void **state)
{
	pid_t pid = let(KEEP);

	(void)state;
	assert_right(line_file);
	assert_string_equal(told.text, "");
	end(pid);
	assert_right(line_file);
	assert_told("in slot 0: wicket died, its command runs on");
	close(life[1]);
	life[1] = -1;
	eventually(is_told("died in slot 0"));
}

static void all_seats_are_taken(void **state)
{
	(void)state;
	for (int i = 0; i < SEATS; i++) {
		assert_right(line_file);
		assert_string_equal(told.text, "");
		let(SIT);
	}
	assert_right(line_file);
	assert_told("all 6 seats are taken");
}

static void everybody_may_write_it(void **state)
{
	(void)state;
	assert_int_equal(chmod(line_file, 0666), 0);
	assert_right(line_file);
	assert_told("note: everybody may write it (mode 666)");
}

static void it_has_no_name_any_more(void **state)
{
	int fd = open(line_file, O_RDONLY | O_CLOEXEC);
	char self[64];

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(unlink(line_file), 0);
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	assert_right(self);
	assert_told("note: its file has no name any more");
	close(fd);
}

static void a_line_that_was_removed(void **state)
{
	struct wicket *line;
	int fd;

	(void)state;
	assert_int_equal(wicket_open(&line, line_file, 0), 0);
	wicket_close(line);
	fd = open(line_file, O_RDWR | O_CLOEXEC);
	assert_int_equal(pwrite(fd, &(uint64_t){ LINE_REMOVED }, 8, 256), 8);
	close(fd);
	assert_right(line_file);
	assert_told("note: the line was removed: the next to open it unlinks");
}

/* Its creator was killed before it sat down. */
static void a_line_where_nobody_ever_sat(void **state)
{
	struct wicket_options o = { .slots = 1, .flags = WICKET_CREATE };
	struct header *a;
	struct wicket *line;
	struct stat st;
	int fd;

	(void)state;
	assert_int_equal(wicket_open(&line, copy_file, &o), 0);
	wicket_close(line);
	fd = open(copy_file, O_RDWR | O_CLOEXEC);
	assert_int_equal(fstat(fd, &st), 0);
	a = mmap(0, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		 0);
	close(fd);
	assert_ptr_not_equal(a, MAP_FAILED);
	a->used = 0;
	((struct seat *)(void *)((char *)a + st.st_size) - a->seats)->word.low =
		0;
	assert_right(copy_file);
	/* nor will anybody have (0,0), which is that before the first */
	*(uint64_t *)(a + 1) = 0;
	assert_int_equal(check(copy_file), 1);
	assert_told("wrong: SLOT 0: nobody has its ticket (0,0)");
	munmap(a, (size_t)st.st_size);
	unlink(copy_file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LINE_TEST(nothing_is_to_be_said_of_a_new_line),
		LINE_TEST(nor_of_one_in_use),
		LINE_TEST(who_died_inside_is_named),
		LINE_TEST(so_is_who_left_the_line),
		LINE_TEST(and_who_died_with_nothing),
		LINE_TEST(a_command_runs_on),
		LINE_TEST(all_seats_are_taken),
		LINE_TEST(everybody_may_write_it),
		LINE_TEST(it_has_no_name_any_more),
		LINE_TEST(a_line_that_was_removed),
		LINE_TEST(a_line_where_nobody_ever_sat),
	};

	return cmocka_run_group_tests_name("check-right", tests, make_dir,
					   remove_dir);
}
