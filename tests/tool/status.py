#!/usr/bin/env -S python3 -B
"""wicket status once: as programs and as people read it.

usage: status.py WICKET
"""
import os
import signal

from look import check, equal, test, until, wicket

KEYS = {'line', 'path', 'slots', 'declared', 'slots_max', 'closing', 'seats',
        'holders', 'waiting', 'counters'}
ENTRY = {'pid', 'comm', 'ticket', 'since', 'command', 'state', 'foreign',
         'left', 'orphan', 'units', 'nested', 'inside'}


def is_seconds(value):
    return isinstance(value, float) and 0 <= value < 3600


def for_programs(place):
    first = place.stay('-j', '2', 'line').inside()
    second = place.stay('line').inside()
    third = place.queue()
    fourth = place.queue()
    status = place.status()

    equal('the keys of a line', set(status), KEYS)
    equal('its name', status['line'], 'line')
    equal('its path', status['path'], place.path('line'))
    equal('its slots', (status['slots'], status['declared']), (2, 2))
    equal('its seats', status['seats'], 4096)
    for entry in status['holders']:
        equal('the keys of a holder', set(entry), ENTRY | {'slot'})
    for entry in status['waiting']:
        equal('the keys of a waiter', set(entry), ENTRY | {'position'})
    equal('who holds which slot',
          [(h['slot'], h['pid']) for h in status['holders']],
          [(0, first.command), (1, second.command)])
    equal('who waits where',
          [(w['position'], w['pid']) for w in status['waiting']],
          [(1, third.pid), (2, fourth.pid)])
    everybody = status['holders'] + status['waiting']
    equal('their tickets', [e['ticket'] for e in everybody],
          ['1:0', '2:0', '3:0', '4:0'])
    equal('what they are called', [e['comm'] for e in everybody],
          ['cat', 'cat', 'wicket', 'wicket'])
    equal('the command of one inside', status['holders'][0]['command'], 'cat')
    check('the command of one that waits',
          status['waiting'][0]['command'].startswith(wicket + ' run line -- cat'),
          status['waiting'][0])
    check('since when', all(is_seconds(e['since']) for e in everybody),
          everybody)
    check('nobody is foreign, gone or an orphan',
          not any(e['foreign'] or e['left'] or e['orphan']
                  for e in everybody), everybody)
    equal('the keys of the counters', set(status['counters']),
          {'grants', 'recovered', 'abandoned', 'longest_wait'})
    equal('grants', status['counters']['grants'], 2)
    first.end()
    third.inside()
    status = place.status()
    equal('the slot goes to the first in line',
          [(h['slot'], h['pid']) for h in status['holders']],
          [(0, third.command), (1, second.command)])
    check('the longest wait', is_seconds(status['counters']['longest_wait'])
          and status['counters']['longest_wait'] > 0, status)
    equal('one more grant', status['counters']['grants'], 3)


def all_lines(place):
    equal('no lines', place.json('status'), [])
    check('no lines, for people',
          place.run('status').stdout == f'no lines in {place.directory}\n')
    place.stay('-j', '1', 'b').inside()
    place.stay('-j', '2', 'a').inside()
    with open(place.path('c'), 'w') as file:
        file.write('not a line\n')
    os.mkdir(place.path('d'))
    os.mkfifo(place.path('e'))
    os.symlink('nowhere', place.path('f'))
    equal('all lines, by name, and nothing else',
          [(s['line'], s['slots'], len(s['holders']))
           for s in place.json('status')], [('a', 2, 1), ('b', 1, 1)])
    check('with an empty row between them, for people',
          '\n\nb: ' in place.run('status').stdout)
    equal('a path is a name too',
          place.status(place.path('a'))['line'], place.path('a'))


def the_unusual(place):
    stopped = place.stay('-j', '2', 'line').inside()
    orphan = place.stay('line').inside()
    gone = place.queue()
    os.kill(stopped.command, signal.SIGSTOP)
    try:
        look_at_the_unusual(place, orphan, gone)
    finally:
        os.kill(stopped.command, signal.SIGCONT)


def look_at_the_unusual(place, orphan, gone):
    orphan.process.kill()
    orphan.process.wait()
    gone.process.kill()
    gone.process.wait()

    def seen():
        status = place.status()
        return (status['holders'][0]['state'] == 'T' and
                status['holders'][1]['orphan'] and
                status['waiting'] and status['waiting'][0]['left']) and status
    status = until(seen, 'all to be seen')
    equal('the orphan is the command', status['holders'][1]['pid'],
          orphan.command)
    equal('of the dead only the pid is known',
          (status['waiting'][0]['pid'], status['waiting'][0]['comm'],
           status['waiting'][0]['command']), (gone.pid, None, None))
    text = place.run('status', 'line').stdout
    check('stopped, for people', '[stopped]' in text, text)
    check('an orphan, for people', '[wicket killed, command runs on]' in text,
          text)
    check('gone, for people', '[dead or gave up, will be skipped]' in text, text)
    check('the dead do not wait', ' 2 held, 0 waiting ' in text, text)
    orphan.process.stdin.close()
    until(lambda: len(place.status()['holders']) == 1 or
          place.status()['holders'][1]['left'], 'the orphan to end')


def for_people(place):
    stay = place.stay('-j', '2', 'line').inside()
    rows = place.run('status', 'line').stdout.splitlines()
    equal('a row a slot and two more', len(rows), 4)
    equal('the first row', rows[0],
          f'line: 2 slots, 1 held, 0 waiting ({place.directory}/line)')
    equal('a slot that is held', rows[1].split()[:4],
          ['slot', '0', str(stay.command), '1:0'])
    equal('a slot that is free', rows[2].split(), ['slot', '1', 'free'])
    check('the counters', '1 granted, 0 recovered, 0 abandoned' in rows[3])
    check('no escapes where there is no terminal',
          '\033' not in ''.join(rows))
    narrow = place.run('status', 'line', env=dict(place.environment,
                                                  COLUMNS='30'))
    equal('rows are cut to COLUMNS', len(narrow.stdout.splitlines()[0]), 30)
    place.stay('line').inside()
    waiting = [place.queue() for _ in range(2)]
    rows = place.run('status', 'line').stdout.splitlines()
    equal('those who wait', [row.split()[:2] for row in rows[3:5]],
          [['1st', str(waiting[0].pid)], ['2nd', str(waiting[1].pid)]])


def strange_names(place):
    name = b'\xff\x1b[31m\xc2\x9b \xe2\x82\xac'
    place.stay('-j', '1', os.fsdecode(name)).inside()
    text = place.run('status').stdout
    check('a terminal finds nothing to obey in a name',
          text.startswith('??[31m?? \u20ac: 1 slot, 1 held'), text)
    equal('what is not UTF-8 is not in JSON', place.json('status')[0]['line'],
          '?\x1b[31m\u009b \u20ac')


def after_a_boot(place):
    place.stay('-j', '3', 'line').inside().end()
    boot = 40       # where the header has the kernel's boot id
    with open(place.path('line'), 'r+b') as file:
        file.seek(boot)
        file.write(bytes(16))
    status = place.status()
    equal('a line from before the last boot is as new',
          (status['slots'], status['holders'], status['counters']['grants']),
          (3, [], 0))


test(for_programs, all_lines, the_unusual, for_people, strange_names,
     after_a_boot)
