/* SPDX-License-Identifier: MIT */
/*
 * colored - Promela twin of src/algo/colored.c: one d_step is one whole action.
 * A process is its program counter and its ticket, as there, so that SPIN counts
 * the same states.  -DN= -DK=; -DSTRICT is the mutant leads-strict.
 */
#ifdef STRICT
#define LEADS >
#else
#define LEADS >=
#endif
#if K > N - K
#define M (1 + K)
#else
#define M (1 + N - K)
#endif

byte iv, ic, vv = K, vc;	/* ISSUE, VALID: value and colour */
short change[K + 1];		/* QUANT[c], less what it was at the start */
byte inside;			/* how many are in C: a function of the rest */

#define quant(c) (change[c] + (c == 0 -> K : 0))
#define leads(av, ac, bv, bc) \
	((ac == bc && av LEADS bv) || (ac != bc && av < bv))
#define is_valid(tv, tc) \
	((tc == vc && tv <= vv) || \
	 (tc != vc && tc == ic && leads(vv, vc, iv, ic)) || \
	 (tc != vc && tc != ic))

inline new_colour(to)
{
	to = 0;
	do
	:: to < K && quant(to) > 0 -> to++
	:: else -> break
	od
}

active [N] proctype process()
{
	byte pc, tv, tc;	/* pc: 0 take, 1 test, 2 discard */

	do
	:: d_step {
		if
		:: pc == 0 ->
			if
			:: iv < M - 1 -> iv++
			:: else ->
				if
				:: leads(iv, ic, vv, vc) -> new_colour(ic)
				:: else -> ic = vc
				fi;
				iv = 0
			fi;
			tv = iv; tc = ic; pc = 1
		:: pc == 2 ->
			if
			:: vv < M - 1 -> vv++
			:: else ->
				if
				:: leads(vv, vc, iv, ic) -> new_colour(vc)
				:: else -> vc = ic
				fi;
				vv = 0
			fi;
			change[vc]++; change[tc]--;
			inside--;
			tc = 0; pc = 0
		:: pc == 1
		fi;
		if
		:: pc == 1 && is_valid(tv, tc) -> tv = 0; pc = 2; inside++
		:: else
		fi;
		assert(inside <= K)
	   }
	od
}
