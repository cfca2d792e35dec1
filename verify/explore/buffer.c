/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/explore/buffer.h"

enum { ALL_WORDS = (1 << WICKET_WORDS) - 1 };

void buffer_put(struct buffer *b, const struct wicket_access *access,
		struct wicket_value value)
{
	uint32_t end = 0;

	while (b->store[end].part)
		end++;
	b->store[end] = (struct buffered){
		.reg = access->reg,
		.part = access->part ? access->part : ALL_WORDS,
		.value = wicket_part(access, value),
	};
}

struct buffered buffer_take(struct buffer *b)
{
	struct buffered oldest = b->store[0];

	memmove(&b->store[0], &b->store[1],
		(BUFFER_MAX - 1) * sizeof(*b->store));
	b->store[BUFFER_MAX - 1] = (struct buffered){ 0 };
	return oldest;
}

struct wicket_value buffered_on(const struct buffered *store,
				struct wicket_value v)
{
	const struct wicket_access access = { .part = (uint8_t)store->part };

	return wicket_merged(&access, v, store->value);
}

struct wicket_value buffer_see(const struct buffer *b, uint32_t reg,
			       struct wicket_value v)
{
	for (uint32_t i = 0; i < BUFFER_MAX && b->store[i].part; i++) {
		if (b->store[i].reg == reg)
			v = buffered_on(&b->store[i], v);
	}
	return v;
}
