#!/bin/sh
# --threads: whatever their number, the same is reported and written, to the letter.
# usage: as-one.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1

# with THREADS ARG...: what it prints, without the seconds it took, and its exit code.
with() {
	threads=$1
	shift
	"$verify" "$@" --json --threads "$threads" </dev/null >"json-$threads"
	echo "exit $?" >"out-$threads"
	jq 'del(.. | .seconds?)' "json-$threads" >>"out-$threads"
}
same() {
	for threads in 1 2 3; do with "$threads" "$@"; done
	[ "$(wc -l <out-1)" -gt 3 ] && cmp out-1 out-2 && cmp out-1 out-3
}
# The schedule of a property that fails.
same_trace() {
	for threads in 1 2; do
		"$verify" "$@" --threads "$threads" --trace "trace-$threads" \
			>"words-$threads"
		[ $? -eq 1 ] || return
	done
	cat trace-1
	cmp trace-1 trace-2 && "$verify" replay trace-2 --threads 2
}
check "every property of colored" same check colored -n 4 -k 2
check "equivalence" same equiv queue colored -n 4 -k 3
check "space" same space -n 3 -k 1
check "an infinite counterexample" same check fast@book -n 3 -k 1
check "its schedule" same_trace check fast@book -n 3 -k 1
check "a mutant of the protocol" same check recoverable@phase-first -n 2 -k 1 \
	--seats 2 --laps 2 --crashes 1 --abandons 1 --sleep timed
check "the schedule of another" same_trace check recoverable@no-settle -n 2 -k 1 \
	--seats 2 --laps 2 --crashes 1 --abandons 1 --sleep timed --property R3
check "where stores wait in buffers" same check two-bits -n 3 -k 2 \
	--memory-model tso --property k-exclusion
check "safe registers, and crashes" same check two-bits -n 3 -k 2 --registers safe \
	--crashes 1 --mid-write
check "what is not decided" same check bakery-n -n 3 -k 1 --cap 3
check "more threads than there are states" \
	"$verify" check queue -n 2 -k 1 --threads 64

# refused CODE WORD ARG...: this exit code, and the word on stderr.
refused() {
	code=$1 word=$2
	shift 2
	"$verify" "$@" >out 2>err
	got=$?
	cat out err
	[ "$got" -eq "$code" ] && grep -qe "$word" err && [ ! -s out ]
}
check "65: no thread" refused 65 'expected 1 to 64' check queue -n 2 --threads 0
check "65: too many" refused 65 'expected 1 to 64' check queue -n 2 --threads 65
check "64: not a number" refused 64 threads check queue -n 2 --threads two
check "64: adversary has none" refused 64 threads adversary weak-one-bit -n 3 -k 2 \
	--threads 2

# --symmetry: the same numbers and verdicts, and a schedule that replays.
symmetric() {
	with 1 "$@"
	with 2 "$@" --symmetry
	jq .representatives json-2
	for threads in 1 2; do
		jq '[.states, .transitions, .shared_values, (.properties[] |
			.holds, .length)]' "json-$threads" >"numbers-$threads"
	done
	cmp numbers-1 numbers-2 && jq -e '.representatives < .states' json-2
}
check "symmetry: all hold" symmetric check colored -n 5 -k 2 --property k-exclusion
check "symmetry: one fails" symmetric check colored@leads-strict -n 4 -k 2 \
	--property k-exclusion
check "symmetry: its schedule" same_trace check colored@leads-strict -n 4 -k 2 \
	--property k-exclusion --symmetry
check "65: symmetry and a property of schedules" \
	refused 65 'properties of states' check colored -n 3 -k 1 --symmetry
check "65: symmetry where each process has its number" \
	refused 65 'know who they are' check one-bit -n 3 --property k-exclusion \
	--symmetry
check "64: symmetry has no value" refused 64 'takes no value' check colored -n 3 \
	--symmetry=1
# beyond 2^63 nothing is counted
too_many() {
	"$verify" check colored -n 16 -k 3 --symmetry --property k-exclusion \
		--memory 40M --json |
		jq -e '.transitions == null and .complete == false'
}
check "symmetry: a number that is too large" too_many
check "64: symmetry for equiv" refused 64 symmetry equiv queue colored -n 3 -k 1 \
	--symmetry
done_testing
