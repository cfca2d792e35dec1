/* SPDX-License-Identifier: MIT */
/*
 * leave - Promela twin of one corner of src/algo/recoverable.c, as src/line makes
 * its accesses: N processes open a line of one slot, take a seat, enter once,
 * release and leave at once, LAPS times each, while others settle that release and
 * look for the dead.  One d_step, one assignment or one guard is one access; the
 * words of a seat are stored and loaded one by one.  -DTSO with store buffers
 * (buffer.pml), in which IDLE still is when the seat is left.
 *
 * Asked    whoever leaves frees its seat; one process at a time is inside; nobody
 *          waits for ever (an invalid end state).
 * Crash    one process may die (-DCRASH) once its release is applied; what it has
 *          stored drains, then its bell rings, then its life ends.
 * Mutants  -DONCE leaves by one compare-and-swap, as it was; -DNO_SETTLE.
 * Bell     unlocked by a locked instruction, before the seat is freed;
 *          -DBELL_STORE by a plain store; -DBELL_LAST after the seat, as it was.
 * Left out tickets are plain numbers (no colours, and SLOT needs no stamp), nobody
 *          sleeps, W is always read before it is changed.
 */
#define WORD short
#define SEATS N
#define W_T 1
#define W_S 2
#define SLOT 3
#define STATE(i) (4 + 3 * (i))
#define PAYLOAD(i) (5 + 3 * (i))
#define BELL(i) (6 + 3 * (i))
#define REGISTERS (3 + 3 * SEATS)
#define START = { 0, 0, 16, 1 }	/* VALID is 1, and SLOT's */
#include "buffer.pml"

/* T = seq:seat + 1; S = VALID:ISSUE; state = seq:D:phase; payload = life:slot:ticket */
#define tag(state, i) (8 * ((state) / 16) + (i) + 1)
#define tag_seat(t) (t % 8 - 1)
#define issue(s) (s % 16)
#define valid(s) (s / 16)
#define phase(state) (state % 8)
#define is_dead(state) (state / 8 % 2)
#define to_phase(state, ph) (state - phase(state) + ph)
#define ticket_in(payload) (payload % 8)
#define of_life(payload) (payload - payload % 16)
#define A_SEQ 16
#define MARK 8
#define IN_SLOT 8
#define A_LIFE 16
#define A_VALID 16

#define FREE 0
#define IDLE 1
#define TAKING 2
#define HAVE 3
#define RELEASING 4
#define RELEASED 5
#define JOINING 6

#define NOBODY 0
#define ALIVE 1
#define DIED 2

bit lives[N * LAPS + 1];	/* LIFE, the kernel's */
byte opened;
byte killed;			/* 1 + who dies */
byte inside;

#ifdef ONCE
#define AGAIN false
#else
#define AGAIN true
#endif
#ifdef NO_SETTLE
#define owes(t) false
#else
#define owes(t) (t != 0 && t % 8 != me)
#endif

/* W, then a seat: the state never comes back, so the two words belong together. */
inline read_w()
{
	t = load(W_T);
	s = load(W_S)
}

inline read_seat(i)
{
	do
	:: c = load(STATE(i));
	   p = load(PAYLOAD(i));
	   if
	   :: c == load(STATE(i)) -> break
	   :: else
	   fi
	od
}

inline cas_seat(i, state, payload)
{
	d_step {
		is_drained ->
		met = (memory[STATE(i)] == c && memory[PAYLOAD(i)] == p);
		if
		:: met -> memory[STATE(i)] = state; memory[PAYLOAD(i)] = payload
		:: else
		fi
	}
}

inline cas_slot(next)
{
	d_step {
		is_drained ->
		if
		:: memory[SLOT] == entry -> memory[SLOT] = next
		:: else
		fi;
		entry = 0
	}
}

inline settle()
{
	do
	:: !owes(t) -> break
	:: else ->
		read_seat(tag_seat(t));
		if
		:: tag(c, tag_seat(t)) != t -> break
		:: else
		fi;
		if
		:: phase(c) == TAKING ->
			cas_seat(tag_seat(t), to_phase(c, HAVE),
				 of_life(p) + issue(s))
		:: phase(c) == RELEASING ->
			entry = load(SLOT);
			if
			:: entry == ticket_in(p) ->
				if
				:: load(W_T) != t -> break
				:: else -> cas_slot(valid(s))
				fi
			:: entry != ticket_in(p) && entry == valid(s)
			:: else -> break
			fi;
			cas_seat(tag_seat(t), to_phase(c, RELEASED),
				 of_life(p) + valid(s))
		:: else -> break
		fi;
		if
		:: met -> break
		:: else
		fi
	od;
	met = 0;
	d_step { c = 0; p = 0; entry = 0 }
}

/* W: (T, S) -> (own, next), once what it names is settled. */
inline change_w(next)
{
	read_w();
	do
	:: settle();
	   d_step {
		is_drained ->
		met = (memory[W_T] == t && memory[W_S] == s);
		if
		:: met ->
			s = next;
			memory[W_T] = tag(own, me - 1); memory[W_S] = s
		:: else -> t = memory[W_T]; s = memory[W_S]
		fi
	   };
	   if
	   :: met -> break
	   :: else
	   fi
	od;
	met = 0;
	t = 0
}

/* A seat with D, whose release is applied, becomes FREE. */
inline drive(i)
{
	do
	:: read_w();
	   read_seat(i);
	   if
	   :: !is_dead(c) || phase(c) == FREE -> break
	   :: is_dead(c) && phase(c) == RELEASING -> settle()
	   :: else ->
		cas_seat(i, c - MARK - phase(c), 0);
		if
		:: met -> break
		:: else
		fi
	   fi
	od
}

inline scan(i)
{
	do
	:: read_seat(i);
	   if
	   :: phase(c) == FREE -> break
	   :: phase(c) != FREE && is_dead(c) -> drive(i); break
	   :: else
	   fi;
	   if
	   :: load(BELL(i)) == DIED && phase(c) != JOINING
	   :: else ->
		if
		:: lives[p / A_LIFE] -> break
		:: else
		fi
	   fi;
	   cas_seat(i, c + MARK, p) /* and is read again */
	od;
	met = 0;
	d_step { c = 0; p = 0; t = 0; s = 0 }
}

inline unlock_bell()
{
#ifdef BELL_STORE
	d_step { has_room -> store(BELL(me - 1), NOBODY) }
#else
	d_step { is_drained -> memory[BELL(me - 1)] = NOBODY }
#endif
}

inline leave()
{
#ifndef BELL_LAST
	unlock_bell();
#endif
	c = own;
	do
	:: p = load(PAYLOAD(me - 1));
	   cas_seat(me - 1, to_phase(own, FREE), 0);
	   if
	   :: AGAIN && !met && load(STATE(me - 1)) == own
	   :: else -> break
	   fi
	od;
	assert(met);		/* the seat is free */
#ifdef BELL_LAST
	unlock_bell();
#endif
	d_step { is_drained -> lives[life] = 0 }
}

inline set_state(ph)
{
	own = to_phase(own, ph);
	store(STATE(me - 1), own)
}

inline set_payload(content)
{
	store(PAYLOAD(me - 1), life * A_LIFE + content)
}

active [N] proctype process()
{
	short own, t, s, c, p;	/* its own state; W and a seat as it read them */
	byte me, life, ticket, entry, i, laps;	/* me: 1 + its seat */
	bit met;

end:	do
	:: d_step {
		laps < LAPS ->
		laps++; opened++; life = opened; lives[life] = 1
	   };
	   do
	   :: read_seat(i);
	      if
	      :: phase(c) == FREE ->
		 cas_seat(i, to_phase(c, JOINING) + A_SEQ, life * A_LIFE);
		 if
		 :: met -> break
		 :: else
		 fi
	      :: else -> scan(i)
	      fi;
	      i = (i + 1) % SEATS
	   od;
	   me = i + 1;
	   d_step {
		is_drained ->
		memory[BELL(i)] = ALIVE;
		own = to_phase(c, IDLE) + A_SEQ;
		c = 0; p = 0; i = 0; met = 0
	   };
	   d_step { has_room -> set_state(IDLE) };
	   d_step { has_room -> set_state(TAKING + A_SEQ) };
	   change_w(s + 1);
	   d_step { has_room -> ticket = issue(s); set_payload(ticket) };
	   d_step { has_room -> set_state(HAVE) };
	   d_step { valid(load(W_S)) >= ticket -> s = 0 };
	   do
	   :: load(SLOT) == ticket -> break
	   :: else ->
		assert(t != load(W_T));	/* settled, and stands still */
		read_w();
		settle()
	   od;
	   s = 0;
	   d_step {
		has_room ->
		set_payload(IN_SLOT + ticket);
		t = 0;
		inside++;
		assert(inside <= 1)
	   };
	   d_step { has_room -> set_state(RELEASING + A_SEQ); inside-- };
	   change_w(s + A_VALID);
	   {
		d_step { entry = ticket; ticket = 0 };
		cas_slot(valid(s));
		d_step { has_room -> set_state(IDLE); s = 0 };
		leave()
	   } unless {
		(killed == who + 1);
		d_step {
			is_drained ->
			memory[BELL(me - 1)] =
				(memory[BELL(me - 1)] == ALIVE -> DIED :
				 memory[BELL(me - 1)])
		};
		d_step { is_drained -> lives[life] = 0; killed = 0 }
	   };
	   d_step {
		own = 0; t = 0; s = 0; c = 0; p = 0;
		me = 0; life = 0; ticket = 0; entry = 0; met = 0
	   }
	od
}

#ifdef CRASH
active proctype kill()
{
	if
	:: killed = 1
	:: killed = 2
	fi
}
#endif
