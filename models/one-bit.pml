/* SPDX-License-Identifier: MIT */
/*
 * one-bit - Promela twin of src/algo/one-bit.c: one d_step or one guard is one
 * access, so that SPIN counts the same states.  -DN=; -DTSO with store buffers
 * (buffer.pml); -DFENCED= the sum of the fences: 1 after the bit is set first, 2
 * after it is set again; -DNO_WANT is the mutant.
 */
#define REGISTERS N
#include "buffer.pml"
byte inside;

#ifdef NO_WANT
#define WANTED 0
#else
#define WANTED 1
#endif
#ifndef FENCED
#define FENCED 0
#endif
#define me (who + 1)
#define want(i) load(i)
#define after(i) (i + 1 == me -> i + 2 : i + 1)

active [N] proctype process()
{
	byte j;			/* whom to look at next; N + 1: it is in C */

	do
	:: d_step { has_room -> store(me, WANTED); j = after(0) };
#if FENCED == 2
	   goto look;
#endif
fence:
#if FENCED
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
#if FENCED == 1
	      goto look
#else
	      goto fence
#endif
	   :: d_step { j > N && has_room -> store(me, 0); inside--; j = 0 }
	   fi
	od
}
