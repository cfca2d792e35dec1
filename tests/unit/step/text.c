/* SPDX-License-Identifier: MIT */
/* text - the short texts of pure code: numbers, and cutting off at the end. */
#include "../unit.h"

#include "step/text.h"

enum { LONGEST = 251 };

static void assert_number(int64_t x, const char *expected)
{
	struct wicket_text t = { 0 };

	wicket_put_number(&t, x);
	assert_string_equal(t.s, expected);
	assert_int_equal(t.length, strlen(expected));
}

static void numbers_are_decimal(void **state)
{
	(void)state;
	assert_number(0, "0");
	assert_number(7, "7");
	assert_number(10, "10");
	assert_number(9090, "9090");
	assert_number(INT64_MAX, "9223372036854775807");
}

static void negative_numbers_have_a_sign(void **state)
{
	(void)state;
	assert_number(-1, "-1");
	assert_number(-100, "-100");
	assert_number(INT64_MIN, "-9223372036854775808");
}

static void what_is_put_is_appended(void **state)
{
	struct wicket_text t = { 0 };

	(void)state;
	wicket_put(&t, "a=");
	wicket_put_number(&t, -12);
	wicket_put_char(&t, ';');
	wicket_put(&t, "");
	wicket_put(&t, "b");
	assert_string_equal(t.s, "a=-12;b");
	assert_int_equal(t.length, 7);
}

/* A text with something behind it that must stay as it is. */
struct guarded {
	struct wicket_text text;
	unsigned char guard[8];
};

static struct guarded filled(uint32_t length)
{
	struct guarded g;

	memset(&g, 0xa5, sizeof(g));
	g.text.length = 0;
	for (uint32_t i = 0; i < length; i++)
		wicket_put_char(&g.text, 'x');
	return g;
}

static void assert_guarded(const struct guarded *g)
{
	for (size_t i = 0; i < sizeof(g->guard); i++)
		assert_int_equal(g->guard[i], 0xa5);
}

static void characters_are_cut_off(void **state)
{
	struct guarded g = filled(1000);

	(void)state;
	assert_int_equal(g.text.length, LONGEST);
	assert_int_equal(strlen(g.text.s), LONGEST);
	assert_guarded(&g);
}

static void strings_are_cut_off(void **state)
{
	struct guarded g = filled(LONGEST - 2);

	(void)state;
	wicket_put(&g.text, "abcdef");
	assert_string_equal(g.text.s + LONGEST - 3, "xab");
	assert_int_equal(g.text.length, LONGEST);
	assert_guarded(&g);
}

static void numbers_are_cut_off(void **state)
{
	struct guarded g = filled(LONGEST - 2);

	(void)state;
	wicket_put_number(&g.text, -345);
	assert_string_equal(g.text.s + LONGEST - 3, "x-3");
	wicket_put_number(&g.text, INT64_MIN);
	assert_string_equal(g.text.s + LONGEST - 3, "x-3");
	assert_int_equal(g.text.length, LONGEST);
	assert_guarded(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_decimal),
		cmocka_unit_test(negative_numbers_have_a_sign),
		cmocka_unit_test(what_is_put_is_appended),
		cmocka_unit_test(characters_are_cut_off),
		cmocka_unit_test(strings_are_cut_off),
		cmocka_unit_test(numbers_are_cut_off),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
