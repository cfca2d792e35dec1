/* SPDX-License-Identifier: MIT */
/* handle - what a thread has of a line: opened, closed, lost in a forked child. */
#ifndef WICKET_HANDLE_H
#define WICKET_HANDLE_H

#include "line/area.h"

/*
 * The descriptor of a handle and what it is of.  A forked child inherits it: so it
 * lies on a page that is not wiped there.
 */
struct inherited {
	int fd;
	dev_t device;
	ino_t inode;
	char path[]; /* absolute; or empty */
};

/*
 * A handle.  It lies on a page of its own, which the kernel wipes in a forked
 * child: there magic is 0.
 */
struct wicket {
	/* of every call */
	uint64_t thread;  /* whose it is */
	uint64_t state;	  /* of the own seat, as last stored; 0: no seat */
	struct seat *own; /* the own seat */
	union pair *w;
	_Atomic uint64_t *slot;
	uint32_t slots, block; /* slots: open or closed */
	uint32_t me;	       /* the own seat's number; NO_SEAT */
	uint32_t held;	       /* the own slot */
	uint64_t mine;	       /* its word */
	uint64_t life;	 /* the own one, as a part of the seat's payload */
	uint64_t last;	 /* the S that the last operation made */
	uint32_t ticket; /* of several the last */
	union {
		_Atomic uint16_t unusual; /* one of these is set */
		struct {
			_Atomic uint8_t cancelled; /* by wicket_cancel */
			uint8_t stamped; /* since is to be set, or set back */
		};
	};
	bool kept; /* what it has is: see wicket_keep */
	/* of some */
	uint64_t magic;
	uint64_t joined; /* the tag of what it has joined; 0: nothing */
	struct header *area;
	struct seat *seats;
	_Atomic uint16_t *hint;
	uint64_t range; /* of several, as last stored */
	uint32_t *room; /* for their slots, or null */
	uint32_t seat_count, flags;
	uint32_t processors; /* on which its thread may run */
	uint64_t entered;    /* when, if it waited */
	uint32_t vain,
		discouraged; /* hopes in vain, one after the other; and how
				       many times not to hope */
	_Atomic uint32_t waiting_seat;
	_Atomic uint64_t waiting_for; /* FUT, the last time it waited */
	bool torn;	   /* libc's list still has its bell: see unlock_bell */
	uint32_t ask_from; /* the seat from which on lives are asked for next */
	int fd;		   /* to ask, and to open the file again; see life.h */
	dev_t device;
	ino_t inode;
	struct inherited *inherited; /* the same, behind the handle; or null */
};

/* How many of the first waits begin without hope: 7. */
enum { VAIN_AT_FIRST = 3 };

enum { PAGE = 4096, HANDLE_BYTES = 2 * PAGE };

#define NO_SEAT	     UINT32_MAX
#define HANDLE_MAGIC UINT64_C(0x77696368616e646c)

/* Threads are told apart by a number that no later one gets. */
extern _Thread_local uint64_t handle_thread
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

#endif
