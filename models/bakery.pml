/* SPDX-License-Identifier: MIT */
/*
 * bakery - Promela twin of src/algo/bakery.c, atomic registers: one guard or one
 * assignment to a shared variable is one access.  -DN=; -DCAP= the greatest
 * number (who would take a greater one stops); -DNO_CHOOSING is the mutant.
 */
byte number[N + 1];		/* from 1 */
bit choosing[N + 1];
byte inside;

#define before(x) (own < x || (own == x && me < j))

active [N] proctype process()
{
	byte me = _pid + 1, j, own;

	do
	::
#ifndef NO_CHOOSING
		choosing[me] = 1;
#endif
		j = 1;
		do
		:: j > N -> break
		:: j == me -> j++
		:: j <= N && j != me ->
			d_step {
				own = (number[j] > own -> number[j] : own);
				j++
			}
		od;
		(own < CAP);
		d_step { own++; number[me] = own };
		choosing[me] = 0;
		j = 1;
		do
		:: j > N -> break
		:: j == me -> j++
		:: j <= N && j != me ->
			(!choosing[j]);
			(number[j] == 0 || before(number[j]));
			j++
		od;
		inside++;
		assert(inside <= 1);
progress:
		d_step { inside--; number[me] = 0; own = 0; j = 0 }
	od
}
