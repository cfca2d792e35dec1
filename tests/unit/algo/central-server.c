/* SPDX-License-Identifier: MIT */
/*
 * central-server - Ben-Ari, 5.9, at the grain of single reads and writes:
 * clients, and the server, which is process n+1.
 */
#include "steps.h"

#include "algo/central-server.c"

static const struct wicket_cfg cfg = { .n = 2, .k = 1 };

static struct wicket_proc proc(uint16_t pc, uint32_t i, uint64_t client)
{
	return (struct wicket_proc){ .pc = pc, .self = i, .local = { client } };
}

static void clients_and_a_server(void **state)
{
	(void)state;
	assert_null(refuse(&cfg));
	assert_non_null(refuse(&(struct wicket_cfg){ .n = 3, .k = 2 }));
	assert_int_equal(wicket_central_server.processes(&cfg), 3);
	assert_int_equal(registers(&cfg), 2);
	assert_int_equal(reg(&cfg, 0).range, 3);
	assert_int_equal(start(&cfg, 2).pc, ENTER);
	assert_int_equal(start(&cfg, 3).pc, IDLE);
	assert_int_equal(bound(&cfg), 9);
}

static void a_client_asks_until_it_is_answered(void **state)
{
	(void)state;
	assert_load(proc(ENTER, 2, 0), WICKET_LOAD, ANSWER, 0, proc(ASK, 2, 0));
	assert_load(proc(ENTER, 2, 0), WICKET_LOAD, ANSWER, 2,
		    proc(LEAVE, 2, 0));
	assert_store(proc(ASK, 2, 0), REQUEST, 2, proc(LOOK, 2, 0));
	assert_load(proc(LOOK, 2, 0), WICKET_LOAD, ANSWER, 1, proc(ASK, 2, 0));
	assert_load(proc(LOOK, 2, 0), WICKET_LOAD, ANSWER, 2,
		    proc(LEAVE, 2, 0));
	assert_store(proc(LEAVE, 2, 0), ANSWER, 0, proc(ENTER, 2, 0));
}

static void the_server_serves_one_at_a_time(void **state)
{
	(void)state;
	assert_load(proc(IDLE, 3, 0), WICKET_AWAIT, REQUEST, 0,
		    proc(IDLE, 3, 0));
	assert_load(proc(IDLE, 3, 0), WICKET_AWAIT, REQUEST, 1,
		    proc(READ, 3, 0));
	assert_load(proc(READ, 3, 0), WICKET_LOAD, REQUEST, 2,
		    proc(RESPOND, 3, 2));
	assert_store(proc(RESPOND, 3, 2), ANSWER, 2, proc(SERVING, 3, 0));
	assert_load(proc(SERVING, 3, 0), WICKET_AWAIT, ANSWER, 2,
		    proc(SERVING, 3, 0));
	assert_load(proc(SERVING, 3, 0), WICKET_AWAIT, ANSWER, 0,
		    proc(SERVED, 3, 0));
	assert_store(proc(SERVED, 3, 0), REQUEST, 0, proc(IDLE, 3, 0));
}

static void the_mutant_does_not_wait(void **state)
{
	struct wicket_cfg c = cfg;

	(void)state;
	c.mutant = NO_WAIT;
	assert_int_equal(
		step(&c, proc(RESPOND, 3, 2), wicket_number(0)).proc.pc,
		SERVED);
}

static void regions(void **state)
{
	(void)state;
	assert_int_equal(region(&cfg, proc(ENTER, 1, 0)), WICKET_REMAINDER);
	assert_int_equal(region(&cfg, proc(LOOK, 1, 0)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(ASK, 1, 0)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(LEAVE, 1, 0)), WICKET_CRITICAL);
}

static void invariants_hold_and_fail(void **state)
{
	struct wicket_proc p[] = { proc(ASK, 1, 0), proc(LEAVE, 2, 0),
				   proc(SERVING, 3, 0) };
	struct wicket_value v[] = { wicket_number(1), wicket_number(2) };

	(void)state;
	assert_true(holds(&cfg, 0, v, p));
	assert_true(holds(&cfg, 1, v, p));
	p[2] = proc(SERVED, 3, 0);
	assert_true(holds(&cfg, 0, v, p));
	assert_false(holds(&cfg, 1, v, p));
	v[ANSWER] = wicket_number(1);
	assert_false(holds(&cfg, 0, v, p));
	p[1] = proc(ENTER, 2, 0);
	assert_true(holds(&cfg, 0, v, p));
	assert_true(holds(&cfg, 1, v, p));
}

static void texts(void **state)
{
	struct wicket_value v[] = { wicket_number(1), wicket_number(2) };
	static const char *const does[] = {
		[ENTER] = "respond?",	    [LOOK] = "respond?",
		[ASK] = "request := 2",	    [LEAVE] = "respond := 0",
		[IDLE] = "await a request", [READ] = "request?",
		[RESPOND] = "respond := 1", [SERVING] = "await respond = 0",
		[SERVED] = "request := 0",
	};

	(void)state;
	assert_shows(&wicket_central_server, &cfg, v, "request=1 respond=2");
	for (uint16_t pc = ENTER; pc <= SERVED; pc++)
		assert_shows_step(&wicket_central_server, &cfg, proc(pc, 2, 1),
				  does[pc]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clients_and_a_server),
		cmocka_unit_test(a_client_asks_until_it_is_answered),
		cmocka_unit_test(the_server_serves_one_at_a_time),
		cmocka_unit_test(the_mutant_does_not_wait),
		cmocka_unit_test(regions),
		cmocka_unit_test(invariants_hold_and_fail),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("central-server", tests, NULL, NULL);
}
