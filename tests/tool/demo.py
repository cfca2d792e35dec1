#!/usr/bin/env -S python3 -B
"""The demonstration: succeeds, and leaves neither processes nor files, on a
terminal, without one, and interrupted.

usage: demo.py WICKET WICKET-DEMO
"""
import os
import re
import signal
import subprocess
import sys

from look import (LIMIT, Terminal, check, check_leaves_nothing, equal, in_place,
                  processes_of, test, until, wicket)

demo = os.path.abspath(sys.argv[2])
ORDER = ' '.join(str(n + 1) for n in range(12))


def check_told(text):
    check('the order of arrival', f'order of arrival     {ORDER}' in text,
          text)
    check('the order of enabling', f'order of enabling    {ORDER}' in text,
          text)
    check('the most inside', re.search(r'most ever inside +3\s', text), text)
    check('the slots at the end', re.search(r'slots at the end +3 of 3', text),
          text)
    check('the kills', len(re.findall(r'kill -9 \d+', text)) >= 2, text)
    check('the slot that came back', re.search(r'slot \d is back', text), text)
    check('nothing is wrong', 'WRONG' not in text, text)


def plainly(place):
    run = subprocess.run((demo, wicket), env=in_place(place), text=True,
                         capture_output=True, timeout=3 * LIMIT)
    equal('plainly: exit code', (run.returncode, run.stderr), (0, ''))
    check('no escapes', '\033' not in run.stdout)
    tickets = re.findall(r'takes ticket \d+:(\d+)', run.stdout)
    check('tickets of more than one colour', len(set(tickets)) > 1, tickets)
    check_told(run.stdout)
    check_leaves_nothing(place)


def on_a_terminal(place):
    screen = Terminal(place, demo, wicket, TMPDIR=place.directory)
    equal('on a terminal: exit code', screen.end(), 0)
    check('pictures', screen.text.count('\033[H') > 20)
    check_told(screen.text)
    check_leaves_nothing(place)


def interrupted(place):
    for number in signal.SIGINT, signal.SIGTERM:
        with subprocess.Popen((demo, wicket), env=in_place(place), text=True,
                              stdout=subprocess.PIPE) as process:
            for row in process.stdout:
                if '1st in line' in row:
                    break
            check('processes are seen while it runs',
                  len(processes_of(place)) > 4)
            process.send_signal(number)
            process.stdout.read()
        equal(f'{number.name} ends it by the signal', process.returncode,
              -number)
        check_leaves_nothing(place)


def interrupted_amid_the_kills(place):
    """When the command is nobody's child."""
    screen = Terminal(place, demo, wicket, TMPDIR=place.directory)
    until(lambda: 'runs on' in screen.read(), 'the first kill')
    screen.type(b'\x03')
    equal('^C ends it by the signal', screen.end(), -signal.SIGINT)
    check('the cursor is back', screen.text.endswith('\033[?25h\033[?7h'),
          repr(screen.text[-100:]))
    check_leaves_nothing(place)


def with_what_is_no_wicket(place):
    """It must be able to fail."""
    for what in '/bin/false', place.path('nowhere'):
        run = subprocess.run((demo, what), env=in_place(place), text=True,
                             capture_output=True, timeout=LIMIT)
        check(f'{os.path.basename(what)}: it fails', run.returncode > 0, run)
        check_leaves_nothing(place)
    # ends at once, and takes no slot
    overtaking = place.path('wicket')
    with open(overtaking, 'w') as file:
        file.write('#!/bin/sh\ncase $5 in 2.3) exit 3 ;; esac\n'
                   f'exec {wicket} "$@"\n')
    os.chmod(overtaking, 0o700)
    run = subprocess.run((demo, overtaking), env=in_place(place), text=True,
                         capture_output=True, timeout=LIMIT)
    check('one that does not come: it fails, and says who',
          run.returncode == 1 and 'no. 2 never came' in run.stdout, run)
    os.unlink(overtaking)
    check_leaves_nothing(place)


test(plainly, on_a_terminal, interrupted, interrupted_amid_the_kills,
     with_what_is_no_wicket)
