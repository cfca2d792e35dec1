/* SPDX-License-Identifier: MIT */
/*
 * packed - states in as few bytes as the numbers of their parts need.
 *
 * A state is a few words of 64 bits, of which the last one is kept only as far as
 * it is used.  No part straddles two words.
 */
#ifndef VERIFY_PACKED_H
#define VERIFY_PACKED_H

#include <string.h>

#include "verify/explore/system.h"

enum { PACKED_WORDS_MAX = 16 };

/* Where a part of the state lies in the words. */
struct field {
	uint8_t word, shift, width;
};

struct packed {
	uint32_t parts;
	uint32_t words; /* of a state while one works with it ... */
	uint32_t bytes; /* ... and while it is kept */
	struct field field[SYSTEM_PARTS_MAX];
	struct store states;
};

/* Lays out fields for all numbers given out so far, and for some more as long as
   that takes no further byte; or, if it may be spacious, no further word.  False:
   they need too many words. */
bool packed_lay_out(struct packed *p, const struct system *s, bool spacious);

/* The same for states that are there, each of which is packed anew where it is.
   False: no room, or too many words, and all is as before. */
bool packed_anew(struct packed *p, struct budget *b, const struct system *s,
		 bool spacious, uint32_t states);

/* Is there still room in the fields for all numbers given out so far? */
bool packed_fits(const struct packed *p, const struct system *s);

/* Makes room for so many states; false: out of memory. */
bool packed_room(struct packed *p, struct budget *b, uint32_t states);

static inline void *packed_state(const struct packed *p, uint32_t state)
{
	return (char *)p->states.base + (size_t)state * p->bytes;
}

static inline void packed_put(struct packed *p, uint32_t state,
			      const uint64_t *words)
{
	memcpy(packed_state(p, state), words, p->bytes);
}

/* Bits of the last word that are kept. */
static inline uint64_t packed_last(const struct packed *p)
{
	return UINT64_MAX >> (64 * p->words - 8 * p->bytes);
}

/* The room has a word to spare at its end, so that whole words can be read. */
static inline void packed_get(const struct packed *p, uint32_t state,
			      uint64_t *words)
{
	const char *from = packed_state(p, state);

	for (uint32_t i = 0; i < p->words; i++)
		memcpy(&words[i], from + 8 * i, sizeof(*words));
	words[p->words - 1] &= packed_last(p);
}

static inline bool packed_is(const struct packed *p, uint32_t state,
			     const uint64_t *words)
{
	const char *from = packed_state(p, state);
	uint64_t differ = 0, word = 0;

	for (uint32_t i = 0; i < p->words; i++) {
		differ |= word;
		memcpy(&word, from + 8 * i, sizeof(word));
		word ^= words[i];
	}
	return !(differ | (word & packed_last(p)));
}

static inline void packed_spread(const struct packed *p, const uint64_t *words,
				 uint32_t *parts)
{
	for (uint32_t i = 0; i < p->parts; i++) {
		struct field f = p->field[i];

		parts[i] = (uint32_t)(words[f.word] >> f.shift &
				      (((uint64_t)1 << f.width) - 1));
	}
}

static inline void packed_join(const struct packed *p, const uint32_t *parts,
			       uint64_t *words)
{
	memset(words, 0, p->words * sizeof(*words));
	for (uint32_t i = 0; i < p->parts; i++)
		words[p->field[i].word] |= (uint64_t)parts[i]
					   << p->field[i].shift;
}

/*
 * The hash of a state does not depend on how it is packed.  It is the exclusive or
 * of what its parts contribute, so that of a successor, most of whose parts are the
 * same, follows from that of the state.
 */
static inline uint64_t packed_share(uint32_t part, uint32_t number)
{
	uint64_t h = ((uint64_t)(part + 1) << 32 | number) * 0x9e3779b97f4a7c15;

	h = (h ^ h >> 32) * 0xd6e8feb86659fd93;
	return h ^ h >> 32;
}

static inline uint64_t packed_hash(const struct packed *p,
				   const uint32_t *parts)
{
	uint64_t hash = 0;

	for (uint32_t i = 0; i < p->parts; i++)
		hash ^= packed_share(i, parts[i]);
	return hash;
}

/* Makes of a state's words and hash those of another, most of whose parts are the
   same. */
static inline void packed_change(const struct packed *p, uint64_t *words,
				 uint64_t *hash, const uint32_t *from,
				 const uint32_t *parts)
{
	for (uint32_t i = 0; i < p->parts; i++) {
		if (parts[i] == from[i])
			continue;
		words[p->field[i].word] ^= (uint64_t)(parts[i] ^ from[i])
					   << p->field[i].shift;
		*hash ^= packed_share(i, from[i]) ^ packed_share(i, parts[i]);
	}
}

#endif
