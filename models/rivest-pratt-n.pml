/* SPDX-License-Identifier: MIT */
/*
 * rivest-pratt-n - Promela twin of src/algo/rivest-pratt-n.c, without failures:
 * one d_step, or one guard, is one access.  -DN=; -DPRINTED is Fig. 4 as it stands.
 */
byte public[N];			/* 0 is D, else 1 + 3 R + S */
byte inside;

#define race(u) ((u - 1) / 3)
#define sign(u) ((u - 1) % 3)
#ifdef PRINTED
#define racing(u) (u != 0)
#else
#define racing(u) (u != 0 && race(u) >= me)
#endif
#define won(u) \
	(u == 0 || race(u) < me || \
	 (race(u) == me && (sign(u) == (own + 1) % 3 || \
			    (sign(u) == own && me <= j))))

active [N] proctype process()
{
	byte me = _pid, j, own, put, u;

	do
	:: j < N ->
		d_step {	/* A */
			u = public[j];
			put = (racing(u) -> (sign(u) + 1) % 3 : 0)
		};
		d_step {	/* B */
			own = put;
			public[me] = 1 + 3 * j + own
		};
		u = public[j];	/* C */
		if
		:: racing(u) ->
			d_step {	/* D */
				own = (sign(u) + 1) % 3;
				public[me] = 1 + 3 * j + own
			}
		:: else
		fi;
		d_step { u = 0; put = 0 };
		(won(public[j]));	/* E */
		j++
	:: j == N ->
		inside++;
		assert(inside <= 1);
progress:
		d_step { inside--; public[me] = 0; j = 0; own = 0 }
	od
}
