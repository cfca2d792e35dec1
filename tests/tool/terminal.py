#!/usr/bin/env -S python3 -B
"""wicket run as a user types it: an interactive bash with job control on a
pseudo-terminal, ^C, ^Z, fg, bg, and what it says while one waits.
usage: terminal.py WICKET VIEW MOMENT [SCENARIO]...
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from wicket_test import (LISTEN, Late, Output, chance, check, equal, is_alive,
                         skip, state_of, stat_of, test, until,
                         wicket_path)

INTERRUPT, SUSPEND, END = '\x03', '\x1a', '\x04'
PROMPT = '<prompt>'
CLEARED = '\r\x1b[K'


class Terminal:
    """bash, as after logging in; no echo, so that only answers are read."""

    def __init__(self, place):
        environment = dict(place.environment, PS1=PROMPT, TERM='xterm',
                           WICKET=wicket_path, HISTFILE='')
        environment.pop('PROMPT_COMMAND', None)
        self.pid, self.master = os.forkpty()
        if self.pid == 0:
            os.execvpe('bash', ['bash', '--norc', '--noprofile',
                                '--noediting', '-i'], environment)
        self.output = Output(self.master)
        self.read = 0
        self.expect(PROMPT)
        self.type('stty -echo; w() { "$WICKET" "$@"; }; PS2=')
        self.expect(PROMPT)

    def raw(self, text):
        os.write(self.master, text.encode())

    def type(self, line):
        self.raw(line + '\n')

    def expect(self, pattern):
        """Waits for a pattern in what was not read yet; returns the match."""
        expression = re.compile(pattern)

        def seen():
            return expression.search(self.output.read(), self.read)
        try:
            match = until(seen, pattern)
        except Late:
            raise Late(f'no {pattern!r} in {self.unread()!r}') from None
        self.read = match.end()
        return match

    def unread(self):
        return self.output.read()[self.read:]

    def ask(self, line):
        """The output of a command that ends by itself."""
        self.type(line + '; echo "<""end>"')
        begun = self.read
        match = self.expect(r'<end>\r?\n')
        text = self.output.text[begun:match.start()]
        self.expect(PROMPT)
        return text.replace('\r\n', '\n')

    def status(self):
        return int(self.ask('echo status $?').split()[-1])

    def prompt(self):
        self.expect(PROMPT)

    def suspend(self):
        """^Z; bash says that the job has stopped."""
        self.raw(SUSPEND)
        self.expect('Stopped')
        self.prompt()

    def close(self):
        self.type('exit')
        self.type('exit')       # the first may complain of stopped jobs
        try:
            until(self.is_over, 'bash to end', 20)
        except Late:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.master)

    def is_over(self):
        self.output.read()
        return os.waitpid(self.pid, os.WNOHANG)[0]


def with_terminal(scenario):
    def run(place):
        if not shutil.which('bash'):
            skip(scenario.__name__, 'there is no bash')
            return
        try:
            terminal = Terminal(place)
        except OSError as error:
            skip(scenario.__name__, f'no pseudo-terminal: {error}')
            return
        try:
            scenario(place, terminal)
        except Exception:
            place.kill_all()    # bash would wait for its job
            raise
        finally:
            terminal.close()
    run.__name__ = scenario.__name__
    return run


def holder_of(place):
    holder = place.stay('-j', '1')
    holder.inside()
    return holder


def waiter_pid(place):
    return until(place.waiters, 'it to be in line')[0]['pid']


def python(text):
    """A command in Python, as it is typed."""
    return f"{sys.executable} -I -S -c '{LISTEN}{text}'"


def pair(terminal):
    """Pids of wrapper and command, told by a command that says <pid N>."""
    command = int(terminal.expect(r'<pid (\d+)>')[1])
    return stat_of(command)[1], command


STAYS = "sh -c 'echo \"<\"\"pid $$>\"; exec cat'"


@with_terminal
def interrupted_while_waiting(place, terminal):
    holder = holder_of(place)
    terminal.type('w run line echo never')
    waiter_pid(place)
    terminal.raw(INTERRUPT)
    terminal.prompt()
    equal('^C while waiting: 130', terminal.status(), 130)
    until(lambda: not place.waiters(), 'it to be out of line')
    holder.end()
    check('it never ran', 'never' not in terminal.output.text)
    equal('the slot is free', place.all_slots_free(1), [0])


@with_terminal
def a_background_job_that_is_the_first_process(place, terminal):
    """It ignores ^C, though it ends by any other SIGINT."""
    if place.start('unshare', '-pf', '--mount-proc', 'true').status():
        skip('in a pid namespace', 'unshare -pf is not permitted')
        return
    holder = holder_of(place)
    terminal.type('''sh -c 'unshare -pf --mount-proc "$WICKET" run line \\
        echo "<done>" & wait' ''')
    until(place.waiters, 'it to be in line')
    terminal.raw(INTERRUPT)
    terminal.prompt()
    holder.end()
    terminal.expect('<done>')
    check('it waits on', True)


@with_terminal
def stopped_while_waiting(place, terminal):
    holder = holder_of(place)
    terminal.type('"$WICKET" run line echo "<"done">"')
    pid = waiter_pid(place)
    terminal.suspend()
    equal('^Z while waiting: 148', terminal.status(), 148)
    equal('it is stopped', state_of(pid), 'T')
    equal('it keeps its place', waiter_pid(place), pid)
    terminal.type('fg')
    until(lambda: state_of(pid) == 'S', 'it to go on')
    check('fg: it waits on', '<done>' not in terminal.unread())
    terminal.suspend()
    terminal.ask('bg')
    until(lambda: state_of(pid) == 'S', 'it to go on')
    holder.end()
    terminal.expect('<done>')
    check('bg: it has its turn', True)
    equal('and ends', terminal.ask('wait %1; echo $?').split()[-1], '0')


@with_terminal
def stopped_at_its_turn(place, terminal):
    holder = holder_of(place)
    terminal.type('"$WICKET" run line echo "<"done">"')
    pid = waiter_pid(place)
    terminal.suspend()
    holder.end()
    equal('it was stopped when its turn came', state_of(pid), 'T')
    terminal.type('fg')
    terminal.expect('<done>')
    terminal.prompt()
    equal('fg: it runs', terminal.status(), 0)


@with_terminal
def interrupted_while_running(place, terminal):
    terminal.type(f'w run -j 1 line {STAYS}')
    wrapper, command = pair(terminal)
    terminal.raw(INTERRUPT)
    terminal.prompt()
    equal('^C while running: 130', terminal.status(), 130)
    check('wrapper and command are gone',
          not is_alive(wrapper) and not is_alive(command))
    terminal.type(f'w run -j 1 line {STAYS}')
    pair(terminal)
    terminal.raw('\x1c')
    terminal.prompt()
    equal('^\\ while running: 131', terminal.status(), 131)
    equal('the slot is free', place.all_slots_free(1), [0])


@with_terminal
def a_command_that_handles_interrupts(place, terminal):
    terminal.type('w run -j 1 line ' + python('''
got = 0
def say(number, frame):
    global got
    got += 1
    os.write(1, b"<got %d>" % got)
signal.signal(signal.SIGINT, say)
os.write(1, b"<pid %d>" % os.getpid())
while got < 3:
    wait_for_signal_or()
sys.exit(3)'''))
    wrapper, command = pair(terminal)
    for turn in 1, 2, 3:
        terminal.raw(INTERRUPT)
        terminal.expect(f'<got {turn}>')
    terminal.prompt()
    equal('it gets each ^C once, and exits as it likes', terminal.status(), 3)


def both_stop(name, wrapper, command):
    """The shell prompts as soon as the wrapper is stopped; of a signal to the whole
    group the command may still be on its way to its stop."""
    until(lambda: state_of(command) == 'T', 'the command to stop')
    equal(name, (state_of(wrapper), state_of(command)), ('T', 'T'))


@with_terminal
def stopped_while_running(place, terminal):
    terminal.type(f'"$WICKET" run -j 1 line {STAYS}')
    wrapper, command = pair(terminal)
    for turn in 1, 2:
        terminal.suspend()
        equal(f'^Z while running, {turn}: 148', terminal.status(), 148)
        both_stop(f'both are stopped {turn}', wrapper, command)
        equal(f'the slot is kept {turn}', place.stay('-n').status(), 75)
        terminal.type('fg')
        until(lambda: (state_of(wrapper), state_of(command)) == ('S', 'S'),
              'both to go on')
        terminal.type(f'hello {turn}')
        terminal.expect(f'hello {turn}')
        check(f'fg: it goes on, with the terminal {turn}', True)
    terminal.raw(END)
    terminal.prompt()
    equal('and ends', terminal.status(), 0)
    equal('the slot is free', place.all_slots_free(1), [0])


@with_terminal
def stopped_and_sent_to_the_background(place, terminal):
    gate = place.directory + '/gate'
    os.mkfifo(gate)
    place.lines.add('gate')
    terminal.type('"$WICKET" run -j 1 line sh -c '
                  f"'echo \"<\"\"pid $$>\"; exec cat {gate}'")
    wrapper, command = pair(terminal)
    terminal.suspend()
    terminal.ask('bg')
    until(lambda: (state_of(wrapper), state_of(command)) == ('S', 'S'),
          'both to go on')
    check('bg: both go on', True)
    check('the shell has it as running', 'Running' in terminal.ask('jobs'))
    with open(gate, 'w'):
        pass
    equal('and it ends', terminal.ask('wait %1; echo $?').split()[-1], '0')


@with_terminal
def a_background_command_reads_the_terminal(place, terminal):
    terminal.type(f'"$WICKET" run -j 1 line {STAYS} &')
    wrapper, command = pair(terminal)
    until(lambda: (state_of(wrapper), state_of(command)) == ('T', 'T'),
          'both to be stopped')
    check('SIGTTIN stops both', True)
    until(lambda: 'Stopped' in terminal.ask('jobs'), 'the shell to notice')
    terminal.type('fg')
    until(lambda: (state_of(wrapper), state_of(command)) == ('S', 'S'),
          'both to go on')
    terminal.type('hello')
    terminal.expect('hello')
    terminal.raw(END)
    terminal.prompt()
    equal('in the foreground it reads, and ends', terminal.status(), 0)


HANDLES_SUSPEND = '''
def say(text):
    os.write(1, b"<" + text + b">")
def stop(number, frame):
    say(b"stopping")
    HOW
    say(b"back")
signal.signal(signal.SIGTSTP, stop)
say(b"pid %d" % os.getpid())
wait_for_input()
sys.stdin.readline()
say(b"end")'''

# As editors and pagers do it: to themselves, to their group, by SIGSTOP.
WAYS = {
    'by the default action': '''signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    signal.signal(number, stop)''',
    'with its whole group': '''signal.signal(number, signal.SIG_DFL)
    os.kill(0, number)
    signal.signal(number, stop)''',
    'by SIGSTOP': 'os.kill(os.getpid(), signal.SIGSTOP)',
    'with its whole group, by SIGSTOP': 'os.kill(0, signal.SIGSTOP)',
}


def handles_suspend(way):
    @with_terminal
    def scenario(place, terminal):
        program = HANDLES_SUSPEND.replace('HOW', WAYS[way])
        terminal.type('"$WICKET" run -j 1 line ' + python(program))
        wrapper, command = pair(terminal)
        for turn in 1, 2:
            terminal.raw(SUSPEND)
            terminal.expect('<stopping>')
            terminal.expect('Stopped')
            terminal.prompt()
            both_stop(f'{way}: both are stopped {turn}', wrapper, command)
            terminal.type('fg')
            terminal.expect('<back>')
            # a CONT that wicket passes on takes back a stop that is pending
            until(lambda: state_of(wrapper) == state_of(command) == 'S',
                  'both to wait again')
            check(f'{way}: fg continues it {turn}', True)
        terminal.type('')
        terminal.expect('<end>')
        terminal.prompt()
        equal(f'{way}: it ends', terminal.status(), 0)
        equal(f'{way}: it stopped no more often than it should',
              terminal.output.text.count('<stopping>'), 2)
    scenario.__name__ = 'stops itself ' + way
    return scenario


@with_terminal
def a_loop_is_interrupted(place, terminal):
    for before in 'run', 'wait':
        holder = holder_of(place) if before == 'wait' else None
        terminal.type('for i in 1 2 3; do "$WICKET" run -j 1 line '
                      "sh -c 'echo \"<\"\"turn $0>\"; exec cat' $i; done")
        if holder:
            waiter_pid(place)
        else:
            terminal.expect('<turn 1>')
        terminal.raw(INTERRUPT)
        terminal.prompt()
        equal(f'one ^C ends a loop of commands that {before}: 130',
              terminal.status(), 130)
        if holder:
            holder.end()
        equal('the next turn never came', place.all_slots_free(1), [0])
        check('really', '<turn 2>' not in terminal.output.read())


@with_terminal
def the_terminal_hangs_up(place, terminal):
    terminal.type(f'w run -j 1 line {STAYS}')
    wrapper, command = pair(terminal)
    os.kill(terminal.pid, signal.SIGHUP)
    until(lambda: not is_alive(wrapper) and not is_alive(command),
          'both to be gone')
    check('both are gone', True)
    equal('the slot is free', place.all_slots_free(1), [0])


def the_terminal_of_its_own_hangs_up(place):
    """As where a terminal runs it without a shell: only the leader is told."""
    pid, master = os.forkpty()
    if pid == 0:
        try:
            os.execve(wicket_path, (wicket_path, 'run', '-j', '1', 'line', 'sh',
                                    '-c', 'echo "<in>"; exec sleep 1000'),
                      place.environment)
        finally:
            os._exit(1)
    output = Output(master)
    until(lambda: '<in>' in output.read(), 'its command')
    os.close(master)
    until(lambda: os.waitpid(pid, os.WNOHANG)[0], 'its end')
    check('it ends', True)
    equal('the slot is free', place.all_slots_free(1), [0])


def lead_session(place):
    """Starts a command for each line read, in the foreground of its terminal.
    Not a shell: they lose a ^C that comes while they start something."""
    signal.signal(signal.SIGINT, lambda number, frame: None)
    while os.read(0, 100):
        process = subprocess.Popen((wicket_path, 'run', '-j', '1', 'line',
                                    'cat'), env=place.environment)
        os.write(1, b'<started>')
        os.write(1, b'<status %d>' % process.wait())
    os._exit(0)


def interrupted_at_any_moment(place):
    """Before the fork, in it, after it: it dies of ^C, as any command does."""
    pid, master = os.forkpty()
    if pid == 0:
        try:
            lead_session(place)
        finally:
            os._exit(1)
    output, wrong = Output(master), []
    for turn in range(300):
        os.write(master, b'\n')
        until(lambda: output.read().count('<started>') > turn, 'its start')
        time.sleep(chance.random() * 0.004)
        os.write(master, INTERRUPT.encode())
        until(lambda: output.read().count('<status ') > turn, 'its end')
        # its child got the same signal, and may still be about to die of it
        until(lambda: place.left_over() == [pid], 'its child to end')
        if not output.text.endswith(f'<status {-signal.SIGINT}>'):
            wrong.append((turn, output.text[-30:]))
    os.write(master, END.encode())
    until(lambda: os.waitpid(pid, os.WNOHANG)[0], 'the leader to end')
    os.close(master)
    check('^C at any moment: it dies of it, and nothing is left', not wrong,
          *wrong[:5])
    equal('no slot is lost', place.all_slots_free(1), [0])


SECONDS = r'[0-9]+\.[0-9] s'


@with_terminal
def progress(place, terminal):
    holder = holder_of(place)
    first = place.queue()
    begun = time.monotonic()
    terminal.type('w run line echo "<"done">"')
    terminal.expect(rf'wicket: 2nd in line, 1 slot, waiting {SECONDS}')
    check('after a second it says where it is',
          time.monotonic() - begun >= 1)
    terminal.expect(r'\r')
    holder.end()
    terminal.expect(rf'wicket: 1st in line, 1 slot, waiting {SECONDS}')
    check('and that it is the next', True)
    first.end()
    terminal.expect(re.escape(CLEARED) + '<done>')
    check('which is removed when the turn comes', True)
    terminal.prompt()
    check('it was all on one line', '\n' not in terminal.output.text[
        terminal.output.text.index('wicket: 2nd'):
        terminal.output.text.index('<done>')])


@with_terminal
def progress_in_a_narrow_terminal(place, terminal):
    holder = holder_of(place)
    terminal.ask('stty cols 20')
    terminal.type('w run line echo "<"done">"')
    terminal.expect('\rwicket: 1st in line\x1b\\[K')
    check('it is not folded', True)
    holder.end()
    terminal.expect('<done>')
    terminal.prompt()


@with_terminal
def progress_of_several_slots(place, terminal):
    holders = [place.stay('-j', '2') for _ in range(2)]
    for holder in holders:
        holder.inside()
    line = [place.queue() for _ in range(12)]
    terminal.type('w run line echo never')
    terminal.expect(r'wicket: 13th in line, 2 slots, waiting')
    check('13th, 2 slots', True)
    for run in holders + line[:8]:
        run.end()
    terminal.expect(r'wicket: 3rd in line, 2 slots, waiting')
    check('3rd, 2 slots', True)
    terminal.raw(INTERRUPT)
    terminal.prompt()
    equal('interrupted: 130', terminal.status(), 130)
    for run in line[8:]:
        run.end()


@with_terminal
def no_progress_without_reason(place, terminal):
    terminal.ask('w run -j 1 line true')
    text = terminal.ask('w run line true')
    equal('one who need not wait says nothing', text, '')
    holder = holder_of(place)
    terminal.type('w run line echo "<"done">" 2>/dev/null')
    waiter_pid(place)
    time.sleep(1.5)     # it would have said something
    holder.end()
    terminal.expect('<done>')
    terminal.prompt()
    check('nothing if stderr is not a terminal',
          'in line' not in terminal.output.text)
    holder = holder_of(place)
    terminal.type('w run line echo "<"done">" &')
    terminal.prompt()
    waiter_pid(place)
    time.sleep(1.5)     # the same
    holder.end()
    terminal.expect('<done>')
    check('nothing in the background', 'in line' not in terminal.output.text)


def verbose_without_a_terminal(place):
    holder = holder_of(place)
    first = place.queue()
    run = place.stay('-v')
    until(lambda: run.err.lines(), 'a word')
    check('-v says at once where it is', re.fullmatch(
        rf'wicket: 2nd in line, 1 slot, waiting {SECONDS}',
        run.err.lines()[0]), run.err.text)
    silent = place.queue()
    holder.end()
    first.inside()
    until(lambda: any('1st in line' in line for line in run.err.lines()),
          'the new position')
    check('and when the position changes', True)
    first.end()
    run.inside()
    last = run.err.lines()[-1]
    check('at last slot, ticket and how long it waited',
          re.search(r'slot 0\b', last) and re.search(r'\d+:\d+', last) and
          re.search(r'\d+(\.\d+)? s', last), run.err.text)
    check('no control characters', '\r' not in run.err.text and
          '\x1b' not in run.err.text, repr(run.err.text))
    check('few lines', len(run.err.lines()) <= 10, run.err.text)
    run.end()
    silent.inside()
    silent.end()
    equal('without -v: silence', silent.err.text, '')


test(interrupted_while_waiting, a_background_job_that_is_the_first_process,
     stopped_while_waiting, stopped_at_its_turn,
     interrupted_while_running, a_command_that_handles_interrupts,
     stopped_while_running, stopped_and_sent_to_the_background,
     a_background_command_reads_the_terminal,
     *[handles_suspend(way) for way in WAYS],
     a_loop_is_interrupted, the_terminal_hangs_up,
     the_terminal_of_its_own_hangs_up, interrupted_at_any_moment, progress,
     progress_in_a_narrow_terminal, progress_of_several_slots,
     no_progress_without_reason, verbose_without_a_terminal)
