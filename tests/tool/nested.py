#!/usr/bin/env -S python3 -B
"""A command that uses the line in whose slot it runs does not wait for itself.
usage: nested.py WICKET VIEW MOMENT [SCENARIO]...
"""
import json
import os
import signal
import sys
import time

from wicket_test import (ORPHAN, STAY, chance, check, equal, is_alive, skip,
                         test, until, wicket_path)

KILL = signal.SIGKILL
JOINED = 16     # a flag of an entry, wicket.h


def nested(*arguments, line='line'):
    return wicket_path, 'run', *arguments, line


def say(*arguments, line='line'):
    """A nested command that tells its slot."""
    return *nested(*arguments, line=line), 'sh', '-c', 'echo in $WICKET_SLOT'


def is_told(what, run, text='in 0\n', status=0):
    equal(f'{what}: how it ends', run.end(), status, run.err.read())
    equal(f'{what}: what it says', run.out.text, text, run.err.text)


def pass_take_refuse(place):
    is_told('by default', place.run('-j', '1', 'line', *say()))
    is_told('pass', place.run('line', *say('--nested', 'pass')))
    is_told('without waiting', place.run('line', *say('-n')))
    is_told('three deep', place.run('line', *nested(), *nested(), *say('-n')))
    is_told('take', place.run('line', *say('--nested', 'take', '-n')), '', 75)
    refused = place.run('line', *say('--nested', 'refuse'))
    is_told('refuse', refused, '', 78)
    check('refuse: and why', refused.err.text ==
          'wicket: line: this runs in slot 0 of the line already, which '
          '--nested refuse forbids\n', refused.err.text)
    is_told('refuse, outside', place.run('--nested', 'refuse', 'line', 'echo',
                                         'in', '0'))
    is_told('another number of slots', place.run('line', *say('-j', '2')),
            '', 78)
    wrong = place.run('--nested', 'maybe', 'line', 'true')
    is_told('neither', wrong, '', 64)
    equal('neither: and why', wrong.err.text, 'wicket: --nested maybe: '
          'expected pass, take or refuse\n')
    tell = 'sh', '-c', 'echo $WICKET_SLOT; exec "$@"', 'sh'
    store = place.run('--nested', 'pass', '--store', 'etcd://127.0.0.1:1',
                      'line', 'true')
    if store.status() == 69:
        skip('in a store', 'wicket-etcd is not built')
    else:
        is_told('in a store', store, '', 64)
        equal('in a store: and why', store.err.text, 'wicket: --nested and '
              '--store: expected take; a line in a store does not know what '
              'runs inside\n')
    two = place.run('-j', '2', 'two', *tell,
                    *nested('--nested', 'take', line='two'), *tell,
                    *nested(line='two'), *tell, 'true')
    place.lines.add('two')
    equal('take, if there is another slot', two.end(), 0, two.err.read())
    slots = two.out.read().split()
    equal('which is the other one', sorted(slots[:2]), ['0', '1'])
    equal('and a third is inside that', slots[2:], slots[1:2])


PYTHON = ('import subprocess, sys; '
          'sys.exit(subprocess.run(sys.argv[1:], close_fds=True).returncode)')


def through(place, what, *start, options=()):
    is_told(what, place.run(*options, 'line', *start, *say('-n')))
    # the tag is all there is, if no descriptor is passed on
    is_told(f'{what}, with -o', place.run('-o', *options, 'line', *start,
                                          *say('-n')))


def through_others(place):
    through(place, 'directly', options=('-j', '1'))
    through(place, 'a shell', 'sh', '-c', '"$@"; exit $?', 'sh')
    through(place, 'setsid', 'setsid', '-w')
    through(place, 'Python', sys.executable, '-c', PYTHON)
    is_told('without an environment', place.run(
        'line', 'env', '-i', 'WICKET_DIR=' + place.directory,
        'PATH=' + os.environ['PATH'], *say('-n')))
    makefile = place.directory + '/Makefile'
    script = place.directory + '/script'
    place.lines |= {'Makefile', 'script'}
    with open(script, 'w') as file:
        file.write('#!/bin/sh\nexec "$PYTHON" -c "$CODE" "$WICKET" run -n '
                   'line sh -c "echo in \\$WICKET_SLOT"\n')
    os.chmod(script, 0o755)
    with open(makefile, 'w') as file:
        file.write('all: a b c\na b c:\n\t@"$$WICKET" run line ./script\n')
    environment = dict(place.environment, PYTHON=sys.executable, CODE=PYTHON,
                       WICKET=wicket_path)
    for options in (), ('-o',):
        run = place.run(*options, 'line', 'make', '-s', '-j', '3', '-C',
                        place.directory, env=environment)
        is_told(f'make -j, a script and Python {options}', run, 'in 0\n' * 3)
    is_told('and it is free again', place.run('-n', *nested()[2:], 'echo',
                                              'in', '0'))


def another_line_between(place):
    place.lines.add('other')
    is_told('A in B in A', place.run(
        '-j', '1', 'line', *nested('-j', '1', line='other'),
        *nested('-n'), *say('-n', line='other')))
    is_told('A in B in A, without descriptors', place.run(
        '-o', 'line', *nested('-o', line='other'), sys.executable, '-c',
        PYTHON, *nested('-n'), sys.executable, '-c', PYTHON,
        *say('-n', line='other')))


def environment_of(pid):
    with open(f'/proc/{pid}/environ', 'rb') as file:
        pairs = file.read().decode().split('\0')[:-1]
    return dict(pair.split('=', 1) for pair in pairs)


def a_forged_tag(place):
    holder = place.stay('-j', '1')
    command, _ = holder.inside()
    # the shell becomes cat: meanwhile there is no environment to be seen
    forged = until(lambda: 'WICKET_TAG' in environment_of(command) and
                   environment_of(command), 'its environment')
    check('there is a tag', forged['WICKET_TAG'].isdigit(), forged)
    for tag in forged['WICKET_TAG'], '1,' + forged['WICKET_TAG'], 'x', '-1,':
        equal(f'with the tag {tag} of others nobody is inside',
              place.run('-n', 'line', 'true',
                        env=dict(forged, WICKET_TAG=tag)).status(), 75)
    equal('the holder is not disturbed', holder.end(), 0)
    equal('nor is it of use when that has ended', place.run(
        '-n', 'line', *say(), env=forged).end(), 0)


# Its first word is the pid of the sibling, which the wrapper has for a parent.
SIBLING = '''
(read tag <&3; WICKET_TAG=$tag "$WICKET" run -n line true; echo $? >&4) &
exec "$WICKET" run line sh -c 'echo $WICKET_TAG >&3; exec cat >/dev/null'
'''


def a_sibling(place):
    place.run('-j', '1', 'line', 'true').end()
    fifo = place.directory + '/fifo'
    os.mkfifo(fifo)
    place.lines |= {'fifo', 'told'}
    with open(place.directory + '/told', 'w+') as told:
        run = place.start(
            'sh', '-c', f'exec 3<>{fifo} 4>>{place.directory}/told\n' +
            SIBLING, env=dict(place.environment, WICKET=wicket_path))
        until(lambda: told.read(), 'the sibling to have tried')
        told.seek(0)
        equal('who was started before by the holder is not inside',
              told.read(), '75\n')
        run.end()


def the_wrapper_is_killed(place):
    outer = place.run('-j', '1', 'line', 'sh', '-c', 'echo $$; "$@"; exit 3',
                      'sh', *nested(), *STAY)
    command = int(outer.first_line())
    until(lambda: len(outer.out.lines()) == 2, 'the nested one')
    inner = int(outer.out.lines()[1].split()[0])
    waiter = place.queue()
    outer.send(KILL)
    outer.status()
    os.kill(command, KILL)
    until(lambda: [e for e in place.holders() if e['flags'] & ORPHAN],
          'the line to know of the orphan')
    equal('nobody gets the slot', place.stay('-w', '0.3').status(), 75)
    check('as the nested command lives', is_alive(inner))
    outer.process.stdin.close()
    equal('until it ends', waiter.inside()[1], 0)
    check('and it has ended', not is_alive(inner))
    equal('and all goes on', waiter.end(), 0)


BACKGROUND = ('sh', '-c', '"$@" & read line; exit 3', 'sh')


def in_the_background(place, kills, slots=1):
    read, write = os.pipe()
    outer = place.run('-j', str(slots), '-N', 'all', 'line', *BACKGROUND,
                      *nested(), 'sh', '-c',
                      f'echo $$ $PPID; exec cat <&{read} >/dev/null',
                      pass_fds=(read,))
    os.close(read)
    inner, wrapper = map(int, outer.first_line().split())
    waiter = place.queue('-v')
    if kills:
        os.kill(wrapper, KILL)
        until(lambda: not is_alive(wrapper), 'the nested wicket to die')
    equal('the outer command ends as it ends', outer.end(), 3)
    check('and its wicket says what is left', 'runs on in its slot' in
          outer.err.text, outer.err.text)
    equal('the line knows', [e['flags'] & (ORPHAN | JOINED)
                             for e in place.holders()], [ORPHAN | JOINED] * slots)
    equal('nobody gets the slot', place.stay('-w', '0.3').status(), 75)
    check('as the nested command lives', is_alive(inner))
    os.close(write)
    equal('when it ends, the first in line has the slot', waiter.inside()[1],
          0)
    check('by itself', not is_alive(inner))
    check('and is told of no death', 'died' not in waiter.err.read(),
          waiter.err.text)
    equal('and ends as ever', waiter.end(), 0)
    later = place.run('-v', '-N', 'all', 'line', 'true')
    equal('all come back', later.end(), 0)
    check('with no death to be told', 'died' not in later.err.text,
          later.err.text)


def the_outer_one_ends_first(place):
    in_the_background(place, False)


def it_had_several(place):
    in_the_background(place, False, 3)


def and_the_nested_wicket_is_killed(place):
    in_the_background(place, True)


def and_goes_on_nesting(place):
    read, write = os.pipe()
    outer = place.run('-j', '1', 'line', *BACKGROUND, *nested(), 'sh', '-c',
                      'echo $$; read go <&' + str(read) + '; exec "$@"', 'sh',
                      *say('-n'), pass_fds=(read,))
    os.close(read)
    outer.first_line()
    equal('the outer command ends', outer.end(), 3)
    os.write(write, b'\n')
    os.close(write)
    until(lambda: len(outer.out.lines()) == 2, 'the innermost one')
    equal('what it left can nest', outer.out.lines()[1], 'in 0')


def a_killed_one_keeps_nothing(place):
    """It is counted, but its command has ended."""
    outer = place.run('-j', '1', 'line', *BACKGROUND, *nested(), 'sh', '-c',
                      'echo $PPID; kill -9 $PPID')
    wrapper = int(outer.first_line())
    until(lambda: not is_alive(wrapper), 'the nested wicket to die')
    waiter = place.queue()
    equal('the outer command ends', outer.end(), 3)
    equal('and nothing is said', outer.err.text, '')
    equal('the next one has the slot', waiter.inside()[1], 0)
    waiter.end()


def it_waits_for_itself(place):
    outer = place.run('-j', '1', 'line', 'sh', '-c',
                      'echo $$; "$@"; exec cat >/dev/null', 'sh',
                      *nested('--nested', 'take', '-w', '60'), 'true')
    command = int(outer.first_line())
    until(place.waiters, 'the nested one to wait')
    waiter = place.waiters()[0]['pid']
    shown = place.start(wicket_path, 'status', '--json', 'line')
    equal('status', shown.end(), 0)
    status = json.loads(shown.out.text)
    equal('status --json: the waiter is inside',
          [(e['pid'], e['inside']) for e in status['waiting']], [(waiter, 0)])
    equal('and the holder is not', [(e['pid'], e['inside'], e['nested'])
                                    for e in status['holders']],
          [(command, None, 0)])
    shown = place.start(wicket_path, 'status', 'line')
    shown.end()
    check('status says so', '[may wait for itself]' in shown.out.text,
          shown.out.text)
    doctor = place.start(wicket_path, 'doctor', 'line')
    equal('it is no damage', doctor.end(), 0)
    check('but doctor names it', f'note: pid {waiter} (wicket) waits for a '
          'slot, and what started it holds slot 0: it may wait for itself\n'
          in doctor.out.text, doctor.out.text)
    os.kill(waiter, KILL)
    equal('when it is gone, all goes on', outer.end(), 0)


def nested_ones_are_shown(place):
    outer = place.run('-j', '1', 'line', *nested(), *nested(), *STAY)
    outer.inside()
    other = place.queue()
    shown = place.start(wicket_path, 'status', '--json', 'line')
    shown.end()
    status = json.loads(shown.out.text)
    equal('how many', [e['nested'] for e in status['holders']], [2])
    equal('and who waits is not inside',
          [e['inside'] for e in status['waiting']], [None])
    shown = place.start(wicket_path, 'status', 'line')
    shown.end()
    check('for people', '[nested commands in it]' in shown.out.text,
          shown.out.text)
    outer.end()
    other.inside()
    other.end()


# What a family does in a slot: each note is one line of the log.
NOTES = '''
note() { echo "$WICKET_SLOT $1 $2 $(date +%s%N)" >>"$LOG"; }
'''
MEMBER = NOTES + 'note $FAMILY begin.$$; sleep 0.0$1; note $FAMILY end.$$'
HEAD = NOTES + '''
export FAMILY=$$
note $FAMILY begin.$$
for member in $3; do "$WICKET" run line sh -c "$0" "$0" 0$member & done
env -u "$4" "$WICKET" run line sh -c "$0" "$0" 0$1
sleep 0.0$2
note $FAMILY end.$$
'''
# A sibling knows what the tag of the next holder may be, and tries until that is over.
RIVAL = NOTES + '''
FAMILY=holder.$$
export FAMILY
(export FAMILY=sibling.$$ WICKET_TAG="$1"
for try in 1 2 3 4 5 6; do "$WICKET" run -n line sh -c "$0" "$0" 01; done) &
exec "$WICKET" run line sh -c "$0; echo \\$WICKET_TAG >\"\$LOG.tag\"" "$0" 01
'''


def overlaps(log):
    """Pairs of notes of two families that were in one slot at a time."""
    begun, stays = {}, []
    with open(log) as file:
        for text in file:
            slot, family, what, when = text.split()
            what, who = what.split('.')
            if what == 'begin':
                begun[who] = int(when)
            else:
                stays.append((slot, begun.pop(who), int(when), family))
    stays.sort()
    last, wrong = {}, []
    for slot, begin, end, family in stays:
        for before in last.get(slot, []):
            if before[0] > begin and before[1] != family:
                wrong.append((slot, family, before[1]))
        last[slot] = [b for b in last.get(slot, []) if b[0] > begin]
        last[slot].append((end, family))
    return len(stays), wrong


def the_race_of_a_sibling(place):
    """It tries before the command of the holder is known."""
    log = place.directory + '/log'
    place.lines |= {'log', 'log.tag'}
    environment = dict(place.environment, LOG=log, WICKET=wicket_path)
    place.run('-j', '1', 'line', 'sh', '-c', 'echo $WICKET_TAG >"$LOG.tag"',
              env=environment).end()
    for _ in range(80):
        with open(log + '.tag') as file:
            tag = int(file.read())
        tags = ','.join(str(tag + (seq << 16)) for seq in range(2, 9))
        run = place.start('sh', '-c', RIVAL, MEMBER, tags, env=environment)
        run.end()
        until(lambda: not place.left_over(), 'the sibling to end')
    stays, wrong = overlaps(log)
    check(f'{stays} stays: holder and sibling are never in one slot',
          stays >= 80 and not wrong, wrong[:9])


def storm(place):
    """Families; wickets are killed, their commands are not."""
    log = place.directory + '/log'
    place.lines.add('log')
    environment = dict(place.environment, LOG=log, WICKET=wicket_path)
    end = time.monotonic() + 8
    runs, started, kills = [], 0, 0
    while time.monotonic() < end:
        runs = [run for run in runs if not run.is_over() or run.close()]
        while len(runs) < 6:
            started += 1
            options = chance.choice(((), ('-o',)))
            # what is left to prove where it is
            unset = 'HOME' if options else 'WICKET_TAG'
            runs.append(place.run(
                '-j', '2', *options, 'line', 'sh', '-c', HEAD, MEMBER,
                str(chance.randrange(4)), str(chance.randrange(4)),
                ' '.join(str(chance.randrange(1, 6)) for _ in
                         range(chance.randrange(3))), unset,
                env=environment))
        time.sleep(chance.random() * 0.01)
        # not -o: then a command that was left alone has company, as it should
        victim = chance.choice(runs)
        if b'-o' not in cmdline(victim.pid) and chance.random() < 0.2:
            victim.send(KILL)
            kills += 1
    for run in runs:
        run.end()
    until(lambda: not place.left_over(), 'all to end')
    stays, wrong = overlaps(log)
    check(f'{started} started, {kills} killed, {stays} stays: no two families '
          'in one slot', stays and not wrong, wrong[:9])
    equal('in the end all slots are free', place.all_slots_free(2), [0, 1])


def cmdline(pid):
    try:
        with open(f'/proc/{pid}/cmdline', 'rb') as file:
            return file.read().split(b'\0')
    except (FileNotFoundError, ProcessLookupError):
        return []


test(pass_take_refuse, through_others, another_line_between, a_forged_tag,
     a_sibling, the_wrapper_is_killed, the_outer_one_ends_first, it_had_several,
     and_the_nested_wicket_is_killed, and_goes_on_nesting,
     a_killed_one_keeps_nothing,
     it_waits_for_itself, nested_ones_are_shown,
     the_race_of_a_sibling, storm)
