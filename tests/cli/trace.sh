#!/bin/sh
# check --trace and replay: every counterexample of tests/expect.tsv up to N
# processes, and in at most 20,000 states, is written, and confirmed by replay; a
# trace replaces what was there at once and whole, or is not written at all.
# usage: trace.sh WICKET-VERIFY SOURCE-DIR N
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$2 most=$3
. "$tree/tests/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
trace=$work/trace.json

exits() {
	code=$1
	shift
	"$@" </dev/null
	got=$?
	[ "$got" -eq "$code" ] || ! echo "exit $got, expected $code: $*"
}

# --- every failing row
# The steps that check showed are those that replay shows; where check counted and
# showed none, that is the start alone.
confirmed() {
	awk 'NR == FNR { if (/^ +[0-9]+ /) step[++shown] = $0; next }
		/^ +[0-9]+ / && $0 != step[++replayed] && shown { bad = 1 }
		/^confirmed: / { good = 1 }
		END { exit !good || bad || (shown ? shown != replayed : replayed != 1) }' "$@"
}
round_trip() {
	rm -f "$trace"
	case $4 in
	*,r=*) robustness=${4#*,r=} ;;
	*) robustness=1 ;;
	esac
	case ${4%,*} in
	safe) world="--registers safe" ;;
	mid-write) world="--registers safe --mid-write" ;;
	failures) world="--failures announced" ;;
	*) world= ;;
	esac
	# shellcheck disable=SC2086 # words on purpose
	exits 1 "$verify" check "$1" -n "$2" -k "$3" -r "$robustness" $world --property "$5" \
		--trace "$trace" >"$work/out" || return 1
	exits 0 "$verify" replay "$trace" >"$work/replayed" || return 1
	cat "$work/replayed"
	confirmed "$work/out" "$work/replayed" || return 1
	exits 0 "$verify" replay "$trace" --json >"$work/replayed" || return 1
	cat "$work/replayed" "$trace" >>"$work/all"
}
# What replay --json said, and then the trace, as the rows they came from.
rows() {
	jq -rs 'range(0; length; 2) as $i | .[$i + 1] as $trace | .[$i] |
		select(.confirmed == true and .property == $trace.property) |
		($trace.world | if .failures then "failures"
		 elif ."mid-write" then "mid-write" else .registers end) as $world |
		($world + if $trace.r > 1 then ",r=\($trace.r)" else "" end) as $model |
		"\(.algorithm) \(.n) \(.k) \($model) \(.property) " +
		"\($trace.schedule | length)"' "$work/all" | diff "$work/rows" -
}
awk -F '\t' -v most="$most" 'NR > 1 && $2 <= most && $5 <= 20000 && $9 == "fails" { print $1, $2, $3, $4, $8, $10 }' \
	"$tree/tests/expect.tsv" | sort -u >"$work/rows"
check "there are rows to try" test -s "$work/rows"
while read -r algorithm n k model property _; do
	check "$algorithm, n = $n, k = $k, $model: $property" \
		round_trip "$algorithm" "$n" "$k" "$model" "$property"
done <"$work/rows"
check "replay --json confirms each, as long as in the table" rows

# --- the first of several, in the order asked for
first() {
	exits 1 "$verify" check colored@leads-strict -n 3 -k 1 --property O2 \
		--property k-exclusion --trace "$trace" >/dev/null &&
		jq -e '.property == "O2"' "$trace"
}
check "the first counterexample is written" first

# --- step by step
steps() {
	exits 0 timeout 10 "$verify" replay --step "$trace" || return 1
	printf '\n\n\n\n\n\n' | timeout 10 "$verify" replay --step "$trace"
}
"$verify" check semaphore -n 3 -k 1 --trace "$trace" >/dev/null
check "replay --step ends with its input" steps
# walk LINES STEPS: what is shown if these lines are read, as numbers of steps.
walk() {
	printf '%b' "$1" | exits_with_input 0 "$verify" replay --step "$trace" \
		>"$work/out" || return 1
	cat "$work/out"
	shown=$(awk '/^ +[0-9]+ / { printf "%s ", $1 }' "$work/out")
	[ "$shown" = "$2" ] || ! echo "steps $shown instead of $2"
}
exits_with_input() {
	code=$1
	shift
	timeout 10 "$@"
	got=$?
	[ "$got" -eq "$code" ] || ! echo "exit $got, expected $code: $*"
}
no_blank() {
	printf 'n\n\n\n' | timeout 10 "$verify" replay --step "$trace" >"$work/out"
	cat "$work/out"
	! grep -n '^ *$' "$work/out"
}
check "Enter and n: the next one" walk 'n\n\nq\n' '0 1 2 '
check "p: the one before" walk 'n\nn\np\nq\n' '0 1 2 1 '
check "p at the start stays there" walk 'p\nq\n' '0 0 '
check "a number: that one" walk '3\np\nn\nq\n' '0 3 2 3 '
check "no such step" walk '9\nq\n' '0 '
check "something else" walk 'x\n-1\n2x\nq\n' '0 '
check "the rest when the input ends" walk '2\n' '0 2 3 4 '
check "after the last one it is over" walk '4\n\nn\nn\n' '0 4 '
check "no blank rows" no_blank
same() {
	"$verify" replay "$trace" >"$work/whole" </dev/null
	printf '\n\n\n\n\n' | "$verify" replay --step "$trace" |
		diff "$work/whole" -
}
check "step by step it is the same table" same
asked() {
	python3 - "$verify" "$trace" <<'PYTHON'
import os, pty, sys
pid, fd = pty.fork()
if not pid:
    os.execv(sys.argv[1], [sys.argv[1], 'replay', '--step', sys.argv[2]])
out = b''
for answer in (b'n\n', b'q\n'):
    while not out.endswith(b'q(uit) '):
        out += os.read(fd, 1)
    os.write(fd, answer)
    out += b'|'
try:
    while part := os.read(fd, 999):
        out += part
except OSError:
    pass
print(out.decode())
assert b'step 0 of 4: n(ext), p(revious), a number, q(uit) ' in out
assert b'step 1 of 4: ' in out and b'confirmed: ' in out
assert os.waitpid(pid, 0)[1] == 0
PYTHON
}
check "on a terminal it prompts" asked
check "replay FILE --step, in any order" \
	exits 0 timeout 10 "$verify" replay "$trace" --step

# --- what holds leaves no trace
holds() {
	exits 0 "$verify" check queue -n 3 -k 1 --trace "$1" >/dev/null
}
untouched() {
	before=$(stat -c '%i %s %y' "$trace")
	holds "$trace" && [ "$(cat "$trace")" = old ] &&
		[ "$(stat -c '%i %s %y' "$trace")" = "$before" ]
}
none() {
	holds "$work/none" && [ ! -e "$work/none" ]
}
check "what holds leaves no trace" none
echo old >"$trace"
check "what holds leaves the old trace" untouched

# --- replaced at once: who has the old file open keeps it, nothing is left
replace() (
	umask "$1"
	exits 1 "$verify" check semaphore -n 3 -k 1 --trace "$trace" >/dev/null
)
replaced() {
	mkdir "$work/dir"
	echo old >"$work/dir/trace"
	ln "$work/dir/trace" "$work/old"
	trace=$work/dir/trace
	replace 022 || return 1
	ls "$work/dir"
	[ "$(cat "$work/old")" = old ] && [ "$(ls "$work/dir")" = trace ] &&
		"$verify" replay "$trace"
}
mode() {
	rm -f "$trace"
	[ "$3" = new ] || { : >"$trace" && chmod "$3" "$trace"; }
	replace "$1" || return 1
	found=$(stat -c %a "$trace")
	[ "$found" = "$2" ] || ! echo "mode $found, expected $2"
}
check "an old trace is replaced at once" replaced
check "umask 022: 644" mode 022 644 new
check "umask 027: 640" mode 027 640 new
check "umask 077: 600, whatever it was" mode 077 600 666
check "umask 002: 664, whatever it was" mode 002 664 600

# --- pipes and devices are written to, not replaced
pipe() {
	"$verify" check semaphore -n 3 -k 1 --trace /dev/stderr 2>&1 >/dev/null |
		jq -e '.format == "wicket-trace 2"'
}
check "--trace /dev/stderr" pipe
check "replay reads a pipe" sh -c "cat '$trace' | '$verify' replay /dev/stdin"

# A refutation found within a limit is worth no less: its replay follows the
# schedule, it does not wait for the states that check never saw.
quick() {
	exits 1 "$verify" check colored@leads-strict -n 5 -k 4 --timeout 0.2 \
		--property k-exclusion --trace "$trace" >/dev/null &&
		exits 0 timeout 2 "$verify" replay "$trace"
}
check "a long exploration is not needed to replay five steps" quick
done_testing
