/* SPDX-License-Identifier: MIT */
/*
 * rivest-pratt-linear - Promela twin of src/algo/rivest-pratt-linear.c, without
 * failures: one d_step, or one guard, is one access.  -DN=; -DAPART=5 is padded, 1
 * is not; -DNO_WAIT, -DNO_MIDDLE are mutants.  -DWINDOW asserts the Window
 * Hypothesis of two processes whenever a clock changes.
 */
#define HOURS (N * APART)
#define DEAD 0
#define Q (N + 1)

byte r[N], s[N], c[N];		/* r: DEAD, 1 + the opponent, Q */
byte inside;

#define racing(j) (r[j] != DEAD && r[j] != Q && r[j] - 1 >= me)
#define won(j) \
	(r[j] == DEAD || r[j] == Q || r[j] - 1 < me || \
	 (r[j] - 1 == me && (s[j] == (own + 1) % 3 || \
			     (s[j] == own && me <= j))))

#ifdef WINDOW
#define window() \
	assert(r[0] != Q || r[1] != Q || c[0] == c[1] || \
	       c[0] == (c[1] + 1) % HOURS || c[1] == (c[0] + 1) % HOURS)
#else
#define window() skip
#endif

/* found: 1 + the clock, 0 is none */
inline sysclock()
{
	found = 0;
	j = 0;
	do
	:: j == N -> break
	:: j < N && j == me -> j++
	:: j < N && j != me ->
		d_step {
			if
			:: r[j] == Q &&
			   (found == 0 || (c[j] + 1) % HOURS != found - 1) ->
				found = c[j] + 1
			:: else
			fi;
			j++
		}
	od;
	j = 0;
	found = (found -> found - 1 : 0)
}

active [N] proctype process()
{
	byte me = _pid, j, own, put, clock, found;
	bool ok, on;

again:
	sysclock();		/* 1 */
	d_step { clock = found; found = 0 };
	do			/* 2 */
	:: j == N -> break
	:: j < N ->
		d_step { put = (racing(j) -> (s[j] + 1) % 3 : 0) };	/* A */
		d_step { own = put; r[me] = j + 1; s[me] = own; c[me] = clock };
		d_step {	/* C */
			on = racing(j);
			put = (on -> (s[j] + 1) % 3 : 0)
		};
		if
		:: on -> d_step { own = put; s[me] = own; on = 0 }	/* D */
		:: else
		fi;
		put = 0;
		(won(j));	/* E */
		j++
	od;
#ifndef NO_MIDDLE
	sysclock();		/* 3 */
	d_step { clock = found; found = 0; c[me] = clock };
#endif
	sysclock();		/* 4 */
	d_step {
		if
		:: found != (clock + HOURS - 1) % HOURS -> clock = found
		:: else
		fi;
		found = 0; own = 0; ok = 0;
		r[me] = Q; s[me] = 0; c[me] = clock;
		window()
	};
look:
	j = 0;			/* 5 */
	do
	:: j == N -> break
	:: j < N && j == me -> j++
#ifdef NO_WAIT
	:: j < N && j != me -> j++
#else
	:: j < N && j != me && (r[j] == DEAD || c[j] == clock ||
				c[j] == (clock + 1) % HOURS) -> j++
#endif
	od;
	if			/* 6 */
	:: clock != me * APART || !ok ->
		d_step {
			clock = (clock + 1) % HOURS;
			c[me] = clock;
			ok = 1;
			j = 0;
			window()
		};
		goto look
	:: else
	fi;
	j = 0;
	d_step { inside++; clock = 0; ok = 0 };
	assert(inside <= 1);
progress:
	d_step { inside--; r[me] = DEAD; s[me] = 0; c[me] = 0 };
	goto again
}
