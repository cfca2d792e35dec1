#!/bin/sh
# exec --kill: what is said if nobody enters after the last kill.
# usage: stopped.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2
. "$tree/tests/tap.sh"
. "$tree/tests/exec/exec.sh"

# Six runs of sixteen convicted it, at a load of 10 (see shows). The exit code is that
# of the rest: the time may have been too short.
check "a deadlock after a death is told" \
	shows '.stopped and .entries_after_kill == 0 and .seconds_after_kill > 0 and
		.killed == 1 and .r == 2' \
	supervised@gate-less-than -n 3 -k 2 -r 2 --kill 10
check "somebody enters" \
	shows '.stopped == false and .entries_after_kill > 0 and .r == 2' \
	supervised -n 4 -k 2 -r 2 --kill 10
check "nothing is promised if all slots may be lost" \
	shows '.stopped == null and .killed == 1' supervised -n 3 -k 1 -r 2 --kill 10
check "nor if nobody is killed" shows '.stopped == null and .killed == 0 and
	.seconds_after_kill == 0 and .r == 1' supervised -n 3 -k 1

# words PATTERN OTHER ARG...: some run says the first of these, and none of them the
# second.
words() {
	pattern=$1 other=$2 times=0
	shift 2
	while [ $((times += 1)) -le 100 ]; do
		timeout 60 "$verify" exec "$@" --seconds 0.2 >"$work/out" 2>"$work/err" ||
			return 1
		cat "$work/out" "$work/err"
		! grep -q "$other" "$work/out" || return 1
		! grep -q "$pattern" "$work/out" || return 0
	done
	return 1
}
check "a deadlock, in words" \
	words '^  WARNING  *nobody entered, ' 'may have had all slots' \
	supervised@gate-less-than -n 3 -k 2 -r 2 --kill 10
check "all slots may be lost, in words" words 'may have had all slots' WARNING \
	supervised -n 3 -k 1 -r 2 --kill 10
check "r, in words" words '^supervised, n = 4, k = 2, r = 2: ' 'may have had all slots' \
	supervised -n 4 -k 2 -r 2 --kill 10
done_testing
