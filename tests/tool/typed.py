#!/usr/bin/env python3
"""Types at the prompt of an interactive shell, and tells what stands there then.

usage: typed.py FILE SHELL [ARG]... <TEXTS

SHELL runs on a terminal of its own. Its prompt must be "ready> ", ^G must make it
write its command line to FILE, ^U empty it. Each line of TEXTS is typed, and what
became of it is printed, a line for each.
"""
import os
import pty
import select
import signal
import sys
import time

PATIENCE = 30


def until(terminal, met):
    """Reads what the shell prints until met(all of it)."""
    deadline = time.monotonic() + PATIENCE
    seen = b""
    while not met(seen):
        if time.monotonic() > deadline:
            sys.exit(f"typed.py: waited in vain; the shell said {seen!r}")
        if select.select([terminal], [], [], 0.01)[0]:
            seen += os.read(terminal, 4096)


def is_whole(file):
    try:
        with open(file, encoding="utf-8") as told:
            return told.read().endswith("\n")
    except FileNotFoundError:
        return False


def type_in(terminal, text, file):
    os.write(terminal, text.encode() + b"\a")
    until(terminal, lambda _: is_whole(file))
    with open(file, encoding="utf-8") as told:
        print(told.read(), end="")
    os.unlink(file)
    os.write(terminal, b"\x15")


def main():
    file, *shell = sys.argv[1:]
    texts = sys.stdin.read().splitlines()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(shell[0], shell)
    try:
        until(terminal, lambda seen: b"ready> " in seen)
        for text in texts:
            type_in(terminal, text, file)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


main()
