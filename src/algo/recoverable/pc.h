/* SPDX-License-Identifier: MIT */
/*
 * pc - the program counters of recoverable, in the order of doc/protocol.md.
 *
 * Each is one access to shared memory.  src/line names it at the access, so that
 * a search for one of these names finds the step in the model and in the library;
 * tests/conformance checks that they are the same step.
 */
#ifndef WICKET_RECOVERABLE_PC_H
#define WICKET_RECOVERABLE_PC_H

/* X(operation, program counter, for people) */
#define RECOVERABLE_PCS(X)                                                     \
	/* life first, then the seat, then its bell */                         \
	X(JOIN, JOIN_LIFE, "join: life")                                       \
	X(JOIN, JOIN_SEAT, "join: seat?")                                      \
	X(JOIN, JOIN_CLAIM, "join: claim")                                     \
	X(JOIN, JOIN_BELL, "join: bell")                                       \
	X(JOIN, JOIN_SIT, "join: sit")                                         \
	X(TAKE, TAKE_SEAT, "take: seat")                                       \
	X(TAKE, TAKE_RANGE, "take: range")                                     \
	X(TAKE, TAKE_W, "take: W")                                             \
	X(TAKE, TAKE_TICKET, "take: ticket")                                   \
	X(TAKE, TAKE_HAVE, "take: have")                                       \
	X(TAKE, TAKE_BACK, "take: back")                                       \
	/* parts of several: W is read, a new colour chosen, W settled */      \
	X(READ, READ_T, "read T")                                              \
	X(READ, READ_S, "read S")                                              \
	X(READ, COLOURS, "colours")                                            \
	X(SETTLE, SETTLE_SEAT, "settle: seat")                                 \
	X(SETTLE, SETTLE_HAVE, "settle: have")                                 \
	X(SETTLE, SETTLE_FIND, "settle: find")                                 \
	X(SETTLE, SETTLE_STILL, "settle: still?")                              \
	X(SETTLE, SETTLE_MOVE, "settle: move")                                 \
	X(SETTLE, SETTLE_SLOT, "settle: slot")                                 \
	X(SETTLE, SETTLE_LOOK, "settle: look")                                 \
	X(SETTLE, SETTLE_PUT, "settle: put")                                   \
	X(SETTLE, SETTLE_DONE, "settle: done")                                 \
	X(ENTER, FIND, "find")                                                 \
	X(ENTER, FOUND, "found")                                               \
	X(KEEP, KEEP_LOCK, "keep: lock")                                       \
	X(KEEP, KEEP_MARK, "keep: mark")                                       \
	X(WAIT, WAIT_SPIN, "spin")                                             \
	X(WAIT, WAIT_ARM, "wait: arm")                                         \
	X(WAIT, WAIT_LOOK, "wait: look")                                       \
	X(WAIT, WAIT_SLEEP, "sleep")                                           \
	/* who has died? */                                                    \
	X(SCAN, SCAN_SEAT, "scan: seat")                                       \
	X(SCAN, SCAN_BELL, "scan: bell?")                                      \
	X(SCAN, SCAN_LIFE, "scan: alive?")                                     \
	X(SCAN, SCAN_KEEP, "scan: kept?")                                      \
	X(SCAN, SCAN_MARK, "scan: mark D")                                     \
	/* in C; the step out of it begins the release, for each of several */ \
	X(RELEASE, RELEASE_FIND, "release: find")                              \
	X(RELEASE, RELEASE_UNIT, "release: unit")                              \
	X(RELEASE, HOLD, "release")                                            \
	X(RELEASE, RELEASE_W, "release: W")                                    \
	X(RELEASE, RELEASE_SLOT, "release: slot")                              \
	X(RELEASE, RELEASE_END, "release: end")                                \
	/* not into C: the slot is to be closed */                             \
	X(RELEASE, RETURN, "return")                                           \
	/* changes how many slots shall be open, and opens those missing */    \
	X(RESIZE, OPEN_SEAT, "resize: seat")                                   \
	X(RESIZE, OPEN_AIM, "resize: W")                                       \
	X(RESIZE, OPEN_NEXT, "open: next")                                     \
	X(RESIZE, OPEN_FIND, "open: parked?")                                  \
	X(RESIZE, OPEN_SLOT, "open: slot")                                     \
	X(RESIZE, OPEN_LOOK, "open: look")                                     \
	X(RESIZE, OPEN_W, "open: W")                                           \
	X(RESIZE, OPEN_PUT, "open: put")                                       \
	X(RESIZE, OPEN_END, "open: end")                                       \
	/* brings a dead seat's operation to its end */                        \
	X(DRIVE, DRIVE_SEAT, "drive: seat")                                    \
	X(DRIVE, DRIVE_FREE, "drive: free")                                    \
	X(DRIVE, DRIVE_FIND, "drive: find")                                    \
	X(DRIVE, DRIVE_GIVE, "drive: give")                                    \
	X(DRIVE, DRIVE_W, "drive: W")                                          \
	X(DRIVE, DRIVE_END, "drive: end")                                      \
	X(DRIVE, DRIVE_LOOK, "drive: look")                                    \
	X(DRIVE, DRIVE_PARKED, "drive: parked?")                               \
	X(DRIVE, DRIVE_ON, "drive: on")                                        \
	/* a ticket that is not wanted: to the end of the line, and back */    \
	X(RETRACT, RETRACT_SEAT, "retract: seat")                              \
	X(RETRACT, RETRACT_W, "retract: W")                                    \
	X(RETRACT, EXCHANGE_W, "exchange: W")                                  \
	/* whom a release lets in, or an entry makes the first in line */      \
	X(WAKE_HEIR, HEIR, "heir?")                                            \
	X(WAKE_HEIR, WAKE_CLEAR, "wake: clear")                                \
	X(WAKE_HEIR, WAKE, "wake")                                             \
	X(WAKE_HEIR, TELL_W, "tell: W")                                        \
	X(ABANDON, ABANDON_BELL, "abandon: bell")                              \
	X(ABANDON, ABANDON_MARK, "abandon")                                    \
	X(LEAVE, LEAVE_BELL, "leave: bell")                                    \
	X(LEAVE, LEAVE_SEAT, "leave")                                          \
	X(LEAVE, LEAVE_LIFE, "leave: life")                                    \
	X(REMOVE, REMOVE_W, "remove: W")                                       \
	X(REMOVE, RESTORE_W, "remove: back")                                   \
	/* mutants bell-first, leave-once and clear-plain alone */             \
	X(JOIN, JOIN_UNLOCK, "join: unlock")                                   \
	X(LEAVE, LEAVE_LOOK, "leave: look")                                    \
	X(WAKE_HEIR, WAKE_STORE, "wake: store")                                \
	/* the kernel's steps, and none */                                     \
	X(END, DONE, "done")                                                   \
	X(END, DIE, "dies")                                                    \
	X(END, DIE_LIFE, "life ends")                                          \
	X(END, COMMAND, "command ends")                                        \
	X(END, DEAD, "dead")

#define RECOVERABLE_PC(operation, pc, text) pc,
enum pc { RECOVERABLE_PCS(RECOVERABLE_PC) };
#undef RECOVERABLE_PC

#endif
