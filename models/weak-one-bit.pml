/* SPDX-License-Identifier: MIT */
/*
 * weak-one-bit - Promela twin of src/algo/weak-one-bit.c, atomic bits: one guard
 * or one assignment to a flag is one access.  -DN= -DK=; -DNO_FLAG and -DALL_YIELD
 * are the mutants.
 */
bit flag[N + 1];		/* from 1 */
byte inside;

#ifdef NO_FLAG
#define UP 0
#else
#define UP 1
#endif
#ifdef ALL_YIELD
#define LAST N			/* of those it yields to */
#else
#define LAST (me - 1)
#endif
#define is_up(j) ((up >> j) & 1)

active [N] proctype process()
{
	byte me = _pid + 1, j, counter;
	short up;

again:
	flag[me] = UP;
	d_step { up = 0; counter = 0; j = 1 };
	do
	:: j > LAST -> break
	:: j <= LAST && j == me -> j++
	:: j <= LAST && j != me && flag[j] ->
		d_step { up = up | (1 << j); counter++; j++ }
	:: j <= LAST && j != me && !flag[j] -> j++
	od;
	if
	:: counter < K -> goto rest
	:: else
	fi;
	flag[me] = 0;
down:
	up = 0;
	d_step { counter = 0; j = 1 };
	do
	:: j > LAST -> break
	:: j <= LAST && j == me -> j++
	:: j <= LAST && j != me && flag[j] -> d_step { counter++; j++ }
	:: j <= LAST && j != me && !flag[j] -> j++
	od;
	if
	:: counter < K -> counter = 0; goto again
	:: else -> goto down
	fi;
rest:
	j = (LAST == N -> N + 1 : me + 1);
	do
	:: j > N -> break
	:: j <= N && flag[j] -> d_step { up = up | (1 << j); counter++; j++ }
	:: j <= N && !flag[j] -> j++
	od;
	do
	:: counter < K -> break
	:: else ->
		j = 1;
		do
		:: j > N -> break
		:: j <= N && !is_up(j) -> j++
		:: j <= N && is_up(j) && flag[j] -> j++
		:: j <= N && is_up(j) && !flag[j] ->
			d_step { up = up & (127 - (1 << j)); counter--; j++ }
		od
	od;
	j = 0;
	d_step { inside++; up = 0; counter = 0 };
	assert(inside <= K);
progress:
	inside--;
	flag[me] = 0;
	goto again
}
