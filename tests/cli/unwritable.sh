#!/bin/sh
# Where check cannot write its trace, and where nobody can write its output: 73,
# one line, no part of a file left behind, the old one whole.
# usage: unwritable.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"
. "$tree/tests/cli/refused.sh"
here=$work/here
mkdir "$here/dir"
: >"$here/empty"

nowhere() {
	check "73: --trace $(echo "$1" | cut -c 1-60)" \
		refused 73 check semaphore -n 3 -k 1 --trace "$1"
}
nowhere missing/trace.json
nowhere empty/trace.json
nowhere dir
nowhere dir/
nowhere missing/
nowhere ''
nowhere "$(printf '%0255d' 0)"
nowhere /dev/full
check "/dev/full is still a device" test -c /dev/full
check "and alone" test "$(echo /dev/full*)" = /dev/full
if [ "$(id -u)" -eq 0 ]; then
	skip "73: a directory without write permission" "root may write everywhere"
else
	chmod a-w "$here/dir"
	nowhere dir/trace.json
fi

# A disk that fills up: the old trace stays whole, no part of the new one does.
# The limit is 512 bytes; the line on stderr is shorter, the trace longer.
full() (
	trap '' XFSZ
	ulimit -f 1
	refused 73 check colored@leads-strict -n 4 -k 1 --property O2 \
		--trace old.json
)
echo old >"$here/old.json"
check "73: a trace that does not fit" full
check "the old one is whole" test "$(cat "$here/old.json")" = old

# --- standard output
no_room() {
	"$verify" "$@" >/dev/full 2>"$work/err"
	got=$?
	cat "$work/err"
	[ "$got" -eq 73 ] && [ "$(wc -l <"$work/err")" -eq 1 ] ||
		! echo "exit $got, expected 73"
}
no_output() {
	"$verify" "$@" >&- 2>"$work/err"
	got=$?
	cat "$work/err"
	[ "$got" -eq 73 ] || ! echo "exit $got, expected 73"
}
"$verify" check semaphore -n 3 -k 1 --trace "$work/trace.json" >/dev/null
while read -r arguments; do
	set -f
	# shellcheck disable=SC2086 # words on purpose
	set -- $arguments
	set +f
	[ "$1" != replay ] || set -- "$@" "$work/trace.json"
	check "73: $arguments to a full device" no_room "$@"
	# the tables take long, and end like the others
	[ "$1" = table ] ||
		check "73: $arguments without an output" no_output "$@"
done <<'COMMANDS'
--help
--version
list
list --json
check queue -n 3 -k 1
check queue -n 3 -k 1 --json
check semaphore -n 3 -k 1
check semaphore -n 3 -k 1 --json
equiv queue numbered -n 3 -k 1
equiv queue numbered -n 3 -k 1 --json
equiv queue bank -n 3 -k 2
space -n 2 -k 1
space -n 2 -k 1 --json
space --bits
table --upto 2
table --upto 2 --json
replay
replay --json
replay --step
COMMANDS
done_testing
