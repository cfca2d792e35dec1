"""TAP, and conditions that are waited for, with a limit that only a hang can
reach: nothing here measures time."""
import signal
import sys
import time

# What is started here meets signals as they are by default, also if we are the
# background job of a shell, which ignores SIGINT.
for number in signal.valid_signals():
    if (signal.getsignal(number) == signal.SIG_IGN
            and number not in (signal.SIGPIPE, signal.SIGXFSZ)):
        signal.signal(number, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_SETMASK, ())

LIMIT = 60      # seconds: a hang, on whatever machine

_count = 0
_failed = 0


def note(*lines):
    for line in lines:
        for part in str(line).splitlines():
            print('#', part, flush=True)


def check(what, good, *details):
    """One line of TAP; the details are for whoever has to find out why."""
    global _count, _failed
    _count += 1
    print('ok' if good else 'not ok', _count, '-', what, flush=True)
    if not good:
        _failed += 1
        note(*details)
    return good


def equal(what, found, expected, *details):
    return check(what, found == expected,
                 f'found {found!r}, expected {expected!r}', *details)


def skip(what, why):
    global _count
    _count += 1
    print('ok', _count, '-', what, '# SKIP', why, flush=True)


class Late(Exception):
    pass


def until(condition, what, limit=LIMIT):
    """Waits for a condition and returns its value."""
    end = time.monotonic() + limit
    pause = 0.0005
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Late(f'waited {limit} s in vain: {what}')
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)

def end():
    print(f'1..{_count}')
    sys.exit(_failed > 0)
