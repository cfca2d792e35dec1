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
 * FIFO     exposed and then hidden are in the order of arrival: enabling is FIFO,
 *          (C5') (mutant delete-alone).
 * Crash    r conversations go on at once, and a round of them ends when at most
 *          max(1, r-1) processes have not answered.  So fewer than r workers may
 *          stop, anywhere (mutants one-channel, round-short); the supervisor may
 *          not.
 */
#include "algo/bits.h"
#include "algo/supervisor.h"

enum pc {
	ENTER = WICKET_FROM_R,
	TRY = WICKET_FROM_T,
	LEAVE = WICKET_FROM_C,
	ADVANCE, /* S0, the supervisor: an empty entry goes, a hidden one comes */
	FIRST,	 /* S1: the colour for the first of those who are hidden */
	SECOND,	  /* S2: the colour for the others; then they are asked */
	CONVERSE, /* S3: a bit at a time */
};

enum local { TICKET, TALK, PROGRESS, NEWS }; /* of a worker */

enum variant { LEAST = 1 };

enum mutant {
	KEEP_ISSUING = 1,
	NO_FAREWELL,
	ROUND_SHORT,
	DELETE_ALONE,
	ONE_CHANNEL,
	UNMARKED,
};

enum {
	SLOTS_MAX = 5,
	ROBUSTNESS_MAX = 3,
	COLOURS_MAX = 16,
	EXPOSED_MAX = 11,
	NONE = COLOURS_MAX, /* no colour: the entry is empty */
};

/* Up: bits of the ticket that a worker has; down: of the one that it gets. */
enum channel { IDLE, UP_0, UP_1, NEXT, DOWN_0, DOWN_1, TAKEN, FAREWELL };

/* --- sizes ----------------------------------------------------------------- */

static uint32_t exposed_max(const struct wicket_cfg *c)
{
	return c->variant == LEAST ? c->k + 1 : 2 * c->k + 2 * c->r - 1;
}

static uint32_t colours(const struct wicket_cfg *c)
{
	return exposed_max(c) + c->r + 3;
}

/* So many tickets of one colour have short names of their own. */
static uint32_t few(const struct wicket_cfg *c)
{
	return supervisor_few(c);
}

static uint32_t channels(const struct wicket_cfg *c)
{
	return c->mutant == ONE_CHANNEL ? 1 : c->r;
}

static uint32_t number_bits(const struct wicket_cfg *c)
{
	return wicket_bits(c->n);
}

static uint32_t ticket_bits(const struct wicket_cfg *c)
{
	return wicket_bits(colours(c)) + number_bits(c);
}

static uint32_t hidden_max(const struct wicket_cfg *c)
{
	uint32_t waiting = exposed_max(c) - c->k; /* the others may be empty */

	return c->n > waiting ? c->n - waiting : 0;
}

/* --- names ----------------------------------------------------------------- */

struct ticket {
	uint32_t colour, number;
};

static struct ticket ticket_of(const struct wicket_cfg *c, uint64_t code)
{
	uint32_t width = wicket_bits(colours(c));

	return (struct ticket){ (uint32_t)code & ((1u << width) - 1),
				(uint32_t)code >> width };
}

static uint32_t code_of(const struct wicket_cfg *c, struct ticket t)
{
	return t.number << wicket_bits(colours(c)) | t.colour;
}

static int is_same(struct ticket a, struct ticket b)
{
	return a.colour == b.colour && a.number == b.number;
}

struct entry {
	uint32_t colour; /* or NONE */
	uint32_t position, bit;
};

static struct entry short_name(const struct wicket_cfg *c, struct ticket t,
			       uint32_t position)
{
	uint32_t bit = few(c) > 1 ? t.number >> position & 1 : 0;

	return (struct entry){ t.colour, position, bit };
}

static int names(const struct wicket_cfg *c, struct entry e, struct ticket t)
{
	return e.colour == t.colour &&
	       e.bit == short_name(c, t, e.position).bit;
}

/* --- the shared variable --------------------------------------------------- */

struct office {
	uint32_t length; /* of exposed */
	struct entry exposed[EXPOSED_MAX];
	uint32_t quitter, inside;
	uint32_t issue, issued;
	uint32_t asked; /* a set of colours */
	uint32_t channel[ROBUSTNESS_MAX];
};

/* Of the fields, in the order in which they are packed. */
struct widths {
	uint32_t length, colour, position, bit, inside, issue, issued;
};

static struct widths widths_of(const struct wicket_cfg *c)
{
	uint32_t map = few(c) > 1;

	return (struct widths){
		.length = wicket_bits(exposed_max(c) + 1),
		.colour = wicket_bits(colours(c) + 1),
		.position = map ? wicket_bits(number_bits(c)) : 0,
		.bit = map,
		.inside = wicket_bits(c->k + 1),
		.issue = wicket_bits(colours(c)),
		.issued = wicket_bits(c->n + 1),
	};
}

static struct wide office_bits(const struct wicket_cfg *c,
			       const struct office *o)
{
	struct widths width = widths_of(c);
	struct wide b = { 0 };

	wide_put(&b, o->length, width.length);
	for (uint32_t i = 0; i < exposed_max(c); i++) {
		struct entry e = { 0, 0, 0 };

		if (i < o->length)
			e = o->exposed[i];
		wide_put(&b, e.colour == NONE ? colours(c) : e.colour,
			 width.colour);
		wide_put(&b, e.position, width.position);
		wide_put(&b, e.bit, width.bit);
	}
	wide_put(&b, o->quitter, 1);
	wide_put(&b, o->inside, width.inside);
	wide_put(&b, o->issue, width.issue);
	wide_put(&b, o->issued, width.issued);
	wide_put(&b, o->asked, colours(c));
	for (uint32_t t = 0; t < c->r; t++)
		wide_put(&b, o->channel[t], 3);
	return b;
}

static struct wicket_value pack(const struct wicket_cfg *c,
				const struct office *o)
{
	struct wide b = office_bits(c, o);

	return (struct wicket_value){ { b.w[0], b.w[1], b.w[2] } };
}

static struct office unpack(const struct wicket_cfg *c, struct wicket_value v)
{
	struct widths width = widths_of(c);
	struct wide b = { .w = { v.w[0], v.w[1], v.w[2] } };
	struct office o;

	o.length = wide_take(&b, width.length);
	for (uint32_t i = 0; i < exposed_max(c); i++) {
		uint32_t colour = wide_take(&b, width.colour);

		o.exposed[i].colour = colour == colours(c) ? NONE : colour;
		o.exposed[i].position = wide_take(&b, width.position);
		o.exposed[i].bit = wide_take(&b, width.bit);
	}
	o.quitter = wide_take(&b, 1);
	o.inside = wide_take(&b, width.inside);
	o.issue = wide_take(&b, width.issue);
	o.issued = wide_take(&b, width.issued);
	o.asked = wide_take(&b, colours(c));
	for (uint32_t t = 0; t < c->r; t++)
		o.channel[t] = wide_take(&b, 3);
	return o;
}

/* Where it is exposed; else the length. */
static uint32_t place_of(const struct wicket_cfg *c, const struct office *o,
			 struct ticket t)
{
	uint32_t i = 0;

	while (i < o->length && !names(c, o->exposed[i], t))
		i++;
	return i;
}

static uint32_t first_of(const struct office *o, uint32_t colour)
{
	uint32_t i = 0;

	while (i < o->length && o->exposed[i].colour != colour)
		i++;
	return i;
}

static uint32_t exposed_colours(const struct office *o)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < o->length; i++)
		set |= 1u << o->exposed[i].colour;
	return set & ~(1u << NONE);
}

static uint32_t least_free(uint32_t used)
{
	return (uint32_t)__builtin_ctz(~used);
}

/* --- the workers ----------------------------------------------------------- */

/* Who finds room in exposed knows that nobody is hidden: N3. */
static void enter(const struct wicket_cfg *c, struct office *o,
		  struct wicket_proc *p)
{
	struct ticket t = { o->issue, o->issued };

	if (o->length < exposed_max(c)) {
		t.colour = least_free(exposed_colours(o) | 1u << o->issue);
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

static void answer(const struct wicket_cfg *c, struct office *o,
		   struct wicket_proc *p)
{
	struct ticket t = ticket_of(c, p->local[TICKET]);

	for (uint32_t i = 0;
	     i < channels(c) && !p->local[TALK] && o->asked >> t.colour & 1;
	     i++) {
		if (o->channel[i] != IDLE)
			continue;
		p->local[TALK] = i + 1;
		o->channel[i] = next_up(p);
	}
}

static void try(const struct wicket_cfg *c, struct office *o,
		struct wicket_proc *p)
{
	if (p->local[TALK])
		converse(c, o, p);
	else
		answer(c, o, p);
	if (place_of(c, o, ticket_of(c, p->local[TICKET])) < c->k) {
		o->inside++;
		p->pc = LEAVE;
	}
}

static void leave(const struct wicket_cfg *c, struct office *o,
		  struct wicket_proc *p)
{
	uint32_t i = place_of(c, o, ticket_of(c, p->local[TICKET]));

	if (i < o->length)
		o->exposed[i] = (struct entry){ NONE, 0, 0 };
	o->inside--;
	p->local[TICKET] = 0;
	hang_up(p);
	p->pc = ENTER;
}

/* --- what the supervisor keeps to himself ------------------------------------ */

struct own {
	uint32_t length; /* of hidden */
	struct ticket hidden[WICKET_PROCS_MAX];
	uint32_t counted;
	uint32_t one, two; /* colours of the round */
	struct {
		uint32_t code, progress;
	} talk[ROBUSTNESS_MAX];
};

static struct wide own_bits(const struct wicket_cfg *c, const struct own *own)
{
	uint32_t most = hidden_max(c);
	/* a mutant may hide one too many, who is lost */
	uint32_t length = own->length < most ? own->length : most;
	uint32_t width = ticket_bits(c), colour = wicket_bits(colours(c));
	struct wide b = { 0 };

	wide_put(&b, length, wicket_bits(most + 1));
	for (uint32_t i = 0; i < most; i++)
		wide_put(&b, i < own->length ? code_of(c, own->hidden[i]) : 0,
			 width);
	wide_put(&b, own->counted, wicket_bits(c->n + 1));
	wide_put(&b, own->one, colour);
	wide_put(&b, own->two, colour);
	for (uint32_t t = 0; t < c->r; t++) {
		wide_put(&b, own->talk[t].code, width);
		wide_put(&b, own->talk[t].progress, wicket_bits(2 * width));
	}
	return b;
}

static struct own own_of(const struct wicket_cfg *c, struct wicket_proc p)
{
	uint32_t width = ticket_bits(c), colour = wicket_bits(colours(c));
	struct wide b = { .w = { p.local[0], p.local[1], p.local[2] } };
	struct own own;

	own.length = wide_take(&b, wicket_bits(hidden_max(c) + 1));
	for (uint32_t i = 0; i < hidden_max(c); i++)
		own.hidden[i] = ticket_of(c, wide_take(&b, width));
	own.counted = wide_take(&b, wicket_bits(c->n + 1));
	own.one = wide_take(&b, colour);
	own.two = wide_take(&b, colour);
	for (uint32_t t = 0; t < c->r; t++) {
		own.talk[t].code = wide_take(&b, width);
		own.talk[t].progress = wide_take(&b, wicket_bits(2 * width));
	}
	return own;
}

static void keep(const struct wicket_cfg *c, struct wicket_proc *p,
		 const struct own *own)
{
	struct wide b = own_bits(c, own);

	for (uint32_t i = 0; i < WIDE_WORDS; i++)
		p->local[i] = b.w[i];
}

static uint32_t hidden_of(const struct own *own, uint32_t set)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < own->length; i++)
		sum += set >> own->hidden[i].colour & 1;
	return sum;
}

static uint32_t hidden_colours(const struct own *own)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < own->length; i++)
		set |= 1u << own->hidden[i].colour;
	return set;
}

static uint32_t used(const struct office *o, const struct own *own)
{
	return exposed_colours(o) | hidden_colours(own) | 1u << o->issue;
}

/* Where a ticket is in hidden; it is there. */
static uint32_t index_of(const struct wicket_cfg *c, const struct own *own,
			 uint32_t code)
{
	uint32_t i = 0;

	while (i + 1 < own->length &&
	       !is_same(own->hidden[i], ticket_of(c, code)))
		i++;
	return i;
}

/* --- the supervisor ------------------------------------------------------------ */
/*
 * What he does is a number, which tells all of it that his own state cannot: so
 * transno of (R8) is the decision, and newstate its effect on what is his own.
 */
enum advance { NOTHING, MARK, DELETE, POP, POP_AND_CLOSE, BEGIN, COUNT };
enum { CLOSE = COLOURS_MAX, ONE_MORE = 2 * COLOURS_MAX };   /* of SECOND */
enum { SILENCE, HEARD_0, HEARD_1, HEARD_TAKEN, OVER = 64 }; /* of CONVERSE */

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
	if (hidden_of(own, 1u << head) > few(c))
		return BEGIN;
	return head == o->issue ? POP_AND_CLOSE : POP;
}

static uint32_t decide_second(const struct office *o, const struct own *own)
{
	uint32_t two = least_free(used(o, own) | 1u << own->one);

	if (own->hidden[0].colour != o->issue)
		return two;
	return own->counted != o->issued ? ONE_MORE : CLOSE + two;
}

static uint32_t heard(uint32_t channel)
{
	return channel == UP_0	? HEARD_0 :
	       channel == UP_1	? HEARD_1 :
	       channel == TAKEN ? HEARD_TAKEN :
				  SILENCE;
}

/* Of one conversation: the ticket that goes down. */
static struct ticket answer_to(const struct wicket_cfg *c,
			       const struct own *own, uint32_t t)
{
	uint32_t i = index_of(c, own, own->talk[t].code);

	return i ? (struct ticket){ own->two, i } :
		   (struct ticket){ own->one, 0 };
}

static void listen(const struct wicket_cfg *c, struct own *own, uint32_t t,
		   uint32_t what)
{
	uint32_t *progress = &own->talk[t].progress;

	if (what == SILENCE)
		return;
	if (what == HEARD_1)
		own->talk[t].code |= 1u << *progress;
	if (++*progress < 2 * ticket_bits(c))
		return;
	own->hidden[index_of(c, own, own->talk[t].code)] = answer_to(c, own, t);
	own->talk[t].code = own->talk[t].progress = 0;
}

static void listen_all(const struct wicket_cfg *c, struct own *own,
		       uint32_t number)
{
	for (uint32_t t = 0; t < c->r; t++)
		listen(c, own, t, number >> 2 * t & 3);
}

static uint32_t decide_converse(const struct wicket_cfg *c,
				const struct office *o, struct own own)
{
	uint32_t number = 0, left = few(c) + (c->mutant == ROUND_SHORT);

	for (uint32_t t = 0; t < c->r; t++)
		number |= heard(o->channel[t]) << 2 * t;
	listen_all(c, &own, number);
	return number | (hidden_of(&own, o->asked) <= left ? OVER : 0);
}

static uint32_t decide(const struct wicket_cfg *c, enum pc now,
		       const struct office *o, const struct own *own)
{
	switch (now) {
	case ADVANCE:
		return decide_advance(c, o, own);
	case FIRST:
		return least_free(used(o, own));
	case SECOND:
		return decide_second(o, own);
	default:
		return decide_converse(c, o, *own);
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

/* What that does to what is his own. */
static enum pc change_own(const struct wicket_cfg *c, enum pc now,
			  struct own *own, uint32_t number)
{
	switch (now) {
	case ADVANCE:
		if (number >= COUNT) {
			own->hidden[own->length++] = (struct ticket){
				number - COUNT, own->counted++
			};
		} else if (number == POP || number == POP_AND_CLOSE) {
			pop(own);
		}
		if (number == POP_AND_CLOSE)
			own->counted = 0;
		return number == BEGIN ? FIRST : ADVANCE;
	case FIRST:
		own->one = number;
		return SECOND;
	case SECOND:
		if (number == ONE_MORE) {
			own->hidden[own->length++] = (struct ticket){
				own->hidden[0].colour, own->counted++
			};
			return SECOND;
		}
		own->two = number % CLOSE;
		if (number >= CLOSE)
			own->counted = 0;
		return CONVERSE;
	default:
		listen_all(c, own, number);
		if (number < OVER)
			return CONVERSE;
		own->one = own->two = 0;
		for (uint32_t t = 0; t < c->r; t++)
			own->talk[t].code = own->talk[t].progress = 0;
		return ADVANCE;
	}
}

/* The bit of its number that tells a ticket from the others of its colour. */
static uint32_t position_for(const struct wicket_cfg *c, const struct office *o,
			     const struct own *own)
{
	uint32_t at = first_of(o, own->hidden[0].colour), differ = 0;

	if (few(c) == 1)
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

static void expose(const struct wicket_cfg *c, struct office *o,
		   const struct own *own)
{
	uint32_t position = position_for(c, o, own);

	o->exposed[o->length++] = short_name(c, own->hidden[0], position);
	o->quitter = o->length > c->k;
}

static void ask(struct office *o, const struct own *own, uint32_t number)
{
	uint32_t taken = used(o, own) | 1u << own->one | 1u << number % CLOSE;

	o->asked = hidden_colours(own) & ~exposed_colours(o);
	if (number >= CLOSE) {
		o->issue = least_free(taken);
		o->issued = 0;
	} else {
		o->asked &= ~(1u << o->issue);
	}
}

/* His side of each conversation; own is as it was before. */
static void speak(const struct wicket_cfg *c, struct office *o,
		  const struct own *own, uint32_t number)
{
	uint32_t width = ticket_bits(c);

	for (uint32_t t = 0; t < c->r; t++) {
		struct own then = *own;
		uint32_t done = own->talk[t].progress + 1;

		if (number >> 2 * t & 3) {
			listen(c, &then, t, number >> 2 * t & 3);
			o->channel[t] = done < width	  ? NEXT :
					done == 2 * width ? IDLE :
					code_of(c, answer_to(c, &then, t)) >>
								(done - width) &
							1 ?
							    DOWN_1 :
							    DOWN_0;
		}
		if (number >= OVER && o->channel[t] != IDLE &&
		    c->mutant != NO_FAREWELL)
			o->channel[t] = FAREWELL;
	}
	if (number >= OVER)
		o->asked = 0;
}

/* And what to the shared variable. */
static void change_office(const struct wicket_cfg *c, enum pc now,
			  struct office *o, const struct own *own,
			  uint32_t number)
{
	if (now == SECOND && number != ONE_MORE)
		ask(o, own, number);
	if (now == CONVERSE)
		speak(c, o, own, number);
	if (now != ADVANCE)
		return;
	if (number == MARK)
		o->quitter = 1;
	if (number == DELETE || number == POP || number == POP_AND_CLOSE ||
	    (number == BEGIN && c->mutant == DELETE_ALONE))
		delete_empty(c, o);
	if (number == POP || number == POP_AND_CLOSE)
		expose(c, o, own);
	if (number == POP_AND_CLOSE) {
		if (c->mutant != KEEP_ISSUING)
			o->issue = least_free(used(o, own));
		o->issued = 0;
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

/* --- the contract ------------------------------------------------------------ */

static const char *refuse(const struct wicket_cfg *c)
{
	return c->r > ROBUSTNESS_MAX ? "short-names has room for r up to 3" :
	       c->k > SLOTS_MAX || colours(c) > COLOURS_MAX ?
				       "short-names has room for 16 colours" :
	       c->n > WORKERS_MAX ? "short-names has room for 15 workers" :
				    0;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct office o = { 0 };

	(void)r;
	return (struct wicket_register){ .start = pack(c, &o) };
}

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

/* --- invariants -------------------------------------------------------------- */

struct world {
	const struct wicket_cfg *c;
	struct office o;
	struct own own;
	enum pc now;
	const struct wicket_proc *procs;
};

static int has_ticket(const struct world *w, uint32_t i)
{
	return w->procs[i].pc != ENTER;
}

static struct ticket ticket_by(const struct world *w, uint32_t i)
{
	return ticket_of(w->c, w->procs[i].local[TICKET]);
}

static int is_named(const struct world *w) /* N1 */
{
	uint32_t inside = 0;

	for (uint32_t e = 0; e < w->o.length; e++) {
		uint32_t owners = 0;

		for (uint32_t i = 0; i < w->c->n; i++)
			owners += has_ticket(w, i) &&
				  names(w->c, w->o.exposed[e], ticket_by(w, i));
		if (owners != (w->o.exposed[e].colour != NONE))
			return 0;
	}
	for (uint32_t i = 0; i < w->c->n; i++) {
		if (w->procs[i].pc != LEAVE)
			continue;
		inside++;
		if (place_of(w->c, &w->o, ticket_by(w, i)) >= w->c->k)
			return 0;
	}
	return inside == w->o.inside;
}

/* Who has just been renamed may not be known yet by the new name. */
static int is_known(const struct world *w, struct ticket t)
{
	int known = w->now == CONVERSE &&
		    (t.colour == w->own.one || t.colour == w->own.two);

	known |= t.colour == w->o.issue && t.number >= w->own.counted &&
		 t.number < w->o.issued;
	for (uint32_t i = 0; i < w->own.length; i++)
		known |= is_same(w->own.hidden[i], t);
	return known;
}

static uint32_t hidden_count(const struct world *w)
{
	return w->own.length + w->o.issued - w->own.counted;
}

static int is_known_to_him(const struct world *w) /* N2 */
{
	uint32_t hidden = 0;

	for (uint32_t i = 0; i < w->c->n; i++) {
		if (!has_ticket(w, i) ||
		    place_of(w->c, &w->o, ticket_by(w, i)) < w->o.length)
			continue;
		hidden++;
		if (!is_known(w, ticket_by(w, i)))
			return 0;
	}
	return hidden == hidden_count(w);
}

static int is_full(const struct world *w) /* N3 */
{
	return !hidden_count(w) || w->o.length == exposed_max(w->c);
}

static int is_few(const struct world *w) /* N4 */
{
	uint32_t exposed = exposed_colours(&w->o);

	for (uint32_t colour = 0; colour < colours(w->c); colour++) {
		uint32_t holders = 0;

		for (uint32_t i = 0; i < w->c->n; i++)
			holders += has_ticket(w, i) &&
				   ticket_by(w, i).colour == colour;
		if (exposed >> colour & 1 &&
		    (holders > few(w->c) || colour == w->o.issue))
			return 0;
	}
	return 1;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	struct world w = { c, unpack(c, regs[0]), own_of(c, procs[c->n]),
			   procs[c->n].pc, procs };

	return i == 0 ? is_named(&w) :
	       i == 1 ? is_known_to_him(&w) :
	       i == 2 ? is_full(&w) :
			is_few(&w);
}

/* --- without the supervisor: Lemma 4.3 ----------------------------------------- */

static enum wicket_eligibility elig(const struct wicket_cfg *c,
				    struct wicket_proc p, struct wicket_value v)
{
	struct office o = unpack(c, v);
	uint32_t place;

	if (p.pc != TRY)
		return WICKET_DRONE;
	place = place_of(c, &o, ticket_of(c, p.local[TICKET]));
	if (place < c->k)
		return WICKET_DRONE;
	return place == c->k && o.quitter ? WICKET_QUITTER : WICKET_HELPER;
}

static uint32_t active(const struct wicket_cfg *c, struct wicket_proc p,
		       struct wicket_value v)
{
	struct office o = unpack(c, v);
	struct own own = own_of(c, p);
	uint32_t sum = own.length + o.issued - own.counted - o.inside;

	for (uint32_t i = 0; i < o.length; i++)
		sum += o.exposed[i].colour != NONE;
	return sum;
}

static uint32_t c1(const struct wicket_cfg *c)
{
	return c->k + 2 * c->r - 1;
}

/* While so few are in T, nobody is hidden: N3. */
static uint32_t c2(const struct wicket_cfg *c)
{
	(void)c;
	return 1;
}

static uint32_t c3(const struct wicket_cfg *c)
{
	uint32_t second = 2 * colours(c) + 1, talks = 2u << 2 * c->r;

	return second > talks ? second : talks;
}

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

enum { PC_BITS = 2 };

static uint32_t length(const struct wicket_cfg *c)
{
	struct own own = { 0 };

	return PC_BITS + own_bits(c, &own).used;
}

static uint64_t pack_state(const struct wicket_cfg *c, struct wicket_proc p)
{
	(void)c;
	return supervisor_pack(p, ADVANCE, PC_BITS);
}

static struct wicket_proc unpack_state(const struct wicket_cfg *c, uint64_t x)
{
	(void)c;
	return supervisor_unpack(x, ADVANCE, PC_BITS);
}

/* --- space and text ---------------------------------------------------------- */

/* O(n log^c n) for fixed k and r, where c is 2k+2r-1 if names have bits. */
static uint64_t bound(const struct wicket_cfg *c)
{
	uint64_t colour = colours(c);
	uint64_t name = few(c) > 1 ? 2 * number_bits(c) : 1;
	uint64_t values = (c->n + 1) * colour * (c->k + 1) * 2;
	uint64_t exposed = 1;

	/* of each length: every entry a name, or empty */
	for (uint32_t i = 0; i < exposed_max(c); i++) {
		exposed = wicket_times(exposed, colour * name + 1);
		exposed += !!exposed;
	}
	values = wicket_times(values, exposed);
	values = wicket_times(values, (uint64_t)1 << colour);
	return wicket_times(values, (uint64_t)1 << 3 * c->r);
}

static uint32_t bits(const struct wicket_cfg *c, uint32_t r)
{
	struct office o = { 0 };

	(void)r;
	return office_bits(c, &o).used;
}

static void put_ticket(struct wicket_text *t, struct ticket ticket)
{
	wicket_put_char(t, (char)('a' + ticket.colour));
	wicket_put_number(t, ticket.number);
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	static const char *const name[] = {
		[ENTER] = "enter",     [TRY] = "look, ticket ",
		[LEAVE] = "leave",     [ADVANCE] = "advance",
		[FIRST] = "colour 1",  [SECOND] = "colour 2",
		[CONVERSE] = "listen",
	};

	wicket_put(t, name[p.pc]);
	if (p.pc == TRY)
		put_ticket(t, ticket_of(c, p.local[TICKET]));
	if (p.pc == TRY && p.local[TALK]) {
		wicket_put(t, ", channel ");
		wicket_put_number(t, (int64_t)p.local[TALK]);
	}
}

static void show_entry(const struct wicket_cfg *c, struct entry e,
		       struct wicket_text *t)
{
	if (e.colour == NONE) {
		wicket_put_char(t, '-');
		return;
	}
	wicket_put_char(t, (char)('a' + e.colour));
	if (few(c) > 1) {
		wicket_put_number(t, e.position);
		wicket_put_char(t, e.bit ? '+' : '.');
	}
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	struct office o = unpack(c, regs[0]);

	wicket_put(t, "exposed=");
	for (uint32_t i = 0; i < o.length; i++)
		show_entry(c, o.exposed[i], t);
	wicket_put(t, o.quitter ? " quitter inside=" : " inside=");
	wicket_put_number(t, o.inside);
	wicket_put(t, " issue=");
	put_ticket(t, (struct ticket){ o.issue, o.issued });
	wicket_put(t, " asked=");
	for (uint32_t i = 0; i < colours(c); i++) {
		if (o.asked >> i & 1)
			wicket_put_char(t, (char)('a' + i));
	}
	wicket_put(t, " ch=");
	for (uint32_t i = 0; i < c->r; i++)
		wicket_put_char(t, "-01>)(tx"[o.channel[i]]);
}

static const struct wicket_named variants[] = {
	{ "least", "the exposed part has k+1 entries" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "keep-issuing", "the colour of an exposed name is issued again", 0 },
	{ "no-farewell", "who has not answered in a round may do so later",
	  LEAST },
	{ "round-short", "a round ends while one too many has not answered",
	  LEAST },
	{ "delete-alone", "an entry is deleted before another can come", 0 },
	{ "one-channel", "there is one conversation at a time", LEAST },
	{ "unmarked", "nobody is made a quitter before the others move up", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "N1", "each entry names one process; those in C are among k" },
	{ "N2", "the supervisor knows the tickets of the hidden" },
	{ "N3", "while anybody is hidden, exposed is full" },
	{ "N4", "an exposed colour has few holders, and is not issued" },
	{ 0, 0 },
};

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
