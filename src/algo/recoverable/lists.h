/* SPDX-License-Identifier: MIT */
/*
 * lists - what there is one of each of: operations, variants, mutants and
 * invariants.  Each list is written once; the numbers and the texts are made of
 * it.
 */
#ifndef WICKET_RECOVERABLE_LISTS_H
#define WICKET_RECOVERABLE_LISTS_H

#include "algo/lists.h"
#include "algo/recoverable/pc.h"

/* X(number, its functions): in the order of doc/protocol.md. */
#define OPERATIONS(X)                                                          \
	X(JOIN, join)                                                          \
	X(TAKE, take)                                                          \
	X(READ, read)                                                          \
	X(SETTLE, settle)                                                      \
	X(ENTER, enter)                                                        \
	X(KEEP, keep)                                                          \
	X(WAIT, wait)                                                          \
	X(SCAN, scan)                                                          \
	X(RELEASE, release)                                                    \
	X(RESIZE, resize)                                                      \
	X(DRIVE, drive)                                                        \
	X(RETRACT, retract)                                                    \
	X(WAKE_HEIR, wake_heir)                                                \
	X(ABANDON, abandon)                                                    \
	X(LEAVE, leave)                                                        \
	X(REMOVE, remove)                                                      \
	X(END, end)

/* X(number, name, what it is) */
#define VARIANTS(X)                                                                \
	X(SEATED, "seated", "all are in their seats from the beginning")           \
	/* and who only tries may look for the dead first */                       \
	X(REMOVING, "removing",                                                    \
	  "whoever has left removes the line, if it is empty")                     \
	/* so; and whoever is inside has a command; and silent */                  \
	X(KEPT, "kept", "so; and a command holds on though its holder dies")       \
	/* the bell of those with even numbers never rings */                      \
	X(SILENT, "silent", "the kernel tells of every second death late")         \
	X(WATCHED, "watched",                                                      \
	  "seated; nobody looks by time, all watch who is ahead")                  \
	/* the first k, in their last lap; and with k > 1 the next one to come \
	   stays inside for ever */   \
	X(INSIDE, "inside",                                                        \
	  "so; k are inside from the beginning, the next stays there")             \
	/* the line cannot be unlinked, and the mark is taken back */              \
	X(RESTORING, "restoring",                                                  \
	  "as removing, but every removal is taken back")                          \
	X(SHIPPED, "shipped", "seated; with the M that is shipped")                \
	/* in its last lap; another, who has left, made its ticket valid */        \
	X(GIVEN_UP, "given-up",                                                    \
	  "one slot; one has just given up, with a valid ticket")                  \
	/* what libc would follow has been changed: it is not called */            \
	X(TORN, "torn",                                                            \
	  "seated; the bells' links are damaged: a store unlocks them")            \
	X(HALVES, "halves",                                                        \
	  "seated; a seat is read by state, payload, and state again")             \
	/* in their last lap, but for the one that has given up in its first */    \
	X(BEHIND, "behind",                                                        \
	  "watched; one slot; all have tickets, and the second one gave up")       \
	/* process i takes 1 + (i + lap) % k, and gives them back one by one */    \
	X(UNITS, "units", "some take several tickets at once")                     \
	/* the first stays; another was waiting for two, which are valid by      \
	   now; one behind that has given up, and the last comes for two */ \
	X(QUEUED, "queued",                                                        \
	  "three slots; one has one, and who has the others gives up")             \
	/* by lap: all closed but one (of one: none), none, all, none */           \
	X(RESIZED, "resized",                                                      \
	  "seated; every second process changes the number of slots instead")      \
	/* in a seat without a process: who was to open a slot has died */         \
	X(DRAINED, "drained",                                                      \
	  "removing and resized; all slots are closed in the beginning")           \
	X(NARROWED, "narrowed", "units and resized: both at once")

#define ANY WICKET_ANY_VARIANT

/* X(number, name, what it does wrong, in which variant) */
#define MUTANTS(X)                                                             \
	X(NO_SETTLE, "no-settle", "settle does nothing", ANY)                  \
	X(SETTLE_LATE, "settle-late", "settle comes after the CAS on W", ANY)  \
	X(NO_SECOND_LOOK, "no-second-look",                                    \
	  "SLOT is changed without a look at W", ANY)                          \
	X(NO_STAMP, "no-stamp", "SLOT has no stamp", ANY)                      \
	X(FEW_STAMPS, "few-stamps", "the stamp has one bit", ANY)              \
	X(PHASE_FIRST, "phase-first",                                          \
	  "the seat's phase is changed before SLOT", ANY)                      \
	X(NO_RELEASED, "no-released", "RELEASED is left out", ANY)             \
	X(SEAT_FIRST, "seat-first", "drive reads the seat before W", ANY)      \
	X(D_UNTIED, "d-untied",                                                \
	  "D is not tied to the seq at which it was seen", ANY)                \
	X(FLAG_FUTEX, "flag-futex", "the futex word is 0 or 1", ANY)           \
	X(HEIR_IGNORED, "heir-ignored", "a dead heir keeps what it inherits",  \
	  ANY)                                                                 \
	X(WAKE_EARLY, "wake-early", "the heir is woken before the change",     \
	  ANY)                                                                 \
	X(REMOVE_BUSY, "remove-busy",                                          \
	  "a line is removed though tickets are out", REMOVING)                \
	X(MARK_ONCE, "mark-once",                                              \
	  "a seat that could not be marked is left alone", WATCHED)            \
	X(KEEP_UNASKED, "keep-unasked",                                        \
	  "nobody asks whether a command still runs", KEPT)                    \
	X(KEEP_UNTIED, "keep-untied", "nor which operation's command that is", \
	  KEPT)                                                                \
	X(MARK_STATE, "mark-state",                                            \
	  "D is set though the seat may be kept by now", KEPT)                 \
	X(BELL_FIRST, "bell-first",                                            \
	  "a joiner locks the bell before the seat is its", ANY)               \
	X(BELL_LAST, "bell-last",                                              \
	  "who leaves unlocks the bell of a free seat", ANY)                   \
	X(BELL_TRUSTED, "bell-trusted",                                        \
	  "the bell is believed of a joiner, too", ANY)                        \
	X(BELL_ONLY, "bell-only", "nobody asks who lives", ANY)                \
	X(LIFE_LATE, "life-late", "a joiner claims a seat before it lives",    \
	  ANY)                                                                 \
	X(LIFE_EARLY, "life-early",                                            \
	  "who leaves ends its life before its seat is free", ANY)             \
	X(LIFE_SHARED, "life-shared", "all have the same life", ANY)           \
	X(BACK_LATE, "back-late",                                              \
	  "a ticket is handed back though another was taken after it", ANY)    \
	X(BACK_UNSEEN, "back-unseen",                                          \
	  "a ticket handed back is settled as if VALID had moved", ANY)        \
	X(NOT_TOLD, "not-told", "nobody is told that it is the first in line", \
	  INSIDE)                                                              \
	X(RETRACT_UNSETTLED, "retract-unsettled",                              \
	  "a ticket is taken back before W is settled", ANY)                   \
	X(RETRACT_SEEN, "retract-seen",                                        \
	  "its seat is not read again after that", ANY)                        \
	X(RETRACT_MIDDLE, "retract-middle",                                    \
	  "a ticket is taken back though another was taken after it", ANY)     \
	X(RETRACT_ALONE, "retract-alone",                                      \
	  "nobody looks at the ticket before it", ANY)                         \
	X(EXCHANGE_VALID, "exchange-valid",                                    \
	  "tickets are exchanged though one is valid", ANY)                    \
	X(EXCHANGE_FAR, "exchange-far",                                        \
	  "tickets are exchanged with others between them", ANY)               \
	X(EXCHANGE_LATE, "exchange-late",                                      \
	  "an exchange is written down without another look at W", ANY)        \
	X(EXCHANGE_FIRST, "exchange-first",                                    \
	  "it is written down first in the seat with D", ANY)                  \
	/* wrong only where memory has store buffers */                        \
	X(LEAVE_ONCE, "leave-once", "who leaves tries once to free its seat",  \
	  ANY)                                                                 \
	X(ARM_PLAIN, "arm-plain", "FUT is armed by a plain store", ANY)        \
	X(MARK_PLAIN, "mark-plain", "who gives up sets D by a plain store",    \
	  ANY)                                                                 \
	/* and everywhere */                                                   \
	X(CLEAR_PLAIN, "clear-plain",                                          \
	  "FUT is cleared by a look and a plain store", ANY)                   \
	X(HAVE_FIRST, "have-first", "HAVE is stored before its ticket", ANY)   \
	X(SLOT_LATE, "slot-late",                                              \
	  "the slot is stored after RELEASING, not before", SEATED)            \
	X(UNITS_FIRST, "units-first",                                          \
	  "who has taken several goes in when the first is valid", UNITS)      \
	X(UNITS_EARLY, "units-early",                                          \
	  "a dead seat is free when the first of several is given back",       \
	  UNITS)                                                               \
	X(RANGE_LATE, "range-late", "RANGE is stored after the CAS on W",      \
	  UNITS)                                                               \
	X(HEIR_BY_FIRST, "heir-by-first",                                      \
	  "the heir is who has the ticket as its first, if alive, too", UNITS) \
	X(NO_RESCAN, "no-rescan",                                              \
	  "a helper goes on to a dead heir, and forgets where it was", QUEUED) \
	X(PARK_UNFLAGGED, "park-unflagged",                                    \
	  "W does not say that a release has closed its slot", RESIZED)        \
	X(PARK_EARLY, "park-early",                                            \
	  "whether a slot is closed is decided before W is read", RESIZED)     \
	X(VACANT_ENTERS, "vacant-enters",                                      \
	  "who finds a ticket valid at once enters while slots are closed",    \
	  RESIZED)                                                             \
	X(OPEN_UNCHECKED, "open-unchecked",                                    \
	  "nobody looks again whether the slot is closed still", DRAINED)      \
	X(OPENING_FORGOTTEN, "opening-forgotten",                              \
	  "after one slot a dead one's opening is not gone on with", DRAINED)  \
	X(OPENING_CANCELLED, "opening-cancelled",                              \
	  "a dead one's opening is cancelled without W", DRAINED)              \
	X(OPENED_ASLEEP, "opened-asleep",                                      \
	  "nobody is woken when a slot is opened", DRAINED)

/* X(number, what it says) */
#define INVARIANTS(X)                                                          \
	X(R1, "slot numbers of live holders are distinct")                     \
	X(R2, "a ticket is valid iff its number is at most VALID's")           \
	X(R3, "every take and every release is applied exactly once")          \
	X(R4, "a line that was removed has no tickets out")                    \
	X(R5, "nobody loses its seat who lives and has not given up")          \
	X(R6, "no death is forgotten")                                         \
	X(R7, "a ticket given up is not the last one")                         \
	X(R8, "no two have the same ticket")                                   \
	X(R9, "while too many slots are closed, somebody opens them")          \
	X(R10, "who got in after slots were closed is in one that is open")    \
	X(R11, "the slots that are closed are marked")

MAKE_OF_LISTS(VARIANTS, MUTANTS, INVARIANTS);

enum operation { OPERATIONS(LISTS_NUMBER) };

#define TEXT(operation, pc, text) text,
static const char pc_names[][16] = { RECOVERABLE_PCS(TEXT) };
#undef TEXT

#define BELONGS(operation, pc, text) operation,
static const uint8_t operation_of[] = { RECOVERABLE_PCS(BELONGS) };
#undef BELONGS

#endif
