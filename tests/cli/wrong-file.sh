#!/bin/sh
# Files that replay must refuse (66), and schedules that it must not confirm,
# because they do not show what they claim to show.
# usage: wrong-file.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"
. "$tree/tests/cli/refused.sh"
here=$work/here

"$verify" check semaphore -n 3 -k 1 --trace "$work/fifo.json" >/dev/null
"$verify" check bank -n 3 -k 2 --trace "$work/lasso.json" >/dev/null
"$verify" check colored@leads-strict -n 3 -k 1 --trace "$work/crowd.json" \
	>/dev/null
check "there are traces to spoil" test -s "$work/fifo.json" -a \
	-s "$work/lasso.json" -a -s "$work/crowd.json"

# --- not a trace, or not all of one
mkdir "$here/dir"
: >"$here/empty"
wrong 66 replay missing
wrong 66 replay missing/file
check "66: a directory is called one" \
	refused_with 66 "cannot read dir: Is a directory" replay dir
wrong 66 replay empty
wrong 66 replay empty/file
wrong 66 replay /dev/null
wrong 66 replay ''
for text in '{}' '[]' 'null' '3' '"wicket-trace 1"' 'no JSON' '{"format": 1}' \
	'{"format": "wicket-trace 2"}' '{"format": "wicket-trace 1"}'; do
	echo "$text" >"$here/foreign"
	check "66: $text" refused 66 replay foreign
done
printf '\377\376\000' >"$here/foreign"
check "66: bytes" refused 66 replay foreign
cat "$work/fifo.json" "$work/fifo.json" >"$here/foreign"
check "66: two traces in one file" refused 66 replay foreign
check "66: a name of two lines" refused 66 replay 'two
lines'
if [ "$(id -u)" -eq 0 ]; then
	skip "66: a file without read permission" "root may read everything"
else
	cp "$work/fifo.json" "$here/secret"
	chmod 0 "$here/secret"
	wrong 66 replay secret
fi

# Every beginning of the trace; its last character alone is a newline.
beginnings() {
	length=$(($(wc -c <"$1") - 2)) tries=0
	: >"$work/out"
	: >"$work/err"
	while [ "$length" -ge 0 ]; do
		head -c "$length" "$1" >"$here/cut"
		"$verify" replay "$here/cut" >>"$work/out" 2>>"$work/err"
		got=$?
		[ "$got" -eq 66 ] || ! echo "$length bytes: exit $got" || return 1
		length=$((length - 1)) tries=$((tries + 1))
	done
	[ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq "$tries" ]
}
check "66: a trace cut at every byte" beginnings "$work/fifo.json"

# --- a trace of something that is not, or not so
# altered FILE EDIT CODES: one of the exit codes; 66 is a refusal.
altered() {
	jq "$2" "$work/$1.json" >"$here/altered" || return 1
	(cd "$here" && exec "$verify" replay altered) >"$work/out" 2>"$work/err"
	got=$?
	cat "$work/out" "$work/err"
	case " $3 " in
	*" $got "*) [ "$got" -ne 66 ] || refused 66 replay altered ;;
	*) ! echo "exit $got, expected: $3" ;;
	esac
}
while read -r edit; do
	check "66: $edit" altered fifo "$edit" 66
done <<'EDITS'
.format = "another 1"
.algorithm = "nothing"
.algorithm = "semaphore@nothing"
.algorithm = "two\u000alines"
.algorithm = 3
.algorithm = "one-bit" | .k = 2
.n = 0
.n = -1
.n = 4
.n = 17
.n = 4294967299
.n = 3.5
.n = "3"
.k = 0
.k = 3
.k = 4294967297
.r = 0
.r = -1
.property = "nothing"
.property = "two\u000alines"
.property = "O1"
.property = "invariants"
.schedule[0] = 0
.schedule[0] = 4
.schedule[0] = -1
.schedule[0] = 4294967299
.schedule[0] = "S"
.schedule[0] = "x"
.schedule[0] = null
.schedule = 3
.schedule = .schedule[1:]
.regions[0] = "RRR"
.regions[3] = "TCRR"
.regions = .regions[1:]
.regions += ["TCR"]
.regions = null
.stem = 5
.from = 5
.from = 4294967298
.victim = 4294967297
.infinite = 1
EDITS
for key in $(jq -r 'keys[]' "$work/fifo.json"); do
	check "66: without $key" altered fifo "del(.\"$key\")" 66
done

# --- a schedule that shows nothing
while read -r file edit; do
	check "not confirmed: $file, $edit" altered "$file" "$edit" "1 66"
done <<'EDITS'
fifo .property = "k-exclusion"
fifo .property = "k-deadlock-avoidance"
fifo .from = 0
fifo .from = 4
fifo .victim = 0
fifo .victim = 99
fifo .victim = 3
fifo .victim = 2 | .culprit = 1
fifo .infinite = true
fifo .schedule = [] | .regions = [] | .from = 0
fifo .schedule = .schedule[:3] | .regions = .regions[:3]
lasso .infinite = false
lasso .stem = 0
lasso .stem = 3
lasso .from = 0
lasso .from = 3
lasso .schedule = .schedule[:2] | .regions = .regions[:2]
crowd .property = "invariants"
crowd .property = "fifo-enabling"
crowd .schedule = .schedule[:3] | .regions = .regions[:3] | .from = 3
EDITS
# A waiting process is no deadlock unless something goes on for ever.
check "not confirmed: semaphore has a k-deadlock, by an empty cycle" altered \
	fifo '.property = "k-deadlock-avoidance" | .infinite = true | .stem = 3 |
	.from = 3 | .schedule = [1,2,1] | .regions = ["CRR","CTR","RTR"] |
	.victim = 0 | .culprit = 0' "1 66"
done_testing
