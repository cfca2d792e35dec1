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

# Unannounced: fewer than r, for good. With more slots than are killed the others go
# on, with more entries than those who were enabled before can make: three runs of
# three, since it may matter where the one was when it was killed. A run that does not
# show it hangs, or is too short for a busy machine: then ten longer ones must, so that
# what hangs one time in three gets through less than one time in fifty. A run that ends
# before the kill is repeated for a minute.
run_on() {
	killed=$1 seconds=$2
	shift 2
	end=$(($(date +%s) + 60))
	while good "$@" --kill 20 --seconds "$seconds" && it ".killed <= $killed"; do
		! it ".killed == $killed" || return 0
		[ "$(date +%s)" -lt "$end" ] || return 1
	done
	return 1
}
all_on() {
	runs=$1
	shift
	for _ in $(seq "$runs"); do
		run_on "$@" && it '.entries_after_kill > .n' || return 1
	done
}
goes_on() {
	killed=$1
	shift
	all_on 3 "$killed" 0.3 "$@" || all_on 10 "$killed" 5 "$@"
}
check "supervised, one killed for good" goes_on 1 supervised -n 4 -k 2 -r 2
check "short-names, two killed for good" goes_on 2 short-names:least -n 6 -k 3 -r 3
check "colored, two killed for good" goes_on 2 colored -n 5 -k 3
# More than c1 = 4 and 5 are in T, so that the supervisor's state is distributed.
check "eliminate:supervised, one killed for good" \
	goes_on 1 eliminate:supervised -n 6 -k 2 -r 2
check "eliminate:short-names, one killed for good" \
	goes_on 1 eliminate:short-names -n 7 -k 2 -r 2
all_killed() {
	ran supervised -n 3 -k 2 -r 8 --kill 100 --seconds 0.5 && it '.killed <= 3'
}
check "more may fail than there are" all_killed
refused() {
	ran "$@" --kill 10
	[ "$code" -eq 65 ] && grep 'r = 1' "$work/err"
}
check "none may be killed if fewer than one may fail" \
	refused eliminate:supervised -n 4 -k 2
says_so() {
	"$verify" exec supervised -n 4 -k 2 -r 2 --kill 10 --seconds 0.3 >"$work/out"
	cat "$work/out"
	grep 'fewer than r = 2 may fail' "$work/out"
}
check "a report for people says so" says_so

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
