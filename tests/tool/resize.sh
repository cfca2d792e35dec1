#!/bin/sh
# wicket resize as a user types it: down, to nothing, and up again, while commands
# run and wait.
# shellcheck disable=SC2317 # functions are called by check
# usage: resize.sh WICKET SOURCE-DIR
wicket=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"
work=$(mktemp -d) jobs=''
# shellcheck disable=SC2086 # several
trap 'kill -9 $jobs 2>/dev/null; rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
mkdir lines
WICKET_DIR=$work/lines
export WICKET_DIR

# eventually COMMAND...: for a minute.
eventually() {
	for _ in $(seq 1200); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.05
	done
	echo "not within a minute: $*"
	return 1
}

# hold NAME LINE [OPTION...]: a command that is inside until NAME.end is there.
hold() {
	name=$1 line=$2
	shift 2
	"$wicket" run "$@" "$line" sh -c "
		echo $name >>order
		until [ -e $name.end ]; do sleep 0.02; done" &
	jobs="$jobs $!"
}

# has LINE FILTER: is that true of status --json?
has() {
	"$wicket" status "$1" --json | jq -e "$2"
}

entered() {
	grep -qx "$1" order
}

# resizes CODE TEXT ARG...: it exits so, and prints this.
resizes() {
	code=$1 text=$2
	shift 2
	"$wicket" resize "$@" >out 2>err
	got=$?
	cat out err
	[ "$got" -eq "$code" ] && grep -qxF -- "$text" out err
}

# --- an idle line
"$wicket" run -j 2 idle true
check 'more slots' resizes 0 'idle: 5 slots' idle 5
check 'which status shows' has idle '.slots == 5 and .declared == 5'
check 'and -j has to say' "$wicket" run -j 5 idle true
disagrees() {
	"$wicket" run -j 2 idle true
	[ $? -eq 78 ]
}
check 'not the old number' disagrees
check 'one slot' resizes 0 'idle: 1 slot' idle 1
check 'no slot' resizes 0 'idle: 0 slots' --wait idle 0
refused() {
	"$wicket" run -n idle true
	[ $? -eq 75 ]
}
check 'nobody gets in' refused
check 'whatever -j says' sh -c "\"$wicket\" run -j 7 -n idle true; [ \$? -eq 75 ]"
check 'it is well' "$wicket" doctor idle
check 'and can be removed' "$wicket" rm idle

# --- while it is used
hold a busy -j 2
eventually entered a
hold b busy
eventually entered b
check 'two have to finish' resizes 0 'busy: 0 slots, once 2 holders have finished' busy 0
check 'status says so' has busy '.slots == 0 and .closing == 2 and (.holders | length) == 2'
says_closing() {
	"$wicket" status busy | grep -q '^busy: 0 slots (closing 2), 2 held'
}
check 'in words, too' says_closing
hold c busy
check 'one waits' eventually has busy '(.waiting | length) == 1'
hold d busy
check 'and another' eventually has busy '(.waiting | length) == 2'
"$wicket" resize --wait busy 0 >drained &
waiter=$!
jobs="$jobs $waiter"
touch a.end
check 'the first finishes' eventually has busy '.closing == 1'
check 'it is still waited for' kill -0 "$waiter"
touch b.end
check 'the last one has finished' wait "$waiter"
check 'it is drained' has busy \
	'.closing == 0 and (.holders | length) == 0 and (.waiting | length) == 2'
check 'it is well meanwhile' "$wicket" doctor busy
check 'one slot again' resizes 0 'busy: 1 slot' busy 1
check 'the first in line gets in' eventually entered c
check 'alone' has busy '(.holders | length) == 1 and (.waiting | length) == 1'
check 'two slots' resizes 0 'busy: 2 slots' busy 2
check 'the next gets in' eventually entered d
in_order() {
	[ "$(tr '\n' ' ' <order)" = 'a b c d ' ]
}
check 'in order' in_order
touch c.end d.end
# shellcheck disable=SC2086 # several
wait $jobs

# --- a dead holder is not waited for
hold e dead -j 1 -o
victim=$!
eventually entered e
kill -9 "$victim"
check 'whose slot is closed' resizes 0 'dead: 0 slots' --wait dead 0
touch e.end

# --- the numbers of a map
"$wicket" run -j 2 map true
"$wicket" resize map 3 >/dev/null
too_many() {
	"$wicket" run --slot-var GPU --map 0,1 map true 2>err
	[ $? -eq 78 ] && grep -q 'more than --map has values' err
}
check 'more slots than a map has values' too_many
done_testing
