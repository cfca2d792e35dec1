/* SPDX-License-Identifier: MIT */
/*
 * two-bits - Promela twin of src/algo/two-bits.c, atomic bits: one guard or one
 * assignment to a flag is one access.  -DN= -DK=; -DNO_FLAG is the mutant.
 */
bit flag1[N + 1], flag2[N + 1];	/* from 1; flag1[N] and flag2[1] stay 0 */
byte inside;

inline count()
{
	d_step { counter = 0; j = 1 };
	do
	:: j > N -> break
	:: j <= N && j == me -> j++
	:: j < me && flag1[j] -> d_step { counter++; j++ }
	:: j < me && !flag1[j] ->
		if
		:: flag2[j] -> counter++
		:: !flag2[j]
		fi;
		j++
	:: j <= N && j > me && flag2[j] -> d_step { counter++; j++ }
	:: j <= N && j > me && !flag2[j] -> j++
	od
}

active [N] proctype process()
{
	byte me = _pid + 1, counter, j;

	do
	:: (me != N) -> flag1[me] = 1; goto trying
	:: (me == N) -> goto trying
	od;
trying:
	count();
	if
	:: counter >= K -> goto trying
	:: else
	fi;
#ifndef NO_FLAG
	if
	:: me != 1 -> flag2[me] = 1
	:: else
	fi;
#endif
	count();
	if
	:: counter >= K ->
		if
		:: me != 1 -> flag2[me] = 0
		:: else
		fi;
		goto trying
	:: else
	fi;
	inside++;
	assert(inside <= K);
progress:
	inside--;
	if
	:: me != 1 -> flag2[me] = 0
	:: else
	fi;
	if
	:: me != N -> flag1[me] = 0; goto trying0
	:: else -> goto trying
	fi;
trying0:
	flag1[me] = 1;
	goto trying
}
