#!/usr/bin/env -S python3 -B
"""wicket status --watch: on a terminal, and where there is none.

usage: watch.py WICKET
"""
import fcntl
import json
import os
import signal
import struct
import subprocess
import termios

from look import LIMIT, Terminal, check, equal, test, until, wicket

FRAME = '\033[?25l\033[?7l\033[H'
RESTORED = '\033[?25h\033[?7h'


class Watch:
    """wicket status --watch into a pipe."""

    def __init__(self, place, *arguments):
        self.process = subprocess.Popen(
            (wicket, 'status', '--watch', *arguments), env=place.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.text = ''
        os.set_blocking(self.process.stdout.fileno(), False)

    def read(self):
        self.text += (self.process.stdout.read() or b'').decode()
        return self.text

    def end(self, number=None):
        if number:
            self.process.send_signal(number)
        self.process.wait(LIMIT)
        self.read()
        self.process.stdout.close()
        with self.process.stderr as errors:
            self.errors = errors.read().decode()
        return self.process.returncode


def on_a_terminal(place):
    stay = place.stay('-j', '2', 'line').inside()
    screen = Terminal(place, wicket, 'status', 'line', '--watch')
    until(lambda: screen.read().count(FRAME) >= 3, 'three pictures')
    check('a picture has the holder', str(stay.command) in screen.text)
    check('its ticket has a colour', '\033[1;32m1:0' in screen.text,
          repr(screen.text))
    check('each picture clears what is below', screen.text.count('\033[J') >= 2)
    place.stay('line').inside()
    until(lambda: '2 held' in screen.read(), 'the second holder')
    screen.type(b'\x03')
    equal('^C ends it by the signal', screen.end(), -signal.SIGINT)
    check('the cursor is back', screen.text.rindex(RESTORED) >
          screen.text.rindex(FRAME), repr(screen.text[-200:]))


def ended_by(place):
    place.stay('-j', '1', 'line').inside()
    for number in signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT:
        screen = Terminal(place, '/bin/sh', '-c',
                          f'ulimit -c 0; exec {wicket} status --watch')
        until(lambda: FRAME in screen.read(), 'a picture')
        os.kill(screen.pid, number)
        equal(f'{number.name} ends it by the signal', screen.end(), -number)
        check(f'{number.name}: the cursor is back',
              screen.text.rindex(RESTORED) > screen.text.rindex(FRAME))


def stopped_and_continued(place):
    place.stay('-j', '1', 'line').inside()
    screen = Terminal(place, wicket, 'status', '--watch')
    until(lambda: FRAME in screen.read(), 'a picture')
    # pty.fork makes it the only member of an orphaned group, in which ^Z stops
    # nobody: the kernel's rule; so what is seen is that it goes on
    screen.type(b'\x1a')
    until(lambda: RESTORED in screen.read(), 'the cursor at ^Z')
    seen = screen.text.count(FRAME)
    until(lambda: screen.read().count(FRAME) > seen, 'pictures after ^Z')
    screen.type(b'\x03')
    equal('^Z, and on, and ^C', screen.end(), -signal.SIGINT)


def no_colours(place):
    place.stay('-j', '1', 'line').inside()
    for variable, value in ('NO_COLOR', '1'), ('TERM', 'dumb'):
        screen = Terminal(place, wicket, 'status', 'line',
                          **{variable: value})
        equal(f'status with {variable}={value}', screen.end(), 0)
        check('no colour, no other escapes', '\033' not in screen.text,
              repr(screen.text))
    screen = Terminal(place, wicket, 'status', 'line')
    equal('status without', screen.end(), 0)
    check('colours', '\033[1;32m1:0' in screen.text, repr(screen.text))


def on_a_dumb_terminal(place):
    stay = place.stay('-j', '1', 'line').inside()
    screen = Terminal(place, wicket, 'status', 'line', '--watch', TERM='dumb')
    until(lambda: '1 held' in screen.read(), 'a picture')
    stay.end()
    until(lambda: '0 held' in screen.read(), 'the next')
    screen.type(b'\x03')
    equal('^C ends it by the signal', screen.end(), -signal.SIGINT)
    check('no escapes', '\033' not in screen.text, repr(screen.text))


def small_terminal(place):
    for _ in range(9):
        place.stay('-j', '9', 'line').inside()
    screen = Terminal(place, '/bin/sh', '-c',
                      f'read size; exec {wicket} status --watch')
    fcntl.ioctl(screen.descriptor, termios.TIOCSWINSZ,
                struct.pack('HHHH', 6, 40, 0, 0))
    screen.type(b'\n')
    until(lambda: screen.read().count(FRAME) >= 2, 'two pictures')
    screen.type(b'\x03')
    screen.end()
    picture = screen.text.split(FRAME)[1].split('\033[J')[0]
    rows = [row.replace('\033[K', '') for row in picture.splitlines()]
    plain = [row.replace('\033[1;32m', '').replace('\033[0m', '')
             for row in rows]
    check('no row is longer than the terminal is wide',
          max(map(len, plain)) <= 40, plain)
    equal('five rows', len(rows), 5)
    equal('what is cut off is counted', rows[-1], '... 7 more')


def when_it_is_removed(place):
    stay = place.stay('-j', '1', 'line').inside()
    screen = Terminal(place, wicket, 'status', 'line', '--watch')
    watch = Watch(place, 'line')
    until(lambda: '1 held' in watch.read() and '1 held' in screen.read(),
          'both to watch')
    stay.end()
    equal('the line is removed', place.run('rm', 'line').returncode, 0)
    equal('a watch ends well', watch.end(), 0)
    equal('and says why', watch.errors, "wicket: line: the line was removed\n")
    equal('on a terminal too', screen.end(), 0)
    check('and says why', 'line: the line was removed' in screen.text)
    check('the cursor is back',
          screen.text.rindex(RESTORED) > screen.text.rindex(FRAME))


def into_a_pipe(place):
    first = place.stay('-j', '1', 'line').inside()
    watch = Watch(place, 'line')
    until(lambda: watch.read().count('line: ') >= 1, 'a picture')
    second = place.queue()
    until(lambda: '1 waiting' in watch.read(), 'a waiter')
    first.end()
    second.inside()
    until(lambda: str(second.command) in watch.read(), 'the second inside')
    second.end()
    until(lambda: '0 held' in watch.read(), 'nobody')
    check('no escapes', '\033' not in watch.text)
    check('a picture only for a change', watch.text.count('line: ') < 20,
          watch.text)
    equal('TERM ends it', watch.end(signal.SIGTERM), -signal.SIGTERM)


def json_into_a_pipe(place):
    watch, all_lines = None, Watch(place, '--json')
    until(lambda: all_lines.read() == '[]\n', 'no lines')
    first = place.stay('-j', '1', 'line').inside()
    watch = Watch(place, '--json', 'line')
    until(lambda: watch.read(), 'an object')
    place.queue()
    until(lambda: '"waiting":[{' in watch.read(), 'a waiter')
    first.end()
    until(lambda: '"slots":1' in all_lines.read(), 'the line among all')
    equal('INT ends it', watch.end(signal.SIGINT), -signal.SIGINT)
    equal('and the other', all_lines.end(signal.SIGINT), -signal.SIGINT)
    objects = [json.loads(row) for row in watch.text.splitlines()]
    check('an object a row', all(o['line'] == 'line' for o in objects))
    arrays = [json.loads(row) for row in all_lines.text.splitlines()]
    check('an array a row, of all lines',
          all([o['line'] for o in a] == ['line'] for a in arrays[1:]) and
          len(arrays) > 1, all_lines.text)

    def shown(status):
        return [[(e['pid'], e['comm'], e['ticket']) for e in status[key]]
                for key in ('holders', 'waiting')], status['counters']
    check('each is unlike the one before',
          all(shown(a) != shown(b) for a, b in zip(objects, objects[1:])),
          watch.text)


test(on_a_terminal, ended_by, stopped_and_continued, no_colours,
     on_a_dumb_terminal, small_terminal, when_it_is_removed, into_a_pipe, json_into_a_pipe)
