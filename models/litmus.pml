/* SPDX-License-Identifier: MIT */
/*
 * litmus - is buffer.pml x86-64?  Two processes store, and load what the other one
 * stores.  Each sees its own stores at once, the newest one, and those of the other
 * in the order in which they were made (message passing).  That neither sees any of
 * the other's (store buffering, -DSB) is to happen with -DTSO alone, and not with
 * -DFENCED.
 */
#define N 2
#define REGISTERS (2 * N)
#include "buffer.pml"
byte blind;			/* how many have seen nothing */

#define me (who + 1)
#define other (N - who)

active [N] proctype process()
{
	byte later, earlier;

	d_step { has_room -> store(me, 1) };
	d_step { has_room -> store(me, 2) };
	d_step { has_room -> store(N + me, 1) };
	assert(load(me) == 2 && load(N + me) == 1);
#ifdef FENCED
	(is_drained);
#endif
	later = load(N + other);
	earlier = load(other);
	assert(!later || earlier == 2);
	blind = blind + (earlier == 0);
#ifdef SB
	assert(blind < N)
#endif
}
