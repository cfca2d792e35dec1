#!/usr/bin/env python3
"""What the participants of a line say happened: may it have?

usage: judge.py K [--grants COUNT | --at-least COUNT] [--lossy] [--cut COUNT] [--stale NS] LOG...

A log has the lines of participant.c, and `TIME PID killed`, which the test writes for
one that it kills or stops; or `dead`, if others of its host are there to notice.  Good if
  - no slot had two holders at a time, and never more than K were held: whoever was
    killed or stopped counts until the last deadline that it had said, or until then if
    it had said none; but who began to leave before, until it began to, and who is dead,
    until it was killed;
  - from one holder of a slot to the next, the fence grows;
  - who was let in by an earlier transaction had an earlier ticket.
Nobody loses what it holds who was not killed or stopped.  If that may be, because of the
network or the servers (--lossy), whoever has lost it counts in the same way.  --cut: at
least so many counted until a deadline after which somebody else had their slot, so that
the judge had something to judge.

A leader of etcd that was stopped and goes on may end leases that are alive (etcd issue
15247): for so long after `TIME PID stale` (--stale) slots may be given away before the
deadline of their holder.  Fences grow all the same.
"""
import argparse
import os
import sys


class Grant:
    def __init__(self, time, who, slots, ticket, fence):
        value, colour = ticket.split(":")
        self.begin, self.who = time, who
        self.slots = [int(slot) for slot in slots.split(",")]
        self.ticket = (int(colour), int(value))
        self.fence = int(fence)
        self.end = self.leaving = None
        self.deadline = 0
        self.cut = False  # its end is its deadline

    def __str__(self):
        return (f"{name_of(self.who)} with {self.slots}, ticket {self.ticket}, fence "
                f"{self.fence}, from {self.begin} to {self.end}")


def read(names):
    """All lines of all logs, by time; of a time, in the order of their log.  A pid comes
    back in a long storm: the name of the log says whose it is."""
    lines = []
    for name in names:
        whose = name.removesuffix(".log").removesuffix("-struck")
        with open(name, encoding="ascii") as log:
            for line in log:
                if line.strip():
                    time, pid, event, *more = line.split()
                    lines.append((int(time), (whose, pid), event, *more))
    return sorted(lines, key=lambda line: line[0])


def name_of(who):
    whose, pid = who
    return f"{os.path.basename(whose)} ({pid})"


def cut_off(grant, struck):
    """It believes that it holds until its deadline, unless it has begun to leave."""
    grant.end = max(grant.begin, grant.deadline or struck)
    if grant.leaving and grant.leaving < grant.end:
        grant.end = grant.leaving
    else:
        grant.cut = grant.deadline > 0


def grants_of(lines, lossy, wrong):
    # the time is that before the signal: it may have said something after it
    struck = {who: time for time, who, event, *_ in lines if event in ("killed", "dead")}
    dead = {who for _, who, event, *_ in lines if event == "dead"}
    grants, inside = [], {}
    for time, who, event, *more in lines:
        if event == "in":
            if who in inside:
                wrong.append(f"{name_of(who)} is in twice")
                cut_off(inside[who], time)
            inside[who] = Grant(time, who, *more)
            grants.append(inside[who])
        elif event == "deadline":
            inside[who].deadline = max(inside[who].deadline, int(more[0]))
        elif event == "leaving":
            inside[who].leaving = time
        elif event == "out":
            inside.pop(who).end = time
        elif event == "lost" and who in inside:
            if who not in struck and not lossy:
                wrong.append(f"{name_of(who)} has lost what it held, and was not stopped")
            cut_off(inside.pop(who), struck.get(who, 0))
        elif event not in ("gave-up", "killed", "dead", "lost", "wrote", "refused",
                           "stale"):
            wrong.append(f"no event: {time} {name_of(who)} {event}")
    for who, grant in inside.items():
        if who not in struck:
            wrong.append(f"{name_of(who)} never came out")
        if who in dead:
            grant.deadline = struck[who]
        cut_off(grant, struck.get(who, 0))
    return grants


class Stale:
    """The times at which leases may end early."""

    def __init__(self, lines, length):
        self.begins = [time for time, _, event, *_ in lines if event == "stale"]
        self.length = length
        self.excused = 0

    def excuses(self, time):
        excused = any(begin <= time <= begin + self.length for begin in self.begins)
        self.excused += excused
        return excused


def judge_slots(grants, stale, wrong):
    for slot in sorted({s for g in grants for s in g.slots}):
        held = sorted((g for g in grants if slot in g.slots), key=lambda g: g.begin)
        for one, other in zip(held, held[1:]):
            if other.begin < one.end and not (one.cut and stale.excuses(other.begin)):
                wrong.append(f"slot {slot} twice: {one}; {other}")
            if other.fence <= one.fence:
                wrong.append(f"slot {slot}, no greater fence: {one}; {other}")


def count_cut(grants):
    """How many were cut off, and somebody has had one of their slots since."""
    return sum(one.cut and any(other.fence > one.fence and set(one.slots) & set(other.slots)
                               for other in grants) for one in grants)


def judge_count(grants, k, stale, wrong):
    changes = [(g.begin, len(g.slots)) for g in grants]
    changes += [(g.end, -len(g.slots)) for g in grants]
    count = 0
    for time, change in sorted(changes):  # who leaves at that time, first
        count += change
        if count > k and change > 0 and not stale.excuses(time):
            wrong.append(f"{count} slots held at {time}")


def judge_order(grants, wrong):
    # one transaction may let several in: of one fence, any order will do
    order = sorted(grants, key=lambda g: (g.fence, g.ticket))
    for one, other in zip(order, order[1:]):
        if other.ticket <= one.ticket:
            wrong.append(f"overtaken: {one}; {other}")


def read_arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2])
    parser.add_argument("k", type=int)
    parser.add_argument("--grants", type=int)
    parser.add_argument("--at-least", type=int, default=0)
    parser.add_argument("--cut", type=int, default=0)
    parser.add_argument("--lossy", action="store_true")
    parser.add_argument("--stale", type=int, default=0)
    parser.add_argument("log", nargs="+")
    return parser.parse_args()


def main(args):
    wrong = []
    lines = read(args.log)
    grants, stale = grants_of(lines, args.lossy, wrong), Stale(lines, args.stale)
    if args.grants is not None and len(grants) != args.grants:
        wrong.append(f"{len(grants)} grants, not {args.grants}")
    if len(grants) < args.at_least:
        wrong.append(f"{len(grants)} grants, not {args.at_least} or more")
    cut = count_cut(grants)
    if cut < args.cut:
        wrong.append(f"{cut} were cut off, not {args.cut} or more")
    judge_slots(grants, stale, wrong)
    judge_count(grants, args.k, stale, wrong)
    judge_order(grants, wrong)
    print("\n".join(wrong) or f"ok: {len(grants)} grants, {cut} cut off, "
          f"{stale.excused} times a stale leader")
    return 1 if wrong else 0


sys.exit(main(read_arguments()))
