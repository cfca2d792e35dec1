/* SPDX-License-Identifier: MIT */
/*
 * buffer - memory with store buffers, as x86-64 has it, for the twins that include
 * this file.  What a process stores enters its own buffer, which nobody else
 * sees; a load looks there first, for the newest entry.  A buffer drains into
 * memory, oldest entry first, whenever it pleases: it is a process of its own.  A
 * locked instruction, a system call and a fence need the own buffer empty.
 * Without -DTSO there are no buffers.
 *
 * Registers are numbered from 1, processes (`who`) from 0.  One access is a d_step,
 * or a guard alone:
 *
 *   load(r)      what this process sees in register r
 *   has_room     a guard: the buffer is not full, so that the process may store
 *   store(r, v)  register r := v
 *   is_drained   a guard: all it stored is in memory[], which it may use directly
 */
#ifndef WORD
#define WORD byte
#endif
#ifndef START
#define START
#endif
WORD memory[REGISTERS + 1] START;

#ifdef TSO
#define CAPACITY 4
byte at[CAPACITY * N];		/* the register of an entry; 0: there is none */
WORD put[CAPACITY * N];		/* its value */

#define entry(i) (CAPACITY * who + (i))
#define newest(r, i, older) (at[entry(i)] == (r) -> put[entry(i)] : older)
#define load(r) \
	newest(r, 3, newest(r, 2, newest(r, 1, newest(r, 0, memory[r]))))
#define has_room (at[entry(3)] == 0)
#define is_drained (at[entry(0)] == 0)
#define entries \
	((at[entry(0)] != 0) + (at[entry(1)] != 0) + (at[entry(2)] != 0))

#define who _pid		/* the buffers come first */
inline move(to, from)
{
	at[entry(to)] = at[entry(from)];
	put[entry(to)] = put[entry(from)]
}

active [N] proctype buffer()
{
end:	do
	:: d_step {
		!is_drained ->
		memory[at[entry(0)]] = put[entry(0)];
		move(0, 1); move(1, 2); move(2, 3);
		at[entry(3)] = 0; put[entry(3)] = 0
	   }
	od
}
#undef who
#define who (_pid - N)

inline store(r, v)
{
	put[entry(entries)] = v;
	at[entry(entries)] = r
}
#else
#define who _pid
#define load(r) memory[r]
#define has_room true
#define is_drained true
#define store(r, v) memory[r] = v
#endif
