/* SPDX-License-Identifier: MIT */
/* unit - what every unit test includes: cmocka and what it needs before it. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "step/step.h"

/* In a loop over many systems: a failure says which one it was. */
#define assert_of(name, condition)                                             \
	do {                                                                   \
		if (!(condition))                                              \
			fail_msg("%s: %s", (name), #condition);                \
	} while (0)

static inline struct wicket_value words(uint64_t a, uint64_t b, uint64_t c,
					uint64_t d)
{
	return (struct wicket_value){ { a, b, c, d } };
}

/* What an algorithm says of these registers is this very text. */
#define assert_shows(algo, cfg, regs, expected)                                \
	do {                                                                   \
		struct wicket_text text_ = { 0 };                              \
		(algo)->show((cfg), (regs), &text_);                           \
		assert_string_equal(text_.s, expected);                        \
	} while (0)

#define assert_shows_step(algo, cfg, proc, expected)                           \
	do {                                                                   \
		struct wicket_text text_ = { 0 };                              \
		(algo)->show_step((cfg), (proc), &text_);                      \
		assert_string_equal(text_.s, expected);                        \
	} while (0)

#define assert_value(value, a, b, c, d)                                        \
	do {                                                                   \
		struct wicket_value value_ = (value);                          \
		struct wicket_value expected_ = words((a), (b), (c), (d));     \
		assert_memory_equal(&value_, &expected_, sizeof(value_));      \
	} while (0)

#endif
