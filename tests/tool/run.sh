#!/bin/sh
# wicket run as a user types it: exit codes, options, environment, slots.
# Signals and terminals have tests of their own.
# shellcheck disable=SC2317 # functions are called by check
# shellcheck disable=SC2016 # the commands expand what is in single quotes
# usage: run.sh WICKET SOURCE-DIR
wicket=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"
work=$(mktemp -d) holder=
trap 'kill $holder 2>/dev/null; rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/lines"
cd "$work" || exit 1
WICKET_DIR=$work/lines
export WICKET_DIR

# gives CODE ARG...: wicket run ARG... exits so and says nothing on stderr.
gives() {
	code=$1
	shift
	"$wicket" run "$@" 2>err
	got=$?
	cat err
	[ "$got" -eq "$code" ] && [ ! -s err ] ||
		! echo "exit $got, expected $code"
}

# prints TEXT ARG...: that is all that wicket run ARG... prints, and it exits 0.
prints() {
	text=$1
	shift
	out=$("$wicket" run "$@" 2>&1) || return 1
	echo "$out"
	[ "$out" = "$text" ]
}

# says TEXT CODE ARG...: one line on stderr with that text, nothing on stdout.
says() {
	text=$1 code=$2
	shift 2
	"$wicket" run "$@" >out 2>err
	got=$?
	cat out err
	[ "$got" -eq "$code" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
		grep -q "^wicket: " err && grep -qF -- "$text" err ||
		! echo "exit $got, expected $code and: $text"
}

# until_true COMMAND...: for 30 seconds at most.
until_true() {
	for _ in $(seq 600); do
		! "$@" || return 0
		sleep 0.05
	done
	return 1
}

# hold LINE ARG...: somebody in a slot of it, until let_go; $holder is who waits
# for the end.
hold() {
	rm -f up fifo
	mkfifo fifo
	"$wicket" run "$@" sh -c 'echo up >up; read -r x <fifo' &
	holder=$!
	until_true test -s up || { echo "Bail out! nobody is in $*"; exit 1; }
}
let_go() {
	echo >fifo
	wait "$holder"
	holder=
}

# --- how the command ended
for code in 0 1 7 64 75 125 126 127 128 255; do
	check "exit $code" gives $code x sh -c "exit $code"
done
for signal in 1 2 6 9 11 13 15 34; do
	check "killed by signal $signal" \
		gives $((128 + signal)) x sh -c "kill -$signal \$\$; sleep 30"
done
check "not found" says "cannot run no-such-command" 127 x no-such-command
check "not found by its path" says "./nothing" 127 x ./nothing
check "no name at all" says "''" 127 x ''
printf '#!/nowhere/interpreter\n' >no-interpreter
printf 'exit 5\n' >plain
mkdir dir
chmod 755 no-interpreter plain
: >not-executable
check "no interpreter" says "./no-interpreter" 127 x ./no-interpreter
check "not executable" says "Permission denied" 126 x ./not-executable
check "a directory" says "Permission denied" 126 x ./dir
check "a script without an interpreter is for sh" gives 5 x ./plain
check "what cannot be run leaves the slot free" \
	says "cannot run" 127 -j 1 only ./nothing
check "so that it can be had at once" gives 0 -n only true

# --- the words of the command
check "no shell" prints '$HOME *' x echo '$HOME *'
check "its options are its own" \
	prints '-n -w --help' x printf '%s %s %s\n' -n -w --help
check "-- before the command" prints -n x -- printf '%s\n' -n
check "-- before the name" prints a -- x echo a
check "a command that begins with '-'" says "cannot run -n" 127 x -- -n
both=$(printf 'a\nb c')
for c in -c --command; do
	check "NAME $c STRING" prints "$both" x $c 'echo a; echo "b c"'
	check "$c NAME STRING" prints "$both" $c x 'echo a; echo "b c"'
	check "$c NAME -- STRING" prints "$both" $c x -- 'echo a; echo "b c"'
done
check "the code of a string" gives 9 x -c 'exit 9'
# with_shell SHELL COMMAND...
with_shell() (
	SHELL=$1
	export SHELL
	shift
	"$@"
)
check "\$SHELL runs the string" \
	with_shell /bin/echo prints '-c a b' x -c 'a b'
check "an empty \$SHELL is /bin/sh" with_shell '' prints a x -c 'echo a'
check "a \$SHELL that is not there" \
	with_shell ./nothing says ./nothing 127 x -c 'echo a'

# --- what it finds
check "WICKET_LINE is the name" prints x x -c 'echo $WICKET_LINE'
check "or the path, as given" \
	prints ./lines/x ./lines/x -c 'echo $WICKET_LINE'
check "WICKET_SLOT is a slot" prints 0 -j 1 one -c 'echo $WICKET_SLOT'
ticket() {
	"$wicket" run x printenv WICKET_TICKET >out
	cat out
	grep -qxE '[0-9]+:[0-9]+' out
}
check "WICKET_TICKET is value:colour" ticket
check "--slot-var" prints 0 --slot-var _V1 one printenv _V1
check "--slot-var= overrides" prints 0 --slot-var=HOME one printenv HOME
check "--map puts a value there" \
	prints '0 a b' -j 1 --map 'a b,c' --slot-var V one \
	-c 'echo $WICKET_SLOT $V'
check "an empty value is one" \
	prints '<>' --map ,c --slot-var V one -c 'echo "<$V>"'
check "a single empty value" \
	prints '<>' --map '' --slot-var V one -c 'echo "<$V>"'
check "--map makes a new line of as many slots" \
	gives 0 --map a,,b --slot-var V three true
check "three of them" gives 0 -j 3 three true
check "more values than slots" gives 0 --map 1,2,3,4 --slot-var V three true

# others: three at once are in three slots, with the values of these.
others() {
	rm -f got-*
	: >stay
	for i in 1 2 3; do
		"$wicket" run --map zero,one,two --slot-var V three -c "
			echo \$WICKET_SLOT \$V >got-$i
			while [ -e stay ]; do sleep 0.05; done" &
		eval "pid$i=$!"
	done
	until_true test -s got-1 -a -s got-2 -a -s got-3
	in=$?
	says "no slot is free" 75 -n -v three true || in=1
	rm stay
	# shellcheck disable=SC2154 # set by eval
	wait "$pid1" "$pid2" "$pid3"
	sort got-* >got
	cat got
	[ "$in" -eq 0 ] && printf '0 zero\n1 one\n2 two\n' | cmp - got
}
check "each of three has a slot and a value of its own" others

# at_once: twenty meet at a new line; all get in, whoever makes it.
at_once() {
	for i in $(seq 20); do
		"$wicket" run --map a,b --slot-var V new true || : >failed &
	done
	wait
	[ ! -e failed ] && gives 0 -j 2 new true
}
check "twenty start a line at the same time" at_once

# --- one process, the same group and session, the same files
check "standard input is the command's" \
	sh -c 'test "$(echo hello | "$1" run x cat)" = hello' - "$wicket"
nothing_between() {
	"$wicket" run x -c 'echo $PPID' >out &
	wrapper=$!
	wait "$wrapper"
	echo "$wrapper"
	cat out
	[ "$(cat out)" = "$wrapper" ]
}
check "the command's parent is wicket" nothing_between
same_group() {
	cut -d ' ' -f 5,6 /proc/self/stat >a
	"$wicket" run x cut -d ' ' -f 5,6 /proc/self/stat >b
	cmp a b
}
check "the group and session are the caller's" same_group
# closed NUMBER: for the command as for us, and what is said harms no line.
closed() {
	eval "\"\$wicket\" run -v closed sh -c '! [ -e /proc/\$\$/fd/$1 ]' $1>&-" &&
		prints a -n closed echo a
}
for i in 0 1 2; do
	check "descriptor $i is closed" closed $i
done
# has_copies COUNT ARG...: of the line's file, among the command's descriptors,
# and none that a script might use itself.
has_copies() {
	count=$1
	shift
	"$wicket" run "$@" x sh -c 'ls -l /proc/$$/fd' >out
	cat out
	[ "$(grep -c "lines/x" out)" -eq "$count" ] &&
		! grep -qE ' [0-9] -> .*lines/x' out
}
check "a descriptor keeps the slot" has_copies 1
check "-o: there is none" has_copies 0 -o
check "--close: there is none" has_copies 0 --close
few_files() {
	# shellcheck disable=SC3045 # dash and bash both have it
	(ulimit -n 20 && "$wicket" run x sh -c 'ls -l /proc/$$/fd') >out
	cat out
	grep -q "lines/x" out
}
check "also if there are few descriptors" few_files
daemon() {
	gives 0 -j 1 daemon sh -c 'sleep 300 >/dev/null 2>&1 & echo $! >pid' ||
		return 1
	gives 0 -n daemon true
	result=$?
	kill "$(cat pid)"
	return "$result"
}
check "the slot is free when the command ends, daemons or not" daemon

# --- no slot
hold -j 1 held
check "-n" gives 75 -n held echo no
check "--nb" gives 75 --nb held echo no
check "--nonblock" gives 75 --nonblock held echo no
check "-w 0" gives 75 -w 0 held echo no
check "-w 0.05" gives 75 -w 0.05 held echo no
check "-w .05" gives 75 -w .05 held echo no
check "--wait=0.05" gives 75 --wait=0.05 held echo no
check "--timeout 0.05" gives 75 --timeout 0.05 held echo no
check "-E 3" gives 3 -n -E 3 held echo no
check "-E 0" gives 0 -n -E 0 held false
check "-E 255" gives 255 -w 0.01 -E 255 held echo no
check "--conflict-exit-code=1" gives 1 -n --conflict-exit-code=1 held echo no
check "-v -n says so" says "no slot is free" 75 -v -n held echo no
# at_first PATTERN ARG...: the first of some lines, none of them the command's.
at_first() {
	pattern=$1
	shift
	"$wicket" run "$@" >out 2>err
	got=$?
	cat out err
	[ "$got" -eq 75 ] && [ ! -s out ] && head -n 1 err | grep -qE "$pattern"
}
check "-v -w says where it stands" at_first \
	'^wicket: 1st in line, 1 slot, waiting [0-9]+\.[0-9] s$' \
	-v -w 1 held echo no
check "and that it was too long" grep -q "no slot was free within" err
check "who is too late disturbs nobody" kill -0 $holder
"$wicket" run -v -w 600 held echo yes >late 2>said &
waiter=$!
until_true grep -q '1st in line' said
check "-v: one waits" grep -q '^wicket: 1st in line' said
let_go
wait $waiter
check "-w: in time" grep -qx yes late
check "-v: which slot, which ticket, how long" \
	grep -qE '^wicket: slot 0, ticket [0-9]+:[0-9]+, after [0-9.]+ s$' said
check "the line is free again" gives 0 -n held true

died() {
	"$wicket" run -j 1 -o deadly sh -c 'kill -9 $PPID'
	"$wicket" run -v -w 30 deadly true 2>err
	cat err
	grep -q 'its last holder died' err
}
check "-v: the last holder died" died

# --- a new line
mode_is() {
	"$wicket" run "$@" true && stat -c %a "lines/$mode_line" &&
		[ "$(stat -c %a "lines/$mode_line")" = "$mode" ]
}
umask 022
mode_line=plain mode=1600
check "is for its owner" mode_is plain
mode_line=shared mode=1666
check "or as --mode says, whatever the umask" mode_is --mode 666 shared
mode_line=four mode=1660
check "--mode 0660" mode_is --mode 0660 four
check "has one slot a CPU" gives 0 -j "$(nproc)" plain true
check "511 slots" gives 0 -j 511 many true
check "-j1 together" gives 0 -j1 -n small true

# --- help
for command in '-h' '--help' 'run -h' 'run --help' 'run -n -h' 'run -j 1 -h'; do
	# shellcheck disable=SC2086 # words
	check "wicket $command" sh -c \
		'"$@" | grep -q "^usage: wicket run"' - "$wicket" $command
done
for command in '-V' '--version' 'run -V' 'run -n --version'; do
	# shellcheck disable=SC2086 # words
	check "wicket $command" sh -c \
		'"$@" | grep -qxE "wicket [0-9]+\.[0-9]+\.[0-9]+"' - \
		"$wicket" $command
done
check "help that cannot be written" sh -c \
	'"$1" --help >/dev/full 2>/dev/null; test $? -eq 74' - "$wicket"
# --- several slots at once
check "-N 2: the numbers of both, in ascending order" \
	prints "0 0,1" -j 3 -N 2 several -c 'echo $WICKET_SLOT $WICKET_SLOTS'
check "-N all" prints "0,1,2" -N all several -c 'echo $WICKET_SLOTS'
check "--slot-var without a map" \
	prints "0,1,2" -N all --slot-var V several -c 'echo $V'
check "--map: the values of all" \
	prints "a,b,c" -N all --slot-var V --map a,b,c several -c 'echo $V'
check "-N all of a new line of two" prints "0,1" -j 2 -N all both \
	-c 'echo $WICKET_SLOTS'
check "more than the line has" \
	says 'the line has 3 slots, fewer than -N 4' 78 -N 4 several true
check "-n: not all are free" gives 75 -N 1 several "$wicket" run --nested take -n -N 3 several true
check "-n: those that are left" gives 0 -N 1 several "$wicket" run --nested take -n -N 2 several true
check "status --json has the units of each" \
	prints "[2,2]" -N 2 several sh -c \
	'"$0" status several --json | jq -c "[.holders[].units]"' "$wicket"
check "status has them, too" \
	prints 2 -N 2 several sh -c '"$0" status several | grep -c ", 2 units$"' \
	"$wicket"
done_testing
