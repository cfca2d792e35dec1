/* SPDX-License-Identifier: MIT */
/* The bare word on real memory: one compare-and-swap per operation. */
#include "algo/word.h"

#include "line/sleep.h"
#include "wicket.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

_Static_assert(sizeof(struct word_shape) == sizeof(struct wicket_shape),
	       "one is the other");

#define NOINLINE __attribute__((noinline))

enum { SPINS = 200, LOOK = 50000000 /* nanoseconds */ };

/* What the header promises is what the algorithm calls it. */
static const struct word_shape *shape_of(const struct wicket_shape *shape)
{
	return (const struct word_shape *)(const void *)shape;
}

static _Atomic uint64_t *bits_of(const wicket_word *word)
{
	return (_Atomic uint64_t *)(uintptr_t)&word->bits;
}

int wicket_word_shape(struct wicket_shape *shape, uint32_t k, uint32_t n)
{
	struct word_shape s;

	if (k == 0 || k >= n)
		return -EINVAL;
	if (word_shape(&s, k, n) <= 64) {
		memcpy(shape, &s, sizeof(s));
		return 0;
	}
	memset(shape, 0, sizeof(*shape));
	/* M = 1 + n - k grows with n: the largest that fits, by bits */
	for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1) {
		uint32_t more = shape->n + (uint32_t)bit;

		if (more > k ? word_shape(&s, k, more) <= 64 :
			       word_shape(&s, k, k + 1) <= 64)
			shape->n = more;
	}
	shape->k = k;
	return -ERANGE;
}

void wicket_word_init(wicket_word *word, const struct wicket_shape *shape)
{
	atomic_store_explicit(bits_of(word), word_start(shape_of(shape)),
			      memory_order_release);
}

/* Acquires what a discard released: the caller's data, the word orders
   itself. */
static inline uint64_t take(_Atomic uint64_t *bits, const struct word_shape *s)
{
	uint64_t w = atomic_load_explicit(bits, memory_order_relaxed), next;

	do
		next = word_take(s, w);
	while (!atomic_compare_exchange_weak_explicit(
		bits, &w, next, memory_order_acquire, memory_order_relaxed));
	return next;
}

uint64_t wicket_word_take(wicket_word *word, const struct wicket_shape *shape)
{
	return word_issue(shape_of(shape),
			  take(bits_of(word), shape_of(shape)));
}

int wicket_word_is_valid(const wicket_word *word,
			 const struct wicket_shape *shape, uint64_t ticket)
{
	return word_is_valid(
		shape_of(shape),
		atomic_load_explicit(bits_of(word), memory_order_acquire),
		ticket);
}

/* Sleepers wait for the bit of their ticket: one is woken, seldom two. */
static uint32_t bit_of(uint64_t ticket)
{
	return (uint32_t)1 << ticket % 32;
}

void wicket_word_discard(wicket_word *word, const struct wicket_shape *shape,
			 uint64_t ticket)
{
	const struct word_shape *s = shape_of(shape);
	_Atomic uint64_t *bits = bits_of(word);
	uint64_t w = atomic_load_explicit(bits, memory_order_relaxed), next;

	do
		next = word_discard(s, w, ticket);
	while (!atomic_compare_exchange_weak_explicit(
		bits, &w, next, memory_order_release, memory_order_relaxed));
	if (__builtin_expect(word_has_heir(s, next), 0))
		sleep_wake_on(bits, INT32_MAX, bit_of(word_valid(s, next)));
}

static NOINLINE void wait_until_valid(_Atomic uint64_t *bits,
				      const struct word_shape *s,
				      uint64_t ticket)
{
	for (int spins = 0;; spins++) {
		uint64_t w = atomic_load_explicit(bits, memory_order_acquire);

		if (word_is_valid(s, w, ticket))
			return;
		if (spins < SPINS)
			relax();
		else
			/* a while only: VALID may have gone all the way round
			   since it was seen */
			sleep_on(bits, (uint32_t)w, bit_of(ticket),
				 sleep_now() + LOOK);
	}
}

uint64_t wicket_word_acquire(wicket_word *word,
			     const struct wicket_shape *shape)
{
	const struct word_shape *s = shape_of(shape);
	uint64_t w = take(bits_of(word), s), ticket = word_issue(s, w);

	if (!word_leads(s, word_valid(s, w), ticket))
		wait_until_valid(bits_of(word), s, ticket);
	return ticket;
}
