"""What the tests of wicket(1) with real processes have in common.

Processes that are started, watched and in the end always ended by their pid, and
a look at the line that does not depend on wicket(1): see view.c.
"""
import ctypes
import json
import os
import random
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

# some for those who import this
from tap import LIMIT, Late, check, end, equal, note, skip, until

HOLDS, LEFT, FOREIGN, ORPHAN = 1, 2, 4, 8       # flags of an entry, wicket.h

# A command that tells its pid and its slot and stays until its input ends.
STAY = ('sh', '-c', 'echo $$ $WICKET_SLOT; exec cat >/dev/null')

# How a command in Python waits for input, or for a signal that it handles. Python
# runs a handler between two of its own instructions: if the signal comes after
# it last looked and before read(2) or pause(2), the handler would not run until
# they return. So each signal also writes into a pipe.
LISTEN = '''
import os, select, signal, sys
heard, told = os.pipe()
os.set_blocking(told, False)
signal.set_wakeup_fd(told)
def wait_for_signal_or(*files):
    ready = select.select((heard, *files), (), ())[0]
    if heard in ready:
        os.read(heard, 1)
    return any(file in ready for file in files)
def wait_for_input():
    while not wait_for_signal_or(0):
        pass
'''

wicket_path = os.path.abspath(sys.argv[1])
view_path = os.path.abspath(sys.argv[2])
moment_path = os.path.abspath(sys.argv[3])
seed = int(os.environ.get('SEED', random.randrange(1 << 32)))
chance = random.Random(seed)


def stat_of(pid):
    """State letter, parent and process group of a process; None: no such."""
    try:
        with open(f'/proc/{pid}/stat', 'rb') as file:
            fields = file.read().rpartition(b')')[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return fields[0].decode(), int(fields[1]), int(fields[2])


def state_of(pid):
    stat = stat_of(pid)
    return stat[0] if stat else None


def is_alive(pid):
    return state_of(pid) not in (None, 'Z', 'X')


def mask_of(pid, key):
    """A signal set of /proc/PID/status as a set of numbers."""
    with open(f'/proc/{pid}/status') as file:
        for line in file:
            if line.startswith(key + ':'):
                bits = int(line.split()[1], 16)
                return {n + 1 for n in range(64) if bits >> n & 1}
    raise ValueError(key)


def command_line(pid):
    try:
        with open(f'/proc/{pid}/cmdline', 'rb') as file:
            return file.read().replace(b'\0', b' ').decode('utf-8', 'replace')
    except (FileNotFoundError, ProcessLookupError):
        return '?'


def descendants():
    """Everything alive below this process, orphans included: see adopt()."""
    children = {}
    for name in os.listdir('/proc'):
        if name.isdigit():
            stat = stat_of(name)
            if stat and stat[0] not in 'ZX':
                children.setdefault(stat[1], []).append(int(name))
    found, ask = [], [os.getpid()]
    while ask:
        below = children.get(ask.pop(), [])
        found += below
        ask += below
    return found


def adopt():
    """Orphans below become children of this process, so that none escapes."""
    set_child_subreaper = 36
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(set_child_subreaper, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), 'prctl')


class Output:
    """What comes out of a pipe or terminal, without ever blocking."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.text = ''
        self.ended = False
        os.set_blocking(descriptor, False)

    def read(self):
        while not self.ended:
            try:
                part = os.read(self.descriptor, 65536)
            except BlockingIOError:
                break
            except OSError:     # a terminal that nobody has open any more
                part = b''
            self.ended = not part
            self.text += part.decode('utf-8', 'replace')
        return self.text

    def lines(self):
        return self.read().split('\n')[:-1]


class Run:
    """A process, usually `wicket run`; its input is open until end()."""

    def __init__(self, arguments, environment, **options):
        options.setdefault('stdin', subprocess.PIPE)
        options.setdefault('stdout', subprocess.PIPE)
        options.setdefault('stderr', subprocess.PIPE)
        self.process = subprocess.Popen(arguments, env=environment, bufsize=0,
                                        **options)
        self.pid = self.process.pid
        self.out = self.process.stdout and Output(self.process.stdout.fileno())
        self.err = self.process.stderr and Output(self.process.stderr.fileno())

    def is_over(self):
        return self.process.poll() is not None

    def first_line(self):
        """None if it ended without one."""
        def there():
            over = self.is_over()
            return self.out.lines() or over
        until(there, f'{self.pid} to say something')
        return (self.out.lines() or [None])[0]

    def inside(self):
        """Pid of the command and slot, once a STAY command runs."""
        words = (self.first_line() or '').split()
        if len(words) != 2:
            raise Late(f'{self.pid} is over ({self.process.returncode}) '
                       f'without a word: {self.err.read()!r}')
        return int(words[0]), int(words[1])

    def is_inside(self):
        return bool(self.out.lines())

    def send(self, signal_number):
        self.process.send_signal(signal_number)

    def end(self):
        """Lets the command end; returns the exit status, -n if killed."""
        if self.process.stdin:
            self.process.stdin.close()
        return self.status()

    def status(self):
        def over():
            for output in self.out, self.err:
                if output:
                    output.read()       # or it might wait for us
            return self.is_over()
        until(over, f'the end of {self.pid}: {command_line(self.pid)}')
        for output in self.out, self.err:
            if output:
                output.read()
        return self.process.returncode

    def close(self):
        for file in (self.process.stdin, self.process.stdout,
                     self.process.stderr):
            if file:
                file.close()


class View:
    """Asks wicket_inspect, through a process that has the line open."""

    def __init__(self, name, environment):
        self.process = subprocess.Popen(
            (view_path, name), env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)

    def ask(self, what):
        self.process.stdin.write(what + '\n')
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], LIMIT)[0]:
            raise Late('the view does not answer')
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(LIMIT)
        self.process.stdout.close()


class Place:
    """A directory of lines of its own, and all that was started in it."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix='wicket-test-')
        self.lines = {'line'}
        self.environment = dict(os.environ, WICKET_DIR=self.directory,
                                LC_ALL='C.UTF-8')
        for name in [n for n in os.environ if n.startswith('WICKET_')
                     and n != 'WICKET_DIR']:
            self.environment.pop(name, None)
        self.runs = []
        self.views = {}

    def start(self, *arguments, **options):
        environment = options.pop('env', self.environment)
        run = Run(arguments, environment, **options)
        self.runs.append(run)
        return run

    def run(self, *arguments, **options):
        """wicket run ARGUMENTS"""
        return self.start(wicket_path, 'run', *arguments, **options)

    def stay(self, *arguments, line='line', **options):
        """wicket run ARGUMENTS LINE with a command that stays."""
        return self.run(*arguments, line, '--', *STAY, **options)

    def view(self, line='line'):
        return self._ask(line, 'all')

    def numbers(self, line='line'):
        return self._ask(line, 'numbers')

    def _ask(self, line, what):
        if line not in self.views:
            self.views[line] = View(line, self.environment)
        view = self.views[line].ask(what)
        if view and 'error' in view:
            raise OSError(-view['error'], 'wicket_inspect')
        return view

    def holders(self, line='line'):
        return [e for e in self._entries(line) if e['flags'] & HOLDS]

    def waiters(self, line='line'):
        """Those who wait and are not known to be gone, in order."""
        return [e for e in self._entries(line)
                if not e['flags'] & (HOLDS | LEFT)]

    def _entries(self, line):
        view = self.view(line)
        return view['entries'] if view else []

    def queue(self, *arguments, line='line', **options):
        """As stay, and seen in line before this returns."""
        run = self.stay(*arguments, line=line, **options)
        self.seen_waiting(run, line)
        return run

    def seen_waiting(self, run, line='line'):
        until(lambda: run.is_over() or
              run.pid in [e['pid'] for e in self.waiters(line)],
              f'{run.pid} to be in line')
        if run.is_over():
            raise Late(f'{run.pid} did not wait: exit '
                       f'{run.process.returncode}, {run.err.read()!r}')

    def all_slots_free(self, slots, line='line'):
        """Takes them all at once, without waiting; the slots had."""
        runs = []
        for _ in range(slots):
            # who died gives back within milliseconds, not at once
            runs.append(self.stay('-w', str(LIMIT), line=line))
        had = sorted(run.inside()[1] for run in runs)
        for run in runs:
            run.end()
        return had

    def left_over(self):
        views = [view.process.pid for view in self.views.values()]
        return [pid for pid in descendants() if pid not in views]

    def kill_all(self):
        for pid in self.left_over():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def reap(self):
        """The orphans that came to us; the others have a Popen of theirs."""
        mine = {run.pid for run in self.runs}
        mine |= {view.process.pid for view in self.views.values()}
        for name in os.listdir('/proc'):
            if name.isdigit() and int(name) not in mine:
                if (stat_of(name) or ' ')[:2] == ('Z', os.getpid()):
                    os.waitpid(int(name), 0)

    def close(self, what):
        for run in self.runs:
            run.close()
        try:
            until(lambda: not self.left_over(), 'all to end', 20)
        except Late:
            pass
        left = [f'{pid} {command_line(pid)}' for pid in self.left_over()]
        check(f'{what}: no process is left', not left, *left)
        self.kill_all()
        for view in self.views.values():
            view.close()
        for run in self.runs:
            run.process.wait(LIMIT)
        self.reap()
        files = set(os.listdir(self.directory)) - self.lines
        check(f'{what}: no file is left but the line', not files, *files)
        shutil.rmtree(self.directory)


def test(*scenarios):
    """Each scenario in a place of its own; then the plan and the end."""
    adopt()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))    # SIGQUIT
    note(f'SEED={seed}')
    only = sys.argv[4:]
    for scenario in scenarios:
        what = scenario.__name__.replace('_', ' ')
        if only and scenario.__name__ not in only:
            continue
        place = Place()
        begun = time.monotonic()
        try:
            scenario(place)
        except Exception:
            check(what, False, traceback.format_exc())
            place.kill_all()
        place.close(what)
        note(f'{what}: {time.monotonic() - begun:.1f} s')
    end()
