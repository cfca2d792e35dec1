#!/bin/sh
# On a terminal a long run shows how far it is, after two seconds, on one line
# which it removes in the end; a short run, or one without a terminal, is silent.
# usage: progress.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM

# on_terminal ARG...: stderr is a terminal, kept in $work/terminal.
on_terminal() {
	VERIFY=$verify OUT=$work/out export VERIFY OUT
	# shellcheck disable=SC2016 # for the shell that script starts
	script -qec '"$VERIFY" '"$*"' >"$OUT"' /dev/null \
		</dev/null >"$work/terminal" 2>"$work/err"
}
long="check colored -n 5 -k 4 --timeout 3"

# shellcheck disable=SC2086 # words on purpose
"$verify" $long >"$work/silent.out" 2>"$work/silent.err" </dev/null &
silent=$!

if ! script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	skip "progress on a terminal" "there is no pseudo-terminal to be had"
else
	on_terminal "$long"
	code=$?
	check "75 on a terminal, too" test "$code" -eq 75
	erase=$(printf '\r\033[K')
	show() {
		od -c "$work/terminal" | tail -n 20
	}
	shown() {
		tr '\r' '\n' <"$work/terminal" |
			grep -E 'exploring: [0-9]+ states, [0-9]+ MiB, [0-9]+ s$' ||
			! show
	}
	one_line() {
		[ "$(tr -d '\n' <"$work/terminal" | wc -c)" -eq \
			"$(wc -c <"$work/terminal")" ] || ! show
	}
	removed() {
		printf %s "$erase" >"$work/erase"
		tail -c 4 "$work/terminal" | cmp - "$work/erase" || ! show
	}
	narrow() {
		tr '\r' '\n' <"$work/terminal" | awk 'length > 82 { exit 1 }' || ! show
	}
	check "it shows states, memory and time" shown
	check "on one line" one_line
	check "of at most 80 columns" narrow
	check "which it removes" removed
	check "the report is not disturbed" grep -q 'not decided' "$work/out"
	check "nor holds it any of this" \
		sh -c "! grep -q '$(printf '\033')' '$work/out'"

	on_terminal "check colored -n 3 -k 1"
	check "a short run shows nothing" test ! -s "$work/terminal"
fi

wait "$silent"
code=$?
check "75 without a terminal" test "$code" -eq 75
check "nothing on stderr without a terminal" test ! -s "$work/silent.err"
check "but a report" grep -q 'not decided' "$work/silent.out"
done_testing
