/* SPDX-License-Identifier: MIT */
/* numbers - slots, seats, permissions and sizes of a line. */
#include "../api.h"

#include <sys/resource.h>

static off_t size_of(const char *name)
{
	struct stat st;

	assert_int_equal(stat(in_dir(name), &st), 0);
	return st.st_size;
}

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
		{ .slots = 1, .flags = 32 },
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(impossible_numbers),
		test(numbers_that_are_not_said),
		test(k_is_the_lines),
		test(permissions_of_a_new_line),
		test(seats_are_used_up),
		test(the_seat_of_a_dead_one_is_used_again),
		test(sizes),
		test(many_slots),
		test(a_thread_may_have_1024_handles),
	};

	return cmocka_run_group_tests_name("api-numbers", tests,
					   tidy_up_at_exit, NULL);
}
