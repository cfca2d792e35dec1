#!/usr/bin/env -S python3 -B
"""Where a line is: names, directories, files that are something else, and who
may not use them. What is refused gets one clear line, and changes nothing.
usage: places.py WICKET VIEW MOMENT [SCENARIO]...
"""
import os
import shutil
import socket
import stat

from wicket_test import check, equal, skip, test, wicket_path

NOBODY = 65534


def refused(place, what, run, *codes):
    """One line on stderr, one of these exit codes, nothing on stdout."""
    status = run.status()
    text = run.err.text
    check(f'{what}: exit {" or ".join(map(str, codes))}, and why',
          status in codes and text.startswith('wicket: ') and
          text.count('\n') == 1 and text.endswith('\n') and
          text[:-1].isprintable() and not run.out.text,
          f'exit {status}, {text!r}, stdout {run.out.text!r}')
    return text


def works(place, what, name, **options):
    """The command runs, is told the name, and another one meets it there."""
    run = place.run('-j', '1', name, '--', wicket_path, 'run', '--nested', 'take',
                    '-n', name, 'true', **options)
    equal(f'{what}: two meet', run.status(), 75, run.err.text)
    run = place.run(name, 'printenv', 'WICKET_LINE', **options)
    equal(f'{what}: the name as given', (run.status(), run.out.text),
          (0, name + '\n'), run.err.text)


def names(place):
    for what, name in (
            ('dots', '.a..b.'), ('spaces', ' a  b '), ('three dots', '...'),
            ('unicode', 'Schlange-\u884c\u5217-\U0001f40d'),
            ('quotes', '"\'`$(false)'), ('an equals sign', 'a=b'),
            ('255 characters', 'x' * 255)):
        works(place, what, name)
        place.lines.add(name)
    works(place, 'a new line in it', 'new\nline')
    place.lines.add('new\nline')
    before = sorted(os.listdir(place.directory))
    for what, name in (('an empty name', ''), ('.', '.'), ('..', '..'),
                       ('256 characters', 'x' * 256),
                       ('300 characters', 'x' * 300),
                       ('a path of 5000', 'x/' * 2500 + 'x')):
        refused(place, what, place.run(name, 'true'), 64)
    refused(place, 'an escape sequence in a name that is refused',
            place.run('\x1b[31m\n' + 'x' * 300, 'true'), 64)
    refused(place, 'no line of that name and no such directory',
            place.run('/nonexistent/directory/line', 'true'), 66, 73)
    refused(place, 'a path that ends in a slash',
            place.run(place.directory + '/', 'true'), 64, 65, 66, 73)
    equal('nothing was made', sorted(os.listdir(place.directory)), before)


def a_name_that_looks_like_an_option(place):
    run = place.run('-j', '1', '--', '-x', 'printenv', 'WICKET_LINE')
    equal('-- ends the options', (run.status(), run.out.text), (0, '-x\n'),
          run.err.text)
    place.lines.add('-x')
    place.lines.discard('line')


def paths(place):
    below = place.directory + '/below'
    place.lines.add('below')
    os.mkdir(below)
    works(place, 'an absolute path', below + '/absolute')
    works(place, 'a relative path', './relative', cwd=below)
    works(place, 'a path with ..', '../below/up', cwd=below)
    equal('the lines are where the paths say', sorted(os.listdir(below)),
          ['absolute', 'relative', 'up'])
    equal('of this user alone',
          stat.S_IMODE(os.stat(below + '/absolute').st_mode), 0o1600)
    os.symlink('absolute', below + '/link')
    run = place.run('-j', '1', below + '/link', wicket_path, 'run',
                    '--nested', 'take', '-n', below + '/absolute', 'true')
    equal('a symbolic link is the same line', run.status(), 75)


def directories(place):
    environment = dict(place.environment)
    base = place.directory
    environment['WICKET_DIR'] = base + '/missing'
    refused(place, 'WICKET_DIR that is missing',
            place.run('line', 'true', env=environment), 66, 73)
    with open(base + '/file', 'w') as file:
        file.write('text')
    place.lines.add('file')
    environment['WICKET_DIR'] = base + '/file'
    refused(place, 'WICKET_DIR that is a file',
            place.run('line', 'true', env=environment), 66, 73)
    environment['WICKET_DIR'] = 'x' * 5000
    refused(place, 'WICKET_DIR that is too long',
            place.run('line', 'true', env=environment), 64, 66, 73)
    equal('nothing was made', os.listdir(base), ['file'])
    os.mkdir(base + '/relative')
    place.lines.add('relative')
    environment['WICKET_DIR'] = 'relative'
    works(place, 'WICKET_DIR that is relative', 'line', env=environment,
          cwd=base)
    equal('the line is there', os.listdir(base + '/relative'), ['line'])


def not_a_line(place):
    base = place.directory
    contents = {'empty': b'', 'text': b'hello\n', 'long': b'wicket' * 10000,
                'zeros': bytes(1 << 20)}
    for name, text in contents.items():
        with open(f'{base}/{name}', 'wb') as file:
            file.write(text)
    os.mkdir(base + '/directory')
    os.mkfifo(base + '/fifo')
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(base + '/socket')
    os.symlink('nowhere', base + '/dangling')
    os.symlink('loop', base + '/loop')
    before = sorted(os.listdir(base))
    place.lines |= set(before)
    for name in ('empty', 'text', 'long', 'zeros', 'directory', 'fifo',
                 'socket'):
        refused(place, name, place.run('-j', '2', name, 'true'), 65)
    refused(place, 'a device', place.run('/dev/null', 'true'), 65)
    refused(place, 'a dangling symbolic link', place.run('dangling', 'true'),
            66, 73)
    refused(place, 'a loop of symbolic links', place.run('loop', 'true'),
            66, 73)
    equal('nothing was made, nothing removed', sorted(os.listdir(base)),
          before)
    for name, text in contents.items():
        with open(f'{base}/{name}', 'rb') as file:
            check(f'{name} is what it was', file.read() == text)

    place.run('-j', '2', 'line', 'true').status()
    with open(base + '/line', 'rb') as file:
        good = file.read()
    place.lines |= {'short', 'version'}
    with open(base + '/short', 'wb') as file:
        file.write(good[:-4096])
    with open(base + '/version', 'wb') as file:
        file.write(good[:8] + b'\xff' * 4 + good[12:])
    for name in 'short', 'version':
        refused(place, f'a line of the wrong {name}', place.run(name, 'true'),
                65)


def disagreement(place):
    holder = place.stay('-j', '3')
    holder.inside()
    text = refused(place, 'another -j', place.run('-j', '4', 'line', 'true'),
                   78)
    check('both numbers are named', '3' in text and '4' in text, text)
    run = place.run('-j', '3', 'line', 'true')
    equal('the same -j is welcome', run.status(), 0)
    run = place.run('line', 'true')
    equal('so is none', run.status(), 0)
    text = refused(place, 'a name with a new line, and another -j',
                   disagree_on(place, 'new\nline'), 78)
    equal('the holder is not disturbed', holder.end(), 0)


def disagree_on(place, name):
    place.lines.add(name)
    place.run('-j', '3', name, 'true').status()
    return place.run('-j', '4', name, 'true')


def as_nobody(place, *arguments, **options):
    return place.start('setpriv', f'--reuid={NOBODY}', f'--regid={NOBODY}',
                       '--clear-groups', wicket_path, 'run', *arguments,
                       **options)


def other_users(place):
    if os.geteuid() != 0 or not shutil.which('setpriv'):
        skip('other users', 'not root, or no setpriv')
        return
    probe = place.start('setpriv', f'--reuid={NOBODY}', '--clear-groups',
                        wicket_path, '--version')
    if probe.status() != 0:
        skip('other users', 'another user cannot run wicket here')
        return
    os.chmod(place.directory, 0o755)
    refused(place, 'a directory of somebody else',
            as_nobody(place, 'line', 'true'), 73, 77)
    equal('nothing was made', os.listdir(place.directory), [])
    holder = place.stay('-j', '1')
    holder.inside()
    refused(place, 'a line of somebody else',
            as_nobody(place, 'line', 'true'), 77)
    holder.end()
    place.lines.add('shared')
    run = place.run('-j', '1', '--mode', '666', 'shared', 'true')
    equal('--mode', run.status(), 0)
    equal('is the mode, whatever the umask', stat.S_IMODE(
        os.stat(place.directory + '/shared').st_mode), 0o1666)
    unasked = place.run('shared', 'true')
    refused(place, 'root does not use it unasked', unasked, 77)
    check('and says why', '--trust allows it' in unasked.err.text,
          unasked.err.text)
    holder = place.stay('--trust', line='shared')
    holder.inside()
    other = as_nobody(place, '-n', 'shared', 'true')
    equal('two users meet', other.status(), 75, other.err.text)
    other = as_nobody(place, 'shared', 'true')
    place.seen_waiting(other, 'shared')
    holder.end()
    equal('and wait for each other', other.status(), 0, other.err.text)
    nobody = place.start('setpriv', f'--reuid={NOBODY}', '--clear-groups',
                         wicket_path, 'rm', 'shared')
    equal('who may not unlink it cannot remove it', nobody.status(), 77)
    equal('and has not', place.run('--trust', 'shared', 'true').status(), 0)
    # a user of whom there are no processes: only of such does one know how many;
    # and the sanitizers' search for leaks takes one
    run = place.start('prlimit', '--nproc=1', 'setpriv', '--reuid=54321',
                      '--clear-groups', wicket_path, 'run', 'shared', 'true',
                      env=dict(place.environment,
                               ASAN_OPTIONS='detect_leaks=0'))
    equal('no process to be had', run.status(), 71)
    check('is said', 'cannot start a process for true' in run.err.text,
          run.err.text)


# Everything that names depend on is made anew, for these processes alone. The
# program is carried along: the tree may lie in what is mounted over.
ALONE = '''
set -e
unset WICKET_DIR
exec 9<"$WICKET"
mount -t tmpfs -o mode=755 none /run
mount -t tmpfs -o mode=1777 none /tmp
WICKET=/run/program
cat <&9 >$WICKET
exec 9<&-
chmod 755 $WICKET
cd /
uid=$(id -u)
meet() {
	"$WICKET" run -j 1 x env -i "$WICKET" run --nested take -n x true && echo 0 || echo $?
}
'''


def in_a_machine_of_its_own(place, script):
    """Runs a script in a mount namespace; None if that is not permitted."""
    environment = dict(place.environment, WICKET=wicket_path)
    for options in '-m', '-rm':
        probe = place.start('unshare', options, 'mount', '-t', 'tmpfs',
                            'none', '/run')
        if probe.status() == 0:
            run = place.start('unshare', options, 'sh', '-c', ALONE + script,
                              env=environment)
            status = run.status()
            return status, run.out.text.split('\n')[:-1], run.err.text
    return None


def a_shell_and_a_cron_job_meet(place):
    found = in_a_machine_of_its_own(place, '''
        meet; ls /tmp
        mkdir -m 1777 /run/lock; meet; ls /run/lock
        stat -c %a /run/lock/wicket-$uid /tmp/wicket-$uid
        mkdir /run/wicket; meet; ls /run/wicket
    ''')
    if not found:
        skip('where names are', 'no mount namespace to be had')
        return
    uid = '0'
    equal('a shell and a cron job meet in /tmp, /run/lock, /run/wicket',
          found, (0, ['75', 'wicket-' + uid, '75', 'wicket-' + uid, '700',
                      '700', '75', 'x'], ''))


def a_better_directory_appears(place):
    """A line in use stays one line, and moves when nobody uses it."""
    found = in_a_machine_of_its_own(place, '''
        mkdir -m 1777 /run/lock
        mkfifo /tmp/go
        "$WICKET" run -j 3 y true
        "$WICKET" run -j 1 x cat /tmp/go & holder=$!
        until "$WICKET" status x 2>&1 | grep -q 'slot 0 .* cat'; do :; done
        mkdir /run/wicket
        "$WICKET" run -n x true 2>/tmp/said || echo $?
        grep -c "in use in /run/lock/wicket-$uid/x" /tmp/said
        "$WICKET" status x | grep -c "slot 0 .* cat"
        "$WICKET" list --json | jq -r '.[] | .line + " " + .path'
        ls /run/wicket
        : >/tmp/go
        wait $holder
        "$WICKET" run -n x true; echo $?
        "$WICKET" run -n y true; "$WICKET" status y --json | jq .slots
        ls /run/wicket /run/lock/wicket-$uid
    ''')
    if not found:
        skip('a better directory', 'no mount namespace to be had')
        return
    equal('a line in use is joined where it is, then it moves, with its slots',
          found,
          (0, ['75', '1', '1', 'x /run/lock/wicket-0/x', 'y /run/lock/wicket-0/y',
               '0', '3', '/run/lock/wicket-0:', '', '/run/wicket:', 'x', 'y'],
           ''))


def without_proc(place):
    # The sanitizers' search for leaks needs /proc, and reads there that it is
    # to be left out.
    found = in_a_machine_of_its_own(place, '''
        mkdir -m 1777 /run/lock
        mount -t tmpfs none /proc
        mkdir /proc/self
        printf 'ASAN_OPTIONS=detect_leaks=0\\0' >/proc/self/environ
        "$WICKET" run x true || echo $?
    ''')
    if not found:
        skip('no /proc', 'no mount namespace to be had')
        return
    check('/proc is said to be missing', found[:2] == (0, ['71']) and
          '/proc is missing' in found[2], found)


def deleted_while_in_use(place):
    holder = place.stay('-j', '1')
    holder.inside()
    waiter = place.queue()
    os.unlink(place.directory + '/line')
    place.views.pop('line').close()
    status = place.start(wicket_path, 'status', 'line')
    equal('status of a line that was deleted', status.status(), 66)
    check('names its users', 'deleted while in use: slot 0 by ' in
          status.err.text and '1 waiting' in status.err.text, status.err.text)
    equal('there is a new one', place.run('-j', '1', '-n', 'line',
                                          'true').status(), 0)
    doctor = place.start(wicket_path, 'doctor', 'line')
    equal('doctor', doctor.status(), 1)
    check('names them too', 'deleted while in use: slot 0 by ' in
          doctor.err.text, doctor.err.text)
    holder.end()
    check('who was inside says so', 'was deleted' in holder.err.text,
          holder.err.text)
    waiter.inside()
    waiter.end()
    check('so does the next', 'was deleted' in waiter.err.text,
          waiter.err.text)
    holder = place.stay('-j', '1')
    holder.inside()
    os.rename(place.directory + '/line', place.directory + '/renamed')
    holder.end()
    check('who was inside when it was renamed says so',
          'deleted or renamed' in holder.err.text, holder.err.text)
    os.rename(place.directory + '/renamed', place.directory + '/line')
    with open(place.directory + '/line'):
        os.unlink(place.directory + '/line')
        doctor = place.start(wicket_path, 'doctor', 'line')
        equal('doctor, of one that somebody just has open', doctor.status(), 66)
        check('says only that there is none', 'deleted' not in doctor.err.text,
              doctor.err.text)


def small_files(place):
    run = place.start('sh', '-c', 'ulimit -f 8; exec "$0" run line true',
                      wicket_path)
    refused(place, 'a limit on files', run, 73)
    check('is named', 'ulimit -f' in run.err.text, run.err.text)


def a_directory_that_is_somebody_elses(place):
    if os.geteuid() != 0:
        skip('a directory that is somebody else\'s', 'not root')
        return
    found = in_a_machine_of_its_own(place, '''
        mkdir -m 1777 /run/lock
        for made in "-m 700 /run/lock/wicket-$uid" \\
                "-m 777 /run/lock/wicket-$uid" "-m 700 /tmp/wicket-$uid"; do
            rm -rf /run/lock/* /tmp/*
            mkdir $made
            set -- $made
            case $2 in
            777) ;;
            *) chown 65534 $3 ;;
            esac
            case $3 in
            /tmp/*) rmdir /run/lock ;;
            esac
            "$WICKET" run x echo ran 2>/tmp/said || echo $?
            grep -c "^wicket: x: $3 must be a directory" /tmp/said
            ls $3
        done
        mkdir -m 1777 /run/lock
        ln -s /tmp /run/lock/wicket-$uid
        "$WICKET" run x echo ran 2>/tmp/said || echo $?
        grep -c "^wicket: x: /run/lock/wicket-$uid must be a directory" /tmp/said
        ls /tmp
    ''')
    if not found:
        skip('a directory that is somebody else\'s',
             'no mount namespace to be had')
        return
    status, lines, errors = found
    equal('of another owner, writable by others, in /tmp: refused',
          (status, lines[:6], errors), (0, ['77', '1'] * 3, ''))
    check('a link to a directory: refused', lines[6] in ('66', '73') and
          lines[7:] == ['1', 'said', 'wicket-0'], lines)


test(names, a_name_that_looks_like_an_option, paths, directories, not_a_line,
     disagreement, other_users, a_shell_and_a_cron_job_meet,
     a_better_directory_appears, without_proc, deleted_while_in_use,
     small_files, a_directory_that_is_somebody_elses)
