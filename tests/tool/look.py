"""What the tests of looking at lines have in common.

A directory of lines of its own; commands that stay in a slot until they are let
go.
"""
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback

# some for those who import this
from tap import LIMIT, check, end, equal, skip, until

STAY = ('cat',)     # a command that stays until its input ends

wicket = os.path.abspath(sys.argv[1])


def parent_of(pid):
    try:
        with open(f'/proc/{pid}/stat', 'rb') as file:
            return int(file.read().rpartition(b')')[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


class Stay:
    """wicket run ARGUMENTS with a command that stays."""

    def __init__(self, place, *arguments):
        self.process = subprocess.Popen(
            (wicket, 'run', *arguments, '--', *STAY), env=place.environment,
            stdin=subprocess.PIPE)
        self.place = place
        self.line = arguments[-1]
        self.pid = self.process.pid
        self.command = None     # its pid, once it runs

    def is_inside(self):
        if self.process.poll() is not None:
            raise OSError('it did not come in')
        if not os.path.exists(self.place.path(self.line)):
            return False
        for holder in self.place.status(self.line)['holders']:
            if holder['comm'] == 'cat' and parent_of(holder['pid']) == self.pid:
                self.command = holder['pid']
        return self.command is not None

    def inside(self):
        until(self.is_inside, 'a command inside')
        return self

    def end(self):
        self.process.stdin.close()
        self.process.wait(LIMIT)


class Terminal:
    """A program on a terminal of its own, and what it has written there."""

    def __init__(self, place, *arguments, **more):
        self.text = ''
        self.pid, self.descriptor = pty.fork()
        if not self.pid:
            os.execve(arguments[0], arguments,
                      dict(place.environment, **more))
        os.set_blocking(self.descriptor, False)
        self.code = None

    def read(self):
        try:
            while part := os.read(self.descriptor, 65536):
                self.text += part.decode('utf-8', 'replace')
        except OSError:         # nothing yet, or nobody has it open any more
            pass
        return self.text

    def type(self, text):
        os.write(self.descriptor, text)

    def is_over(self):
        self.read()             # or it might wait for us
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None

    def end(self):
        """Its exit code; -n if a signal ended it."""
        until(self.is_over, 'the end of a program on a terminal')
        self.read()
        os.close(self.descriptor)
        return self.code


class Place:
    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix='wicket-look-')
        self.environment = dict(os.environ, WICKET_DIR=self.directory,
                                TERM='xterm')
        for name in 'NO_COLOR', 'COLUMNS', 'LINES':
            self.environment.pop(name, None)
        self.stays = []

    def stay(self, *arguments):
        stay = Stay(self, *arguments)
        self.stays.append(stay)
        return stay

    def run(self, *arguments, **options):
        options.setdefault('env', self.environment)
        return subprocess.run((wicket, *arguments), text=True, timeout=LIMIT,
                              capture_output=True, **options)

    def json(self, *arguments):
        return json.loads(self.run(*arguments, '--json').stdout)

    def status(self, line='line'):
        return self.json('status', line)

    def queue(self, *arguments, line='line'):
        """A stay that is seen waiting before this returns."""
        stay = self.stay(*arguments, line)
        until(lambda: stay.pid in [w['pid'] for w in
                                   self.status(line)['waiting']],
              'a waiter in line')
        return stay

    def path(self, name):
        return os.path.join(self.directory, name)

    def close(self):
        for stay in self.stays:
            stay.process.stdin.close()
            try:
                stay.process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                stay.process.kill()
                stay.process.wait()
        shutil.rmtree(self.directory)


def in_place(place):
    """Where it may leave something, so that it is seen."""
    return dict(place.environment, TMPDIR=place.directory)


def processes_of(place):
    """Those that have this place in their environment."""
    mark = f'TMPDIR={place.directory}'.encode()
    found = []
    for name in os.listdir('/proc'):
        try:
            with open(f'/proc/{name}/environ', 'rb') as file:
                if mark in file.read().split(b'\0'):
                    found.append(int(name))
        except (FileNotFoundError, NotADirectoryError, PermissionError,
                ProcessLookupError):
            pass
    return found


def check_leaves_nothing(place):
    equal('no file is left', os.listdir(place.directory), [])
    equal('no process is left', processes_of(place), [])


def test(*scenarios):
    """Each in a place of its own; then the plan and the end."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    for scenario in scenarios:
        place = Place()
        try:
            scenario(place)
        except Exception:
            check(scenario.__name__, False, traceback.format_exc())
        place.close()
    end()
