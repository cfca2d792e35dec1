/* SPDX-License-Identifier: MIT */
/*
 * area - a line as it lies in memory.
 *
 * A line is a file, mapped by all its users: a header, W alone on its cache
 * lines, then SLOT[slots_max], HINT[block], SEAT[seats]; the words are those of
 * algo/line.h.  Its size is fixed by slots_max and seats.  It has no pointers of ours;
 * those inside a robust mutex belong to its owner and to libc, which is why the
 * header names the libc.
 *
 * Some fields are reserved, so that the format need not change again: they are 0.
 */
#ifndef WICKET_AREA_H
#define WICKET_AREA_H

#include "algo/line.h"
#include "wicket.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#ifndef __x86_64__
#error "libwicket needs a compare-and-swap of 16 bytes: so far x86-64's"
#endif

enum {
	AREA_VERSION = 4,
	AREA_APART = 64, /* bytes: then two words share no cache line */
};

__extension__ typedef unsigned __int128 both_words;

/* Two words that change together; each can be read, and stored, alone. */
union pair {
	struct {
		_Atomic uint64_t low, high;
	};
	both_words both;
};

struct header {
	char magic[8];
	uint32_t version, libc;
	uint64_t bytes;
	uint32_t slots, seats,
		block;	    /* slots: as it was created; W has how many */
	uint32_t slots_max; /* most slots it can be given */
	uint64_t epoch;	    /* greater whenever it begins anew */
	uint64_t boot[2];   /* of the kernel; written last */
	uint32_t map_at, map_bytes; /* to come: what the slots stand for */
	uint32_t
		lifeless; /* its file system ends lives too early: see life.h */
	/* changed as the line is used */
	_Alignas(2 * AREA_APART) _Atomic uint32_t used; /* seats ever sat in */
	_Atomic uint64_t lives;				/* ever begun */
	_Atomic uint64_t recovered, abandoned, longest_wait;
	/* changed all the time */
	_Alignas(2 * AREA_APART) union pair w; /* T low, S high */
	/* of those who had to wait: about how long they hold a slot, when the last
	   one released its; until when they rather sleep than give up the
	   processor; and when one last looked at all seats; ns */
	_Atomic uint64_t section, released, crowded_until, scanned;
};

struct seat {
	/* read and written by others */
	_Alignas(2 * AREA_APART) union pair word; /* state low, payload high */
	_Atomic uint64_t fut;
	_Atomic uint32_t range;	  /* of several */
	_Atomic uint32_t cpu;	  /* 1 + that on which its owner last got in */
	uint64_t deadline, fence; /* to come */
	_Atomic uint64_t guests;  /* algo/guests/word.h */
	_Atomic int32_t command;  /* for which it is kept; 0: not known yet */
	uint32_t spare;
	/* its owner's; but everybody looks at the bell */
	_Alignas(AREA_APART) pthread_mutex_t bell;
	_Atomic int32_t pid;
	_Atomic uint32_t pidns;
	_Atomic uint64_t grants, since;
};

_Static_assert(sizeof(struct header) == 384, "layout");
_Static_assert(sizeof(struct seat) == 128, "layout");

/* The bytes of a line, and where its parts begin. */
size_t area_bytes(uint32_t slots_max, uint32_t seats);

void area_look_up(struct wicket *h, uint32_t slots_max, uint32_t seats);

/* How many slots it is to have, 0..slots_max: k. */
uint32_t area_slots(struct wicket *h);

/* Why a file of so many bytes is no line that this library can use, in words;
   null: it is one. */
const char *area_fault(const struct header *a, size_t bytes);
bool area_has_magic(const struct header *a);

/* Which run of the kernel is this?  What another one left may be half written. */
int area_boot(uint64_t id[2]);

/* A mutex that tells of its owner's death, to other processes. */
int area_new_bell(pthread_mutex_t *bell);

/* Maps the line of this path; flags as of wicket_open.  -EAGAIN: it was about to be
   removed, but is not. */
int area_attach(struct wicket *h, const char *path, uint32_t flags);

/* Maps the line, creating it if asked to; fills in what lies where. */
int area_open(struct wicket *h, const char *name,
	      const struct wicket_options *options);
void area_close(struct wicket *h);

#endif
