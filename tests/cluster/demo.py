#!/usr/bin/env -S python3 -B
"""The demonstration of several machines: succeeds, and leaves neither processes nor
files, also if it is interrupted, or if there are no servers.

usage: demo.py WICKET WICKET-DEMO-CLUSTER ETCD
"""
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tool'))
from look import (LIMIT, Terminal, check, check_leaves_nothing, equal,  # noqa: E402
                  in_place, processes_of, test, until, wicket)

demo = os.path.abspath(sys.argv[2])
etcd = sys.argv[3]
ORDER = '1 2 3 4 5 6'

# the servers wait for the disk at every step
if os.access('/dev/shm', os.W_OK | os.X_OK):
    tempfile.tempdir = '/dev/shm'


def run(place, *arguments, **more):
    return subprocess.run((demo, *arguments), env=dict(in_place(place), **more), text=True,
                          capture_output=True, timeout=4 * LIMIT)


def script(place, name, text):
    path = place.path(name)
    with open(path, 'w') as file:
        file.write('#!/bin/sh\n' + text)
    os.chmod(path, 0o700)
    return path


def increase(words):
    numbers = [int(word) for word in words.split()]
    return numbers == sorted(set(numbers)) and len(numbers) > 0


def check_told(text):
    for what, pattern in {
            'the order of arrival': f'order of arrival +{ORDER}$',
            'the order of enabling': f'order of enabling +{ORDER}$',
            'the most inside': 'most ever inside +2$',
            'the leader that is killed': r'kill -9 \d+, node [123], which is the leader',
            'the new leader': 'node [123] is the new leader',
            'that the line stood still': r'stood still +\d+\.\d+ s .* after \d+\.\d+ s$',
            'the client that is killed': r'kill -9 \d+, the wicket of no. 2',
            'the slot that came back': r'slot \d is back, \d+\.\d+ s after the kill',
            'the commands': '5 exited 0, 1 was killed',
            'the slots at the end': 'slots at the end +2 of 2',
    }.items():
        check(what, re.search(pattern, text, re.M), text)
    fences = re.findall(r'fences of slot \d +([\d ]+)$', text, re.M)
    check('fences that increase', len(fences) == 2 and all(map(increase, fences)), fences)
    check('nothing is wrong', 'WRONG' not in text, text)


def plainly(place):
    """In surroundings that speak of other servers."""
    done = run(place, wicket, etcd, ETCD_NAME='other', ETCDCTL_ENDPOINTS='127.0.0.1:1')
    equal('plainly: exit code', (done.returncode, done.stderr), (0, ''), done.stdout)
    check('no escapes', '\033' not in done.stdout)
    check_told(done.stdout)
    check_leaves_nothing(place)


def interrupted(place):
    """While the servers start, and when the leader is dead."""
    for number, when in (signal.SIGTERM, 'Starting'), (signal.SIGINT, 'which is the leader'):
        with subprocess.Popen((demo, wicket, etcd), env=in_place(place), text=True,
                              stdout=subprocess.PIPE) as process:
            for row in process.stdout:
                if when in row:
                    break
            until(lambda: len(processes_of(place)) > 2, 'processes')
            process.send_signal(number)
            process.stdout.read()
        equal(f'{number.name} ends it by the signal', process.returncode, -number)
        check_leaves_nothing(place)


def on_a_terminal(place):
    """Until the first is in a slot."""
    screen = Terminal(place, demo, wicket, etcd, TMPDIR=place.directory)
    until(lambda: re.search(r'slot 0 +\d+ .*fence', screen.read()), 'a picture')
    check('the servers are in it', len(set(re.findall(r'node [123] +\d+', screen.text))) == 3,
          screen.text)
    screen.type(b'\x03')
    equal('^C ends it by the signal', screen.end(), -signal.SIGINT)
    check('the cursor is back', screen.text.endswith('\033[?25h\033[?7h'),
          repr(screen.text[-100:]))
    check_leaves_nothing(place)


def without_servers(place):
    missing = run(place, wicket, place.path('nowhere'))
    check('no etcd: it fails', missing.returncode > 0, missing)
    check('and says so in a line', re.fullmatch('.* is missing; tools/setup .*\n',
                                                missing.stderr), missing)
    check_leaves_nothing(place)
    refuses = run(place, wicket, '/bin/false')
    check('an etcd that does not start: it fails', refuses.returncode > 0, refuses)
    check('and says so', 'a server has ended' in refuses.stderr, refuses)
    check_leaves_nothing(place)
    one = script(place, 'etcd', 'case $2 in node2) echo no room; exit 3 ;; esac\n'
                 f'exec {etcd} "$@"\n')
    fails = run(place, wicket, one)
    os.unlink(one)
    check('one that does not start: it fails, and says why',
          fails.returncode > 0 and 'no room' in fails.stdout, fails)
    check_leaves_nothing(place)


def with_what_is_no_wicket(place):
    """It must be able to fail."""
    fails = run(place, '/bin/false', etcd)
    check('no wicket: it fails, and says who never came',
          fails.returncode == 1 and 'no. 1 never came' in fails.stdout, fails)
    check_leaves_nothing(place)
    third = script(place, 'wicket', 'case $9 in 4) exit 3 ;; esac\n'
                   f'exec {wicket} "$@"\n')
    fails = run(place, third, etcd)
    os.unlink(third)
    check('one that does not come: it fails, and says who',
          fails.returncode == 1 and 'no. 3 never came' in fails.stdout, fails)
    check_leaves_nothing(place)


test(plainly, interrupted, on_a_terminal, without_servers, with_what_is_no_wicket)
