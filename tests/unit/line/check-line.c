/* SPDX-License-Identifier: MIT */
/*
 * check-line - wicket_check on files: lines in every condition are right, and
 * told of as they are; each kind of damage, done to a copy of a line in use, is
 * named; no file at all, however long, and no bit in it makes it fall over.
 * Whatever it looks at stays as it is.
 */
#include "patience.h"

#include "line/handle.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS = 2, SEATS = 6, ROOM = 4096, MARK = 12345 };

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static char dir[] = "/tmp/check-line.XXXXXX";
static char line_file[64], copy_file[64];

/* --- what is told ------------------------------------------------------------ */

struct told {
	int wrong, notes;
	char text[8192]; /* a line each: "wrong: ..." or "note: ..." */
};

static struct told told;

static void hear(void *arg, enum wicket_finding kind, const char *text)
{
	struct told *t = arg;
	size_t end = strlen(t->text);

	t->wrong += kind == WICKET_WRONG;
	t->notes += kind == WICKET_NOTE;
	snprintf(t->text + end, sizeof(t->text) - end, "%s: %s\n",
		 kind == WICKET_WRONG ? "wrong" : "note", text);
}

/* What wicket_check returns; it leaves errno alone. */
static int check(const char *file)
{
	int result;

	told = (struct told){ 0 };
	errno = MARK;
	result = wicket_check(file, hear, &told);
	assert_int_equal(errno, MARK);
	return result;
}

static void assert_right(const char *file)
{
	if (check(file))
		fail_msg("%s", told.text);
}

static void assert_told(const char *words)
{
	if (!strstr(told.text, words))
		fail_msg("not told: %s; but: %s", words, told.text);
}

/* --- files ------------------------------------------------------------------- */

static size_t read_file(const char *file, void *data, size_t room)
{
	FILE *f = fopen(file, "r");
	size_t size;

	assert_non_null(f);
	size = fread(data, 1, room, f);
	fclose(f);
	return size;
}

static void write_file(const char *file, const void *data, size_t size)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	fclose(f);
}

static void assert_same_time(struct timespec a, struct timespec b)
{
	assert_int_equal(a.tv_sec, b.tv_sec);
	assert_int_equal(a.tv_nsec, b.tv_nsec);
}

/* The file is the same before and after, and so are its times. */
static int check_untouched(const char *file)
{
	static char before[ROOM], after[ROOM];
	size_t size = read_file(file, before, ROOM);
	struct stat then, now;
	int result;

	assert_int_equal(stat(file, &then), 0);
	result = check(file);
	assert_int_equal(stat(file, &now), 0);
	assert_same_time(now.st_mtim, then.st_mtim);
	assert_same_time(now.st_ctim, then.st_ctim);
	assert_same_time(now.st_atim, then.st_atim);
	assert_int_equal(read_file(file, after, ROOM), size);
	assert_memory_equal(before, after, size);
	return result;
}

/* --- those in the line -------------------------------------------------------- */

/* What a process does with the line before it says so, and stays. */
enum deed { HOLD, KEEP, LEAVE, WAIT, GIVE_UP, SIT };

enum { PEOPLE = 16 };
static pid_t people[PEOPLE];
static size_t people_count;
static int life[2]; /* a command runs until its other end is closed */

static int keep(struct wicket *line, int ready)
{
	char byte;

	if (wicket_acquire(line, 0) || wicket_keep(line) < 0)
		return -1;
	if (fork() == 0) {
		close(ready);
		_exit((int)read(life[0], &byte, 1));
	}
	return 0;
}

static int do_it(struct wicket *line, enum deed deed, int ready)
{
	const struct timespec past = { 0 };

	switch (deed) {
	case HOLD:
		return wicket_acquire(line, 0);
	case KEEP:
		return keep(line, ready);
	case LEAVE:
		return wicket_acquire(line, 0) || wicket_release(line);
	case GIVE_UP:
		return wicket_acquire_until(line, &past, 0) + ETIMEDOUT;
	default:
		return 0;
	}
}

static _Noreturn void live(enum deed deed, int ready)
{
	struct wicket *line;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(life[1]);
	if (!wicket_open(&line, line_file, 0) && !do_it(line, deed, ready) &&
	    write(ready, "", 1) == 1) {
		if (deed == WAIT)
			wicket_acquire(line, 0);
		for (;;)
			pause();
	}
	_exit(1);
}

static uint32_t waiting(void)
{
	struct wicket_options options = { .flags = WICKET_VIEW };
	struct wicket_view v;
	struct wicket *line;

	assert_int_equal(wicket_open(&line, line_file, &options), 0);
	assert_true(wicket_inspect(line, &v, 0, 0) >= 0);
	wicket_close(line);
	return v.waiting;
}

/* Returns when it is done, or, for who waits, when it waits. */
static pid_t let(enum deed deed)
{
	uint32_t before = waiting();
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	assert_in_range(people_count, 0, PEOPLE - 1);
	pid = fork();
	if (pid == 0)
		live(deed, ready[1]);
	people[people_count++] = pid;
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	if (deed == WAIT)
		eventually(waiting() == before + 1);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, 0, 0);
	for (size_t i = 0; i < people_count; i++) {
		if (people[i] == pid)
			people[i] = people[--people_count];
	}
}

static int new_line(void **state)
{
	struct wicket_options options = { .slots = SLOTS,
					  .seats = SEATS,
					  .flags = WICKET_CREATE };
	struct wicket *line;

	(void)state;
	if (pipe(life) || wicket_open(&line, line_file, &options))
		return -1;
	return wicket_close(line);
}

static int end_all(void **state)
{
	(void)state;
	close(life[0]);
	close(life[1]);
	while (people_count)
		end(people[0]);
	while (wait(0) > 0) /* the commands: this is their reaper */
		;
	unlink(line_file);
	unlink(copy_file);
	return 0;
}

/* --- lines that are right ------------------------------------------------------ */

static void nothing_is_to_be_said_of_a_new_line(void **state)
{
	(void)state;
	assert_int_equal(check_untouched(line_file), 0);
	assert_string_equal(told.text, "");
}

static void nor_of_one_in_use(void **state)
{
	(void)state;
	let(HOLD);
	let(HOLD);
	let(SIT);
	let(WAIT);
	assert_right(line_file);
	assert_string_equal(told.text, "");
}

static void who_died_inside_is_named(void **state)
{
	char expected[128];
	pid_t pid;

	(void)state;
	let(HOLD);
	pid = let(HOLD);
	end(pid);
	assert_int_equal(check_untouched(line_file), 0);
	snprintf(
		expected, sizeof(expected),
		"note: pid %d died in slot 1: it comes back when it is needed\n",
		pid);
	assert_string_equal(told.text, expected);
}

static void so_is_who_left_the_line(void **state)
{
	pid_t pid;

	(void)state;
	let(HOLD);
	let(HOLD);
	let(GIVE_UP);
	pid = let(WAIT);
	assert_right(line_file);
	assert_int_equal(told.notes, 1);
	assert_told("has left the line");
	end(pid);
	assert_right(line_file);
	assert_int_equal(told.notes, 2);
}

static void and_who_died_with_nothing(void **state)
{
	(void)state;
	end(let(SIT));
	assert_right(line_file);
	assert_told("without a ticket");
	/* nor any more */
	end(let(LEAVE));
	assert_right(line_file);
	assert_told("in seat 1, without a ticket");
}

static bool is_told(const char *words)
{
	assert_right(line_file);
	return strstr(told.text, words);
}

static void a_command_runs_on(void **state)
{
	pid_t pid = let(KEEP);

	(void)state;
	assert_right(line_file);
	assert_string_equal(told.text, "");
	end(pid);
	assert_right(line_file);
	assert_told("in slot 0: wicket died, its command runs on");
	close(life[1]);
	life[1] = -1;
	eventually(is_told("died in slot 0"));
}

static void all_seats_are_taken(void **state)
{
	(void)state;
	for (int i = 0; i < SEATS; i++) {
		assert_right(line_file);
		assert_string_equal(told.text, "");
		let(SIT);
	}
	assert_right(line_file);
	assert_told("all 6 seats are taken");
}

static void everybody_may_write_it(void **state)
{
	(void)state;
	assert_int_equal(chmod(line_file, 0666), 0);
	assert_right(line_file);
	assert_told("note: everybody may write it (mode 666)");
}

static void it_has_no_name_any_more(void **state)
{
	int fd = open(line_file, O_RDONLY | O_CLOEXEC);
	char self[64];

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(unlink(line_file), 0);
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	assert_right(self);
	assert_told("note: its file has no name any more");
	close(fd);
}

/* --- a copy, to be damaged ------------------------------------------------------ */

static struct wicket copy;
static unsigned char sound[ROOM]; /* as it was */
static size_t bytes;

/* Of a line with two holders (seats 0, 1), who waits (2), who gave up (3), and
   who only sits (4). */
static int copy_line(void **state)
{
	static const enum deed deeds[] = { HOLD, HOLD, WAIT, GIVE_UP, SIT };
	int fd;

	if (new_line(state))
		return -1;
	for (size_t i = 0; i < LENGTH(deeds); i++)
		let(deeds[i]);
	bytes = read_file(line_file, sound, ROOM);
	write_file(copy_file, sound, bytes);
	fd = open(copy_file, O_RDWR | O_CLOEXEC);
	copy.area = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (copy.area == MAP_FAILED)
		return -1;
	area_look_up(&copy, SLOTS, SEATS);
	return 0;
}

static int drop_copy(void **state)
{
	munmap(copy.area, bytes);
	return end_all(state);
}

static void the_copy_is_right(void **state)
{
	(void)state;
	assert_int_equal(check_untouched(copy_file), 0);
	assert_int_equal(told.notes, 5); /* nobody lives there */
	for (uint32_t i = 0; i < SEATS; i++)
		assert_int_equal(line_phase(copy.seats[i].word.low),
				 i < 4	? LINE_HAVE :
				 i == 4 ? LINE_IDLE :
					  LINE_FREE);
}

/* One field, what is put there, and the words by which that is told. */
struct damage {
	size_t at;
	uint32_t size;
	uint64_t change; /* exclusive or */
	const char *told;
};

#define HEADER(field)                                                          \
	offsetof(struct header, field), sizeof(((struct header *)0)->field)
#define W_S 264, 8
#define W_T 256, 8

static const struct damage damages[] = {
	{ HEADER(version), 4, "wrong: header: it was made by a newer" },
	{ HEADER(version), 3, "wrong: header: it was made by an older" },
	{ HEADER(libc), 1, "wrong: header: it was made with another libc" },
	{ HEADER(bytes), 0x80, "wrong: header: bytes" },
	{ HEADER(slots), 2, "wrong: header: no line has that number of slots" },
	{ HEADER(slots), 0x200,
	  "wrong: header: no line has that number of sl" },
	{ HEADER(slots), 1, "wrong: header: block" },
	{ HEADER(seats), 6, "wrong: header: no line with these slots" },
	{ HEADER(seats), 0x2000, "wrong: header: no line with these slots" },
	{ HEADER(seats), 1, "wrong: header: block" },
	{ HEADER(block), 1, "wrong: header: block" },
	{ HEADER(map_at), 1, "wrong: header: map" },
	{ HEADER(slots_max), 2, "wrong: header: slots_max" },
	{ HEADER(boot), 1, "note: boot" },
	{ HEADER(used), 0x100, "wrong: header: used" },
	{ HEADER(used), 4, "wrong: SEAT 1: taken or left, though nobody ever" },
	{ W_S, 0x1, "wrong: W: ISSUE (" },
	{ W_S, 0x6000, "wrong: W: ISSUE (" },
	{ W_S, 0x400000, "wrong: W: ISSUE has bits" },
	{ W_S, 0x700000000, "wrong: W: VALID (" },
	{ W_S, 0x40000000000000, "wrong: W: VALID has bits" },
	{ W_T, 0x18, "wrong: W: the tag names seat" },
	{ W_T, 0x100000000, "wrong: W: the tag names operation" },
};

static void put(const struct damage *d)
{
	uint64_t word = 0;
	char *at = (char *)copy.area + d->at;
	size_t size = d->size < sizeof(word) ? d->size : sizeof(word);

	memcpy(&word, at, size);
	word ^= d->change;
	memcpy(at, &word, size);
}

static void damage_to_a_field_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(damages); i++) {
		put(&damages[i]);
		assert_true(check_untouched(copy_file) >= 0);
		if (!strstr(told.text, damages[i].told))
			fail_msg("%zu: not told: %s; but: %s", i,
				 damages[i].told, told.text);
		put(&damages[i]);
	}
	assert_right(copy_file);
}

/* Puts the copy right again. */
static void mend(void)
{
	memcpy(copy.area, sound, bytes);
	assert_right(copy_file);
}

static void assert_wrong(const char *words)
{
	assert_true(check_untouched(copy_file) > 0);
	assert_told(words);
	mend();
}

static void damage_to_w_is_named(void **state)
{
	(void)state;
	copy.w->high -= line_valid_on(0);
	assert_wrong("wrong: W: by ISSUE and VALID 5 tickets are out, not 4");
	copy.w->high = line_valid_on(copy.w->high);
	assert_wrong("wrong: W: by ISSUE and VALID 3 tickets are out, not 4");
	copy.w->low = 0;
	assert_wrong("wrong: W: the tag says that nobody has come yet");
	copy.w->low = LINE_REMOVED;
	assert_wrong("wrong: W: removed, though 4 tickets are out");
	copy.w->low += LINE_NEXT;
	assert_wrong("wrong: W: the tag names operation");
	copy.w->low -= LINE_NEXT;
	assert_wrong("wrong: W: the tag names operation");
}

static void damage_to_a_slot_is_named(void **state)
{
	(void)state;
	copy.slot[0] |= 0x1fff;
	assert_wrong("wrong: SLOT 0: (8191,");
	copy.slot[1] |= 0x3fe000;
	assert_wrong("wrong: SLOT 1: (");
	copy.slot[1] = copy.slot[0];
	assert_wrong("wrong: SLOT 1: has the ticket of slot 0");
	copy.slot[1] = line_payload_ticket(copy.seats[2].word.high);
	assert_wrong("wrong: SEAT 1: no slot has its valid ticket");
	copy.slot[1] = line_payload_ticket(copy.seats[2].word.high);
	assert_wrong("wrong: SLOT 1: nobody has its ticket");
}

static void damage_to_a_state_is_named(void **state)
{
	union pair *seat = &copy.seats[0].word;

	(void)state;
	seat->low = line_to_phase(seat->low, 7);
	assert_wrong("wrong: SEAT 0: there is no phase 7");
	seat->low |= 0x10;
	assert_wrong("wrong: SEAT 0: state has bits");
	seat->low = line_to_phase(seat->low, LINE_FREE);
	assert_wrong("wrong: SEAT 0: free, but not empty");
	seat->low = line_to_phase(seat->low, LINE_IDLE);
	assert_wrong("wrong: W: by ISSUE and VALID 4 tickets are out, not 3");
	seat->low = line_to_phase(seat->low, LINE_RELEASED);
	assert_wrong("wrong: SEAT 0: payload");
	copy.seats[5].word.low = line_state(1, LINE_IDLE);
	assert_wrong("wrong: SEAT 5: taken or left, though nobody ever sat");
	/* the last to take a ticket is seat 3 */
	copy.seats[3].word.low += LINE_NEXT;
	assert_wrong("wrong: W: the tag names operation");
}

static void damage_to_a_payload_is_named(void **state)
{
	(void)state;
	copy.seats[0].word.high |= (uint64_t)1 << 40;
	assert_wrong("wrong: SEAT 0: of a life that nobody has begun");
	copy.seats[0].word.high |= 0x1fff;
	assert_wrong("wrong: SEAT 0: (8191,");
	copy.seats[0].word.high |= 0x20000000;
	assert_wrong("wrong: SEAT 0: there is no slot 128");
	copy.seats[0].word.high |= (uint64_t)1 << LINE_PAYLOAD_DIED_BIT;
	assert_wrong("wrong: SEAT 0: payload");
	copy.seats[2].word.high = line_keep(copy.seats[2].word.high);
	assert_wrong("wrong: SEAT 2: payload");
	copy.seats[1].word.high = copy.seats[0].word.high;
	assert_wrong("wrong: SEAT 1: seat 0 has its ticket");
	copy.seats[0].word.high ^= 0xc00000;
	assert_wrong("wrong: SEAT 0: in slot 1, but");
	copy.seats[2].word.high |= 0x400000;
	assert_wrong("wrong: SEAT 2: in slot 0, but");
	copy.seats[2].word.high = copy.seats[3].word.high;
	assert_wrong("wrong: SEAT 3: another one has its ticket");
	copy.seats[3].word.high = copy.seats[2].word.high;
	assert_wrong("wrong: SEAT 3: took the last ticket, but has another");
}

static void damage_to_the_rest_is_named(void **state)
{
	(void)state;
	copy.seats[0].word.high &= line_of_life(1) - 1;
	assert_wrong("wrong: SEAT 0: taken, but by nobody whose death");
	copy.seats[5].bell.__data.__kind = 0;
	assert_wrong("wrong: BELL 5: not a mutex");
	copy.seats[2].fut = line_armed(copy.seats[2].word.low) + 2;
	assert_wrong("wrong: FUT 2: ");
	copy.seats[4].fut = 2;
	assert_wrong("wrong: FUT 4: ");
	copy.hint[1] = 5;
	assert_wrong("wrong: HINT 1: names seat 5, where nobody ever sat");
}

/* What happens between two steps is no damage, and what must follow is seen. */
static void half_a_release_is_right(void **state)
{
	union pair *seat = &copy.seats[0].word;
	struct line_seat mine = { seat->low, seat->high };
	uint64_t next = line_valid_on(copy.w->high);

	(void)state;
	seat->low = line_begin(seat->low, LINE_RELEASING);
	assert_right(copy_file);
	copy.w->high = next;
	copy.w->low = line_tag(seat->low, 0);
	assert_right(copy_file);
	copy.slot[0] = line_slot_next(copy.slot[0], line_valid(next), 0);
	assert_right(copy_file);
	copy.slot[0] = line_slot_next(copy.slot[0], line_issue(next), 0);
	assert_true(check(copy_file) > 0);
	assert_told("wrong: SLOT 0: neither the ticket that seat 0 gives back");
	copy.slot[0] = line_slot_next(copy.slot[0], line_valid(next), 0);
	seat->low = line_to_phase(seat->low, LINE_RELEASED);
	seat->high = line_new_payload(mine, line_valid(next), 0, 0);
	assert_right(copy_file);
	seat->high = line_new_payload(mine, line_issue(next), 0, 0);
	assert_wrong("wrong: SEAT 0: validated the last ticket, but says");
}

static void a_line_that_was_removed(void **state)
{
	struct wicket *line;
	int fd;

	(void)state;
	assert_int_equal(wicket_open(&line, line_file, 0), 0);
	wicket_close(line);
	fd = open(line_file, O_RDWR | O_CLOEXEC);
	assert_int_equal(pwrite(fd, &(uint64_t){ LINE_REMOVED }, 8, 256), 8);
	close(fd);
	assert_right(line_file);
	assert_told("note: the line was removed: the next to open it unlinks");
}

/* Its creator was killed before it sat down. */
static void a_line_where_nobody_ever_sat(void **state)
{
	struct wicket_options o = { .slots = 1, .flags = WICKET_CREATE };
	struct header *a;
	struct wicket *line;
	struct stat st;
	int fd;

	(void)state;
	assert_int_equal(wicket_open(&line, copy_file, &o), 0);
	wicket_close(line);
	fd = open(copy_file, O_RDWR | O_CLOEXEC);
	assert_int_equal(fstat(fd, &st), 0);
	a = mmap(0, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		 0);
	close(fd);
	assert_ptr_not_equal(a, MAP_FAILED);
	a->used = 0;
	((struct seat *)(void *)((char *)a + st.st_size) - a->seats)->word.low =
		0;
	assert_right(copy_file);
	/* nor will anybody have (0,0), which is that before the first */
	*(uint64_t *)(a + 1) = 0;
	assert_int_equal(check(copy_file), 1);
	assert_told("wrong: SLOT 0: nobody has its ticket (0,0)");
	munmap(a, (size_t)st.st_size);
	unlink(copy_file);
}

/* --- any bit, any length ---------------------------------------------------------- */

static bool is_noticed(size_t bit)
{
	bool noticed;

	((unsigned char *)copy.area)[bit / 8] ^= (unsigned char)(1 << bit % 8);
	noticed = check_untouched(copy_file) != 0;
	((unsigned char *)copy.area)[bit / 8] ^= (unsigned char)(1 << bit % 8);
	return noticed;
}

/* How many of the bits from this byte on, in every so many bytes, are noticed;
   says so. */
static void assert_noticed(const char *what, const void *start, size_t bits,
			   size_t stride, uint32_t count, size_t least)
{
	size_t at = (size_t)((const char *)start - (char *)copy.area) * 8;
	size_t noticed = 0;

	for (uint32_t i = 0; i < count; i++) {
		for (size_t bit = 0; bit < bits; bit++)
			noticed += is_noticed(at + i * stride * 8 + bit);
	}
	print_message("# %s: %zu of %zu bits are noticed\n", what, noticed,
		      bits * count);
	assert_in_range(noticed, least, bits * count);
}

static void a_single_bit_is_noticed(void **state)
{
	const size_t seat = sizeof(struct seat);

	(void)state;
	/* all that is constant but the boot id; the two pointers */
	assert_noticed("header", copy.area, 40 * 8, 0, 1, 40 * 8);
	assert_noticed("W, the pointers", &copy.w->high, 64, 0, 1, 64);
	assert_noticed("W, the tag", &copy.w->low, 64, 0, 1, 64);
	/* the ticket; died and stamp may be anything */
	assert_noticed("SLOT", copy.slot, LINE_TICKET_BITS, 8, SLOTS,
		       LINE_TICKET_BITS * SLOTS);
	/* a payload that is in use; but a holder may well have a command, or not
	   know its slot yet, and be any of the few who ever lived */
	assert_noticed("SEAT, payload", &copy.seats[0].word.high, 64, seat, 4,
		       64 * 4 - 4 - 3 * 4);
	/* of a seq only W knows, if it was the last; anybody may be marked as
	   dead, and who only sits may as well have left, or just released */
	assert_noticed("SEAT, state", &copy.seats[0].word.low, 64, seat, 5,
		       122);
}

static void no_bit_makes_it_fall_over(void **state)
{
	size_t noticed = 0;

	(void)state;
	for (size_t bit = 0; bit < 8 * bytes; bit++)
		noticed += is_noticed(bit);
	print_message("# the whole file: %zu of %zu bits are noticed\n",
		      noticed, 8 * bytes);
	mend();
}

static void nor_does_any_garbage(void **state)
{
	const size_t constant = offsetof(struct header, used);
	uint64_t dice = 88172645463325252;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		unsigned char *data = (unsigned char *)copy.area;

		/* from somewhere on, so that every part is met */
		for (size_t i = constant + (size_t)round % (bytes - constant);
		     i < bytes; i++) {
			dice ^= dice << 13;
			dice ^= dice >> 7;
			dice ^= dice << 17;
			data[i] = (unsigned char)(dice >> 32);
		}
		assert_true(check_untouched(copy_file) >= 0);
	}
	mend();
}

static void nor_any_length(void **state)
{
	(void)state;
	for (size_t length = 0; length <= bytes + 1; length++) {
		int result;

		assert_int_equal(truncate(copy_file, (off_t)length), 0);
		result = check_untouched(copy_file);
		if (length < strlen("wicket"))
			assert_int_equal(result, -EPROTO);
		else
			assert_int_equal(result, length != bytes);
		/* what was cut off is zeros now */
		assert_int_equal(truncate(copy_file, (off_t)bytes), 0);
		memcpy(copy.area, sound, bytes);
	}
	assert_right(copy_file);
}

static void many_findings_are_counted(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < copy.block; i++)
		copy.hint[i] = 999;
	for (uint32_t i = 0; i < SEATS; i++) {
		copy.seats[i].bell.__data.__kind = 0;
		copy.seats[i].word.high = UINT64_MAX;
		copy.seats[i].word.low = 7;
		copy.seats[i].fut = 2;
	}
	copy.area->used = SEATS;
	copy.w->high = UINT64_MAX;
	copy.slot[0] = copy.slot[1] = UINT64_MAX;
	assert_int_equal(check(copy_file), 5 + 4 * SEATS + 2 + 2 + 1);
	assert_int_equal(told.wrong, 32);
	assert_told("note: 2 more things are wrong");
	mend();
}

/* --- what is no line -------------------------------------------------------------- */

static void assert_no_line(const char *file, const char *words)
{
	assert_int_equal(check(file), -EPROTO);
	assert_told(words);
}

static void what_is_no_line_is_said_to_be_none(void **state)
{
	(void)state;
	assert_no_line(dir, "wrong: it is a directory");
	assert_no_line("/dev/zero", "wrong: it is a device");
	assert_no_line("/dev/null", "wrong: it is a device");
	assert_int_equal(mkfifo(copy_file, 0600), 0);
	assert_no_line(copy_file, "wrong: it is a fifo");
	assert_int_equal(unlink(copy_file), 0);
	write_file(copy_file, "", 0);
	assert_no_line(copy_file, "wrong: header: it does not begin as a line");
	write_file(copy_file, "Wicket, a croquet hoop\n", 23);
	assert_no_line(copy_file, "wrong: header: it does not begin as a line");
}

static void what_cannot_be_looked_at(void **state)
{
	(void)state;
	assert_int_equal(check(copy_file), -ENOENT);
	assert_int_equal(check(""), -EINVAL);
	assert_int_equal(check("/dev/null/line"), -ENOTDIR);
	assert_int_equal(symlink(copy_file, copy_file), 0);
	assert_int_equal(check(copy_file), -ELOOP);
	assert_string_equal(told.text, "");
}

static void what_may_not_be_read(void **state)
{
	pid_t pid;
	int status;

	(void)state;
	assert_int_equal(chmod(dir, 0755), 0);
	pid = fork();
	if (pid == 0) {
		bool other = geteuid() == 0 ? !setuid(65534) :
					      !chmod(line_file, 0);

		_exit(other ? -check(line_file) : 1);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(chmod(dir, 0700), 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EACCES);
}

/* Another's file: its time of access cannot be spared, and it is read. */
static void what_is_another_s_may_be_read(void **state)
{
	pid_t pid;
	int status;

	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(chmod(dir, 0755), 0);
	assert_int_equal(chmod(line_file, 0644), 0);
	pid = fork();
	if (pid == 0)
		_exit(setuid(65534) ? 1 : -check(line_file));
	waitpid(pid, &status, 0);
	assert_int_equal(chmod(dir, 0700), 0);
	assert_int_equal(status, 0);
}

static int make_dir(void **state)
{
	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (!mkdtemp(dir))
		return -1;
	snprintf(line_file, sizeof(line_file), "%s/line", dir);
	snprintf(copy_file, sizeof(copy_file), "%s/copy", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

#define LINE_TEST(f) cmocka_unit_test_setup_teardown(f, new_line, end_all)
#define COPY_TEST(f) cmocka_unit_test_setup_teardown(f, copy_line, drop_copy)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LINE_TEST(nothing_is_to_be_said_of_a_new_line),
		LINE_TEST(nor_of_one_in_use),
		LINE_TEST(who_died_inside_is_named),
		LINE_TEST(so_is_who_left_the_line),
		LINE_TEST(and_who_died_with_nothing),
		LINE_TEST(a_command_runs_on),
		LINE_TEST(all_seats_are_taken),
		LINE_TEST(everybody_may_write_it),
		LINE_TEST(it_has_no_name_any_more),
		LINE_TEST(a_line_that_was_removed),
		LINE_TEST(a_line_where_nobody_ever_sat),
		COPY_TEST(the_copy_is_right),
		COPY_TEST(damage_to_a_field_is_named),
		COPY_TEST(damage_to_w_is_named),
		COPY_TEST(damage_to_a_slot_is_named),
		COPY_TEST(damage_to_a_state_is_named),
		COPY_TEST(damage_to_a_payload_is_named),
		COPY_TEST(damage_to_the_rest_is_named),
		COPY_TEST(half_a_release_is_right),
		COPY_TEST(a_single_bit_is_noticed),
		COPY_TEST(no_bit_makes_it_fall_over),
		COPY_TEST(nor_does_any_garbage),
		COPY_TEST(nor_any_length),
		COPY_TEST(many_findings_are_counted),
		LINE_TEST(what_is_no_line_is_said_to_be_none),
		LINE_TEST(what_cannot_be_looked_at),
		LINE_TEST(what_may_not_be_read),
		LINE_TEST(what_is_another_s_may_be_read),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
