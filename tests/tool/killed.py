#!/usr/bin/env -S python3 -B
"""kill -9, of the wrapper, of the command, of both, of those who wait: the slot
lasts exactly as long as the command.
usage: killed.py WICKET VIEW MOMENT [SCENARIO]...
"""
import os
import signal
import subprocess
import time

from wicket_test import (HOLDS, ORPHAN, STAY, chance, check, equal, is_alive,
                         test, until)

KILL = signal.SIGKILL


def the_wrapper(place):
    wrapper = place.stay('-j', '1')
    command, _ = wrapper.inside()
    waiter = place.queue()
    wrapper.send(KILL)
    equal('the wrapper is dead', wrapper.status(), -KILL)
    check('its command lives', is_alive(command))
    until(lambda: [e for e in place.holders() if e['flags'] & ORPHAN],
          'the line to know of the orphan')
    equal('the slot is shown as that of the command',
          [e['pid'] for e in place.holders()], [command])
    equal('nobody gets the slot', place.stay('-n').status(), 75)
    equal('not even by waiting a little', place.stay('-w', '0.3').status(), 75)
    check('nor the first in line', not waiter.is_inside())
    check('and still the command lives', is_alive(command))
    wrapper.end()
    equal('when the command ends, the first in line has the slot',
          waiter.inside()[1], 0)
    check('by itself: the command is over', not is_alive(command))
    equal('and ends as ever', waiter.end(), 0)


def the_wrapper_with_close(place):
    wrapper = place.stay('-j', '1', '-o')
    command, _ = wrapper.inside()
    waiter = place.queue()
    wrapper.send(KILL)
    equal('with -o the slot comes back at once', waiter.inside()[1], 0)
    check('although the command lives', is_alive(command))
    wrapper.end()
    equal('the next one is not disturbed', waiter.end(), 0)


def the_wrapper_of_each_of_three(place):
    runs = [place.stay('-j', '3') for _ in range(3)]
    pairs = [run.inside() for run in runs]
    waiters = [place.queue() for _ in range(3)]
    for run in runs:
        run.send(KILL)
        run.status()
    until(lambda: len([e for e in place.holders() if e['flags'] & ORPHAN])
          == 3, 'three orphans')
    for number in chance.sample(range(3), 3):
        before = [w for w in waiters if w.is_inside()]
        runs[number].end()
        entered = until(lambda: [w for w in waiters if w.is_inside() and
                                 w not in before], 'the next one to enter')
        equal(f'the slot of orphan {number} goes to the next in line',
              [w.inside()[1] for w in entered], [pairs[number][1]])
    equal('in order', [w.end() for w in waiters], [0, 0, 0])


# The daemon has the descriptor, as a daemon that closes nothing would.
DAEMON = ('sh', '-c', 'setsid sh -c "echo \\$\\$; exec sleep 1000" '
          '</dev/null & wait_for=$!; read line; exit 3')


def start_daemon(place):
    wrapper = place.run('-j', '1', 'line', *DAEMON)
    return wrapper, int(wrapper.first_line())


def a_daemon_stays(place):
    wrapper, daemon = start_daemon(place)
    waiter = place.queue()
    equal('the command ends as it ends', wrapper.end(), 3)
    equal('and the slot is given back at once', waiter.inside()[1], 0)
    check('although its daemon lives', is_alive(daemon))
    # the seat of the first one is free and will be taken again
    waiter.end()
    for turn in range(3):
        run = place.stay()
        run.inside()
        next_one = place.queue()
        run.send(KILL)
        run.status()
        check(f'seat used again, wrapper killed {turn}: the slot stays',
              place.stay('-w', '0.1').status() == 75)
        run.end()
        equal(f'seat used again {turn}: the daemon is not taken for it',
              next_one.inside()[1], 0)
        equal(f'and the next ends {turn}', next_one.end(), 0)
    both = place.stay()
    command, _ = both.inside()
    both.send(KILL)
    os.kill(command, KILL)
    equal('killed with its command, the slot comes back all the same',
          place.all_slots_free(1), [0])
    check('the daemon still lives', is_alive(daemon))
    os.kill(daemon, KILL)


def a_daemon_stays_and_the_wrapper_is_killed(place):
    wrapper, daemon = start_daemon(place)
    waiter = place.queue()
    wrapper.send(KILL)
    wrapper.end()
    until(lambda: [e for e in place.holders() if e['flags'] & ORPHAN],
          'the line to know of the orphan')
    equal('the daemon keeps the slot', place.stay('-w', '0.3').status(), 75)
    check('and nobody is inside', not waiter.is_inside())
    os.kill(daemon, KILL)
    equal('until it ends', waiter.inside()[1], 0)
    equal('and all goes on', waiter.end(), 0)


def the_command(place):
    wrapper = place.stay('-j', '1')
    command, _ = wrapper.inside()
    waiter = place.queue()
    os.kill(command, KILL)
    equal('killed, the command counts as 137', wrapper.status(), 137)
    waiter.inside()
    equal('and the next has the slot', waiter.end(), 0)


def the_wrapper_and_the_command(place):
    wrapper = place.stay('-j', '1')
    command, _ = wrapper.inside()
    waiter = place.queue()
    wrapper.send(KILL)
    os.kill(command, KILL)
    waiter.inside()
    equal('the next has the slot', waiter.end(), 0)
    check('it is nobody\'s now', not place.holders())


def those_who_wait(place):
    holder = place.stay('-j', '1')
    holder.inside()
    line = [place.queue() for _ in range(9)]
    for number in 0, 3, 4, 8:
        line[number].send(KILL)
        line[number].status()
    living = [run for run in line if not run.is_over()]
    until(lambda: len(place.waiters()) == 5, 'the dead to be out of line')
    equal('those who live are in order', [e['pid'] for e in place.waiters()],
          [run.pid for run in living])
    holder.end()
    order = []
    while living:
        entered = until(lambda: [r for r in living if r.is_inside()],
                        'the next to enter')
        order.append(len(entered) == 1 and entered[0] is living[0])
        entered[0].end()
        living.remove(entered[0])
    equal('and enter in order', order, [True] * 5)
    equal('the slot is free', place.all_slots_free(1), [0])


def storm(place):
    """Everything is killed at random for some seconds."""
    slots, seconds = 3, 6
    # 99: somebody else is in this slot
    busy = ('sh', '-c', 'exec flock -n -E 99 -F "$0.$WICKET_SLOT" '
            'sleep 0.00$(($$ % 10))', place.directory + '/slot')
    place.lines |= {f'slot.{slot}' for slot in range(slots)}
    end = time.monotonic() + seconds
    runs, kills, most, wrong, overlaps = [], 0, 0, [], []
    while time.monotonic() < end:
        overlaps += [run.pid for run in runs if run.process.poll() == 99]
        runs = [run for run in runs if not run.is_over()]
        while len(runs) < 12:
            options = ['-j', str(slots)] + chance.choice(
                ([], ['-o'], ['-n'], ['-w', '0.02']))
            # with -o a killed wrapper's command has company, as it should
            commands = (('true',), STAY) if '-o' in options else \
                (busy, busy, ('true',), STAY)
            command = chance.choice(commands)
            runs.append(place.run(*options, 'line', *command,
                                  stderr=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL))
        view = place.view()
        held = [e for e in view['entries'] if e['flags'] & HOLDS] \
            if view else []
        most = max(most, len(held))
        if len({e['place'] for e in held}) != len(held) or len(held) > slots:
            wrong.append(held)
        time.sleep(chance.random() * 0.005)
        victims = [run.pid for run in runs] + [e['pid'] for e in held]
        victim = chance.choice(victims)
        try:
            if victim in place.left_over():
                os.kill(victim, KILL)
                kills += 1
        except ProcessLookupError:
            pass
        place.reap()
        for run in runs:
            if run.is_over():
                run.close()
    for run in runs:
        run.end()
    check(f'{kills} killed: never two in a slot, never more than {slots}',
          not wrong, wrong[:3])
    check('nor did two commands meet in one', not overlaps, overlaps)
    equal('in between all slots were in use', most, slots)
    equal('in the end all slots are free', place.all_slots_free(slots),
          list(range(slots)))


test(the_wrapper, the_wrapper_with_close, the_wrapper_of_each_of_three,
     a_daemon_stays, a_daemon_stays_and_the_wrapper_is_killed, the_command,
     the_wrapper_and_the_command, those_who_wait, storm)
