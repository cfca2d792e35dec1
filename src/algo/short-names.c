/* SPDX-License-Identifier: MIT */
/*
 * short-names - a queue whose beginning is shared, and whose rest is the supervisor's.
 *
 * Source   FLBB 1979, Lemma 4.5, which is a sketch; doc/short-names.md completes it,
 *          and says where it differs.  Its l is our k, its k our r.
 * Value    exposed, the first 2k+2r-1 of the queue, each by a short name, or empty
 *          once its process has left C; quitter, whether the entry after the first
 *          k is one; inside, how many are in C; issue and issued, the colour of the
 *          tickets that are issued and their number; asked, the colours whose
 *          holders are to converse; r channels.
 *          The supervisor's own: hidden, the tickets of the rest of the queue;
 *          counted, how many of those issued he has seen; the two colours of a
 *          round of conversations, and how far each conversation has got.
 * Names    a ticket, the long name, is a colour and a number below n.  Of at most
 *          max(1, r-1) tickets of one colour a bit of the number tells which is
 *          which: the short name is the colour, the position of that bit, and the
 *          bit.
 * N1       each entry is the name of one process, and whoever is in C has one of
 *          the first k (mutants keep-issuing, no-farewell).
 * N2       the supervisor knows the tickets of all who are hidden (mutant
 *          no-farewell).
 * N3       while anybody is hidden, exposed is full (mutant delete-alone).
 * N4       a colour that is exposed has at most max(1, r-1) holders, and is not
 *          issued (mutant keep-issuing).
 * N5       a colour is new when it comes into use: only those to whom it was
 *          issued hold the issue colour; in a round nobody holds colour one or
 *          two before he is given it (mutant colour-in-use).
 * FIFO     exposed and then hidden are in the order of arrival: enabling is FIFO,
 *          (C5') (mutant delete-alone).
 * Crash    r conversations go on at once, and a round of them ends when at most
 *          max(1, r-1) processes have not answered.  So fewer than r workers may
 *          stop, anywhere (mutants one-channel, round-short); the supervisor may
 *          not.
 *
 * Steps    in the order of doc/short-names.md.  In short-names/ are program
 *          counters, variants, mutants and invariants (lists.h), sizes and names
 *          (names.h), the shared variable (layout.h), what a process remembers
 *          (process.h), N1 to N5 (invariants.h), what Lemma 4.3 asks
 *          (eliminate.h) and texts (show.h).
 */
#include "algo/short-names/eliminate.h"
#include "algo/short-names/invariants.h"
#include "algo/short-names/show.h"

/* --- a worker ---------------------------------------------------------------- */

/* Who finds room in exposed knows that nobody is hidden: N3. */
static void enter(const struct wicket_cfg *c, struct office *o,
		  struct wicket_proc *p)
{
	struct ticket t = { o->issue, o->issued };

	if (o->length < exposed_max(c)) {
		t.colour = least_free(exposed_colours(o) | just(o->issue));
		t.number = 0;
		o->exposed[o->length++] = short_name(c, t, 0);
	} else {
		o->issued++;
	}
	p->local[TICKET] = code_of(c, t);
	p->pc = TRY;
}

static void hang_up(struct wicket_proc *p)
{
	p->local[TALK] = p->local[PROGRESS] = p->local[NEWS] = 0;
}

static uint32_t next_up(struct wicket_proc *p)
{
	return p->local[TICKET] >> p->local[PROGRESS]++ & 1 ? UP_1 : UP_0;
}

/* The last bit makes it the ticket. */
static void take_bit(const struct wicket_cfg *c, struct wicket_proc *p,
		     uint64_t bit)
{
	uint64_t got = p->local[PROGRESS]++ - ticket_bits(c);

	p->local[NEWS] |= bit << got;
	if (got + 1 < ticket_bits(c))
		return;
	p->local[TICKET] = p->local[NEWS];
	hang_up(p);
}

static void call(const struct wicket_cfg *c, struct office *o,
		 struct wicket_proc *p)
{
	uint32_t channels = c->mutant == ONE_CHANNEL ? 1 : c->r;
	uint32_t i = 0;

	while (i < channels && o->channel[i] != IDLE)
		i++;
	if (i == channels)
		return;
	p->local[TALK] = i + 1;
	o->channel[i] = next_up(p);
}

/* It sends its ticket, and is given another.  (What comes out of turn is a bug of a
   mutant.) */
static void converse(const struct wicket_cfg *c, struct office *o,
		     struct wicket_proc *p)
{
	uint32_t *channel = &o->channel[p->local[TALK] - 1];
	int sends = p->local[PROGRESS] < ticket_bits(c);

	if (*channel == NEXT && sends) {
		*channel = next_up(p);
	} else if ((*channel == DOWN_0 || *channel == DOWN_1) && !sends) {
		take_bit(c, p, *channel == DOWN_1);
		*channel = TAKEN;
	} else if (*channel == FAREWELL) {
		*channel = IDLE;
		hang_up(p);
	}
}

static void try(const struct wicket_cfg *c, struct office *o,
		struct wicket_proc *p)
{
	if (p->local[TALK])
		converse(c, o, p);
	else if (is_in(o->asked, held(c, *p).colour))
		call(c, o, p);
	if (place(c, o, *p) < c->k) {
		o->inside++;
		p->pc = LEAVE;
	}
}

static void leave(const struct wicket_cfg *c, struct office *o,
		  struct wicket_proc *p)
{
	uint32_t i = place(c, o, *p);

	if (i < o->length)
		o->exposed[i] = (struct entry){ NONE, 0, 0 };
	o->inside--;
	p->local[TICKET] = 0;
	hang_up(p);
	p->pc = ENTER;
}

/* --- the supervisor ------------------------------------------------------------ */
/*
 * What he does is a number, which tells all of it that his own state cannot: so
 * transno of (R8) is the decision, and newstate its effect on what is his own.  From
 * each of his states the numbers are below c3, since they are stored.  Each
 * step is three functions: the decision, what it does to the shared variable, and what
 * to his own, which is changed last.
 */

/* --- advance: an empty entry goes, a hidden one comes ---------------------------- */

enum { NOTHING, MARK, DELETE, POP, POP_AND_CLOSE, BEGIN, COUNT /* + colour */ };

static uint32_t decide_advance(const struct wicket_cfg *c,
			       const struct office *o, const struct own *own)
{
	uint32_t head;

	if (first_of(o, NONE) == o->length)
		return NOTHING;
	if (o->length > c->k && !o->quitter && c->mutant != UNMARKED)
		return MARK;
	if (!own->length)
		return o->issued ? COUNT + o->issue : DELETE;
	head = own->hidden[0].colour;
	if (first_of(o, head) < o->length)
		return POP;
	if (head == o->issue && own->counted != o->issued)
		return COUNT + o->issue;
	if (count_hidden(own, just(head)) > few(c))
		return BEGIN;
	return head == o->issue ? POP_AND_CLOSE : POP;
}

/* The bit of its number that tells the head from the others of its colour. */
static uint32_t position_for(const struct wicket_cfg *c, const struct office *o,
			     const struct own *own)
{
	uint32_t at = first_of(o, own->hidden[0].colour), differ = 0;

	if (!names_have_bits(c))
		return 0;
	if (at < o->length)
		return o->exposed[at].position;
	for (uint32_t i = 1; i < own->length; i++) {
		if (own->hidden[i].colour == own->hidden[0].colour)
			differ |= own->hidden[i].number ^ own->hidden[0].number;
	}
	return differ ? (uint32_t)__builtin_ctz(differ) : 0;
}

static void delete_empty(const struct wicket_cfg *c, struct office *o)
{
	uint32_t i = first_of(o, NONE);

	for (; i + 1 < o->length; i++)
		o->exposed[i] = o->exposed[i + 1];
	o->length--;
	o->quitter = o->length > c->k;
}

static void expose_head(const struct wicket_cfg *c, struct office *o,
			const struct own *own)
{
	uint32_t position = position_for(c, o, own);

	o->exposed[o->length++] = short_name(c, own->hidden[0], position);
	o->quitter = o->length > c->k;
}

static void advance_office(const struct wicket_cfg *c, struct office *o,
			   const struct own *own, uint32_t number)
{
	switch (number) {
	case MARK:
		o->quitter = 1;
		break;
	case DELETE:
		delete_empty(c, o);
		break;
	case POP: /* both in one step: N3 */
		delete_empty(c, o);
		expose_head(c, o, own);
		break;
	case POP_AND_CLOSE: /* and its colour is issued no more: N4 */
		delete_empty(c, o);
		expose_head(c, o, own);
		if (c->mutant != KEEP_ISSUING)
			o->issue = least_free(used_colours(c, o, own));
		o->issued = 0;
		break;
	case BEGIN:
		if (c->mutant == DELETE_ALONE)
			delete_empty(c, o);
		break;
	}
}

/* (Part by part: of copying the whole a compiler makes a call of memmove.) */
static void pop(struct own *own)
{
	own->length--;
	for (uint32_t i = 0; i < own->length; i++) {
		own->hidden[i].colour = own->hidden[i + 1].colour;
		own->hidden[i].number = own->hidden[i + 1].number;
	}
}

/* One more of those that were issued. */
static void count(struct own *own, uint32_t colour)
{
	own->hidden[own->length++] = (struct ticket){ colour, own->counted++ };
}

static enum pc advance_own(struct own *own, uint32_t number)
{
	if (number == BEGIN)
		return FIRST;
	if (number >= COUNT)
		count(own, number - COUNT);
	if (number == POP || number == POP_AND_CLOSE)
		pop(own);
	if (number == POP_AND_CLOSE)
		own->counted = 0;
	return ADVANCE;
}

/* --- a round begins: its colours, and who is asked -------------------------------- */

/* The number is two; or closing + two; or one_more. */
static uint32_t closing(const struct wicket_cfg *c)
{
	return colours(c);
}

static uint32_t one_more(const struct wicket_cfg *c)
{
	return 2 * colours(c);
}

static uint32_t decide_second(const struct wicket_cfg *c,
			      const struct office *o, const struct own *own)
{
	uint32_t two = least_free(used_colours(c, o, own) | just(own->one));

	if (own->hidden[0].colour != o->issue)
		return two;
	return own->counted != o->issued ? one_more(c) : closing(c) + two;
}

static void second_office(const struct wicket_cfg *c, struct office *o,
			  const struct own *own, uint32_t number)
{
	uint32_t used = used_colours(c, o, own) | just(own->one) |
			just(number % closing(c));

	if (number == one_more(c))
		return;
	o->asked = hidden_colours(own) & ~exposed_colours(o);
	if (number >= closing(c)) {
		o->issue = least_free(used);
		o->issued = 0;
	} else {
		o->asked &= ~just(o->issue);
	}
}

static enum pc second_own(const struct wicket_cfg *c, struct own *own,
			  uint32_t number)
{
	if (number == one_more(c)) {
		count(own, own->hidden[0].colour);
		return SECOND;
	}
	own->two = number % closing(c);
	if (number >= closing(c))
		own->counted = 0;
	return CONVERSE;
}

/* --- conversations ---------------------------------------------------------------- */

/* Two bits for each of r channels; and one above them: is the round over? */
enum { SILENCE, HEARD_0, HEARD_1, HEARD_TAKEN };

static uint32_t over(const struct wicket_cfg *c)
{
	return 1u << 2 * c->r;
}

static uint32_t heard(uint32_t channel)
{
	return channel == UP_0	? HEARD_0 :
	       channel == UP_1	? HEARD_1 :
	       channel == TAKEN ? HEARD_TAKEN :
				  SILENCE;
}

static uint32_t heard_on(uint32_t number, uint32_t t)
{
	return number >> 2 * t & 3;
}

/* The ticket that goes down, to whoever sent that one up. */
static struct ticket answer_to(const struct own *own, struct ticket t)
{
	uint32_t i = index_of(own, t);

	return i ? (struct ticket){ own->two, i } :
		   (struct ticket){ own->one, 0 };
}

static void listen(const struct wicket_cfg *c, struct own *own, uint32_t t,
		   uint32_t what)
{
	uint32_t *code = &own->talk[t].code;
	uint32_t *progress = &own->talk[t].progress;
	struct ticket old;

	if (what == SILENCE)
		return;
	if (what == HEARD_1)
		*code |= 1u << *progress;
	if (++*progress < 2 * ticket_bits(c))
		return;
	old = ticket_of(c, *code);
	own->hidden[index_of(own, old)] = answer_to(own, old);
	*code = *progress = 0;
}

static void listen_all(const struct wicket_cfg *c, struct own *own,
		       uint32_t number)
{
	for (uint32_t t = 0; t < c->r; t++)
		listen(c, own, t, heard_on(number, t));
}

static uint32_t decide_converse(const struct wicket_cfg *c,
				const struct office *o, struct own own)
{
	uint32_t number = 0, left = few(c) + (c->mutant == ROUND_SHORT);

	for (uint32_t t = 0; t < c->r; t++)
		number |= heard(o->channel[t]) << 2 * t;
	listen_all(c, &own, number);
	return number | (count_hidden(&own, o->asked) <= left ? over(c) : 0);
}

/* What he says to what he has heard. */
static enum channel reply(const struct wicket_cfg *c, struct own own,
			  uint32_t t, uint32_t what)
{
	uint32_t width = ticket_bits(c), done = own.talk[t].progress + 1, code;

	listen(c, &own, t, what);
	if (done < width)
		return NEXT;
	if (done == 2 * width)
		return IDLE;
	code = code_of(c, answer_to(&own, ticket_of(c, own.talk[t].code)));
	return code >> (done - width) & 1 ? DOWN_1 : DOWN_0;
}

static void converse_office(const struct wicket_cfg *c, struct office *o,
			    const struct own *own, uint32_t number)
{
	for (uint32_t t = 0; t < c->r; t++) {
		uint32_t what = heard_on(number, t);

		if (what != SILENCE)
			o->channel[t] = reply(c, *own, t, what);
		if (number >= over(c) && o->channel[t] != IDLE &&
		    c->mutant != NO_FAREWELL)
			o->channel[t] = FAREWELL;
	}
	if (number >= over(c))
		o->asked = 0;
}

static enum pc converse_own(const struct wicket_cfg *c, struct own *own,
			    uint32_t number)
{
	listen_all(c, own, number);
	if (number < over(c))
		return CONVERSE;
	own->one = own->two = 0;
	for (uint32_t t = 0; t < c->r; t++)
		own->talk[t].code = own->talk[t].progress = 0;
	return ADVANCE;
}

/* --- a step of his ---------------------------------------------------------------- */

static uint32_t decide(const struct wicket_cfg *c, enum pc now,
		       const struct office *o, const struct own *own)
{
	switch (now) {
	case ADVANCE:
		return decide_advance(c, o, own);
	case FIRST:
		return least_free(used_colours(c, o, own));
	case SECOND:
		return decide_second(c, o, own);
	default:
		return decide_converse(c, o, *own);
	}
}

static void change_office(const struct wicket_cfg *c, enum pc now,
			  struct office *o, const struct own *own,
			  uint32_t number)
{
	if (now == ADVANCE)
		advance_office(c, o, own, number);
	if (now == SECOND)
		second_office(c, o, own, number);
	if (now == CONVERSE)
		converse_office(c, o, own, number);
}

static enum pc change_own(const struct wicket_cfg *c, enum pc now,
			  struct own *own, uint32_t number)
{
	switch (now) {
	case ADVANCE:
		return advance_own(own, number);
	case FIRST:
		own->one = number;
		return SECOND;
	case SECOND:
		return second_own(c, own, number);
	default:
		return converse_own(c, own, number);
	}
}

static void supervise(const struct wicket_cfg *c, struct office *o,
		      struct wicket_proc *p)
{
	enum pc now = p->pc;
	struct own own = own_of(c, *p);
	uint32_t number = decide(c, now, o, &own);

	change_office(c, now, o, &own, number);
	p->pc = (uint16_t)change_own(c, now, &own, number);
	keep(c, p, &own);
}

/* (R8) */
static uint32_t transno(const struct wicket_cfg *c, struct wicket_proc p,
			struct wicket_value v)
{
	struct office o = unpack(c, v);
	struct own own = own_of(c, p);

	return decide(c, p.pc, &o, &own);
}

static struct wicket_proc newstate(const struct wicket_cfg *c,
				   struct wicket_proc p, uint32_t number)
{
	struct own own = own_of(c, p);

	p.pc = (uint16_t)change_own(c, p.pc, &own, number);
	keep(c, &p, &own);
	return p;
}

/* By what SECOND decides, or by what is heard and whether the round is over; COUNT +
   colour is less. */
static uint32_t c3(const struct wicket_cfg *c)
{
	uint32_t second = 2 * colours(c) + 1, talks = 2u << 2 * c->r;

	return second > talks ? second : talks;
}

/* --- the contract ------------------------------------------------------------ */

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	return supervisor_start(c, i, ADVANCE);
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct office o = unpack(c, seen);

	switch (p.pc) {
	case ENTER:
		enter(c, &o, &p);
		break;
	case TRY:
		try(c, &o, &p);
		break;
	case LEAVE:
		leave(c, &o, &p);
		break;
	default:
		supervise(c, &o, &p);
		break;
	}
	return (struct wicket_result){ .proc = p, .put = pack(c, &o) };
}

static const struct wicket_simulatable simulatable = {
	.elig = elig,
	.active = active,
	.c1 = c1,
	.c2 = c2,
	.c3 = c3,
	.transno = transno,
	.newstate = newstate,
	.length = length,
	.pack = pack_state,
	.unpack = unpack_state,
};

const struct wicket_algo wicket_short_names = {
	.name = "short-names",
	.title = "a queue of short names and a supervisor",
	.source = "FLBB 1979, Lemma 4.5",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_K_EXCLUSION | WICKET_C2 | WICKET_C4_ENABLING |
		     WICKET_C5_ENABLING | WICKET_SIMULATABLE,
	.solves = WICKET_K_EXCLUSION | WICKET_C2 | WICKET_C4_ENABLING |
		  WICKET_C5_ENABLING | WICKET_SIMULATABLE,
	.heavy = 2,
	.helper = { "S", "the supervisor" },
	.refuse = refuse,
	.processes = wicket_one_helper,
	.registers = wicket_one_register,
	.reg = reg,
	.start = start,
	.region = wicket_pc_is_region,
	.access = wicket_whole_action,
	.step = step,
	.simulatable = &simulatable,
	.holds = holds,
	.bound = bound,
	.bits = bits,
	.show_step = show_step,
	.show = show,
};
