#!/usr/bin/env -S python3 -B
"""Commands start in the order in which they came, and never more than there
are slots.
usage: order.py WICKET VIEW MOMENT [SCENARIO]...
"""
from wicket_test import chance, check, equal, test, until

SLOTS = 4
COMMANDS = 50


def fifty_commands_through_four_slots(place):
    inside = [place.stay('-j', str(SLOTS)) for _ in range(SLOTS)]
    slots = [run.inside()[1] for run in inside]
    equal('the first four have all the slots', sorted(slots),
          list(range(SLOTS)))
    line = [place.queue() for _ in range(COMMANDS - SLOTS)]
    equal('the line is in order of arrival',
          [entry['pid'] for entry in place.waiters()],
          [run.pid for run in line])
    check('nobody else is inside', not any(run.is_inside() for run in line))

    order, expected, distinct, statuses = [], [run.pid for run in line], [], []
    while line:
        leaving = inside.pop(chance.randrange(SLOTS))
        slot = leaving.inside()[1]
        statuses.append(leaving.end())
        # only one slot is free: whoever enters now was the next
        entered = until(lambda: [r for r in line if r.is_inside()],
                        'somebody to enter')
        order += [run.pid for run in entered]
        inside += entered
        line = [run for run in line if run not in entered]
        slots = sorted(run.inside()[1] for run in inside)
        distinct.append(slots == list(range(SLOTS)) and
                        entered[0].inside()[1] == slot)
        if len(inside) != SLOTS:
            break
    equal('they enter in order of arrival', order, expected)
    equal('never more than four are inside', len(inside), SLOTS)
    check('each has the slot that was given back, nobody else has it',
          all(distinct), distinct)
    statuses += [run.end() for run in inside]
    equal('all exit 0', statuses, [0] * COMMANDS)
    equal('in the end all slots are free', place.all_slots_free(SLOTS),
          list(range(SLOTS)))


def one_who_does_not_wait_overtakes_nobody(place):
    holder = place.stay('-j', '1')
    holder.inside()
    waiter = place.queue()
    hasty = place.stay('-n')
    equal('-n exits 75', hasty.status(), 75)
    short = place.stay('-w', '0.01', '-E', '9')
    equal('-w exits as -E says', short.status(), 9)
    third = place.queue()
    holder.end()
    waiter.inside()
    check('the one behind waits on', not third.is_inside())
    waiter.end()
    third.inside()
    equal('and has its turn behind one who gave up', third.end(), 0)


def several_slots_at_once_in_order(place):
    """Eight commands of 1, 2, 4 and 8 slots, behind one that has all of them."""
    units = [4, 2, 8, 1, 1, 4, 2, 8]
    first = place.stay('-j', '8', '-N', 'all')
    first.inside()
    line = [place.queue('-N', str(count)) for count in units]
    equal('the line is in order of arrival',
          [entry['pid'] for entry in place.waiters()],
          [run.pid for run in line])
    ahead, statuses = [first], []
    for together in ([0, 1], [2], [3, 4, 5, 6], [7]):
        statuses += [run.end() for run in ahead]
        ahead = [line[i] for i in together]
        for run in ahead:
            run.inside()
        behind = line[together[-1] + 1:]
        check('those behind wait, though slots are free',
              not any(run.is_inside() for run in behind))
        held = sum(units[i] for i in together)
        holders = place.holders()
        equal(f'{held} slots are held', len(holders), held)
        equal('no slot twice', len({entry['place'] for entry in holders}),
              held)
    statuses += [run.end() for run in ahead]
    equal('all exit 0', statuses, [0] * (1 + len(units)))
    equal('in the end all slots are free', place.all_slots_free(8),
          list(range(8)))


def a_thousand_wait(place):
    """In a line of four, each command writes its number and ends.  Whoever
    writes was let in after all the earlier ones, of whom at most three may
    still be inside and slower to write."""
    crowd = 1000
    log = place.directory + '/log'
    place.lines.add('log')
    holders = [place.stay('-j', str(SLOTS)) for _ in range(SLOTS)]
    for holder in holders:
        holder.inside()
    runs = []
    for number in range(crowd):
        runs.append(place.run('line', 'sh', '-c', f'echo {number} >>{log}',
                              stdin=None, stdout=None, stderr=None))
        until(lambda: place.numbers()['waiting'] == number + 1,
              f'{number + 1} to be in line')
    equal('a thousand wait in order of arrival',
          [entry['pid'] for entry in place.waiters()],
          [run.pid for run in runs])
    for holder in holders:
        holder.end()
    failed = [run.pid for run in runs if run.status() != 0]
    check('all exit 0', not failed, failed)
    with open(log) as file:
        order = [int(line) for line in file]
    equal('all have run, once', sorted(order), list(range(crowd)))
    missing, overtaken = set(), []
    highest = -1
    for number in order:
        missing |= set(range(highest + 1, number))
        highest = max(highest, number)
        missing.discard(number)
        if len(missing) >= SLOTS:
            overtaken.append((number, sorted(missing)))
    check('nobody was overtaken', not overtaken, overtaken[:3])
    numbers = until(lambda: (lambda n: n['seated'] == 0 and n)(
        place.numbers()), 'all seats to be free')
    equal('nobody holds, nobody waits',
          (numbers['holding'], numbers['waiting']), (0, 0))


test(fifty_commands_through_four_slots,
     one_who_does_not_wait_overtakes_nobody,
     several_slots_at_once_in_order,
     a_thousand_wait)
