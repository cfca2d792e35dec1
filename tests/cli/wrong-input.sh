#!/bin/sh
# Wrong arguments: each gives one line on stderr that starts with
# "wicket-verify: ", nothing on stdout, the exit code of sysexits.h, and writes
# nothing. A name that does not exist is answered with the nearest one that does, or,
# if none is near, with where they are listed.
# shellcheck disable=SC2317 # functions are called by check
# usage: wrong-input.sh WICKET-VERIFY SOURCE-DIR
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"
. "$tree/tests/cli/refused.sh"

# nearest NAME CODE ARG...: the line offers NAME.
nearest() {
	name=$1 code=$2
	shift 2
	check "$code: wicket-verify $*: '$name' is offered" \
		refused_with "$code" "the nearest name is '$name'" "$@"
}

# --- commands and operands
wrong 64
wrong 64 ''
wrong 64 frobnicate
wrong 64 CHECK
wrong 64 chec

# operands TEXT ARG...: the line says which are missing, or which one is too many.
operands() {
	text=$1
	shift
	check "64: wicket-verify $*: $text" refused_with 64 "$text" "$@"
}
operands "list: 'all' is one operand too many" list all
operands "table: '3' is one operand too many" table 3
operands "space: 'queue' is one operand too many" space queue -n 3 -k 1
for command in check adversary exec random; do
	operands "$command: expected ALGO;" $command
	operands "$command: expected ALGO;" $command -n 3 -k 1
done
operands "check: 'queue' is one operand too many" check colored queue -n 3 -k 1
operands "equiv: expected ALGO ALGO;" equiv -n 3 -k 1
operands "equiv: expected ALGO ALGO;" equiv colored -n 3 -k 1
operands "equiv: 'bank' is one operand too many" \
	equiv colored queue bank -n 3 -k 1
operands "replay: expected FILE;" replay
operands "replay: 'b' is one operand too many" replay a b

# --- names
nearest colored 64 check coloured -n 3 -k 1
nearest colored 64 equiv coloured queue -n 3 -k 1
nearest colored 64 equiv queue coloured -n 3 -k 1
nearest tight 64 check colored:tigth -n 3 -k 1
nearest 1979 64 check queue:1989 -n 3 -k 1
nearest leads-strict 64 check colored@lead-strict -n 3 -k 1
nearest no-want 64 check one-bit@nowant -n 3 -k 1
nearest queue 64 check bank:queu -n 3 -k 1
nearest fifo-enabling 64 check colored -n 3 -k 1 --property fifo-enablin
nearest fifo-enabling 64 check colored -n 3 -k 1 --property fifo
nearest k-exclusion 64 check colored -n 3 -k 1 --property exclusion
nearest O3 64 check colored -n 3 -k 1 --property O33
# unlike TEXT CODE ARG...: nothing is near, TEXT says where to look.
unlike() {
	text=$1 code=$2
	shift 2
	check "$code: wicket-verify $*: nothing is offered" \
		refused_with "$code" "$text" "$@"
}
unlike "'wicket-verify list' shows them all" 64 check peterson -n 2 -k 1
unlike "no algorithm 'peterson'; 'wicket-verify list'" 64 check peterson
unlike "'wicket-verify list' shows them all" 64 check colored@foo -n 3 -k 1
unlike "'wicket-verify list' shows them all" 64 check colored:foo -n 3 -k 1
unlike "see PROPERTIES in wicket-verify" 64 check colored -n 3 -k 1 \
	--property mutex
unlike "-n is needed" 64 check bakery
unlike "-k is needed" 64 check colored -n 3
unlike "-k is needed" 64 check recoverable -n 3
wrong 65 check bakery -n 2147483647
wrong 64 check '' -n 3 -k 1
wrong 64 check : -n 3 -k 1
wrong 64 check @ -n 3 -k 1
wrong 64 check colored: -n 3 -k 1
wrong 64 check colored@ -n 3 -k 1
wrong 64 check colored:tight@leads-strict -n 3 -k 1
wrong 64 check one-bit:x -n 3 -k 1
wrong 64 check Colored -n 3 -k 1
wrong 64 check colored -n 3 -k 1 --property ''
wrong 64 check semaphore -n 3 -k 1 --property O1
wrong 64 check "$(printf '%0500d' 0)" -n 3 -k 1

# A hint that repeats what was refused is none.
useful() {
	refused 64 check "$1" -n 4 -k 2 || return 1
	! grep -E "'([^']*)'.*nearest name is '\\1'" "$work/err"
}
check "bank:bank is refused, and not for bank" useful bank:bank
check "bank:recoverable is refused" refused_with 65 \
	"a line with seats of its own is no inner lock" \
	check bank:recoverable -n 3 -k 2
check "bank:rivest-pratt-2 for three is refused" refused_with 65 \
	"rivest-pratt-2 is for n = 2" check bank:rivest-pratt-2 -n 3 -k 2
check "colored@symmetric-tie is refused, and not for symmetric-tie" \
	useful colored@symmetric-tie

# --- numbers
wrong 64 check colored
wrong 64 check colored -n 3
wrong 64 check colored -k 1
wrong 64 equiv colored queue -n 3
for x in abc -3 3x '' ' 3' +3 3.0 0x3; do
	wrong 64 check colored -k 1 -n "$x"
	wrong 64 check colored -n 3 -k "$x"
done
for x in -1 x ''; do wrong 64 check colored -n 3 -k 1 -r "$x"; done
for n in 0 1 17 999 4294967295 4294967296 99999999999999999999; do wrong 65 check colored -k 1 -n $n; done
for k in 0 3 4 17 4294967295 4294967296 99999999999999999999; do wrong 65 check colored -n 3 -k $k; done
wrong 65 equiv colored queue -n 3 -k 3
wrong 65 check one-bit -n 3 -k 2
wrong 65 check lk-exclusion -n 3 -k 1 -r 2
wrong 65 check one-bit -n 3 -k 1 --property abort-resilience
wrong 65 adversary two-bits -n 3 -k 2
wrong 65 adversary one-bit -n 3 -k 1
wrong 64 adversary weak-one-bit -n 3 -k 2 --registers safe
wrong 64 check lk-exclusion:queue -n 3 -k 2
wrong 65 check bank:one-bit -n 3 -k 3
wrong 65 check colored -n 3 -k 1 -r 0
for x in 0 1 17 99; do wrong 65 table --upto "$x"; done
for x in x -1 '' 2x; do wrong 64 table --upto "$x"; done

# --- limits
for x in 0 abc -1 5X '' 1.5G 5MM 0G 99999999999999999999 17179869184G; do
	wrong 64 check colored -n 3 -k 1 --memory "$x"
done
for x in 0 -1 abc '' 1x 0.0 nan inf 1e99; do
	wrong 64 check colored -n 3 -k 1 --timeout "$x"
done
wrong 64 equiv colored queue -n 3 -k 1 --memory 0
wrong 64 table --timeout 0

# --- options
for option in -n -k -r --property --trace --memory --timeout; do
	check "64: $option without a value" \
		refused_with 64 "$option" check colored -n 3 -k 1 $option
done
check "64: check --bogus names it" refused_with 64 "'--bogus'" check --bogus
check "64: check -x names it" refused_with 64 "'-x'" check -x
check "64: -x before another letter names it" \
	refused_with 64 "'-x'" check colored -xn 3 -k 1
check "64: --step of check is named as typed" \
	refused_with 64 "'--step'" check colored -n 3 -k 1 --step
wrong 64 check colored -n 3 -k 1 --upto 3
wrong 64 check colored -n 3 -k 1 --json=yes
wrong 64 list -n 3
wrong 64 list --trace x.json
wrong 64 equiv colored queue -n 3 -k 1 --property fifo-enabling
wrong 64 equiv colored queue -n 3 -k 1 --trace x.json
wrong 64 table -n 3
wrong 64 table --step
wrong 64 replay x.json -n 3
wrong 64 replay x.json --registers safe

# --- worlds
wrong 64 check two-bits -n 3 -k 2 --registers atom
wrong 64 check two-bits -n 3 -k 2 --crashes x
wrong 64 check rivest-pratt-2 -n 2 -k 1 --failures silent
wrong 64 check recoverable -n 2 -k 1 --sleep deep
wrong 64 equiv colored queue -n 3 -k 1 --registers safe
wrong 64 check one-bit -n 2 --memory-model pso
wrong 64 exec one-bit -n 2 --memory-model tso
wrong 64 table --memory-model tso
wrong 65 check one-bit -n 2 --memory-model tso --registers safe
wrong 65 check one-bit -n 2 --memory-model tso --mid-write
wrong 64 check one-bit -n 2 --memory-model tso --buffer x
wrong 65 check one-bit -n 2 --memory-model tso --buffer 0
wrong 65 check one-bit -n 2 --memory-model tso --buffer 9
wrong 65 check one-bit -n 2 --buffer 4
check "65: and no other line for both" refused_with 65 "--registers atomic" \
	check one-bit -n 2 --memory-model tso --registers safe --mid-write
check "65: what speaks of steps that all see at once, where a store waited" \
	refused_with 65 "one-bit: c2 is not asked where stores wait in buffers" \
	check one-bit -n 2 --memory-model tso --property c2
wrong 65 check queue -n 3 -k 1 --registers safe
wrong 65 check recoverable -n 2 -k 1 --registers safe
wrong 65 check two-bits -n 3 -k 2 --mid-write
wrong 65 check colored -n 3 -k 1 --failures announced
wrong 65 check colored -n 3 -k 1 --property ultrareliability
wrong 65 check colored -n 3 -k 1 --laps 2
wrong 65 check colored -n 3 -k 1 --cap 4
wrong 65 check bakery -n 3 -k 1 --cap 0
wrong 65 check bakery -n 3 -k 1 --cap 255
wrong 64 check bakery -n 3 -k 1 --cap x
wrong 65 check bakery -n 3 -k 1 --property fifo-enabling
wrong 65 check numbered -n 3 -k 1 --property bounded-numbers
wrong 65 check bank:bakery -n 3 -k 1
wrong 65 check bank:fischer -n 3 -k 1
wrong 65 equiv bakery-2 bakery-n -n 2 -k 1
wrong 65 check recoverable -n 2 -k 1 --seats 1
wrong 65 check rivest-pratt-2 -n 3 -k 1
wrong 65 check rivest-pratt-n -n 3 -k 2

# --- one line, whatever the words are made of
two='two
lines'
check "64: a command of two lines" refused 64 "$two"
check "64: an algorithm of two lines" refused 64 check "$two" -n 3 -k 1
check "64: a property of two lines" \
	refused 64 check colored -n 3 -k 1 --property "$two"
check "64: a number of two lines" refused 64 check colored -k 1 -n "$two"
check "64: an option of two lines" refused 64 check colored "--$two"
done_testing
