#!/usr/bin/env -S python3 -B
"""Signals by kill(2), at every moment: all is as if the command had been
started directly. Those of a terminal: see terminal.py.
usage: signals.py WICKET VIEW MOMENT [SCENARIO]...
"""
import ctypes
import os
import signal
import sys
import time

from wicket_test import (LISTEN, Late, chance, check, command_line, equal,
                         is_alive, mask_of, moment_path, note, state_of, test,
                         until, wicket_path)

FATAL = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT,
         signal.SIGUSR1, signal.SIGUSR2)
MANY = 32       # slots
STOPS = (signal.SIGTSTP, signal.SIGCONT)

# A command that says what it gets, and goes on.
TRAP = (sys.executable, '-I', '-S', '-c', LISTEN + '''
def say(number, frame):
    os.write(1, b"got %d\\n" % number)
for number in map(int, sys.argv[1:]):
    signal.signal(number, say)
os.write(1, b"%d %s\\n" % (os.getpid(), os.environb[b"WICKET_SLOT"]))
wait_for_input()
sys.exit(7)
''') + tuple(str(int(number)) for number in FATAL + STOPS)


def ignore_all():
    for number in FATAL + STOPS:
        signal.signal(number, signal.SIG_IGN)


def block_term():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})


def ignore_children():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def while_waiting(place):
    holder = place.stay('-j', '1')
    holder.inside()
    # SIGBUS also comes from a line that is cut short; this one does not
    for number in (*FATAL, signal.SIGBUS):
        first, second = place.queue(), place.queue()
        first.send(number)
        equal(f'{number.name}: one who waits dies of it', first.status(),
              -number)
        until(lambda: [e['pid'] for e in place.waiters()] == [second.pid],
              'the dead one to be out of line')
        holder.end()
        second.inside()
        holder = second
    waiter = place.queue()
    waiter.send(signal.SIGCONT)
    equal('SIGCONT does nothing to it', place.stay('-w', '0.1').status(), 75)
    equal('it waits on', [e['pid'] for e in place.waiters()], [waiter.pid])
    holder.end()
    waiter.inside()
    waiter.end()


def stopped_while_waiting(place):
    holder = place.stay('-j', '1')
    holder.inside()
    # a group of its own whose parent is of the session: it can be stopped
    first = place.queue(process_group=0)
    second = place.queue()
    first.send(signal.SIGTSTP)
    until(lambda: state_of(first.pid) == 'T', 'it to be stopped')
    equal('SIGTSTP: it keeps its place',
          [e['pid'] for e in place.waiters()], [first.pid, second.pid])
    first.send(signal.SIGCONT)
    until(lambda: state_of(first.pid) == 'S', 'it to go on')
    holder.end()
    first.inside()
    check('continued, it has its turn', not second.is_inside())
    first.end()
    second.inside()
    equal('and so has the next', second.end(), 0)


def while_running(place):
    for number in FATAL:
        wrapper = place.stay('-j', '1')
        command, _ = wrapper.inside()
        waiter = place.queue()
        wrapper.send(number)
        equal(f'{number.name}: the command dies of it', wrapper.status(),
              128 + number)
        check(f'{number.name}: it is dead', not is_alive(command))
        waiter.inside()
        equal(f'{number.name}: the next has the slot', waiter.end(), 0)


def send_queued(pid, number):
    ctypes.CDLL(None).sigqueue(pid, int(number), ctypes.c_void_p(0))


def send_to_thread(pid, number):
    ctypes.CDLL(None).tgkill(pid, pid, int(number))


def send_by_descriptor(pid, number):
    descriptor = os.pidfd_open(pid)
    signal.pidfd_send_signal(descriptor, number)
    os.close(descriptor)


def trapped(place):
    wrapper = place.run('-j', '1', 'line', '--', *TRAP)
    wrapper.inside()
    ways = (os.kill, send_queued, send_to_thread, send_by_descriptor)
    sent = [(way, number) for way in ways for number in FATAL + STOPS]
    for turn, (way, number) in enumerate(sent):
        way(wrapper.pid, number)
        until(lambda: wrapper.is_over() or len(wrapper.out.lines()) > turn + 1,
              f'{number.name} to arrive')
    equal('a command that traps exits as it likes', wrapper.end(), 7)
    equal('it got each exactly once, in order', wrapper.out.lines()[1:],
          [f'got {int(number)}' for way, number in sent])


def ignored_at_start(place):
    holder = place.stay('-j', '1')
    holder.inside()
    wrapper = place.queue(preexec_fn=ignore_all)
    for number in FATAL + STOPS:
        wrapper.send(number)
    equal('one who waits ignores them', place.stay('-w', '0.1').status(), 75)
    equal('it waits on', [e['pid'] for e in place.waiters()], [wrapper.pid])
    holder.end()
    command, _ = wrapper.inside()
    check('its command ignores them too',
          set(FATAL + STOPS) <= mask_of(command, 'SigIgn'))
    for number in FATAL + STOPS:
        wrapper.send(number)
        os.kill(command, number)
    equal('and goes on to its end', wrapper.end(), 0)


def blocked_at_start(place):
    wrapper = place.stay('-j', '1', preexec_fn=block_term)
    command, _ = wrapper.inside()
    check('the command has the mask that was inherited',
          mask_of(command, 'SigBlk') == {signal.SIGTERM},
          mask_of(command, 'SigBlk'))
    wrapper.send(signal.SIGTERM)
    until(lambda: signal.SIGTERM in mask_of(command, 'ShdPnd'),
          'SIGTERM to be passed on')
    check('it has the signal, and goes on', is_alive(command))
    equal('to its end', wrapper.end(), 0)


def children_ignored_at_start(place):
    wrapper = place.run('-j', '1', 'line', 'sh', '-c',
                        'echo $$ $WICKET_SLOT; cat; exit 5',
                        preexec_fn=ignore_children)
    command, _ = wrapper.inside()
    check('the command inherits SIGCHLD ignored',
          signal.SIGCHLD in mask_of(command, 'SigIgn') or
          signal.SIGCHLD in mask_of(command, 'SigCgt'))
    equal('its exit code is known all the same', wrapper.end(), 5)
    plain = place.run('line', 'cat', preexec_fn=ignore_children)
    command = until(lambda: [e['pid'] for e in place.holders()
                             if command_line(e['pid']) == 'cat '],
                    'cat to run')[0]
    check('a command that does not care has it ignored',
          signal.SIGCHLD in mask_of(command, 'SigIgn'))
    equal('and its status is 0', plain.end(), 0)


def descriptors(pid):
    return sorted(map(int, os.listdir(f'/proc/{pid}/fd')))


def cat_reads(pid):
    """STAY has become cat, and cat has done with its libraries."""
    until(lambda: command_line(pid) == 'cat ' and state_of(pid) == 'S',
          'cat to read')


def what_the_command_inherits(place):
    direct = place.start('sh', '-c', 'echo $$ 0; exec cat')
    command, _ = direct.inside()
    cat_reads(command)
    expected = {key: mask_of(command, key) for key in
                ('SigIgn', 'SigBlk', 'SigCgt', 'ShdPnd')}
    expected_descriptors = descriptors(command)
    direct.end()
    for option in '-v', '-o':
        run = place.stay(option)
        command, _ = run.inside()
        cat_reads(command)
        found = {key: mask_of(command, key) for key in expected}
        equal(f'{option}: dispositions and mask as without wicket', found,
              expected)
        if option == '-o':
            equal('-o: no descriptor more', descriptors(command),
                  expected_descriptors)
        else:
            more = [n for n in descriptors(command)
                    if n not in expected_descriptors]
            check('one descriptor more, out of the way of scripts',
                  len(more) == 1 and more[0] >= 10, more)
        equal(f'{option}: group and session are ours',
              (os.getpgid(command), os.getsid(command)),
              (os.getpgid(0), os.getsid(0)))
        run.end()


def stopped_while_running(place):
    wrapper = place.stay('-j', '1', process_group=0)
    command, _ = wrapper.inside()
    for how, send in (('to the wrapper', wrapper.send),
                      ('to the group', lambda n: os.killpg(wrapper.pid, n))):
        send(signal.SIGTSTP)
        until(lambda: state_of(command) == 'T' and
              state_of(wrapper.pid) == 'T', 'both to be stopped')
        equal(f'SIGTSTP {how}: both stop and keep the slot',
              place.stay('-n').status(), 75)
        send(signal.SIGCONT)
        until(lambda: state_of(command) == 'S' and
              state_of(wrapper.pid) == 'S', 'both to go on')
        check(f'SIGCONT {how}: both go on', True)
    os.kill(command, signal.SIGTSTP)
    until(lambda: state_of(wrapper.pid) == 'T', 'the wrapper to stop')
    check('SIGTSTP to the command: the wrapper stops as well', True)
    wrapper.send(signal.SIGCONT)
    until(lambda: state_of(command) == 'S' and
          state_of(wrapper.pid) == 'S', 'both to go on')
    os.kill(command, signal.SIGSTOP)
    until(lambda: state_of(command) == 'T', 'the command to stop')
    # one that asks again and again would be seen running
    until(lambda: all(state_of(wrapper.pid) == 'S' for _ in range(100)),
          'the wrapper to sleep')
    os.kill(command, signal.SIGCONT)
    until(lambda: state_of(command) == 'S', 'the command to go on')
    equal('stopped and continued behind its back, it ends', wrapper.end(), 0)
    equal('and the slot is free', place.all_slots_free(1), [0])


def stopped_in_an_orphaned_group(place):
    """Where nobody could continue it, SIGTSTP stops nobody."""
    wrapper = place.stay('-j', '1', start_new_session=True)
    command, _ = wrapper.inside()
    wrapper.send(signal.SIGTSTP)
    equal('it goes on, and ends', wrapper.end(), 0)


def stopped_and_continued_at_once(place):
    """Whatever the gap, the wrapper is never stopped alone.  A SIGCONT that is
    not handled yet when the wrapper follows its command is dropped by the
    kernel: then both are stopped, and the next one continues both."""
    wrong, dropped = [], 0
    for turn in range(200):
        wrapper = place.stay('-j', '1', process_group=0)
        command, _ = wrapper.inside()
        send = chance.choice((wrapper.send,
                              lambda n: os.killpg(wrapper.pid, n)))
        send(signal.SIGTSTP)
        if turn % 3 == 1:
            pause(chance.random() * 0.001)
        while turn % 3 == 2 and state_of(command) != 'T':
            pass        # and the wrapper is about to follow
        send(signal.SIGCONT)
        wrapper.process.stdin.close()
        try:
            until(wrapper.is_over, 'its end', 10)
        except Late:
            states = state_of(wrapper.pid), state_of(command)
            if states == ('T', 'T'):
                dropped += 1
            elif states[0] == 'T':
                wrong.append((turn, states))
            send(signal.SIGCONT)
        if wrapper.status():
            wrong.append((turn, wrapper.status()))
        wrapper.close()
    note(f'{dropped} times SIGCONT came too early')
    check('stopped and continued, it runs', not wrong, wrong)


def pause(seconds):
    """Shorter than any sleep."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def time_to_start(place):
    """Seconds from being started to running a command, by experience."""
    times = []
    for _ in range(9):
        run = place.stay('-j', str(MANY))
        begun = time.perf_counter()
        while not run.is_inside():
            pass
        times.append(time.perf_counter() - begun)
        run.end()
    return sorted(times)[4]


def strays(place):
    """What is alive although its wrapper died waiting; the doomed may go."""
    try:
        until(lambda: not place.left_over(), 'nobody', 5)
    except Late:
        pass
    return place.left_over()


def killed_at_any_moment(place):
    """From its first instruction to long after the command has started.  There
    are many slots, so that nobody waits until it is noticed who died."""
    length = 1.5 * time_to_start(place)
    waited, ran, wrong = 0, 0, []
    for turn in range(400):
        number = chance.choice(FATAL)
        run = place.stay('-j', str(MANY), process_group=0)
        delay = chance.random() * length
        pause(delay)
        if turn % 2:
            run.send(number)
        else:
            os.killpg(run.pid, number)
        status = run.status()
        waited += status == -number
        ran += status == 128 + number
        left = strays(place)
        if status not in (-number, 128 + number) or left:
            wrong.append((turn, number.name, delay, status, left,
                          run.err.text))
            place.kill_all()
        run.close()
    note(f'{waited} died before their command, {ran} of it')
    check('killed at any moment: right status, and no command left',
          not wrong, *wrong[:5])
    equal('no slot is lost', place.all_slots_free(MANY), list(range(MANY)))


def killed_at_every_system_call(place):
    """Of the wrapper, and of the child that is to become the command."""
    # LeakSanitizer does not work when traced, and says so by an exit code
    environment = dict(place.environment, ASAN_OPTIONS='detect_leaks=0')

    def run_until(moment, number, whom):
        return place.start(moment_path, str(moment), str(int(number)), whom,
                           wicket_path, 'run', '-j', str(MANY), 'line', 'cat',
                           env=environment)
    run_until(1 << 30, signal.SIGTERM, 'self').status()
    probe = run_until(1 << 30, signal.SIGTERM, 'self')
    if not equal('killed when it begins to wait for its command',
                 probe.status(), 128 + signal.SIGTERM, probe.err.text):
        return
    last = int(probe.out.text)
    step = max(1, last // 150)
    note(f'{last} moments, every {step}')
    for number, whom in ((signal.SIGTERM, 'self'), (signal.SIGINT, 'group')):
        wrong, before = [], 0
        for moment in range(1, last + 1, step):
            run = run_until(moment, number, whom)
            status = run.status()
            before += status == -number
            left = strays(place)
            if status not in (-number, 128 + number) or left:
                wrong.append((moment, status, left, run.err.text))
                place.kill_all()
            run.close()
        check(f'{number.name} to {whom}, {before} times before there was a '
              'command: right status, no command left',
              not wrong and 0 < before < last, *wrong[:5])
    equal('no slot is lost', place.all_slots_free(MANY), list(range(MANY)))


def killed_right_after_the_grant(place):
    """Many wait; whoever is let in is sent a signal then."""
    holder = place.stay('-j', '1')
    holder.inside()
    wrong, before = [], 0
    for turn in range(200):
        number = chance.choice(FATAL)
        next_one = place.queue()
        holder.process.stdin.close()
        pause(chance.random() * 0.003)
        next_one.send(number)
        status = next_one.status()
        before += status == -number
        if status not in (-number, 128 + number):
            wrong.append((turn, number.name, status, next_one.err.text))
        if holder.status():
            wrong.append((turn, 'holder', holder.status()))
        left = strays(place)
        if left:
            wrong.append((turn, number.name, status, left))
            place.kill_all()
        holder.close()
        next_one.close()
        holder = place.stay('-j', '1')
        holder.inside()
    note(f'{before} died before their command, {200 - before} of it')
    holder.end()
    check('killed right after the grant: right status, no command left',
          not wrong, *wrong[:5])
    equal('no slot is lost', place.all_slots_free(1), [0])


def stopped_at_any_moment(place):
    """SIGTSTP at any moment stops it; continued, it runs to its end."""
    length = 1.5 * time_to_start(place)
    wrong = []
    for turn in range(100):
        run = place.stay('-j', str(MANY), process_group=0)
        delay = chance.random() * length
        pause(delay)
        run.send(signal.SIGTSTP)
        try:
            until(lambda: state_of(run.pid) == 'T', 'it to stop', 10)
            run.send(signal.SIGCONT)
            run.process.stdin.close()
            until(run.is_over, 'its end', 10)
            if run.status():
                wrong.append((turn, delay, run.status()))
        except Late as late:
            wrong.append((turn, delay, str(late), state_of(run.pid)))
            place.kill_all()
            if len(wrong) == 3:
                break
        run.close()
    check('stopped at any moment and continued, it ends', not wrong,
          *wrong[:3])
    equal('no slot is lost', place.all_slots_free(MANY), list(range(MANY)))


test(while_waiting, stopped_while_waiting, while_running, trapped,
     ignored_at_start, blocked_at_start, children_ignored_at_start,
     what_the_command_inherits, stopped_while_running,
     stopped_in_an_orphaned_group, stopped_and_continued_at_once,
     killed_at_any_moment, killed_at_every_system_call,
     killed_right_after_the_grant,
     stopped_at_any_moment)
