#!/bin/sh
# --memory and --timeout: a run that stops early says so (69, 75), claims nothing
# it has not decided, keeps what it has refuted, and does not crash wherever the
# memory ends.
# usage: limits.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM

# stops CODE FILTER ARG...: that exit code, an empty stderr, the filter is true.
stops() {
	filter=$2 code=$1
	shift 2
	"$verify" "$@" --json >"$work/out" 2>"$work/err" </dev/null
	got=$?
	cat "$work/err" "$work/out"
	[ "$got" -eq "$code" ] || ! echo "exit $got, expected $code" || return 1
	[ ! -s "$work/err" ] && jq -e "$filter" "$work/out" >/dev/null
}
undecided='.complete == false and (.properties | length == 3) and
	all(.properties[]; .holds == null) and .states > 0'
check "69: --memory 1M" stops 69 "$undecided" \
	check colored -n 5 -k 3 --memory 1M
check "what could not be counted is not 0" stops 69 \
	'.shared_values == null or .shared_values > 0' \
	check colored -n 5 -k 3 --memory 1M
# it fails after 18 steps
for memory in 1M 10M 50M; do
	check "69: it says how far it came, $memory" stops 69 \
		'.depth > 5 and .depth < 18' check fast@no-want -n 6 \
		--property k-exclusion --memory $memory
done
check "69: equiv --memory 100K" stops 69 '.equivalent == null' \
	equiv queue colored -n 4 -k 2 --memory 100K
check "69: table --memory 10K" stops 69 'any(.rows[]; .complete | not) and
	all(.rows[]; .complete or all(.properties[]; .holds != true))' \
	table --upto 3 --memory 10K
check "75: --timeout 0.05" stops 75 "$undecided" \
	check colored -n 5 -k 4 --timeout 0.05
check "75: equiv --timeout 0.01" stops 75 '.equivalent == null' \
	equiv queue colored -n 5 -k 3 --timeout 0.01
check "1: what is refuted stays refuted" stops 1 '.complete == false and
	.properties["k-exclusion"].holds == false and
	.properties["k-exclusion"].length == 5' check colored@leads-strict \
	-n 5 -k 4 --timeout 1 --property k-exclusion
check "1: beside others that are not decided" stops 1 '.complete == false and
	.properties["k-exclusion"].holds == false and
	.properties["fifo-enabling"].holds == null' \
	check colored@leads-strict -n 5 -k 4 --timeout 0.3
check "0: a limit that is not reached" stops 0 \
	'.complete and all(.properties[]; .holds)' \
	check colored -n 3 -k 1 --memory 1G --timeout 100

words() {
	"$verify" check colored -n 5 -k 4 "$@" >"$work/out"
	cat "$work/out"
	! grep -qw holds "$work/out"
}
check "no 'holds' in words: memory" words --memory 1M
check "no 'holds' in words: time" words --timeout 0.05
# Not even the start fits.
nothing() {
	"$verify" check colored -n 3 -k 1 --memory 1 >"$work/out"
	[ $? -eq 69 ] || return
	cat "$work/out"
	grep -q '^0 states, 0 transitions so far, upper bound' "$work/out"
}
check "no states of less than 0 steps" nothing
# Not decided is not the same as nothing to show.
modest() {
	"$verify" check colored -n 5 -k 4 --timeout 0.05 --trace "$work/trace" \
		>/dev/null 2>"$work/err"
	cat "$work/err"
	[ ! -e "$work/trace" ] && ! grep -q 'nothing fails' "$work/err"
}
check "an undecided run does not say that nothing fails" modest

# sizes FIRST LAST STEP ARG...: true is said only of a complete run, and false
# never: all of it holds.
sizes() {
	size=$1 last=$2 step=$3 bad=0
	shift 3
	: >"$work/all"
	while [ "$size" -le "$last" ]; do
		"$verify" "$@" --json --memory "$size" >"$work/out" 2>"$work/err"
		got=$?
		case $got in
		0 | 69) ;;
		*) bad=1 && echo "--memory $size: exit $got" ;;
		esac
		cat "$work/out" >>"$work/all"
		size=$((size + step))
	done
	jq -se 'all(.[]; .complete as $complete |
		if has("pairs") then .equivalent != false
		else all(.properties[]; .holds == null or (.holds and $complete))
		end)' "$work/all" && [ "$bad" -eq 0 ]
}
check "colored, whatever the memory" \
	sizes 1000 120000 2000 check colored -n 3 -k 2
check "its invariants, whatever the memory" \
	sizes 2048 120000 2048 check colored -n 3 -k 2 --property invariants
check "an area that cannot grow" sizes 15232 15424 64 check colored -n 3 -k 1
check "larger ones" sizes 1000000 41000000 8000000 \
	check colored -n 5 -k 3 --property invariants
check "equiv, whatever the memory" \
	sizes 1024 61440 1024 equiv queue colored -n 4 -k 2
done_testing
