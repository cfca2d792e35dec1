/* SPDX-License-Identifier: MIT */
/*
 * fast - Promela twin of src/algo/fast.c: one guard or one assignment to a shared
 * variable is one access.  -DN=; -DBOOK is 5.6 as printed, -DNO_WANT the mutant,
 * -DOUTLINE is 5.4.
 */
byte gate1, gate2;
bit want[N + 1];		/* from 1 */
byte inside;

#if defined(OUTLINE) || defined(NO_WANT)
#define WANTING skip
#else
#define WANTING want[me] = 1
#endif

active [N] proctype process()
{
	byte me = _pid + 1, j;

p1:
	gate1 = me;
	WANTING;
	if
	:: gate2 == 0
	:: gate2 != 0 ->
#ifndef OUTLINE
		want[me] = 0;
#ifndef BOOK
		(gate2 == 0);
#endif
#endif
		goto p1
	fi;
	gate2 = me;
	if
	:: gate1 == me
	:: gate1 != me ->
#ifndef OUTLINE
		want[me] = 0;
		j = 1;
		do
		:: j > N -> break
		:: j == me -> j++
		:: j <= N && j != me && !want[j] -> j++
		od;
		j = 0;
#endif
		if
		:: gate2 == me -> WANTING
		:: gate2 != me ->
#if !defined(OUTLINE) && !defined(BOOK)
			(gate2 == 0);
#endif
			goto p1
		fi
	fi;
	inside++;
	assert(inside <= 1);
progress:
	d_step { inside--; gate2 = 0 };
	want[me] = 0;
	goto p1
}
