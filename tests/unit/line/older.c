/* SPDX-License-Identifier: MIT */
/*
 * older - lines of versions 1 to 3, written by hand: one that nobody uses is replaced by
 * a new one with the same k, seats and mode; one in use is refused and not touched.
 */
#include "../unit.h"

#include "line/area.h"
#include "tests/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where things were, for k = 3 and 5 seats: M = 4. */
enum {
	SLOTS = 3,
	SEATS = 5,
	SEAT_BYTES = 128,
	LIVE_AT = 64,
	BYTES_MOST = 384 + 128 + 128 + SEATS * SEAT_BYTES,
	SOMEBODY = 4711,
};

struct old {
	char magic[8];
	uint32_t version, libc;
	uint64_t bytes;
	uint32_t slots, seats, block, slots_max;
};

static const struct layout {
	size_t header, w_at, boot_at;
} layouts[] = {
	[1] = { 256, 128, 40 },
	[2] = { 384, 256, 48 },
	[3] = { 384, 256, 48 },
};

static uint32_t version;
static char dir[SCRATCH_DIR], file[PATH_MAX];
static _Alignas(16) char old[BYTES_MOST];

static struct old *header(void)
{
	return (struct old *)(void *)old;
}

static uint64_t *boot(void)
{
	return (uint64_t *)(void *)(old + layouts[version].boot_at);
}

static size_t seat_at(uint32_t i)
{
	return layouts[version].header + 128 + 128 + i * SEAT_BYTES;
}

static void put(size_t at, uint64_t word)
{
	memcpy(old + at, &word, sizeof(word));
}

static void seat(uint32_t i, uint64_t state, uint32_t live)
{
	put(seat_at(i), state);
	memcpy(old + seat_at(i) + LIVE_AT, &live, sizeof(live));
}

static void write_file(void)
{
	FILE *out = fopen(file, "w");

	assert_true(out && fwrite(old, seat_at(SEATS), 1, out) == 1);
	assert_int_equal(fchmod(fileno(out), 0640), 0);
	assert_int_equal(fclose(out), 0);
}

/* As it was left when all had gone. */
static int new_old(void **state)
{
	version = (uint32_t)((const struct layout *)*state - layouts);
	memset(old, 0, sizeof(old));
	*header() = (struct old){ .magic = "wicket",
				  .version = version,
				  .libc = 0x676c6962,
				  .bytes = seat_at(SEATS),
				  .slots = SLOTS,
				  .seats = SEATS,
				  .block = 4,
				  .slots_max = version > 1 ? SLOTS : 0 };
	put(layouts[version].w_at + 8, line_start(SLOTS, 0, 4));
	return area_boot(boot());
}

static void assert_replaced(void)
{
	struct wicket_view view;
	struct wicket *line;
	struct stat st;

	write_file();
	assert_int_equal(wicket_open(&line, file, 0), 0);
	assert_int_equal(wicket_inspect(line, &view, 0, 0), 0);
	assert_int_equal(view.slots, SLOTS);
	assert_int_equal(view.seats, SEATS);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	wicket_close(line);
}

static void assert_refused(void)
{
	char now[BYTES_MOST];
	struct wicket *line;
	FILE *in;

	assert_int_equal(wicket_open(&line, file, 0), -EPROTO);
	in = fopen(file, "r");
	assert_true(in && fread(now, seat_at(SEATS), 1, in) == 1);
	fclose(in);
	assert_memory_equal(now, old, seat_at(SEATS));
}

static void one_that_nobody_uses_is_replaced(void **state)
{
	(void)state;
	assert_replaced();
}

static void so_is_one_whose_users_died(void **state)
{
	(void)state;
	seat(0, line_state(3, LINE_HAVE), SOMEBODY | FUTEX_OWNER_DIED);
	seat(1, line_state(2, LINE_FREE), SOMEBODY);
	assert_replaced();
}

static void and_one_of_another_boot(void **state)
{
	(void)state;
	seat(0, line_state(3, LINE_HAVE), SOMEBODY);
	boot()[0] ^= 1;
	assert_replaced();
}

static void one_with_a_living_user_is_refused(void **state)
{
	(void)state;
	seat(4, line_state(3, LINE_IDLE), SOMEBODY);
	write_file();
	assert_refused();
}

static void and_one_with_a_command(void **state)
{
	struct flock lock = { .l_type = F_RDLCK, .l_start = 99, .l_len = 1 };
	int fd;

	(void)state;
	write_file();
	fd = open(file, O_RDONLY | O_CLOEXEC);
	assert_int_equal(fcntl(fd, F_OFD_SETLK, &lock), 0);
	assert_refused();
	close(fd);
	assert_replaced();
}

static void who_only_looks_replaces_nothing(void **state)
{
	struct wicket_options view = { .flags = WICKET_VIEW };
	struct wicket *line;

	(void)state;
	write_file();
	assert_int_equal(wicket_open(&line, file, &view), -EPROTO);
	seat(4, line_state(3, LINE_IDLE), SOMEBODY);
	write_file();
	assert_refused();
}

/* Who has it mapped, and is about to take a seat, learns that it is gone. */
static void the_old_one_is_marked_as_removed(void **state)
{
	uint64_t tag = 0;
	int fd;

	(void)state;
	write_file();
	fd = open(file, O_RDONLY | O_CLOEXEC);
	{
		struct wicket *line;

		assert_int_equal(wicket_open(&line, file, 0), 0);
		wicket_close(line);
	}
	assert_int_equal(
		pread(fd, &tag, sizeof(tag), (off_t)layouts[version].w_at),
		sizeof(tag));
	assert_true(tag == LINE_REMOVED);
	close(fd);
}

static void another_k_is_still_another_k(void **state)
{
	struct wicket_options options = { .slots = 2, .flags = WICKET_CREATE };
	struct wicket *line;

	(void)state;
	write_file();
	assert_int_equal(wicket_open(&line, file, &options), -EEXIST);
}

static int make_dir(void **state)
{
	(void)state;
	if (!scratch_make(dir, "wicket-older"))
		return -1;
	snprintf(file, sizeof(file), "%s/line", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(file);
	return rmdir(dir);
}

/* Of all versions. */
#define OLD_OF(test, version)                                                  \
	cmocka_unit_test_prestate_setup_teardown(test, new_old, NULL,          \
						 (void *)&layouts[version])
#define OLD(test) OLD_OF(test, 1), OLD_OF(test, 2), OLD_OF(test, 3)

int main(void)
{
	const struct CMUnitTest tests[] = {
		OLD(one_that_nobody_uses_is_replaced),
		OLD(so_is_one_whose_users_died),
		OLD(and_one_of_another_boot),
		OLD(one_with_a_living_user_is_refused),
		OLD(and_one_with_a_command),
		OLD(who_only_looks_replaces_nothing),
		OLD(the_old_one_is_marked_as_removed),
		OLD(another_k_is_still_another_k),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
