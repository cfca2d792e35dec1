/* SPDX-License-Identifier: MIT */
/* garbage - wicket_check survives any flipped bit, any garbage and any length of a
   file, and notices nearly every bit that has a meaning. */
#include "../check.h"

static bool is_noticed(size_t bit)
{
	bool noticed;

	((unsigned char *)copy.area)[bit / 8] ^= (unsigned char)(1 << bit % 8);
	noticed = check_untouched(copy_file) != 0;
	((unsigned char *)copy.area)[bit / 8] ^= (unsigned char)(1 << bit % 8);
	return noticed;
}

/* How many of the bits from this byte on, in every so many bytes, are noticed;
   says so. */
static void assert_noticed(const char *what, const void *start, size_t bits,
			   size_t stride, uint32_t count, size_t least)
{
	size_t at = (size_t)((const char *)start - (char *)copy.area) * 8;
	size_t noticed = 0;

	for (uint32_t i = 0; i < count; i++) {
		for (size_t bit = 0; bit < bits; bit++)
			noticed += is_noticed(at + i * stride * 8 + bit);
	}
	print_message("# %s: %zu of %zu bits are noticed\n", what, noticed,
		      bits * count);
	assert_in_range(noticed, least, bits * count);
}

static void a_single_bit_is_noticed(void **state)
{
	const size_t seat = sizeof(struct seat);

	(void)state;
	/* all that is constant but the boot id, and that slots may be fewer than there
	   can be; the two pointers, and how many are closed, though fewer or more may
	   be to be closed */
	assert_noticed("header", copy.area, 40 * 8, 0, 1, 40 * 8 - 1);
	assert_noticed("W, S", &copy.w->high, 64, 0, 1, 64 - 3);
	assert_noticed("W, the tag", &copy.w->low, 64, 0, 1, 64);
	/* the ticket; died and stamp may be anything */
	assert_noticed("SLOT", copy.slot, LINE_TICKET_BITS, 8, SLOTS,
		       LINE_TICKET_BITS * SLOTS);
	/* a payload that is in use; but a holder may well have a command, or not
	   know its slot yet, and be any of the few who ever lived */
	assert_noticed("SEAT, payload", &copy.seats[0].word.high, 64, seat, 4,
		       64 * 4 - 4 - 3 * 4);
	/* of a seq only W knows, if it was the last; anybody may be marked as
	   dead, and who only sits may as well have left, or just released */
	assert_noticed("SEAT, state", &copy.seats[0].word.low, 64, seat, 5,
		       122);
}

static void no_bit_makes_it_fall_over(void **state)
{
	size_t noticed = 0;

	(void)state;
	for (size_t bit = 0; bit < 8 * bytes; bit++)
		noticed += is_noticed(bit);
	print_message("# the whole file: %zu of %zu bits are noticed\n",
		      noticed, 8 * bytes);
	mend();
}

static void nor_does_any_garbage(void **state)
{
	const size_t constant = offsetof(struct header, used);
	uint64_t dice = 88172645463325252;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		unsigned char *data = (unsigned char *)copy.area;

		/* from somewhere on, so that every part is met */
		for (size_t i = constant + (size_t)round % (bytes - constant);
		     i < bytes; i++) {
			dice ^= dice << 13;
			dice ^= dice >> 7;
			dice ^= dice << 17;
			data[i] = (unsigned char)(dice >> 32);
		}
		assert_true(check_untouched(copy_file) >= 0);
	}
	mend();
}

static void nor_any_length(void **state)
{
	(void)state;
	for (size_t length = 0; length <= bytes + 1; length++) {
		int result;

		assert_int_equal(truncate(copy_file, (off_t)length), 0);
		result = check_untouched(copy_file);
		if (length < strlen("wicket"))
			assert_int_equal(result, -EPROTO);
		else
			assert_int_equal(result, length != bytes);
		/* what was cut off is zeros now */
		assert_int_equal(truncate(copy_file, (off_t)bytes), 0);
		memcpy(copy.area, sound, bytes);
	}
	assert_right(copy_file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		COPY_TEST(a_single_bit_is_noticed),
		COPY_TEST(no_bit_makes_it_fall_over),
		COPY_TEST(nor_does_any_garbage),
		COPY_TEST(nor_any_length),
	};

	return cmocka_run_group_tests_name("check-garbage", tests, make_dir,
					   remove_dir);
}
