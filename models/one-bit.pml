/* SPDX-License-Identifier: MIT */
/*
 * one-bit - Promela twin of src/algo/one-bit.c: one d_step or one guard is one
 * access, so that SPIN counts the same states.  -DN=; -DTSO with store buffers
 * (buffer.pml); -DFENCED with a fence after the bit is set, each time;
 * -DNO_WANT is the mutant.
 */
#define REGISTERS N
#include "buffer.pml"
byte inside;

#ifdef NO_WANT
#define WANTED 0
#else
#define WANTED 1
#endif
#define me (who + 1)
#define want(i) load(i)
#define after(i) (i + 1 == me -> i + 2 : i + 1)

active [N] proctype process()
{
	byte j;			/* whom to look at next; N + 1: it is in C */

	do
	:: d_step { has_room -> store(me, WANTED); j = after(0) };
again:
#ifdef FENCED
	   (is_drained);
#endif
look:
	   if
	   :: d_step {
		j <= N && !want(j) ->
		j = after(j);
		inside = inside + (j > N);
		assert(inside <= 1)
	      };
	      goto look
	   :: j < me && want(j) ->
	      d_step { has_room -> store(me, 0) };
	      d_step { !want(j) -> j = 0 };
	      d_step { has_room -> store(me, WANTED); j = after(0) };
	      goto again
	   :: d_step { j > N && has_room -> store(me, 0); inside--; j = 0 }
	   fi
	od
}
