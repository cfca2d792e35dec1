#!/usr/bin/env -S python3 -B
"""wicket list and wicket rm, and what status, list and rm refuse.

usage: list.py WICKET
"""
import os
import re
import signal
import subprocess

from look import LIMIT, check, equal, skip, test, until, wicket


def lists(place):
    nowhere = dict(place.environment, WICKET_DIR=place.path('nowhere'))
    for what, environment in (('an empty directory', place.environment),
                              ('no directory', nowhere)):
        run = place.run('list', env=environment)
        equal(f'{what}: nothing is printed',
              (run.returncode, run.stdout, run.stderr), (0, '', ''))
        run = place.run('list', '--json', env=environment)
        equal(f'{what}: no lines', (run.returncode, run.stdout), (0, '[]\n'))
    check('no directory is made', not os.path.exists(place.path('nowhere')))
    place.stay('-j', '1', 'one').inside()
    place.stay('-j', '2', 'two').inside()
    place.queue(line='one')
    with open(place.path('other'), 'wb') as file:
        file.write(bytes(100000))
    os.mkfifo(place.path('pipe'))
    os.mkdir(place.path('sub'))
    equal('two lines, and nothing else', place.json('list'),
          [{'line': 'one', 'path': place.path('one'), 'slots': 1, 'held': 1,
            'waiting': 1, 'longest_wait': 0.0},
           {'line': 'two', 'path': place.path('two'), 'slots': 2, 'held': 1,
            'waiting': 0, 'longest_wait': 0.0}])
    rows = [row.split() for row in place.run('list').stdout.splitlines()]
    equal('the same for people', rows,
          [['slots', 'held', 'waiting', 'longest', 'wait', 'line'],
           ['1', '1', '1', '0.0', 's', 'one'],
           ['2', '1', '0', '0.0', 's', 'two']])


def removes(place):
    stay = place.stay('-j', '2', 'line').inside()
    gone = place.stay('line').inside()
    place.queue()
    run = place.run('rm', 'line')
    equal('rm is refused while somebody is there',
          (run.returncode, run.stdout, run.stderr),
          (75, '', "wicket: line: the line is in use: "
           f'slot 0 by {stay.command} (cat), slot 1 by {gone.command} (cat); '
           '1 waiting\n'))
    check('and nothing is removed', os.path.exists(place.path('line')))
    for stay in place.stays:
        stay.end()
    run = place.run('rm', 'line')
    equal('then it is allowed', (run.returncode, run.stdout, run.stderr),
          (0, '', ''))
    check('and the file is gone', not os.path.exists(place.path('line')))


def removes_after_the_dead(place):
    stay = place.stay('-j', '1', '-o', 'line').inside()
    os.kill(stay.command, signal.SIGSTOP)
    stay.process.kill()
    stay.process.wait()
    try:
        until(lambda: not place.run('rm', 'line').returncode, 'a removal')
    finally:
        os.kill(stay.command, signal.SIGCONT)
    check('a holder that was killed does not count',
          not os.path.exists(place.path('line')))


def many_holders(place):
    for _ in range(10):
        place.stay('-j', '10', 'line').inside()
    text = place.run('rm', 'line').stderr
    check('eight are named, the others counted',
          text.count(' by ') == 8 and text.endswith(' and 2 more\n'), text)


def refuses(place):
    with open(place.path('text'), 'w') as file:
        file.write('not a line\n')
    os.mkdir(place.path('sub'))
    place.stay('-j', '1', 'line').inside().end()
    before = sorted(os.listdir(place.directory))

    def refused(code, *arguments):
        run = place.run(*arguments)
        check(f'{code}: wicket {" ".join(map(repr, arguments))}',
              run.returncode == code and run.stdout == '' and
              re.fullmatch(r'wicket: [^\n]+\n', run.stderr), run)

    for code, name in ((64, ''), (64, '.'), (64, '..'), (64, 'x' * 300),
                       (66, 'nowhere'), (66, 'no/where'), (66, './nowhere'),
                       (65, 'text'), (65, 'sub')):
        refused(code, 'status', name)
        refused(code, 'status', '--json', name)
        refused(code, 'status', '--watch', name)
        refused(code, 'rm', name)
    for arguments in (('status', 'a', 'b'), ('status', '--wach'),
                      ('status', '-x'), ('status', '--json=1'),
                      ('status', '--watch=1', 'line'), ('status', '-'),
                      ('list', 'line'), ('list', '--watch'), ('list', ''),
                      ('list', '-x'), ('rm',), ('rm', 'line', 'text'),
                      ('rm', '--force', 'line'), ('rm', '-f', 'line')):
        refused(66 if arguments[-1] == '-' else 64, *arguments)
    equal('nothing has changed', sorted(os.listdir(place.directory)), before)
    for arguments in (('status',), ('status', '--json'), ('list',),
                      ('list', '--json'), ('status', '--watch', 'line'),
                      ('status', '--watch', '--json', 'line')):
        with open('/dev/full', 'w') as full:
            run = subprocess.run((wicket, *arguments), stdout=full,
                                 stderr=subprocess.PIPE, timeout=LIMIT,
                                 env=place.environment)
        equal(f'74: wicket {" ".join(arguments)} > /dev/full', run.returncode,
              74)
        check('it says so', b'cannot write to standard output' in run.stderr,
              run.stderr)


def without_permission(place):
    place.stay('-j', '1', 'line').inside().end()
    os.chmod(place.path('line'), 0)
    os.chmod(place.directory, 0o755)
    if os.geteuid():
        options = {}
    else:
        options = {'user': 65534, 'group': 65534, 'extra_groups': []}
    try:
        run = place.run('status', 'line', **options)
    except PermissionError:     # the tool itself is out of its reach
        skip('77: no permission', 'nobody cannot reach it')
        return
    equal('77: no permission to look', run.returncode, 77)
    equal('77: no permission to remove',
          place.run('rm', 'line', **options).returncode, 77)
    equal('what may not be seen is not listed',
          place.run('list', '--json', **options).stdout, '[]\n')
    os.chmod(place.directory, 0o700)
    if not os.geteuid():
        equal('77: no permission to list',
              place.run('list', **options).returncode, 77)


test(lists, removes, removes_after_the_dead, many_holders, refuses,
     without_permission)
