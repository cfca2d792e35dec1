/* SPDX-License-Identifier: MIT */
/* foreign - files that are not lines are left alone, and places where none
   can be. */
#include "../api.h"

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
		bytes[i] ^= 4;
		assert_foreign(bytes, size);
		bytes[i] ^= 4;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(what_is_not_a_line_is_left_alone),
		test(other_layouts_are_left_alone),
		test(symbolic_links),
		test(places_for_no_line),
	};

	return cmocka_run_group_tests_name("api-foreign", tests,
					   tidy_up_at_exit, NULL);
}
