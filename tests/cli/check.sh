#!/bin/sh
# What check, equiv, table, list and replay say when all is well: the keys and
# types of the JSON, the same in the text, exit codes, and verdicts that are
# known from the paper.
# usage: check.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM

# runs CODE ARG...: that exit code, nothing on stderr; the output in $work/out.
runs() {
	code=$1
	shift
	"$verify" "$@" >"$work/out" 2>"$work/err" </dev/null
	got=$?
	cat "$work/err"
	[ "$got" -eq "$code" ] || ! echo "exit $got, expected $code" || return 1
	[ ! -s "$work/err" ]
}

cat >"$work/types.jq" <<'JQ'
def count: type == "number" and . == floor and . >= 0;
def deed: type == "string" and test("^([0-9]+|[St])(=[0-9]+|[!?~])?$");
def steps($n): type == "array" and
	all(.[]; deed or (count and . >= 1 and . <= $n));
def finding($n):
	(.holds | type == "boolean" or . == null) and
	if .holds != false then (has("schedule") or has("length") | not)
	else (.schedule | steps($n)) and (.length == (.schedule | length)) and
		if .cycle == null then .stem == null
		else (.cycle | steps($n)) and (.cycle | length > 0) and
			(.stem | count) and .length == .stem + (.cycle | length) and
			.cycle == .schedule[.stem:] end
	end;
def checked:
	(.algorithm | type == "string") and (.n | count) and (.k | count) and
	(.r | count) and
	has("premise") and (.complete | type == "boolean") and (.states | count) and
	(.transitions | count) and (.depth | count) and (.shared_values | count) and
	(.upper_bound | . == null or count) and has("upper_bound") and
	(.lower_bound | . == null or count) and has("lower_bound") and
	(.seconds | type == "number" and . >= 0) and
	(.properties | type == "object" and length > 0) and
	(.n as $n | all(.properties[]; finding($n))) and
	(.complete or all(.properties[]; .holds != true));
def named: type == "array" and
	all(.[]; (.name | type == "string") and (.says | type == "string"));
JQ
# json CODE FILTER ARG...: exactly one object, of which the filter is true.
json() {
	filter=$2 code=$1
	shift 2
	runs "$code" "$@" --json || return 1
	jq -es "$(cat "$work/types.jq")
		length == 1 and (.[0] | type == \"object\") and (.[0] | $filter)" \
		"$work/out" || ! head -n 40 "$work/out"
}
# text CODE LINE ARG...: a line of the output, as a regular expression.
text() {
	line=$2 code=$1
	shift 2
	runs "$code" "$@" || return 1
	grep -qE -- "$line" "$work/out" || ! cat "$work/out"
}

# --- check
semaphore='.properties["k-exclusion"].holds and
	.properties["k-deadlock-avoidance"].holds and
	.properties["fifo-enabling"].holds == false'
check "semaphore: k-exclusion, but not FIFO" \
	json 1 "checked and $semaphore" check semaphore -n 3 -k 1
check "who overtakes whom" json 1 '.properties["fifo-enabling"] |
	.cycle == null and .length == 4 and (.overtaken | count) and
	(.overtaker | count) and .overtaken != .overtaker' check semaphore -n 3 -k 1
check "semaphore, in words" \
	text 1 '^ *fifo-enabling +FAILS after 4 steps$' check semaphore -n 3 -k 1
bank='.properties["k-deadlock-avoidance"] | .holds == false and
	.stem == 2 and (.cycle | length) == 1 and .length == 3'
check "bank, k = 2: a k-deadlock, stem 2, cycle 1" \
	json 1 "checked and ($bank)" check bank -n 3 -k 2
check "bank, k = 2, in words" text 1 \
	'^ *k-deadlock-avoidance +FAILS after 2 steps and a cycle of 1$' \
	check bank -n 3 -k 2
# says CODE LINES ARG...: these lines, whole, one after the other, are printed.
says() {
	code=$1 lines=$2
	shift 2
	runs "$code" "$@" || return 1
	lines=$lines awk '{ all = all "\n" $0 } END {
		exit !index(all "\n", "\n" ENVIRON["lines"] "\n") }' "$work/out" ||
		! cat "$work/out"
}
legend='    R remainder, T trying, C critical, E exit'
check "who has stopped, who waits, what is free, and the letters" says 1 \
"    process 1 has stopped in T
    process 2 waits in T for ever, although 2 of 2 slots are free
$legend" check bank -n 3 -k 2
check "of several" says 1 \
"    process 1 has stopped in T
    processes 2 and 3 wait in T for ever, although 2 of 2 slots are free
$legend; 1=0: 1 sees 0 while it is written" check two-bits -n 3 -k 2 \
	--registers safe --mid-write --property k-deadlock-freedom
check "the same in JSON" json 1 \
	'.properties["k-deadlock-avoidance"].stopped == [1]' check bank -n 3 -k 2
check "two have stopped" says 1 \
"    processes 1 and 2 have stopped in T
    process 3 waits in T for ever, although 2 of 2 slots are free
$legend" check two-bits -n 3 -k 2 --property k-deadlock-avoidance
check "two in JSON" json 1 \
	'.properties["k-deadlock-avoidance"].stopped == [1, 2]' \
	check two-bits -n 3 -k 2 --property k-deadlock-avoidance
check "the clock has stopped" says 1 \
"    the clock has stopped
    process 1 waits in T for ever, although 1 of 1 slot is free
$legend" check fischer -n 2 --property k-deadlock-avoidance
check "the clock in JSON" json 1 \
	'.properties["k-deadlock-avoidance"].stopped == ["t"]' \
	check fischer -n 2 --property k-deadlock-avoidance
check "who stays in C has not stopped" says 1 \
"    process 3 stays in C
    processes 1 and 2 wait in T for ever, although 1 of 2 slots is free
$legend" check weak-one-bit -n 3 -k 2 --property c2
check "nor in JSON" json 1 '.properties.c2 | has("stopped") | not' \
	check weak-one-bit -n 3 -k 2 --property c2
check "who is slow has not stopped" says 1 \
"       7        1  Flag1 := 0         R T R  Flag1=01- Flag2=-00
    process 2 waits from step 1 on and is overtaken by process 1
$legend" check two-bits -n 3 -k 2 --property bypass
check "who is overtaken has not stopped" says 1 "$legend" \
	check semaphore -n 3 -k 1
check "who starves, stops nobody" says 1 \
"    process 1 never gets out of T
$legend; S the server" check central-server -n 2 --property starvation-freedom
check "numbers that grow" says 1 \
"    in every cycle the numbers are greater: they grow without bound
$legend" check bakery -n 2 --property bounded-numbers
check "too many inside" says 1 \
"    processes 1 and 2 are in C, but there is 1 slot
$legend" check colored@leads-strict -n 3 -k 1 --property k-exclusion
check "the letters of a difference" says 1 "$legend" \
	equiv queue semaphore -n 3 -k 1
check "the clock" says 1 "$legend; t the clock" \
	check fischer@short-delay -n 2 --property k-exclusion
check "k is 1 where it can only be" json 0 '.k == 1 and .n == 3' \
	check bakery -n 3 --property k-exclusion
check "or where there are two processes" json 0 '.k == 1' check colored -n 2
check "bank, k = 1: all hold" json 0 \
	'checked and all(.properties[]; .holds)' check bank -n 3 -k 1
# A bank is as fair as its line, and needs no more of it than exclusion.
for lock in queue queue:1979 numbered unbounded-colored colored colored:tight \
	colored:stack colored-1979; do
	check "bank:$lock, k = 2: FIFO" json 0 'checked' check bank:$lock -n 3 -k 2 \
		--property k-exclusion --property fifo-enabling --property invariants
	check "bank:$lock, k = 2: a k-deadlock" \
		json 1 "checked and ($bank)" check bank:$lock -n 3 -k 2
done
for lock in semaphore one-bit two-bits rivest-pratt-n; do
	check "bank:$lock, k = 2: exclusion, but not FIFO" json 1 \
		'checked and .properties["fifo-enabling"].holds == false and
		([.properties[] | select(.holds == false)] | length == 1)' \
		check bank:$lock -n 3 -k 2 --property k-exclusion \
		--property fifo-enabling --property invariants
done
check "bank:rivest-pratt-2, two processes" json 0 'checked' \
	check bank:rivest-pratt-2 -n 2 -k 1 --property k-exclusion \
	--property invariants
colored='.algorithm == "colored" and .n == 3 and .k == 1 and .complete and
	.states == 186 and .shared_values == 24 and .upper_bound == 72 and
	.lower_bound == 1 and (.properties | length) == 3'
check "colored, n = 3, k = 1: the counts" \
	json 0 "checked and $colored" check colored -n 3 -k 1
check "the same in words" text 0 \
	'^186 states, .* 24 shared values, upper bound 72, lower bound 1, ' \
	check colored -n 3 -k 1
check "colored, n = 5, k = 3: 1387216 states, all hold" json 0 'checked and
	.complete and .states == 1387216 and all(.properties[]; .holds)' \
	check colored -n 5 -k 3
check "no upper bound is null" \
	json 0 'checked and .upper_bound == null' check numbered -n 3 -k 1
check "no lower bound is null" \
	json 0 'checked and .lower_bound == null' check colored -n 3 -k 2

# What is counted, no schedule shows.
check "(R7) is counted" json 1 'checked and .properties.simulatable ==
	{ holds: false, part: "(R7)", counted: 4, claimed: 1, schedule: [],
	  length: 0, stem: null, cycle: null }' \
	check short-names:least -n 3 -k 1 --property simulatable
check "(R7) is counted, in words" text 1 \
	'^  simulatable +FAILS: \(R7\): c2 is 4, which should be at most 1$' \
	check short-names:least -n 3 -k 1 --property simulatable
no_schedule() {
	! grep -q '(start)' "$work/out"
}
check "and no schedule is shown" no_schedule

# A supervisor can be eliminated if his system is simulatable.
check "the premise holds" json 0 'checked and .upper_bound == 38645268480000 and
	.premise == { algorithm: "short-names", property: "simulatable", holds: true,
	c1: 2, c2: 1, c3: 1 }' check eliminate:short-names -n 2 -k 1
check "in words" text 0 \
	'^premise: short-names satisfies \(R1\)-\(R8\), c1 = 2, c2 = 1, c3 = 1$' \
	check eliminate:short-names -n 2 -k 1
check "the premise fails: no bound, and 1" json 1 'checked and .upper_bound == null and
	all(.properties[]; .holds) and (.premise | finding(2) and .holds == false and
	.algorithm == "short-names:least" and .part == "(R7)" and .counted == 2)' \
	check eliminate:short-names:least -n 2 -k 1
check "in words" text 1 '^premise FAILS: short-names:least does not satisfy \(R7\): c2 is 2' \
	check eliminate:short-names:least -n 2 -k 1
check "the premise is not decided" json 69 '.premise.holds == null and
	all(.properties[]; .holds == null)' \
	check eliminate:short-names -n 3 -k 1 --memory 100K
check "in words" text 69 \
	'^premise undecided: does short-names satisfy \(R1\)-\(R8\)\? the memory limit' \
	check eliminate:short-names -n 3 -k 1 --memory 100K
check "others have none" json 0 '.premise == null' check short-names -n 2 -k 1
premise_replayed() {
	runs 1 check eliminate:short-names:least -n 2 -k 1 --trace "$work/run.json" &&
		"$verify" replay "$work/run.json" | tail -n 1 | grep '^confirmed: '
}
check "what breaks it can be replayed" premise_replayed

check "--property invariants: all of them, and only they" json 0 'checked and
	(.properties | keys) == ["O1", "O2", "O3", "O4", "O5"]' \
	check colored -n 3 -k 1 --property invariants
check "several --property, none twice" json 0 'checked and
	(.properties | keys) == ["O2", "fifo-enabling"]' check colored -n 3 -k 1 \
	--property fifo-enabling --property O2 --property fifo-enabling
check "what was not asked for does not count" json 0 'checked and
	(.properties | keys) == ["k-exclusion"]' \
	check semaphore -n 3 -k 1 --property k-exclusion
check "-n3 -k1, and options before the algorithm" \
	json 0 "checked and $colored" check -n3 -k1 colored

# --- memory models
check "stores wait in buffers: one-bit loses exclusion" says 1 \
"  k-exclusion              FAILS after 4 steps
    step  process  does               1 2  shared value
       0           (start)            R R  want=00
       1        1  want := 1          T R  want=00 [1: want=10]
       2        1  await 2            C R  want=00 [1: want=10]
       3        2  want := 1          C T  want=00 [1: want=10] [2: want=01]
       4        2  look at 1          C C  want=00 [1: want=10] [2: want=01]
    processes 1 and 2 are in C, but there is 1 slot
    R remainder, T trying, C critical, E exit; [1: ]: the buffer of 1" \
	check one-bit -n 2 --memory-model tso --property k-exclusion
check "how large they are, and whether one was full" text 1 \
	'^memory model tso: buffers of 4 stores, one of them full at times$' \
	check one-bit -n 2 --memory-model tso --property k-exclusion
check "and where none was" text 0 \
	'^memory model tso: buffers of 4 stores, never full$' \
	check colored -n 3 -k 1 --memory-model tso
check "numbers that grow in a buffer" says 1 \
"    in every cycle the numbers are greater: they grow without bound
    R remainder, T trying, C critical, E exit; [1: ]: the buffer of 1; 1>: a store of 1 reaches memory" \
	check bakery -n 2 --memory-model tso --property bounded-numbers
check "what drains, in words and several at once" text 1 \
	'^ +[0-9]+ +1>  drain want=10 +R T  want=10 \[1: want=00\] \[2: want=11\]$' \
	check one-bit -n 2 --memory-model tso
check "the buffer of a helper" text 1 '\[S: respond=2\]$' \
	check central-server -n 2 --memory-model tso --property starvation-freedom
check "the world names the model" json 1 '.world |
	.memory == "tso" and .buffer == 4 and .buffer_full' \
	check one-bit -n 2 --memory-model tso --property k-exclusion
check "they can be larger" json 1 '.world.buffer == 8 and .states == 39283 and
	.properties["k-exclusion"].length == 10' \
	check fast -n 2 --memory-model tso --buffer 8 --property k-exclusion
check "or smaller, which takes longer to go wrong" json 1 '.world.buffer == 1 and
	.states == 1234 and .properties["k-exclusion"].length == 14' \
	check fast -n 2 --memory-model tso --buffer 1 --property k-exclusion
check "a single store, in words" text 1 \
	'^memory model tso: buffers of 1 store, one of them full at times$' \
	check one-bit -n 2 --memory-model tso --buffer 1 --property k-exclusion
# A schedule needs the room that it was found in.
room() {
	"$verify" check fast -n 2 --memory-model tso --buffer 8 \
		--property k-exclusion --trace "$work/eight" >"$work/words"
	"$verify" replay "$work/eight" | grep '^confirmed: ' || return
	jq '.world.buffer = 1' "$work/eight" >"$work/one"
	"$verify" replay "$work/one" 2>"$work/words"
	[ $? -eq 66 ] && grep 'its steps or regions differ' "$work/words"
}
check "a schedule names their size" room
check "no buffer was full" json 0 '.world |
	.memory == "tso" and .buffer == 4 and (.buffer_full | not)' \
	check colored -n 3 -k 1 --memory-model tso
check "nor is there one" json 0 '.world |
	.memory == "sc" and (has("buffer") or has("buffer_full") | not)' \
	check colored -n 3 -k 1
# same ARG...: atomic actions are the same in both models.
same() {
	for model in sc tso; do
		"$verify" check "$@" --memory-model "$model" --json |
			jq 'del(.world, .seconds, .bytes)' >"$work/$model" || return 1
	done
	[ -s "$work/sc" ] && cmp "$work/sc" "$work/tso"
}
check "atomic actions: colored" same colored -n 3 -k 2
check "atomic actions: bank" same bank -n 3 -k 2 --property k-deadlock-avoidance
check "atomic actions: bank, c2" same bank -n 3 -k 2 --property c2
check "atomic actions: bakery-2" same bakery-2 -n 2 --property bounded-numbers
check "atomic actions: numbered, a quotient" same numbered -n 3 -k 2

# --- adversary
check "the adversary wins" json 1 '.wins == true and .why == null and
	.property == "k-deadlock-freedom" and finding(.n) and .holds == false and
	.stem == 7 and .length == 11 and .stopped == [3] and .rounds == 0 and
	(.moments | length > 0 and all(.[]; (.step | count) and
		(.says | type == "string")))' adversary weak-one-bit -n 3 -k 2
check "by Lemma 2.14" json 1 '.wins == true and .rounds == 1' \
	adversary weak-one-bit@all-yield -n 3 -k 2
check "the adversary does not win" json 0 '.wins == false and .holds == null and
	(.why | test("k-exclusion fails"))' adversary weak-one-bit@no-flag -n 3 -k 2
check "the adversary, in words" text 1 'no process ever enters: a stem of 7 steps' \
	adversary weak-one-bit -n 3 -k 2
replayed() {
	runs 1 adversary "$@" --trace "$work/run.json" &&
		"$verify" replay "$work/run.json" | tail -n 1 | grep '^confirmed: '
}
check "its run can be replayed" replayed weak-one-bit -n 3 -k 2
check "also of more" replayed weak-one-bit -n 4 -k 3
check "also by Lemma 2.14" replayed weak-one-bit@all-yield -n 4 -k 3

# --- aborts, robustness
check "who aborts for ever" json 1 '.properties["abort-resilience"] |
	.aborter == 1 and (has("victims") | not)' check two-bits -n 3 -k 2 \
	--property abort-resilience
check "as robust as asked for" json 0 '.r == 2 and
	.properties["r-deadlock-freedom"].holds' check lk-exclusion -n 4 -k 3 -r 2 \
	--property r-deadlock-freedom

# --- FLBB 1979
check "bank: no deadlock if fewer than one fail" json 0 'checked and .r == 1 and
	.properties.c2 == { holds: true, bound: 1 }' \
	check bank -n 3 -k 2 --property c2
check "-r 2: a deadlock, one has stopped" json 1 'checked and .r == 2 and
	(.properties.c2 | .bound == 1 and .stem == 2 and .length == 3 and
	.stopped == [1])' check bank -n 3 -k 2 -r 2 --property c2
check "the same in words" text 1 \
	'^  c2 +FAILS after 2 steps and a cycle of 1; holds up to r = 1$' \
	check bank -n 3 -k 2 -r 2 --property c2
check "a queue, whoever fails" json 0 'checked and
	.properties.c2 == { holds: true, bound: "unbounded" }' \
	check queue:1979 -n 3 -k 2 -r 3 --property c2
check "bank is FIFO: nobody comes first even once" json 0 \
	'.properties.c4 == { holds: true, bound: 0 }' \
	check bank -n 3 -k 2 --property c4
check "a queue is not, unless one looks at enabling" json 1 'checked and
	(.properties.c4 | .bound == "unbounded" and .victims == [1, 2, 3] and
	.overtaken != .overtaker) and .properties["c4-enabling"].bound == 0' \
	check queue:1979 -n 3 -k 2 --property c4 --property c4-enabling
check "which part of c6 fails" json 1 'checked and
	(.properties["c6-queuelike"] | .part == "k-full" and .length == 1)' \
	check bank -n 3 -k 2 --property c6-queuelike
check "the same in words" text 1 '^  c6-queuelike +FAILS after 1 step: k-full$' \
	check bank -n 3 -k 2 --property c6-queuelike

# --- equiv
equiv='has("schedule") and has("length") and (.pairs | count)'
check "equiv, equivalent" json 0 "$equiv and .equivalent == true and
	.pairs > 0 and .schedule == null and .length == null" \
	equiv queue colored -n 3 -k 2
check "equiv, different" json 1 "$equiv and .equivalent == false and
	(.schedule | steps(3)) and .length == (.schedule | length)" \
	equiv queue semaphore -n 3 -k 1
check "equivalent, in words" text 0 ': equivalent, [0-9]+ pairs' \
	equiv queue colored -n 3 -k 2
check "different, in words" text 1 ': not equivalent, after [0-9]+ steps' \
	equiv queue semaphore -n 3 -k 1

# --- table, list, replay, help
check "table" json 0 '(.rows | length > 20) and all(.rows[]; checked) and
	all(.rows[]; .n <= 3) and ([.rows[] | [.algorithm, .n, .k, .r, .world]] |
	length == (unique | length))' table --upto 3
check "table, in words" text 0 '^bank +3 +2 +atomic +94 .* k-deadlock-avoidance 2\+1$' table --upto 3
files=$(cd "$tree/src/algo" && printf '"%s",' *.c |
	sed 's/"registry\.c",//; s/\.c"/"/g; s/,$//')
check "list" json 0 "([$files] - [.algorithms[].name] == []) and"'
	all(.algorithms[]; (.title | type == "string") and
	(.source | type == "string") and (.properties | length > 0) and
	(.variants | named) and (.mutants | named) and (.invariants | named)) and
	([.algorithms[].properties[]] - [.properties[].name] == []) and
	(.properties | named)' list
check "list, in words" text 0 '^colored +Colored Ticket Algorithm' list
check "properties, in words" text 0 '^ +property +c2 +no deadlock if' list
"$verify" check bank -n 3 -k 2 --trace "$work/trace" >/dev/null
check "replay" json 0 '.algorithm == "bank" and .n == 3 and .k == 2 and
	.property == "k-deadlock-avoidance" and .confirmed == true' \
	replay "$work/trace"
check "replay, in words" text 0 '^confirmed: ' replay "$work/trace"
fits() {
	runs 0 "$@" && awk 'length > 80 { wide = 1 } END { exit wide || NR > 24 }' \
		"$work/out"
}
check "--help fits 24 lines of 80 columns" fits --help
# Every exit code of the manual.
has_codes() {
	runs 0 --help || return 1
	sed -n '/^# EXIT/,/^# EXAMPLES/s/^\*\([0-9].*\)\*$/\1/p' \
		"$tree/man/wicket-verify.1.scd" | tr -c '0-9\n' '\n' | grep . \
		>"$work/codes"
	[ "$(wc -l <"$work/codes")" -ge 9 ] && while read -r code; do
		grep -q "\(^\| \)$code [a-zA-Z]" "$work/out" || return 1
	done <"$work/codes"
}
check "--help has all exit codes" has_codes
check "-h is the same" fits -h
check "so is check --help" fits check --help
version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$tree/meson.build")
check "--version" text 0 "^wicket-verify $version\$" --version
check "-V" text 0 "^wicket-verify $version\$" -V
# --- numbers that grow
check "the cap is twice n" json 0 '.cap == 4 and
	.properties["k-exclusion"].holds' check bakery -n 2 -k 1 \
	--property k-exclusion
check "or what was asked for" json 0 '.cap == 9 and .states > 268' \
	check bakery -n 2 -k 1 --property k-exclusion --cap 9
check "others have none" json 0 '.cap == null' check colored -n 3 -k 1
check "what holds, holds up to the cap" text 0 \
	'^  k-exclusion +holds up to cap 5$' \
	check bakery -n 2 -k 1 --property k-exclusion --cap 5
check "what fails, fails" json 1 '.cap == 2 and
	.properties["k-exclusion"].length == 6' \
	check bakery-2@split -n 2 -k 1 --property k-exclusion --cap 2
check "numbers grow without bound" json 1 '.properties["bounded-numbers"] |
	.holds == false and .bound == "unbounded" and .stem == 4 and
	(.cycle | length) == 6' check bakery-2 -n 2 -k 1 --property bounded-numbers
check "which is not seen below a low cap" json 0 \
	'.properties["bounded-numbers"].holds' \
	check bakery-2 -n 2 -k 1 --property bounded-numbers --cap 2

# --- helpers
check "a clock is t" json 1 '.properties["k-exclusion"].schedule |
	index("t") and (index("S") | not)' \
	check fischer@short-delay -n 2 -k 1 --property k-exclusion
check "a server is S" json 1 '.properties["starvation-freedom"].cycle |
	index("S") != null' \
	check central-server -n 2 -k 1 --property starvation-freedom
done_testing
