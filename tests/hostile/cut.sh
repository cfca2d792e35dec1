#!/bin/sh
# A line whose file is cut short beneath its users: a clear end, and the command is
# waited for. Usage: cut.sh WICKET
set -u
wicket=$1
WICKET_DIR=$(mktemp -d)
export WICKET_DIR
trap 'rm -rf "$WICKET_DIR"' EXIT
count=0

# check NAME COMMAND...: is it true?
check() {
	name=$1
	shift
	count=$((count + 1))
	if "$@"; then echo "ok $count - $name"; else echo "not ok $count - $name"; fi
}

# said LINE: this line, and nothing else.
said() {
	echo "$1" | cmp - "$WICKET_DIR/.said"
}

cut="its file was truncated while in use"

# shellcheck disable=SC2016 # for the inner shell
"$wicket" run -j1 held sh -c 'echo $$ >"$WICKET_DIR/.pid"
	truncate -s 0 "$WICKET_DIR/held"; exit 7' 2>"$WICKET_DIR/.said"
check "while it holds: exits as the command does" [ $? -eq 7 ]
check "and names the command" said \
	"wicket: held: $cut; its slot is no longer kept for pid $(cat "$WICKET_DIR/.pid")"

# The holder cuts the file once somebody waits, and wakes nobody: who waits looks.
# shellcheck disable=SC2016 # for the inner shell
"$wicket" run -j1 queue sh -c 'echo >"$WICKET_DIR/.holds"
	until [ "$("$0" list --json | jq "[.[] | .waiting] | add")" = 1 ]; do :; done
	truncate -s 0 "$WICKET_DIR/queue"' "$wicket" 2>/dev/null &
holder=$!
until [ -e "$WICKET_DIR/.holds" ]; do :; done
"$wicket" run queue true 2>"$WICKET_DIR/.said"
check "while it waits: exits with 65" [ $? -eq 65 ]
check "and says why" said "wicket: queue: $cut"
wait "$holder"
check "the holder exits as its command does" [ $? -eq 0 ]

echo "1..$count"
