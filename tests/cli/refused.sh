# Sourced after tap.sh by the tests of wrong input: an own directory, and what
# a refusal looks like.  Needs $verify, the program.
# shellcheck shell=sh disable=SC2154 # verify and tap_log are theirs

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/here"

# refused CODE ARG...: that exit code, one line on stderr, nothing on stdout,
# and the current directory as it was, times excepted: to open a line touches it.
refused() {
	code=$1
	shift
	ls -liAR --time-style=+ "$work/here" >"$work/before"
	(cd "$work/here" && exec "$verify" "$@") \
		>"$work/out" 2>"$work/err" </dev/null
	got=$?
	ls -liAR --time-style=+ "$work/here" >"$work/after"
	head -n 20 "$work/err"
	good=0
	[ "$got" -eq "$code" ] || good=1
	[ ! -s "$work/out" ] || good=1
	[ "$(wc -l <"$work/err")" -eq 1 ] || good=1
	head -n 1 "$work/err" | grep -q "^${verify##*/}: ." || good=1
	diff "$work/before" "$work/after" || good=1
	[ "$good" -eq 0 ] || echo "exit $got, expected $code;" \
		"bytes on stdout: $(wc -c <"$work/out"), expected 0;" \
		"lines on stderr: $(wc -l <"$work/err"), expected 1"
	return $good
}

# refused_with CODE TEXT ARG...: the same, and the line contains the text.
refused_with() {
	code=$1 text=$2
	shift 2
	refused "$code" "$@" || return 1
	grep -qF -- "$text" "$work/err" || ! echo "the line lacks: $text"
}

# wrong CODE ARG... is refused.
wrong() {
	code=$1
	shift
	check "$code: ${verify##*/} $(echo "$*" | cut -c 1-60)" \
		refused "$code" "$@"
}
