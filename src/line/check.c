/* SPDX-License-Identifier: MIT */
/*
 * check - looks for damage.  It only reads, and maps nothing: truncating the file
 * must not kill the process that checks it.
 *
 * Moment   the file is copied twice.  W's tag, SLOT and a seat's state never
 *          come back, and a payload does not while its state stays: what is the
 *          same in both copies was so at the moment between them.  If all of
 *          them are, the line stood still, and whatever holds at every step of
 *          algo/recoverable.c must hold between them (R1 to R4).
 * Order    what does come back (BELL, FUT, HINT) is judged as the first copy has
 *          it, by words that are the same in both; what only grows (used), as
 *          the second has it.  Then they were read in between, or later.
 *
 * So a word that is being changed is not judged, and an operation in progress is
 * not reported as damage.
 */
#include "line/access.h"
#include "line/file.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	TRIES = 200,
	NAP = 50000, /* nanoseconds between two of them */
	TOLD = 32,   /* things wrong are told, the rest is counted */
	NOT_OWNED = UINT16_MAX,
};

struct exam {
	void (*tell)(void *arg, enum wicket_finding kind, const char *text);
	void *arg;
	int wrong;
	bool still;
	/* the copies; what is where in them */
	struct wicket first, second;
	struct line_w w;
	uint32_t bell_kind;
	/* seats by slot, and the positions in line that are taken */
	uint16_t owner[LINE_SLOTS_MAX];
	uint64_t waits[LINE_SEATS_MAX / 64 + 1];
};

/* --- telling --------------------------------------------------------------- */

static void tell(struct exam *x, enum wicket_finding kind, const char *format,
		 va_list args)
{
	char text[256];

	vsnprintf(text, sizeof(text), format, args);
	x->tell(x->arg, kind, text);
}

__attribute__((format(printf, 2, 3))) static void wrong(struct exam *x,
							const char *format, ...)
{
	va_list args;

	if (++x->wrong > TOLD)
		return;
	va_start(args, format);
	tell(x, WICKET_WRONG, format, args);
	va_end(args);
}

__attribute__((format(printf, 2, 3))) static void note(struct exam *x,
						       const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(x, WICKET_NOTE, format, args);
	va_end(args);
}

/* --- the file -------------------------------------------------------------- */

static const char *kind_of(mode_t mode)
{
	return S_ISDIR(mode)  ? "a directory" :
	       S_ISFIFO(mode) ? "a fifo" :
	       S_ISSOCK(mode) ? "a socket" :
				"a device";
}

/* As much as there is, up to bytes; or why not. */
static ssize_t read_all(int fd, void *copy, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t got = pread(fd, (char *)copy + done, bytes - done,
				    (off_t)done);

		if (got < 0 && errno != EINTR)
			return -errno;
		if (got == 0)
			break;
		if (got > 0)
			done += (size_t)got;
	}
	return (ssize_t)done;
}

static void check_file(struct exam *x, int fd, const struct stat *st)
{
	if (file_is_remote(fd))
		wrong(x, "it is on a file system that several machines may "
			 "share: a line is of one machine");
	if (st->st_mode & S_IWOTH)
		note(x, "everybody may write it (mode %o)",
		     (unsigned int)st->st_mode & 07777);
	if (!st->st_nlink)
		note(x,
		     "its file has no name any more: no other process can open it");
}

/* Is it a header by which the rest can be understood? */
static bool check_header(struct exam *x, const struct header *a, size_t bytes)
{
	const char *fault = area_fault(a, bytes);

	if (bytes < sizeof(*a)) {
		wrong(x, "header: cut off, the file has only %zu bytes", bytes);
		return false;
	}
	if (fault) {
		wrong(x, "header: %s", fault);
		note(x,
		     "header: version %u, libc %#x, bytes %llu, slots %u, "
		     "seats %u, block %u; the file has %zu bytes",
		     a->version, a->libc, (unsigned long long)a->bytes,
		     a->slots, a->seats, a->block, bytes);
		return false;
	}
	if (a->lifeless)
		note(x, "its file system does not keep locks for a mapping: a "
			"death of which the kernel does not tell is not "
			"noticed");
	if (a->map_at || a->map_bytes)
		wrong(x, "header: map is %u, %u, expected 0: it has no use yet",
		      a->map_at, a->map_bytes);
	return true;
}

/* --- words, one by one ------------------------------------------------------ */

static bool is_ticket(const struct exam *x, uint32_t ticket)
{
	struct ticket t = line_ticket(ticket);

	return t.value < x->second.block && t.colour <= x->second.slots;
}

static struct line_w w_of(struct wicket *copy)
{
	return (struct line_w){ load(&copy->w->low), load(&copy->w->high) };
}

static uint32_t used_of(struct wicket *copy)
{
	return atomic_load_explicit(&copy->area->used, memory_order_relaxed);
}

static struct line_seat seat_of(struct wicket *copy, uint32_t i)
{
	union pair *p = &copy->seats[i].word;

	return (struct line_seat){ load(&p->low), load(&p->high) };
}

static bool is_same_w(struct exam *x)
{
	struct line_w a = w_of(&x->first), b = w_of(&x->second);

	return a.t == b.t && a.s == b.s;
}

static bool is_same_slot(struct exam *x, uint32_t i)
{
	return load(&x->first.slot[i]) == load(&x->second.slot[i]);
}

static bool is_same_seat(struct exam *x, uint32_t i)
{
	struct line_seat a = seat_of(&x->first, i), b = seat_of(&x->second, i);

	return a.state == b.state && a.payload == b.payload;
}

static void check_pointer(struct exam *x, const char *name, uint32_t word)
{
	struct ticket t = line_ticket(word);

	if (line_ticket_word(t) != word)
		wrong(x, "W: %s has bits that no ticket has (%#x)", name, word);
	else if (!is_ticket(x, word))
		wrong(x,
		      "W: %s (%u,%u) is no ticket: values are below %u, "
		      "colours at most %u",
		      name, t.value, t.colour, x->second.block,
		      x->second.slots);
}

/*
 * Between an operation that W's tag names and the seat's next one that is
 * applied, the seat may begin and take back, leave and be joined; but if it has
 * a ticket, or has given one back, that was applied later.
 */
static bool can_follow(uint64_t t, struct line_seat c)
{
	uint64_t named = t >> LINE_SEQ_SHIFT, seq = line_seq(c.state);

	switch (line_phase(c.state)) {
	case LINE_HAVE:
	case LINE_RELEASED:
		return seq == named;
	case LINE_RELEASING:
		return seq == named || seq == named + 1;
	default:
		return seq >= named;
	}
}

static void check_tag(struct exam *x)
{
	uint32_t seat = line_tag_seat(x->w.t);
	struct line_seat c;

	if (!x->w.t && x->w.s != line_start(x->second.slots, x->second.block))
		wrong(x, "W: the tag says that nobody has come yet, ISSUE and "
			 "VALID that somebody has");
	if (!line_has_tag(x->w.t))
		return;
	if (seat >= used_of(&x->second)) {
		wrong(x, "W: the tag names seat %u, where nobody ever sat",
		      seat);
		return;
	}
	c = seat_of(&x->second, seat);
	if (is_same_seat(x, seat) && !can_follow(x->w.t, c))
		wrong(x,
		      "W: the tag names operation %llu of seat %u, whose last "
		      "is %llu",
		      (unsigned long long)(x->w.t >> LINE_SEQ_SHIFT), seat,
		      (unsigned long long)line_seq(c.state));
}

static void check_slot(struct exam *x, uint32_t i)
{
	uint32_t word = line_slot_ticket(load(&x->second.slot[i]));
	struct ticket t = line_ticket(word);

	if (is_same_slot(x, i) && !is_ticket(x, word))
		wrong(x, "SLOT %u: (%u,%u) is no ticket", i, t.value, t.colour);
}

static void check_hint(struct exam *x, uint32_t i)
{
	uint32_t seat = atomic_load_explicit(&x->first.hint[i],
					     memory_order_relaxed);

	if (seat && seat >= used_of(&x->second))
		wrong(x, "HINT %u: names seat %u, where nobody ever sat", i,
		      seat);
}

static void check_state(struct exam *x, uint32_t i, struct line_seat c)
{
	uint64_t known = line_mark(7); /* phase and D, below the seq */

	if (c.state & (LINE_NEXT - 1) & ~known)
		wrong(x, "SEAT %u: state has bits that mean nothing (%#llx)", i,
		      (unsigned long long)c.state);
	else if (line_phase(c.state) > LINE_JOINING)
		wrong(x, "SEAT %u: there is no phase %u", i,
		      line_phase(c.state));
	else if (line_phase(c.state) == LINE_FREE &&
		 (line_dead(c.state) || c.payload))
		wrong(x, "SEAT %u: free, but not empty", i);
}

/* What each phase has in its payload, besides what the last one left there. */
static bool goes_with_phase(struct line_seat c)
{
	uint32_t slot = line_payload_slot(c.payload);
	bool died = line_payload_died(c.payload);

	switch (line_phase(c.state)) {
	case LINE_HAVE:
		return !died && (slot || !line_kept(c));
	case LINE_RELEASING:
		return slot && (!died || line_dead(c.state));
	case LINE_RELEASED:
		return !slot && !died;
	default:
		return !died;
	}
}

static void check_payload(struct exam *x, uint32_t i, struct line_seat c)
{
	uint32_t word = line_payload_ticket(c.payload),
		 slot = line_payload_slot(c.payload);
	struct ticket t = line_ticket(word);

	if (!is_ticket(x, word))
		wrong(x, "SEAT %u: (%u,%u) is no ticket", i, t.value, t.colour);
	else if (slot > x->second.slots)
		wrong(x, "SEAT %u: there is no slot %u", i, slot - 1);
	else if (!goes_with_phase(c))
		wrong(x, "SEAT %u: payload %#llx does not go with phase %u", i,
		      (unsigned long long)c.payload, line_phase(c.state));
}

static uint64_t lives_of(struct wicket *copy)
{
	return atomic_load_explicit(&copy->area->lives, memory_order_relaxed);
}

/* The kernel's part: would a death be noticed? (R6) */
static void check_bell(struct exam *x, uint32_t i, struct line_seat c)
{
	struct seat *seat = &x->first.seats[i];

	if ((uint32_t)seat->bell.__data.__kind != x->bell_kind)
		wrong(x, "BELL %u: not a mutex that tells of a death", i);
	else if (line_phase(c.state) != LINE_FREE && !line_life(c.payload))
		wrong(x,
		      "SEAT %u: taken, but by nobody whose death would be "
		      "noticed",
		      i);
	else if (line_life(c.payload) > lives_of(&x->second))
		wrong(x, "SEAT %u: of a life that nobody has begun", i);
}

static void check_fut(struct exam *x, uint32_t i, struct line_seat c)
{
	uint64_t fut = load(&x->first.seats[i].fut);

	if (fut && (!(fut & 1) || fut > line_armed(c.state)))
		wrong(x, "FUT %u: armed for an operation that never was", i);
}

static void check_seat(struct exam *x, uint32_t i)
{
	struct line_seat c = seat_of(&x->first, i);

	if (!is_same_seat(x, i))
		return;
	if (i >= used_of(&x->second) && (c.state || c.payload)) {
		wrong(x, "SEAT %u: taken or left, though nobody ever sat there",
		      i);
		return;
	}
	check_state(x, i, c);
	check_payload(x, i, c);
	check_bell(x, i, c);
	check_fut(x, i, c);
}

static void check_words(struct exam *x)
{
	if (used_of(&x->second) > x->second.seat_count) {
		wrong(x, "header: used, the seats ever sat in, is %u of %u",
		      used_of(&x->second), x->second.seat_count);
		return;
	}
	if (is_same_w(x)) {
		check_pointer(x, "ISSUE", line_issue(x->w.s));
		check_pointer(x, "VALID", line_valid(x->w.s));
		check_tag(x);
	}
	for (uint32_t i = 0; i < x->second.slots; i++)
		check_slot(x, i);
	for (uint32_t i = 0; i < x->second.block; i++)
		check_hint(x, i);
	for (uint32_t i = 0; i < x->second.seat_count; i++)
		check_seat(x, i);
}

/* --- between words ----------------------------------------------------------- */

/* Is t after low, and not after high, which leads it? */
static bool is_between(struct ticket t, struct ticket low, struct ticket high)
{
	if (low.colour == high.colour)
		return t.colour == low.colour && t.value > low.value &&
		       t.value <= high.value;
	return (t.colour == low.colour && t.value > low.value) ||
	       (t.colour == high.colour && t.value <= high.value);
}

/* Tickets taken and not valid yet. */
static uint32_t waiting(const struct exam *x)
{
	struct line_pointers p = line_pointers(x->w.s);

	return ticket_leads(p.valid, p.issue) ?
		       0 :
		       line_distance(p.issue, p.valid, x->second.block);
}

/* SLOT's ticket; if its release is applied but not put, the one to be put. */
static uint32_t ticket_of(struct exam *x, uint32_t slot)
{
	uint32_t ticket = line_slot_ticket(load(&x->second.slot[slot]));
	struct line_seat c;

	if (!line_has_tag(x->w.t))
		return ticket;
	c = seat_of(&x->second, line_tag_seat(x->w.t));
	if (line_settle(x->w.t, c) == LINE_SETTLE_RELEASE &&
	    line_payload_slot(c.payload) == slot + 1 &&
	    line_payload_ticket(c.payload) == ticket)
		return line_valid(x->w.s);
	return ticket;
}

/* What W's tag names has left its traces where it was written down. */
static void check_last(struct exam *x)
{
	uint32_t i = line_tag_seat(x->w.t), ticket, slot;
	struct line_seat c;

	if (!line_has_tag(x->w.t))
		return;
	c = seat_of(&x->second, i);
	if (line_tag(c.state, i) != x->w.t)
		return;
	ticket = line_payload_ticket(c.payload);
	slot = line_payload_slot(c.payload);
	if (line_phase(c.state) == LINE_HAVE && ticket != line_issue(x->w.s))
		wrong(x, "SEAT %u: took the last ticket, but has another", i);
	if (line_phase(c.state) == LINE_RELEASED &&
	    ticket != line_valid(x->w.s))
		wrong(x, "SEAT %u: validated the last ticket, but says another",
		      i);
	if (line_phase(c.state) == LINE_RELEASING &&
	    ticket_of(x, slot - 1) != line_valid(x->w.s))
		wrong(x,
		      "SLOT %u: neither the ticket that seat %u gives back, "
		      "nor the one that follows",
		      slot - 1, i);
}

/* R2: the tickets of the waiting follow VALID, each once. */
static void check_waiter(struct exam *x, uint32_t i, uint32_t word,
			 uint32_t slot)
{
	struct line_pointers p = line_pointers(x->w.s);
	struct ticket t = line_ticket(word);
	uint32_t at = line_position(x->w.s, word, x->second.block);

	if (!is_between(t, p.valid, p.issue))
		wrong(x,
		      "SEAT %u: its ticket (%u,%u) is neither valid nor in "
		      "line",
		      i, t.value, t.colour);
	else if (slot)
		wrong(x, "SEAT %u: in slot %u, but (%u,%u) is not valid yet", i,
		      slot - 1, t.value, t.colour);
	else if (x->waits[at / 64] >> at % 64 & 1)
		wrong(x, "SEAT %u: another one has its ticket (%u,%u) too", i,
		      t.value, t.colour);
	else
		x->waits[at / 64] |= (uint64_t)1 << at % 64;
}

/* R1: a valid ticket is that of one slot, and of one seat. */
static void check_holder(struct exam *x, uint32_t i, uint32_t word,
			 uint32_t slot)
{
	struct ticket t = line_ticket(word);
	uint32_t found = 0;

	while (found < x->second.slots && ticket_of(x, found) != word)
		found++;
	if (found == x->second.slots)
		wrong(x, "SEAT %u: no slot has its valid ticket (%u,%u)", i,
		      t.value, t.colour);
	else if (slot && slot != found + 1)
		wrong(x, "SEAT %u: in slot %u, but (%u,%u) is slot %u's", i,
		      slot - 1, t.value, t.colour, found);
	else if (x->owner[found] != NOT_OWNED)
		wrong(x, "SEAT %u: seat %u has its ticket (%u,%u) too", i,
		      x->owner[found], t.value, t.colour);
	else
		x->owner[found] = (uint16_t)i;
}

/* R3, R4: as many tickets are out as ISSUE and VALID say. */
static void check_out(struct exam *x)
{
	uint32_t k = x->second.slots, out = 0;
	uint32_t vacant = line_vacant(x->w.s, x->second.block);
	uint32_t expected = k + waiting(x) - vacant;

	for (uint32_t i = 0; i < x->second.seat_count; i++) {
		struct line_seat c = seat_of(&x->second, i);
		enum line_phase phase = line_phase(c.state);
		uint32_t word, slot;

		if (!line_is_out(x->w.t, x->w.s, i, c, &word))
			continue;
		out++;
		slot = phase == LINE_TAKING ? 0 : line_payload_slot(c.payload);
		if (line_is_valid(x->w.s, word))
			check_holder(x, i, word, slot);
		else
			check_waiter(x, i, word, slot);
	}
	if (vacant > k)
		wrong(x, "W: VALID is %u ahead of ISSUE, with %u slots", vacant,
		      k);
	else if (out != expected)
		wrong(x, "W: by ISSUE and VALID %u tickets are out, not %u",
		      expected, out);
	if (x->w.t == LINE_REMOVED && out)
		wrong(x, "W: removed, though %u tickets are out", out);
}

/* A slot nobody has is that of a ticket that is valid and not yet taken. */
static void check_vacant(struct exam *x)
{
	struct line_pointers p = line_pointers(x->w.s);

	for (uint32_t i = 0; i < x->second.slots; i++) {
		struct ticket t = line_ticket(ticket_of(x, i));

		if (x->owner[i] == NOT_OWNED &&
		    (!line_vacant(x->w.s, x->second.block) ||
		     !is_between(t, p.issue, p.valid)))
			wrong(x,
			      "SLOT %u: nobody has its ticket (%u,%u), and "
			      "nobody will",
			      i, t.value, t.colour);
		for (uint32_t j = 0; j < i; j++) {
			if (ticket_of(x, i) == ticket_of(x, j))
				wrong(x, "SLOT %u: has the ticket of slot %u",
				      i, j);
		}
	}
}

static void check_relations(struct exam *x)
{
	for (uint32_t i = 0; i < x->second.slots; i++)
		x->owner[i] = NOT_OWNED;
	check_last(x);
	check_out(x);
	check_vacant(x);
}

/* --- worth knowing ------------------------------------------------------------ */

static void note_gone(struct exam *x, uint32_t i, struct line_seat c)
{
	int32_t pid = atomic_load_explicit(&x->first.seats[i].pid,
					   memory_order_relaxed);
	uint32_t slot = line_payload_slot(c.payload), ticket;
	bool out = line_is_out(x->w.t, x->w.s, i, c, &ticket);

	if (!line_dead(c.state) && line_kept(c) &&
	    peek_keep(&x->first, i, c.state))
		note(x, "pid %d in slot %u: wicket died, its command runs on",
		     pid, slot - 1);
	else if (out && !line_is_valid(x->w.s, ticket))
		note(x,
		     "pid %d has left the line: its ticket is passed on when "
		     "its turn comes",
		     pid);
	else if (out && slot)
		note(x,
		     "pid %d died in slot %u: it comes back when it is needed",
		     pid, slot - 1);
	else if (line_phase(c.state) != LINE_IDLE &&
		 line_phase(c.state) != LINE_JOINING)
		note(x,
		     "pid %d died half-way: whoever comes across it finishes",
		     pid);
	else
		note(x, "pid %d died in seat %u, without a ticket", pid, i);
}

static void note_seats(struct exam *x)
{
	uint32_t seated = 0;

	for (uint32_t i = 0; i < x->second.seat_count; i++) {
		struct line_seat c = seat_of(&x->first, i);

		seated += line_phase(c.state) != LINE_FREE;
		if (line_phase(c.state) != LINE_FREE && is_same_seat(x, i) &&
		    (line_dead(c.state) ||
		     line_is_told(c, peek_bell(&x->first, i)) ||
		     !peek_life(&x->first, line_life(c.payload))))
			note_gone(x, i, c);
	}
	if (seated == x->second.seat_count)
		note(x, "the line is full: all %u seats are taken", seated);
}

/* --- the line ------------------------------------------------------------------- */

static bool stands_still(struct exam *x)
{
	bool same = is_same_w(x) && used_of(&x->first) == used_of(&x->second);

	for (uint32_t i = 0; same && i < x->second.slots; i++)
		same = is_same_slot(x, i);
	for (uint32_t i = 0; same && i < x->second.seat_count; i++)
		same = is_same_seat(x, i);
	return same;
}

static int copy(struct exam *x, size_t bytes)
{
	struct wicket *both[] = { &x->first, &x->second };

	for (int i = 0; i < 2; i++) {
		ssize_t got = read_all(both[i]->fd, both[i]->area, bytes);

		if (got < 0)
			return (int)got;
		if ((size_t)got < bytes)
			return -ENODATA;
	}
	return 0;
}

/* Copies until the line stands still, but not for ever. */
static int catch_a_moment(struct exam *x, size_t bytes)
{
	const struct timespec nap = { .tv_nsec = NAP };
	int error = copy(x, bytes);

	for (int i = 0; i < TRIES && !error && !stands_still(x); i++) {
		nanosleep(&nap, 0);
		error = copy(x, bytes);
	}
	x->still = !error && stands_still(x);
	x->w = error ? (struct line_w){ 0, 0 } : w_of(&x->second);
	return error;
}

static int check_line(struct exam *x, size_t bytes)
{
	int error = catch_a_moment(x, bytes), before = x->wrong;

	if (error == -ENODATA) {
		wrong(x, "the file became shorter while it was read");
		return 0;
	}
	if (error)
		return error;
	check_words(x);
	if (x->wrong > before) /* what is between them means nothing */
		return 0;
	if (x->still)
		check_relations(x);
	else
		note(x, "the line is too busy to be judged as a whole: its "
			"words were, one by one");
	if (x->w.t == LINE_REMOVED)
		note(x, "the line was removed: the next to open it unlinks it");
	note_seats(x);
	return 0;
}

static int check_copies(struct exam *x, int fd, const struct header *a)
{
	struct wicket *both[] = { &x->first, &x->second };
	pthread_mutex_t bell;
	int error = area_new_bell(&bell);

	x->bell_kind = (uint32_t)bell.__data.__kind;
	for (int i = 0; i < 2 && !error; i++) {
		both[i]->fd = fd;
		both[i]->inherited = 0;
		life_know(both[i]);
		both[i]->area = aligned_alloc(2 * AREA_APART, a->bytes);
		if (both[i]->area)
			area_look_up(both[i], a->slots, a->seats);
		else
			error = -ENOMEM;
	}
	if (!error)
		error = check_line(x, a->bytes);
	free(x->first.area);
	free(x->second.area);
	return error;
}

static int check_open(struct exam *x, int fd)
{
	struct header a = { .version = 0 };
	uint64_t boot[2];
	struct stat st;
	ssize_t got;
	int error = fstat(fd, &st) ? -errno : area_boot(boot);

	if (error)
		return error;
	got = read_all(fd, &a, sizeof(a));
	if (got < 0)
		return (int)got;
	if (!area_has_magic(&a)) {
		wrong(x, "header: %s", area_fault(&a, (size_t)got));
		return -EPROTO;
	}
	check_file(x, fd, &st);
	if (!check_header(x, &a, (size_t)st.st_size))
		return 0;
	if (memcmp(a.boot, boot, sizeof(boot)) && !life_any(fd)) {
		note(x, "boot: of a former run of the kernel, the next to open "
			"it starts it afresh");
		return 0;
	}
	return check_copies(x, fd, &a);
}

/* Not even the time of the last access, if that is ours to spare. */
static int open_to_read(struct exam *x, const char *name)
{
	char path[PATH_MAX];
	int length = wicket_path(name, path, sizeof(path)), fd;
	struct stat st;

	if (length < 0)
		return length;
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		wrong(x, "it is %s, not a file", kind_of(st.st_mode));
		return -EPROTO;
	}
	fd = file_open(path, O_RDONLY | O_NOATIME);
	return fd == -EPERM ? file_open(path, O_RDONLY) : fd;
}

int wicket_check(const char *name,
		 void (*told)(void *arg, enum wicket_finding kind,
			      const char *text),
		 void *arg)
{
	struct exam x = { .tell = told, .arg = arg };
	int saved = errno, fd = open_to_read(&x, name), error = fd;

	if (fd >= 0) {
		error = check_open(&x, fd);
		close(fd);
	}
	if (x.wrong > TOLD)
		note(&x, "%d more things are wrong", x.wrong - TOLD);
	errno = saved;
	return error < 0 ? error : x.wrong;
}
