#!/bin/sh
# wicket doctor as a user types it: what it says of lines that are right, that
# are worth a note, that are damaged, and of what is no line.
# shellcheck disable=SC2317 # functions are called by check
# shellcheck disable=SC2016 # the commands expand what is in single quotes
# usage: doctor.sh WICKET SOURCE-DIR
wicket=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"
work=$(mktemp -d) holder='' command=''
trap 'kill -9 $holder $command 2>/dev/null; rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
mkdir lines
WICKET_DIR=$work/lines
export WICKET_DIR

# doctor CODE ARG...: exits so; what it prints is in out and err.
doctor() {
	code=$1
	shift
	"$wicket" doctor "$@" >out 2>err
	got=$?
	cat out err
	[ "$got" -eq "$code" ] || ! echo "exit $got, expected $code"
}

# finds CODE TEXT NAME: the path first, a line with this text, the sum last.
finds() {
	doctor "$1" "$3" && [ ! -s err ] &&
		[ "$(head -n 1 out)" = "$WICKET_DIR/$3" ] &&
		sed '1d;$d' out | grep -q -- "$2" || return 1
	case $1 in
	0) [ "$(tail -n 1 out)" = "$3: no damage found" ] ;;
	*) tail -n 1 out | grep -qE "^$3: (1 thing is|[0-9]+ things are) wrong$" ;;
	esac
}

# is_well NAME: nothing is found.
is_well() {
	doctor 0 "$1" && [ ! -s err ] || return 1
	printf '%s\n' "$WICKET_DIR/$1" "$1: no damage found" | cmp - out
}

# refuses CODE TEXT ARG...: one line on stderr, with this text, nothing on stdout.
refuses() {
	code=$1 text=$2
	shift 2
	doctor "$code" "$@" && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] &&
		grep -q '^wicket: ' err && grep -qF -- "$text" err
}

# says CODE TEXT ARG...: any command of wicket, by one line on stderr.
says() {
	code=$1 text=$2
	shift 2
	"$wicket" "$@" 2>err
	[ $? -eq "$code" ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$text" err
}

# until_true COMMAND...: for 30 seconds at most.
until_true() {
	for _ in $(seq 600); do
		! "$@" || return 0
		sleep 0.05
	done
	return 1
}

# hold NAME ARG...: somebody in a slot; $holder is wicket, $command what it runs.
hold() {
	rm -f pid
	"$wicket" run "$@" sh -c 'echo $$ >pid.new; mv pid.new pid; exec sleep 600' &
	holder=$!
	until_true test -s pid || { echo "Bail out! nobody is in $*"; exit 1; }
	command=$(cat pid)
}

is_state() {
	[ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat")" = "$2" ]
}

# poke NAME OFFSET BYTE...: overwrites bytes, given in octal.
poke() {
	poked=$WICKET_DIR/$1 offset=$2
	shift 2
	# shellcheck disable=SC2059 # the bytes are the format
	printf "$(printf '\\%s' "$@")" |
		dd of="$poked" bs=1 seek="$offset" conv=notrunc 2>/dev/null
}

# --- right
"$wicket" run -j 1 a true
check "a line at rest is well" is_well a
check "so it is by its path" doctor 0 "$WICKET_DIR/a"
before=$(stat -c '%x %y %z' lines/a) sum=$(cksum <lines/a)
doctor 0 a >/dev/null
check "its file is the same afterwards" test "$sum" = "$(cksum <lines/a)"
# what cksum itself read may have changed the time of access: once more
before=$(stat -c '%x %y %z' lines/a)
doctor 0 a >/dev/null
check "and so are its times" test "$before" = "$(stat -c '%x %y %z' lines/a)"
hold a
check "a line in use is well" is_well a

# --- worth knowing
cp lines/a lines/held
kill -STOP "$command"
until_true is_state "$command" T
check "who is stopped is named" \
	finds 0 "^note: pid $command (sleep) in slot 0 is stopped$" a
kill -CONT "$command"
kill -9 "$holder"
wait "$holder" 2>/dev/null
check "a command that runs on is named" \
	finds 0 '^note: pid [0-9]* in slot 0: wicket died, its command runs on$' a
kill -9 "$command"
check "when it is dead, that is said" \
	until_true finds 0 '^note: pid [0-9]* died in slot 0: ' a
"$wicket" run a true
check "and forgotten when the slot was needed" is_well a
cp lines/a lines/old
poke old 48 1 2 3 4 5 6 7
check "a line of a former boot will be started afresh" \
	finds 0 '^note: boot: ' old
chmod 666 lines/a
check "that everybody may write it is said" \
	finds 0 '^note: everybody may write it' a

# --- wrong
cp lines/held lines/w
poke w 264 377 37
check "ISSUE that is no ticket" finds 1 '^wrong: W: ISSUE' w
cp lines/held lines/version
poke version 8 5
check "a newer version" finds 1 '^wrong: header: it was made by a newer' version
check "status says so, too" says 65 'made by a newer' status version
poke version 8 1
check "an older version" finds 1 '^wrong: header: it was made by an older' version
head -c 1000 lines/held >lines/short
check "a file cut off" finds 1 '^wrong: header: the file has not the size' short
head -c 100 lines/held >lines/shorter
check "even in its header" finds 1 '^wrong: header: cut off' shorter
"$wicket" run -j 2 slots true
poke slots 384 377 377
poke slots 392 377 377
check "two slots, two things" finds 1 '^wrong: SLOT 1: ' slots
check "are counted" grep -qx 'slots: 2 things are wrong' out

# The last operation was that of a seat that there is not.
"$wicket" run -j 1 tag true
poke tag 256 377 177
check "a tag of no seat" finds 1 '^wrong: W: the tag names seat' tag
check "run says that the line is damaged" says 65 'is damaged' run tag true
"$wicket" run -j 1 used true
poke used 128 377 377
check "status says so, too" says 65 'is damaged' status used
# Whoever removed it was killed before it was unlinked.
"$wicket" run -j 1 removed true
poke removed 256 0 0 1 0 0 0 0 0
check "one that was removed is none" says 66 'no such line' status removed

# --- no line
check "there is none" refuses 66 'there is no such line' none
echo hello >lines/text
check "a text is none, and why" refuses 65 \
	'not a line that can be used: header: it does not begin as a line' text
: >lines/empty
check "an empty file is none" refuses 65 'not a line' empty
mkdir lines/dir
check "a directory is none" refuses 65 'not a line' dir
mkfifo lines/fifo
check "a fifo is none, and not waited for" \
	timeout 30 sh -c '"$1" doctor fifo; [ $? -eq 65 ]' sh "$wicket"
check "a device is none" refuses 65 'not a line' /dev/zero
if [ "$(id -u)" -ne 0 ]; then
	cp lines/held lines/secret
	chmod 0 lines/secret
	check "one that may not be read" refuses 77 permission secret
else
	skip "one that may not be read" "root may read everything"
fi
check "a name is expected" refuses 64 'expected NAME'
check "and one only" refuses 64 'expected NAME' a b
check "an empty one is none" refuses 64 'not a name' ''
check "there are no options" refuses 64 "no option '-x'" -x a
check "output that cannot be written is an error" \
	sh -c '"$1" doctor a >/dev/full; [ $? -eq 74 ]' sh "$wicket"
holder='' command=''
done_testing
