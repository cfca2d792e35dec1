/* SPDX-License-Identifier: MIT */
/* address - what is a store and a name, and what is neither. */
#include "../unit.h"

#include <errno.h>

#include "cluster/address.h"

static void assert_store(const char *url, const char *endpoints,
			 const char *prefix)
{
	struct address a;
	const char *why = NULL;

	assert_int_equal(address_read(url, &a, &why), 0);
	assert_null(why);
	assert_string_equal(a.endpoints, endpoints);
	assert_string_equal(a.prefix, prefix);
}

static void stores_are_read(void **state)
{
	(void)state;
	assert_store("etcd://", "", "wicket/");
	assert_store("etcd:///", "", "wicket/");
	assert_store("etcd://a:1", "a:1", "wicket/");
	assert_store("etcd://a:1/", "a:1", "wicket/");
	assert_store("etcd://a:1,b.c:65535,[::1]:2", "a:1,b.c:65535,[::1]:2",
		     "wicket/");
	assert_store("etcds://a:1,b:2", "https://a:1,https://b:2", "wicket/");
	assert_store("etcd://a:1/team", "a:1", "team/");
	assert_store("etcd:///team/gpu/", "", "team/gpu/");
}

static void what_is_no_store_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"etcd",
		"etcd:",
		"etcd:/a:1",
		"http://a:1",
		"a:1",
		"etcd://a",
		"etcd://a:",
		"etcd://:1",
		"etcd://a:1,",
		"etcd://,a:1",
		"etcd://a:1,,b:1",
		"etcd://a:x",
		"etcd://a:1x",
		"etcd://a:123456",
		"etcd://a:65536",
		"etcd://a:0",
		"etcd://a b:1",
		"etcd://::1:2",
		"etcd://a:1/x//y",
		"etcd://a:1/x y",
		"etcd://a:1//x",
		"ETCD://a:1",
	};
	struct address a;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const char *why = NULL;

		assert_int_equal(address_read(bad[i], &a, &why), -EINVAL);
		assert_non_null(why);
	}
	assert_int_equal(address_read(NULL, &a, &(const char *){ NULL }),
			 -EINVAL);
}

static void assert_name(const char *name, int expected)
{
	const char *why = NULL;
	struct address a;
	char keys[64];

	assert_int_equal(address_read("etcd://", &a, &why), 0);
	assert_int_equal(address_of_line(&a, name, keys, sizeof(keys), &why),
			 expected);
	assert_true(!expected == !why);
	if (!expected)
		assert_string_equal(keys, "wicket/gpu/");
}

static void names_have_no_slash_and_no_space(void **state)
{
	(void)state;
	assert_name("gpu", 0);
	assert_name("", -EINVAL);
	assert_name("a/b", -EINVAL);
	/* these are kinds of keys */
	assert_name("w", -EINVAL);
	assert_name("live", -EINVAL);
	assert_name("a b", -EINVAL);
	assert_name("a\n", -EINVAL);
	assert_name("a\x7f", -EINVAL);
	/* too long for the keys, and too long at all */
	assert_name(
		"0123456789012345678901234567890123456789012345678901234567",
		-EINVAL);
	assert_name("01234567890123456789012345678901234567890123456789"
		    "01234567890123456789012345678901234567890123456789"
		    "01234567890123456789012345678",
		    -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stores_are_read),
		cmocka_unit_test(what_is_no_store_is_refused),
		cmocka_unit_test(names_have_no_slash_and_no_space),
	};

	return cmocka_run_group_tests_name("address", tests, NULL, NULL);
}
