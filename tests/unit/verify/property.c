/* SPDX-License-Identifier: MIT */
/* property - the table of the rows. */
#include <stdbool.h>
#include <string.h>

#include "../unit.h"
#include "verify/property/property.h"

/* The bit and the row come from one list, but the row says its bit itself. */
static void the_bit_of_a_row_is_its_position(void **state)
{
	(void)state;
	for (uint32_t i = 0; properties[i]; i++)
		assert_of(properties[i]->name, properties[i]->claim == 1u << i);
}

static void a_row_is_found_by_its_name(void **state)
{
	(void)state;
	for (uint32_t i = 0; properties[i]; i++)
		assert_of(properties[i]->name,
			  property_find(properties[i]->name) == properties[i]);
	assert_null(property_find(""));
	assert_null(property_find("bypass-from-doorway"));
}

/* Either of states, or decided and judged; and said in a line. */
static void no_row_lacks_anything(void **state)
{
	(void)state;
	for (uint32_t i = 0; properties[i]; i++) {
		const struct property *p = properties[i];

		assert_of(p->name, p->says && strlen(p->says) < 64);
		assert_of(p->name, !p->suspect == !p->broken);
		assert_of(p->name, !p->decide == !p->judge);
		assert_of(p->name, !p->broken != !p->decide);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_bit_of_a_row_is_its_position),
		cmocka_unit_test(a_row_is_found_by_its_name),
		cmocka_unit_test(no_row_lacks_anything),
	};

	return cmocka_run_group_tests_name("property", tests, NULL, NULL);
}
