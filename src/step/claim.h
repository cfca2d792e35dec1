/* SPDX-License-Identifier: MIT */
/*
 * claim - the properties of the papers, which an algorithm may discuss and
 * claim.  The list is written once: here it numbers the bits of a set, and in
 * verify/property it makes the table of the rows that say what each one means.
 */
#ifndef WICKET_CLAIM_H
#define WICKET_CLAIM_H

/* X(bit, its row in verify/property): in the order of reports. */
#define WICKET_CLAIMS(X)                                                       \
	X(WICKET_K_EXCLUSION, k_exclusion)                                     \
	X(WICKET_K_DEADLOCK_AVOIDANCE, k_deadlock_avoidance)                   \
	X(WICKET_FIFO_ENABLING, fifo_enabling)                                 \
	X(WICKET_DEADLOCK_FREEDOM, deadlock_freedom)                           \
	X(WICKET_K_DEADLOCK_FREEDOM, k_deadlock_freedom)                       \
	X(WICKET_WEAK_K_DEADLOCK_FREEDOM, weak_k_deadlock_freedom)             \
	X(WICKET_STARVATION_FREEDOM, starvation_freedom)                       \
	X(WICKET_BYPASS, bypass)                                               \
	X(WICKET_EXIT_WAIT_FREEDOM, exit_wait_freedom)                         \
	X(WICKET_ULTRARELIABILITY, ultrareliability)                           \
	X(WICKET_NOTHING_LOST, nothing_lost)                                   \
	X(WICKET_NOBODY_LEFT_BEHIND, nobody_left_behind)                       \
	/* the conditions of FLBB 1979, section 3; (C1) is k-exclusion */      \
	X(WICKET_C2, c2)                                                       \
	X(WICKET_C3, c3)                                                       \
	X(WICKET_C3_ENABLING, c3_enabling)                                     \
	X(WICKET_C4, c4)                                                       \
	X(WICKET_C4_ENABLING, c4_enabling)                                     \
	X(WICKET_C5, c5)                                                       \
	X(WICKET_C5_ENABLING, c5_enabling)                                     \
	X(WICKET_C6_QUEUELIKE, c6_queuelike)                                   \
	X(WICKET_ORDER_PRESERVING, order_preserving)                           \
	/* its section 4, on systems with a supervisor */                      \
	X(WICKET_SIMULATABLE, simulatable)                                     \
	X(WICKET_SIMULATES, simulates)                                         \
	X(WICKET_BOUNDED_NUMBERS, bounded_numbers)                             \
	X(WICKET_R_DEADLOCK_FREEDOM, r_deadlock_freedom)                       \
	X(WICKET_ABORT_RESILIENCE, abort_resilience)

#define WICKET_POSITION(bit, row) POSITION_OF_##bit,
enum { WICKET_CLAIMS(WICKET_POSITION) };
#undef WICKET_POSITION

#define WICKET_BIT(bit, row) bit = 1 << POSITION_OF_##bit,
enum wicket_claim {
	WICKET_CLAIMS(WICKET_BIT)
	/* the k-critical section problem of FLBB 1989, section 3.4 */
	WICKET_PROBLEM_1989 = WICKET_K_EXCLUSION | WICKET_K_DEADLOCK_AVOIDANCE |
			      WICKET_FIFO_ENABLING,
};
#undef WICKET_BIT

#endif
