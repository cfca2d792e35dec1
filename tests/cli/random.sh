#!/bin/sh
# random: nothing fails where nothing may, planted bugs show, the same seed is the
# same run, and what one run cannot show is refused.
# usage: random.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"
. "$tree/tests/cli/refused.sh"

# ran CODE FILTER ARG...: that exit code, and one object of which the filter is true.
ran() {
	code=$1 filter=$2
	shift 2
	"$verify" random "$@" --json >"$work/out" 2>"$work/err" </dev/null
	got=$?
	cat "$work/err" "$work/out"
	[ "$got" -eq "$code" ] && [ ! -s "$work/err" ] &&
		jq -e "$filter" "$work/out" >/dev/null
}
fine='.holds and .broken == null and .complete and .steps == 30000 and .entries > 20'

# --- larger than what is explored
for schedule in uniform adversarial; do
	for size in 'supervised -n 8 -k 3 -r 3' 'supervised -n 15 -k 5 -r 8' \
		'eliminate:supervised -n 6 -k 2 -r 2' 'eliminate:supervised -n 12 -k 1' \
		'colored -n 12 -k 4'; do
		# shellcheck disable=SC2086 # words on purpose
		check "$size, $schedule" ran 0 "$fine and .schedule == \"$schedule\"" \
			$size --schedule $schedule --steps 30000
	done
done

check "more robust than there are workers" ran 0 ".holds" \
	colored -n 2 -k 1 -r 9 --schedule adversarial --steps 30000

# --- planted bugs
check "a state that is wrong" ran 1 '(.holds | not) and .broken == "k-exclusion"' \
	colored@leads-strict -n 6 -k 2 --property k-exclusion
check "an invariant that is broken" ran 1 '.broken == "V3"' \
	supervised@gate-all -n 6 -k 1 -r 2
check "a step that is not the original's" ran 1 '.broken == "simulates" and .steps < 100' \
	eliminate:supervised@transno-late -n 4 -k 1
check "one colour less than are needed" ran 1 '.broken == "N2"' \
	short-names:least@one-colour-less -n 5 -k 1
check "in words" grep -q 'FAILS after' <<END
$("$verify" random supervised@gate-all -n 6 -k 1 -r 2)
END

# --- stores that wait in buffers
check "exclusion is lost, and the world says where" ran 1 '.broken == "k-exclusion" and
	.world.memory == "tso" and .world.buffer == 4' \
	one-bit -n 3 -k 1 --memory-model tso
check "and not by who stays" ran 1 '.broken == "k-exclusion"' \
	one-bit -n 3 -k 1 --memory-model tso --schedule adversarial
check "invariants are asked by name only" ran 0 '.holds' \
	one-bit -n 3 -k 1 --memory-model tso --property O1 --steps 30000
check "no model, no buffers" ran 0 '.world | .memory == "sc" and (has("buffer") | not)' \
	one-bit -n 3 -k 1 --steps 30000

# --- waits for an entry: before the first, and after the last
check "nobody enters: all steps are a wait" ran 0 \
	'.entries == 0 and .longest_without == 3 and .holds' \
	supervised -n 8 -k 3 --steps 3
check "nobody enters any more: it says how long" ran 0 \
	'.holds and .entries > 0 and .longest_without > 90000' \
	supervised@move-uncounted -n 4 -k 1 --property k-exclusion --steps 100000
# says PATTERN ARG...
says() {
	pattern=$1
	shift
	"$verify" random "$@" >"$work/out"
	cat "$work/out"
	grep -q "$pattern" "$work/out"
}
check "in words" says ', at most [0-9]* steps without one, the last ones$' \
	supervised@move-uncounted -n 4 -k 1 --property k-exclusion --steps 100000
check "not of one that goes on" says ', at most [0-9]* steps without one$' \
	colored -n 12 -k 4 --steps 30000

# --- the seed
same() {
	"$verify" random supervised -n 4 -k 2 --steps 5000 --json "$@" |
		jq 'del(.seconds)'
}
check "the same seed is the same run" test "$(same)" = "$(same --seed 1)"
check "another is another" test "$(same)" != "$(same --seed 2)"
check "a limit of time" ran 75 '.holds == null and (.complete | not)' \
	supervised -n 8 -k 3 --steps 2000000000 --timeout 0.2

# --- wrong input
wrong 64 random
wrong 64 random supervised -n 3 -k 1 --schedule fair
wrong 64 random supervised -n 3 -k 1 --steps few
wrong 64 random supervised -n 3 -k 1 --trace x
wrong 65 random supervised -n 3 -k 1 --property c2
wrong 65 random supervised -n 16 -k 1
done_testing
