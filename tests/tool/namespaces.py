#!/usr/bin/env -S python3 -B
"""Two pid namespaces, as two containers have them, on one line.
usage: namespaces.py WICKET VIEW MOMENT [SCENARIO]...
"""
import os
import signal

from wicket_test import (FOREIGN, HOLDS, STAY, chance, equal, check, is_alive,
                         skip, stat_of, descendants, test, until, wicket_path)

ELSEWHERE = ('unshare', '-pf', '--mount-proc')


def elsewhere(place, *arguments):
    return place.start(*ELSEWHERE, wicket_path, 'run', *arguments)


def is_permitted(place):
    return place.start(*ELSEWHERE, 'true').status() == 0


def others_wait_for_it(place):
    inner = elsewhere(place, '-j', '1', 'line', *STAY)
    pid, slot = inner.inside()
    check('it is in another namespace', pid < 10, pid)
    equal('exclusion holds across', place.stay('-n').status(), 75)
    entry = place.holders()[0]
    check('it is shown as foreign', entry['flags'] & FOREIGN, entry)
    waiter = place.queue()
    inner.end()
    equal('given back there, the slot is had here', waiter.inside()[1], slot)
    second = elsewhere(place, 'line', *STAY)
    until(lambda: place.waiters(), 'it to be in line')
    check('one who waits there is shown as foreign, too',
          place.waiters()[0]['flags'] & FOREIGN)
    waiter.end()
    equal('given back here, it is had there', second.inside()[1], slot)
    second.end()


def init_of(run):
    """The first process of the namespace, as seen from here."""
    return [pid for pid in descendants() if stat_of(pid)[1] == run.pid][0]


def death_there_is_noticed(place):
    inner = elsewhere(place, '-j', '1', 'line', *STAY)
    inner.inside()
    waiter = place.queue()
    os.kill(init_of(inner), signal.SIGKILL)     # and with it all inside
    inner.status()
    equal('the holder there is killed: the slot is had here',
          waiter.inside()[1], 0)
    dead = elsewhere(place, 'line', *STAY)
    until(lambda: place.waiters(), 'it to be in line')
    behind = place.queue()
    os.kill(init_of(dead), signal.SIGKILL)
    dead.status()
    until(lambda: len(place.waiters()) == 1, 'the dead one to be out of line')
    waiter.end()
    equal('one who waits there is killed: the next goes on',
          behind.inside()[1], 0)
    behind.end()


def a_command_there_outlives_its_wrapper(place):
    inner = place.start(*ELSEWHERE, 'sh', '-c',
                        '"$0" run -j 1 line "$@"; exec sleep 1000',
                        wicket_path, *STAY)
    inner.inside()
    waiter = place.queue()
    shell = init_of(inner)
    wrapper = [pid for pid in descendants()
               if (stat_of(pid) or ' ' * 2)[1] == shell][0]
    os.kill(wrapper, signal.SIGKILL)
    until(lambda: not is_alive(wrapper), 'its death')
    equal('its command keeps the slot', place.stay('-w', '0.2').status(), 75)
    check('nobody is let in', not waiter.is_inside())
    inner.process.stdin.close()
    equal('until it ends', waiter.inside()[1], 0)
    waiter.end()
    os.kill(shell, signal.SIGKILL)
    inner.status()


def both_at_once(place):
    runs = []
    for _ in range(40):
        start = chance.choice((place.run, lambda *a: elsewhere(place, *a)))
        runs.append(start('-j', '2', 'line', 'sh', '-c',
                          'exec flock -n -E 99 -F "$0.$WICKET_SLOT" '
                          'sleep 0.01', place.directory + '/slot'))
    place.lines |= {'slot.0', 'slot.1'}
    most = 0
    while not all(run.is_over() for run in runs):
        view = place.view()
        if view:
            most = max(most, len([e for e in view['entries']
                                  if e['flags'] & HOLDS]))
    check('never more than two inside', most <= 2, most)
    equal('never two in a slot', [run.status() for run in runs], [0] * 40)
    equal('both slots are free', place.all_slots_free(2), [0, 1])


def the_first_process(place):
    """Of a namespace, as in a container: what it does not handle is ignored."""
    holder = place.stay('-j', '1')
    holder.inside()
    for name in 'TERM', 'INT', 'HUP', 'QUIT', 'USR1', 'USR2':
        waiter = elsewhere(place, 'line', 'true')
        until(lambda: place.waiters(), 'it to be in line')
        os.kill(init_of(waiter), getattr(signal, 'SIG' + name))
        equal(f'SIG{name} ends it while it waits', waiter.status(),
              128 + getattr(signal, 'SIG' + name))
        until(lambda: not place.waiters(), 'it to be out of line')
    # it has become the first process after a child of that one was started
    waiter = place.start(*ELSEWHERE, 'sh', '-c',
                         'exec 3<&0; cat <&3 >/dev/null 3<&- & '
                         'exec "$0" run line true 3<&-', wicket_path)
    until(lambda: place.waiters(), 'it to be in line')
    first = init_of(waiter)
    orphan = [pid for pid in descendants() if stat_of(pid)[1] == first][0]
    waiter.process.stdin.close()
    until(lambda: not stat_of(orphan), 'the orphan to be reaped')
    check('it reaps what is left to it while it waits', place.waiters())
    os.kill(first, signal.SIGCONT)
    holder.end()
    equal('SIGCONT does not end it', waiter.status(), 0)
    orphans = elsewhere(
        place, 'line', 'sh', '-c',
        '(for i in 1 2 3 4 5; do (exec true) & done); '
        'until ! grep -l "^State:.Z" /proc/[0-9]*/status; do :; done; '
        'exit 7')
    equal('it reaps what is left to it', orphans.status(), 7)


def two_namespaces(place):
    if not is_permitted(place):
        skip('two pid namespaces', 'unshare -pf is not permitted')
        return
    for scenario in (others_wait_for_it, death_there_is_noticed,
                     a_command_there_outlives_its_wrapper, the_first_process):
        scenario(place)
        os.unlink(place.directory + '/line')
        place.views.pop('line').close()
    both_at_once(place)


test(two_namespaces)
