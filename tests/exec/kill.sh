#!/bin/sh
# SIGKILL: where the model has announced failures, any number of them; elsewhere
# they are refused, and one that comes from outside is noticed.
# usage: kill.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"
. "$tree/tests/exec/exec.sh"

# survives ARG...: until somebody has been killed inside, and once more.
survives() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		good "$@" --seconds 0.5 && it '.killed > 0' &&
			it '.between == "processes"' || return 1
		! it '.killed_inside > 0' || return 0
	done
	return 1
}
for rate in 10 1000; do
	check "rivest-pratt-2, killed $rate times a second" \
		survives rivest-pratt-2 -n 2 -k 1 --kill $rate
	check "rivest-pratt-n, n = 2, killed $rate times a second" \
		survives rivest-pratt-n -n 2 -k 1 --kill $rate
	check "rivest-pratt-n, n = 4, killed $rate times a second" \
		survives rivest-pratt-n -n 4 -k 1 --kill $rate
done
not_killed() {
	good rivest-pratt-2 -n 2 -k 1 --processes --seconds 0.2 &&
		it '.killed == 0 and .killed_inside == 0'
}
check "nobody is killed unasked" not_killed

# The control: who does not show that it is inside lets others in.
check "rivest-pratt-n@silent, killed, lets two in" \
	shows '.holds | not' rivest-pratt-n@silent -n 3 -k 1 --kill 100

# children: of the program in the background, once there are all of them.
children() {
	for _ in $(seq 100); do
		pids=$(cat "/proc/$program/task/$program/children")
		[ "$(echo "$pids" | wc -w)" -lt 3 ] || return 0
		sleep 0.1
	done
	return 1
}
started() {
	"$verify" exec one-bit -n 3 -k 1 --processes --seconds "$1" \
		>"$work/out" 2>"$work/err" &
	program=$!
	children
}
noticed() {
	started 3 || return 1
	# shellcheck disable=SC2086 # words on purpose
	set -- $pids
	kill -KILL "$2"
	wait "$program"
	code=$?
	cat "$work/err"
	[ "$code" -eq 71 ] && [ ! -s "$work/out" ] &&
		[ "$(wc -l <"$work/err")" -eq 1 ]
}
check "71: somebody else killed one" noticed

gone() {
	for _ in $(seq 100); do
		# shellcheck disable=SC2086 # words on purpose
		kill -0 $pids 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}
nobody_left() {
	started 100 || return 1
	kill -KILL "$program"
	wait "$program"
	gone
}
check "nobody outlives the program" nobody_left
done_testing
