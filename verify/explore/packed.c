/* SPDX-License-Identifier: MIT */
#include "verify/explore/packed.h"

/* Bits for numbers below count. */
static uint32_t width_for(uint32_t count)
{
	uint32_t width = 1;

	while (width < 32 && ((uint64_t)count - 1) >> width)
		width++;
	return width;
}

static void lay_out_with(struct packed *p, const struct system *s,
			 uint32_t spare)
{
	uint32_t word = 0, shift = 0;

	for (uint32_t i = 0; i < s->parts; i++) {
		uint32_t count = s->pool[s->pool_of[i]].count;
		uint32_t width = width_for(count) + spare;

		if (width > 32)
			width = 32;
		if (shift + width > 64) {
			word++;
			shift = 0;
		}
		p->field[i] = (struct field){ (uint8_t)word, (uint8_t)shift,
					      (uint8_t)width };
		shift += width;
	}
	p->parts = s->parts;
	p->words = word + 1;
	p->bytes = 8 * word + (shift + 7) / 8;
}

bool packed_lay_out(struct packed *p, const struct system *s, bool spacious)
{
	uint32_t spare = 8, words, bytes;

	lay_out_with(p, s, 0);
	words = p->words;
	bytes = p->bytes;
	do
		lay_out_with(p, s, spare);
	while ((spacious ? p->words > words : p->bytes > bytes) && spare--);
	return p->words <= PACKED_WORDS_MAX;
}

bool packed_fits(const struct packed *p, const struct system *s)
{
	for (uint32_t i = 0; i < s->parts; i++) {
		uint32_t count = s->pool[s->pool_of[i]].count;

		if (width_for(count) > p->field[i].width)
			return false;
	}
	return true;
}

bool packed_room(struct packed *p, struct budget *b, uint32_t states)
{
	return store_room(&p->states, b,
			  (size_t)states * p->bytes + sizeof(uint64_t));
}

/* From where it is in old to where it is in p. */
static void move(struct packed *p, const struct packed *old, uint32_t state)
{
	uint64_t words[PACKED_WORDS_MAX];
	uint32_t parts[SYSTEM_PARTS_MAX];

	packed_get(old, state, words);
	packed_spread(old, words, parts);
	packed_join(p, parts, words);
	packed_put(p, state, words);
}

/* Those that become shorter move from the first to the last, those that become
   longer from the last to the first: none is written over that has not moved. */
bool packed_anew(struct packed *p, struct budget *b, const struct system *s,
		 bool spacious, uint32_t states)
{
	struct packed old = *p;

	if (!packed_lay_out(p, s, spacious)) {
		b->end = BUDGET_MEMORY;
		*p = old;
		return false;
	}
	if (!packed_room(p, b, states)) {
		*p = old;
		return false;
	}
	old.states = p->states;
	for (uint32_t i = 0; i < states; i++)
		move(p, &old, p->bytes > old.bytes ? states - 1 - i : i);
	return true;
}
