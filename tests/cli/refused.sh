# Sourced after tap.sh by the tests of wrong input: an own directory, and what
# a refusal looks like.  Needs $verify, the program.
# shellcheck shell=sh disable=SC2154 # verify and tap_log are theirs

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/here"

contents() {
	ls -liAR --time-style=+ "$work/here"
}

# refused CODE ARG...: that exit code, one line on stderr, nothing on stdout,
# and the current directory as it was, times excepted: to open a line touches it.
# The shell itself looks at what was said: a program started for each look costs
# more than the one that is tested.
refused() {
	code=$1
	shift
	before=$(contents)
	(cd "$work/here" && exec "$verify" "$@") \
		>"$work/out" 2>"$work/err" </dev/null
	got=$? said='' lines=0
	while IFS= read -r line; do
		[ $((lines += 1)) -gt 1 ] || said=$line
	done <"$work/err"
	case $said in
	"${verify##*/}: "?*) ;;
	*) lines="$lines, of which the first is not ours" ;;
	esac
	after=$(contents)
	[ "$got/$lines/$after" = "$code/1/$before" ] && [ ! -s "$work/out" ] ||
		! {
			head -n 20 "$work/err"
			echo "exit $got, expected $code;" \
				"bytes on stdout: $(wc -c <"$work/out"), expected 0;" \
				"lines on stderr: $lines, expected 1"
			printf 'before:\n%s\nafter:\n%s\n' "$before" "$after"
		}
}

# refused_with CODE TEXT ARG...: the same, and the line contains the text.
refused_with() {
	code=$1 text=$2
	shift 2
	refused "$code" "$@" || return 1
	case $said in
	*"$text"*) ;;
	*) ! echo "the line lacks: $text: $said" ;;
	esac
}

# wrong CODE ARG... is refused.
wrong() {
	code=$1
	shift
	check "$code: ${verify##*/} $(printf %.60s "$*")" \
		refused "$code" "$@"
}
