/* SPDX-License-Identifier: MIT */
/*
 * bakery - Promela twin of src/algo/bakery.c, atomic registers: one d_step or one
 * guard is one access, so that SPIN counts the same states.  -DN=; -DCAP= the
 * greatest number (who would take a greater one stops); -DTSO with store buffers
 * (buffer.pml); -DFENCED= the sum of the fences: 1 after choosing is set, 2 after it
 * is cleared, 4 after the number is taken; -DNO_CHOOSING is the mutant.
 */
#define REGISTERS (2 * N)
#include "buffer.pml"
byte inside;

#ifdef NO_CHOOSING
#define CHOOSING 0
#else
#define CHOOSING 1
#endif
#ifndef FENCED
#define FENCED 0
#endif
#define me (who + 1)
#define number(i) load(i)
#define choosing(i) load(N + i)
#define after(i) (i + 1 == me -> i + 2 : i + 1)
#define is_before(x) (own < x || (own == x && me < j))

active [N] proctype process()
{
	byte j, own;		/* own is the maximum until it is taken */

	do
	:: d_step { has_room -> store(N + me, CHOOSING); j = after(0) };
#if FENCED & 1
	   (is_drained);
#endif
look:
	   if
	   :: d_step {
		j <= N ->
		own = (number(j) > own -> number(j) : own);
		j = after(j)
	      };
	      goto look
	   :: d_step { j > N && own < CAP && has_room -> own++; store(me, own) }
	   fi;
#if FENCED & 4
	   (is_drained);
#endif
	   d_step { has_room -> store(N + me, 0); j = after(0) };
#if FENCED & 2
	   (is_drained);
#endif
ask:
	   if
	   :: j <= N && !choosing(j) ->
	      d_step {
		number(j) == 0 || is_before(number(j)) ->
		j = after(j);
		inside = inside + (j > N);
		own = (j > N -> 0 : own);
		assert(inside <= 1)
	      };
	      goto ask
	   :: d_step { j > N && has_room -> store(me, 0); inside--; j = 0 }
	   fi
	od
}
