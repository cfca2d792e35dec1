/* SPDX-License-Identifier: MIT */
/* fresh - a line starts afresh: one of another boot, and one that many open at
   once. */
#include "../api.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_line_of_another_boot_starts_afresh),
		test(k_outlives_a_boot),
		test(a_crowd_creates_one_line),
		test(a_crowd_after_a_boot),
	};

	return cmocka_run_group_tests_name("api-fresh", tests, tidy_up_at_exit,
					   NULL);
}
