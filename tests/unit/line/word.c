/* SPDX-License-Identifier: MIT */
/*
 * word - the Colored Ticket Algorithm in 64 bits (algo/word.h) in step with the
 * model (algo/colored.c), its shapes against numbers computed by hand, and the
 * bare word of libwicket among threads.
 */
#include "patience.h"

#include <errno.h>
#include <stdatomic.h>

#include "algo/colored.c"
#include "algo/word.h"
#include "wicket.h"

/* --- shapes --------------------------------------------------------------- */

static void assert_shape(uint32_t k, uint32_t n, struct wicket_shape expected)
{
	struct wicket_shape shape;

	assert_int_equal(wicket_word_shape(&shape, k, n), 0);
	assert_memory_equal(&shape, &expected, sizeof(shape));
}

static void fields_are_as_wide_as_they_need_be(void **state)
{
	(void)state;
	/* M = 2: one bit each, and two counts of one bit */
	assert_shape(1, 2,
		     (struct wicket_shape){ .value_mask = 1,
					    .valid_mask = 3,
					    .k = 1,
					    .n = 2,
					    .m = 2,
					    .value_bits = 1,
					    .colour_bits = 1,
					    .quant = 2,
					    .issue = 4 });
	/* M = 3, colours 0..2, counts 0..2: two bits each */
	assert_shape(2, 4,
		     (struct wicket_shape){ .value_mask = 3,
					    .valid_mask = 15,
					    .k = 2,
					    .n = 4,
					    .m = 3,
					    .value_bits = 2,
					    .colour_bits = 2,
					    .quant = 4,
					    .issue = 10 });
	/* M = 5, colours 0..3, counts 0..3 */
	assert_shape(3, 7,
		     (struct wicket_shape){ .value_mask = 7,
					    .valid_mask = 31,
					    .k = 3,
					    .n = 7,
					    .m = 5,
					    .value_bits = 3,
					    .colour_bits = 2,
					    .quant = 5,
					    .issue = 13 });
}

/* 2 (v + c) + (k + 1) c <= 64 with c bits for 0..k and v for 0..M-1, where
   M = 1 + n - k. */
static const uint32_t largest[] = {
	[1] = 1u << 30,
	[2] = (1u << 27) + 1,
	[3] = (1u << 26) + 2,
	[4] = (1u << 21) + 3,
	[5] = (1u << 20) + 4,
	[6] = (1u << 18) + 5,
	[7] = (1u << 17) + 6,
	[8] = 1031,
	[9] = 264,
	[10] = 73,
	[11] = 26,
};

static void assert_too_large(uint32_t k, uint32_t n, uint32_t limit)
{
	struct wicket_shape shape;

	assert_int_equal(wicket_word_shape(&shape, k, n), -ERANGE);
	assert_int_equal(shape.k, k);
	assert_int_equal(shape.n, limit);
}

static void the_limit_fits_and_the_next_does_not(void **state)
{
	struct wicket_shape shape;

	(void)state;
	for (uint32_t k = 1; k <= 11; k++) {
		assert_int_equal(wicket_word_shape(&shape, k, k + 1), 0);
		assert_int_equal(wicket_word_shape(&shape, k, largest[k]), 0);
		assert_true(shape.issue + shape.quant <= 64);
		assert_true(shape.quant <= 32); /* VALID */
		assert_too_large(k, largest[k] + 1, largest[k]);
		assert_too_large(k, UINT32_MAX, largest[k]);
	}
}

static void twelve_slots_do_not_fit(void **state)
{
	(void)state;
	assert_too_large(12, 13, 0);
	assert_too_large(12, 1000, 0);
	assert_too_large(4096, 4097, 0);
	assert_too_large(UINT32_MAX - 1, UINT32_MAX, 0);
	/* where (k + 1) c is little more than 2^32 */
	assert_too_large(153391689, 153391690, 0);
}

static void k_is_between_0_and_n(void **state)
{
	struct wicket_shape shape = { .k = 99 };

	(void)state;
	assert_int_equal(wicket_word_shape(&shape, 0, 2), -EINVAL);
	assert_int_equal(wicket_word_shape(&shape, 2, 2), -EINVAL);
	assert_int_equal(wicket_word_shape(&shape, 3, 2), -EINVAL);
	assert_int_equal(wicket_word_shape(&shape, 1, 0), -EINVAL);
	assert_int_equal(shape.k, 99);
}

static void at_the_start_k_tickets_are_valid(void **state)
{
	struct wicket_shape shape;
	wicket_word word = { UINT64_MAX };

	(void)state;
	/* VALID = (2,0), QUANT[0] = 2 */
	assert_int_equal(wicket_word_shape(&shape, 2, 4), 0);
	wicket_word_init(&word, &shape);
	assert_int_equal(word.bits, 2 + (2 << 4));
	/* VALID = (1,0), QUANT[0] = 1 */
	assert_int_equal(wicket_word_shape(&shape, 1, 2), 0);
	wicket_word_init(&word, &shape);
	assert_int_equal(word.bits, 1 + (1 << 2));
	/* VALID = (11,0), QUANT[0] = 11 */
	assert_int_equal(wicket_word_shape(&shape, 11, 26), 0);
	wicket_word_init(&word, &shape);
	assert_int_equal(word.bits, 11 + (11 << 8));
}

/* M = 3, two bits a value: tickets are 4 colour + value. */
static void which_pointer_leads(void **state)
{
	struct word_shape s = { 0 };

	(void)state;
	assert_in_range(word_shape(&s, 2, 4), 1, 64);
	assert_true(word_leads(&s, 4 + 1, 4 + 1));
	assert_true(word_leads(&s, 4 + 2, 4 + 0));
	assert_false(word_leads(&s, 4 + 0, 4 + 2));
	assert_true(word_leads(&s, 8 + 0, 4 + 2));
	assert_true(word_leads(&s, 0 + 0, 4 + 2));
	assert_false(word_leads(&s, 4 + 2, 8 + 0));
	assert_false(word_leads(&s, 8 + 2, 4 + 0));
	assert_false(word_leads(&s, 8 + 1, 4 + 1));
}

/* --- in step with the model ----------------------------------------------- */

enum { PROCS = 26, ROUNDS = 4000 };

static uint32_t seed;

static uint32_t draw(uint32_t limit)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % limit;
}

/* A ticket as it is in the word, put together by other means. */
static uint64_t bits_of(const struct word_shape *s, struct ticket t)
{
	return ((uint64_t)t.colour << s->value_bits) + t.value;
}

static void assert_alike(const struct wicket_cfg *c, struct wicket_value v,
			 const struct word_shape *s, uint64_t w)
{
	struct office o = office_unpack(v);

	assert_int_equal(word_issue(s, w), bits_of(s, o.issue));
	assert_int_equal(word_valid(s, w), bits_of(s, o.valid));
	for (uint32_t i = 0; i <= c->k; i++)
		assert_int_equal(word_quant(s, w, i), o.quant[i]);
}

/* Every ticket that is out: whose process is in T or C. */
static void assert_tickets_alike(const struct wicket_cfg *c,
				 struct wicket_value v,
				 const struct word_shape *s, uint64_t w,
				 const struct wicket_proc *p, const uint64_t *t)
{
	uint32_t out = 0;

	for (uint32_t j = 0; j < c->n; j++) {
		struct ticket ticket = { (uint32_t)(t[j] & s->value_mask),
					 (uint32_t)(t[j] >> s->value_bits) };

		if (p[j].pc == TAKE)
			continue;
		out++;
		assert_int_equal(!!word_is_valid(s, w, t[j]),
				 !!is_valid(c, office_unpack(v), ticket));
		assert_true(p[j].pc == TEST || word_is_valid(s, w, t[j]));
	}
	assert_int_equal(!!word_has_heir(s, w), out >= c->k);
	assert_int_equal(!!word_leads(s, word_valid(s, w), word_issue(s, w)),
			 out <= c->k);
}

/* One step of the model's process, and the same on the word. */
static uint64_t step_both(const struct wicket_cfg *c, struct wicket_proc *p,
			  struct wicket_value *v, const struct word_shape *s,
			  uint64_t w, uint64_t *t)
{
	struct wicket_result r = step(c, *p, *v);

	if (p->pc == TAKE) {
		w = word_take(s, w);
		*t = word_issue(s, w);
	} else if (p->pc == DISCARD) {
		w = word_discard(s, w, *t);
	}
	*p = r.proc;
	*v = r.put;
	return w;
}

static void run_in_step(uint32_t k, uint32_t n)
{
	struct wicket_cfg c = { .n = n, .k = k };
	struct wicket_value v = reg(&c, 0).start;
	struct wicket_proc p[PROCS] = { 0 };
	uint64_t t[PROCS] = { 0 }, w;
	struct word_shape s = { 0 };

	assert_in_range(word_shape(&s, k, n), 1, 64);
	w = word_start(&s);
	assert_alike(&c, v, &s, w);
	for (int i = 0; i < ROUNDS; i++) {
		/* they crowd for a while, then they are few */
		uint32_t j = draw(i / 64 % 2 ? n : n - draw(n));

		w = step_both(&c, &p[j], &v, &s, w, &t[j]);
		assert_alike(&c, v, &s, w);
		assert_tickets_alike(&c, v, &s, w, p, t);
	}
}

static void word_and_model_take_the_same_steps(void **state)
{
	(void)state;
	for (uint32_t n = 2; n <= 8; n++) {
		for (uint32_t k = 1; k < n; k++)
			run_in_step(k, n);
	}
	run_in_step(8, 20);
	run_in_step(10, 26);
	run_in_step(11, 12);
	run_in_step(11, 26);
}

/* --- on real memory ------------------------------------------------------- */

static void tickets_are_valid_in_order(void **state)
{
	struct wicket_shape shape;
	wicket_word word;
	uint64_t t[8];

	(void)state;
	assert_int_equal(wicket_word_shape(&shape, 2, 8), 0);
	wicket_word_init(&word, &shape);
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < 8; i++)
			t[i] = wicket_word_take(&word, &shape);
		/* valid are those up to the last but one discarded */
		for (int i = 0; i < 8; i++) {
			for (int j = i; j < 8; j++)
				assert_int_equal(!!wicket_word_is_valid(
							 &word, &shape, t[j]),
						 j < i + 2);
			wicket_word_discard(&word, &shape, t[i]);
		}
	}
}

/* What the threads share. */
static struct {
	struct wicket_shape shape;
	wicket_word word;
	_Atomic int inside, most, bad;
	int entered[3], count; /* the word orders them if k is 1 */
} hall;

static void open_hall(uint32_t k, uint32_t n)
{
	memset(&hall, 0, sizeof(hall));
	assert_int_equal(wicket_word_shape(&hall.shape, k, n), 0);
	wicket_word_init(&hall.word, &hall.shape);
}

static void *visit_often(void *unused)
{
	(void)unused;
	errno = 12345;
	for (int i = 0; i < 20000; i++) {
		uint64_t t = wicket_word_acquire(&hall.word, &hall.shape);
		int now = 1 + atomic_fetch_add(&hall.inside, 1);
		int most = atomic_load(&hall.most);

		while (now > most &&
		       !atomic_compare_exchange_weak(&hall.most, &most, now))
			;
		if (i % 1000 == 0)
			nap(); /* so that the others sleep as well */
		atomic_fetch_sub(&hall.inside, 1);
		wicket_word_discard(&hall.word, &hall.shape, t);
	}
	if (errno != 12345)
		atomic_store(&hall.bad, 1);
	return NULL;
}

static void never_more_than_k_inside(void **state)
{
	pthread_t thread[4];
	uint64_t t[3];

	(void)state;
	open_hall(2, 4);
	for (int i = 0; i < 4; i++)
		assert_int_equal(
			pthread_create(&thread[i], NULL, visit_often, NULL), 0);
	for (int i = 0; i < 4; i++)
		join(thread[i]);
	assert_int_equal(atomic_load(&hall.most), 2);
	assert_false(atomic_load(&hall.bad));
	/* nothing was lost and nothing came twice */
	for (int i = 0; i < 3; i++) {
		t[i] = wicket_word_take(&hall.word, &hall.shape);
		assert_int_equal(
			!!wicket_word_is_valid(&hall.word, &hall.shape, t[i]),
			i < 2);
	}
}

static void *visit(void *number)
{
	uint64_t t = wicket_word_acquire(&hall.word, &hall.shape);

	hall.entered[hall.count++] = *(int *)number;
	wicket_word_discard(&hall.word, &hall.shape, t);
	return NULL;
}

static uint64_t bits(void)
{
	return __atomic_load_n(&hall.word.bits, __ATOMIC_ACQUIRE);
}

static void threads_enter_in_the_order_of_their_tickets(void **state)
{
	int number[3] = { 0, 1, 2 };
	pthread_t thread[3];
	uint64_t first;

	(void)state;
	open_hall(1, 4);
	first = wicket_word_acquire(&hall.word, &hall.shape);
	for (int i = 0; i < 3; i++) {
		uint64_t before = bits();

		assert_int_equal(
			pthread_create(&thread[i], NULL, visit, &number[i]), 0);
		eventually(bits() != before);
	}
	nap(); /* so that they sleep, most likely */
	assert_int_equal(hall.count, 0);
	wicket_word_discard(&hall.word, &hall.shape, first);
	for (int i = 0; i < 3; i++)
		join(thread[i]);
	assert_int_equal(hall.count, 3);
	assert_memory_equal(hall.entered, number, sizeof(number));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_as_wide_as_they_need_be),
		cmocka_unit_test(the_limit_fits_and_the_next_does_not),
		cmocka_unit_test(twelve_slots_do_not_fit),
		cmocka_unit_test(k_is_between_0_and_n),
		cmocka_unit_test(at_the_start_k_tickets_are_valid),
		cmocka_unit_test(which_pointer_leads),
		cmocka_unit_test(word_and_model_take_the_same_steps),
		cmocka_unit_test(tickets_are_valid_in_order),
		cmocka_unit_test(never_more_than_k_inside),
		cmocka_unit_test(threads_enter_in_the_order_of_their_tickets),
	};

	return cmocka_run_group_tests_name("word", tests, NULL, NULL);
}
