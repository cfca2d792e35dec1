#!/bin/sh
# Wrong arguments of wicket run: each gives one line on stderr that starts with
# "wicket: ", nothing on stdout, the exit code of sysexits.h, and creates no line.
# shellcheck disable=SC2317 # functions are called by check
# usage: run-wrong.sh WICKET SOURCE-DIR
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"
. "$tree/tests/cli/refused.sh"
WICKET_DIR=$work/here
export WICKET_DIR
unset SHELL

# says CODE TEXT ARG...: refused, and the line contains the text.
says() {
	code=$1 text=$2
	shift 2
	check "$code: wicket $(printf %.60s "$*"): '$text'" \
		refused_with "$code" "$text" "$@"
}

# --- commands and operands
wrong 64
wrong 64 ''
wrong 64 frobnicate
says 64 'no such command' walk x true
says 64 'name of a line' run
says 64 'name of a line' run -n
says 64 'a command' run x
says 64 'a command' run x --
says 64 'a command' run -- x
says 64 'a string' run x -c
says 64 'a string' run x --command
says 64 'a string' run -c x
says 64 'one too many' run -c x true false
says 64 'one too many' run x -c true false
says 64 'options go before' run -c x -c true
says 64 'options go before' run x -n true
says 64 'options go before' run x --slots 3 true
says 64 'options go before' run x -v

# --- names
long=$(printf '%0256d' 0)
says 64 "'': not a name" run '' true
says 64 'not a name' run . true
says 64 'not a name' run .. true
says 64 'too long' run "$long" true
says 73 'no such directory' run ./nowhere/x true
says 73 'no such directory' run /nowhere/x true
says 73 'not a directory' run /dev/null/x true

# --- options
for option in -j -w -E --slots --wait --timeout --conflict-exit-code \
	--slot-var --map --mode; do
	says 64 "$option needs a value" run $option
done
# wherever the program for several machines is, if anywhere
for url in '' x etcd: etcd:x redis://db1:1; do
	says 64 'expected a store' run --store "$url" x true
done
for url in etcd://db1 etcd://db1:0 etcd://db1:99999 'etcd://db1:1,' 'etcd://a b:1'; do
	says 64 'expected servers' status --store "$url"
done
says 64 'the prefix' list --store etcd://db1:1/a//b
says 64 'there is no such line; -N 2 needs -j' run -N 2 x true
says 64 '-N 0: expected a whole number' run -N 0 x true
says 64 '-N x: expected a whole number' run -N x x true
says 78 'a line of -j has 2 slots, fewer than -N 3' run -j 2 -N 3 x true
says 64 '--ttl needs --store' run --ttl 2 x true
says 66 'there is no such line' resize x 2
says 64 'expected NAME and a number of slots' resize x
says 64 'expected NAME and a number of slots' resize x 2 3
for k in 512 -1 '' 1.5 2k; do
	says 64 'whole number, 0 to 511' resize -- x "$k"
done
says 64 '--wait and --store' resize --wait --store etcd://db1:1 x 2
says 64 "'--bogus'" resize --bogus x 2
says 64 "'--bogus'" run --bogus x true
says 64 "'-x'" run -x x true
says 64 "'-x'" run -nx x true
says 64 "'-x'" run -xn x true
says 64 "'--nonblock=yes'" run --nonblock=yes x true

# --- numbers
for k in 0 512 4294967297 99999999999999999999 x -1 +1 '' ' 1' 1.5 0x2 2k; do
	says 64 '1 to 511' run -j "$k" x true
done
says 64 '1 to 511' run --slots=0 x true
for secs in '' x -1 +1 ' 1' 1e3 nan inf 0x10 . 1.2.3 1s 1000000001 \
	99999999999999999999; do
	says 64 'expected seconds' run -w "$secs" x true
done
says 64 'expected seconds' run --wait -0 x true
says 64 'expected seconds' run --timeout= x true
for code in 256 -1 x '' 1.0 99999999999999999999; do
	says 64 '0 to 255' run -E "$code" x true
done
for mode in '' 8 x -1 0 66 400 200 1000 1777 0x1ff ' 600' u=rw \
	99999999999999999999999; do
	says 64 'in octal' run --mode "$mode" x true
done

# --- options that exclude or need each other
says 64 '-n and -w' run -n -w 1 x true
says 64 '-n and -w' run -w 0 -n x true
for variable in '' 1a a=b 'a b' a-b =; do
	says 64 'name of a variable' run --slot-var "$variable" x true
done
says 64 '--map needs --slot-var' run --map a,b x true
says 64 '2 values, too few for the 3 slots' \
	run -j 3 --map a,b --slot-var V x true
says 64 '1 value, too few for the 2 slots' \
	run -j 2 --map '' --slot-var V x true
says 64 '512 values are too many' \
	run --map "$(printf '%0511d' 0 | tr 0 ,)" --slot-var V x true

# --- files that are no lines
echo 'not a line' >"$work/here/text"
: >"$work/here/empty"
head -c 600000 /dev/urandom >"$work/here/noise"
mkdir "$work/here/directory"
mkfifo "$work/here/fifo"
ln -s "$work/nowhere/x" "$work/here/dangling"
for name in text empty noise directory fifo; do
	says 65 "not a line" run $name true
	says 65 "not a line" run ./$name true
done
says 65 "not a line" run /dev/null true
wrong 73 run dangling true
says 65 "($work/here/text)" run text true

elsewhere() {
	WICKET_DIR=$1
	shift
	refused "$@"
	result=$?
	WICKET_DIR=$work/here
	return "$result"
}
check "73: a WICKET_DIR that there is not" \
	elsewhere "$work/nowhere" 73 run x true
check "73: a WICKET_DIR that is a file" \
	elsewhere "$work/here/text" 73 run x true

# --- permissions
# unprivileged COMMAND...: as nobody, if we are root; needs setpriv for that.
unprivileged() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}
no_permission() {
	unprivileged "$verify" run "$1" true 2>"$work/err"
	got=$?
	cat "$work/err"
	[ "$got" -eq 77 ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
		grep -qF "permission" "$work/err"
}
if unprivileged "$verify" --version >/dev/null 2>&1; then
	chmod 755 "$work"
	mkdir "$work/closed"
	chmod 555 "$work/closed"
	check "77: nothing may be created there" \
		no_permission "$work/closed/x"
	chmod 000 "$work/here/text"
	check "77: the file may not be read" no_permission "$work/here/text"
else
	skip "77: no permission" "cannot run as somebody without rights"
fi

# --- one line, whatever the words are made of
two='two
lines'
for word in "$two" "$(printf 'es\033[2Jcape')"; do
	check "64: a command of odd characters" refused 64 "$word"
	check "64: an option of odd characters" refused 64 run "--$word"
	check "64: a number of odd characters" refused 64 run -j "$word" x true
	check "73: a line of odd characters" refused 73 run "./$word/x" true
done

# --- disagreement changes nothing
"$verify" run -j 2 two true
says 78 '2 slots, not 3' run -j 3 two true
says 78 '2 slots, not 1' run -j 1 two true
says 78 '2 slots, more than --map has values (1)' \
	run --map a --slot-var V two true
says 64 'too few' run -j 2 --map a --slot-var V two true
done_testing
